// What goes to the law, in batches.
//
// A shaken layer of 60,000 grains breaks up into some ten thousand islands of a few contacts in a
// single pass. The law makes thirty loops over what it is given: a batch is so many whole islands
// that all of it stays in the cache of one core. Batches share no movable body, so they are
// resolved side by side; they are made from the islands alone, so that the number of threads does
// not show. An island much larger than that gets the team for itself. With joints, which connect
// islands, everything is one batch.
#include "base/team.h"
#include "impact/workspace.h"
#include "world/clash.h"
#include "world/journal.h"

enum { BATCH = 192, TEAM = 4096 }; // contacts: of a batch, and from which it gets the team
enum { AHEAD = 8 };                // pairs on their way into the cache
#define ROUND_OFF 1e-12

typedef struct batch {
    int first, last; // components, and the one behind
    int begin, end;  // of the task's pairs
    carom_impact_report report;
    double largest; // N s, normal impulse
} batch;

// One who resolves a batch after the other.
typedef struct hand {
    const carom_clash_task *task;
    carom_workspace *workspace;
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    carom_impact_outcome out;
    int *number, *body_of; // in the batch by the world's number, -1 where absent; and back
    int body_count, contact_count;
    carom_status status;
    carom_error err;
} hand;

typedef struct crew {
    const carom_clash_task *task;
    batch *batches;
    int batch_count, next; // `next`: not taken yet
    hand *hands;
} crew;

static carom_status list_batches(crew *c, carom_error *err);
static carom_status take_hand(hand *h, const carom_clash_task *task, int number, int contacts,
                              carom_error *err);
static void resolve_batch(hand *h, batch *b);
static void keep_verdicts(const crew *c);

static int size_of(const batch *b)
{
    return b->end - b->begin;
}

// Whoever is free takes the next batch: which thread resolves it does not show.
static void run_share(crew *c, int threads)
{
    hand *h = &c->hands[carom_team_me(threads)];
    for (int i; (i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) < c->batch_count;)
        if (size_of(&c->batches[i]) < TEAM && !carom_progress_stopped(&c->task->step->world->stop))
            resolve_batch(h, &c->batches[i]);
}
CAROM_TEAM_SHARE2(run_share, crew *, int)

carom_status carom_clash_batch_resolve(const carom_clash_task *task, carom_error *err)
{
    carom_world *world = task->step->world;
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    crew c = { .task = task };
    TRY(list_batches(&c, err));
    int small = 0, large = 0;
    for (int i = 0; i < c.batch_count; ++i) {
        int size = size_of(&c.batches[i]), *most = size < TEAM ? &small : &large;
        *most = size > *most ? size : *most;
    }
    int threads = carom_team_worth(task->first[task->component_count], world->options.threads);
    TAKE_ZEROS(world->scratch, c.hands, threads + 1, err);
    for (int t = 0; t < threads; ++t)
        TRY(take_hand(&c.hands[t], task, t, small, err));
    CAROM_TEAM(threads, run_share(&c, threads));
    hand *all = &c.hands[threads];
    if (large > 0)
        TRY(take_hand(all, task, -1, large, err));
    for (int i = 0; large > 0 && i < c.batch_count; ++i)
        if (size_of(&c.batches[i]) >= TEAM)
            resolve_batch(all, &c.batches[i]);
    carom_status status = CAROM_OK;
    for (int t = 0; t <= threads && status == CAROM_OK; ++t) {
        status = c.hands[t].status;
        if (status != CAROM_OK && err)
            *err = c.hands[t].err;
    }
    if (status == CAROM_OK)
        status = carom_progress_check(&world->stop, "impacts", err);
    if (status == CAROM_OK)
        keep_verdicts(&c);
    carom_arena_rewind(world->scratch, mark);
    return status;
}

// The component behind the batch that begins with component `from`.
static int batch_end(const carom_clash_task *task, int from)
{
    int to = from + 1;
    if (task->ring)
        return task->component_count;
    while (to < task->component_count && task->first[to + 1] - task->first[from] <= BATCH)
        ++to;
    return to;
}

static carom_status list_batches(crew *c, carom_error *err)
{
    const carom_clash_task *task = c->task;
    int count = 0;
    for (int from = 0; from < task->component_count; from = batch_end(task, from))
        ++count;
    TAKE(task->step->world->scratch, c->batches, count, err);
    for (int from = 0; from < task->component_count;) {
        int to = batch_end(task, from);
        c->batches[c->batch_count++] = (batch){
            .first = from, .last = to, .begin = task->first[from], .end = task->first[to]
        };
        from = to;
    }
    return CAROM_OK;
}

// That of a thread; number -1: of the whole team, which joints, with their one batch, always have.
static carom_status take_hand(hand *h, const carom_clash_task *task, int number, int contacts,
                              carom_error *err)
{
    const carom_world *world = task->step->world;
    size_t most = 2 * (size_t)contacts, n = (size_t)world->count;
    if (task->ring || most > n) // joints bring bodies without contacts
        most = n;
    *h = (hand){ .task = task,
                 .workspace = number < 0 || task->ring ? world->workspace : world->beside[number],
                 .number = task->numbers + (number < 0 ? 0 : n * (size_t)number) };
    TAKE(world->scratch, h->bodies, most, err);
    TAKE(world->scratch, h->body_of, most, err);
    TAKE(world->scratch, h->out.velocities, most, err);
    TAKE(world->scratch, h->out.spins, most, err);
    TAKE(world->scratch, h->contacts, contacts, err);
    TAKE(world->scratch, h->out.impulses, contacts, err);
    return CAROM_OK;
}

static int number_of(hand *h, int body)
{
    const carom_world *world = h->task->step->world;
    if (h->number[body] >= 0)
        return h->number[body];
    sym3 s = world->inverse_inertia[body];
    carom_impact_body *copy = &h->bodies[h->body_count];
    *copy = (carom_impact_body){ .inverse_mass = world->inverse_mass[body],
                                 .inverse_inertia = { s.xx, s.yy, s.zz, s.xy, s.xz, s.yz } };
    vec3_store(world->now.position[body], copy->position);
    vec3_store(world->now.velocity[body], copy->velocity);
    vec3_store(world->now.spin[body], copy->spin);
    h->body_of[h->body_count] = body;
    return h->number[body] = h->body_count++;
}

static void fill(hand *h, const carom_candidate *candidate, carom_impact_contact *contact)
{
    const carom_world *world = h->task->step->world;
    const carom_material *ma = &world->materials[world->material[candidate->a]];
    const carom_material *mb = &world->materials[world->material[candidate->b]];
    // two springs in a row: their compliances add
    *contact = (carom_impact_contact){ .a = number_of(h, candidate->a),
                                       .b = number_of(h, candidate->b),
                                       .restitution = carom_restitution_now(world, candidate),
                                       .friction = candidate->friction,
                                       .stiffness = 2 / (1 / ma->stiffness + 1 / mb->stiffness),
                                       .exponent = fmax(ma->exponent, mb->exponent),
                                       .tangential_restitution = carom_restitution_tangential(
                                           world, candidate->a, candidate->b) };
    vec3_store(candidate->point, contact->point);
    vec3_store(candidate->normal, contact->normal);
}

static inline void fetch_body(const carom_world *world, int body)
{
    __builtin_prefetch(&world->inverse_inertia[body]);
    __builtin_prefetch(&world->now.position[body]);
    __builtin_prefetch(&world->now.velocity[body], 1);
    __builtin_prefetch(&world->now.spin[body], 1);
}

static void fetch(const hand *h, const carom_clash_pair *pair)
{
    const char *candidate = (const char *)&h->task->step->candidates[pair->candidate];
    __builtin_prefetch(candidate, 1);
    __builtin_prefetch(candidate + sizeof(carom_candidate) - 1, 1);
    __builtin_prefetch(&h->task->net->edges[pair->candidate].u);
    fetch_body(h->task->step->world, pair->a);
    fetch_body(h->task->step->world, pair->b);
}

static void gather(hand *h, const batch *b)
{
    const carom_clash_pair *pairs = &h->task->pairs[b->begin];
    const int *ring = h->task->ring;
    int behind = h->task->first[h->task->component_count] - b->begin;
    h->body_count = 0;
    h->contact_count = size_of(b);
    for (int i = 0; i < h->contact_count; ++i) {
        carom_candidate *candidate = &h->task->step->candidates[pairs[i].candidate];
        if (i + AHEAD < behind)
            fetch(h, &pairs[i + AHEAD]);
        candidate->u = h->task->net->edges[pairs[i].candidate].u; // restitution may depend on it
        fill(h, candidate, &h->contacts[i]);
    }
    for (int i = 0; ring && i < h->body_count; ++i)
        for (int next = ring[h->body_of[i]]; h->number[next] < 0; next = ring[next])
            number_of(h, next);
    for (int i = 0; i < h->body_count; ++i)
        h->number[h->body_of[i]] = -1;
}

// Spin that is mere round-off beside the impact counts as none. A tilt of a face that lands flat
// grows some thirtyfold with each elastic landing (the impulses stay equal while the centre of mass
// moves off their middle); it must not start from the last digit.
static bool round_off(const hand *h, int body, const double *spin)
{
    double speed =
        vec3_length(vec3_from(spin)) * carom_shape_radius(h->task->step->world->shape[body]);
    return speed <= ROUND_OFF * h->task->fastest;
}

static void hand_back(hand *h, batch *b)
{
    carom_world *world = h->task->step->world;
    for (int i = 0; i < h->body_count; ++i) {
        int body = h->body_of[i];
        if (world->fixed[body])
            continue;
        bool still = round_off(h, body, h->bodies[i].spin) && round_off(h, body, h->out.spins[i]);
        world->now.velocity[body] = vec3_from(h->out.velocities[i]);
        world->now.spin[body] = still ? vec3_make(0, 0, 0) : vec3_from(h->out.spins[i]);
    }
    b->largest = 0;
    for (int i = 0; i < h->contact_count; ++i) {
        const carom_clash_pair *pair = &h->task->pairs[b->begin + i];
        const double *p = h->out.impulses[i];
        b->largest = fmax(b->largest, fabs(p[0]));
        if (!world->journal.watching && !world->fixed[pair->a] && !world->fixed[pair->b])
            continue;
        vec3 n = vec3_from(h->contacts[i].normal), t1, t2;
        vec3_tangents(n, &t1, &t2);
        h->task->impulse[pair->candidate] =
            vec3_axpy(vec3_axpy(vec3_scale(p[0], n), p[1], t1), p[2], t2);
    }
    b->report = h->out.report;
}

static void resolve_batch(hand *h, batch *b)
{
    carom_world *world = h->task->step->world;
    if (h->status != CAROM_OK)
        return;
    gather(h, b);
    carom_impact impact = { h->body_count, h->contact_count, h->bodies, h->contacts };
    carom_workspace_scale(h->workspace, h->task->fastest);
    carom_workspace_set_stop(h->workspace, &world->stop);
    if (h->task->ring)
        h->status = carom_clash_joints_resolve(world, h->body_of, &impact, &h->out, &h->err);
    else
        h->status = carom_impact_resolve(h->workspace, &impact, world->options.law,
                                         &world->options.law_options, &h->out, &h->err);
    if (h->status == CAROM_OK)
        hand_back(h, b);
    else // the law counts the bodies of the batch, the caller those of the world
        h->err.body = h->err.body < 0 || h->task->ring ? -1 : h->body_of[h->err.body];
}

static void keep_verdicts(const crew *c)
{
    const carom_clash_task *task = c->task;
    const unsigned char *fixed = task->step->world->fixed;
    carom_clash_verdicts *all = task->verdicts;
    carom_profile *profile = &task->step->world->profile;
    profile->calls += c->batch_count;
    for (int k = 0; k < task->component_count; ++k) {
        int size = task->first[k + 1] - task->first[k];
        profile->widest = size > profile->widest ? size : profile->widest;
    }
    for (int i = 0; i < c->batch_count; ++i) {
        const batch *b = &c->batches[i];
        all->list[all->count++] = (carom_clash_verdict){ .report = b->report,
                                                         .largest = b->largest,
                                                         .first = all->body_count,
                                                         .count = b->last - b->first };
        for (int k = b->first; k < b->last; ++k) {
            const carom_clash_pair *pair = &task->pairs[task->first[k]];
            all->bodies[all->body_count++] = fixed[pair->a] ? pair->b : pair->a;
        }
    }
}

void carom_clash_batch_judge(carom_world *world, const carom_clash_verdicts *verdicts)
{
    carom_ledger *ledger = &world->now.ledger;
    carom_impact_report all = carom_impact_report_default();
    double largest = 0, error = 0;
    for (int i = 0; i < verdicts->count; ++i) {
        const carom_impact_report *one = &verdicts->list[i].report;
        largest = fmax(largest, verdicts->list[i].largest);
        all.energy_before += one->energy_before;
        all.energy_after += one->energy_after;
        all.work += one->work;
        all.fastest = fmax(all.fastest, one->fastest);
        all.penetration = fmax(all.penetration, one->penetration);
        all.pull = fmax(all.pull, one->pull);
        all.capped_loss = fmax(all.capped_loss, one->capped_loss);
        all.momentum_error = fmax(all.momentum_error, one->momentum_error);
        all.sweeps = one->sweeps > all.sweeps ? one->sweeps : all.sweeps;
        if (one->elastic_error >= 0) {
            error += one->elastic_error * one->energy_before;
            all.elastic_error = 0;
        }
        ledger->limited += one->limited;
        ledger->capped += one->end == CAROM_IMPACT_CAPPED;
        ledger->endless += one->end == CAROM_IMPACT_ENDLESS;
    }
    if (all.elastic_error >= 0 && all.energy_before > 0)
        all.elastic_error = error / all.energy_before;
    carom_journal_judge(world, &all, largest);
    ledger->sweeps += all.sweeps;
}

// What goes to the law, in batches.
//
// A shaken layer of 60,000 grains breaks up into about ten thousand islands of a few contacts in a
// single pass. The law makes thirty loops over what it is given: a batch is so many whole islands
// that all of it stays in the cache of one core. Batches share no movable body, so they are
// resolved side by side; they are made from the islands alone, so that the number of threads does
// not show. An island much larger than that gets the team for itself. An island with joints is a
// batch of its own, as each needs its own number of answers of the law (impact_phase_joints.c).
#include "base/team.h"
#include "impact/workspace.h"
#include "world/impact_phase.h"
#include "world/journal.h"
#include "world/pair_material.h"

enum { BATCH = 192, TEAM = 4096 }; // contacts: of a batch, and from which it gets the team
enum { AHEAD = 8 };                // contacts on their way into the cache
#define ROUND_OFF 1e-12

typedef struct batch {
    int first, last; // components, and the one behind
    int begin, end;  // of the task's contacts
    bool jointed;    // joints hold bodies of it
    carom_impact_report report;
    double largest; // N s, normal impulse
} batch;

// One who resolves a batch after the other.
typedef struct worker {
    const carom_impact_phase_task *task;
    carom_workspace *workspace;
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    carom_impact_outcome out;
    int *number, *body_of; // in the batch by the world's number, -1 where absent; and back
    int body_count, contact_count;
    carom_status status;
    carom_error err;
} worker;

typedef struct pool {
    const carom_impact_phase_task *task;
    batch *batches;
    int batch_count, next; // `next`: not taken yet
    worker *workers;
} pool;

static carom_status list_batches(pool *c, carom_error *err);
static carom_status init_worker(worker *w, const carom_impact_phase_task *task, int number,
                                int contacts, carom_error *err);
static void resolve_batch(worker *w, batch *b);
static void keep_reports(const pool *c);

static int size_of(const batch *b)
{
    return b->end - b->begin;
}

// Whoever is free takes the next batch: which thread resolves it does not affect the result.
static void run_share(pool *c, int threads)
{
    worker *w = &c->workers[carom_team_me(threads)];
    for (int i; (i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) < c->batch_count;)
        if (size_of(&c->batches[i]) < TEAM && !carom_progress_stopped(&c->task->step->world->stop))
            resolve_batch(w, &c->batches[i]);
}
CAROM_TEAM_SHARE2(run_share, pool *, int)

carom_status carom_impact_phase_batch_resolve(const carom_impact_phase_task *task, carom_error *err)
{
    carom_world *world = task->step->world;
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    pool c = { .task = task };
    TRY(list_batches(&c, err));
    int small = 0, large = 0;
    for (int i = 0; i < c.batch_count; ++i) {
        int size = size_of(&c.batches[i]), *max = size < TEAM ? &small : &large;
        *max = size > *max ? size : *max;
    }
    int threads = carom_team_worth(task->first[task->component_count], world->options.threads);
    if (task->jointed) // who solves for joints takes room from the world's own arena
        threads = 1;
    TAKE_ZEROS(world->scratch, c.workers, threads + 1, err);
    for (int t = 0; t < threads; ++t)
        TRY(init_worker(&c.workers[t], task, t, small, err));
    CAROM_TEAM(threads, run_share(&c, threads));
    worker *all = &c.workers[threads];
    if (large > 0)
        TRY(init_worker(all, task, -1, large, err));
    for (int i = 0; large > 0 && i < c.batch_count; ++i)
        if (size_of(&c.batches[i]) >= TEAM)
            resolve_batch(all, &c.batches[i]);
    carom_status status = CAROM_OK;
    for (int t = 0; t <= threads && status == CAROM_OK; ++t) {
        status = c.workers[t].status;
        if (status != CAROM_OK && err)
            *err = c.workers[t].err;
    }
    if (status == CAROM_OK)
        status = carom_progress_check(&world->stop, "impacts", err);
    if (status == CAROM_OK)
        keep_reports(&c);
    carom_arena_rewind(world->scratch, mark);
    return status;
}

// Whether joints hold a body of a component.
static bool is_jointed(const carom_impact_phase_task *task, int component)
{
    for (int i = task->first[component]; task->jointed && i < task->first[component + 1]; ++i)
        if (task->jointed[task->contacts[i].a] || task->jointed[task->contacts[i].b])
            return true;
    return false;
}

// The component behind the batch that begins with component `from`.
static int batch_end(const carom_impact_phase_task *task, int from)
{
    int to = from + 1;
    if (is_jointed(task, from))
        return to;
    while (to < task->component_count && task->first[to + 1] - task->first[from] <= BATCH &&
           !is_jointed(task, to))
        ++to;
    return to;
}

static carom_status list_batches(pool *c, carom_error *err)
{
    const carom_impact_phase_task *task = c->task;
    int count = 0;
    for (int from = 0; from < task->component_count; from = batch_end(task, from))
        ++count;
    TAKE(task->step->world->scratch, c->batches, count, err);
    for (int from = 0; from < task->component_count;) {
        int to = batch_end(task, from);
        c->batches[c->batch_count++] = (batch){ .first = from,
                                                .last = to,
                                                .begin = task->first[from],
                                                .end = task->first[to],
                                                .jointed = is_jointed(task, from) };
        from = to;
    }
    return CAROM_OK;
}

// That of a thread; number -1: of the whole team, which joints always have.
static carom_status init_worker(worker *w, const carom_impact_phase_task *task, int number,
                                int contacts, carom_error *err)
{
    const carom_world *world = task->step->world;
    size_t max = 2 * (size_t)contacts, n = (size_t)world->count;
    if (task->jointed || max > n) // joints bring bodies without contacts
        max = n;
    *w = (worker){ .task = task,
                   .workspace =
                       number < 0 || task->jointed ? world->workspace : world->beside[number],
                   .number = task->numbers + (number < 0 ? 0 : n * (size_t)number) };
    TAKE(world->scratch, w->bodies, max, err);
    TAKE(world->scratch, w->body_of, max, err);
    TAKE(world->scratch, w->out.velocities, max, err);
    TAKE(world->scratch, w->out.spins, max, err);
    TAKE(world->scratch, w->contacts, contacts, err);
    TAKE(world->scratch, w->out.impulses, contacts, err);
    return CAROM_OK;
}

static int copy_body(worker *w, int body)
{
    const carom_world *world = w->task->step->world;
    if (w->number[body] >= 0)
        return w->number[body];
    sym3 s = world->inverse_inertia[body];
    carom_impact_body *copy = &w->bodies[w->body_count];
    *copy = (carom_impact_body){ .inverse_mass = world->inverse_mass[body],
                                 .inverse_inertia = { s.xx, s.yy, s.zz, s.xy, s.xz, s.yz } };
    vec3_store(world->now.position[body], copy->position);
    vec3_store(world->now.velocity[body], copy->velocity);
    vec3_store(world->now.spin[body], copy->spin);
    w->body_of[w->body_count] = body;
    return w->number[body] = w->body_count++;
}

static void fill_contact(worker *w, const carom_candidate *candidate, carom_impact_contact *contact)
{
    const carom_world *world = w->task->step->world;
    int a = candidate->a, b = candidate->b, place_a = copy_body(w, a), place_b = copy_body(w, b);
    *contact = (carom_impact_contact){
        .a = place_a,
        .b = place_b,
        .restitution = carom_restitution_now(world, candidate),
        .friction = candidate->friction,
        .stiffness = carom_pair_material_stiffness(world, a, b),
        .exponent = carom_pair_material_exponent(world, a, b),
        .tangential_restitution = carom_pair_material_tangential_restitution(world, a, b),
    };
    vec3_store(candidate->point, contact->point);
    vec3_store(candidate->shift, contact->shift);
    vec3_store(candidate->normal, contact->normal);
}

static inline void fetch_body(const carom_world *world, int body)
{
    __builtin_prefetch(&world->inverse_inertia[body]);
    __builtin_prefetch(&world->now.position[body]);
    __builtin_prefetch(&world->now.velocity[body], 1);
    __builtin_prefetch(&world->now.spin[body], 1);
}

static void fetch(const worker *w, const carom_impact_phase_contact *contact)
{
    const char *candidate = (const char *)&w->task->step->candidates[contact->candidate];
    __builtin_prefetch(candidate, 1);
    __builtin_prefetch(candidate + sizeof(carom_candidate) - 1, 1);
    __builtin_prefetch(&w->task->graph->edges[contact->candidate].u);
    fetch_body(w->task->step->world, contact->a);
    fetch_body(w->task->step->world, contact->b);
}

static void gather_batch(worker *w, const batch *b)
{
    const carom_impact_phase_contact *contacts = &w->task->contacts[b->begin];
    const int *cluster_next = w->task->cluster_next;
    int behind = w->task->first[w->task->component_count] - b->begin;
    w->body_count = 0;
    w->contact_count = size_of(b);
    for (int i = 0; i < w->contact_count; ++i) {
        carom_candidate *candidate = &w->task->step->candidates[contacts[i].candidate];
        if (i + AHEAD < behind)
            fetch(w, &contacts[i + AHEAD]);
        candidate->u =
            w->task->graph->edges[contacts[i].candidate].u; // restitution may depend on it
        fill_contact(w, candidate, &w->contacts[i]);
    }
    for (int i = 0; cluster_next && i < w->body_count; ++i)
        for (int next = cluster_next[w->body_of[i]]; w->number[next] < 0; next = cluster_next[next])
            copy_body(w, next);
    for (int i = 0; i < w->body_count; ++i)
        w->number[w->body_of[i]] = -1;
}

// Spin that is mere round-off beside the impact counts as none. A tilt of a face that lands flat
// grows some thirtyfold with each elastic landing (the impulses stay equal while the centre of mass
// moves off their middle); it must not start from the last digit.
static bool round_off(const worker *w, int body, const double *spin)
{
    double speed =
        vec3_length(vec3_from(spin)) * carom_shape_radius(w->task->step->world->shape[body]);
    return speed <= ROUND_OFF * w->task->fastest;
}

static void write_back(worker *w, batch *b)
{
    carom_world *world = w->task->step->world;
    for (int i = 0; i < w->body_count; ++i) {
        int body = w->body_of[i];
        if (world->fixed[body])
            continue;
        bool still = round_off(w, body, w->bodies[i].spin) && round_off(w, body, w->out.spins[i]);
        world->now.velocity[body] = vec3_from(w->out.velocities[i]);
        world->now.spin[body] = still ? vec3_make(0, 0, 0) : vec3_from(w->out.spins[i]);
    }
    b->largest = 0;
    for (int i = 0; i < w->contact_count; ++i) {
        const carom_impact_phase_contact *contact = &w->task->contacts[b->begin + i];
        const double *p = w->out.impulses[i];
        b->largest = fmax(b->largest, fabs(p[0]));
        if (!carom_journal_listens(world) && !world->fixed[contact->a] && !world->fixed[contact->b])
            continue;
        vec3 n = vec3_from(w->contacts[i].normal), t1, t2;
        vec3_tangents(n, &t1, &t2);
        w->task->impulse[contact->candidate] =
            vec3_axpy(vec3_axpy(vec3_scale(p[0], n), p[1], t1), p[2], t2);
    }
    b->report = w->out.report;
}

static void resolve_batch(worker *w, batch *b)
{
    carom_world *world = w->task->step->world;
    if (w->status != CAROM_OK)
        return;
    gather_batch(w, b);
    carom_impact impact = { w->body_count, w->contact_count, w->bodies, w->contacts };
    carom_workspace_scale(w->workspace, w->task->fastest);
    carom_workspace_set_stop(w->workspace, &world->stop);
    carom_workspace_set_coarse(w->workspace, w->task->coarse);
    if (b->jointed)
        w->status = carom_impact_phase_joints_resolve(world, w->body_of, &impact, &w->out, &w->err);
    else
        w->status = carom_impact_resolve(w->workspace, &impact, world->options.law,
                                         &world->options.law_options, &w->out, &w->err);
    if (w->status == CAROM_OK)
        write_back(w, b);
    else // the law counts the bodies of the batch, the caller those of the world
        w->err.body = w->err.body < 0 || b->jointed ? -1 : w->body_of[w->err.body];
}

static void keep_reports(const pool *c)
{
    const carom_impact_phase_task *task = c->task;
    const unsigned char *fixed = task->step->world->fixed;
    carom_impact_phase_reports *all = task->reports;
    carom_profile *profile = &task->step->world->profile;
    profile->calls += c->batch_count;
    for (int k = 0; k < task->component_count; ++k) {
        int size = task->first[k + 1] - task->first[k];
        profile->widest = size > profile->widest ? size : profile->widest;
    }
    for (int i = 0; i < c->batch_count; ++i) {
        const batch *b = &c->batches[i];
        all->list[all->count++] = (carom_impact_phase_report){ .report = b->report,
                                                               .largest = b->largest,
                                                               .first = all->body_count,
                                                               .count = b->last - b->first };
        for (int k = b->first; k < b->last; ++k) {
            const carom_impact_phase_contact *contact = &task->contacts[task->first[k]];
            all->bodies[all->body_count++] = fixed[contact->a] ? contact->b : contact->a;
        }
    }
}

void carom_impact_phase_batch_judge(carom_world *world, const carom_impact_phase_reports *reports)
{
    carom_ledger *ledger = &world->now.ledger;
    carom_impact_report all = carom_impact_report_default();
    double largest = 0, error = 0;
    for (int i = 0; i < reports->count; ++i) {
        const carom_impact_report *one = &reports->list[i].report;
        largest = fmax(largest, reports->list[i].largest);
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

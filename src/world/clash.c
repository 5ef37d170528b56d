// The impact phase: where something approaches faster than the resting speed, the law is asked.
//
// Every touching contact that the impact reaches must go to the law, also those that do not
// approach: the wave passes through them. In a dense pile that need not be the whole island. The
// law first gets the contacts of the bodies that hit each other; wherever its answer makes another
// touching contact approach faster than the resting speed, the bodies there join (with a wider
// surrounding each time) and their component is resolved again from the velocities before. When it
// ends, no touching contact outside approaches faster than the resting speed: what is left there is
// the resting solver's.
//
// A step of a shaken layer takes several passes, most of them about a few pairs in a large crowd.
// So what is needed of all touches is looked at once per step (clash_net.c); a pass costs what it
// reaches.
#include <limits.h>
#include <string.h>
#include "world/clash.h"
#include "base/sets.h"
#include "world/journal.h"
#include "world/ledger.h"

// How far round a new impact its surrounding joins, by round: each time so much farther that all
// rounds together cost little more than the last. The last is the whole island.
enum { ROUNDS = 5, CROWD = 4 };
enum { AHEAD = 8 }; // records on their way into the cache
#define ROUND_OFF 1e-12
static const int rings[ROUNDS] = { 0, 2, 5, 12, INT_MAX };

// What a pass knows of a body.
typedef struct member {
    bool core;  // all its touching contacts go to the law
    bool whole; // and its whole island
    bool fresh; // its component must be resolved (again)
} member;

typedef struct clash {
    carom_step *step;
    carom_clash_net net;
    int *ring;              // per body the next that joints connect with it; null: no joints
    uint64_t *in;           // one bit per touch: goes to the law
    member *members;        // per body
    unsigned char *reached; // per body: some contact of it goes to the law
    int *list, count;       // bodies that are reached
    int *queue;             // of a breadth-first search: bodies ...
    int *queued, search;    // ... and which search saw them last
    int *parent;            // components of what goes to the law
    int *called;            // touches where the impact went on beyond what the law has seen
    vec3 *velocity, *spin;  // before the impact; reached bodies only
    vec3 *impulse;          // N s, per touch, on b; only of those that go to the law
    int in_count;
    bool crowd; // bodies are joined that are not reached
    // what the law sees
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    int *number, *body_of, *touch_of;
    int body_count, contact_count;
    double fastest; // m/s, approach
} clash;

static carom_status prepare(clash *c, carom_error *err);
static carom_status resolve_pass(clash *c, carom_error *err);
static void join(clash *c, int start, int most);
static void join_islands(clash *c);
static carom_status resolve(clash *c, carom_error *err);
static bool spread(clash *c, int most);
static void book(clash *c);
static void leave(clash *c);

// Bodies that bounce may meet others within the same interval: what closes then, and whose time is
// not looked for, is the next pass's.
carom_status carom_clash_resolve(carom_step *step, carom_error *err)
{
    enum { PASSES = 6 };
    carom_arena_mark mark = carom_arena_mark_here(step->world->scratch);
    clash c = { .step = step };
    TRY(carom_clash_net_look(step, &c.net, err));
    if (c.net.seed_count > 0)
        TRY(prepare(&c, err));
    for (int pass = 0; pass < PASSES; ++pass) {
        if (!carom_clash_net_any(&c.net, pass > 0))
            break;
        TRY(resolve_pass(&c, err));
        leave(&c);
    }
    carom_clash_net_return(&c.net);
    carom_arena_rewind(step->world->scratch, mark);
    return CAROM_OK;
}

static carom_status prepare(clash *c, carom_error *err)
{
    carom_world *world = c->step->world;
    size_t n = (size_t)world->count, touches = (size_t)c->step->touch_count;
    TRY(carom_clash_net_make(&c->net, err));
    TRY(carom_clash_joints_rings(world, &c->ring, err));
    TAKE_ZEROS(world->scratch, c->in, touches / 64 + 1, err);
    TAKE(world->scratch, c->impulse, touches, err);
    TAKE(world->scratch, c->called, 2 * touches, err); // seen from both ends
    TAKE_ZEROS(world->scratch, c->members, n, err);
    TAKE_ZEROS(world->scratch, c->reached, n, err);
    TAKE(world->scratch, c->list, n, err);
    TAKE(world->scratch, c->parent, n, err);
    TAKE(world->scratch, c->queue, n, err);
    TAKE_ZEROS(world->scratch, c->queued, n, err);
    TAKE(world->scratch, c->velocity, n, err);
    TAKE(world->scratch, c->spin, n, err);
    TAKE(world->scratch, c->bodies, n, err);
    TAKE(world->scratch, c->number, n, err);
    TAKE(world->scratch, c->body_of, n, err);
    TAKE(world->scratch, c->touch_of, touches, err);
    for (int i = 0; i < world->count; ++i) {
        c->parent[i] = i;
        c->number[i] = -1;
    }
    return CAROM_OK;
}

static carom_status resolve_pass(clash *c, carom_error *err)
{
    const carom_clash_net *net = &c->net;
    TRY(carom_clash_net_map(&c->net, err));
    c->fastest = 0;
    for (int i = 0; i < net->seed_count; ++i) {
        const carom_clash_net_edge *edge = &net->edges[net->seeds[i]];
        if (i + AHEAD < net->seed_count)
            __builtin_prefetch(&net->edges[net->seeds[i + AHEAD]]);
        c->fastest = fmax(c->fastest, -edge->u);
        join(c, edge->a, rings[0]);
        join(c, edge->b, rings[0]);
    }
    // so many bodies hit each other that the impact reaches everything anyway
    if (CROWD * (int64_t)c->in_count > net->near_count)
        join_islands(c);
    TRY(resolve(c, err));
    for (int round = 1; round < ROUNDS && spread(c, rings[round]); ++round)
        TRY(resolve(c, err));
    book(c);
    return CAROM_OK;
}

// After a pass: the net knows the new speeds, and nobody is reached any more.
static void leave(clash *c)
{
    carom_clash_net_refresh(&c->net, c->list, c->count, c->reached);
    memset(c->in, 0, ((size_t)c->step->touch_count / 64 + 1) * sizeof *c->in);
    for (int i = 0; i < c->count; ++i) {
        c->parent[c->list[i]] = c->list[i];
        c->reached[c->list[i]] = 0;
        c->members[c->list[i]] = (member){ false, false, false };
    }
    for (int i = 0; c->crowd && i < c->step->world->count; ++i)
        c->parent[i] = i;
    c->count = c->in_count = 0;
    c->crowd = false;
}

static bool is_in(const clash *c, int touch)
{
    return c->in[touch / 64] >> (touch % 64) & 1;
}

// The next touch from `touch` on that goes to the law; touch_count where there is none.
static int next_in(const clash *c, int touch)
{
    int words = c->step->touch_count / 64 + 1, word = touch / 64;
    uint64_t left = c->in[word] & ~UINT64_C(0) << (touch % 64);
    while (left == 0 && ++word < words)
        left = c->in[word];
    return left ? 64 * word + __builtin_ctzll(left) : c->step->touch_count;
}

static void reach(clash *c, int body)
{
    const carom_world *world = c->step->world;
    if (c->reached[body])
        return;
    c->reached[body] = 1;
    c->list[c->count++] = body;
    c->velocity[body] = world->now.velocity[body];
    c->spin[body] = world->now.spin[body];
}

static void join_one(clash *c, int body);

// Bodies that joints connect answer together.
static void join_ring(clash *c, int body)
{
    for (int next = c->ring[body]; next != body; next = c->ring[next]) {
        sets_join(c->parent, body, next);
        if (!c->members[next].core)
            join_one(c, next);
    }
}

// Lets all touching contacts of a body take part.
static void join_one(clash *c, int body)
{
    const carom_world *world = c->step->world;
    reach(c, body);
    c->members[body].core = c->members[body].fresh = true;
    for (int k = c->net.first[body]; k < c->net.first[body + 1]; ++k) {
        carom_clash_net_link link = c->net.around[k];
        if (!c->net.near[link.touch])
            continue;
        if (!is_in(c, link.touch)) {
            c->in[link.touch / 64] |= UINT64_C(1) << (link.touch % 64);
            ++c->in_count;
        }
        if (world->fixed[link.other])
            continue;
        reach(c, link.other);
        sets_join(c->parent, body, link.other);
    }
    if (c->ring)
        join_ring(c, body);
}

// A body and its surrounding up to so many rings of neighbours, breadth first.
static void join(clash *c, int start, int most)
{
    const carom_world *world = c->step->world;
    int head = 0, tail = 0, end = 1, ring = 0;
    if (world->fixed[start] || (most == 0 && c->members[start].core) ||
        (most == INT_MAX && c->members[start].whole))
        return;
    c->queue[tail++] = start;
    c->queued[start] = ++c->search;
    while (head < tail) {
        int body = c->queue[head++];
        if (!c->members[body].core)
            join_one(c, body);
        c->members[body].whole = most == INT_MAX;
        for (int k = c->net.first[body]; k < c->net.first[body + 1] && ring < most; ++k) {
            carom_clash_net_link link = c->net.around[k];
            if (!c->net.near[link.touch] || world->fixed[link.other] ||
                c->queued[link.other] == c->search)
                continue;
            c->queued[link.other] = c->search;
            c->queue[tail++] = link.other;
        }
        if (head == end) {
            end = tail;
            ++ring;
        }
    }
}

static void take(clash *c, int body)
{
    if (c->step->world->fixed[body])
        return;
    reach(c, body);
    c->members[body] = (member){ true, true, true };
}

// The whole islands of all that is reached, along the list of touches.
static void join_islands(clash *c)
{
    const carom_clash_net *net = &c->net;
    const unsigned char *fixed = c->step->world->fixed;
    int count = c->count;
    for (int i = 0; c->ring && i < count; ++i)
        join(c, c->list[i], INT_MAX);
    if (c->ring)
        return;
    c->crowd = true;
    int *near = c->called, near_count = 0;
    for (int i = 0; i < c->step->touch_count; ++i) {
        if (!net->near[i])
            continue;
        near[near_count++] = i;
        if (!fixed[net->edges[i].a] && !fixed[net->edges[i].b])
            sets_join(c->parent, net->edges[i].a, net->edges[i].b);
    }
    for (int i = 0; i < count; ++i)
        c->members[sets_find(c->parent, c->list[i])].whole = true;
    for (int k = 0; k < near_count; ++k) {
        int i = near[k], a = net->edges[i].a, b = net->edges[i].b;
        if (!c->members[sets_find(c->parent, fixed[a] ? b : a)].whole)
            continue;
        c->in_count += !is_in(c, i);
        c->in[i / 64] |= UINT64_C(1) << (i % 64);
        take(c, a);
        take(c, b);
    }
}

// Where much is reached the list goes along the bodies, not along the search.
static void tidy(clash *c)
{
    enum { MANY = 8 };
    if (MANY * (int64_t)c->count < c->step->world->count)
        return;
    c->count = 0;
    for (int i = 0; i < c->step->world->count; ++i)
        if (c->reached[i])
            c->list[c->count++] = i;
}

// Bodies of the components to resolve again go back to where they were.
static void restore(clash *c)
{
    carom_world *world = c->step->world;
    for (int i = 0; i < c->count; ++i)
        if (c->members[c->list[i]].fresh)
            c->members[sets_find(c->parent, c->list[i])].fresh = true;
    for (int i = 0; i < c->count; ++i) {
        int body = c->list[i];
        if (!c->members[sets_find(c->parent, body)].fresh)
            continue;
        world->now.velocity[body] = c->velocity[body];
        world->now.spin[body] = c->spin[body];
    }
}

static int number_of(clash *c, int body)
{
    const carom_world *world = c->step->world;
    if (c->number[body] >= 0)
        return c->number[body];
    sym3 s = world->inverse_inertia[body];
    carom_impact_body *copy = &c->bodies[c->body_count];
    *copy = (carom_impact_body){ .inverse_mass = world->inverse_mass[body],
                                 .inverse_inertia = { s.xx, s.yy, s.zz, s.xy, s.xz, s.yz } };
    vec3_store(world->now.position[body], copy->position);
    vec3_store(world->now.velocity[body], copy->velocity);
    vec3_store(world->now.spin[body], copy->spin);
    c->body_of[c->body_count] = body;
    return c->number[body] = c->body_count++;
}

static void fill(clash *c, carom_touch *touch, carom_impact_contact *contact)
{
    const carom_world *world = c->step->world;
    const carom_material *ma = &world->materials[world->material[touch->a]];
    const carom_material *mb = &world->materials[world->material[touch->b]];
    // two springs in a row: their compliances add
    *contact = (carom_impact_contact){ .a = number_of(c, touch->a),
                                       .b = number_of(c, touch->b),
                                       .restitution = carom_restitution_now(world, touch),
                                       .friction = touch->friction,
                                       .stiffness = 2 / (1 / ma->stiffness + 1 / mb->stiffness),
                                       .exponent = fmax(ma->exponent, mb->exponent) };
    vec3_store(touch->point, contact->point);
    vec3_store(touch->normal, contact->normal);
}

static carom_status gather(clash *c, carom_error *err)
{
    const carom_world *world = c->step->world;
    carom_touch *touches = c->step->touches;
    c->body_count = c->contact_count = 0;
    for (int p = next_in(c, 0); p < c->step->touch_count; p = next_in(c, p + 1)) {
        const carom_clash_net_edge *edge = &c->net.edges[p];
        int mover = world->fixed[edge->a] ? edge->b : edge->a;
        if (c->members[sets_find(c->parent, mover)].fresh)
            c->touch_of[c->contact_count++] = p;
    }
    TAKE(world->scratch, c->contacts, c->contact_count, err);
    for (int i = 0; i < c->contact_count; ++i) {
        int p = c->touch_of[i];
        if (i + AHEAD < c->contact_count) {
            const char *next = (const char *)&touches[c->touch_of[i + AHEAD]];
            __builtin_prefetch(next, 1);
            __builtin_prefetch(next + 64, 1);
            __builtin_prefetch(next + 128, 1);
        }
        touches[p].u = c->net.edges[p].u; // restitution may depend on it
        fill(c, &touches[p], &c->contacts[i]);
    }
    for (int i = 0; c->ring && i < c->body_count; ++i)
        for (int next = c->ring[c->body_of[i]]; c->number[next] < 0; next = c->ring[next])
            number_of(c, next);
    for (int i = 0; i < c->body_count; ++i)
        c->number[c->body_of[i]] = -1;
    return CAROM_OK;
}

// Spin that is mere round-off beside the impact counts as none. A tilt of a face that lands flat
// grows some thirtyfold with each elastic landing (the impulses stay equal while the centre of mass
// moves off their middle); it must not start from the last digit.
static bool round_off(const clash *c, int body, vec3 spin)
{
    return vec3_length(spin) * carom_shape_radius(c->step->world->shape[body]) <=
           ROUND_OFF * c->fastest;
}

static carom_status resolve(clash *c, carom_error *err)
{
    carom_world *world = c->step->world;
    carom_ledger *ledger = &world->now.ledger;
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    tidy(c);
    restore(c);
    TRY(gather(c, err));
    carom_impact impact = { c->body_count, c->contact_count, c->bodies, c->contacts };
    carom_impact_outcome out = { .report = { 0 } };
    TAKE(world->scratch, out.velocities, c->body_count, err);
    TAKE(world->scratch, out.spins, c->body_count, err);
    TAKE(world->scratch, out.impulses, c->contact_count, err);
    TRY(carom_clash_joints_resolve(world, c->body_of, &impact, &out, err));
    for (int i = 0; i < c->body_count; ++i) {
        int body = c->body_of[i];
        if (world->fixed[body])
            continue;
        world->now.velocity[body] = vec3_from(out.velocities[i]);
        world->now.spin[body] = vec3_from(out.spins[i]);
        if (round_off(c, body, c->spin[body]) && round_off(c, body, world->now.spin[body]))
            world->now.spin[body] = vec3_make(0, 0, 0);
    }
    for (int i = 0; i < c->contact_count; ++i) {
        vec3 n = vec3_from(c->contacts[i].normal), t1, t2;
        vec3_tangents(n, &t1, &t2);
        const double *p = out.impulses[i];
        c->impulse[c->touch_of[i]] = vec3_axpy(vec3_axpy(vec3_scale(p[0], n), p[1], t1), p[2], t2);
    }
    for (int i = 0; i < c->count; ++i)
        c->members[c->list[i]].fresh = false;
    const carom_impact_report *report = &out.report;
    double largest = 0;
    for (int i = 0; i < c->contact_count; ++i)
        largest = fmax(largest, fabs(out.impulses[i][0]));
    carom_journal_judge(world, report, largest);
    ledger->sweeps += report->sweeps;
    ledger->limited += report->limited;
    ledger->capped += report->end == CAROM_IMPACT_CAPPED;
    ledger->endless += report->end == CAROM_IMPACT_ENDLESS;
    carom_arena_rewind(world->scratch, mark);
    return CAROM_OK;
}

// Where the impact went on beyond what the law has seen. Judged for all before any joins, so that
// the order of contacts does not show. Only bodies that the law has just seen can have begun to
// approach.
static bool spread(clash *c, int most)
{
    const carom_world *world = c->step->world;
    int count = 0, bodies = c->in_count < c->net.near_count ? c->body_count : 0;
    for (int i = 0; i < bodies; ++i) {
        int body = c->body_of[i];
        for (int k = c->net.first[body]; k < c->net.first[body + 1]; ++k) {
            int p = c->net.around[k].touch;
            if (!c->net.near[p] || is_in(c, p))
                continue;
            if (carom_clash_net_speed(&c->net, p) < -world->options.resting_speed)
                c->called[count++] = p;
        }
    }
    for (int i = 0; i < count; ++i) {
        join(c, c->net.edges[c->called[i]].a, most);
        join(c, c->net.edges[c->called[i]].b, most);
    }
    return count > 0;
}

// Kinetic energy of a body before the impact less that of now.
static double lost(const clash *c, int body)
{
    carom_world *world = c->step->world;
    const sym3 *s = &world->inertia[body];
    vec3 v = world->now.velocity[body], w = world->now.spin[body];
    vec3 v0 = c->velocity[body], w0 = c->spin[body];
    if (s->xx == s->yy && s->yy == s->zz && s->xy == 0 && s->xz == 0 && s->yz == 0)
        return 0.5 * world->mass[body] * (vec3_dot(v0, v0) - vec3_dot(v, v)) +
               0.5 * s->xx * (vec3_dot(w0, w0) - vec3_dot(w, w));
    double after = carom_ledger_energy(world, body);
    world->now.velocity[body] = v0;
    world->now.spin[body] = w0;
    double before = carom_ledger_energy(world, body);
    world->now.velocity[body] = v;
    world->now.spin[body] = w;
    return before - after;
}

static void book(clash *c)
{
    carom_world *world = c->step->world;
    carom_ledger *ledger = &world->now.ledger;
    double loss = 0, work = 0;
    for (int i = 0; i < c->count; ++i)
        loss += lost(c, c->list[i]);
    for (int p = next_in(c, 0); p < c->step->touch_count; p = next_in(c, p + 1)) {
        const carom_clash_net_edge *edge = &c->net.edges[p];
        const carom_touch *touch = &c->step->touches[p];
        if (world->fixed[edge->a] || world->fixed[edge->b])
            work += carom_step_driven_work(world, touch, c->impulse[p]);
        if (world->journal.watching)
            carom_journal_impact(world, touch, c->impulse[p]);
    }
    ledger->law += loss + work;
    ledger->driven += work;
    ++ledger->impacts;
}

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
// reaches. The law gets it island by island, in batches (clash_batch.c).
#include <limits.h>
#include <string.h>
#include "world/clash.h"
#include "base/sets.h"
#include "base/team.h"
#include "world/journal.h"
#include "world/ledger.h"

// How far round a new impact its surrounding joins, by round: each time so much farther that all
// rounds together cost little more than the last. The last is the whole island.
enum { ROUNDS = 5 };
// Impacts of all touching contacts, and of all that are listed, from which islands are not searched
// for from impact to impact.
enum { CROWD = 10, CROWD_LISTED = 64 };
enum {
    MOST_OF_IT = 2
};                   // where one in so many touching contacts is reached, all of its islands are
enum { FEW = 1000 }; // touching contacts, up to which that does not matter
enum { AHEAD = 8 };  // records on their way into the cache
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
    bool crowd; // whole islands go to the law, found along the list of touches
    // what the law sees
    carom_clash_pair *pairs, *sorted; // in the order of touches, and component by component
    int pair_count, *first;           // where components begin
    int *component;                   // per pair
    int *number;                      // per root: of its component
    int *numbers;                     // for batches
    int *driven, driven_count;        // touches that go to the law with an immovable body
    carom_clash_verdicts verdicts;    // of the components that stand
    double fastest;                   // m/s, approach
} clash;

static carom_status prepare(clash *c, carom_error *err);
static carom_status resolve_pass(clash *c, carom_error *err);
static void join(clash *c, int start, int most);
static void join_islands(clash *c);
static carom_status resolve(clash *c, bool again, carom_error *err);
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
    size_t n = (size_t)world->count, candidates = (size_t)c->step->candidate_count;
    TRY(carom_clash_joints_rings(world, &c->ring, err));
    TAKE_ZEROS(world->scratch, c->in, candidates / 64 + 1, err);
    TAKE(world->scratch, c->impulse, candidates, err);
    TAKE(world->scratch, c->called, 2 * candidates, err); // seen from both ends
    TAKE_ZEROS(world->scratch, c->members, n, err);
    TAKE_ZEROS(world->scratch, c->reached, n, err);
    TAKE(world->scratch, c->list, n, err);
    TAKE(world->scratch, c->parent, n, err);
    TAKE(world->scratch, c->queue, n, err);
    TAKE_ZEROS(world->scratch, c->queued, n, err);
    TAKE(world->scratch, c->velocity, n, err);
    TAKE(world->scratch, c->spin, n, err);
    TAKE(world->scratch, c->number, n, err);
    TAKE(world->scratch, c->first, n + 2, err);
    TAKE(world->scratch, c->numbers, n * (size_t)world->beside_count, err);
    memset(c->numbers, -1, n * (size_t)world->beside_count * sizeof *c->numbers);
    TAKE(world->scratch, c->pairs, candidates, err);
    TAKE(world->scratch, c->sorted, candidates, err);
    TAKE(world->scratch, c->component, candidates, err);
    TAKE(world->scratch, c->driven, candidates, err);
    TAKE(world->scratch, c->verdicts.list, n + 1, err);
    TAKE(world->scratch, c->verdicts.bodies, n + 1, err);
    for (int i = 0; i < world->count; ++i)
        c->parent[i] = i;
    return CAROM_OK;
}

// How far the surrounding of a round goes.
static int surrounding(const clash *c, int round)
{
    bool most = MOST_OF_IT * (int64_t)c->in_count > c->net.near_count && c->net.near_count > FEW;
    return most ? INT_MAX : rings[round];
}

static carom_status resolve_pass(clash *c, carom_error *err)
{
    const carom_clash_net *net = &c->net;
    TRY(carom_clash_net_map(&c->net, err));
    c->fastest = 0;
    // where so many hit each other the impact reaches everything anyway
    c->crowd = !c->ring && CROWD * (int64_t)net->seed_count > net->near_count &&
               CROWD_LISTED * (int64_t)net->seed_count > c->step->candidate_count;
    if (!c->crowd)
        TRY(carom_clash_net_make(&c->net, err));
    if (c->crowd)
        join_islands(c);
    for (int i = 0; i < net->seed_count && !c->crowd; ++i) {
        const carom_clash_net_edge *edge = &net->edges[net->seeds[i]];
        c->fastest = fmax(c->fastest, -edge->u);
        join(c, edge->a, rings[0]);
        join(c, edge->b, rings[0]);
    }
    TRY(resolve(c, false, err));
    for (int round = 1; round < ROUNDS && spread(c, surrounding(c, round)); ++round)
        TRY(resolve(c, true, err));
    book(c);
    return CAROM_OK;
}

// After a pass: the net knows the new speeds, and nobody is reached any more.
static void leave(clash *c)
{
    size_t n = (size_t)c->step->world->count;
    carom_clash_net_refresh(&c->net, c->list, c->count, c->reached);
    if (c->crowd) {
        memset(c->reached, 0, n * sizeof *c->reached);
        memset(c->members, 0, n * sizeof *c->members);
        for (size_t i = 0; i < n; ++i)
            c->parent[i] = (int)i;
    } else {
        memset(c->in, 0, ((size_t)c->step->candidate_count / 64 + 1) * sizeof *c->in);
        for (int i = 0; i < c->count; ++i) {
            c->parent[c->list[i]] = c->list[i];
            c->reached[c->list[i]] = 0;
            c->members[c->list[i]] = (member){ false, false, false };
        }
    }
    c->count = c->in_count = c->driven_count = c->verdicts.count = c->verdicts.body_count = 0;
    c->crowd = false;
}

static bool is_in(const clash *c, int candidate)
{
    return c->in[candidate / 64] >> (candidate % 64) & 1;
}

// The next touch from `touch` on that goes to the law; touch_count where there is none.
static int next_in(const clash *c, int candidate)
{
    int words = c->step->candidate_count / 64 + 1, word = candidate / 64;
    uint64_t left = c->in[word] & ~UINT64_C(0) << (candidate % 64);
    while (left == 0 && ++word < words)
        left = c->in[word];
    return left ? 64 * word + __builtin_ctzll(left) : c->step->candidate_count;
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
        if (!c->net.near[link.candidate])
            continue;
        if (!is_in(c, link.candidate)) {
            c->in[link.candidate / 64] |= UINT64_C(1) << (link.candidate % 64);
            ++c->in_count;
            if (world->fixed[link.other])
                c->driven[c->driven_count++] = link.candidate;
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
            if (!c->net.near[link.candidate] || world->fixed[link.other] ||
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

static void pair_share(const clash *c, int count, int threads)
{
    int end = carom_team_end(count, threads);
    for (int k = carom_team_begin(count, threads); k < end; ++k) {
        const carom_clash_net_edge *edge = &c->net.edges[c->pairs[k].candidate];
        if (k + AHEAD < end)
            __builtin_prefetch(&c->net.edges[c->pairs[k + AHEAD].candidate]);
        c->pairs[k].a = edge->a;
        c->pairs[k].b = edge->b;
    }
}
CAROM_TEAM_SHARE3(pair_share, const clash *, int, int)

// The whole islands of all seeds, along the list of touches.
static void join_islands(clash *c)
{
    const carom_clash_net *net = &c->net;
    const carom_world *world = c->step->world;
    const unsigned char *fixed = world->fixed;
    carom_clash_pair *pairs = c->pairs;
    int near = 0;
    for (int i = 0; i < c->step->candidate_count; ++i)
        if (net->near[i])
            pairs[near++].candidate = i;
    int team = carom_team_worth(near, world->options.threads);
    CAROM_TEAM(team, pair_share(c, near, team));
    for (int k = 0; k < near; ++k)
        if (!fixed[pairs[k].a] && !fixed[pairs[k].b])
            sets_join(c->parent, pairs[k].a, pairs[k].b);
    for (int i = 0; i < net->seed_count; ++i) {
        const carom_clash_net_edge *edge = &net->edges[net->seeds[i]];
        if (i + AHEAD < net->seed_count)
            __builtin_prefetch(&net->edges[net->seeds[i + AHEAD]]);
        c->fastest = fmax(c->fastest, -edge->u);
        c->members[sets_find(c->parent, fixed[edge->a] ? edge->b : edge->a)].whole = true;
    }
    c->pair_count = 0;
    for (int k = 0; k < near; ++k) {
        carom_clash_pair pair = pairs[k];
        if (!c->members[sets_find(c->parent, fixed[pair.a] ? pair.b : pair.a)].whole)
            continue;
        pairs[c->pair_count++] = pair;
        c->reached[pair.a] = !fixed[pair.a];
        c->reached[pair.b] = !fixed[pair.b];
        if (fixed[pair.a] || fixed[pair.b])
            c->driven[c->driven_count++] = pair.candidate;
    }
    for (int i = 0; i < world->count; ++i) {
        if (!c->reached[i])
            continue;
        c->list[c->count++] = i;
        c->velocity[i] = world->now.velocity[i];
        c->spin[i] = world->now.spin[i];
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

// Components with something new in them are resolved, from where their bodies were.
static void refresh(clash *c, bool again)
{
    carom_world *world = c->step->world;
    for (int i = 0; i < c->count; ++i)
        if (c->members[c->list[i]].fresh)
            c->members[sets_find(c->parent, c->list[i])].fresh = true;
    for (int i = 0; again && i < c->count; ++i) {
        int body = c->list[i];
        if (!c->members[sets_find(c->parent, body)].fresh)
            continue;
        world->now.velocity[body] = c->velocity[body];
        world->now.spin[body] = c->spin[body];
    }
}

// Verdicts on components that are resolved again no longer stand.
static void take_back(clash *c)
{
    carom_clash_verdicts *v = &c->verdicts;
    int kept = 0, bodies = 0;
    for (int i = 0; i < v->count; ++i) {
        carom_clash_verdict one = v->list[i];
        int first = bodies;
        for (int k = one.first; k < one.first + one.count; ++k)
            if (!c->members[sets_find(c->parent, v->bodies[k])].fresh)
                v->bodies[bodies++] = v->bodies[k];
        one.first = first;
        one.count = bodies - first;
        if (one.count > 0)
            v->list[kept++] = one;
        else
            ++c->step->world->profile.repeated;
    }
    v->count = kept;
    v->body_count = bodies;
}

static int root_of(clash *c, const carom_clash_pair *pair)
{
    return sets_find(c->parent, c->step->world->fixed[pair->a] ? pair->b : pair->a);
}

static void gather(clash *c)
{
    c->pair_count = 0;
    for (int p = next_in(c, 0); p < c->step->candidate_count; p = next_in(c, p + 1)) {
        carom_clash_pair pair = { p, c->net.edges[p].a, c->net.edges[p].b };
        if (c->members[root_of(c, &pair)].fresh)
            c->pairs[c->pair_count++] = pair;
    }
}

// Pairs by components, which are numbered as the list comes to them. Returns how many.
static int sort_pairs(clash *c)
{
    int count = 0;
    for (int i = 0; i < c->count; ++i)
        c->number[c->list[i]] = -1;
    c->first[0] = c->first[1] = 0;
    for (int k = 0; k < c->pair_count; ++k) {
        int *number = &c->number[root_of(c, &c->pairs[k])];
        if (*number < 0) {
            *number = count++;
            c->first[count + 1] = 0;
        }
        c->component[k] = *number;
        ++c->first[*number + 2];
    }
    for (int k = 2; k <= count + 1; ++k)
        c->first[k] += c->first[k - 1];
    for (int k = 0; k < c->pair_count; ++k)
        c->sorted[c->first[c->component[k] + 1]++] = c->pairs[k];
    return count;
}

static carom_status resolve(clash *c, bool again, carom_error *err)
{
    if (!c->crowd) {
        tidy(c);
        refresh(c, again);
        take_back(c);
        gather(c);
    }
    carom_clash_task task = { .step = c->step,
                              .net = &c->net,
                              .ring = c->ring,
                              .component_count = sort_pairs(c),
                              .first = c->first,
                              .pairs = c->sorted,
                              .fastest = c->fastest,
                              .numbers = c->numbers,
                              .impulse = c->impulse,
                              .verdicts = &c->verdicts };
    TRY(carom_progress_check(&c->step->world->stop, "impacts", err));
    return carom_clash_batch_resolve(&task, err);
}

// Where the impact went on beyond what the law has seen. Judged for all before any joins, so that
// the order of contacts does not show. Only bodies that the law has just seen can have begun to
// approach, and none where whole islands went to it.
static bool spread(clash *c, int most)
{
    int count = 0, bodies = c->crowd || c->in_count == c->net.near_count ? 0 : c->count;
    for (int i = 0; i < bodies; ++i) {
        int body = c->list[i];
        if (!c->members[sets_find(c->parent, body)].fresh)
            continue;
        for (int k = c->net.first[body]; k < c->net.first[body + 1]; ++k) {
            int p = c->net.around[k].candidate;
            if (!c->net.near[p] || is_in(c, p))
                continue;
            if (carom_clash_net_speed(&c->net, p) < -c->net.edges[p].resting)
                c->called[count++] = p;
        }
    }
    for (int i = 0; i < bodies; ++i)
        c->members[c->list[i]].fresh = false;
    for (int i = 0; i < count; ++i) {
        join(c, c->net.edges[c->called[i]].a, most);
        join(c, c->net.edges[c->called[i]].b, most);
    }
    return count > 0;
}

// Kinetic energy of a body before the impact less that of now: of the difference and the sum of its
// velocities, so that what has not changed has lost nothing.
static double lost(const clash *c, int body)
{
    const carom_world *world = c->step->world;
    vec3 v = world->now.velocity[body], w = world->now.spin[body];
    vec3 v0 = c->velocity[body], w0 = c->spin[body];
    return 0.5 * (world->mass[body] * vec3_dot(vec3_sub(v0, v), vec3_add(v0, v)) +
                  vec3_dot(vec3_sub(w0, w), carom_ledger_turn(world, body, vec3_add(w0, w))));
}

static void lost_share(const clash *c, double *loss, int threads)
{
    CAROM_TEAM_EACH (b, carom_team_blocks(c->count), threads) {
        loss[b] = 0;
        for (int i = carom_team_block(c->count, b); i < carom_team_block(c->count, b + 1); ++i)
            loss[b] += lost(c, c->list[i]);
    }
}
CAROM_TEAM_SHARE3(lost_share, const clash *, double *, int)

static void book(clash *c)
{
    carom_world *world = c->step->world;
    carom_ledger *ledger = &world->now.ledger;
    const carom_candidate *candidates = c->step->candidates;
    double part[CAROM_TEAM_BLOCKS], loss = 0, work = 0;
    int team = carom_team_worth(c->count, world->options.threads);
    CAROM_TEAM(team, lost_share(c, part, team));
    for (int b = 0; b < carom_team_blocks(c->count); ++b)
        loss += part[b];
    for (int i = 0; i < c->driven_count; ++i) {
        int p = c->driven[i];
        work += carom_step_driven_work(world, &candidates[p], c->impulse[p]);
    }
    for (int k = 0; world->journal.watching && c->crowd && k < c->pair_count; ++k) {
        int p = c->pairs[k].candidate;
        carom_journal_impact(world, &candidates[p], c->impulse[p]);
    }
    for (int p = next_in(c, 0); world->journal.watching && p < c->step->candidate_count;
         p = next_in(c, p + 1))
        carom_journal_impact(world, &candidates[p], c->impulse[p]);
    carom_clash_batch_judge(world, &c->verdicts);
    ledger->law += loss + work;
    ledger->driven += work;
    ++ledger->impacts;
    ++world->profile.instants;
}

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
// A step of a shaken layer takes several passes, most of them about a few contacts in a large pile.
// So what is needed of all candidates is looked at once per step (contact_graph.c); a pass costs
// what it reaches. The law gets it island by island, in batches (impact_phase_batch.c).
#include <limits.h>
#include <string.h>
#include "world/impact_phase.h"
#include "base/sets.h"
#include "base/team.h"
#include "world/journal.h"
#include "world/ledger.h"

// How far round a new impact its surrounding joins, by round: each time so much farther that all
// rounds together cost little more than the last. The last is the whole island.
enum { ROUNDS = 5 };
// Impacts of all touching contacts, and of all that are listed, from which islands are not searched
// for from impact to impact.
enum { DENSE = 10, DENSE_LISTED = 64 };
enum {
    MOST_OF_IT = 2
};                   // where one in so many touching contacts is reached, all of its islands are
enum { FEW = 1000 }; // touching contacts, up to which that does not matter
enum { AHEAD = 8 };  // records on their way into the cache
static const int layers[ROUNDS] = { 0, 2, 5, 12, INT_MAX };

// What a pass knows of a body.
typedef struct member {
    bool core;  // all its touching contacts go to the law
    bool whole; // and its whole island
    bool fresh; // its component must be resolved (again)
} member;

typedef struct impact_phase {
    carom_step *step;
    carom_contact_graph graph;
    int *cluster_next;      // per body the next that joints connect with it; null: no joints
    uint64_t *in;           // one bit per candidate: goes to the law
    member *members;        // per body
    unsigned char *reached; // per body: some contact of it goes to the law
    int *list, count;       // bodies that are reached
    int *queue;             // of a breadth-first search: bodies ...
    int *queued, search;    // ... and which search saw them last
    int *parent;            // components of what goes to the law
    int *beyond;            // candidates where the impact went on beyond what the law has seen
    vec3 *velocity, *spin;  // before the impact; reached bodies only
    vec3 *impulse;          // N s, per candidate, on b; only of those that go to the law
    int in_count;
    bool dense; // whole islands go to the law, found along the list of candidates
    // what the law sees
    carom_impact_phase_contact *contacts,
        *sorted;                        // in the order of candidates, and component by component
    int contact_count, *first;          // where components begin
    int *component;                     // per contact
    int *number;                        // per root: of its component
    int *numbers;                       // for batches
    int *driven, driven_count;          // candidates that go to the law with an immovable body
    carom_impact_phase_reports reports; // of the components that stand
    double fastest;                     // m/s, approach
} impact_phase;

static carom_status prepare(impact_phase *c, carom_error *err);
static carom_status resolve_pass(impact_phase *c, carom_error *err);
static void join(impact_phase *c, int start, int most);
static void join_islands(impact_phase *c);
static carom_status resolve(impact_phase *c, bool again, carom_error *err);
static bool spread(impact_phase *c, int most);
static void account(impact_phase *c);
static void reset(impact_phase *c);

// Bodies that bounce may meet others within the same interval: what closes then, and whose time is
// not looked for, is the next pass's.
carom_status carom_impact_phase_resolve(carom_step *step, carom_error *err)
{
    enum { PASSES = 6 };
    carom_arena_mark mark = carom_arena_mark_here(step->world->scratch);
    impact_phase c = { .step = step };
    TRY(carom_contact_graph_init(step, &c.graph, err));
    if (c.graph.seed_count > 0)
        TRY(prepare(&c, err));
    for (int pass = 0; pass < PASSES; ++pass) {
        if (!carom_contact_graph_impacts(&c.graph, pass > 0))
            break;
        TRY(resolve_pass(&c, err));
        reset(&c);
    }
    carom_contact_graph_store_speeds(&c.graph);
    carom_arena_rewind(step->world->scratch, mark);
    return CAROM_OK;
}

static carom_status prepare(impact_phase *c, carom_error *err)
{
    carom_world *world = c->step->world;
    size_t n = (size_t)world->count, candidates = (size_t)c->step->candidate_count;
    TRY(carom_impact_phase_joints_clusters(world, &c->cluster_next, err));
    TAKE_ZEROS(world->scratch, c->in, candidates / 64 + 1, err);
    TAKE(world->scratch, c->impulse, candidates, err);
    TAKE(world->scratch, c->beyond, 2 * candidates, err); // seen from both ends
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
    TAKE(world->scratch, c->contacts, candidates, err);
    TAKE(world->scratch, c->sorted, candidates, err);
    TAKE(world->scratch, c->component, candidates, err);
    TAKE(world->scratch, c->driven, candidates, err);
    TAKE(world->scratch, c->reports.list, n + 1, err);
    TAKE(world->scratch, c->reports.bodies, n + 1, err);
    for (int i = 0; i < world->count; ++i)
        c->parent[i] = i;
    return CAROM_OK;
}

// How far the surrounding of a round goes.
static int surrounding(const impact_phase *c, int round)
{
    bool most =
        MOST_OF_IT * (int64_t)c->in_count > c->graph.near_count && c->graph.near_count > FEW;
    return most ? INT_MAX : layers[round];
}

static carom_status resolve_pass(impact_phase *c, carom_error *err)
{
    const carom_contact_graph *graph = &c->graph;
    TRY(carom_contact_graph_map_restitution(&c->graph, err));
    c->fastest = 0;
    // where so many hit each other the impact reaches everything anyway
    c->dense = !c->cluster_next && DENSE * (int64_t)graph->seed_count > graph->near_count &&
               DENSE_LISTED * (int64_t)graph->seed_count > c->step->candidate_count;
    if (!c->dense)
        TRY(carom_contact_graph_connect(&c->graph, err));
    if (c->dense)
        join_islands(c);
    for (int i = 0; i < graph->seed_count && !c->dense; ++i) {
        const carom_contact_graph_edge *edge = &graph->edges[graph->seeds[i]];
        c->fastest = fmax(c->fastest, -edge->u);
        join(c, edge->a, layers[0]);
        join(c, edge->b, layers[0]);
    }
    TRY(resolve(c, false, err));
    for (int round = 1; round < ROUNDS && spread(c, surrounding(c, round)); ++round)
        TRY(resolve(c, true, err));
    account(c);
    return CAROM_OK;
}

// After a pass: the graph knows the new speeds, and nobody is reached any more.
static void reset(impact_phase *c)
{
    size_t n = (size_t)c->step->world->count;
    carom_contact_graph_update(&c->graph, c->list, c->count, c->reached);
    if (c->dense) {
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
    c->count = c->in_count = c->driven_count = c->reports.count = c->reports.body_count = 0;
    c->dense = false;
}

static bool is_in(const impact_phase *c, int candidate)
{
    return c->in[candidate / 64] >> (candidate % 64) & 1;
}

// The next candidate from `candidate` on that goes to the law; candidate_count where there is none.
static int next_in(const impact_phase *c, int candidate)
{
    int words = c->step->candidate_count / 64 + 1, word = candidate / 64;
    uint64_t left = c->in[word] & ~UINT64_C(0) << (candidate % 64);
    while (left == 0 && ++word < words)
        left = c->in[word];
    return left ? 64 * word + __builtin_ctzll(left) : c->step->candidate_count;
}

static void reach(impact_phase *c, int body)
{
    const carom_world *world = c->step->world;
    if (c->reached[body])
        return;
    c->reached[body] = 1;
    c->list[c->count++] = body;
    c->velocity[body] = world->now.velocity[body];
    c->spin[body] = world->now.spin[body];
}

static void join_one(impact_phase *c, int body);

// Bodies that joints connect answer together.
static void join_cluster(impact_phase *c, int body)
{
    for (int next = c->cluster_next[body]; next != body; next = c->cluster_next[next]) {
        sets_join(c->parent, body, next);
        if (!c->members[next].core)
            join_one(c, next);
    }
}

// Lets all touching contacts of a body take part.
static void join_one(impact_phase *c, int body)
{
    const carom_world *world = c->step->world;
    reach(c, body);
    c->members[body].core = c->members[body].fresh = true;
    for (int k = c->graph.first[body]; k < c->graph.first[body + 1]; ++k) {
        carom_contact_graph_link link = c->graph.adjacency[k];
        if (!c->graph.near[link.candidate])
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
    if (c->cluster_next)
        join_cluster(c, body);
}

// A body and its surrounding up to so many layers of neighbours, breadth first.
static void join(impact_phase *c, int start, int most)
{
    const carom_world *world = c->step->world;
    int head = 0, tail = 0, end = 1, layer = 0;
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
        for (int k = c->graph.first[body]; k < c->graph.first[body + 1] && layer < most; ++k) {
            carom_contact_graph_link link = c->graph.adjacency[k];
            if (!c->graph.near[link.candidate] || world->fixed[link.other] ||
                c->queued[link.other] == c->search)
                continue;
            c->queued[link.other] = c->search;
            c->queue[tail++] = link.other;
        }
        if (head == end) {
            end = tail;
            ++layer;
        }
    }
}

static void contact_share(const impact_phase *c, int count, int threads)
{
    int end = carom_team_end(count, threads);
    for (int k = carom_team_begin(count, threads); k < end; ++k) {
        const carom_contact_graph_edge *edge = &c->graph.edges[c->contacts[k].candidate];
        if (k + AHEAD < end)
            __builtin_prefetch(&c->graph.edges[c->contacts[k + AHEAD].candidate]);
        c->contacts[k].a = edge->a;
        c->contacts[k].b = edge->b;
    }
}
CAROM_TEAM_SHARE3(contact_share, const impact_phase *, int, int)

// The whole islands of all seeds, along the list of candidates.
static void join_islands(impact_phase *c)
{
    const carom_contact_graph *graph = &c->graph;
    const carom_world *world = c->step->world;
    const unsigned char *fixed = world->fixed;
    carom_impact_phase_contact *contacts = c->contacts;
    int near = 0;
    for (int i = 0; i < c->step->candidate_count; ++i)
        if (graph->near[i])
            contacts[near++].candidate = i;
    int team = carom_team_worth(near, world->options.threads);
    CAROM_TEAM(team, contact_share(c, near, team));
    for (int k = 0; k < near; ++k)
        if (!fixed[contacts[k].a] && !fixed[contacts[k].b])
            sets_join(c->parent, contacts[k].a, contacts[k].b);
    for (int i = 0; i < graph->seed_count; ++i) {
        const carom_contact_graph_edge *edge = &graph->edges[graph->seeds[i]];
        if (i + AHEAD < graph->seed_count)
            __builtin_prefetch(&graph->edges[graph->seeds[i + AHEAD]]);
        c->fastest = fmax(c->fastest, -edge->u);
        c->members[sets_find(c->parent, fixed[edge->a] ? edge->b : edge->a)].whole = true;
    }
    c->contact_count = 0;
    for (int k = 0; k < near; ++k) {
        carom_impact_phase_contact contact = contacts[k];
        if (!c->members[sets_find(c->parent, fixed[contact.a] ? contact.b : contact.a)].whole)
            continue;
        contacts[c->contact_count++] = contact;
        c->reached[contact.a] = !fixed[contact.a];
        c->reached[contact.b] = !fixed[contact.b];
        if (fixed[contact.a] || fixed[contact.b])
            c->driven[c->driven_count++] = contact.candidate;
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
static void tidy(impact_phase *c)
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
static void refresh(impact_phase *c, bool again)
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

// Reports on components that are resolved again no longer stand.
static void take_back(impact_phase *c)
{
    carom_impact_phase_reports *v = &c->reports;
    int kept = 0, bodies = 0;
    for (int i = 0; i < v->count; ++i) {
        carom_impact_phase_report one = v->list[i];
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

static int root_of(impact_phase *c, const carom_impact_phase_contact *contact)
{
    return sets_find(c->parent, c->step->world->fixed[contact->a] ? contact->b : contact->a);
}

static void gather(impact_phase *c)
{
    c->contact_count = 0;
    for (int p = next_in(c, 0); p < c->step->candidate_count; p = next_in(c, p + 1)) {
        carom_impact_phase_contact contact = { p, c->graph.edges[p].a, c->graph.edges[p].b };
        if (c->members[root_of(c, &contact)].fresh)
            c->contacts[c->contact_count++] = contact;
    }
}

// Pairs by components, which are numbered as the list comes to them. Returns how many.
static int sort_contacts(impact_phase *c)
{
    int count = 0;
    for (int i = 0; i < c->count; ++i)
        c->number[c->list[i]] = -1;
    c->first[0] = c->first[1] = 0;
    for (int k = 0; k < c->contact_count; ++k) {
        int *number = &c->number[root_of(c, &c->contacts[k])];
        if (*number < 0) {
            *number = count++;
            c->first[count + 1] = 0;
        }
        c->component[k] = *number;
        ++c->first[*number + 2];
    }
    for (int k = 2; k <= count + 1; ++k)
        c->first[k] += c->first[k - 1];
    for (int k = 0; k < c->contact_count; ++k)
        c->sorted[c->first[c->component[k] + 1]++] = c->contacts[k];
    return count;
}

static carom_status resolve(impact_phase *c, bool again, carom_error *err)
{
    if (!c->dense) {
        tidy(c);
        refresh(c, again);
        take_back(c);
        gather(c);
    }
    carom_impact_phase_task task = { .step = c->step,
                                     .graph = &c->graph,
                                     .cluster_next = c->cluster_next,
                                     .component_count = sort_contacts(c),
                                     .first = c->first,
                                     .contacts = c->sorted,
                                     .fastest = c->fastest,
                                     .numbers = c->numbers,
                                     .impulse = c->impulse,
                                     .reports = &c->reports };
    TRY(carom_progress_check(&c->step->world->stop, "impacts", err));
    return carom_impact_phase_batch_resolve(&task, err);
}

// Where the impact went on beyond what the law has seen. Judged for all before any joins, so that
// the order of contacts does not affect the result. Only bodies that the law has just seen can have
// begun to approach, and none where whole islands went to it.
static bool spread(impact_phase *c, int most)
{
    int count = 0, bodies = c->dense || c->in_count == c->graph.near_count ? 0 : c->count;
    for (int i = 0; i < bodies; ++i) {
        int body = c->list[i];
        if (!c->members[sets_find(c->parent, body)].fresh)
            continue;
        for (int k = c->graph.first[body]; k < c->graph.first[body + 1]; ++k) {
            int p = c->graph.adjacency[k].candidate;
            if (!c->graph.near[p] || is_in(c, p))
                continue;
            if (carom_contact_graph_speed(&c->graph, p) < -c->graph.edges[p].resting)
                c->beyond[count++] = p;
        }
    }
    for (int i = 0; i < bodies; ++i)
        c->members[c->list[i]].fresh = false;
    for (int i = 0; i < count; ++i) {
        join(c, c->graph.edges[c->beyond[i]].a, most);
        join(c, c->graph.edges[c->beyond[i]].b, most);
    }
    return count > 0;
}

// Kinetic energy that a body has lost in the impact, J.
static double energy_lost(const impact_phase *c, int body)
{
    const carom_world *world = c->step->world;
    return carom_ledger_kinetic_lost(
        world, body, (carom_twist){ c->velocity[body], c->spin[body] },
        (carom_twist){ world->now.velocity[body], world->now.spin[body] });
}

static void lost_share(const impact_phase *c, double *loss, int threads)
{
    CAROM_TEAM_EACH (b, carom_team_blocks(c->count), threads) {
        loss[b] = 0;
        for (int i = carom_team_block(c->count, b); i < carom_team_block(c->count, b + 1); ++i)
            loss[b] += energy_lost(c, c->list[i]);
    }
}
CAROM_TEAM_SHARE3(lost_share, const impact_phase *, double *, int)

static void account(impact_phase *c)
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
    for (int k = 0; world->journal.watching && c->dense && k < c->contact_count; ++k) {
        int p = c->contacts[k].candidate;
        carom_journal_impact(world, &candidates[p], c->impulse[p]);
    }
    for (int p = next_in(c, 0); world->journal.watching && p < c->step->candidate_count;
         p = next_in(c, p + 1))
        carom_journal_impact(world, &candidates[p], c->impulse[p]);
    carom_impact_phase_batch_judge(world, &c->reports);
    ledger->law += loss + work;
    ledger->driven += work;
    ++ledger->impacts;
    ++world->profile.instants;
}

// The contact graph of an interval: bodies joined by contact candidates, looked at once for all
// passes.
//
// A candidate is a large record and a pass looks at thousands of them for their speed alone: that
// is kept apart, with what it is made from. Impulses between spheres have no arm, nor has one of a
// sphere and a plane that does not turn: u = n . (v_b - v_a).
#include <limits.h>
#include <string.h>
#include "base/team.h"
#include "shape/shape.h"
#include "world/impact_phase.h"

// What is known of a candidate besides its state.
enum {
    LOCATED = 1, // its time of impact is found
    SPHERES = 2, // its speed needs no spin
    CHANGED = 4, // its speed is no longer the candidate's
};
enum { WORTH_A_TEAM = 4000, EIGHT = 8 };
// From one changed body in so many on, all candidates are gone through: threads share that.
enum { MANY = 24 };

static inline bool touches(const carom_step *step, double gap, double u, bool located)
{
    return gap <= step->world->options.slop || (!located && gap + u * step->remaining < 0);
}

static inline bool impacts(const carom_step *step, double gap, double u, double resting,
                           bool located, bool near)
{
    return (gap <= step->world->options.touch || (near && !located)) && u < -resting;
}

// Sets what follows from the speed of a candidate.
static inline void judge(carom_contact_graph *graph, int i)
{
    const carom_contact_graph_edge *edge = &graph->edges[i];
    bool located = graph->flags[i] & LOCATED;
    bool near = touches(graph->step, edge->gap, edge->u, located);
    bool seed = impacts(graph->step, edge->gap, edge->u, edge->resting, located, near);
    graph->state[i] = seed   ? CAROM_CONTACT_GRAPH_IMPACTING
                      : near ? CAROM_CONTACT_GRAPH_TOUCHING
                             : CAROM_CONTACT_GRAPH_APART;
}

static inline bool armless(const carom_world *world, int body)
{
    if (world->sphere[body])
        return true;
    vec3 spin = world->now.spin[body];
    carom_shape_kind kind = carom_shape_kind_of(world->shape[body]);
    return kind == CAROM_SHAPE_SPHERE || (kind == CAROM_SHAPE_PLANE && vec3_dot(spin, spin) == 0);
}

static void init_share(carom_contact_graph *graph, int threads)
{
    const carom_step *step = graph->step;
    int end = carom_team_end(step->candidate_count, threads);
    for (int i = carom_team_begin(step->candidate_count, threads); i < end; ++i) {
        const carom_candidate *candidate = &step->candidates[i];
        bool spheres = armless(step->world, candidate->a) && armless(step->world, candidate->b);
        graph->edges[i] =
            (carom_contact_graph_edge){ candidate->a,   candidate->b, candidate->normal,
                                        candidate->gap, candidate->u, candidate->resting };
        graph->flags[i] = (candidate->located ? LOCATED : 0) | (spheres ? SPHERES : 0);
        judge(graph, i);
    }
}
CAROM_TEAM_SHARE2(init_share, carom_contact_graph *, int)

// Eight candidates at a time: few of them impact. Lowest bit of a state: it touches; next: impacts.
static void collect(carom_contact_graph *graph)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    int count = graph->step->candidate_count;
    graph->near_count = graph->seed_count = 0;
    for (int i = 0; i < count; i += EIGHT) {
        uint64_t state;
        memcpy(&state, &graph->state[i], sizeof state);
        graph->near_count += __builtin_popcountll(state & ones);
        state = state >> 1 & ones;
        for (int k = 0; k < EIGHT && state; ++k, state >>= CHAR_BIT)
            if (state & 1)
                graph->seeds[graph->seed_count++] = i + k;
    }
}

// Whether any candidate impacts: at rest none does, and the graph is not asked for.
static bool any_impact(const carom_step *step)
{
    for (int i = 0; i < step->candidate_count; ++i) {
        const carom_candidate *c = &step->candidates[i];
        bool near = touches(step, c->gap, c->u, c->located);
        if (impacts(step, c->gap, c->u, c->resting, c->located, near))
            return true;
    }
    return false;
}

carom_status carom_contact_graph_init(carom_step *step, carom_contact_graph *graph,
                                      carom_error *err)
{
    int count = step->candidate_count,
        team = count > WORTH_A_TEAM ? step->world->options.threads : 1;
    *graph = (carom_contact_graph){ .step = step, .threads = team };
    if (!any_impact(step))
        return CAROM_OK;
    TAKE(step->world->scratch, graph->edges, count, err);
    TAKE_ZEROS(step->world->scratch, graph->state, count + EIGHT, err);
    TAKE(step->world->scratch, graph->flags, count, err);
    TAKE(step->world->scratch, graph->seeds, count, err);
    CAROM_TEAM(team, init_share(graph, team));
    collect(graph);
    for (int i = 0; i < step->world->count && graph->seed_count > 0 && !graph->mapped; ++i)
        graph->mapped = step->world->bounce[i].functions != NULL;
    return CAROM_OK;
}

// The rows of a body: what the share of the first thread has of it, then that of the next; so the
// number of threads does not affect the result. `at` has one number per thread and body, and one
// more: first how many, then where they go.
static void count_share(const carom_contact_graph *graph, int *at, int threads)
{
    const carom_world *world = graph->step->world;
    int me = carom_team_me(threads), end = carom_team_end(graph->step->candidate_count, threads);
    for (int i = carom_team_begin(graph->step->candidate_count, threads); i < end; ++i) {
        const carom_contact_graph_edge *edge = &graph->edges[i];
        at[edge->a * threads + me] += !world->fixed[edge->a];
        at[edge->b * threads + me] += !world->fixed[edge->b];
    }
}
CAROM_TEAM_SHARE3(count_share, const carom_contact_graph *, int *, int)

static void fill_share(const carom_contact_graph *graph, int *at, int threads)
{
    const carom_world *world = graph->step->world;
    int me = carom_team_me(threads), end = carom_team_end(graph->step->candidate_count, threads);
    for (int i = carom_team_begin(graph->step->candidate_count, threads); i < end; ++i) {
        int a = graph->edges[i].a, b = graph->edges[i].b;
        if (!world->fixed[a])
            graph->adjacency[at[a * threads + me]++] = (carom_contact_graph_link){ i, b };
        if (!world->fixed[b])
            graph->adjacency[at[b * threads + me]++] = (carom_contact_graph_link){ i, a };
    }
}
CAROM_TEAM_SHARE3(fill_share, const carom_contact_graph *, int *, int)

carom_status carom_contact_graph_connect(carom_contact_graph *graph, carom_error *err)
{
    const carom_world *world = graph->step->world;
    int *at, *first, sum = 0, team = graph->threads;
    if (graph->first)
        return CAROM_OK;
    TAKE_ZEROS(world->scratch, at, (size_t)world->count * (size_t)team, err);
    TAKE(world->scratch, first, (size_t)world->count + 1, err);
    TAKE(world->scratch, graph->adjacency, 2 * (size_t)graph->step->candidate_count, err);
    CAROM_TEAM(team, count_share(graph, at, team));
    for (int i = 0; i < world->count; ++i) {
        first[i] = sum;
        for (int t = 0; t < team; ++t) {
            int count = at[i * team + t];
            at[i * team + t] = sum;
            sum += count;
        }
    }
    first[world->count] = sum;
    CAROM_TEAM(team, fill_share(graph, at, team));
    graph->first = first;
    return CAROM_OK;
}

bool carom_contact_graph_impacts(const carom_contact_graph *graph, bool apart)
{
    for (int i = 0; i < graph->seed_count; ++i)
        if (!apart || graph->edges[graph->seeds[i]].gap > graph->step->world->options.slop)
            return true;
    return false;
}

static inline double speed_of(const carom_contact_graph *graph, int candidate)
{
    const carom_step *step = graph->step;
    const carom_contact_graph_edge *edge = &graph->edges[candidate];
    const vec3 *v = step->world->now.velocity;
    if (graph->flags[candidate] & SPHERES)
        return vec3_dot(edge->normal, vec3_sub(v[edge->b], v[edge->a]));
    return vec3_dot(edge->normal,
                    carom_step_relative_velocity(step->world, &step->candidates[candidate]));
}

double carom_contact_graph_speed(const carom_contact_graph *graph, int candidate)
{
    return speed_of(graph, candidate);
}

static inline void update(carom_contact_graph *graph, int candidate)
{
    graph->edges[candidate].u = speed_of(graph, candidate);
    graph->flags[candidate] |= CHANGED;
    judge(graph, candidate);
}

static void update_share(carom_contact_graph *graph, const unsigned char *changed, int threads)
{
    int end = carom_team_end(graph->step->candidate_count, threads);
    for (int i = carom_team_begin(graph->step->candidate_count, threads); i < end; ++i)
        if (changed[graph->edges[i].a] || changed[graph->edges[i].b])
            update(graph, i);
}
CAROM_TEAM_SHARE3(update_share, carom_contact_graph *, const unsigned char *, int)

void carom_contact_graph_update(carom_contact_graph *graph, const int *list, int count,
                                const unsigned char *changed)
{
    if (!graph->first ||
        MANY * (int64_t)count > graph->step->world->count) { // along the list of candidates
        CAROM_TEAM(graph->threads, update_share(graph, changed, graph->threads));
        collect(graph);
        return;
    }
    graph->seed_count = 0;
    for (int i = 0; i < count; ++i)
        for (int k = graph->first[list[i]]; k < graph->first[list[i] + 1]; ++k) {
            carom_contact_graph_link link = graph->adjacency[k];
            if (changed[link.other] && link.other < list[i])
                continue; // that one's turn
            graph->near_count -= carom_contact_graph_near(graph, link.candidate);
            update(graph, link.candidate);
            graph->near_count += carom_contact_graph_near(graph, link.candidate);
            if (graph->state[link.candidate] == CAROM_CONTACT_GRAPH_IMPACTING)
                graph->seeds[graph->seed_count++] = link.candidate;
        }
}

static void store_share(const carom_contact_graph *graph, int threads)
{
    int end = carom_team_end(graph->step->candidate_count, threads);
    for (int i = carom_team_begin(graph->step->candidate_count, threads); i < end; ++i)
        if (graph->flags[i] & CHANGED)
            graph->step->candidates[i].u = graph->edges[i].u;
}
CAROM_TEAM_SHARE2(store_share, const carom_contact_graph *, int)

void carom_contact_graph_store_speeds(carom_contact_graph *graph)
{
    if (!graph->edges) // nothing impacts
        return;
    CAROM_TEAM(graph->threads, store_share(graph, graph->threads));
}

carom_status carom_contact_graph_map_restitution(carom_contact_graph *graph, carom_error *err)
{
    carom_arena *scratch = graph->step->world->scratch;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    int *near, count = 0;
    if (!graph->mapped)
        return CAROM_OK;
    TAKE(scratch, near, graph->near_count, err);
    for (int i = 0; i < graph->step->candidate_count; ++i)
        if (carom_contact_graph_near(graph, i))
            near[count++] = i;
    carom_contact_graph_store_speeds(graph);
    TRY(carom_restitution_mapped(graph->step, near, count, err));
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

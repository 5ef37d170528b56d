// All touches of an interval, looked at once for all passes of its impacts.
//
// A touch is a large record and a pass looks at thousands of them for their speed alone: that is
// kept apart, with what it is made from. Impulses between spheres have no arm, nor has one of a
// sphere and a plane that does not turn: u = n . (v_b - v_a).
#include <limits.h>
#include <string.h>
#include "base/team.h"
#include "shape/shape.h"
#include "world/clash.h"

enum {
    SEED = 1,    // impacts
    LOCATED = 2, // its time of impact is found
    ROUND = 4,   // its speed needs no spin
    CHANGED = 8, // its speed is no longer the touch's
};
enum { WORTH_A_TEAM = 4000, EIGHT = 8 };
// From one changed body in so many on, all touches are gone through: threads share that.
enum { MANY = 24 };

static inline bool touching(const carom_clash_net *net, int i)
{
    const carom_clash_net_edge *edge = &net->edges[i];
    if (edge->gap <= net->step->world->options.slop)
        return true;
    return !(net->kind[i] & LOCATED) && edge->gap + edge->u * net->step->remaining < 0;
}

// Sets what follows from the speed of a touch.
static inline void judge(carom_clash_net *net, int i)
{
    const carom_world_options *options = &net->step->world->options;
    const carom_clash_net_edge *edge = &net->edges[i];
    bool near = touching(net, i);
    bool here = edge->gap <= options->touch || (near && !(net->kind[i] & LOCATED));
    bool seed = here && edge->u < -edge->resting;
    net->near[i] = near;
    net->kind[i] = (unsigned char)((net->kind[i] & ~SEED) | (seed ? SEED : 0));
}

static inline bool armless(const carom_world *world, int body)
{
    if (world->round[body])
        return true;
    vec3 spin = world->now.spin[body];
    carom_shape_kind kind = carom_shape_kind_of(world->shape[body]);
    return kind == CAROM_SHAPE_SPHERE || (kind == CAROM_SHAPE_PLANE && vec3_dot(spin, spin) == 0);
}

static void look_share(carom_clash_net *net, int threads)
{
    const carom_step *step = net->step;
    int end = carom_team_end(step->candidate_count, threads);
    for (int i = carom_team_begin(step->candidate_count, threads); i < end; ++i) {
        const carom_candidate *candidate = &step->candidates[i];
        bool round = armless(step->world, candidate->a) && armless(step->world, candidate->b);
        net->edges[i] = (carom_clash_net_edge){ candidate->a,   candidate->b, candidate->normal,
                                                candidate->gap, candidate->u, candidate->resting };
        net->kind[i] = (candidate->located ? LOCATED : 0) | (round ? ROUND : 0);
        judge(net, i);
    }
}
CAROM_TEAM_SHARE2(look_share, carom_clash_net *, int)

// Eight touches at a time: few of them impact.
static void collect(carom_clash_net *net)
{
    const uint64_t seeds = UINT64_C(0x0101010101010101) * SEED;
    int count = net->step->candidate_count;
    net->near_count = net->seed_count = 0;
    for (int i = 0; i < count; i += EIGHT) {
        uint64_t near, kind;
        memcpy(&near, &net->near[i], sizeof near);
        memcpy(&kind, &net->kind[i], sizeof kind);
        net->near_count += __builtin_popcountll(near);
        for (int k = 0; k < EIGHT && (kind & seeds); ++k, kind >>= CHAR_BIT)
            if (kind & SEED)
                net->seeds[net->seed_count++] = i + k;
    }
}

carom_status carom_clash_net_look(carom_step *step, carom_clash_net *net, carom_error *err)
{
    int count = step->candidate_count,
        team = count > WORTH_A_TEAM ? step->world->options.threads : 1;
    *net = (carom_clash_net){ .step = step, .threads = team };
    TAKE(step->world->scratch, net->edges, count, err);
    TAKE_ZEROS(step->world->scratch, net->near, count + EIGHT, err);
    TAKE_ZEROS(step->world->scratch, net->kind, count + EIGHT, err);
    TAKE(step->world->scratch, net->seeds, count, err);
    CAROM_TEAM(team, look_share(net, team));
    collect(net);
    for (int i = 0; i < step->world->count && net->seed_count > 0 && !net->mapped; ++i)
        net->mapped = step->world->bounce[i].map || step->world->bounce[i].direct;
    return CAROM_OK;
}

// The rows of a body: what the share of the first thread has of it, then that of the next; so the
// number of threads does not show. `at` has one number per thread and body, and one more: first how
// many, then where they go.
static void count_share(const carom_clash_net *net, int *at, int threads)
{
    const carom_world *world = net->step->world;
    int me = carom_team_me(threads), end = carom_team_end(net->step->candidate_count, threads);
    for (int i = carom_team_begin(net->step->candidate_count, threads); i < end; ++i) {
        const carom_clash_net_edge *edge = &net->edges[i];
        at[edge->a * threads + me] += !world->fixed[edge->a];
        at[edge->b * threads + me] += !world->fixed[edge->b];
    }
}
CAROM_TEAM_SHARE3(count_share, const carom_clash_net *, int *, int)

static void fill_share(const carom_clash_net *net, int *at, int threads)
{
    const carom_world *world = net->step->world;
    int me = carom_team_me(threads), end = carom_team_end(net->step->candidate_count, threads);
    for (int i = carom_team_begin(net->step->candidate_count, threads); i < end; ++i) {
        int a = net->edges[i].a, b = net->edges[i].b;
        if (!world->fixed[a])
            net->around[at[a * threads + me]++] = (carom_clash_net_link){ i, b };
        if (!world->fixed[b])
            net->around[at[b * threads + me]++] = (carom_clash_net_link){ i, a };
    }
}
CAROM_TEAM_SHARE3(fill_share, const carom_clash_net *, int *, int)

carom_status carom_clash_net_make(carom_clash_net *net, carom_error *err)
{
    const carom_world *world = net->step->world;
    int *at, *first, sum = 0, team = net->threads;
    if (net->first)
        return CAROM_OK;
    TAKE_ZEROS(world->scratch, at, (size_t)world->count * (size_t)team, err);
    TAKE(world->scratch, first, (size_t)world->count + 1, err);
    TAKE(world->scratch, net->around, 2 * (size_t)net->step->candidate_count, err);
    CAROM_TEAM(team, count_share(net, at, team));
    for (int i = 0; i < world->count; ++i) {
        first[i] = sum;
        for (int t = 0; t < team; ++t) {
            int count = at[i * team + t];
            at[i * team + t] = sum;
            sum += count;
        }
    }
    first[world->count] = sum;
    CAROM_TEAM(team, fill_share(net, at, team));
    net->first = first;
    return CAROM_OK;
}

bool carom_clash_net_any(const carom_clash_net *net, bool apart)
{
    for (int i = 0; i < net->seed_count; ++i)
        if (!apart || net->edges[net->seeds[i]].gap > net->step->world->options.slop)
            return true;
    return false;
}

static inline double speed_of(const carom_clash_net *net, int candidate)
{
    const carom_step *step = net->step;
    const carom_clash_net_edge *edge = &net->edges[candidate];
    const vec3 *v = step->world->now.velocity;
    if (net->kind[candidate] & ROUND)
        return vec3_dot(edge->normal, vec3_sub(v[edge->b], v[edge->a]));
    return vec3_dot(edge->normal,
                    carom_step_relative_velocity(step->world, &step->candidates[candidate]));
}

double carom_clash_net_speed(const carom_clash_net *net, int candidate)
{
    return speed_of(net, candidate);
}

static inline void renew(carom_clash_net *net, int candidate)
{
    net->edges[candidate].u = speed_of(net, candidate);
    net->kind[candidate] |= CHANGED;
    judge(net, candidate);
}

static void renew_share(carom_clash_net *net, const unsigned char *changed, int threads)
{
    int end = carom_team_end(net->step->candidate_count, threads);
    for (int i = carom_team_begin(net->step->candidate_count, threads); i < end; ++i)
        if (changed[net->edges[i].a] || changed[net->edges[i].b])
            renew(net, i);
}
CAROM_TEAM_SHARE3(renew_share, carom_clash_net *, const unsigned char *, int)

void carom_clash_net_refresh(carom_clash_net *net, const int *list, int count,
                             const unsigned char *changed)
{
    if (!net->first ||
        MANY * (int64_t)count > net->step->world->count) { // along the list of touches
        CAROM_TEAM(net->threads, renew_share(net, changed, net->threads));
        collect(net);
        return;
    }
    net->seed_count = 0;
    for (int i = 0; i < count; ++i)
        for (int k = net->first[list[i]]; k < net->first[list[i] + 1]; ++k) {
            carom_clash_net_link link = net->around[k];
            if (changed[link.other] && link.other < list[i])
                continue; // that one's turn
            net->near_count -= net->near[link.candidate];
            renew(net, link.candidate);
            net->near_count += net->near[link.candidate];
            if (net->kind[link.candidate] & SEED)
                net->seeds[net->seed_count++] = link.candidate;
        }
}

static void return_share(const carom_clash_net *net, int threads)
{
    int end = carom_team_end(net->step->candidate_count, threads);
    for (int i = carom_team_begin(net->step->candidate_count, threads); i < end; ++i)
        if (net->kind[i] & CHANGED)
            net->step->candidates[i].u = net->edges[i].u;
}
CAROM_TEAM_SHARE2(return_share, const carom_clash_net *, int)

void carom_clash_net_return(carom_clash_net *net)
{
    CAROM_TEAM(net->threads, return_share(net, net->threads));
}

carom_status carom_clash_net_map(carom_clash_net *net, carom_error *err)
{
    carom_arena *scratch = net->step->world->scratch;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    int *near, count = 0;
    if (!net->mapped)
        return CAROM_OK;
    TAKE(scratch, near, net->near_count, err);
    for (int i = 0; i < net->step->candidate_count; ++i)
        if (net->near[i])
            near[count++] = i;
    carom_clash_net_return(net);
    TRY(carom_restitution_mapped(net->step, near, count, err));
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

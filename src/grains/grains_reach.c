// Whom an impact reaches, over ranks: what world/impact_phase_spread.c and impact_phase_dense.c do
// in worlds, with the same numbers.
//
// A law must see every touching contact that the impact reaches, also those that do not approach.
// At first these are all contacts of the grains that hit each other. Where the law's answer makes
// another touching contact approach, the grains there join with a surrounding that grows from round
// to round, and their islands are asked about again from the velocities before. Where one contact
// in DENSE impacts, whole islands go to the law at once.
//
// Each of these is the least or the highest of what is said along the contacts of a grain, passed
// on until nothing changes on any rank: the result is the same whatever the ranks.
#include "grains/grains.h"

#include <string.h>
#include "base/sets.h"

enum { ROUNDS = 5, DENSE = 10, MOST_OF_IT = 4, FEW = 1000 };
#define WHOLE 1e9 // layers: the island
static const double layers[ROUNDS] = { 0, 2, 5, 12, WHOLE };

// Each contact is counted by the owner of its higher name.
static int64_t count_marks(const carom_grains *g, const unsigned char *mark)
{
    int64_t count = 0;
    for (int i = 0; i < g->contact_count; ++i)
        count += mark[i] && g->system.links[i].b < g->part->owned;
    if (g->host.sum)
        g->host.sum(g->host.client, &count, 1);
    return count;
}

// Those within the slop touch, and those that close within the step.
static void judge(carom_grains *g, carom_grains_instant *c)
{
    c->fastest = 0;
    for (int i = 0; i < g->contact_count; ++i) {
        double u = carom_grains_impact_speed(g, i);
        c->near[i] = g->gap[i] <= g->options.slop || g->gap[i] + g->dt * u < 0;
        c->seed[i] = carom_grains_impact_meets(g, i, u);
        c->fastest = c->seed[i] ? fmax(c->fastest, -u) : c->fastest;
    }
    carom_grains_max(g, &c->fastest, 1);
}

carom_status carom_grains_reach_begin(carom_grains *g, carom_grains_instant *instant, bool *any,
                                      carom_error *err)
{
    carom_grains_instant *c = instant;
    int contacts = g->contact_count, n = g->part->count;
    TAKE(g->scratch, c->near, contacts, err);
    TAKE(g->scratch, c->seed, contacts, err);
    judge(g, c);
    *any = c->fastest > 0;
    if (!*any)
        return CAROM_OK;
    c->near_count = count_marks(g, c->near);
    c->seed_count = count_marks(g, c->seed);
    TAKE_ZEROS(g->scratch, c->in, contacts, err);
    TAKE_ZEROS(g->scratch, c->struck, contacts, err);
    TAKE_ZEROS(g->scratch, c->work, contacts, err);
    TAKE_ZEROS(g->scratch, c->joined, n, err);
    TAKE(g->scratch, c->velocity, n, err);
    TAKE(g->scratch, c->spin, n, err);
    TAKE(g->scratch, c->parent, n, err);
    TAKE_ZEROS(g->scratch, g->level, n, err);
    TAKE(g->scratch, g->label, n, err);
    TAKE(g->scratch, g->fresh, n, err);
    for (int i = 0; i < n; ++i) {
        c->velocity[i] = g->system.sphere_bodies[i].v;
        c->spin[i] = g->system.sphere_bodies[i].w;
    }
    return CAROM_OK;
}

// The grains of a contact join with so many layers around them.
static void join(carom_grains *g, int contact, double more)
{
    const carom_contact_link *link = &g->system.links[contact];
    if (!carom_grains_is_wall(g, link->a))
        g->level[link->a] = fmax(g->level[link->a], 1 + more);
    g->level[link->b] = fmax(g->level[link->b], 1 + more);
}

// A label and a mark of each island that the chosen contacts make: the lowest name, and the highest
// mark of its grains. Islands of this rank take what owners say of their ghosts.
static void find_islands(carom_grains *g, const carom_grains_instant *c,
                         const unsigned char *chosen)
{
    int n = g->part->count;
    double changed = 1;
    for (int i = 0; i < n; ++i) {
        c->parent[i] = i;
        g->label[i] = (double)g->part->name[i];
    }
    for (int i = 0; i < g->contact_count; ++i)
        if (chosen[i] && !carom_grains_is_wall(g, g->system.links[i].a))
            sets_join(c->parent, g->system.links[i].a, g->system.links[i].b);
    while (changed > 0) {
        changed = 0;
        for (int i = 0; i < n; ++i) {
            int root = sets_find(c->parent, i);
            if (!(g->label[i] < g->label[root] || g->fresh[i] > g->fresh[root]))
                continue;
            g->label[root] = fmin(g->label[root], g->label[i]);
            g->fresh[root] = fmax(g->fresh[root], g->fresh[i]);
            changed = 1;
        }
        for (int i = 0; i < n; ++i) {
            int root = sets_find(c->parent, i);
            if (g->label[i] == g->label[root] && g->fresh[i] == g->fresh[root])
                continue;
            g->label[i] = g->label[root];
            g->fresh[i] = g->fresh[root];
            changed = 1;
        }
        carom_grains_max(g, &changed, 1);
        if (changed > 0)
            carom_grains_refresh(g, CAROM_GRAINS_LABEL);
    }
    for (int i = 0; i < n; ++i)
        c->parent[i] = sets_find(c->parent, i);
}

// Whole islands of those who have joined with theirs.
static void spread_whole(carom_grains *g, const carom_grains_instant *c)
{
    for (int i = 0; i < g->part->count; ++i)
        g->fresh[i] = g->level[i] > WHOLE;
    find_islands(g, c, c->near);
    for (int i = 0; i < g->part->count; ++i)
        g->level[i] = g->fresh[i] > 0 ? 1 + WHOLE : g->level[i];
}

static void spread(carom_grains *g, const carom_grains_instant *c, double max)
{
    carom_grains_refresh(g, CAROM_GRAINS_LEVEL);
    if (max == WHOLE) {
        spread_whole(g, c);
        return;
    }
    for (int layer = 0; layer < max; ++layer) {
        for (int i = 0; i < g->contact_count; ++i) {
            const carom_contact_link *link = &g->system.links[i];
            if (!c->near[i] || carom_grains_is_wall(g, link->a))
                continue;
            double *a = &g->level[link->a], *b = &g->level[link->b];
            *a = fmax(*a, *b - 1);
            *b = fmax(*b, *a - 1);
        }
        carom_grains_refresh(g, CAROM_GRAINS_LEVEL);
    }
}

// Where the impact went on beyond what the law has seen.
static bool join_beyond(carom_grains *g, const carom_grains_instant *c, double more)
{
    double any = 0;
    for (int i = 0; i < g->contact_count; ++i)
        if (c->near[i] && !c->in[i] && carom_grains_impact_speed(g, i) < -g->resting_speed) {
            join(g, i, more);
            any = 1;
        }
    carom_grains_max(g, &any, 1);
    return any > 0;
}

static double layers_of(const carom_grains_instant *c, int round)
{
    bool dense = DENSE * c->seed_count > c->near_count;
    bool most = MOST_OF_IT * c->in_count > c->near_count && c->near_count > FEW;
    return (round == 0 && dense) || (round > 0 && most) ? WHOLE : layers[round];
}

// All touching contacts of those who have joined; islands with somebody new in them are fresh.
static void choose(carom_grains *g, carom_grains_instant *c)
{
    for (int i = 0; i < g->contact_count; ++i) {
        const carom_contact_link *link = &g->system.links[i];
        bool joined =
            g->level[link->b] > 0 || (!carom_grains_is_wall(g, link->a) && g->level[link->a] > 0);
        c->in[i] = c->near[i] && joined;
    }
    c->in_count = count_marks(g, c->in);
    for (int i = 0; i < g->part->count; ++i) {
        g->fresh[i] = g->level[i] > 0 && !c->joined[i];
        c->joined[i] = g->level[i] > 0;
    }
    find_islands(g, c, c->in);
}

bool carom_grains_reach_next(carom_grains *g, carom_grains_instant *instant, int round)
{
    carom_grains_instant *c = instant;
    if (round == ROUNDS || (round > 0 && c->in_count == c->near_count))
        return false;
    double more = layers_of(c, round);
    for (int i = 0; i < g->contact_count && round == 0; ++i)
        if (c->seed[i])
            join(g, i, more);
    if (round > 0 && !join_beyond(g, c, more))
        return false;
    spread(g, c, more);
    choose(g, c);
    for (int i = 0; i < g->part->count && round > 0; ++i)
        if (g->fresh[i] > 0) {
            g->system.sphere_bodies[i].v = c->velocity[i];
            g->system.sphere_bodies[i].w = c->spin[i];
        }
    return true;
}

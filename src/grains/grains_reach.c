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
// on until nothing changes on any rank: the result is the same whatever the ranks. Work goes with
// the grains that are reached, not with all there are.
#include "grains/grains.h"

#include <string.h>
#include "base/sets.h"

enum { ROUNDS = 5, DENSE = 10, MOST_OF_IT = 4, FEW = 1000 };
#define WHOLE 1e9 // layers: the island
static const double layers[ROUNDS] = { 0, 2, 5, 12, WHOLE };

carom_status carom_grains_reach_begin(carom_grains *g, carom_grains_instant *instant,
                                      carom_error *err)
{
    carom_grains_instant *c = instant;
    int contacts = g->contact_count, n = g->part->count;
    TAKE_ZEROS(g->scratch, c->in, contacts, err);
    TAKE(g->scratch, c->chosen, contacts, err);
    TAKE_ZEROS(g->scratch, c->struck, contacts, err);
    TAKE_ZEROS(g->scratch, c->work, contacts, err);
    TAKE_ZEROS(g->scratch, c->joined, n, err);
    TAKE_ZEROS(g->scratch, c->asked, n, err);
    TAKE_ZEROS(g->scratch, c->member, n, err);
    TAKE_ZEROS(g->scratch, c->waiting, n, err);
    TAKE(g->scratch, c->joiners, n, err);
    TAKE(g->scratch, c->members, n, err);
    TAKE(g->scratch, c->queue, n + 1, err);
    TAKE(g->scratch, c->velocity, n, err);
    TAKE(g->scratch, c->spin, n, err);
    TAKE(g->scratch, c->parent, n, err);
    TAKE_ZEROS(g->scratch, g->level, n, err);
    TAKE_ZEROS(g->scratch, g->label, n, err);
    TAKE_ZEROS(g->scratch, g->fresh, n, err);
    return CAROM_OK;
}

void carom_grains_reach_end(carom_grains *g, carom_grains_instant *instant)
{
    carom_grains_instant *c = instant;
    for (int k = 0; k < c->chosen_count; ++k)
        c->in[c->chosen[k]] = 0;
    for (int k = 0; k < c->joiner_count; ++k) {
        g->level[c->joiners[k]] = 0;
        c->joined[c->joiners[k]] = c->asked[c->joiners[k]] = 0;
    }
    for (int k = 0; k < c->member_count; ++k)
        c->member[c->members[k]] = 0;
    c->chosen_count = c->joiner_count = c->member_count = 0;
    c->own_chosen = 0;
}

// -- who joins ------------------------------------------------------------------------------------

// A grain joins with so many layers around it; it has to tell its neighbours where that is news.
static bool join_grain(carom_grains *g, carom_grains_instant *c, int grain, double level)
{
    if (!(level > g->level[grain]))
        return false;
    g->level[grain] = level;
    if (!c->joined[grain]) {
        c->joined[grain] = 1;
        c->joiners[c->joiner_count++] = grain;
    }
    if (!c->waiting[grain]) {
        c->waiting[grain] = 1;
        c->queue[c->queue_end] = grain;
        c->queue_end = c->queue_end == g->part->count ? 0 : c->queue_end + 1;
    }
    return true;
}

static void join(carom_grains *g, carom_grains_instant *c, int contact, double more)
{
    const carom_contact_link *link = &g->system.links[contact];
    if (!carom_grains_is_wall(g, link->a))
        join_grain(g, c, link->a, 1 + more);
    join_grain(g, c, link->b, 1 + more);
}

// Neighbours of those who wait join, one layer less. Returns whether an owned grain has.
static bool tell_neighbours(carom_grains *g, carom_grains_instant *c)
{
    bool news = false;
    while (c->queue_begin != c->queue_end) {
        int grain = c->queue[c->queue_begin];
        c->queue_begin = c->queue_begin == g->part->count ? 0 : c->queue_begin + 1;
        c->waiting[grain] = 0;
        double level = g->level[grain] > WHOLE ? g->level[grain] : g->level[grain] - 1;
        for (int n = c->start[grain]; n < c->start[grain + 1] && level > 0; ++n) {
            const carom_contact_link *link = &g->system.links[c->list[n]];
            int other = link->a == grain ? link->b : link->a;
            if (c->near[c->list[n]] && !carom_grains_is_wall(g, other) &&
                join_grain(g, c, other, level))
                news = news || other < g->part->owned;
        }
    }
    return news;
}

// Ghosts get the levels of their owners, and those that have one tell it.
static void hear_owners(carom_grains *g, carom_grains_instant *c)
{
    carom_grains_refresh(g, CAROM_GRAINS_LEVEL);
    for (int i = g->part->owned; i < g->part->count; ++i) {
        double level = g->level[i];
        g->level[i] = 0;
        join_grain(g, c, i, level);
    }
}

static void spread(carom_grains *g, carom_grains_instant *c)
{
    double changed = 1;
    while (changed > 0) {
        hear_owners(g, c);
        changed = tell_neighbours(g, c);
        carom_grains_max(g, &changed, 1);
    }
}

// Where the impact went on beyond what the law has seen: among contacts that have closed all along,
// and those of grains that the law has moved.
static bool join_beyond(carom_grains *g, carom_grains_instant *c, double more)
{
    int ghosts = g->part->count - g->part->owned;
    double any = 0;
    for (int k = 0; k < c->closer_count; ++k)
        if (!c->in[c->closers[k]] &&
            carom_grains_impact_speed(g, c->closers[k]) < -g->resting_speed) {
            join(g, c, c->closers[k], more);
            any = 1;
        }
    for (int k = 0; k < c->member_count + ghosts; ++k) {
        int grain = k < c->member_count ? c->members[k] : g->part->owned + k - c->member_count;
        for (int n = c->start[grain]; n < c->start[grain + 1]; ++n) {
            int i = c->list[n];
            if (!c->near[i] || c->in[i] || !(carom_grains_impact_speed(g, i) < -g->resting_speed))
                continue;
            join(g, c, i, more);
            any = 1;
        }
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

// -- islands --------------------------------------------------------------------------------------

// A label and a mark of each island that the chosen contacts make: the lowest name, and the highest
// mark of its grains. Islands of this rank take what owners say of their ghosts.
static void find_islands(carom_grains *g, const carom_grains_instant *c)
{
    double changed = 1;
    for (int k = 0; k < c->chosen_count; ++k) {
        const carom_contact_link *link = &g->system.links[c->chosen[k]];
        if (!carom_grains_is_wall(g, link->a))
            sets_join(c->parent, link->a, link->b);
    }
    while (changed > 0) {
        changed = 0;
        for (int k = 0; k < c->member_count; ++k) {
            int i = c->members[k], root = sets_find(c->parent, i);
            if (!(g->label[i] < g->label[root] || g->fresh[i] > g->fresh[root]))
                continue;
            g->label[root] = fmin(g->label[root], g->label[i]);
            g->fresh[root] = fmax(g->fresh[root], g->fresh[i]);
            changed = 1;
        }
        for (int k = 0; k < c->member_count; ++k) {
            int i = c->members[k], root = sets_find(c->parent, i);
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
    for (int k = 0; k < c->member_count; ++k)
        c->parent[c->members[k]] = sets_find(c->parent, c->members[k]);
}

static void keep_velocity(const carom_grains *g, const carom_grains_instant *c, int grain)
{
    c->velocity[grain] = g->system.sphere_bodies[grain].v;
    c->spin[grain] = g->system.sphere_bodies[grain].w;
}

// An owned grain has its velocity before until it is a member; a ghost may have been moved where it
// is owned, and is kept at the start of the pass.
static void add_member(carom_grains *g, carom_grains_instant *c, int grain)
{
    if (carom_grains_is_wall(g, grain) || c->member[grain])
        return;
    c->member[grain] = 1;
    c->members[c->member_count++] = grain;
    if (grain < g->part->owned)
        keep_velocity(g, c, grain);
}

// All touching contacts of those who have joined; islands with somebody new in them are fresh.
static void choose(carom_grains *g, carom_grains_instant *c)
{
    for (int k = 0; k < c->joiner_count; ++k) {
        int grain = c->joiners[k];
        for (int n = c->start[grain]; n < c->start[grain + 1]; ++n) {
            int i = c->list[n];
            if (!c->near[i] || c->in[i])
                continue;
            c->in[i] = 1;
            c->chosen[c->chosen_count++] = i;
            c->own_chosen += g->system.links[i].b < g->part->owned;
            add_member(g, c, g->system.links[i].a);
            add_member(g, c, g->system.links[i].b);
        }
    }
    c->in_count = c->own_chosen;
    if (g->host.sum)
        g->host.sum(g->host.client, &c->in_count, 1);
    for (int k = 0; k < c->member_count; ++k) {
        int i = c->members[k];
        c->parent[i] = i;
        g->label[i] = (double)g->part->name[i];
        g->fresh[i] = c->joined[i] && !c->asked[i];
    }
    for (int k = 0; k < c->joiner_count; ++k)
        c->asked[c->joiners[k]] = 1;
    find_islands(g, c);
}

// Back to the velocity before. Ghosts go back on their ranks, too: what they were sent is no more.
static void restore(carom_grains *g, const carom_grains_instant *c, int grain)
{
    g->system.sphere_bodies[grain].v = c->velocity[grain];
    g->system.sphere_bodies[grain].w = c->spin[grain];
    if (g->host.refresh && grain < g->part->owned)
        g->sent[grain].travel = NAN;
}

static void join_seeds(carom_grains *g, carom_grains_instant *c, double more)
{
    for (int i = g->part->owned; i < g->part->count; ++i)
        keep_velocity(g, c, i);
    for (int k = 0; k < c->closer_count; ++k)
        if (c->seed[c->closers[k]])
            join(g, c, c->closers[k], more);
}

bool carom_grains_reach_next(carom_grains *g, carom_grains_instant *instant, int round)
{
    carom_grains_instant *c = instant;
    if (round == ROUNDS || (round > 0 && c->in_count == c->near_count))
        return false;
    double more = layers_of(c, round);
    if (round == 0)
        join_seeds(g, c, more);
    else if (!join_beyond(g, c, more))
        return false;
    spread(g, c);
    choose(g, c);
    for (int k = 0; k < c->member_count && round > 0; ++k)
        if (g->fresh[c->members[k]] > 0)
            restore(g, c, c->members[k]);
    return true;
}

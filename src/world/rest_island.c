// Islands of the resting solve: movable bodies that hang together through contacts and joints.
//
// One with many contacts is cut for several threads (contact/contact_partition.c), and its bodies
// are put into the same order.
#include <stdint.h>
#include <string.h>
#include "base/sets.h"
#include "base/team.h"
#include "world/rest.h"

enum { SLAB_BODIES = 2048 };

typedef struct joining {
    carom_rest *rest;
    int *parent;       // per body
    int *island;       // per body: its island, once they are numbered; of roots at first; or -1
    uint32_t *contact; // per resting contact: its root and what is set of these; then its island
} joining;

// Beside the root of a contact.
#define FRESH UINT32_C(0x80000000) // new in this round
#define WARM UINT32_C(0x40000000)  // has an impulse to start from
#define NUMBER UINT32_C(0x3fffffff)

static carom_status join(carom_rest *rest, joining *j, carom_error *err);
static carom_status count_islands(carom_rest *rest, joining *j, carom_error *err);
static carom_status sort_members(carom_rest *rest, joining *j, carom_error *err);
static carom_status sort_contacts(carom_rest *rest, joining *j, carom_error *err);
static carom_status cut(carom_rest *rest, carom_error *err);

carom_status carom_rest_island_build(carom_rest *rest, carom_error *err)
{
    joining j = { .rest = rest };
    rest->island_count = 0;
    TRY(join(rest, &j, err));
    TRY(count_islands(rest, &j, err));
    TRY(sort_members(rest, &j, err));
    TRY(sort_contacts(rest, &j, err));
    return cut(rest, err);
}

static bool movable(const carom_rest *rest, int i)
{
    return i >= 0 && !rest->step->world->fixed[i];
}

static void tie_share(const joining *j, int threads)
{
    const carom_rest *rest = j->rest;
    int end = carom_team_end(rest->contact_count, threads);
    int last_a = -1, last_b = -1; // the points of a pair stand in a row
    for (int i = carom_team_begin(rest->contact_count, threads); i < end; ++i) {
        int a = rest->step->resting_contacts[i].a, b = rest->step->resting_contacts[i].b;
        if (a == last_a && b == last_b)
            continue;
        last_a = a, last_b = b;
        if (movable(rest, a) && movable(rest, b))
            sets_join_shared(j->parent, a, b);
    }
}
CAROM_TEAM_SHARE2(tie_share, const joining *, int)

// The root of each contact, by whichever of its bodies moves.
static void root_share(const joining *j, int threads)
{
    const carom_rest *rest = j->rest;
    int end = carom_team_end(rest->contact_count, threads);
    int last = -1, root = -1; // the body of the contact before, and its root
    for (int i = carom_team_begin(rest->contact_count, threads); i < end; ++i) {
        const carom_resting_contact *resting = &rest->step->resting_contacts[i];
        vec3 p = resting->impulse;
        int body = movable(rest, resting->a) ? resting->a : resting->b;
        root = body == last ? root : sets_find_shared(j->parent, body);
        last = body;
        j->contact[i] = (uint32_t)root | (resting->fresh ? FRESH : 0) |
                        (p.x != 0 || p.y != 0 || p.z != 0 ? WARM : 0);
    }
}
CAROM_TEAM_SHARE2(root_share, const joining *, int)

static carom_status join(carom_rest *rest, joining *j, carom_error *err)
{
    const carom_step *step = rest->step;
    int team = carom_team_worth(rest->contact_count, step->world->options.threads);
    TAKE(step->world->scratch, j->parent, step->world->count, err);
    TAKE(step->world->scratch, j->island, step->world->count, err);
    TAKE(step->world->scratch, j->contact, rest->contact_count, err);
    for (int i = 0; i < step->world->count; ++i) {
        j->parent[i] = i;
        j->island[i] = -1;
    }
    CAROM_TEAM(team, tie_share(j, team));
    for (int i = 0; i < rest->joint_count; ++i) {
        int count, *member = carom_linkage_held(step, i, &count);
        for (int k = 1; k < count; ++k)
            if (movable(rest, member[0]) && movable(rest, member[k]))
                sets_join(j->parent, member[0], member[k]);
    }
    CAROM_TEAM(team, root_share(j, team));
    return CAROM_OK;
}

// The island of a root; a new number where there was none.
static int number_of(carom_rest *rest, joining *j, int root)
{
    if (j->island[root] < 0)
        j->island[root] = rest->island_count++;
    return j->island[root];
}

// Numbers first, then room for as many: the contacts of a bed make one island.
static carom_status count_islands(carom_rest *rest, joining *j, carom_error *err)
{
    carom_step *step = rest->step;
    for (int i = 0; i < rest->contact_count; ++i)
        (void)number_of(rest, j, (int)(j->contact[i] & NUMBER));
    for (int i = 0; i < rest->joint_count; ++i) {
        int count, *member = carom_linkage_held(step, i, &count);
        if (count > 0)
            (void)number_of(rest, j, sets_find(j->parent, member[0]));
    }
    TAKE_ZEROS(step->world->scratch, rest->islands, rest->island_count + 1, err);
    for (int i = 0; i < rest->contact_count; ++i) {
        uint32_t said = j->contact[i];
        j->contact[i] = (uint32_t)j->island[said & NUMBER];
        carom_rest_island *island = &rest->islands[j->contact[i]];
        ++island->set.count;
        if (said & FRESH)
            island->method = CAROM_REST_SWEPT;
        if (said & WARM)
            island->start = CAROM_REST_WARM;
    }
    for (int i = 0; i < rest->joint_count; ++i) {
        int count, *member = carom_linkage_held(step, i, &count);
        if (count == 0)
            continue;
        carom_rest_island *island = &rest->islands[j->island[sets_find(j->parent, member[0])]];
        ++island->joint_count;
        if (rest->first)
            island->method = CAROM_REST_SWEPT;
    }
    for (int i = 1; i <= rest->island_count; ++i) {
        rest->islands[i].set.first =
            rest->islands[i - 1].set.first + rest->islands[i - 1].set.count;
        rest->islands[i].first_joint =
            rest->islands[i - 1].first_joint + rest->islands[i - 1].joint_count;
    }
    return CAROM_OK;
}

// Islands count as made of spheres until a body says otherwise; immovable bodies that turn concern
// all of them.
static void note_immovable(carom_rest *rest)
{
    const carom_world *world = rest->step->world;
    bool spheres = true;
    rest->immovable_count = 0;
    rest->driven = false;
    for (int i = 0; i < world->count; ++i)
        if (world->fixed[i] && !world->asleep[i]) {
            vec3 w = world->now.spin[i];
            spheres = spheres && w.x == 0 && w.y == 0 && w.z == 0;
            rest->driven = rest->driven || world->kind[i] == CAROM_BODY_DRIVEN;
            ++rest->immovable_count;
        }
    for (int i = 0; i < rest->contact_count && world->asleep_count > 0; ++i)
        rest->immovable_count += carom_rest_sleeper(rest, i) >= 0;
    for (int k = 0; k < rest->island_count; ++k)
        rest->islands[k].set.spheres = spheres;
}

// Every body finds its island. Those of roots stand already, and are the same when they are set
// again.
static void member_share(const joining *j, int threads)
{
    const carom_world *world = j->rest->step->world;
    int end = carom_team_end(world->count, threads);
    for (int i = carom_team_begin(world->count, threads); i < end; ++i) {
        int root = sets_find_shared(j->parent, i);
        int island = world->fixed[i] ? -1 : __atomic_load_n(&j->island[root], __ATOMIC_RELAXED);
        if (i != root || world->fixed[i])
            j->island[i] = island;
    }
}
CAROM_TEAM_SHARE2(member_share, const joining *, int)

// Places for the members of each island, and room for what is known of them.
static carom_status take_places(carom_rest *rest, int **next, carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    int total = 0, noted = 0;
    TAKE(scratch, *next, rest->island_count, err);
    for (int k = 0; k < rest->island_count; ++k) {
        carom_rest_island *island = &rest->islands[k];
        (*next)[k] = island->set.first_body = total;
        island->first_noted = noted;
        total += island->set.body_count;
        noted += carom_rest_sweep_notes(island) ? island->set.body_count : 0;
    }
    rest->member_count = total;
    TAKE(scratch, rest->member, total, err);
    TAKE(scratch, rest->noted[0], noted, err);
    TAKE(scratch, rest->noted[1], noted, err);
    return CAROM_OK;
}

static carom_status sort_members(carom_rest *rest, joining *j, carom_error *err)
{
    const carom_world *world = rest->step->world;
    int *next, team = carom_team_worth(world->count, world->options.threads);
    note_immovable(rest);
    CAROM_TEAM(team, member_share(j, team));
    for (int i = 0; i < world->count; ++i) {
        if (j->island[i] < 0)
            continue;
        carom_contact_island *set = &rest->islands[j->island[i]].set;
        ++set->body_count;
        set->spheres = set->spheres && world->sphere[i];
    }
    TRY(take_places(rest, &next, err));
    for (int i = 0; i < world->count; ++i)
        if (j->island[i] >= 0)
            rest->member[next[j->island[i]]++] = i;
    return CAROM_OK;
}

static carom_status sort_contacts(carom_rest *rest, joining *j, carom_error *err)
{
    carom_step *step = rest->step;
    int *next, *next_joint;
    TAKE(step->world->scratch, next, rest->island_count, err);
    TAKE(step->world->scratch, next_joint, rest->island_count, err);
    TAKE(step->world->scratch, rest->source, rest->contact_count, err);
    TAKE(step->world->scratch, rest->joint_order, rest->joint_count, err);
    for (int k = 0; k < rest->island_count; ++k) {
        next[k] = rest->islands[k].set.first;
        next_joint[k] = rest->islands[k].first_joint;
    }
    for (int i = 0; i < rest->contact_count; ++i)
        rest->source[next[j->contact[i]]++] = i;
    for (int i = 0; i < rest->joint_count; ++i) {
        int count, *member = carom_linkage_held(step, i, &count);
        if (count > 0)
            rest->joint_order[next_joint[j->island[sets_find(j->parent, member[0])]]++] = i;
    }
    return CAROM_OK;
}

// Members in the order of their slabs: the bodies of a slab are neighbours in memory, too.
static carom_status sort_by_slab(carom_rest *rest, const carom_contact_island *set, const int *slab,
                                 carom_error *err)
{
    int next[CAROM_CONTACT_SLABS + 1] = { 0 }, *before, *member = rest->member + set->first_body;
    TAKE(rest->step->world->scratch, before, set->body_count, err);
    memcpy(before, member, (size_t)set->body_count * sizeof *before);
    for (int i = 0; i < set->body_count; ++i)
        ++next[slab[member[i]] + 1];
    for (int k = 0; k < CAROM_CONTACT_SLABS; ++k)
        next[k + 1] += next[k];
    for (int i = 0; i < set->body_count; ++i)
        member[next[slab[before[i]]]++] = before[i];
    return CAROM_OK;
}

// The movable bodies of the contacts of an island.
static void pair_share(const carom_rest *rest, const carom_contact_island *set, int (*pair)[2],
                       int threads)
{
    int end = carom_team_end(set->count, threads);
    for (int i = carom_team_begin(set->count, threads); i < end; ++i) {
        const carom_resting_contact *resting = carom_rest_source(rest, set->first + i);
        pair[i][0] = movable(rest, resting->a) ? resting->a : -1;
        pair[i][1] = movable(rest, resting->b) ? resting->b : -1;
    }
}
typedef int (*pairs)[2];
CAROM_TEAM_SHARE4(pair_share, const carom_rest *, const carom_contact_island *, pairs, int)

// Puts the contacts of one island into the order of its ranges. Slabs hold equal numbers of bodies.
static carom_status cut_island(carom_rest *rest, carom_contact_island *set, int *slab,
                               carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    int slabs = set->body_count / SLAB_BODIES, *before, *order, *place, (*pair)[2];
    int team = rest->step->world->options.threads;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    TAKE(scratch, before, set->count, err);
    TAKE(scratch, order, set->count, err);
    TAKE(scratch, place, set->count, err);
    TAKE(scratch, pair, set->count, err);
    memcpy(before, rest->source + set->first, (size_t)set->count * sizeof *before);
    CAROM_TEAM(team, pair_share(rest, set, pair, team));
    carom_contact_cut cut = { .position = &rest->step->world->now.position[0].x,
                              .stride = 3,
                              .body = rest->member + set->first_body,
                              .body_count = set->body_count,
                              .count = set->count,
                              .pair = (const int(*)[2])pair,
                              .slabs = slabs < 2                     ? 2
                                       : slabs > CAROM_CONTACT_SLABS ? CAROM_CONTACT_SLABS
                                                                     : slabs,
                              .slab = slab,
                              .order = order,
                              .place = place,
                              .threads = team };
    carom_contact_partition(&cut, set, rest->system.ranges);
    for (int i = 0; i < set->count; ++i)
        rest->source[set->first + i] = before[order[i]];
    TRY(sort_by_slab(rest, set, slab, err));
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status cut(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    int total = 0, *slab = NULL;
    for (int k = 0; k < rest->island_count; ++k) {
        rest->islands[k].set.first_range = total;
        total += rest->islands[k].set.count < CAROM_REST_LARGE ? 1 : CAROM_CONTACT_RANGES;
    }
    TAKE(world->scratch, rest->system.ranges, total, err);
    for (int k = 0; k < rest->island_count; ++k) {
        carom_contact_island *set = &rest->islands[k].set;
        if (set->count < CAROM_REST_LARGE) {
            carom_contact_partition_whole(set, rest->system.ranges);
            continue;
        }
        if (!slab)
            TAKE(world->scratch, slab, world->count, err);
        TRY(cut_island(rest, set, slab, err));
    }
    return CAROM_OK;
}

// Islands of the resting solve: movable bodies that hang together through contacts and joints.
//
// One with many contacts is cut for several threads (contact/contact_partition.c), and its bodies
// are put into the same order.
#include <string.h>
#include "world/rest.h"
#include "base/sets.h"

enum { SLAB_BODIES = 2048 };

typedef struct joining {
    int *parent;    // per body
    int *island_of; // per root
} joining;

static carom_status join(carom_rest *rest, joining *j, carom_error *err);
static carom_status count_islands(carom_rest *rest, joining *j, carom_error *err);
static carom_status sort_members(carom_rest *rest, joining *j, carom_error *err);
static carom_status sort_contacts(carom_rest *rest, joining *j, carom_error *err);
static carom_status cut(carom_rest *rest, carom_error *err);

carom_status carom_rest_island_build(carom_rest *rest, carom_error *err)
{
    joining j = { 0 };
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

static void tie(const carom_rest *rest, int *parent, int a, int b)
{
    if (movable(rest, a) && movable(rest, b))
        sets_join(parent, a, b);
}

static carom_status join(carom_rest *rest, joining *j, carom_error *err)
{
    const carom_step *step = rest->step;
    TAKE(step->world->scratch, j->parent, step->world->count, err);
    TAKE(step->world->scratch, j->island_of, step->world->count, err);
    for (int i = 0; i < step->world->count; ++i) {
        j->parent[i] = i;
        j->island_of[i] = -1;
    }
    for (int i = 0; i < step->resting_count; ++i)
        tie(rest, j->parent, step->resting_contacts[i].a, step->resting_contacts[i].b);
    for (int i = 0; i < rest->joint_count; ++i) {
        int count, *member = carom_linkage_held(step, i, &count);
        for (int k = 1; k < count; ++k)
            tie(rest, j->parent, member[0], member[k]);
    }
    return CAROM_OK;
}

// The island of a pair, by whichever of its bodies moves; a new one where there was none.
static int island_of(carom_rest *rest, joining *j, int a, int b)
{
    int root = sets_find(j->parent, movable(rest, a) ? a : b);
    if (j->island_of[root] < 0) {
        rest->islands[rest->island_count] = (carom_rest_island){ 0 };
        j->island_of[root] = rest->island_count++;
    }
    return j->island_of[root];
}

static carom_status count_islands(carom_rest *rest, joining *j, carom_error *err)
{
    carom_step *step = rest->step;
    // there cannot be more than contacts and linkages
    TAKE(step->world->scratch, rest->islands,
         (size_t)rest->contact_count + (size_t)rest->joint_count + 1, err);
    rest->islands[0] = (carom_rest_island){ 0 };
    for (int i = 0; i < step->resting_count; ++i) {
        carom_resting_contact *resting = &step->resting_contacts[i];
        resting->island = island_of(rest, j, resting->a, resting->b);
        carom_rest_island *island = &rest->islands[resting->island];
        ++island->set.count;
        if (resting->fresh)
            island->method = CAROM_REST_SWEPT;
        if (resting->impulse.x != 0 || resting->impulse.y != 0 || resting->impulse.z != 0)
            island->start = CAROM_REST_WARM;
    }
    for (int i = 0; i < rest->joint_count; ++i) {
        int count, *member = carom_linkage_held(step, i, &count);
        if (count == 0)
            continue;
        carom_rest_island *island = &rest->islands[island_of(rest, j, member[0], member[0])];
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

static carom_status sort_members(carom_rest *rest, joining *j, carom_error *err)
{
    const carom_world *world = rest->step->world;
    int total = 0, *next;
    note_immovable(rest);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < world->count; ++i) {
            int island = world->fixed[i] ? -1 : j->island_of[sets_find(j->parent, i)];
            if (island < 0)
                continue;
            if (pass == 0)
                ++rest->islands[island].set.body_count;
            else
                rest->member[next[island]++] = i;
            rest->islands[island].set.spheres =
                rest->islands[island].set.spheres && world->sphere[i];
        }
        if (pass == 1)
            break;
        TAKE(world->scratch, next, rest->island_count, err);
        for (int k = 0; k < rest->island_count; ++k) {
            next[k] = rest->islands[k].set.first_body = total;
            total += rest->islands[k].set.body_count;
        }
        rest->member_count = total;
        TAKE(world->scratch, rest->member, total, err);
        TAKE(world->scratch, rest->system.body_last, total, err);
        TAKE(world->scratch, rest->system.body_direction, total, err);
        TAKE_ZEROS(world->scratch, rest->noted[0], total, err);
        TAKE_ZEROS(world->scratch, rest->noted[1], total, err);
    }
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
    for (int i = 0; i < step->resting_count; ++i)
        rest->source[next[step->resting_contacts[i].island]++] = i;
    for (int i = 0; i < rest->joint_count; ++i) {
        int count, *member = carom_linkage_held(step, i, &count);
        if (count > 0)
            rest->joint_order[next_joint[island_of(rest, j, member[0], member[0])]++] = i;
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

// Puts the contacts of one island into the order of its ranges. Slabs hold equal numbers of bodies.
static carom_status cut_island(carom_rest *rest, carom_contact_island *set, int *slab,
                               carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    int slabs = set->body_count / SLAB_BODIES, *before, *order, *place, (*pair)[2];
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    TAKE(scratch, before, set->count, err);
    TAKE(scratch, order, set->count, err);
    TAKE(scratch, place, set->count, err);
    TAKE(scratch, pair, set->count, err);
    memcpy(before, rest->source + set->first, (size_t)set->count * sizeof *before);
    for (int i = 0; i < set->count; ++i) {
        const carom_resting_contact *resting = &rest->step->resting_contacts[before[i]];
        pair[i][0] = movable(rest, resting->a) ? resting->a : -1;
        pair[i][1] = movable(rest, resting->b) ? resting->b : -1;
    }
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
                              .place = place };
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

// Islands of the resting solve: movable bodies that hang together through contacts and joints.
//
// An island with many contacts is cut into slabs across its longest extent, always the same ones
// whatever the number of threads: first all contacts inside slabs, then those between a slab of
// even number and the next, then those between one of odd number and the next, then the few that
// reach farther. Slabs hold equal numbers of bodies, by a histogram of positions.
#include <string.h>
#include "world/rest.h"
#include "base/sets.h"

enum { SLAB_BODIES = 2048, MOST_SLABS = 64, BINS = 1024 };

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
        carom_resting_contact *press = &step->resting_contacts[i];
        press->island = island_of(rest, j, press->a, press->b);
        carom_rest_island *island = &rest->islands[press->island];
        ++island->count;
        island->fresh = island->fresh || press->fresh;
        island->warm =
            island->warm || press->impulse.x != 0 || press->impulse.y != 0 || press->impulse.z != 0;
    }
    for (int i = 0; i < rest->joint_count; ++i) {
        int count, *member = carom_linkage_held(step, i, &count);
        if (count == 0)
            continue;
        carom_rest_island *island = &rest->islands[island_of(rest, j, member[0], member[0])];
        ++island->joint_count;
        island->fresh = island->fresh || rest->first;
    }
    for (int i = 1; i <= rest->island_count; ++i) {
        rest->islands[i].first = rest->islands[i - 1].first + rest->islands[i - 1].count;
        rest->islands[i].first_joint =
            rest->islands[i - 1].first_joint + rest->islands[i - 1].joint_count;
    }
    return CAROM_OK;
}

// Islands count as made of balls until a body says otherwise; immovable bodies that turn concern
// all of them.
static void note_immovable(carom_rest *rest)
{
    const carom_world *world = rest->step->world;
    bool balls = true;
    rest->immovable_count = 0;
    rest->driven = false;
    for (int i = 0; i < world->count; ++i)
        if (world->fixed[i]) {
            vec3 w = world->now.spin[i];
            balls = balls && w.x == 0 && w.y == 0 && w.z == 0;
            rest->driven = rest->driven || world->kind[i] == CAROM_BODY_DRIVEN;
            ++rest->immovable_count;
        }
    for (int k = 0; k < rest->island_count; ++k)
        rest->islands[k].balls = balls;
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
                ++rest->islands[island].body_count;
            else
                rest->member[next[island]++] = i;
            rest->islands[island].balls = rest->islands[island].balls && world->sphere[i];
        }
        if (pass == 1)
            break;
        TAKE(world->scratch, next, rest->island_count, err);
        for (int k = 0; k < rest->island_count; ++k) {
            next[k] = rest->islands[k].first_body = total;
            total += rest->islands[k].body_count;
        }
        rest->member_count = total;
        TAKE(world->scratch, rest->member, total, err);
        TAKE(world->scratch, rest->body_before, total, err);
        TAKE(world->scratch, rest->body_along, total, err);
    }
    return CAROM_OK;
}

static carom_status sort_contacts(carom_rest *rest, joining *j, carom_error *err)
{
    carom_step *step = rest->step;
    int *next, *next_joint;
    TAKE(step->world->scratch, next, rest->island_count, err);
    TAKE(step->world->scratch, next_joint, rest->island_count, err);
    TAKE(step->world->scratch, rest->press_of, rest->contact_count, err);
    TAKE(step->world->scratch, rest->joint_order, rest->joint_count, err);
    for (int k = 0; k < rest->island_count; ++k) {
        next[k] = rest->islands[k].first;
        next_joint[k] = rest->islands[k].first_joint;
    }
    for (int i = 0; i < step->resting_count; ++i)
        rest->press_of[next[step->resting_contacts[i].island]++] = i;
    for (int i = 0; i < rest->joint_count; ++i) {
        int count, *member = carom_linkage_held(step, i, &count);
        if (count > 0)
            rest->joint_order[next_joint[island_of(rest, j, member[0], member[0])]++] = i;
    }
    return CAROM_OK;
}

static double coordinate(vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

// The axis along which the island is longest, and its range there.
static int longest(const carom_rest *rest, const carom_rest_island *island, double range[2])
{
    const vec3 *x = rest->step->world->now.position;
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 3; ++axis) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = island->first_body; i < island->first_body + island->body_count; ++i) {
            double at = coordinate(x[rest->member[i]], axis);
            low = fmin(low, at);
            high = fmax(high, at);
        }
        if (high - low > most) {
            most = high - low;
            best = axis;
            range[0] = low;
            range[1] = high;
        }
    }
    return best;
}

// Slab of every body of the island, into slab[body].
static int cut_bodies(const carom_rest *rest, const carom_rest_island *island, int *slab)
{
    const vec3 *x = rest->step->world->now.position;
    int slabs = island->body_count / SLAB_BODIES, histogram[BINS] = { 0 }, slab_of[BINS];
    slabs = slabs < 2 ? 2 : slabs > MOST_SLABS ? MOST_SLABS : slabs;
    double range[2] = { 0, 0 };
    int axis = longest(rest, island, range), seen = 0;
    double per_bin = range[1] > range[0] ? (BINS - 1) / (range[1] - range[0]) : 0;
    for (int i = island->first_body; i < island->first_body + island->body_count; ++i)
        ++histogram[(int)((coordinate(x[rest->member[i]], axis) - range[0]) * per_bin)];
    for (int k = 0; k < BINS; ++k) {
        slab_of[k] = (int)((long)seen * slabs / island->body_count);
        seen += histogram[k];
    }
    for (int i = island->first_body; i < island->first_body + island->body_count; ++i) {
        int body = rest->member[i];
        slab[body] = slab_of[(int)((coordinate(x[body], axis) - range[0]) * per_bin)];
    }
    return slabs;
}

// Members in the order of their slabs: the bodies of a slab are neighbours in memory, too.
static carom_status sort_by_slab(carom_rest *rest, const carom_rest_island *island, const int *slab,
                                 carom_error *err)
{
    int next[MOST_SLABS + 1] = { 0 }, *before, *member = rest->member + island->first_body;
    TAKE(rest->step->world->scratch, before, island->body_count, err);
    memcpy(before, member, (size_t)island->body_count * sizeof *before);
    for (int i = 0; i < island->body_count; ++i)
        ++next[slab[member[i]] + 1];
    for (int k = 0; k < MOST_SLABS; ++k)
        next[k + 1] += next[k];
    for (int i = 0; i < island->body_count; ++i)
        member[next[slab[before[i]]]++] = before[i];
    return CAROM_OK;
}

// Which range of the island a contact belongs to: slabs, even steps, odd steps, the rest.
static int range_of(const carom_rest *rest, const carom_resting_contact *press, const int *slab,
                    int slabs)
{
    int a = movable(rest, press->a) ? slab[press->a] : slab[press->b];
    int b = movable(rest, press->b) ? slab[press->b] : slab[press->a];
    int low = a < b ? a : b, high = a < b ? b : a;
    if (low == high)
        return low;
    if (high > low + 1)
        return slabs + slabs - 1;
    int evens = slabs / 2;
    return slabs + (low % 2 == 0 ? low / 2 : evens + low / 2);
}

// Puts the contacts of one island into the order of its ranges.
static carom_status cut_island(carom_rest *rest, carom_rest_island *island, int *slab,
                               carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    int slabs = cut_bodies(rest, island, slab), ranges = 2 * slabs, *before, *place;
    int start[2 * MOST_SLABS + 1] = { 0 };
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    TAKE(scratch, before, island->count, err);
    TAKE(scratch, place, island->count, err);
    TRY(sort_by_slab(rest, island, slab, err));
    memcpy(before, rest->press_of + island->first, (size_t)island->count * sizeof *before);
    for (int i = 0; i < island->count; ++i) {
        place[i] = range_of(rest, &rest->step->resting_contacts[before[i]], slab, slabs);
        ++start[place[i] + 1];
    }
    for (int r = 0; r < ranges; ++r) {
        start[r + 1] += start[r];
        rest->ranges[island->first_range + r] =
            (carom_rest_range){ .begin = island->first + start[r],
                                .end = island->first + start[r + 1] };
    }
    for (int i = 0; i < island->count; ++i)
        rest->press_of[island->first + start[place[i]]++] = before[i];
    int evens = slabs / 2;
    island->phase_count[0] = slabs;
    island->phase_count[1] = evens;
    island->phase_count[2] = slabs - 1 - evens;
    island->phase_count[3] = 1;
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status cut(carom_rest *rest, carom_error *err)
{
    const carom_world *world = rest->step->world;
    int total = 0, *slab = NULL;
    for (int k = 0; k < rest->island_count; ++k) {
        rest->islands[k].first_range = total;
        total += rest->islands[k].count < CAROM_REST_LARGE ? 1 : 2 * MOST_SLABS;
    }
    TAKE(world->scratch, rest->ranges, total, err);
    for (int k = 0; k < rest->island_count; ++k) {
        carom_rest_island *island = &rest->islands[k];
        if (island->count >= CAROM_REST_LARGE) {
            if (!slab)
                TAKE(world->scratch, slab, world->count, err);
            TRY(cut_island(rest, island, slab, err));
            continue;
        }
        island->phase_count[0] = 1;
        rest->ranges[island->first_range] =
            (carom_rest_range){ .begin = island->first, .end = island->first + island->count };
    }
    return CAROM_OK;
}

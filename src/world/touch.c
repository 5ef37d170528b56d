// From the collision list to contacts with materials.
#include <stdlib.h>
#include "base/team.h"
#include "world/step.h"

// Distance, as a share of the smaller body's radius, within which a contact is the same as before.
#define NEAR 0.05
enum { WORTH_A_TEAM = 500 }; // memories: each is looked for among all touches

static double fastest(const carom_step *step);
static void set_reach(const carom_step *step, double struck_speed, int threads);
CAROM_TEAM_SHARE3(set_reach, const carom_step *, double, int)
static void recall_share(carom_step *step, int threads);
CAROM_TEAM_SHARE2(recall_share, carom_step *, int)

// Whether there are pairs that must not touch.
static bool choosy(const carom_world *world)
{
    bool any = world->joined_count > 0;
    for (int i = 0; i < world->count && !any; ++i)
        any = world->group[i] != 0 || world->kind[i] == CAROM_BODY_REMOVED;
    return any;
}

carom_status carom_touch_list(carom_world *world, const double *reach, double margin,
                              const carom_contact **contacts, int *count, carom_error *err)
{
    carom_collide_bodies bodies = { .count = world->count,
                                    .shape = world->shape,
                                    .position = world->now.position,
                                    .rotation = world->now.rotation,
                                    .fixed = world->fixed,
                                    .reach = reach,
                                    .margin = margin,
                                    .threads = world->options.threads,
                                    .stop = &world->stop };
    carom_body_pair *pairs;
    int pair_count, kept = 0;
    TRY(carom_collide_pairs(world->collide, &bodies, &pairs, &pair_count, err));
    bool all = !choosy(world);
    for (int i = 0; i < pair_count && !all; ++i) {
        int a = pairs[i].a, b = pairs[i].b, group = world->group[a];
        bool gone = world->kind[a] == CAROM_BODY_REMOVED || world->kind[b] == CAROM_BODY_REMOVED;
        if (!gone && (group == 0 || group != world->group[b]) &&
            !carom_world_joint_joins(world, a, b))
            pairs[kept++] = pairs[i];
    }
    kept = all ? pair_count : kept;
    TRY(carom_collide_contacts(world->collide, &bodies, pairs, kept, err));
    *contacts = carom_collide_list(world->collide, count);
    return CAROM_OK;
}

// A ball's spin has no part in the normal speed.
static double normal_speed(const carom_world *world, const carom_touch *touch)
{
    const vec3 *v = world->now.velocity;
    if (world->round[touch->a] && world->round[touch->b])
        return vec3_dot(touch->normal, vec3_sub(v[touch->b], v[touch->a]));
    return vec3_dot(touch->normal, carom_step_slip(world, touch));
}

static void find_share(carom_step *step, int threads)
{
    carom_world *world = step->world;
    double deepest = 0, slop = world->options.slop, fine = carom_resting_fine(world);
    int end = carom_team_end(step->touch_count, threads);
    for (int i = carom_team_begin(step->touch_count, threads); i < end; ++i) {
        const carom_contact *contact = &step->contacts[i];
        carom_touch *touch = &step->touches[i];
        *touch = (carom_touch){ .a = contact->a,
                                .b = contact->b,
                                .point = contact->point,
                                .normal = contact->normal,
                                .gap = contact->gap,
                                .resting = fine,
                                .restitution = -1 };
        touch->u = normal_speed(world, touch);
        touch->friction = carom_restitution_friction(world, touch->a, touch->b);
        step->deep[i] = contact->gap <= -slop;
        step->recall_of[i] = 0;
        deepest = -contact->gap > deepest ? -contact->gap : deepest;
    }
    carom_team_lock(threads);
    world->now.ledger.deepest = fmax(world->now.ledger.deepest, deepest);
    carom_team_unlock(threads);
}
CAROM_TEAM_SHARE2(find_share, carom_step *, int)

carom_status carom_touch_find(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    int team = carom_team_worth(world->count, world->options.threads), count;
    CAROM_TEAM(team, set_reach(step, fastest(step), team));
    TRY(carom_touch_list(world, world->reach, 2 * world->options.slop, &step->contacts, &count,
                         err));
    TAKE(world->scratch, step->touches, count, err);
    TAKE(world->scratch, step->deep, count, err);
    TAKE(world->scratch, step->recall_of, count, err);
    TAKE(world->scratch, step->recalled, world->memory_count, err);
    step->recalled_turns = NULL;
    if (world->rolling)
        TAKE(world->scratch, step->recalled_turns, world->memory_count, err);
    step->touch_count = count;
    world->now.ledger.contacts = count;
    world->now.ledger.deepest = 0;
    team = carom_team_worth(count, world->options.threads);
    CAROM_TEAM(team, find_share(step, team));
    team = world->memory_count > WORTH_A_TEAM ? world->options.threads : 1;
    CAROM_TEAM(team, recall_share(step, team));
    return carom_resting_choose(step, err);
}

// The speed that a body may get from another in this interval's impacts: of the fastest body, or
// twice that of a driven one; none where times of impact are found.
static double fastest(const carom_step *step)
{
    const carom_world *world = step->world;
    double most = 0;
    for (int i = 0; i < world->count && !step->to_event; ++i) {
        double square = vec3_dot(world->now.velocity[i], world->now.velocity[i]);
        square *= world->kind[i] == CAROM_BODY_DRIVEN ? 4 : 1;
        most = square > most ? square : most;
    }
    return sqrt(most);
}

// Without times of impact a body may be struck and meet another in the same interval: it reaches as
// far as the fastest would take it, up to a share of its own radius (a single fast body must not
// make neighbours of all).
static void set_reach(const carom_step *step, double struck_speed, int threads)
{
    const double share = 0.2;
    carom_world *world = step->world;
    double h = step->remaining, fall = 0.5 * vec3_length(vec3_from(world->options.gravity)) * h * h;
    double struck = struck_speed * h;
    int end = carom_team_end(world->count, threads);
    for (int i = carom_team_begin(world->count, threads); i < end; ++i) {
        vec3 w = world->now.spin[i];
        bool turns = !world->round[i] &&
                     carom_shape_kind_of(world->shape[i]) != CAROM_SHAPE_SPHERE &&
                     (w.x != 0 || w.y != 0 || w.z != 0);
        double turn = turns ? vec3_length(w) * carom_shape_radius(world->shape[i]) : 0;
        world->reach[i] = world->kind[i] == CAROM_BODY_FIXED
                              ? 0
                              : (vec3_length(world->now.velocity[i]) + turn) * h + fall;
        if (struck > 0 && !world->fixed[i])
            world->reach[i] =
                fmax(world->reach[i], fmin(struck, share * carom_shape_radius(world->shape[i])));
    }
}

static int compare(const carom_world_memory *memory, const carom_touch *touch)
{
    if (memory->a != touch->a)
        return memory->a < touch->a ? -1 : 1;
    if (memory->b != touch->b)
        return memory->b < touch->b ? -1 : 1;
    return 0;
}

static double distance_squared(vec3 a, vec3 b)
{
    vec3 d = vec3_sub(a, b);
    return vec3_dot(d, d);
}

// What the contact carried goes to the touch, which may get it of several.
static void give(carom_step *step, int touch, int memory)
{
    vec3 impulse = step->world->memory[memory].impulse;
    int at = step->recall_of[touch] - 1;
    bool more = at >= 0;
    if (!more) {
        at = memory;
        step->recall_of[touch] = memory + 1;
    }
    step->recalled[at] = more ? vec3_add(step->recalled[at], impulse) : impulse;
    if (!step->recalled_turns)
        return;
    vec3 turn = step->world->turns[memory];
    step->recalled_turns[at] = more ? vec3_add(step->recalled_turns[at], turn) : turn;
}

// The touches [begin, end) of one pair and the memories [first, last) of the same pair. A feature
// that was there before has its impulse. Names change where edges lie on each other (round-off
// decides which corner is whose) and corners part and merge: each memory left goes to the nearest
// contact, if that is near enough to be the same.
static void recall_pair(carom_step *step, int begin, int end, int first, int last)
{
    carom_world *world = step->world;
    double size = fmin(carom_shape_radius(world->shape[step->touches[begin].a]),
                       carom_shape_radius(world->shape[step->touches[begin].b]));
    int guess = begin; // mostly the order is the same
    for (int k = first; k < last; ++k) {
        const carom_world_memory *memory = &world->memory[k];
        int best = -1;
        for (int i = 0; i < end - begin && best < 0; ++i) {
            int at = guess + i < end ? guess + i : guess + i - (end - begin);
            if (step->contacts[at].feature == memory->feature)
                best = at;
        }
        double nearest = NEAR * NEAR * size * size;
        for (int i = begin; i < end && best < 0; ++i) // by name there was none
            nearest = fmin(nearest, distance_squared(step->touches[i].point, memory->point));
        for (int i = begin; i < end && best < 0; ++i)
            if (distance_squared(step->touches[i].point, memory->point) <= nearest)
                best = i;
        if (best < 0)
            continue;
        give(step, best, k);
        guess = best + 1 < end ? best + 1 : begin;
    }
}

// The first touch from `from` on that does not come before the memory's pair: by leaps, as in a
// shaken layer few contacts have carried anything.
static int seek(const carom_step *step, const carom_world_memory *memory, int from)
{
    int leap = 1, low = from;
    while (low + leap < step->touch_count && compare(memory, &step->touches[low + leap - 1]) > 0) {
        low += leap;
        leap *= 2;
    }
    int high = low + leap < step->touch_count ? low + leap : step->touch_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare(memory, &step->touches[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool same_pair(const carom_world_memory *one, const carom_world_memory *other)
{
    return one->a == other->a && one->b == other->b;
}

// Both lists are sorted by pair: one walk along them finds each contact's impulse of the last step.
// A thread takes the pairs that begin in its share of the memories.
static void recall_share(carom_step *step, int threads)
{
    const carom_world *world = step->world;
    const carom_world_memory *memory = world->memory;
    int first = carom_team_begin(world->memory_count, threads);
    int end = carom_team_end(world->memory_count, threads), begin = 0;
    while (first > 0 && first < end && same_pair(&memory[first - 1], &memory[first]))
        ++first;
    for (int last; first < end; first = last) {
        for (last = first + 1;
             last < world->memory_count && same_pair(&memory[last], &memory[first]);)
            ++last;
        begin = seek(step, &memory[first], begin);
        int behind = begin;
        while (behind < step->touch_count && compare(&memory[first], &step->touches[behind]) == 0)
            ++behind;
        if (behind > begin)
            recall_pair(step, begin, behind, first, last);
        begin = behind;
    }
}

// From the collision list to contacts with materials.
#include <stdlib.h>
#include "world/step.h"

// Distance, as a share of the smaller body's radius, within which a contact is the same as before.
#define NEAR 0.05

static void set_reach(const carom_step *step);
static void recall(carom_step *step);

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
                                    .threads = world->options.threads };
    carom_pair *pairs;
    int pair_count, kept = 0;
    TRY(carom_collide_pairs(world->collide, &bodies, &pairs, &pair_count, err));
    for (int i = 0; i < pair_count; ++i) {
        int a = pairs[i].a, b = pairs[i].b, group = world->group[a];
        bool gone = world->kind[a] == CAROM_BODY_REMOVED || world->kind[b] == CAROM_BODY_REMOVED;
        if (!gone && (group == 0 || group != world->group[b]) &&
            !carom_world_joint_joins(world, a, b))
            pairs[kept++] = pairs[i];
    }
    TRY(carom_collide_contacts(world->collide, &bodies, pairs, kept, err));
    *contacts = carom_collide_list(world->collide, count);
    return CAROM_OK;
}

carom_status carom_touch_find(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    const carom_contact *contacts;
    int count;
    set_reach(step);
    TRY(carom_touch_list(world, world->reach, 2 * world->options.slop, &contacts, &count, err));
    TAKE(world->scratch, step->touches, count, err);
    step->touch_count = count;
    world->now.ledger.contacts = count;
    world->now.ledger.deepest = 0;
    for (int i = 0; i < count; ++i) {
        const carom_contact *contact = &contacts[i];
        carom_touch *touch = &step->touches[i];
        *touch = (carom_touch){ .a = contact->a,
                                .b = contact->b,
                                .point = contact->point,
                                .normal = contact->normal,
                                .gap = contact->gap,
                                .feature = contact->feature };
        touch->u = vec3_dot(touch->normal, carom_step_slip(world, touch));
        touch->friction = carom_restitution_friction(world, touch->a, touch->b);
        touch->restitution = -1;
        world->now.ledger.deepest = fmax(world->now.ledger.deepest, -contact->gap);
    }
    recall(step);
    return CAROM_OK;
}

// The speed that a body may get from another in this interval's impacts: of the fastest body, or
// twice that of a driven one.
static double fastest(const carom_world *world)
{
    double most = 0;
    for (int i = 0; i < world->count; ++i) {
        double square = vec3_dot(world->now.velocity[i], world->now.velocity[i]);
        square *= world->kind[i] == CAROM_BODY_DRIVEN ? 4 : 1;
        most = square > most ? square : most;
    }
    return sqrt(most);
}

// Without times of impact a body may be struck and meet another in the same interval: it reaches as
// far as the fastest would take it, up to a share of its own radius (a single fast body must not
// make neighbours of all).
static void set_reach(const carom_step *step)
{
    const double share = 0.2;
    carom_world *world = step->world;
    double h = step->remaining, fall = 0.5 * vec3_length(vec3_from(world->options.gravity)) * h * h;
    double struck = step->to_event ? 0 : fastest(world) * h;
    for (int i = 0; i < world->count; ++i) {
        double turn = carom_shape_kind_of(world->shape[i]) == CAROM_SHAPE_SPHERE ||
                              vec3_length(world->now.spin[i]) == 0
                          ? 0
                          : vec3_length(world->now.spin[i]) * carom_shape_radius(world->shape[i]);
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
            if (step->touches[at].feature == memory->feature)
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
        step->touches[best].recalled = vec3_add(step->touches[best].recalled, memory->impulse);
        guess = best + 1 < end ? best + 1 : begin;
    }
}

// Both lists are sorted by pair: one walk along them finds each contact's impulse of the last step.
static void recall(carom_step *step)
{
    carom_world *world = step->world;
    int first = 0;
    for (int begin = 0, end; begin < step->touch_count; begin = end) {
        carom_touch *touch = &step->touches[begin];
        for (end = begin + 1; end < step->touch_count && step->touches[end].a == touch->a &&
                              step->touches[end].b == touch->b;)
            ++end;
        while (first < world->memory_count && compare(&world->memory[first], touch) < 0)
            ++first;
        int last = first;
        while (last < world->memory_count && compare(&world->memory[last], touch) == 0)
            ++last;
        if (last > first)
            recall_pair(step, begin, end, first, last);
    }
}

// From the collision list to contacts with materials.
#include <stdlib.h>
#include "world/step.h"

static void set_reach(const carom_step *step);
static double combine(const carom_world *world, int a, int b, double speed, double *friction);
static void recall(carom_step *step);

carom_status carom_touch_find(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    set_reach(step);
    carom_collide_bodies bodies = { .count = world->count,
                                    .shape = world->shape,
                                    .position = world->now.position,
                                    .rotation = world->now.rotation,
                                    .fixed = world->fixed,
                                    .reach = world->reach,
                                    .margin = 2 * world->options.slop,
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

    int count;
    const carom_contact *contacts = carom_collide_list(world->collide, &count);
    TAKE(world->scratch, step->touches, count, err);
    step->touch_count = count;
    world->now.ledger.contacts = count;
    world->now.ledger.deepest = 0;
    for (int i = 0; i < count; ++i) {
        const carom_contact *contact = &contacts[i];
        carom_touch *touch = &step->touches[i];
        *touch =
            (carom_touch){ .a = contact->a,
                           .b = contact->b,
                           .point = contact->point,
                           .normal = contact->normal,
                           .gap = contact->gap,
                           .feature = contact->feature,
                           .arm_a = vec3_sub(contact->point, world->now.position[contact->a]),
                           .arm_b = vec3_sub(contact->point, world->now.position[contact->b]) };
        touch->u = vec3_dot(touch->normal, carom_step_slip(world, touch));
        touch->restitution = combine(world, touch->a, touch->b, -touch->u, &touch->friction);
        world->now.ledger.deepest = fmax(world->now.ledger.deepest, -contact->gap);
    }
    recall(step);
    return CAROM_OK;
}

static void set_reach(const carom_step *step)
{
    carom_world *world = step->world;
    double h = step->remaining, fall = 0.5 * vec3_length(vec3_from(world->options.gravity)) * h * h;
    for (int i = 0; i < world->count; ++i) {
        double turn = carom_shape_kind_of(world->shape[i]) == CAROM_SHAPE_SPHERE ||
                              vec3_length(world->now.spin[i]) == 0
                          ? 0
                          : vec3_length(world->now.spin[i]) * carom_shape_radius(world->shape[i]);
        world->reach[i] = world->kind[i] == CAROM_BODY_FIXED
                              ? 0
                              : (vec3_length(world->now.velocity[i]) + turn) * h + fall;
    }
}

// Restitution falls with speed where the material says so: max(e, 1 - c (u/u0)^p).
static double at_speed(const carom_material *m, double speed)
{
    if (m->fade == 0 || speed <= 0)
        return m->fade == 0 ? m->restitution : 1;
    return fmax(m->restitution, 1 - m->fade * pow(speed / m->fade_speed, m->fade_power));
}

static double combine(const carom_world *world, int a, int b, double speed, double *friction)
{
    int ma = world->material[a], mb = world->material[b];
    int low = ma < mb ? ma : mb, high = ma < mb ? mb : ma;
    for (int i = 0; i < world->pair_count; ++i)
        if (world->pairs[i].a == low && world->pairs[i].b == high) {
            *friction = world->pairs[i].friction;
            return world->pairs[i].restitution;
        }
    const carom_material *x = &world->materials[low], *y = &world->materials[high];
    *friction = sqrt(x->friction * y->friction);
    return sqrt(at_speed(x, speed) * at_speed(y, speed));
}

static int compare(const carom_world_memory *memory, const carom_touch *touch)
{
    if (memory->a != touch->a)
        return memory->a < touch->a ? -1 : 1;
    if (memory->b != touch->b)
        return memory->b < touch->b ? -1 : 1;
    return 0;
}

// Both lists are sorted by pair: one walk along them finds each contact's impulse of the last step.
static void recall(carom_step *step)
{
    carom_world *world = step->world;
    int first = 0;
    for (int i = 0; i < step->touch_count; ++i) {
        carom_touch *touch = &step->touches[i];
        while (first < world->memory_count && compare(&world->memory[first], touch) < 0)
            ++first;
        for (int k = first; k < world->memory_count && compare(&world->memory[k], touch) == 0; ++k)
            if (world->memory[k].feature == touch->feature) {
                touch->impulse = world->memory[k].impulse;
                break;
            }
    }
}

// Driven bodies in a step: the velocities that contacts see, that of a belt included, and the work
// that contacts take from them.
#include <string.h>
#include "world/motion.h"
#include "world/step.h"

// What contacts see of a body that moves with v.
static vec3 of_surface(const carom_world *world, int i, vec3 v)
{
    vec3 belt = vec3_from(world->drive[i].belt);
    return vec3_dot(belt, belt) > 0 ? vec3_add(v, belt) : v;
}

// Impacts see the velocity a driven body has at this moment.
void carom_world_driven_now(const carom_step *step)
{
    carom_world *world = step->world;
    for (int i = 0; i < world->count; ++i) {
        vec3 position, velocity;
        if (world->kind[i] != CAROM_BODY_DRIVEN)
            continue;
        carom_motion_drive(world, i, world->now.ledger.time, &position, &velocity);
        world->now.velocity[i] = of_surface(world, i, velocity);
    }
}

// Resting contacts see the mean velocity of a driven body over the interval, so that they arrive
// where it arrives.
void carom_world_driven_mean(const carom_step *step)
{
    carom_world *world = step->world;
    for (int i = 0; i < world->count; ++i) {
        vec3 end, velocity;
        if (world->kind[i] != CAROM_BODY_DRIVEN || step->h == 0)
            continue; // an impact right at the start: no time passes
        carom_motion_drive(world, i, world->now.ledger.time + step->h, &end, &velocity);
        vec3 mean = vec3_scale(1 / step->h, vec3_sub(end, world->now.position[i]));
        world->now.velocity[i] = of_surface(world, i, mean);
    }
}

double carom_world_driven_work(const carom_step *step)
{
    const carom_world *world = step->world;
    double work = 0;
    if (!memchr(world->kind, CAROM_BODY_DRIVEN, (size_t)world->count))
        return 0; // without a look at any contact
    for (int i = 0; i < step->resting_count; ++i)
        work +=
            carom_step_driven_work(world, &step->candidates[step->resting_contacts[i].candidate],
                                   step->resting_contacts[i].impulse);
    for (int i = 0; i < step->candidate_count && step->rolling_impulses; ++i)
        work +=
            carom_step_driven_turn(step->world, &step->candidates[i], step->rolling_impulses[i]);
    return work;
}

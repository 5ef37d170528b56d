// Periodic boundaries: what a world with them refuses, and how long its intervals may be.
#ifndef CAROM_WORLD_WORLD_PERIODIC_H
#define CAROM_WORLD_WORLD_PERIODIC_H

#include "world/step.h"

// Refuses ends that are no numbers, or the wrong way round.
carom_status carom_world_periodic_check(const carom_world_options *options, carom_error *err);
// The box of the options.
CAROM_SHARED carom_period carom_world_periodic_box(const carom_world_options *options);
// Refuses a body that could touch two images of another, and planes that a box would repeat.
carom_status carom_world_periodic_body(const carom_world *world, const carom_shape *shape,
                                       quat rotation, vec3 spin, carom_error *err);
// Refuses a step in which some body would go through the box again and again.
carom_status carom_world_periodic_step(const carom_world *world, double dt, carom_error *err);
// The interval ends before anybody is as far as the image after the next.
void carom_world_periodic_limit(carom_step *step);

#endif

// What acts on bodies besides contacts and joints. See world_force.c.
#ifndef CAROM_WORLD_WORLD_FORCE_H
#define CAROM_WORLD_WORLD_FORCE_H

#include "world/step.h"

// Asks the caller's function, and refuses what elastic stepping cannot do.
carom_status carom_world_force_ask(carom_world *world, double dt, carom_error *err);
// Accelerations over the next h seconds from the velocities as they are: pull, spin_pull.
void carom_world_force_find(carom_world *world, double h);
// Work (J) of forces from outside on a body that goes `way` (m) and turns with the mean spin `spin`
// (rad/s) in h seconds.
double carom_world_force_work(const carom_world *world, int i, double h, vec3 way, vec3 spin);
// The torque (N m, world frame) that makes its spin_pull.
vec3 carom_world_force_torque(const carom_world *world, int i);
// After a step that went well: forces of one step are over.
void carom_world_force_end(carom_world *world);

#endif

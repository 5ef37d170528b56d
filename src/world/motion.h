// How bodies move between contacts.
#ifndef CAROM_WORLD_MOTION_H
#define CAROM_WORLD_MOTION_H

#include "world/world.h"

// Inverse inertia in the world frame for every body's current rotation.
void carom_motion_refresh(carom_world *world);
// The rotation by a spin that stays, over h seconds: exact.
quat carom_motion_rotation(vec3 spin, double h);
// Free rotation over h seconds (back in time where h < 0): keeps kinetic energy and angular
// momentum to round-off, exact where the spin stays, of fourth order where it does not. False, and
// nothing moves, where a body whose inertia is not the same about every axis turns by more than
// CAROM_MOTION_MAX.
#define CAROM_MOTION_MAX 512 // rad
bool carom_motion_turn(sym3 inertia, double h, quat *rotation, vec3 *spin);
// The same of second order, and its own inverse with -h: for flights that are composed to a higher
// order. `inverse`: of the inertia, own frame.
bool carom_motion_turn_midpoint(sym3 inertia, sym3 inverse, double h, quat *rotation, vec3 *spin);
// Where a driven body is at a time, and its velocity there: that after a swing begins or ends where
// the time is nearer to that moment than round-off.
void carom_motion_drive(const carom_world *world, int i, double time, vec3 *position,
                        vec3 *velocity);
// How much of the next `max` seconds passes before a driven body begins or ends its swing, which
// changes its velocity at once: impacts must see that.
double carom_motion_steady(const carom_world *world, double max);

#endif

// Islands at rest that are left out of the steps. See world_sleep.c.
#ifndef CAROM_WORLD_WORLD_SLEEP_H
#define CAROM_WORLD_WORLD_SLEEP_H

#include "world/step.h"

// After a step that went well: who falls asleep.
void carom_world_sleep_settle(const carom_step *step);
// Whether all that could move sleeps: then a step is a matter of the clock.
bool carom_world_sleep_all(const carom_world *world);
void carom_world_sleep_pass(carom_world *world, double dt);
// Notes sleepers that something comes near to in this interval; true where there are any: the step
// is begun anew with them awake.
bool carom_world_sleep_disturbed(const carom_step *step);
// A driven body comes near to one that may sleep.
void carom_world_sleep_touch(carom_world *world, int a, int b);
// Wakes whom the last two have noted; false where there is nobody.
bool carom_world_sleep_wake_noted(carom_world *world);
// Wakes the island of a body; all of them.
void carom_world_sleep_wake(carom_world *world, int i);
void carom_world_sleep_wake_all(carom_world *world);
// Makes a body sleep as part of an island (the slot of its first body).
void carom_world_sleep_set(carom_world *world, int i, int island);

// Per body: 1 where it sleeps and nothing that moves can come within `margin` (m) of it in this
// interval; null where nobody is known to be so.
carom_status carom_world_sleep_far(carom_world *world, double margin, unsigned char **far,
                                   carom_error *err);

#endif

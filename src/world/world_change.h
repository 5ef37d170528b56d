// What a change may be about (world_change.c), for those who make one (world_change_calls.c).
#ifndef CAROM_WORLD_WORLD_CHANGE_H
#define CAROM_WORLD_WORLD_CHANGE_H

#include "world/world.h"

// Numbers in records of changes: new ones go to the end.
enum {
    CAROM_CHANGE_VELOCITY,
    CAROM_CHANGE_POSE,
    CAROM_CHANGE_KIND,
    CAROM_CHANGE_MASS,
    CAROM_CHANGE_MATERIAL,
    CAROM_CHANGE_DAMPING,
    CAROM_CHANGE_GRAVITY_SCALE,
    CAROM_CHANGE_GRAVITY,
    CAROM_CHANGE_LAW,
    CAROM_CHANGE_OPTION,
    CAROM_CHANGE_FORCE,
    CAROM_CHANGE_PUSH,
    CAROM_CHANGE_IMPULSE,
    CAROM_CHANGE_REMOVE,
    CAROM_CHANGE_REMOVE_JOINT,
    CAROM_CHANGE_AIM,
    CAROM_CHANGE_WHATS
};

// The slot of the body or joint that a change is about; -1: about the world.
carom_status carom_world_change_find(const carom_world *world, const carom_change *change,
                                     int *slot, carom_error *err);

#endif

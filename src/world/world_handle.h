// Slots of bodies and joints, and the handles that name them. See world_handle.c.
#ifndef CAROM_WORLD_WORLD_HANDLE_H
#define CAROM_WORLD_WORLD_HANDLE_H

#include "world/world.h"

// The slot of a body or joint that is there; else a refusal.
carom_status carom_world_handle_body(const carom_world *world, carom_body_id id, int *slot,
                                     carom_error *err);
carom_status carom_world_handle_joint(const carom_world *world, carom_joint_id id, int *slot,
                                      carom_error *err);
// A slot for one more, the lowest that is free, under a new generation; -1: no memory. The caller
// fills it.
int carom_world_handle_take_body(carom_world *world);
int carom_world_handle_take_joint(carom_world *world);
// Frees what is in a slot, and the joints at a body. The ledger is the caller's.
void carom_world_handle_free_body(carom_world *world, int i);
void carom_world_handle_free_joint(carom_world *world, int j);
// A copy that the caller frees, null of null; false without memory.
bool carom_world_handle_copy_name(const char *from, char **to);

#endif

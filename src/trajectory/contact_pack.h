// Contacts of a frame in few bytes, shared by the recorder and the reader of trajectories.
#ifndef CAROM_TRAJECTORY_CONTACT_PACK_H
#define CAROM_TRAJECTORY_CONTACT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "carom/trajectory.h"

// Most bytes that so many contacts take when packed.
size_t carom_contact_pack_bound(int count);
// Whether so many contacts can be in so many bytes: deflate makes one of 1032 at most.
bool carom_contact_pack_fits(uint64_t count, size_t size);
// Packs contacts of a frame at `time`; `out` has room for the bound. Returns the bytes, 0 without
// memory.
size_t carom_contact_pack(const carom_world_contact *contacts, int count, double time,
                          unsigned char *out);
// Unpacks so many contacts.
carom_status carom_contact_unpack(const unsigned char *bytes, size_t size, double time, int count,
                                  carom_world_contact *out, carom_error *err);

#endif

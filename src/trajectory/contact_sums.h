// Contacts of a frame summed per pair of bodies.
#ifndef CAROM_TRAJECTORY_CONTACT_SUMS_H
#define CAROM_TRAJECTORY_CONTACT_SUMS_H

#include "carom/world.h"

// Sorts the list by pair, impacts first, and makes one of those that belong together. Returns how
// many are left.
int carom_contact_sums(carom_world_contact *contacts, int count);

#endif

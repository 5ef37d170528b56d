// Broad phase: pairs of bodies whose bounds come within reach, near linear in the number of bodies.
#ifndef CAROM_COLLIDE_BROAD_H
#define CAROM_COLLIDE_BROAD_H

#include "collide/collide.h"

typedef struct carom_broad carom_broad;

carom_status carom_broad_create(carom_broad **out, carom_error *err);
void carom_broad_destroy(carom_broad *broad);
// Sorted by (a, b). The list belongs to the broad phase and stays valid until its next call.
carom_status carom_broad_find(carom_broad *broad, const carom_collide_bodies *bodies,
                              carom_body_pair **pairs, int *count, carom_error *err);
// The grid as of the last call.
const struct carom_grid *carom_broad_grid(const carom_broad *broad);
size_t carom_broad_bytes(const carom_broad *broad);

#endif

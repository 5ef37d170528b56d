// Broad phase: pairs of bodies whose bounds come within reach, near linear in the number of bodies.
#ifndef CAROM_COLLIDE_BROAD_H
#define CAROM_COLLIDE_BROAD_H

#include "collide/grid.h"

typedef struct carom_broad carom_broad;

// A plane with margin, reach and skin: what is not above `level` along the normal is near.
typedef struct carom_half_space {
    vec3 normal;
    double level;  // m
    uint32_t body; // as a grid's entries name it
} carom_half_space;

carom_half_space carom_broad_half_space(const carom_collide_bodies *bodies, int plane);

carom_status carom_broad_create(carom_broad **out, carom_error *err);
void carom_broad_destroy(carom_broad *broad);
// Sorted by (a, b). The list belongs to the broad phase and stays valid until its next call.
carom_status carom_broad_find(carom_broad *broad, const carom_collide_bodies *bodies,
                              carom_body_pair **pairs, int *count, carom_error *err);
// The grid as of the last call.
const carom_grid *carom_broad_grid(const carom_broad *broad);

// Single bodies that go elsewhere after a search. The search is over, and its grid is to stay: room
// for those who will leave it.
carom_status carom_broad_stay(carom_broad *broad, carom_error *err);
// Puts a body, which is no plane, where `now` says; false where it finds no place.
bool carom_broad_place(carom_broad *broad, int body, const carom_grid_loose *now);
// Who is near those bodies, each of them placed anew or a plane, when planes are as `space` says,
// by their places among the grid's. As carom_broad_find.
carom_status carom_broad_look(carom_broad *broad, const carom_collide_bodies *bodies,
                              const carom_half_space *space, const int32_t *body, int count,
                              carom_body_pair **pairs, int *found, carom_error *err);
size_t carom_broad_bytes(const carom_broad *broad);

#endif

// Bricks as frameworks of point masses, for the penalty formulation.
#ifndef CAROM_TOWER_PENALTY_H
#define CAROM_TOWER_PENALTY_H

#include "carom/tower.h"

// A tower whose bricks are frameworks, and which points are which brick's.
typedef struct tower_frameworks {
    carom_tower *tower; // of point masses, bars and the fixed bodies
    int bricks;         // bodies of the tower that it was made from
    int *first, *count; // the points of each; count 1 and a body for a fixed one
} tower_frameworks;

// Refuses what is no rectangle, and pins, bars and point masses. Release also after a failure.
carom_status carom_tower_penalty_frameworks(const carom_tower *tower, tower_frameworks *out,
                                            carom_error *err);
void carom_tower_penalty_release(tower_frameworks *frameworks);
// x, y, angle of the brick whose points are at `place` (x, y and something, for every body of the
// framework tower): centre of mass, and the turn that fits the points best.
void carom_tower_penalty_place(const tower_frameworks *frameworks, int brick, const double *place,
                               double out[3]);

#endif

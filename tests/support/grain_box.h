// Grains in arrays, for tests of carom/grains.h: the host that is no host.
#ifndef CAROM_TESTS_GRAIN_BOX_H
#define CAROM_TESTS_GRAIN_BOX_H

#include "carom/grains.h"

enum { GRAIN_BOX = 512 };

typedef struct grain_box {
    int64_t name[GRAIN_BOX];
    double x[GRAIN_BOX][3], v[GRAIN_BOX][3], w[GRAIN_BOX][3], radius[GRAIN_BOX], mass[GRAIN_BOX];
    int owned, count;
} grain_box;

// The part that these arrays are.
carom_grains_part grain_box_part(grain_box *box);
// Adds a grain of density 2500 kg/m^3; its name is its number from 1 on.
int grain_box_add(grain_box *box, const double x[3], double radius);
// `side` x side x layers grains of unequal sizes up to 5 mm above the floor, falling.
void grain_box_fill(grain_box *box, int side, int layers);

#endif

// Solids made of boxes.
#ifndef CAROM_SHAPE_BLOCKS_H
#define CAROM_SHAPE_BLOCKS_H

#include "shape/shape.h"

typedef struct carom_blocks {
    int cells[3];           // along x, y, z
    const double *level[3]; // m: cells[k] + 1 rising coordinates each
    const char *mark;       // '#': solid; x runs fastest, then y, then z
    double fineness;        // m, longest side of the squares the faces are cut into
} carom_blocks;

carom_status carom_blocks_create(const carom_blocks *blocks, carom_shape **out, carom_error *err);

#endif

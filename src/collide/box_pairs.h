// Pairs of boxes among the pairs of a world: their axes are found four at a time, before the
// contacts of all pairs are listed in their order.
#ifndef CAROM_COLLIDE_BOX_PAIRS_H
#define CAROM_COLLIDE_BOX_PAIRS_H

#include "collide/boxes.h"

enum { CAROM_BOX_PAIRS = 512 }; // at once

typedef struct carom_box_axis {
    vec3 normal; // from the lower one
    double gap;  // infinite: the boxes are apart
    bool exact;
    bool turned;  // b is the lower one, as in narrow.h
    bool skipped; // both are at one place: not for lanes
} carom_box_axis;

typedef struct carom_box_pairs {
    carom_boxes boxes; // those being gathered
    int held, count;
    carom_box_axis axis[CAROM_BOX_PAIRS]; // per pair of boxes, in their order
} carom_box_pairs;

typedef struct carom_box_pair {
    const carom_shape *shape[2]; // of a, b
    const quat *rotation[2];
    vec3 position[2];
    double margin;
} carom_box_pair;

void carom_box_pairs_add(carom_box_pairs *pairs, const carom_box_pair *pair);
// After the last one.
void carom_box_pairs_end(carom_box_pairs *pairs);
// As carom_narrow_touch, by the axis found; false where the pair was skipped.
bool carom_box_pairs_touch(const carom_box_axis *axis, const carom_box_pair *pair,
                           carom_manifold *out);

#endif

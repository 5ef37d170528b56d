// Separating axes of pairs of boxes, four pairs at a time: one in each lane.
#ifndef CAROM_COLLIDE_BOXES_H
#define CAROM_COLLIDE_BOXES_H

#include "collide/convex.h"

enum { CAROM_BOXES = 4 };

// Box a at the origin, b at `between`, m. What `turn` is says who fills it: unit quaternions (w, x,
// y, z) or, row by row, matrices.
typedef struct carom_boxes {
    double half_a[3][CAROM_BOXES], half_b[3][CAROM_BOXES], between[3][CAROM_BOXES];
    double turn_a[9][CAROM_BOXES], turn_b[9][CAROM_BOXES];
    double radius_a[CAROM_BOXES], radius_b[CAROM_BOXES]; // of the spheres around them
    double margin[CAROM_BOXES];                          // m
    // What is found: as in carom_axis. A gap above the margin may be any such.
    double gap[CAROM_BOXES], normal[3][CAROM_BOXES];
    long long exact[CAROM_BOXES]; // -1: so it is
} carom_boxes;

// Boxes with quaternions.
void carom_boxes_find(carom_boxes *boxes);

#endif

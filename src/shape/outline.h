// Flat outlines, with holes, and prisms over them.
#ifndef CAROM_SHAPE_OUTLINE_H
#define CAROM_SHAPE_OUTLINE_H

#include "shape/shape.h"

enum { CAROM_OUTLINE_POINTS = 1024, CAROM_OUTLINE_HOLES = 4 };

// The outer loop runs counter-clockwise, holes clockwise.
typedef struct carom_outline {
    double point[CAROM_OUTLINE_POINTS][2]; // m
    int count;                             // points in all loops
    int first[CAROM_OUTLINE_HOLES + 2];    // loop k holds the points first[k] .. first[k + 1] - 1
    int loops;                             // ended so far
} carom_outline;

void carom_outline_add(carom_outline *o, double x, double y);
// Points of a circle from one angle to another (degrees; from > to runs clockwise), both included.
// A full turn leaves the last one out.
void carom_outline_arc(carom_outline *o, const double centre[2], double radius, double from,
                       double to, int pieces);
// Ends the loop.
void carom_outline_close(carom_outline *o);
// A prism from -half_height to half_height along z.
carom_status carom_outline_extrude(const carom_outline *o, double half_height, carom_shape **out,
                                   carom_error *err);

#endif

// The part of a shape that faces a direction, as a polygon, segment or point.
#ifndef CAROM_COLLIDE_FACE_H
#define CAROM_COLLIDE_FACE_H

#include "collide/convex.h"

#define CAROM_FACE_MAX CAROM_POLYTOPE_LOOP
// Corners that stand for the rim of a cylinder's cap.
#define CAROM_FACE_RIM 16

typedef struct carom_face {
    int count;   // 1 point, 2 segment, 3 and more: polygon, counter-clockwise about `normal`
    vec3 normal; // of the polygon; for a segment, the direction it was asked for made orthogonal to
                 // it
    double offset; // normal . x of the polygon's plane or of the segment
    uint32_t name; // feature of the whole
    vec3 corner[CAROM_FACE_MAX];
    uint32_t corner_name[CAROM_FACE_MAX], side_name[CAROM_FACE_MAX];
} carom_face;

// The face that contains the farthest point in `direction` (unit) and is most nearly orthogonal to
// it.
void carom_face_towards(const carom_core *core, vec3 direction, carom_face *face);
// Faces flat on each other that share a strip narrower than this share of the smaller one's size do
// not touch: neighbours along the diagonal in a wall of bricks meet in an edge only, which holds
// nothing. (Of the larger one's it would be a whole body where the ground is wide.)
#define CAROM_OVERLAP_SLIVER 3e-5

// Adds the corners of the overlap of two faces, seen along the axis, whose gap is at most `margin`.
// Gaps and points are those of the rounded shapes. Returns the least gap of all corners, INFINITY
// when the faces do not overlap, and -INFINITY where they lie flat and share a sliver only.
double carom_overlap_faces(const carom_face *a, const carom_face *b, const carom_axis *axis,
                           const double round[2], double margin, carom_manifold *out);
// True where the faces along the axis are parallel to each other.
bool carom_overlap_flat(const carom_core *a, const carom_core *b, const carom_axis *axis);

#endif

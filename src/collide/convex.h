// Pairs of convex shapes with corners: the axis of least overlap or distance, and the manifold on
// it.
//
// A capsule takes part as its segment (its core) with the radius added at the end; all others are
// their own core. Coordinates are world axes with the origin at the first shape's position, so that
// scenes far from the origin lose no digits.
#ifndef CAROM_COLLIDE_CONVEX_H
#define CAROM_COLLIDE_CONVEX_H

#include "collide/manifold.h"
#include "shape/polytope.h"

typedef struct carom_core {
    const carom_shape *shape;
    carom_pose pose;
    double round;       // radius around the core: capsules only
    const vec3 *corner; // null, or the three of a triangle, world axes, which stands for the shape
} carom_core;

// A direction from a to b and the gap of the cores along it, with the points that attain it.
typedef struct carom_axis {
    vec3 normal;
    double gap;
    vec3 on_a, on_b; // witness points on the cores
    bool exact;      // gap is the distance (or the least overlap), not only a bound from below
    bool witness;    // on_a and on_b are filled
    bool single;     // a rim meets an edge or a rim: one point, no faces
} carom_axis;

// Support points of a core, world axes.
vec3 carom_convex_support(const carom_core *core, vec3 direction);
// Every contact of two convex shapes (box, hull, capsule, cylinder), a's kind <= b's kind.
void carom_convex_touch(const carom_core *a, const carom_core *b, double margin,
                        carom_manifold *out);

// The same where the axis is known.
void carom_convex_touch_along(const carom_core *a, const carom_core *b, carom_axis axis,
                              double margin, carom_manifold *out);

// The best of the fifteen axes of two boxes. Stops early when one axis shows a gap above `margin`.
carom_axis carom_boxes_axis(const carom_core *a, const carom_core *b, double margin);
// The same for two polytopes of moderate size: face normals, and cross products of edges that meet
// on the Gauss map. Larger ones go by support points.
#define CAROM_POLYTOPES_FACES 192
#define CAROM_POLYTOPES_EDGES 288
carom_axis carom_polytopes_axis(const carom_core *a, const carom_core *b, double margin);

#endif

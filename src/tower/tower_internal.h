// The inside of a tower, shared by the files of this room only.
//
// Everything that touches or is tied is an anchor: a point of a body. A rigid body moves its
// anchors by p = c + u r (complex, u the direction of the body), a point mass is a body with one
// anchor at r = 0, a support is a body that does not move. Shapes are counter-clockwise lists of
// anchors, so that bricks, tables and frameworks of point masses meet by the same code; half planes
// stand apart.
#ifndef CAROM_TOWER_INTERNAL_H
#define CAROM_TOWER_INTERNAL_H

#include "carom/tower.h"
#include "base/arena.h"
#include "base/error.h"
#include "solve/qp.h"

typedef struct tower_body {
    double mass, inertia; // inertia about the centre of mass
    double x, y, angle;   // centre of mass at the start
    double ux, uy;        // cosine and sine of the angle
    bool fixed, point;
    int block; // in the quadratic program; -1 when fixed
    int shape; // its polygon; -1 for point masses
    carom_tower_mass spread;
} tower_body;

typedef struct tower_anchor {
    int body;
    double rx, ry; // from the centre of mass, in the frame of the body
} tower_anchor;

typedef struct tower_shape {
    int first, count; // its anchors are corners[first .. first + count - 1]
    int owner;        // body that is reported for its contacts; -1: support
} tower_shape;

typedef struct tower_plane {
    double x, y, nx, ny; // the half plane below; unit normal
} tower_plane;

typedef struct tower_bar {
    int a, b;      // anchors
    double length; // 0: a pin, the anchors coincide
} tower_bar;

struct carom_tower {
    double gravity, friction;
    double size; // the longest side of any movable body: the unit for tolerances
    int body_count, anchor_count, shape_count, plane_count, bar_count, corner_count, block_count;
    tower_body *bodies;
    tower_anchor *anchors;
    tower_shape *shapes;
    int *corners; // anchors of all shapes, one after the other
    tower_plane *planes;
    tower_bar *bars;
    int public_body_count; // bodies the caller added; later ones are tables and the world
    int world;             // the immovable body that world anchors hang on; -1 until needed
};

// A polygon over existing anchors, counter-clockwise; contacts are reported for `owner`.
carom_status carom_tower_add_shape(carom_tower *t, const int *anchors, int count, int owner,
                                   carom_error *err);

// Refuses a gravity that is not 0 nor a number whose square and reciprocal mean something.
carom_status carom_tower_check_gravity(const carom_tower *t, carom_error *err);

// A deep copy with every x shifted by -axis; null without memory.
carom_tower *carom_tower_copy(const carom_tower *t, double axis);

// Anchor v of a shape, cyclic from 0.
static inline int tower_corner(const carom_tower *t, const tower_shape *s, int v)
{
    return t->corners[s->first + (v >= s->count ? v - s->count : v)];
}

#endif

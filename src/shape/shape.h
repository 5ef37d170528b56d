// The inside of a shape, for the rooms that compute with it.
//
// One struct for all kinds: the few numbers of a primitive stand directly in it, polytopes (box,
// hull), meshes and compounds add a block of their own. Everything is fixed at creation and never
// written again, so threads share shapes freely; only the count of owners changes, atomically.
#ifndef CAROM_SHAPE_SHAPE_H
#define CAROM_SHAPE_SHAPE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "carom/shape.h"
#include "base/error.h"
#include "base/shared.h"
#include "shape/bounds.h"

typedef struct carom_polytope carom_polytope; // shape/polytope.h
typedef struct carom_mesh carom_mesh;         // shape/mesh.h

typedef struct carom_shape_part {
    const carom_shape *shape;
    carom_pose pose; // part to compound
} carom_shape_part;

struct carom_shape {
    carom_shape_kind kind;
    atomic_int owners;
    double radius;            // sphere, capsule, cylinder
    double half_length;       // capsule, cylinder
    vec3 half;                // box
    vec3 normal;              // plane, as it was given; world frame ...
    vec3 turned;              // ... and what its rotation makes of z, round-off apart the same
    carom_polytope *polytope; // box and hull: vertices, faces, edges
    carom_mesh *mesh;
    carom_shape_part *parts; // compound
    int part_count;
    carom_bounds bounds;    // shape frame; a plane's reach to infinity
    double bounding_radius; // about the centre of mass
    carom_mass mass;
    vec3 shift;
};

// The point of the surface nearest to `point` (shape frame), with signed distance (negative inside)
// and the outward unit normal there. Where several points are equally near, one of them.
typedef struct carom_nearest {
    vec3 point, normal;
    double distance;
    uint32_t
        feature; // which face, edge or vertex of the shape: equal as long as it is the same one
} carom_nearest;

// Allocates a zeroed shape of this kind with one owner.
carom_status carom_shape_new(carom_shape_kind kind, carom_shape **out, carom_error *err);
// Fails unless the value is a positive finite number; `name` says which one it was.
CAROM_SHARED carom_status carom_shape_positive(double value, const char *name, carom_error *err);

// compound.c: the same solid with the origin of its frame at `centre` (m, shape frame), for a body
// whose mass is not spread evenly; volume and inertia are those about its own centre. No plane.
carom_status carom_compound_about(const carom_shape *from, vec3 centre, carom_shape **out,
                                  carom_error *err);

carom_nearest carom_shape_nearest(const carom_shape *shape, vec3 point);
// The same where only a surface at most `bound` away matters: quicker for meshes, which answer with
// an infinite distance when it is farther.
carom_nearest carom_shape_nearest_within(const carom_shape *shape, vec3 point, double bound);
// The farthest point in the direction (need not be a unit vector); any of them when several are.
// Defined for sphere, capsule, cylinder, box and hull.
vec3 carom_shape_support(const carom_shape *shape, vec3 direction);
// Axis-aligned bounds in the world, tight for all kinds but meshes and compounds.
CAROM_SHARED carom_bounds carom_shape_bounds(const carom_shape *shape, const carom_pose *pose);

#endif

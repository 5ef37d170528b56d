// Integrals of 1, x and x x^T over solids, and how they add.
#ifndef CAROM_MATH_MOMENTS_H
#define CAROM_MATH_MOMENTS_H

#include "math/vec.h"

// About the origin.
typedef struct carom_moments {
    double volume;
    vec3 first;
    sym3 second;
} carom_moments;

// Adds the tetrahedron (origin, a, b, c), signed by its orientation. Over the triangles of a closed
// surface (counter-clockwise from outside) the sum is the exact integral over the solid.
void carom_moments_add_triangle(carom_moments *moments, vec3 a, vec3 b, vec3 c);
// Adds a solid of this volume with its centre of mass at `centre`, `second` about that centre.
void carom_moments_add_solid(carom_moments *moments, double volume, vec3 centre, sym3 second);
// Centre of mass, and the inertia about it at unit density: xx yy zz xy xz yz.
vec3 carom_moments_centre(const carom_moments *moments);
void carom_moments_inertia(const carom_moments *moments, double inertia[6]);

#endif

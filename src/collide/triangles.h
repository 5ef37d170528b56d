// The distance of two triangles.
#ifndef CAROM_COLLIDE_TRIANGLES_H
#define CAROM_COLLIDE_TRIANGLES_H

#include "math/vec.h"

typedef struct carom_triangle {
    vec3 corner[3]; // counter-clockwise from outside
    vec3 normal;    // unit
} carom_triangle;

// Nearest points, and the unit direction from a to b between them; that of a face or of two edges
// where those meet, so that it is right at any distance.
typedef struct carom_triangle_gap {
    vec3 on_a, on_b, normal;
    double distance; // 0 where they cross; infinite where it is not below the bound asked for
} carom_triangle_gap;

carom_triangle_gap carom_triangles_gap(const carom_triangle *a, const carom_triangle *b,
                                       double bound);
// A point as a.
carom_triangle_gap carom_triangles_point(vec3 a, const carom_triangle *b, double bound);

#endif

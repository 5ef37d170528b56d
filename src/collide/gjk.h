// Distance of two convex cores (Gilbert, Johnson, Keerthi 1988) and depth of overlap (van den
// Bergen 2001).
#ifndef CAROM_COLLIDE_GJK_H
#define CAROM_COLLIDE_GJK_H

#include "collide/convex.h"

typedef struct carom_gjk_vertex {
    vec3 a, b; // support points
    vec3 w;    // b - a
} carom_gjk_vertex;

typedef struct carom_gjk_simplex {
    int count;
    carom_gjk_vertex vertex[4];
    double weight[4]; // of the point nearest to the origin
} carom_gjk_simplex;

// The corner of b - a farthest in a direction.
carom_gjk_vertex carom_gjk_support(const carom_core *a, const carom_core *b, vec3 direction);
// Distance with witness points and normal from a to b. False when the cores overlap or touch within
// round-off; `simplex` is then where the expansion starts. Cores that turn out to be at least
// `bound` apart get an infinite gap and nothing else.
bool carom_gjk_distance(const carom_core *a, const carom_core *b, double bound,
                        carom_gjk_simplex *simplex, carom_axis *axis);
// Least translation that parts two overlapping cores: gap <= 0.
void carom_epa_depth(const carom_core *a, const carom_core *b, carom_gjk_simplex *simplex,
                     carom_axis *axis);

#endif

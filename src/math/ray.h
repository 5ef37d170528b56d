// Rays and where they meet simple solids, each in its own frame, for queries and for pictures.
#ifndef CAROM_MATH_RAY_H
#define CAROM_MATH_RAY_H

#include <stdbool.h>
#include "math/vec.h"

// The part of a line that is still of interest: from the origin up to `max` lengths of direction.
typedef struct carom_ray {
    vec3 origin, direction;
    double inverse[3]; // of the direction; never infinite
    double max;
} carom_ray;

carom_ray carom_ray_make(vec3 origin, vec3 direction, double max);

// Each: whether the ray meets the surface before its end; then it ends there, and the normal is the
// outward one. From inside it meets the surface on its way out.
bool carom_ray_ball(vec3 centre, double radius, carom_ray *ray, vec3 *normal);
// About the z axis, `half` being half of the length of the axis.
bool carom_ray_capsule(double radius, double half, carom_ray *ray, vec3 *normal);
bool carom_ray_cylinder(double radius, double half, carom_ray *ray, vec3 *normal);
bool carom_ray_box(vec3 half, carom_ray *ray, vec3 *normal);
// A triangle by a corner and the ways to the other two, from either side [Moller and Trumbore
// 1997]; u and v: the shares of those ways at the point.
bool carom_ray_triangle(vec3 corner, vec3 one, vec3 two, carom_ray *ray, double *u, double *v);

#endif

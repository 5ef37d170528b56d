// The normal of a plane in the world.
#ifndef CAROM_SHAPE_PLANE_H
#define CAROM_SHAPE_PLANE_H

#include "shape/shape.h"

// `turned`: what the rotation of its body makes of z.
vec3 carom_plane_normal(const carom_shape *plane, vec3 turned);

#endif

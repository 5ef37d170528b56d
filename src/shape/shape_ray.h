// Where rays meet shapes.
#ifndef CAROM_SHAPE_SHAPE_RAY_H
#define CAROM_SHAPE_SHAPE_RAY_H

#include "math/ray.h"
#include "shape/tree.h"

// Whether the ray (shape frame) meets the solid before its end; then it ends there. The normal
// points outwards; where the ray begins inside it is met at once, against its direction.
bool carom_shape_ray(const carom_shape *shape, carom_ray *ray, vec3 *normal);

// Calls `meet` with every place in the order of a tree whose box the ray crosses; it may shorten
// the ray. Whether any of them was met.
typedef bool carom_shape_ray_item(void *context, int place, carom_ray *ray);
bool carom_shape_ray_tree(const carom_tree *tree, carom_ray *ray, carom_shape_ray_item *meet,
                          void *context);

#endif

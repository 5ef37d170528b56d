// Boxes in a tree, so that a ray asks only what lies near its path.
#ifndef CAROM_DRAW_BVH_H
#define CAROM_DRAW_BVH_H

#include <stdbool.h>
#include "base/arena.h"
#include "math/ray.h"

typedef struct carom_bvh_box {
    double min[3], max[3];
} carom_bvh_box;

// Bounds are rounded outwards, so a float never loses what a double held.
typedef struct carom_bvh_node {
    float min[3], max[3];
    int first; // leaf: into `order`; else the first of two neighbouring children
    int count; // entries of a leaf; 0: an inner node
} carom_bvh_node;

typedef struct carom_bvh {
    carom_bvh_node *nodes;
    int *order;
    int count;
} carom_bvh;

// The tree lives in the arena as long as the arena does.
carom_status carom_bvh_build(const carom_bvh_box *boxes, int count, carom_arena *arena,
                             carom_bvh *out, carom_error *err);

// Calls `meet` for the entries whose box the ray crosses, near boxes first. `meet` may shorten the
// ray; true from it ends the visit, which then returns true.
bool carom_bvh_visit(const carom_bvh *bvh, carom_ray *ray,
                     bool (*meet)(void *context, int entry, carom_ray *ray), void *context);

#endif

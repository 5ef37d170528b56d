// A bounding volume tree over boxes: the same for the triangles and the edges of a mesh.
#ifndef CAROM_SHAPE_TREE_H
#define CAROM_SHAPE_TREE_H

#include "shape/shape.h"

#define CAROM_TREE_LEAF 4
#define CAROM_TREE_DEPTH 64

typedef struct carom_tree_node {
    carom_bounds bounds;
    int first, count; // leaf: items order[first .. first + count). Inner: count = 0, the left child
                      // is the next node and the right child is number `first`
} carom_tree_node;

typedef struct carom_tree {
    carom_tree_node *node;
    int *order;
    int node_count, item_count;
} carom_tree;

// Splits at the median of the longest axis, ties by item number: depth is at most log2(count) + 1.
carom_status carom_tree_build(carom_tree *tree, const carom_bounds *item, int count,
                              carom_error *err);
void carom_tree_free(carom_tree *tree);
// How far a number lies outside of an interval.
static inline double carom_tree_beyond(double min, double max, double at)
{
    double below = min - at, above = at - max, out = below > above ? below : above;
    return out > 0 ? out : 0;
}
// Squared distance from a point to a box.
static inline double carom_tree_squared(const carom_bounds *b, vec3 p)
{
    double x = carom_tree_beyond(b->min.x, b->max.x, p.x);
    double y = carom_tree_beyond(b->min.y, b->max.y, p.y);
    double z = carom_tree_beyond(b->min.z, b->max.z, p.z);
    return x * x + y * y + z * z;
}

#endif

// Median-split bounding volume tree. Built once per mesh, so the C library's qsort may serve.
//
// draw/bvh.c is another tree for another use: nodes of 32 bytes in single precision, from an arena,
// built anew for every frame and asked by rays. This one keeps exact bounds for distances, and the
// order of its items decides between equal contacts, so that it must not follow a picture's needs.
#include "shape/tree.h"

#include <stdlib.h>
#include "base/memory.h"

typedef struct key {
    double at;
    int item;
} key;

typedef struct builder {
    carom_tree *tree;
    const carom_bounds *item;
    key *key;
} builder;

static int by_key(const void *left, const void *right)
{
    const key *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static carom_bounds join(carom_bounds a, carom_bounds b)
{
    return (
        carom_bounds){ { fmin(a.min.x, b.min.x), fmin(a.min.y, b.min.y), fmin(a.min.z, b.min.z) },
                       { fmax(a.max.x, b.max.x), fmax(a.max.y, b.max.y), fmax(a.max.z, b.max.z) } };
}

static double middle(const carom_bounds *b, int axis)
{
    return axis == 0 ? b->min.x + b->max.x : axis == 1 ? b->min.y + b->max.y : b->min.z + b->max.z;
}

// Recursion halves the range, so its depth is bounded by log2(count).
static void split(builder *make, int first, int count)
{
    carom_tree *tree = make->tree;
    int self = tree->node_count++;
    carom_bounds bounds = make->item[tree->order[first]];
    for (int i = 1; i < count; ++i)
        bounds = join(bounds, make->item[tree->order[first + i]]);
    tree->node[self] = (carom_tree_node){ bounds, first, count };
    if (count <= CAROM_TREE_LEAF)
        return;
    vec3 extent = vec3_sub(bounds.max, bounds.min);
    int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    for (int i = 0; i < count; ++i) {
        int item = tree->order[first + i];
        make->key[i] = (key){ middle(&make->item[item], axis), item };
    }
    qsort(make->key, (size_t)count, sizeof *make->key, by_key);
    for (int i = 0; i < count; ++i)
        tree->order[first + i] = make->key[i].item;
    split(make, first, count / 2);
    tree->node[self].count = 0;
    tree->node[self].first = tree->node_count;
    split(make, first + count / 2, count - count / 2);
}

carom_status carom_tree_build(carom_tree *tree, const carom_bounds *item, int count,
                              carom_error *err)
{
    *tree = (carom_tree){ .item_count = count };
    if (count == 0)
        return CAROM_OK;
    tree->node = carom_memory_get(2 * (size_t)count * sizeof *tree->node);
    tree->order = carom_memory_get((size_t)count * sizeof *tree->order);
    key *keys = carom_memory_get((size_t)count * sizeof *keys);
    if (!tree->node || !tree->order || !keys) {
        carom_tree_free(tree);
        carom_memory_free(keys);
        return carom_error_no_memory(err, "a tree of %d items", count);
    }
    for (int i = 0; i < count; ++i)
        tree->order[i] = i;
    split(&(builder){ tree, item, keys }, 0, count);
    carom_memory_free(keys);
    return CAROM_OK;
}

void carom_tree_free(carom_tree *tree)
{
    carom_memory_free(tree->node);
    carom_memory_free(tree->order);
    *tree = (carom_tree){ 0 };
}

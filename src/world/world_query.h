// The tree that questions to a world go by. See world_query_tree.c.
#ifndef CAROM_WORLD_WORLD_QUERY_H
#define CAROM_WORLD_WORLD_QUERY_H

#include <stdbool.h>
#include "carom/world.h"
#include "shape/pose.h"
#include "shape/tree.h"

typedef struct carom_world_query_tree {
    carom_tree tree; // over the bodies with bounds
    int *body;       // of each item; behind them those without bounds
    carom_bounds *bounds;
    unsigned char *seen; // per body, for one question in a periodic box
    int bounded, count, capacity;
    bool fresh; // nothing has changed since it was made
} carom_world_query_tree;

// Copies of the periodic box: numbers of the first, of the last and of the present one along each
// axis.
typedef struct carom_world_copies {
    int first[3], last[3], at[3];
} carom_world_copies;

void carom_world_query_free(carom_world_query_tree *tree);
// Makes the tree anew if something has changed.
carom_status carom_world_query_refresh(carom_world *world, carom_error *err);
// Where a body is: of its image in the box, moved by `image`.
carom_pose carom_world_query_pose(const carom_world *world, int i, vec3 image);
// The copies in which some body may meet a box.
carom_status carom_world_query_copies(const carom_world *world, const carom_bounds *box,
                                      carom_world_copies *out, carom_error *err);
// How far the first of them is away, and the next one; false where there is none.
bool carom_world_query_first(const carom_world *world, carom_world_copies *all, vec3 *image);
bool carom_world_query_next(const carom_world *world, carom_world_copies *all, vec3 *image);

#endif

// The tree that questions to a world go by. See world_query.c.
#ifndef CAROM_WORLD_WORLD_QUERY_H
#define CAROM_WORLD_WORLD_QUERY_H

#include <stdbool.h>
#include "shape/tree.h"

typedef struct carom_world_query_tree {
    carom_tree tree; // over the bodies with bounds
    int *body;       // of each item; behind them those without bounds
    carom_bounds *bounds;
    unsigned char *seen; // per body, for one question in a periodic box
    int bounded, count, capacity;
    bool fresh; // nothing has changed since it was made
} carom_world_query_tree;

void carom_world_query_free(carom_world_query_tree *tree);

#endif

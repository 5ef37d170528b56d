// Pairs found by several threads, each into a list of its own, and put in order: the result depends
// neither on who found a pair nor on when.
#ifndef CAROM_COLLIDE_PAIR_ORDER_H
#define CAROM_COLLIDE_PAIR_ORDER_H

#include "collide/collide.h"
#include "collide/grid.h"

// What one thread has found: bodies as the grid's entries name them.
typedef struct carom_found {
    carom_body_pair *pair;
    size_t count, room;
    bool failed;
    char pad[64]; // lists of different threads stay on different cache lines
} carom_found;

typedef struct carom_pair_order {
    carom_found *list; // one per thread
    int list_count;
    carom_body_pair *sorted;
    size_t sorted_room;
    uint32_t *start; // per thread and body: how many pairs, then where they begin
    uint64_t *mark;  // one bit per body
    size_t start_room;
} carom_pair_order;

void carom_pair_order_free(carom_pair_order *order);
size_t carom_pair_order_bytes(const carom_pair_order *order);
// Empty lists for so many threads.
carom_status carom_pair_order_begin(carom_pair_order *order, int threads, carom_error *err);
// Of all lists: sorted by (a, b), without pairs of fixed bodies.
carom_status carom_pair_order_sort(carom_pair_order *order, int bodies, int threads, int *count,
                                   carom_error *err);
// Makes room; false without memory.
bool carom_pair_order_grow(carom_found *list, size_t extra);

static inline bool carom_pair_order_room(carom_found *list, size_t extra)
{
    return list->count + extra <= list->room || carom_pair_order_grow(list, extra);
}

#endif

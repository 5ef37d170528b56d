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
    size_t most; // 0, or no more are looked for from so many on
    bool failed, full;
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
// Empty lists for so many threads; each is full at `most` pairs, unless that is 0.
carom_status carom_pair_order_begin(carom_pair_order *order, int threads, size_t most,
                                    carom_error *err);
// Of all lists: sorted by (a, b), without pairs of fixed bodies.
carom_status carom_pair_order_sort(carom_pair_order *order, int bodies, int threads, int *count,
                                   carom_error *err);
// Makes room, first by dropping pairs of two fixed bodies, of which scenery may have as many as it
// likes; false without memory.
bool carom_pair_order_grow(carom_found *list, size_t extra);
// Whether the list has as many pairs as are wanted, or half of them once those of two fixed bodies
// are dropped, as they are in the end.
bool carom_pair_order_enough(carom_found *list);

// Makes room for `extra` pairs. False: there is none, or no more are wanted.
static inline bool carom_pair_order_room(carom_found *list, size_t extra)
{
    if (list->most && carom_pair_order_enough(list))
        return false;
    return list->count + extra <= list->room || carom_pair_order_grow(list, extra);
}

#endif

// The item with the smallest key first: an indexed binary heap whose keys may change. Ties go to
// the lower index, so the order never depends on the heap's history.
#ifndef CAROM_BASE_QUEUE_H
#define CAROM_BASE_QUEUE_H

#include "base/arena.h"

typedef struct carom_queue {
    int count;
    double *key; // one per item 0 .. count-1
    int *heap;   // items in heap order
    int *place;  // where each item stands in the heap
} carom_queue;

// All items with key 0; set the keys directly, then call carom_queue_order.
carom_status carom_queue_init(carom_queue *queue, int count, carom_arena *arena, carom_error *err);
// Makes a heap of whatever the keys are now.
void carom_queue_order(carom_queue *queue);
// Changes one key and restores the order.
void carom_queue_change(carom_queue *queue, int item, double key);

static inline int carom_queue_first(const carom_queue *queue)
{
    return queue->heap[0];
}

#endif

// An indexed binary heap of items by key; equal keys go by index, so that its history does not
// affect the order.
#include "base/queue.h"

#include <stdbool.h>

static bool before(const carom_queue *queue, int a, int b)
{
    return queue->key[a] < queue->key[b] || (queue->key[a] == queue->key[b] && a < b);
}

static void put(carom_queue *queue, int place, int item)
{
    queue->heap[place] = item;
    queue->place[item] = place;
}

static void sink(carom_queue *queue, int place)
{
    int item = queue->heap[place];
    for (int child = 2 * place + 1; child < queue->count; child = 2 * place + 1) {
        if (child + 1 < queue->count && before(queue, queue->heap[child + 1], queue->heap[child]))
            ++child;
        if (!before(queue, queue->heap[child], item))
            break;
        put(queue, place, queue->heap[child]);
        place = child;
    }
    put(queue, place, item);
}

static void rise(carom_queue *queue, int place)
{
    int item = queue->heap[place];
    for (; place > 0 && before(queue, item, queue->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put(queue, place, queue->heap[(place - 1) / 2]);
    put(queue, place, item);
}

carom_status carom_queue_init(carom_queue *queue, int count, carom_arena *arena, carom_error *err)
{
    queue->count = count;
    TAKE_ZEROS(arena, queue->key, count, err);
    TAKE(arena, queue->heap, count, err);
    TAKE(arena, queue->place, count, err);
    for (int i = 0; i < count; ++i)
        put(queue, i, i);
    return CAROM_OK;
}

void carom_queue_order(carom_queue *queue)
{
    for (int place = queue->count / 2; place-- > 0;)
        sink(queue, place);
}

void carom_queue_change(carom_queue *queue, int item, double key)
{
    bool less = key < queue->key[item];
    queue->key[item] = key;
    if (less)
        rise(queue, queue->place[item]);
    else
        sink(queue, queue->place[item]);
}

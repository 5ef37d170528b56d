// The queue of contacts against a search through all keys.
#include "base/queue.h"
#include "base/random.h"
#include "support/check.h"

enum { COUNT = 37, CHANGES = 5000 };

static int search(const carom_queue *queue)
{
    int best = 0;
    for (int i = 1; i < queue->count; ++i)
        if (queue->key[i] < queue->key[best])
            best = i;
    return best;
}

int main(void)
{
    carom_arena *arena = carom_arena_create(0);
    carom_random r = carom_random_make(3, 1);
    carom_queue queue;
    CHECK(carom_queue_init(&queue, COUNT, arena, NULL) == CAROM_OK, "made");
    CHECK(carom_queue_first(&queue) == 0, "of equal keys the lowest index is first");
    for (int i = 0; i < COUNT; ++i)
        queue.key[i] = carom_random_below(&r, 9);
    carom_queue_order(&queue);
    int wrong = carom_queue_first(&queue) != search(&queue);
    for (int k = 0; k < CHANGES; ++k) { // few values, so that ties abound
        carom_queue_change(&queue, carom_random_below(&r, COUNT), carom_random_below(&r, 9));
        wrong += carom_queue_first(&queue) != search(&queue);
    }
    CHECK(wrong == 0, "the first is the smallest, ties to the lowest index: %d wrong", wrong);
    carom_arena_destroy(arena);
    return check_report();
}

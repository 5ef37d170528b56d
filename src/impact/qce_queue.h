// The queue of a QCE sweep: which contact ends next?
//
// Ends only ever lie ahead, so contacts wait in buckets of equal width in s, about one in each, and
// those of the present bucket alone are kept in order, in a heap of a few. A changed key costs the
// same whatever the size of the group: out of one chain, into another. What lies beyond the last
// bucket is spread over new ones when all before it have been used up. Against a tournament of
// eights, which was here before, this saves its six matches per event, each waiting for the last
// one; base/queue.h, a binary heap with a table of positions, serves where an event costs more than
// its queue. Ties go to the lowest index whatever happened before.
#ifndef CAROM_IMPACT_QCE_QUEUE_H
#define CAROM_IMPACT_QCE_QUEUE_H

#include <math.h>
#include "base/arena.h"

#define QUEUE_NEVER ((double)INFINITY) // the key of a contact that does not end

enum { QUEUE_NONE = -1, QUEUE_IN_HEAP = -2, QUEUE_GONE = -3 };
// A queue of fewer is one heap.
enum { QUEUE_MANY = 32 };

// Neighbours in a bucket; in the heap the place instead of the next one.
typedef struct queue_link {
    int next, before;
} queue_link;

typedef struct queue {
    double *key; // where each contact ends; set by the caller before queue_build
    queue_link *links;
    int *bucket; // the first contact in each; those up to `open` are empty
    int *heap;   // the contacts that end within the open bucket, or before
    int bucket_count, open, heap_count;
    double start, scale; // bucket of s: (s - start) scale
} queue;

// Room for `count` keys.
static inline carom_status queue_make(queue *q, int count, carom_arena *arena, carom_error *err)
{
    q->bucket_count = count < QUEUE_MANY ? 1 : count;
    TAKE(arena, q->key, count, err);
    TAKE(arena, q->links, count, err);
    TAKE(arena, q->heap, count, err);
    TAKE(arena, q->bucket, q->bucket_count, err);
    return CAROM_OK;
}

static inline bool queue_sooner(const queue *q, int a, int b)
{
    return q->key[a] < q->key[b] || (q->key[a] == q->key[b] && a < b);
}

static inline void queue_place(queue *q, int place, int contact)
{
    q->heap[place] = contact;
    q->links[contact] = (queue_link){ place, QUEUE_IN_HEAP };
}

static inline void queue_rise(queue *q, int place, int contact)
{
    for (int up; place > 0 && queue_sooner(q, contact, q->heap[up = (place - 1) / 2]); place = up)
        queue_place(q, place, q->heap[up]);
    queue_place(q, place, contact);
}

static inline void queue_sink(queue *q, int place, int contact)
{
    for (int child; (child = 2 * place + 1) < q->heap_count; place = child) {
        if (child + 1 < q->heap_count && queue_sooner(q, q->heap[child + 1], q->heap[child]))
            ++child;
        if (!queue_sooner(q, q->heap[child], contact))
            break;
        queue_place(q, place, q->heap[child]);
    }
    queue_place(q, place, contact);
}

// A contact whose key has changed, or another one, at some place of the heap.
static inline void queue_settle(queue *q, int place, int contact)
{
    if (place > 0 && queue_sooner(q, contact, q->heap[(place - 1) / 2]))
        queue_rise(q, place, contact);
    else
        queue_sink(q, place, contact);
}

static inline int queue_bucket_of(const queue *q, double key)
{
    double place = (key - q->start) * q->scale;
    return place < q->bucket_count - 1 ? (int)place : q->bucket_count - 1;
}

static inline void queue_enter(queue *q, int contact)
{
    int bucket = queue_bucket_of(q, q->key[contact]);
    if (bucket <= q->open) {
        queue_rise(q, q->heap_count++, contact);
        return;
    }
    int next = q->bucket[bucket];
    q->links[contact] = (queue_link){ next, QUEUE_NONE };
    if (next >= 0)
        q->links[next].before = contact;
    q->bucket[bucket] = contact;
}

static inline void queue_leave(queue *q, int contact)
{
    queue_link link = q->links[contact];
    q->links[contact].before = QUEUE_GONE;
    if (link.before == QUEUE_IN_HEAP) {
        int last = q->heap[--q->heap_count];
        if (last != contact)
            queue_settle(q, link.next, last);
        return;
    }
    if (link.next >= 0)
        q->links[link.next].before = link.before;
    if (link.before >= 0)
        q->links[link.before].next = link.next;
    else
        q->bucket[queue_bucket_of(q, q->key[contact])] = link.next;
}

// The key of a contact that has not ended.
static inline void queue_set(queue *q, int contact, double key)
{
    int was = queue_bucket_of(q, q->key[contact]), is = queue_bucket_of(q, key);
    was = was > q->open ? was : q->open;
    is = is > q->open ? is : q->open;
    if (was == is) {
        q->key[contact] = key;
        if (is == q->open)
            queue_settle(q, q->links[contact].next, contact);
        return;
    }
    queue_leave(q, contact);
    q->key[contact] = key;
    queue_enter(q, contact);
}

// A key with about a quarter of the finite ones beyond it, from a sample.
static inline double queue_far(const queue *q, const int *list, int count)
{
    enum { SAMPLE = 64 };
    double sample[SAMPLE];
    int found = 0;
    for (int k = 0; k < SAMPLE; ++k) {
        double key = q->key[list[(int64_t)k * count / SAMPLE]];
        int j = found;
        if (!(key < QUEUE_NEVER))
            continue;
        for (; j > 0 && sample[j - 1] > key; --j)
            sample[j] = sample[j - 1];
        sample[j] = key;
        ++found;
    }
    return found > 0 ? sample[3 * found / 4] : 0;
}

// Spreads the contacts listed in the room of the heap, which is empty, over buckets.
static inline void queue_spread(queue *q, int count)
{
    q->start = QUEUE_NEVER;
    for (int i = 0; i < count; ++i)
        q->start = q->key[q->heap[i]] < q->start ? q->key[q->heap[i]] : q->start;
    q->bucket_count = count < QUEUE_MANY ? 1 : count;
    double width = q->bucket_count > 1 ? queue_far(q, q->heap, count) - q->start : 0;
    q->scale = 0.5 * q->bucket_count / width;
    if (!(width > 0 && q->scale < QUEUE_NEVER))
        q->bucket_count = 1;
    for (int k = 0; k < q->bucket_count; ++k)
        q->bucket[k] = QUEUE_NONE;
    q->open = -1;
    q->heap_count = 0;
    for (int i = 0; i < count; ++i)
        queue_enter(q, q->heap[i]);
}

// Of the keys as they are now.
static inline void queue_build(queue *q, int count)
{
    for (int i = 0; i < count; ++i)
        q->heap[i] = i;
    queue_spread(q, count);
}

// Takes the next bucket into the heap, which is empty; the last one, if it is not the only one,
// is spread.
static inline void queue_open(queue *q)
{
    int contact = q->bucket[++q->open], next, count = 0;
    q->bucket[q->open] = QUEUE_NONE;
    if (q->bucket_count == 1 || q->open < q->bucket_count - 1) {
        for (; contact >= 0; contact = next) {
            next = q->links[contact].next;
            queue_rise(q, q->heap_count++, contact);
        }
        return;
    }
    for (; contact >= 0; contact = q->links[contact].next)
        q->heap[count++] = contact;
    queue_spread(q, count);
}

// The contact with the smallest key; the heap holds some.
static inline int queue_first(const queue *q)
{
    return q->heap[0];
}

#endif

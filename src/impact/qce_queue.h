// The queue of a QCE sweep: which contact ends next?
//
// A tournament of minima with eight children per node: one cache line of keys per match. Contacts
// keep their place, so there is no table of positions to maintain; a changed key travels up only as
// far as it changes a minimum, on average little beyond its own line; neighbours in the contact
// order share lines. Against a 4-ary heap with inline keys this saves the moves, which were most of
// its cost, and ties go to the lowest index whatever happened before.
#ifndef CAROM_IMPACT_QCE_QUEUE_H
#define CAROM_IMPACT_QCE_QUEUE_H

#include <math.h>
#include "base/arena.h"

#define QUEUE_NEVER ((double)INFINITY) // the key of a contact that does not end

enum { QUEUE_FAN = 8, QUEUE_LEVELS = 11 }; // 8^11 > 2^31

typedef struct queue {
    double *level[QUEUE_LEVELS]; // level[0] are the keys, each higher one the minima of eights
    int depth;                   // levels in use; the highest holds at most eight
} queue;

static inline double queue_smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double queue_least(const double *key)
{
    double a = queue_smaller(key[0], key[1]), b = queue_smaller(key[2], key[3]);
    double c = queue_smaller(key[4], key[5]), d = queue_smaller(key[6], key[7]);
    return queue_smaller(queue_smaller(a, b), queue_smaller(c, d));
}

// Room for `count` keys; the caller fills level[0] and calls queue_build.
static inline carom_status queue_make(queue *q, int count, carom_arena *arena, carom_error *err)
{
    int size = count;
    q->depth = 0;
    do {
        int padded = (size + QUEUE_FAN - 1) / QUEUE_FAN * QUEUE_FAN;
        TAKE(arena, q->level[q->depth], padded, err);
        for (int i = size; i < padded; ++i)
            q->level[q->depth][i] = QUEUE_NEVER;
        ++q->depth;
        size = padded / QUEUE_FAN;
    } while (size > 1);
    return CAROM_OK;
}

static inline void queue_build(queue *q, int count)
{
    for (int l = 1; l < q->depth; ++l) {
        count = (count + QUEUE_FAN - 1) / QUEUE_FAN;
        for (int i = 0; i < count; ++i)
            q->level[l][i] = queue_least(&q->level[l - 1][QUEUE_FAN * i]);
    }
}

static inline void queue_set(queue *q, int i, double key)
{
    q->level[0][i] = key;
    for (int l = 1; l < q->depth; ++l) {
        i /= QUEUE_FAN;
        double least = queue_least(&q->level[l - 1][QUEUE_FAN * i]);
        if (q->level[l][i] == least)
            return;
        q->level[l][i] = least;
    }
}

// The lowest index with the smallest key.
static inline int queue_first(const queue *q)
{
    double least = queue_least(q->level[q->depth - 1]);
    int i = 0;
    for (int l = q->depth - 1; l >= 0; --l) {
        const double *key = &q->level[l][QUEUE_FAN * i];
        int child = 0;
        while (child < QUEUE_FAN - 1 && key[child] != least)
            ++child;
        i = QUEUE_FAN * i + child;
    }
    return i;
}

#endif

// The queue of a QCE sweep: which contact ends next?
//
// A tournament with eight players per match: one cache line of keys. Contacts keep their place, so
// there is no table of positions to maintain; a changed key travels up only as far as it changes a
// winner, mostly not at all; neighbours in the contact order share lines. Against a 4-ary heap with
// inline keys this saves the moves, which were most of its cost; base/queue.h, a binary heap with a
// table of positions, serves where an event costs more than its queue. Ties go to the lowest index
// whatever happened before.
#ifndef CAROM_IMPACT_QCE_QUEUE_H
#define CAROM_IMPACT_QCE_QUEUE_H

#include <math.h>
#include "base/arena.h"

#define QUEUE_NEVER ((double)INFINITY) // the key of a contact that does not end

enum { QUEUE_FAN = 8, QUEUE_LEVELS = 12, QUEUE_MANY = 64 }; // 8^11 > 2^31

typedef struct queue {
    double *key[QUEUE_LEVELS]; // key[0] of the contacts, key[l] of the winners of eight each
    int *winner[QUEUE_LEVELS]; // contact behind key[l]; null for l = 0
    int top;                   // the level with one match left; its result is not stored
    int lookout;               // the highest level with many players; 0: a small queue
} queue;

// Room for `count` keys; the caller fills key[0] and calls queue_build.
static inline carom_status queue_make(queue *q, int count, carom_arena *arena, carom_error *err)
{
    q->winner[0] = NULL;
    q->lookout = 0;
    for (q->top = 0;; ++q->top) {
        int padded = (count + QUEUE_FAN - 1) / QUEUE_FAN * QUEUE_FAN;
        TAKE(arena, q->key[q->top], padded, err);
        if (q->top > 0)
            TAKE(arena, q->winner[q->top], padded, err);
        for (int i = count; i < padded; ++i) {
            q->key[q->top][i] = QUEUE_NEVER;
            if (q->top > 0)
                q->winner[q->top][i] = -1;
        }
        if (count >= QUEUE_MANY)
            q->lookout = q->top;
        count = padded / QUEUE_FAN;
        if (count <= 1)
            return CAROM_OK;
    }
}

// Position of the smallest of eight keys, the first of equal ones.
static inline int queue_match(const double *key)
{
    int a = key[1] < key[0], b = 2 + (key[3] < key[2]);
    int c = 4 + (key[5] < key[4]), d = 6 + (key[7] < key[6]);
    a = key[b] < key[a] ? b : a;
    c = key[d] < key[c] ? d : c;
    return key[c] < key[a] ? c : a;
}

// Contact that wins below match `i` of level `l`.
static inline int queue_winner(const queue *q, int l, int i)
{
    int place = QUEUE_FAN * i + queue_match(&q->key[l][QUEUE_FAN * i]);
    return l > 0 ? q->winner[l][place] : place;
}

static inline void queue_build(queue *q, int count)
{
    for (int l = 0; l < q->top; ++l) {
        count = (count + QUEUE_FAN - 1) / QUEUE_FAN;
        for (int i = 0; i < count; ++i) {
            int contact = queue_winner(q, l, i);
            q->winner[l + 1][i] = contact;
            q->key[l + 1][i] = q->key[0][contact];
        }
    }
}

static inline void queue_set(queue *q, int contact, double key)
{
    q->key[0][contact] = key;
    int place = contact;
    for (int l = 0; l < q->top; ++l) {
        place /= QUEUE_FAN;
        double *best = &q->key[l + 1][place];
        int *holder = &q->winner[l + 1][place];
        if (*holder != contact && (key > *best || (key == *best && contact > *holder)))
            return;
        *holder = queue_winner(q, l, place);
        *best = q->key[0][*holder];
    }
}

// The contact with the smallest key.
static inline int queue_first(const queue *q)
{
    return queue_winner(q, q->top, 0);
}

// A contact that will come up soon: the winner of the given one's player on the lookout level.
static inline int queue_candidate(const queue *q, int contact)
{
    return q->winner[q->lookout][contact >> (3 * q->lookout)];
}

#endif

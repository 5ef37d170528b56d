// Work by a team of threads.
//
// gcc's OpenMP makes and ends a team even where the clause `if` says no, with a system call or two
// each time, and every barrier inside is one more. Small problems are solved a million times, so
// here one thread means no team at all. Loops take their share by hand: an `omp for` inside a
// function that is called without a team would bind to whatever team is around the caller.
#ifndef CAROM_BASE_TEAM_H
#define CAROM_BASE_TEAM_H

#include <omp.h>

#define CAROM_TEAM_PRAGMA(words) _Pragma(#words)
// Calls once with one thread, or once in every thread of a team.
#define CAROM_TEAM(threads, call)                                                                  \
    do {                                                                                           \
        if ((threads) > 1) {                                                                       \
            CAROM_TEAM_PRAGMA(omp parallel num_threads(threads))                                   \
            call;                                                                                  \
        } else {                                                                                   \
            call;                                                                                  \
        }                                                                                          \
    } while (0)
// This thread's share of 0 .. count - 1, one in so many: for pieces.
#define CAROM_TEAM_EACH(i, count, threads)                                                         \
    for (int i = carom_team_me(threads), i##_step = carom_team_size(threads); i < (count);         \
         i += i##_step)

static inline int carom_team_me(int threads)
{
    return threads > 1 ? omp_get_thread_num() : 0;
}

static inline int carom_team_size(int threads)
{
    return threads > 1 ? omp_get_num_threads() : 1;
}

// Where this thread's share of 0 .. count - 1 begins, in one run, and where it ends: for items.
static inline int carom_team_begin(int count, int threads)
{
    return (int)((long long)count * carom_team_me(threads) / carom_team_size(threads));
}

static inline int carom_team_end(int count, int threads)
{
    return (int)((long long)count * (carom_team_me(threads) + 1) / carom_team_size(threads));
}

// Sums that must not depend on the number of threads are taken block by block, and then over the
// blocks in their order. Few items make one block, and take one thread.
enum { CAROM_TEAM_BLOCKS = 64, CAROM_TEAM_FEW = 4096 };

static inline int carom_team_blocks(int count)
{
    return count < CAROM_TEAM_FEW ? 1 : CAROM_TEAM_BLOCKS;
}

// Where block `b` of 0 .. count - 1 begins; that of the block behind the last is count.
static inline int carom_team_block(int count, int b)
{
    return (int)((long long)count * b / carom_team_blocks(count));
}

// Threads worth waking for so many items.
static inline int carom_team_worth(int count, int threads)
{
    return count < CAROM_TEAM_FEW ? 1 : threads;
}

// All threads of the team have come this far.
static inline void carom_team_wait(int threads)
{
    if (threads > 1) {
#pragma omp barrier
    }
}

#endif

// Work by a team of threads.
//
// A loop is cut into as many shares as there are threads. Whoever of the team is free takes the
// next share, the caller first of all: a worker that the system has not let run yet is not waited
// for, so a busy machine costs little more than one thread would. Shares are numbered and run each
// once, at the same time or one after the other; what one does must not wait for another. Workers
// wait awake for a while, letting others run, and then sleep. One thread means no team at all: small
// problems are solved a million times.
//
//     static void add_share(const table *from, double *sum, int threads) { ... }
//     CAROM_TEAM_SHARE2(add_share, const table *, double *, int)
//     CAROM_TEAM(threads, add_share(from, sum, threads));
//
// The line under a function names the types of its arguments, so that they can be handed over.
#ifndef CAROM_BASE_TEAM_H
#define CAROM_BASE_TEAM_H

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

// A function with its arguments.
typedef struct carom_team_job {
    void (*run)(const void *given);
    _Alignas(max_align_t) unsigned char given[64];
} carom_team_job;

// team.c: runs the job once per share, and returns when all are done. May be called by several
// threads at once, and from within a share.
void carom_team_run(int threads, carom_team_job job);
// Whoever runs jobs for this thread instead of teams, until it is set again; null: teams. A job of
// so many shares becomes so many tasks, and what a task asks for goes the same way.
typedef void carom_team_task(void *data, int number);
typedef void carom_team_runner(void *context, carom_team_task *task, void *data, int count);
typedef struct carom_team_hook {
    carom_team_runner *run;
    void *context;
} carom_team_hook;
// Sets it and returns what was set before.
carom_team_hook carom_team_use(carom_team_hook next);
// The number of the share at work, and how many there are; 0 of 1 outside.
int carom_team_share(void);
int carom_team_shares(void);
// As many threads as the system offers this process, or OMP_NUM_THREADS says; at least 1.
int carom_team_max(void);
// Ends all workers that have nothing to do; done by itself when the library is unloaded.
void carom_team_dismiss(void);
// One thread at a time between these two; nothing happens where there is only one.
void carom_team_lock(int threads);
void carom_team_unlock(int threads);

#define CAROM_TEAM_JOB(share, members, names, values)                                              \
    typedef struct share##_given {                                                                 \
        members                                                                                    \
    } share##_given;                                                                               \
    _Static_assert(sizeof(share##_given) <= sizeof((carom_team_job *)NULL)->given, "too many");    \
    static void share##_run(const void *given)                                                     \
    {                                                                                              \
        const share##_given *g = given;                                                            \
        share values;                                                                              \
    }                                                                                              \
    static inline carom_team_job team_##share names
#define CAROM_TEAM_PACK(share, ...)                                                                \
    {                                                                                              \
        carom_team_job job = { .run = share##_run };                                               \
        share##_given given = { __VA_ARGS__ };                                                     \
        memcpy(job.given, &given, sizeof given);                                                   \
        return job;                                                                                \
    }
#define CAROM_TEAM_SHARE1(share, A)                                                                \
    CAROM_TEAM_JOB(share, A a;, (A a), (g->a)) CAROM_TEAM_PACK(share, a)
#define CAROM_TEAM_SHARE2(share, A, B)                                                             \
    CAROM_TEAM_JOB(share, A a; B b;, (A a, B b), (g->a, g->b)) CAROM_TEAM_PACK(share, a, b)
#define CAROM_TEAM_SHARE3(share, A, B, C)                                                          \
    CAROM_TEAM_JOB(share, A a; B b; C c;, (A a, B b, C c), (g->a, g->b, g->c))                     \
    CAROM_TEAM_PACK(share, a, b, c)
#define CAROM_TEAM_SHARE4(share, A, B, C, D)                                                       \
    CAROM_TEAM_JOB(share, A a; B b; C c; D d;, (A a, B b, C c, D d), (g->a, g->b, g->c, g->d))     \
    CAROM_TEAM_PACK(share, a, b, c, d)
#define CAROM_TEAM_SHARE5(share, A, B, C, D, E)                                                    \
    CAROM_TEAM_JOB(share, A a; B b; C c; D d; E e;                                                 \
                   , (A a, B b, C c, D d, E e), (g->a, g->b, g->c, g->d, g->e))                    \
    CAROM_TEAM_PACK(share, a, b, c, d, e)

// Calls once with one thread, or once per share.
#define CAROM_TEAM(threads, call)                                                                  \
    do {                                                                                           \
        if ((threads) > 1)                                                                         \
            carom_team_run((threads), team_##call);                                                \
        else                                                                                       \
            call;                                                                                  \
    } while (0)
// This share of 0 .. count - 1, one in so many: for pieces.
#define CAROM_TEAM_EACH(i, count, threads)                                                         \
    for (int i = carom_team_me(threads), i##_step = carom_team_size(threads); i < (count);         \
         i += i##_step)

// The next of 0 .. count - 1 that no share has taken yet, or -1: for pieces of unlike size. All
// shares take from one counter, which begins at 0.
static inline int carom_team_next(atomic_int *counter, int count)
{
    int i = atomic_fetch_add(counter, 1);
    return i < count ? i : -1;
}

static inline int carom_team_me(int threads)
{
    return threads > 1 ? carom_team_share() : 0;
}

static inline int carom_team_size(int threads)
{
    return threads > 1 ? carom_team_shares() : 1;
}

// Where this share of 0 .. count - 1 begins, in one run, and where it ends: for items.
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

#endif

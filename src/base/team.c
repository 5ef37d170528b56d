// Teams: workers that sleep between jobs, and the caller who works with them.
//
// A job is a counter of shares that are not taken yet, in one word with the number of the job, so
// that a worker who wakes too late for one job can neither take a share of it twice nor one of the
// next with the arguments of the last: taking a share is one compare-and-exchange of that word, and
// whoever has taken one knows that the job stands until it is done.
//
// A step of a world is a hundred jobs of some 100 microseconds, as long as the system takes to wake
// a thread. So who waits for work, or for the last share, looks for some microseconds, then lets
// others have the processor between two looks, and sleeps on a condition only when that has taken
// long. On a machine with nothing else to do the team stays awake from job to job; on a busy one
// nobody is kept waiting by those who wait.
//
// Callers borrow a team and give it back; teams that are not borrowed stand in a list. So there are
// at most as many teams as callers at the same time.
#define _GNU_SOURCE // which processors are ours
#include "base/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/clock.h"
#include "base/memory.h"

enum {
    LOOKS = 400,    // before a thread lets others run: some 10 microseconds
    WORKERS = 1023, // of a team
    KEPT = 64,      // teams in the list; one more is dismissed
    IN_VAIN = 4,    // long jobs without help, after which workers are left to sleep ...
    SELDOM = 16,    // ... but for one job in so many
    JOB_SHIFT = 32,
};
// s: how long a worker waits awake for the next job, and the caller for the last share (another
// processor has it, as a rule); from when on a job is long, so that a worker could have come.
static const double NEXT = 3e-4, LAST = 2e-3, LONG = 5e-4;

typedef struct team {
    struct team *next; // in the list of those not borrowed
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    atomic_uint_fast64_t word; // number of the job, shares not taken
    atomic_int unfinished;     // shares
    atomic_int asleep;         // workers
    atomic_bool waits;         // the caller sleeps until all is done
    atomic_bool helped;        // a worker has taken a share of this job
    bool over;                 // the team ends; under the lock
    carom_team_job job;
    int shares;
    int vain; // long jobs in a row that no worker has helped with
    int count;
    pthread_t worker[WORKERS];
} team;

typedef struct place {
    int share, shares;
} place;

static _Thread_local place here = { 0, 1 };
static _Thread_local carom_team_hook hook; // of this thread
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t common_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static team *list;
static int listed;

static team *borrow(int threads);
static void give_back(team *t);
static void post(team *t, carom_team_job job, int shares);
static bool take_share(team *t, bool caller);
static void wait_for_last(team *t);

carom_team_hook carom_team_use(carom_team_hook next)
{
    carom_team_hook was = hook;
    hook = next;
    return was;
}

// A job that somebody else's threads run.
typedef struct lent_job {
    const carom_team_job *job;
    carom_team_hook hook;
    int shares;
} lent_job;

static void run_lent(void *data, int number)
{
    const lent_job *lent = data;
    place was = here;
    carom_team_hook own = carom_team_use(lent->hook);
    here = (place){ number, lent->shares };
    lent->job->run(lent->job->given);
    here = was;
    carom_team_use(own);
}

void carom_team_run(int threads, carom_team_job job)
{
    if (hook.run) {
        lent_job lent = { &job, hook, threads };
        hook.run(hook.context, run_lent, &lent, threads);
        return;
    }
    place was = here;
    team *t = borrow(threads);
    if (t) {
        double start = carom_clock_seconds();
        post(t, job, threads);
        while (take_share(t, true))
            continue;
        wait_for_last(t);
        if (atomic_load(&t->helped))
            t->vain = 0;
        else
            t->vain += carom_clock_seconds() - start > LONG;
        give_back(t);
    }
    for (int k = 0; !t && k < threads; ++k) { // no memory, or no threads: alone
        here = (place){ k, threads };
        job.run(job.given);
    }
    here = was;
}

int carom_team_share(void)
{
    return here.share;
}

int carom_team_shares(void)
{
    return here.shares;
}

int carom_team_max(void)
{
    const char *said = getenv("OMP_NUM_THREADS");
    long most = said ? strtol(said, NULL, 10) : 0;
#ifdef CPU_COUNT
    cpu_set_t ours;
    if (most < 1 && sched_getaffinity(0, sizeof ours, &ours) == 0)
        most = CPU_COUNT(&ours);
#endif
    if (most < 1)
        most = sysconf(_SC_NPROCESSORS_ONLN);
    return most < 1 ? 1 : most > WORKERS ? WORKERS : (int)most;
}

void carom_team_lock(int threads)
{
    if (threads > 1)
        pthread_mutex_lock(&common_lock);
}

void carom_team_unlock(int threads)
{
    if (threads > 1)
        pthread_mutex_unlock(&common_lock);
}

static inline void look_again(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// How a thread has waited so far.
typedef struct waiting {
    int looks;
    double until; // s, by the clock; 0: not yet said
} waiting;

// Between two looks; false when it has been too long.
static bool wait_awake(waiting *w, double longest)
{
    if (w->looks < LOOKS) {
        ++w->looks;
        look_again();
        return true;
    }
    double now = carom_clock_seconds();
    if (w->until == 0)
        w->until = now + longest;
    sched_yield();
    return now < w->until;
}

static void post(team *t, carom_team_job job, int shares)
{
    uint64_t number = (atomic_load(&t->word) >> JOB_SHIFT) + 1;
    t->job = job;
    t->shares = shares;
    atomic_store(&t->helped, false);
    atomic_store(&t->unfinished, shares);
    atomic_store(&t->word, number << JOB_SHIFT | (uint64_t)shares);
    int asleep = atomic_load(&t->asleep);
    if (asleep == 0 || (t->vain >= IN_VAIN && number % SELDOM != 0))
        return;
    pthread_mutex_lock(&t->lock);
    for (int k = 0; k < asleep && k < shares - 1; ++k)
        pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->lock);
}

// Takes a share that nobody has taken and runs it; false where there is none.
static bool take_share(team *t, bool caller)
{
    uint64_t word = atomic_load(&t->word);
    do {
        if ((uint32_t)word == 0)
            return false;
    } while (!atomic_compare_exchange_weak(&t->word, &word, word - 1));
    if (!caller)
        atomic_store(&t->helped, true);
    here = (place){ t->shares - (int)(uint32_t)word, t->shares };
    t->job.run(t->job.given);
    if (atomic_fetch_sub(&t->unfinished, 1) == 1 && atomic_load(&t->waits)) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_signal(&t->done);
        pthread_mutex_unlock(&t->lock);
    }
    return true;
}

static void wait_for_last(team *t)
{
    waiting w = { 0 };
    do
        if (atomic_load(&t->unfinished) == 0)
            return;
    while (wait_awake(&w, LAST));
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->waits, true);
    while (atomic_load(&t->unfinished) > 0)
        pthread_cond_wait(&t->done, &t->lock);
    atomic_store(&t->waits, false);
    pthread_mutex_unlock(&t->lock);
}

// False where the team ends.
static bool wait_for_work(team *t)
{
    waiting w = { 0 };
    do
        if ((uint32_t)atomic_load(&t->word) > 0)
            return true;
    while (wait_awake(&w, NEXT));
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->asleep, 1);
    while ((uint32_t)atomic_load(&t->word) == 0 && !t->over)
        pthread_cond_wait(&t->wake, &t->lock);
    atomic_fetch_sub(&t->asleep, 1);
    bool over = t->over;
    pthread_mutex_unlock(&t->lock);
    return !over;
}

static void *work(void *given)
{
    team *t = given;
    while (wait_for_work(t))
        while (take_share(t, false))
            continue;
    return NULL;
}

// -- making and ending --------------------------------------------------------------------------

static team *create(void)
{
    team *t = carom_memory_zeros(1, sizeof *t);
    if (!t)
        return NULL;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    pthread_cond_init(&t->done, NULL);
    return t;
}

static void destroy(team *t)
{
    pthread_mutex_lock(&t->lock);
    t->over = true;
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
    for (int k = 0; k < t->count; ++k)
        pthread_join(t->worker[k], NULL);
    pthread_cond_destroy(&t->done);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    carom_memory_free(t);
}

// Signals are the caller's.
static void hire(team *t, int wanted)
{
    sigset_t all, was;
    if (t->count >= wanted)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &was);
    while (t->count < wanted && pthread_create(&t->worker[t->count], NULL, work, t) == 0)
        ++t->count;
    pthread_sigmask(SIG_SETMASK, &was, NULL);
}

// A forked process has the list, but not the threads.
static void forget(void)
{
    list = NULL;
    listed = 0;
    pthread_mutex_init(&list_lock, NULL);
    pthread_mutex_init(&common_lock, NULL);
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

static team *borrow(int threads)
{
    pthread_once(&once, watch_forks);
    pthread_mutex_lock(&list_lock);
    team *t = list;
    if (t) {
        list = t->next;
        --listed;
    }
    pthread_mutex_unlock(&list_lock);
    if (!t)
        t = create();
    if (t)
        hire(t, threads - 1 < WORKERS ? threads - 1 : WORKERS);
    return t;
}

static void give_back(team *t)
{
    pthread_mutex_lock(&list_lock);
    bool kept = listed < KEPT;
    if (kept) {
        t->next = list;
        list = t;
        ++listed;
    }
    pthread_mutex_unlock(&list_lock);
    if (!kept)
        destroy(t);
}

__attribute__((destructor)) void carom_team_dismiss(void)
{
    pthread_mutex_lock(&list_lock);
    team *t = list;
    list = NULL;
    listed = 0;
    pthread_mutex_unlock(&list_lock);
    while (t) {
        team *next = t->next;
        destroy(t);
        t = next;
    }
}

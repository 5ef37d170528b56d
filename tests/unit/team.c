// Teams of threads: every share runs once, whoever takes it, also for several callers at the same
// time, within a share and in a forked process; who waits does not work; one thread needs no other.
#include "base/team.h"
#include "support/check.h"

#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WATCHED 1 // by a thread of the sanitizer, which does not follow a fork either
#endif
#endif
#ifndef WATCHED
#define WATCHED 0
#endif
enum { SHARES = 7, CALLERS = 4 };

// How many threads this process has at this moment. The kernel lists a thread for a while after
// pthread_join has returned.
static int threads_listed(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

// How many threads this process has once those that have ended are off the list; at most so many
// are expected, and more are waited for, ten seconds at most.
static int threads_left(int expected)
{
    struct timespec nap = { .tv_nsec = 1000000 };
    int count = threads_listed();
    for (int k = 0; k < 10000 && count > expected; ++k) {
        nanosleep(&nap, NULL);
        count = threads_listed();
    }
    return count;
}

static void mark_share(atomic_int *seen, atomic_int *wrong, int threads)
{
    int me = carom_team_me(threads);
    if (me < 0 || me >= threads || carom_team_size(threads) != threads)
        atomic_fetch_add(wrong, 1);
    else
        atomic_fetch_add(&seen[me], 1);
}
CAROM_TEAM_SHARE3(mark_share, atomic_int *, atomic_int *, int)

// Runs so many jobs; returns how many shares were not run exactly once per job.
static int jobs(int count, int threads)
{
    atomic_int seen[SHARES] = { 0 }, wrong = 0;
    for (int k = 0; k < count; ++k)
        CAROM_TEAM(threads, mark_share(seen, &wrong, threads));
    int bad = atomic_load(&wrong);
    for (int i = 0; i < threads; ++i)
        bad += atomic_load(&seen[i]) != count;
    return bad;
}

static void *call(void *bad)
{
    *(int *)bad = jobs(check_effort(2000, 300), SHARES);
    return NULL;
}

static void several_callers(void)
{
    pthread_t caller[CALLERS];
    int bad[CALLERS];
    for (int i = 0; i < CALLERS; ++i)
        pthread_create(&caller[i], NULL, call, &bad[i]);
    for (int i = 0; i < CALLERS; ++i) {
        pthread_join(caller[i], NULL);
        CHECK(bad[i] == 0, "caller %d of several: every share runs once per job", i);
    }
}

static void nested_share(atomic_int *bad, int threads)
{
    int me = carom_team_me(threads);
    atomic_fetch_add(bad, jobs(20, 3));
    atomic_fetch_add(bad, carom_team_me(threads) != me); // what it was before
}
CAROM_TEAM_SHARE2(nested_share, atomic_int *, int)

// Blocks of a sum, to be joined in their order.
static void sum_share(const double *x, int count, double *part, int threads)
{
    CAROM_TEAM_EACH (b, carom_team_blocks(count), threads) {
        part[b] = 0;
        for (int i = carom_team_block(count, b); i < carom_team_block(count, b + 1); ++i)
            part[b] += x[i];
    }
}
CAROM_TEAM_SHARE4(sum_share, const double *, int, double *, int)

static void same_sums(void)
{
    enum { COUNT = 20000 };
    static double x[COUNT];
    double one = 0;
    for (int i = 0; i < COUNT; ++i)
        x[i] = 1.0 / (1 + i % 977);
    for (int threads = 1; threads <= SHARES; ++threads) {
        double part[CAROM_TEAM_BLOCKS], sum = 0;
        CAROM_TEAM(threads, sum_share(x, COUNT, part, threads));
        for (int b = 0; b < carom_team_blocks(COUNT); ++b)
            sum += part[b];
        one = threads == 1 ? sum : one;
        CHECK(sum == one, "the sum by %d threads has the bits of that by one", threads);
    }
}

// Processor time, which other work on the machine does not change.
static void waiting_is_free(void)
{
    struct timespec nap = { .tv_nsec = 200000000 };
    clock_t before = clock();
    for (int k = 0; k < 5; ++k) {
        jobs(1, 4);
        nanosleep(&nap, NULL);
    }
    // spinning workers would take 1 s and more; five jobs and their wakings take a millisecond
    CHECK_MOST((double)(clock() - before) / CLOCKS_PER_SEC, 0.2,
               "s of processor time while workers have nothing to do for a second");
}

static void forked(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(jobs(50, 3) == 0 ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a forked process has teams of its own");
}

int main(void)
{
    CHECK(jobs(10, 1) == 0, "one thread: every share runs once");
    CHECK(threads_listed() == 1, "and no other thread is made");
    for (int threads = 2; threads <= SHARES; ++threads)
        CHECK(jobs(check_effort(2000, 300), threads) == 0, "%d threads: every share runs once",
              threads);
    CHECK_MOST(threads_listed(), SHARES + WATCHED,
               "threads: one team, as large as asked for at most");
    several_callers();
    int most = 1 + CALLERS * (SHARES - 1) + WATCHED;
    CHECK_MOST(threads_left(most), most, "threads: a team per caller at most");
    atomic_int bad = 0;
    CAROM_TEAM(4, nested_share(&bad, 4));
    CHECK(atomic_load(&bad) == 0, "a share may have a team of its own");
    same_sums();
    waiting_is_free();
    if (!WATCHED)
        forked();
    carom_team_dismiss();
    CHECK(threads_left(1 + WATCHED) == 1 + WATCHED, "dismissed: all workers are gone");
    CHECK(jobs(10, 3) == 0, "and come back when asked for");
    return check_report();
}

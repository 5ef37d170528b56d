// Processes that take jobs from a common counter and append their lines to the journal. One that
// dies is replaced, and its job has failed; where the parent is gone they end after their job.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include "sweep/sweep.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/progress.h"

enum { PROCESSES_MAX = 1024 };

// What all processes see.
typedef struct board {
    atomic_llong next, done;
    atomic_llong at[PROCESSES_MAX];  // place of the job at work in the list; -1: none
    atomic_int stuck;                // why a line could not be written, an errno
} board;

typedef struct workers {
    carom_sweep *sweep;
    const int64_t *list; // jobs to do
    int64_t count;
    int file; // the journal
    board *board;
    pid_t pids[PROCESSES_MAX];
    int size;
} workers;

static void work(workers *c, int me, pid_t parent)
{
    signal(SIGINT, SIG_IGN); // the parent decides
    while (getppid() == parent) {
        carom_text line = { 0 };
        long long place = atomic_fetch_add(&c->board->next, 1);
        if (place >= c->count)
            break;
        atomic_store(&c->board->at[me], place);
        int64_t job = c->list[place];
        carom_sweep_job_run(c->sweep, job, &line);
        errno = ENOMEM;
        if (line.failed || !carom_sweep_journal_add(c->file, c->sweep->keys[job], line.bytes)) {
            atomic_store(&c->board->stuck, errno ? errno : EIO);
            carom_text_free(&line);
            _exit(1);
        }
        carom_text_free(&line);
        atomic_store(&c->board->at[me], -1);
        atomic_fetch_add(&c->board->done, 1);
    }
    _exit(0);
}

static bool start(workers *c, int me)
{
    pid_t parent = getpid();
    fflush(NULL);
    atomic_store(&c->board->at[me], -1);
    c->pids[me] = fork();
    if (c->pids[me] == 0)
        work(c, me, parent);
    return c->pids[me] > 0;
}

// The job of a process that has died.
static void note_end(workers *c, int me, int status)
{
    char words[80];
    long long place = atomic_load(&c->board->at[me]);
    if (place < 0)
        return;
    if (WIFSIGNALED(status))
        snprintf(words, sizeof words, "failed\tits process was ended by signal %d",
                 WTERMSIG(status));
    else
        snprintf(words, sizeof words, "failed\tits process ended with code %d",
                 WEXITSTATUS(status));
    carom_sweep_journal_add(c->file, c->sweep->keys[c->list[place]], words);
    atomic_fetch_add(&c->board->done, 1);
}

// Starts another in the place of who has died; false where nobody is left.
static bool restart_dead(workers *c)
{
    int alive = 0;
    for (int me = 0; me < c->size; ++me) {
        int status;
        if (c->pids[me] <= 0)
            continue;
        if (waitpid(c->pids[me], &status, WNOHANG) != c->pids[me]) {
            ++alive;
            continue;
        }
        c->pids[me] = 0;
        bool died = WIFSIGNALED(status) || WEXITSTATUS(status) != 0;
        if (died && !atomic_load(&c->board->stuck)) {
            note_end(c, me, status);
            alive += start(c, me);
        }
    }
    return alive > 0;
}

static void end_workers(workers *c)
{
    for (int me = 0; me < c->size; ++me)
        if (c->pids[me] > 0)
            kill(c->pids[me], SIGKILL);
    for (int me = 0; me < c->size; ++me)
        if (c->pids[me] > 0)
            waitpid(c->pids[me], NULL, 0);
}

static carom_status run_workers(workers *c, const carom_progress *progress, carom_error *err)
{
    const struct timespec nap = { 0, 20000000 };
    carom_status status = CAROM_OK;
    int started = 0;
    for (int me = 0; me < c->size; ++me)
        started += start(c, me);
    if (started == 0)
        return carom_error_set(err, CAROM_IO_FAILED, "no process could be started");
    while (restart_dead(c) && status == CAROM_OK) {
        nanosleep(&nap, NULL);
        status = carom_progress_report(progress, (double)atomic_load(&c->board->done),
                                       (double)c->count, "jobs", err);
    }
    if (status != CAROM_OK)
        end_workers(c);
    if (status == CAROM_OK && atomic_load(&c->board->stuck)) {
        if (c->board->stuck == ENOMEM)
            return carom_error_no_memory(err, "the result of a job");
        carom_error_set(err, CAROM_IO_FAILED, "the journal cannot be written");
        status = carom_error_fix(err, "look for a full disk; the same command goes on from there");
    }
    return status;
}

// A job by its key, then by its number.
typedef struct keyed {
    uint64_t key;
    int64_t job;
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

static int by_job(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

// Keeps the first of jobs that are the same; the list stays in order. Without memory all stay,
// which costs time only.
static int64_t drop_twins(const carom_sweep *sweep, int64_t *list, int64_t count)
{
    int64_t kept = 0;
    keyed *all = malloc(((size_t)count + 1) * sizeof *all);
    if (!all)
        return count;
    for (int64_t i = 0; i < count; ++i)
        all[i] = (keyed){ sweep->keys[list[i]], list[i] };
    qsort(all, (size_t)count, sizeof *all, by_key);
    for (int64_t i = 0; i < count; ++i)
        if (i == 0 || all[i].key != all[i - 1].key)
            list[kept++] = all[i].job;
    qsort(list, (size_t)kept, sizeof *list, by_job);
    free(all);
    return kept;
}

// The jobs of this shard that no journal has, each key once.
static int64_t list_jobs(const carom_sweep *sweep, const carom_sweep_settings *s, int64_t *list,
                         carom_sweep_report *report)
{
    int64_t count = 0;
    report->jobs = 0;
    for (int64_t job = 0; job < sweep->jobs; ++job) {
        if (s->shards > 0 && job % s->shards != s->shard - 1)
            continue;
        const char *words = carom_sweep_journal_find(sweep, sweep->keys[job]);
        bool again = words && s->retry && strncmp(words, "failed", 6) == 0;
        ++report->jobs;
        if (!words || again)
            list[count++] = job;
    }
    return drop_twins(sweep, list, count);
}

static carom_status check_settings(const carom_sweep_settings *s, carom_error *err)
{
    if (s->processes > PROCESSES_MAX)
        return carom_error_set(err, CAROM_BAD_INPUT, "%d processes are too many: %d at most",
                               s->processes, PROCESSES_MAX);
    if (s->shards < 0 || (s->shards > 0 && (s->shard < 1 || s->shard > s->shards))) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is no shard %d of %d", s->shard, s->shards);
        return carom_error_fix(err, "number them from 1");
    }
    return CAROM_OK;
}

static carom_status run_list(carom_sweep *sweep, const carom_sweep_settings *s, const int64_t *list,
                             int64_t count, carom_error *err)
{
    char path[4200];
    workers *c = calloc(1, sizeof *c);
    board *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    carom_status status = CAROM_OK;
    if (!c || shared == MAP_FAILED) {
        free(c);
        return carom_error_no_memory(err, "%d processes", s->processes);
    }
    carom_sweep_journal_path(s, path, sizeof path);
    snprintf(sweep->trajectory_folder, sizeof sweep->trajectory_folder, "%s.runs", s->out);
    mkdir(sweep->trajectory_folder, 0777); // that it is there already is fine
    int processes = s->processes > 0 ? s->processes : 1;
    *c = (workers){ .sweep = sweep, .list = list, .count = count, .board = shared };
    c->size = (int)(processes < count ? processes : count);
    c->file = carom_sweep_journal_open(path, err);
    if (c->file < 0)
        status = CAROM_IO_FAILED;
    if (status == CAROM_OK && count > 0)
        status = run_workers(c, s->progress, err);
    if (c->file >= 0) {
        fsync(c->file);
        close(c->file);
    }
    rmdir(sweep->trajectory_folder); // stays where there is something in it
    munmap(shared, sizeof *shared);
    free(c);
    return status;
}

carom_status carom_sweep_run(carom_sweep *sweep, const carom_sweep_settings *settings,
                             carom_sweep_report *report, carom_error *err)
{
    NEED(err, sweep, settings, report);
    NEED(err, settings->out);
    TRY(check_settings(settings, err));
    TRY(carom_sweep_load(sweep, settings->out, report, err));
    int64_t *list = calloc((size_t)sweep->jobs + 1, sizeof *list);
    if (!list)
        return carom_error_no_memory(err, "the list of jobs");
    int64_t count = list_jobs(sweep, settings, list, report), jobs = report->jobs;
    carom_status status = run_list(sweep, settings, list, count, err);
    free(list);
    carom_error ignored = { 0 };
    carom_status loaded =
        carom_sweep_load(sweep, settings->out, report, status == CAROM_OK ? err : &ignored);
    report->jobs = jobs;
    report->run = count;
    return status == CAROM_OK ? loaded : status;
}

carom_status carom_sweep_audit(carom_sweep *sweep, double share, const carom_progress *progress,
                               int64_t *run, int64_t *differ, carom_error *err)
{
    const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); // spreads keys evenly
    NEED(err, sweep, run, differ);
    *run = *differ = 0;
    snprintf(sweep->trajectory_folder, sizeof sweep->trajectory_folder, "%s", "/tmp");
    for (int64_t job = 0; job < sweep->jobs; ++job) {
        const char *words = carom_sweep_journal_find(sweep, sweep->keys[job]);
        carom_text line = { 0 };
        double place = (double)((sweep->keys[job] * golden) >> 11) / 9007199254740992.0;
        TRY(carom_progress_report(progress, (double)job, (double)sweep->jobs, "audit", err));
        if (!words || place >= share)
            continue;
        carom_sweep_job_run(sweep, job, &line);
        ++*run;
        *differ += line.failed || strcmp(line.bytes, words) != 0;
        carom_text_free(&line);
    }
    return CAROM_OK;
}

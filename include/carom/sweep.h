/// @file
/// Sweeps: one scene or problem many times, with some of its values changed each time.
///
/// A sweep file names the scene, the axes (any key by its path) and what to keep of each job. Jobs
/// run in processes of their own; each leaves one line in a journal, keyed by the hash of the scene
/// as it is set, of what is kept and of Carom's version. What is in a journal is not computed
/// again, so that a sweep that was killed goes on with the same call, and shards of it can be
/// merged.
#ifndef CAROM_SWEEP_H
#define CAROM_SWEEP_H

#include <stdint.h>
#include <stdio.h>
#include "carom/progress.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A sweep that has been read.
typedef struct carom_sweep carom_sweep;

/// How to run it. Zero-initialise.
typedef struct carom_sweep_settings {
    const char *out;   ///< the journals are this name and ".journal"; with shards ".I-of-N.journal"
    int processes;     ///< at the same time; 0 counts as 1
    int shard, shards; ///< only every shards-th job from number `shard` (from 1) on; 0: all
    int retry;         ///< non-zero: jobs that failed are run again
    const carom_progress *progress; ///< may be null
} carom_sweep_settings;

/// How far a sweep is.
typedef struct carom_sweep_report {
    int64_t jobs;    ///< in all, or of the shard
    int64_t run;     ///< by this call
    int64_t failed;  ///< of all that are there
    int64_t missing; ///< not in any journal
} carom_sweep_report;

/// Reads a sweep file and the text of its scene, and checks that every job can be set. A failure
/// says file:line:column, the value and the fix.
CAROM_API carom_status carom_sweep_open(const char *path, carom_sweep **out, carom_error *err);
/// Frees it; null is allowed.
CAROM_API void carom_sweep_close(carom_sweep *sweep);
/// How many jobs it has.
CAROM_API int64_t carom_sweep_count(const carom_sweep *sweep);
/// What a job changes: "law=wave friction=0.3".
CAROM_API void carom_sweep_words(const carom_sweep *sweep, int64_t job, char *out, size_t size);
/// The error of a job that failed; null where it did not, or is not there yet.
CAROM_API const char *carom_sweep_error(const carom_sweep *sweep, int64_t job);

/// Runs what is not in the journals of that name yet. Jobs that fail are noted and do not stop the
/// others; a process that dies counts as a failure of its job. Where the progress asks to stop,
/// what is done is in the journal.
CAROM_API carom_status carom_sweep_run(carom_sweep *sweep, const carom_sweep_settings *settings,
                                       carom_sweep_report *report, carom_error *err);
/// Reads all journals of that name.
CAROM_API carom_status carom_sweep_load(carom_sweep *sweep, const char *out,
                                        carom_sweep_report *report, carom_error *err);
/// Runs a share of the jobs in the journals again, chosen by their keys, and compares the lines:
/// how many were run, and how many differ.
CAROM_API carom_status carom_sweep_audit(carom_sweep *sweep, double share,
                                         const carom_progress *progress, int64_t *run,
                                         int64_t *differ, carom_error *err);

/// The table, a line per job in order: axes, what was kept (with units), the error.
CAROM_API carom_status carom_sweep_csv(const carom_sweep *sweep, FILE *file, carom_error *err);
/// The same as a NumPy archive: an array per column, `columns` and `units` with their names.
CAROM_API carom_status carom_sweep_npz(const carom_sweep *sweep, FILE *file, carom_error *err);
/// A page with plots: lines over one axis, maps over two, parallel coordinates beyond. The caller
/// frees it with free(); null without memory.
CAROM_API char *carom_sweep_html(const carom_sweep *sweep);

/// What a driver file can be for.
#define CAROM_SWEEP_DRIVER_LIST(X)                                                                 \
    X(PARALLEL, "parallel")                                                                        \
    X(SLURM, "slurm")                                                                              \
    X(SNAKEMAKE, "snakemake")

/// Schedulers.
typedef enum carom_sweep_driver {
#define CAROM_SWEEP_DRIVER_VALUE(name, word) CAROM_SWEEP_DRIVER_##name,
    CAROM_SWEEP_DRIVER_LIST(CAROM_SWEEP_DRIVER_VALUE)
#undef CAROM_SWEEP_DRIVER_VALUE
        CAROM_SWEEP_DRIVERS
} carom_sweep_driver;

/// A driver file that runs `path` in this many shards by the program `carom` and merges them. The
/// caller frees it with free(); null without memory.
CAROM_API char *carom_sweep_driver_text(carom_sweep_driver driver, const char *carom,
                                        const char *path, const char *out, int shards);

#ifdef __cplusplus
}
#endif
#endif

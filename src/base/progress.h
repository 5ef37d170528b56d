// Reports to the caller how far a long piece of work is, and learns that it should stop.
#ifndef CAROM_BASE_PROGRESS_H
#define CAROM_BASE_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "carom/progress.h"

// Reports, and returns CAROM_INTERRUPTED (with an error) where the caller wants to stop. Null
// progress: goes on. Cheap enough for every step of an outer loop: the receiver limits the rate.
carom_status carom_progress_report(const carom_progress *progress, double done, double total,
                                   const char *what, carom_error *err);

// Work that several threads share: the one that began it asks the caller, who need not expect
// calls from others; the others learn the answer.
typedef struct carom_progress_stop {
    const carom_progress *progress; // null: nobody is asked
    pthread_t owner;
    double asked;      // s on the clock, by the owner
    atomic_bool stop;  // the caller wants it
    atomic_llong work; // done since the clock was last looked at; see carom_progress_spend
    atomic_llong all;  // done before, since it began
    double max;        // of it that is allowed; 0: any
} carom_progress_stop;

void carom_progress_begin(carom_progress_stop *stop, const carom_progress *progress);
// Bounds the work that has begun to so many pieces: beyond, it is stopped as if the caller wanted
// it, and carom_progress_check says CAROM_NOT_CONVERGED. 0: no bound.
void carom_progress_bound(carom_progress_stop *stop, double max);
// Adds pieces to the work, for loops that ask by carom_progress_stopped.
void carom_progress_count(carom_progress_stop *stop, int64_t work);
// Whether it was found that the work is to be left, without asking: for innermost loops.
bool carom_progress_told(const carom_progress_stop *stop);
// Whether the work went beyond its bound.
bool carom_progress_beyond(const carom_progress_stop *stop);
// Whether to leave the work as it is: asks the caller some fifty times a second at most. Null: no.
// For the inside of loops, at least once in every few milliseconds of work.
bool carom_progress_stopped(carom_progress_stop *stop);
// The progress to hand to a solver that asks by itself; null but for the owner.
const carom_progress *carom_progress_of(const carom_progress_stop *stop);
// After `work` more pieces of some 50 ns each: looks at the clock once in a million of them, so
// that it may stand in the innermost loops. `what` was stopped.
carom_status carom_progress_spend(carom_progress_stop *stop, int64_t work, const char *what,
                                  carom_error *err);
// Counts what one thread does, and hears once in a millisecond of it whether to go on: for searches
// that may take long.
typedef struct carom_progress_meter {
    carom_progress_stop *stop; // null: nobody counts
    int64_t work;              // pieces of some 50 ns that are not added yet
} carom_progress_meter;

// Adds what is left; whether to go on.
bool carom_progress_meter_flush(carom_progress_meter *meter);
// After so many more pieces. Null: yes.
static inline bool carom_progress_meter_runs(carom_progress_meter *meter, int64_t work)
{
    if (!meter)
        return true;
    meter->work += work;
    return meter->work < 20000 || carom_progress_meter_flush(meter);
}
// At the end: adds what is left to be added, and fails where all of it is beyond the bound. Whether
// it does depends on no thread.
carom_status carom_progress_end(carom_progress_stop *stop, const char *what, carom_error *err);
// The same where the work can say so; `what` was stopped.
carom_status carom_progress_check(carom_progress_stop *stop, const char *what, carom_error *err);

#endif

// Calls back to whoever waits, and turns a request to stop into CAROM_INTERRUPTED.
#include "base/progress.h"

#include <stddef.h>
#include "base/clock.h"

carom_status carom_progress_report(const carom_progress *progress, double done, double total,
                                   const char *what, carom_error *err)
{
    if (!progress || !progress->report ||
        progress->report(progress->context, done, total, what) == 0)
        return CAROM_OK;
    return carom_error_set(err, CAROM_INTERRUPTED, "%s: stopped on request after %g of %g", what,
                           done, total);
}

void carom_progress_begin(carom_progress_stop *stop, const carom_progress *progress)
{
    stop->progress = progress;
    stop->owner = pthread_self();
    stop->asked = carom_clock_seconds(); // quick work is not asked at all
    atomic_store(&stop->stop, false);
    atomic_store(&stop->work, 0);
}

bool carom_progress_stopped(carom_progress_stop *stop)
{
    const double pause = 0.02; // s
    if (!stop || !stop->progress || !stop->progress->report)
        return false;
    if (atomic_load_explicit(&stop->stop, memory_order_relaxed))
        return true;
    if (!pthread_equal(stop->owner, pthread_self()))
        return false;
    double now = carom_clock_seconds();
    if (now - stop->asked < pause)
        return false;
    stop->asked = now;
    if (stop->progress->report(stop->progress->context, 0, 1, "step") == 0)
        return false;
    atomic_store(&stop->stop, true);
    return true;
}

carom_status carom_progress_check(carom_progress_stop *stop, const char *what, carom_error *err)
{
    if (!carom_progress_stopped(stop))
        return CAROM_OK;
    return carom_error_set(err, CAROM_INTERRUPTED, "%s: stopped on request", what);
}

const carom_progress *carom_progress_of(const carom_progress_stop *stop)
{
    return stop && pthread_equal(stop->owner, pthread_self()) ? stop->progress : NULL;
}

// A sum that misses what another thread adds at the same time is good enough here.
carom_status carom_progress_ask(carom_progress_stop *stop, int64_t work, const char *what,
                                carom_error *err)
{
    enum { BETWEEN = 1000000 };
    long long done = atomic_load_explicit(&stop->work, memory_order_relaxed) + work;
    atomic_store_explicit(&stop->work, done < BETWEEN ? done : 0, memory_order_relaxed);
    return done < BETWEEN ? CAROM_OK : carom_progress_check(stop, what, err);
}

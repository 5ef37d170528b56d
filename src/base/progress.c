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
    atomic_store(&stop->all, 0);
    stop->max = 0;
}

void carom_progress_bound(carom_progress_stop *stop, double max)
{
    stop->max = max;
}

bool carom_progress_told(const carom_progress_stop *stop)
{
    return atomic_load_explicit(&stop->stop, memory_order_relaxed);
}

bool carom_progress_beyond(const carom_progress_stop *stop)
{
    return stop->max > 0 &&
           (double)atomic_load_explicit(&stop->all, memory_order_relaxed) > stop->max;
}

void carom_progress_count(carom_progress_stop *stop, int64_t work)
{
    if (!stop || stop->max == 0)
        return;
    atomic_fetch_add_explicit(&stop->all, work, memory_order_relaxed);
    if (carom_progress_beyond(stop))
        atomic_store(&stop->stop, true);
}

bool carom_progress_stopped(carom_progress_stop *stop)
{
    const double pause = 0.02; // s
    if (!stop)
        return false;
    if (atomic_load_explicit(&stop->stop, memory_order_relaxed))
        return true;
    if (!stop->progress || !stop->progress->report)
        return false;
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
    if (!carom_progress_beyond(stop))
        return carom_error_set(err, CAROM_INTERRUPTED, "%s: stopped on request", what);
    carom_error_set(err, CAROM_NOT_CONVERGED, "the limit of work, %.3g, is reached", stop->max);
    carom_error_where(err, "%s", what);
    return carom_error_fix(
        err, "choose another law or other options of it, or --limit %.2g to go on", 10 * stop->max);
}

const carom_progress *carom_progress_of(const carom_progress_stop *stop)
{
    return stop && pthread_equal(stop->owner, pthread_self()) ? stop->progress : NULL;
}

// Nothing of it is lost between threads: where a bound ends the work must not depend on them.
carom_status carom_progress_spend(carom_progress_stop *stop, int64_t work, const char *what,
                                  carom_error *err)
{
    enum { BETWEEN = 1000000 };
    if (atomic_fetch_add_explicit(&stop->work, work, memory_order_relaxed) + work < BETWEEN)
        return CAROM_OK;
    carom_progress_count(stop, atomic_exchange_explicit(&stop->work, 0, memory_order_relaxed));
    return carom_progress_check(stop, what, err);
}

bool carom_progress_meter_flush(carom_progress_meter *meter)
{
    carom_progress_count(meter->stop, meter->work);
    meter->work = 0;
    return !carom_progress_stopped(meter->stop);
}

carom_status carom_progress_end(carom_progress_stop *stop, const char *what, carom_error *err)
{
    carom_progress_count(stop, atomic_exchange_explicit(&stop->work, 0, memory_order_relaxed));
    return carom_progress_beyond(stop) ? carom_progress_check(stop, what, err) : CAROM_OK;
}

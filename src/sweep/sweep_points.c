// The points of a sweep: which value every axis has in a job. A pure function of the job's number,
// so that any shard of the jobs is the same everywhere.
//
// Axes of a grid are crossed, the last one running fastest, or zipped, all together. Axes that are
// drawn (at random, by Philox; or by a Sobol net, one of its axes each) go together: so many
// samples for every point of the grid.
#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include "base/random.h"
#include "base/sobol.h"
#include "math/power.h"

static bool is_drawn(const carom_sweep_axis *axis)
{
    return axis->draw != CAROM_SWEEP_GRID;
}

// Which value of the axis the job has; of one that is drawn, which sample.
static int64_t place_of(const carom_sweep *sweep, int64_t job, int axis)
{
    bool drawn = false;
    for (int i = 0; i < sweep->axis_count; ++i)
        drawn = drawn || is_drawn(&sweep->axes[i]);
    if (sweep->zipped)
        return job;
    if (is_drawn(&sweep->axes[axis]))
        return job % sweep->samples;
    if (drawn)
        job /= sweep->samples;
    for (int i = sweep->axis_count - 1; i > axis; --i)
        if (!is_drawn(&sweep->axes[i]))
            job /= sweep->axes[i].count;
    return job % sweep->axes[axis].count;
}

// Where the axis stands between its ends, 0 to 1.
static double share_of(const carom_sweep *sweep, int64_t place, int axis)
{
    const carom_sweep_axis *a = &sweep->axes[axis];
    int number = 0;
    if (a->draw == CAROM_SWEEP_GRID)
        return a->count > 1 ? (double)place / (a->count - 1) : 0;
    for (int i = 0; i < axis; ++i)
        number += sweep->axes[i].draw == CAROM_SWEEP_SOBOL;
    if (a->draw == CAROM_SWEEP_SOBOL)
        return carom_sobol_at(number, (uint64_t)place);
    carom_random random = carom_random_make((uint64_t)sweep->seed, (uint64_t)axis);
    random.counter = (uint64_t)place;
    return carom_random_unit(&random);
}

bool carom_sweep_points_value(const carom_sweep *sweep, int64_t job, int axis, char *out,
                              size_t size)
{
    const carom_sweep_axis *a = &sweep->axes[axis];
    int64_t place = place_of(sweep, job, axis);
    double share = a->values && !is_drawn(a) ? 0 : share_of(sweep, place, axis);
    if (a->values) {
        if (is_drawn(a))
            place = (int64_t)(share * a->count);
        return (size_t)snprintf(out, size, "%s", a->values[place]) < size;
    }
    double number = a->log ? a->from * carom_power(a->to / a->from, share)
                           : a->from + share * (a->to - a->from);
    if (share == 1)
        number = a->to;
    carom_text_digits(number, out);
    return size >= 32;
}

carom_status carom_sweep_points_count(carom_sweep *sweep, const carom_value *axes, carom_error *err)
{
    double jobs = 1;
    int drawn = 0, nets = 0;
    for (int i = 0; i < sweep->axis_count; ++i) {
        carom_sweep_axis *a = &sweep->axes[i];
        carom_value item;
        carom_value_item(axes, (size_t)i, &item);
        drawn += is_drawn(a);
        nets += a->draw == CAROM_SWEEP_SOBOL;
        if (nets > CAROM_SOBOL_AXES)
            return carom_value_fail(&item, err, "draw the others at random",
                                    "a Sobol net has %d axes here at most", CAROM_SOBOL_AXES);
        if (sweep->zipped && !is_drawn(a) && i > 0 && a->count != sweep->axes[0].count)
            return carom_value_fail(&item, err, "give all axes as many values, or cross them",
                                    "zipped axes have %d and %d values", sweep->axes[0].count,
                                    a->count);
        if (!is_drawn(a))
            jobs = sweep->zipped ? a->count : jobs * a->count;
    }
    if (sweep->zipped && drawn > 0 && drawn < sweep->axis_count)
        return carom_value_fail(axes, err, "draw all axes, or none",
                                "zipped axes are drawn, or have values");
    if (drawn > 0)
        jobs = sweep->zipped ? (double)sweep->samples : jobs * (double)sweep->samples;
    if (jobs > CAROM_SWEEP_JOBS)
        return carom_value_fail(axes, err, "take fewer values", "there are %g jobs, %d at most",
                                jobs, CAROM_SWEEP_JOBS);
    sweep->jobs = (int64_t)jobs;
    return CAROM_OK;
}

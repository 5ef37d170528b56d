// How far columns of grains have spread: one row per generator of grains.
//
// A column stands with its back against a wall at small x and collapses towards larger x. Its
// length r0 and height H0 at the start are twice the distance of its centre of mass from its back
// and from its foot, which is exact for a uniform column and does not see single grains. At the end
// the foremost grains lie far apart; where the heap itself ends is found from the wedge behind
// them: in a wedge that ends at x = r the share of grains beyond x grows as (r - x)^2, so a line
// through x over the root of that share, from 2 % to 20 % of the grains, ends at r. Grains that
// rolled away alone do not count.
//
// Known for channels: (r - r0) / r0 = 1.2 a for a < 1.8 and 1.9 a^(2/3) for a > 2.8, a = H0 / r0
// (Lube, Huppert, Sparks and Freundt 2005; the same exponents in Lajeunesse, Monnier and Homsy
// 2005).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "measure/measure.h"

#define TIP 0.02  // share of the grains in front of the wedge
#define WEDGE 0.2 // share of the grains in front of its back
#define FLAT 1.8
#define TALL 2.8

typedef struct extent {
    double back, foot; // m
    double x, z;       // m: mean
    int grains;
} extent;

static extent measure_group(const carom_measure *m, int group, const vec3 *position)
{
    extent e = { HUGE_VAL, HUGE_VAL, 0, 0, 0 };
    for (int i = 0; i < m->count; ++i) {
        if (m->group[i] != group)
            continue;
        vec3 x = position[i];
        e.back = fmin(e.back, x.x - m->radius[i]);
        e.foot = fmin(e.foot, x.z - m->radius[i]);
        e.x += x.x;
        e.z += x.z;
        ++e.grains;
    }
    e.x /= e.grains;
    e.z /= e.grains;
    return e;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y); // the foremost first
}

// The end of the heap, from its back. `room` holds two numbers per grain.
static double heap_end(const carom_measure *m, int group, const extent *start, double *room)
{
    int count = 0, first = (int)ceil(TIP * start->grains), last = (int)(WEDGE * start->grains);
    double *share = room + start->grains;
    for (int i = 0; i < m->count; ++i)
        if (m->group[i] == group)
            room[count++] = m->position[i].x - start->back;
    qsort(room, (size_t)count, sizeof *room, compare);
    for (int i = 0; i < count; ++i)
        share[i] = sqrt((i + 1.0) / count);
    return carom_measure_fit_line(share + first, room + first, last - first).a;
}

static carom_status add(carom_measure *m, const carom_measure_sample *sample, carom_error *err)
{
    (void)err; // nothing here can fail
    if (m->started < 0 || sample->time <= m->options.from + 1e-9) {
        memcpy(m->start, sample->position, (size_t)m->count * sizeof *m->start);
        m->started = sample->time;
    }
    return CAROM_OK;
}

static carom_status rows_of(carom_measure *m, carom_error *err)
{
    if (!m->group_count) {
        carom_error_set(err, CAROM_BAD_INPUT, "the scene has no column of grains");
        return carom_error_fix(err, "make each column with a generator of its own");
    }
    double *room = malloc(2 * (size_t)m->count * sizeof *room);
    if (!room)
        return carom_error_no_memory(err, "%d grains", m->count);
    carom_status status = CAROM_OK;
    m->rows = 0;
    m->width = 5;
    for (int g = 0; g < m->group_count && status == CAROM_OK; ++g) {
        extent start = measure_group(m, g, m->start), now = measure_group(m, g, m->position);
        double r0 = 2 * (start.x - start.back), height = 2 * (start.z - start.foot);
        double row[] = { height / r0, (heap_end(m, g, &start, room) - r0) / r0, r0, height,
                         2 * (now.z - now.foot) };
        status = carom_measure_add_row(m, row, err);
    }
    free(room);
    return status;
}

// The exponent of the columns between two aspect ratios.
static double exponent(const carom_measure *m, const double *a, const double *runout, double min,
                       double max)
{
    double x[CAROM_MEASURE_GROUPS], y[CAROM_MEASURE_GROUPS];
    int count = 0;
    for (int r = 0; r < m->rows; ++r)
        if (a[r] >= min && a[r] <= max && runout[r] > 0) {
            x[count] = log(a[r]);
            y[count++] = log(runout[r]);
        }
    return carom_measure_fit_line(x, y, count).b;
}

static void finish(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Run-out of collapsing columns");
    t->label = "run-out (r - r0) / r0";
    t->unit = "";
    t->log_x = t->log_y = 1;
    double *a = carom_measure_add_column(m, 0, "", "aspect ratio");
    double *runout = carom_measure_add_column(m, 2, "", "measured");
    carom_measure_add_column(m, 0, "m", "length at the start");
    carom_measure_add_column(m, 0, "m", "height at the start");
    carom_measure_add_column(m, 0, "m", "height at the end");
    double *known = carom_measure_add_column(m, 1, "", "channel experiments");
    double worst = 0;
    for (int r = 0; r < m->rows; ++r) {
        known[r] = a[r] < (FLAT + TALL) / 2 ? 1.2 * a[r] : 1.9 * cbrt(a[r] * a[r]);
        worst = fmax(worst, fabs(log(runout[r] / known[r])));
    }
    carom_measure_add_number(m, exponent(m, a, runout, 0, (FLAT + TALL) / 2), "",
                             "exponent of flat columns");
    carom_measure_add_number(m, exponent(m, a, runout, (FLAT + TALL) / 2, HUGE_VAL), "",
                             "exponent of tall columns");
    carom_measure_add_number(m, exp(worst), "", "largest ratio to the experiments");
}

const carom_measure_method carom_measure_runout = { .add = add, .rows = rows_of, .finish = finish };

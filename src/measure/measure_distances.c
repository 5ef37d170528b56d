// The pair distribution g(r): how many grains are at a distance r from a grain, over how many there
// would be if they were spread evenly over the same box.
//
// Of N points spread evenly over a box of sides a, b, c the expected number of pairs at a distance
// between r and r + dr is N (N - 1) / 2 times 4 pi r^2 dr / V times the share of places that still
// lie inside after a move by r, averaged over directions:
//
//     1 - r (1/a + 1/b + 1/c) / 2 + 2 r^2 (1/ab + 1/bc + 1/ca) / (3 pi) - r^3 / (4 pi a b c),
//
// exact for r up to the shortest side [Matheron 1975: the covariogram of a box]. So g(r) needs no
// periodic box and is not bent down by walls. Along an axis where the box is a periodic one nothing
// is lost by a move (its side counts as infinite there), and distances are those of the nearest
// images, up to half of it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "math/constants.h"
#include "measure/measure.h"

#define FINE 20.5 // bins per mean diameter: grains in touch fall into the middle of one

static double shortest(const carom_measure *m)
{
    double size[3], min = HUGE_VAL;
    vec3_store(vec3_sub(m->high, m->low), size);
    for (int k = 0; k < 3; ++k)
        min = fmin(min, carom_measure_grid_closed(m, k) > 0 ? 0.5 * size[k] : size[k]);
    return min;
}

// Those of its axes along which the box has images.
static carom_period closed(const carom_measure *m)
{
    carom_period period = m->period;
    for (int k = 0; k < 3; ++k)
        period.length[k] = carom_measure_grid_closed(m, k);
    return period;
}

static double mean_diameter(const carom_measure *m)
{
    double sum = 0;
    int grains = 0;
    for (int i = 0; i < m->count; ++i) {
        sum += m->mass[i] > 0 ? 2 * m->radius[i] : 0;
        grains += m->mass[i] > 0;
    }
    return sum / grains;
}

static double reach_of(const carom_measure *m)
{
    return fmin(m->options.bins / FINE * mean_diameter(m), shortest(m));
}

static int compare(const void *left, const void *right)
{
    const vec3 *l = left, *r = right;
    return (l->z > r->z) - (l->z < r->z);
}

// Sorted along z each point looks at those within reach above it; where z is periodic, from the
// last on to the first ones.
static void count_pairs(carom_measure *m, const vec3 *points, int count)
{
    double reach = reach_of(m), scale = m->options.bins / reach;
    carom_period period = closed(m);
    int all = period.length[2] > 0 ? 2 * count : count;
    for (int i = 0; i < count; ++i)
        for (int k = i + 1; k < all && k < i + count; ++k) {
            double above = k < count ? 0 : period.length[2];
            if (points[k % count].z + above - points[i].z >= reach)
                break;
            vec3 d = carom_period_way(&period, points[i], points[k % count]);
            double squared = vec3_dot(d, d);
            if (squared < reach * reach)
                m->sums[2 * (int)(sqrt(squared) * scale)] += 1;
        }
    m->sums[1] += 0.5 * count * (count - 1.0);
    m->grains += count;
}

static carom_status add(carom_measure *m, const carom_measure_sample *sample, carom_error *err)
{
    vec3 *points = malloc(((size_t)m->count + 1) * sizeof *points);
    int count = 0;
    if (!points)
        return carom_error_no_memory(err, "%d grains", m->count);
    for (int i = 0; i < m->count; ++i)
        if (m->mass[i] > 0 && carom_measure_grid_cell(m, sample->position[i]) >= 0)
            points[count++] =
                vec3_add(sample->position[i], carom_period_home(&m->period, sample->position[i]));
    qsort(points, (size_t)count, sizeof *points, compare);
    count_pairs(m, points, count);
    free(points);
    return CAROM_OK;
}

static void finish(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    vec3 s = vec3_sub(m->high, m->low);
    double reach = reach_of(m), step = reach / m->rows, volume = s.x * s.y * s.z;
    const double per[3] = { carom_measure_grid_closed(m, 0) > 0 ? 0 : 1 / s.x,
                            carom_measure_grid_closed(m, 1) > 0 ? 0 : 1 / s.y,
                            carom_measure_grid_closed(m, 2) > 0 ? 0 : 1 / s.z };
    double diameter = mean_diameter(m), near = 0, highest = 0, place = 0;
    snprintf(t->title, sizeof t->title, "Pair distribution");
    t->label = "g(r)";
    t->unit = "";
    t->axis = 1;
    double *r = carom_measure_add_column(m, 0, "m", "distance");
    double *over = carom_measure_add_column(m, 0, "", "distance over diameter");
    double *g = carom_measure_add_column(m, 1, "", "measured");
    double *inside = carom_measure_add_column(m, 0, "", "neighbours up to there");
    double *even = carom_measure_add_column(m, 1, "", "spread evenly");
    for (int i = 0; i < m->rows; ++i) {
        double x = r[i] = (i + 0.5) * step, outer = (i + 1) * step, inner = i * step;
        double shell = 4 * CAROM_PI / 3 * (outer * outer * outer - inner * inner * inner);
        double left =
            1 - 0.5 * x * (per[0] + per[1] + per[2]) +
            2 * x * x * (per[0] * per[1] + per[1] * per[2] + per[2] * per[0]) / (3 * CAROM_PI) -
            x * x * x * per[0] * per[1] * per[2] / (4 * CAROM_PI);
        over[i] = x / diameter;
        even[i] = 1;
        g[i] = m->sums[2 * i] / (m->sums[1] * shell / volume * left);
        near += (m->grains / m->samples - 1) * shell / volume * g[i];
        inside[i] = near;
        if (g[i] > highest) {
            highest = g[i];
            place = x;
        }
    }
    carom_measure_add_number(m, place, "m", "highest at");
    carom_measure_add_number(m, highest, "", "highest");
    carom_measure_add_number(m, diameter, "m", "mean diameter");
    carom_measure_add_number(m, m->grains / m->samples, "", "grains");
}

const carom_measure_method carom_measure_distances = {
    .last = true, .cells = { 1, 1, 1 }, .bins = 100, .width = 2, .add = add, .finish = finish
};

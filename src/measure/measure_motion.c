// How the grains move: their random motion over time, the height of one among the others, mean
// velocities by place, and how far they have come from where they were.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "measure/measure.h"

// -- temperature --------------------------------------------------------------------------------

// Granular temperature as an energy: a third of the mean of m |v - V|^2.
static carom_status add_temperature(carom_measure *m, const carom_measure_sample *sample,
                                    carom_error *err)
{
    double mass = 0, sum = 0;
    int grains = 0;
    vec3 mean = { 0, 0, 0 };
    for (int i = 0; i < m->count; ++i) {
        mean = vec3_add(mean, vec3_scale(m->mass[i], sample->velocity[i]));
        mass += m->mass[i];
    }
    mean = vec3_scale(1 / mass, mean);
    for (int i = 0; i < m->count; ++i) {
        vec3 v = vec3_sub(sample->velocity[i], mean);
        sum += m->mass[i] * vec3_dot(v, v);
        grains += m->mass[i] > 0;
    }
    m->width = 2;
    return carom_measure_add_row(m, (double[]){ sample->time, sum / (3 * grains) }, err);
}

static void finish_temperature(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Cooling");
    t->label = "granular temperature";
    t->unit = "J";
    t->log_x = t->log_y = 1;
    double *time = carom_measure_add_column(m, 0, "s", "time");
    double *T = carom_measure_add_column(m, 2, "J", "measured");
    double *haff = carom_measure_add_column(m, 1, "J", "Haff's law");
    double *scratch = carom_measure_add_column(m, 0, "J", "free exponent");
    int first = 0, count = 0;
    for (int r = 0; r < m->rows; ++r)
        if (carom_measure_inside(m, time[r])) {
            first = count++ ? first : r;
        }
    carom_measure_cooling fit = carom_measure_fit_cooling(time + first, T + first, count, scratch);
    for (int r = 0; r < m->rows; ++r) {
        double u = 1 + (time[r] - time[first]) / fit.haff_tau;
        haff[r] = fit.haff_start / (u * u);
        scratch[r] = fit.start * pow(1 + (time[r] - time[first]) / fit.tau, -fit.exponent);
    }
    carom_measure_add_number(m, -fit.exponent, "", "exponent");
    carom_measure_add_number(m, fit.tau, "s", "time with that exponent");
    carom_measure_add_number(m, fit.haff_tau, "s", "Haff time");
    carom_measure_add_number(m, fit.haff_start, "J", "temperature at the start");
    carom_measure_add_number(m, (time[first + count - 1] - time[first]) / fit.haff_tau, "",
                             "Haff times seen");
}

// -- height -------------------------------------------------------------------------------------

static carom_status add_height(carom_measure *m, const carom_measure_sample *sample,
                               carom_error *err)
{
    double floor = HUGE_VAL, mass = 0, sum = 0;
    for (int i = 0; i < m->count; ++i) {
        if (!(m->mass[i] > 0))
            continue;
        floor = fmin(floor, sample->position[i].z - m->radius[i]);
        if (i == m->body)
            continue;
        mass += m->mass[i];
        sum += m->mass[i] * sample->position[i].z;
    }
    m->width = 4;
    return carom_measure_add_row(m,
                                 (double[]){ sample->time, sample->time * m->frequency,
                                             sample->position[m->body].z - floor,
                                             mass > 0 ? sum / mass - floor : (double)NAN },
                                 err);
}

static void finish_height(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Height of %.60s among the grains", m->options.body);
    t->label = "height above the lowest grain";
    t->unit = "m";
    t->axis = m->frequency > 0;
    double *time = carom_measure_add_column(m, 0, "s", "time");
    carom_measure_add_column(m, 0, "", "cycles");
    double *body = carom_measure_add_column(m, 1, "m", "%.40s", m->options.body);
    double *others = carom_measure_add_column(m, 1, "m", "mean of the others");
    int first = -1, last = 0;
    for (int r = 0; r < m->rows; ++r)
        if (carom_measure_inside(m, time[r])) {
            first = first < 0 ? r : first;
            last = r;
        }
    first = first < 0 ? 0 : first;
    carom_measure_add_number(m, body[first], "m", "height at the start");
    carom_measure_add_number(m, body[last], "m", "height at the end");
    carom_measure_add_number(m, body[last] / (2 * others[last]), "", "of the filling at the end");
    carom_measure_add_number(m, (time[last] - time[first]) * m->frequency, "", "cycles");
}

// -- velocity by place --------------------------------------------------------------------------

enum { MASS, MOMENTUM, SQUARES = MOMENTUM + 3, GRAINS, VELOCITY_SUMS };

static carom_status add_velocity(carom_measure *m, const carom_measure_sample *sample,
                                 carom_error *err)
{
    (void)err;
    for (int i = 0; i < m->count; ++i) {
        int cell = m->mass[i] > 0 ? carom_measure_grid_cell(m, sample->position[i]) : -1;
        if (cell < 0)
            continue;
        double *sum = m->sums + VELOCITY_SUMS * (size_t)cell, v[3];
        vec3_store(sample->velocity[i], v);
        sum[MASS] += m->mass[i];
        sum[GRAINS] += 1;
        for (int k = 0; k < 3; ++k) {
            sum[MOMENTUM + k] += m->mass[i] * v[k];
            sum[SQUARES] += m->mass[i] * v[k] * v[k];
        }
    }
    return CAROM_OK;
}

static void finish_velocity(carom_measure *m)
{
    static const char *const names[] = { "velocity x", "velocity y", "velocity z" };
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Mean velocity of the grains");
    t->label = "velocity";
    t->unit = "m/s";
    carom_measure_grid_columns(m);
    double *v[3], whole[VELOCITY_SUMS] = { 0 };
    for (int k = 0; k < 3; ++k)
        v[k] = carom_measure_add_column(m, 1, "m/s", "%s", names[k]);
    double *T = carom_measure_add_column(m, 0, "J", "temperature");
    for (int cell = 0; cell < m->rows; ++cell) {
        const double *sum = m->sums + VELOCITY_SUMS * (size_t)cell;
        double mean = 0;
        for (int k = 0; k < 3; ++k) {
            v[k][cell] = sum[MASS] > 0 ? sum[MOMENTUM + k] / sum[MASS] : (double)NAN;
            mean += sum[MOMENTUM + k] * v[k][cell];
        }
        T[cell] = sum[GRAINS] > 0 ? (sum[SQUARES] - mean) / (3 * sum[GRAINS]) : (double)NAN;
        for (int k = 0; k < VELOCITY_SUMS; ++k)
            whole[k] += sum[k];
    }
    t->map = t->column_count - 1;
    for (int k = 0; k < 3; ++k)
        carom_measure_add_number(m, whole[MOMENTUM + k] / whole[MASS], "m/s", "mean %s", names[k]);
    carom_measure_add_number(m, whole[GRAINS] / m->samples, "", "grains");
}

// -- displacement -------------------------------------------------------------------------------

// Mean squared distance of the grains from where they were at the first sample.
static carom_status add_displacement(carom_measure *m, const carom_measure_sample *sample,
                                     carom_error *err)
{
    if (!carom_measure_inside(m, sample->time))
        return CAROM_OK;
    if (m->started < 0) {
        memcpy(m->start, sample->position, (size_t)m->count * sizeof *m->start);
        m->started = sample->time;
    }
    double row[5] = { sample->time - m->started };
    int grains = 0;
    for (int i = 0; i < m->count; ++i) {
        vec3 d = vec3_sub(sample->position[i], m->start[i]);
        if (!(m->mass[i] > 0))
            continue;
        row[2] += d.x * d.x;
        row[3] += d.y * d.y;
        row[4] += d.z * d.z;
        ++grains;
    }
    for (int k = 2; k < 5; ++k) {
        row[k] /= grains;
        row[1] += row[k];
    }
    m->width = 5;
    return carom_measure_add_row(m, row, err);
}

// In the second half of the time a line is fitted: its slope is 2 D per dimension, as Einstein
// (1905) has it; the exponent of a power law tells flight (2) from diffusion (1).
static void finish_displacement(carom_measure *m)
{
    carom_measure_table *t = &m->table;
    snprintf(t->title, sizeof t->title, "Mean squared displacement");
    t->label = "mean squared displacement";
    t->unit = "m^2";
    double *time = carom_measure_add_column(m, 0, "s", "time");
    double *all = carom_measure_add_column(m, 1, "m^2", "all directions");
    static const char *const names[] = { "along x", "along y", "along z" };
    for (int k = 0; k < 3; ++k)
        carom_measure_add_column(m, 1, "m^2", "%s", names[k]);
    double *log_time = m->columns + 5 * (size_t)m->rows, *log_all = log_time + m->rows;
    int half = m->rows / 2, count = 0;
    for (int r = half; r < m->rows; ++r)
        if (time[r] > 0 && all[r] > 0) {
            log_time[count] = log(time[r]);
            log_all[count++] = log(all[r]);
        }
    carom_measure_line line = carom_measure_fit_line(time + half, all + half, m->rows - half);
    carom_measure_add_number(m, all[m->rows - 1], "m^2", "at the end");
    carom_measure_add_number(m, line.b / 6, "m^2/s", "diffusion");
    carom_measure_add_number(m, carom_measure_fit_line(log_time, log_all, count).b, "", "exponent");
}

const carom_measure_method carom_measure_motion_temperature = { .add = add_temperature,
                                                                .finish = finish_temperature };
const carom_measure_method carom_measure_motion_height = { .add = add_height,
                                                           .finish = finish_height };
const carom_measure_method carom_measure_motion_velocity = { .last = true,
                                                             .cells = { 1, 1, 20 },
                                                             .width = VELOCITY_SUMS,
                                                             .add = add_velocity,
                                                             .finish = finish_velocity };
const carom_measure_method carom_measure_motion_displacement = { .add = add_displacement,
                                                                 .finish = finish_displacement };

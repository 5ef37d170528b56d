// The inside of a measurement.
#ifndef CAROM_MEASURE_MEASURE_H
#define CAROM_MEASURE_MEASURE_H

#include <stdbool.h>
#include "carom/measure.h"
#include "math/vec.h"

enum { CAROM_MEASURE_PLANES = 40, CAROM_MEASURE_GROUPS = 12, CAROM_MEASURE_WALLS = 10 };

// The bodies at one sample, from a world or from a frame.
typedef struct carom_measure_sample {
    double time;     // s
    double interval; // s since the sample before; 0: the first one
    double dt;       // s: what the impulses of resting contacts belong to
    const vec3 *position, *velocity;
    const carom_world_contact *contacts;
    int contact_count;
} carom_measure_sample;

struct carom_measure {
    const carom_scene_world *scene; // null: a chain
    carom_measure_options options;
    int count;      // bodies
    double *mass;   // kg; 0: a wall
    double *radius; // m, of the ball around a body; 0 for planes
    int *group;     // per body: its generator; -1: none
    const char *group_name[CAROM_MEASURE_GROUPS];
    int group_count;
    int wall[CAROM_MEASURE_WALLS], wall_count;
    int body;                          // of a HEIGHT
    double frequency;                  // Hz, of the body that swings; 0: none does
    double gravity;                    // m/s^2
    vec3 *position, *velocity, *start; // now; `start`: where a RUNOUT begins
    double started;                    // s; negative: not yet
    carom_world_contact *contacts;     // of the frame that is read
    int contact_room;
    double last; // s, of the sample before; negative: none
    // rows as they come, `width` numbers each
    int width, rows, room;
    double *row;
    // sums of a PROFILE over the samples
    double plane[CAROM_MEASURE_PLANES], load[CAROM_MEASURE_PLANES], above[CAROM_MEASURE_PLANES];
    int planes_seen;
    double side_push, side_hold; // N: normal and upward force of side walls on the grains
    double *columns;             // of the table, `rows` after `rows`
    carom_measure_table table;
};

// measure.c
carom_status carom_measure_add_row(carom_measure *measure, const double *numbers, carom_error *err);
bool carom_measure_inside(const carom_measure *measure, double time);
// Adds a column (rows numbers, to be filled) or a number to the table.
double *carom_measure_add_column(carom_measure *measure, int shown, const char *unit,
                                 const char *name, ...) __attribute__((format(printf, 4, 5)));
void carom_measure_add_number(carom_measure *measure, double value, const char *unit,
                              const char *name, ...) __attribute__((format(printf, 4, 5)));
// measure_grains.c: what one sample adds, and the table at the end.
carom_status carom_measure_grains_add(carom_measure *measure, const carom_measure_sample *sample,
                                      carom_error *err);
void carom_measure_grains_finish(carom_measure *measure);
// measure_runout.c: the start of each column and its end; one row per column.
carom_status carom_measure_runout_add(carom_measure *measure, carom_error *err);
void carom_measure_runout_finish(carom_measure *measure);

// measure_fit.c: y = a + b x by least squares.
typedef struct carom_measure_line {
    double a, b;
    double residual; // sum of squares
} carom_measure_line;
carom_measure_line carom_measure_fit_line(const double *x, const double *y, int count);
// T = start (1 + t / tau)^-exponent through the logarithms of T; and tau where the exponent is 2.
typedef struct carom_measure_cooling {
    double start, tau, exponent;
    double haff_start, haff_tau;
} carom_measure_cooling;
// `scratch` holds 2 count numbers.
carom_measure_cooling carom_measure_fit_cooling(const double *t, const double *T, int count,
                                                double *scratch);
// load = saturation (1 - exp(-weight / saturation)).
double carom_measure_fit_janssen(const double *weight, const double *load, int count);

#endif

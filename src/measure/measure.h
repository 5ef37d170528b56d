// The inside of a measurement.
#ifndef CAROM_MEASURE_MEASURE_H
#define CAROM_MEASURE_MEASURE_H

#include <stdbool.h>
#include "carom/measure.h"
#include "math/period.h"
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

// How a quantity is measured. One that is summed (width above 0) finds carom_measure.sums: `width`
// numbers for each cell of its grid, or for each of options.bins; only samples between the given
// times are added then.
typedef struct carom_measure_method {
    bool forces;  // needs contacts
    bool last;    // where no time is given: the last frame of a trajectory alone
    int cells[3]; // of its grid, where none is given; 0: it has no grid
    int bins;     // where none are given; 0: sums per cell
    int width;
    carom_status (*add)(carom_measure *measure, const carom_measure_sample *sample,
                        carom_error *err);
    carom_status (*rows)(carom_measure *measure, carom_error *err); // null: as they came
    void (*finish)(carom_measure *measure);                         // makes the table
} carom_measure_method;

extern const carom_measure_method carom_measure_load_on_walls, carom_measure_load_inside,
    carom_measure_motion_temperature, carom_measure_motion_height, carom_measure_motion_velocity,
    carom_measure_motion_displacement, carom_measure_runout, carom_measure_volume_packing,
    carom_measure_volume_density, carom_measure_contacts_coordination,
    carom_measure_contacts_fabric, carom_measure_contacts_forces, carom_measure_stress,
    carom_measure_distances, carom_measure_dissipation;

// A pair of bodies that touch, with the mean force between them since the sample before.
typedef struct carom_measure_pair {
    int a, b;
    vec3 force;         // N, on b
    vec3 point, normal; // from a to b; means weighted by force
} carom_measure_pair;

struct carom_measure {
    const carom_scene_world *scene; // null: a chain
    const carom_measure_method *method;
    carom_measure_options options;
    int count;      // bodies
    double *mass;   // kg; 0: a wall
    double *radius; // m, of the ball around a body; 0 for planes
    double *volume; // m^3; 0: a wall
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
    // what is summed over samples
    double *sums;
    int samples;               // inside the given times
    vec3 low, high;            // m: the corners of the box that is looked at
    carom_period period;       // of the world; lengths of 0: it has no images
    int cells[3];              // of its grid
    double *scratch;           // 4 numbers per cell
    carom_measure_pair *pairs; // of the sample that is looked at
    int pair_room;
    double force_mean, force_max; // N: means of samples summed, the largest
    double force_count;           // contacts
    double grains;                // in the box, summed over samples
    double watched;               // s: intervals of the samples summed
    double *columns;              // of the table, `rows` after `rows`
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
// s over which the impulse of a contact acted: an impact counts over the time since the last
// sample.
static inline double carom_measure_time_of(const carom_measure_sample *sample,
                                           const carom_world_contact *contact)
{
    if (contact->impact)
        return sample->interval;
    return contact->duration > 0 ? contact->duration : sample->dt;
}

// measure_grid.c: cells of the box that is looked at. Where no box is given it holds all grains,
// and along a periodic axis it is the periodic box; points, balls and lines count with their
// images.
void carom_measure_grid_place(carom_measure *measure, const vec3 *position);
int carom_measure_grid_count(const carom_measure *measure);
double carom_measure_grid_volume(const carom_measure *measure); // m^3 of a cell
// m: how far images are from each other along an axis where the box is as long as that; else 0.
double carom_measure_grid_closed(const carom_measure *measure, int axis);
// The cell of a point; -1: outside of the box.
int carom_measure_grid_cell(const carom_measure *measure, vec3 point);
// Adds `amount` to sums[stride cell] by the shares of a ball's volume in the cells.
void carom_measure_grid_ball(const carom_measure *measure, vec3 centre, double radius,
                             double amount, double *sums, int stride);
// Adds `count` amounts to sums[count cell ...] by the shares of a line's length in the cells.
void carom_measure_grid_line(const carom_measure *measure, const vec3 ends[2],
                             const double *amounts, int count, double *sums);
// Begins a table with the centres of the cells; sets what it is drawn over.
void carom_measure_grid_columns(carom_measure *measure);

// measure_contacts.c: measure->pairs from the contacts of a sample; returns how many, -1 without
// memory.
int carom_measure_contacts_pairs(carom_measure *measure, const carom_measure_sample *sample);

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

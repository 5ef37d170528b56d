/// @file
/// What the grains of a run do together, from loads on walls over packing, stress and fabric to
/// waves in chains of beads. Each comes as a table with units, with fits and means as numbers, and
/// as a plot.
#ifndef CAROM_MEASURE_H
#define CAROM_MEASURE_H

#include "carom/chain.h"
#include "carom/trajectory.h"
#include "carom/scene.h"
#include "carom/status.h"
#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What can be measured, with its definition. Grains are the moving bodies, walls all others.
#define CAROM_MEASURE_LIST(X)                                                                      \
    X(LOAD, "load",                                                                                \
      "vertical force on each wall over time (N), from contact impulses, beside the weight of "    \
      "the grains")                                                                                \
    X(PROFILE, "profile",                                                                          \
      "vertical force through levels of the packing (N) over the weight above, with Janssen's "    \
      "law fitted")                                                                                \
    X(TEMPERATURE, "temperature",                                                                  \
      "granular temperature over time (J): a third of the mean of m |v - V|^2, with Haff's law "   \
      "fitted")                                                                                    \
    X(RUNOUT, "runout", "how far each column of grains has spread along x, over its aspect ratio") \
    X(HEIGHT, "height", "height of one body among the grains over time (m)")                       \
    X(SHOCK, "shock",                                                                              \
      "the wave through a chain of equal beads over time, against the exact solitary wave")        \
    X(PACKING, "packing", "volume of the grains over volume, by cells of a box")                   \
    X(DENSITY, "density", "mass of the grains over volume (kg/m^3), by cells of a box")            \
    X(COORDINATION, "coordination",                                                                \
      "how many others each grain touches, with force; also without rattlers (fewer than 4)")      \
    X(FABRIC, "fabric",                                                                            \
      "mean of n n^T over contacts, and how often normals stand at each angle to the vertical")    \
    X(FORCES, "forces", "how normal forces are distributed, over their mean (mean in N)")          \
    X(STRESS, "stress",                                                                            \
      "stress tensor (Pa, compression positive), total and by cells: contact forces times "        \
      "branches plus m v' v'^T, over volume")                                                      \
    X(DISTANCES, "distances",                                                                      \
      "g(r): grains at a distance from a grain over those of an even spread in the same box")      \
    X(VELOCITY, "velocity", "mean velocity (m/s) and temperature (J), by cells of a box")          \
    X(DISPLACEMENT, "displacement",                                                                \
      "mean squared displacement (m^2) over time, and the diffusion coefficient (m^2/s)")          \
    X(DISSIPATION, "dissipation",                                                                  \
      "energy that contacts took out, as power per volume (W/m^3), by cells of a box")

/// What is measured.
typedef enum carom_measure_kind {
#define CAROM_MEASURE_VALUE(name, word, sentence) CAROM_MEASURE_##name,
    CAROM_MEASURE_LIST(CAROM_MEASURE_VALUE)
#undef CAROM_MEASURE_VALUE
        CAROM_MEASURE_COUNT
} carom_measure_kind;

/// What to measure. Zero-initialise; `to` 0 means the end.
typedef struct carom_measure_options {
    carom_measure_kind of; ///< what is measured
    const char *body;      ///< of a HEIGHT: the name of the body
    double from, to; ///< s: means and fits use the moments between; a RUNOUT starts at `from`, or
                     ///< where that is 0 at the first change of the scene. Where both are 0 what
                     ///< belongs to a state (PACKING to VELOCITY) is that of the last frame
    double box[6];   ///< m: low and high corner of what is looked at; all 0: all grains
    int cells[3];    ///< of the box, along x y z; 0: chosen (1 x 1 x 20, DISSIPATION 20 x 1 x 20)
    int bins;        ///< of distributions; 0: 40, DISTANCES 100
} carom_measure_options;

enum { CAROM_MEASURE_COLUMNS = 16, CAROM_MEASURE_NUMBERS = 16 };

/// One column of a table.
typedef struct carom_measure_column {
    char name[48];        ///< heading
    const char *unit;     ///< "" where it has none
    const double *values; ///< one per row
    int shown;            ///< 0: in the table only; 1: a line of the plot; 2: dots
} carom_measure_column;

/// A mean or what a fit gives.
typedef struct carom_measure_number {
    char name[48];    ///< what it is
    const char *unit; ///< "" where it has none
    double value;     ///< in that unit
} carom_measure_number;

/// A result: columns over the first one, and numbers.
typedef struct carom_measure_table {
    char title[96];                       ///< of the plot
    const char *label, *unit;             ///< of the plot's y axis
    int rows, column_count, number_count; ///< lengths of the arrays
    int axis;                             ///< the column along the x axis of the plot
    int log_x, log_y;                     ///< non-zero: that axis is logarithmic
    int cells[3]; ///< of the grid whose cells the rows are, x running fastest; 0: no grid
    int map;      ///< the column that a map of the grid shows
    carom_measure_column columns[CAROM_MEASURE_COLUMNS]; ///< column_count of them
    carom_measure_number numbers[CAROM_MEASURE_NUMBERS]; ///< number_count of them
} carom_measure_table;

/// A measurement in the making.
typedef struct carom_measure carom_measure;

/// A measurement of the bodies of a scene, which must outlive it.
CAROM_API carom_status carom_measure_create(const carom_scene_world *scene,
                                            const carom_measure_options *options,
                                            carom_measure **out, carom_error *err);
/// Frees it; null is allowed.
CAROM_API void carom_measure_destroy(carom_measure *measure);
/// Takes the state of a world after a step of `dt` seconds and the contacts noted since they were
/// last cleared, and clears them. The world has to be watched (carom_world_record_contacts) where
/// forces are measured. Where the step was divided at times of impact only the last interval of
/// what rests is known; its force counts for the whole step.
CAROM_API carom_status carom_measure_look(carom_measure *measure, carom_world *world, double dt,
                                          carom_error *err);
/// The same for every frame of a trajectory of that scene. Forces need "contacts" in the scene's
/// output; what rests counts as lasting from frame to frame.
CAROM_API carom_status carom_measure_trajectory(carom_measure *measure,
                                                const carom_trajectory *trajectory,
                                                carom_error *err);
/// What was found so far; belongs to the measurement, until the next look.
CAROM_API carom_status carom_measure_finish(carom_measure *measure,
                                            const carom_measure_table **table, carom_error *err);
/// The wave in a chain that was run: one row per sample. Destroy the measurement as the others.
CAROM_API carom_status carom_measure_chain(const carom_chain *chain,
                                           const carom_chain_result *result,
                                           const carom_measure_options *options,
                                           carom_measure **out, carom_error *err);
/// A number of a table by its name; not a number where there is none.
CAROM_API double carom_measure_value(const carom_measure_table *table, const char *name);

/// The table as CSV, with units in the heading. free() *text.
CAROM_API carom_status carom_measure_csv(const carom_measure_table *table, char **text,
                                         carom_error *err);
/// The plot as SVG, with units on its axes. free() *text.
CAROM_API carom_status carom_measure_svg(const carom_measure_table *table, char **text,
                                         carom_error *err);

/// The solitary wave of a chain of beads without gaps or load, F = k compression^n and equal masses
/// m, in the units bead, m and k: a wave whose fastest bead has the speed v moves on by one bead
/// every 1 / (speed v^((n - 1) / (n + 1)) (k / m)^(1 / (n + 1))) seconds.
typedef struct carom_measure_wave {
    double speed;     ///< beads per time in these units, of the wave with v = 1
    double continuum; ///< the same by Nesterenko's long-wave limit; Hertz (n = 1.5) only, else NaN
    double width;     ///< beads that move faster than a hundredth of v
    double momentum;  ///< sum of the speeds of all beads over v
} carom_measure_wave;

/// Exact, from c^2 r = L * r^n (L: the tent of half width 1), by iteration; n above 1.
CAROM_API carom_status carom_measure_wave_exact(double exponent, carom_measure_wave *wave,
                                                carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

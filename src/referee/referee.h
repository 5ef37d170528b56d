// Inside of the referee: referee_tests.c, referee_courses.c and referee_tosses.c have the tests,
// referee.c runs them, referee_page.c shows the results.
#ifndef CAROM_REFEREE_REFEREE_H
#define CAROM_REFEREE_REFEREE_H

#include <stdbool.h>
#include "base/error.h"
#include "carom/engine.h"
#include "carom/referee.h"

enum { CAROM_REFEREE_BODIES = 256, CAROM_REFEREE_JOINTS = 16 };

// Room for a scene that is being made.
typedef struct carom_referee_setup {
    carom_engine_scene scene;
    carom_engine_body bodies[CAROM_REFEREE_BODIES];
    carom_engine_joint joints[CAROM_REFEREE_JOINTS];
} carom_referee_setup;

// Measured tosses, as the referee runs them.
typedef struct carom_referee_tosses carom_referee_tosses;

typedef struct carom_referee_test {
    const char *name, *words;
    double duration; // s
    // Fills bodies and everything of the scene but the step; its number of bodies is what was
    // filled.
    void (*make)(carom_referee_setup *setup);
    // The error of the states at the end, or
    double (*judge)(const carom_engine_scene *scene, const carom_engine_state *end);
    // of those in a frame at `time`: then the test is judged in CAROM_REFEREE_FRAMES frames, and
    // its error is the largest, or
    double (*judge_frame)(const carom_engine_scene *scene, const carom_engine_state *states,
                          double time);
    // of measured tosses: neither is there.
    bool tosses;
} carom_referee_test;

extern const carom_referee_test carom_referee_tests[];

// -- bodies, in the order of the setup's list ----------------------------------------------------

// A sphere of mass 1 in the plane of x and z.
carom_engine_body *carom_referee_add_ball(carom_referee_setup *setup, double size, double x,
                                          double z);
// A plane through a point, turned by so many quarters about an axis: 0 is a floor.
void carom_referee_add_plane(carom_referee_setup *setup, const double at[3], const double axis[3],
                             int quarters);
// Kinetic and potential energy of a state, null: of the beginning. For bodies whose inertia is the
// same about every axis.
double carom_referee_energy(const carom_engine_scene *scene, const carom_engine_state *states);
double carom_referee_energy_error(const carom_engine_scene *scene,
                                  const carom_engine_state *states);

// -- tests over time (referee_courses.c) ---------------------------------------------------------

void carom_referee_make_energy(carom_referee_setup *setup);
double carom_referee_judge_energy(const carom_engine_scene *scene, const carom_engine_state *states,
                                  double time);
void carom_referee_make_haff(carom_referee_setup *setup);
double carom_referee_judge_haff(const carom_engine_scene *scene, const carom_engine_state *states,
                                double time);
void carom_referee_make_articulated(carom_referee_setup *setup);
double carom_referee_judge_articulated(const carom_engine_scene *scene,
                                       const carom_engine_state *states, double time);

// -- tosses (referee_tosses.c) -------------------------------------------------------------------

carom_status carom_referee_tosses_open(const char *path, carom_referee_tosses **out,
                                       carom_error *err);
void carom_referee_tosses_close(carom_referee_tosses *tosses);
// Runs all tosses with `substeps` steps per frame and every restitution of a short list; the least
// mean error and the processor time of its runs. Iterations and setting are those of `how`, which
// learns the step.
carom_status carom_referee_tosses_run(carom_referee_tosses *tosses, carom_engine *engine,
                                      carom_engine_scene *how, int substeps, double *error,
                                      double *seconds, carom_error *err);

#endif

// Small contact problems in fixed arrays, and their results.
#ifndef CAROM_TESTS_TRIAL_H
#define CAROM_TESTS_TRIAL_H

#include <stdint.h>
#include "carom/carom.h"

enum { TRIAL_BODIES = 1800, TRIAL_CONTACTS = 2048 };

typedef struct trial {
    carom_impact_body bodies[TRIAL_BODIES];
    carom_impact_contact contacts[TRIAL_CONTACTS];
    carom_impact impact; // points to the two
    double v[TRIAL_BODIES][3], w[TRIAL_BODIES][3], p[TRIAL_CONTACTS][3];
    carom_impact_report report;
} trial;

// No bodies, no contacts.
void trial_begin(trial *t);
// A body of some mass (0: immovable) at a place, at rest. Returns its index.
int trial_body(trial *t, double mass, double x, double y, double z);
carom_impact_contact *trial_contact(trial *t, int a, int b, const double point[3],
                                    const double normal[3]);
// A contact of two spheres along the line of their centres.
void trial_touch(trial *t, int a, int b);
// All pairs of spheres of diameter 1 that touch.
void trial_touch_all(trial *t);
void trial_set_restitution(trial *t, double c);

// Balls along x, one apart, moving along x; null masses are all 1, mass 0 is immovable.
void trial_chain(trial *t, int count, const double *masses, const double *velocities);
// Pool break: cue ball 0 at 1 m/s along x, then the rack of 15 by rows from the apex.
void trial_rack(trial *t);
// Random spheres grown one by one, masses .5 to 2, velocities in [-1, 1).
void trial_cluster(trial *t, int count, uint64_t seed);

// A jittered lattice of side^3 touching spheres, velocities in [-1, 1).
void trial_crowd(trial *t, int side, uint64_t seed);

// Triples of balls far from each other, each with a ball struck from both sides.
void trial_flock(trial *t, int triples, uint64_t seed);

// Resolves by a law with options "name=value name=value"; a failure is a failed check.
void trial_run(trial *t, carom_workspace *workspace, const char *name, const char *settings);
double trial_energy_ratio(const trial *t);

#endif

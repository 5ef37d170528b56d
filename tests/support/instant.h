// Impacts of one instant for tests: spheres, boxes and walls put together by hand or at random,
// what touches, and the results of a law.
//
// An instant of zeros is empty. Its arrays grow as bodies and contacts come, so that a pointer into
// them is good until the next one is added.
#ifndef CAROM_TESTS_INSTANT_H
#define CAROM_TESTS_INSTANT_H

#include <stdbool.h>
#include <stdint.h>
#include "base/random.h"
#include "carom/carom.h"
#include "math/vec.h"

typedef struct instant {
    carom_impact impact; // counts, and the two arrays below as the library sees them
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    double (*v)[3], (*w)[3], (*p)[3]; // after: velocities, spins, impulses
    carom_impact_report report;
    carom_error err;
    int body_room, contact_room;
} instant;

// No bodies, no contacts; keeps the memory.
void instant_clear(instant *t);
void instant_free(instant *t);

// Each returns the index of the new body.
// A solid sphere; mass 0: immovable, radius 0: a point that does not turn.
int instant_ball(instant *t, double mass, double radius, vec3 position, vec3 velocity);
// The same of diameter 1 and at rest.
int instant_body(instant *t, double mass, double x, double y, double z);
// An immovable body at the origin.
int instant_wall(instant *t, vec3 velocity);
// A solid box with edges 2 * half, turned by q.
int instant_box(instant *t, double mass, vec3 half, quat q, vec3 position, vec3 velocity);

// A contact without loss and friction, with Hertz's exponent; the normal has unit length.
carom_impact_contact *instant_contact(instant *t, int a, int b, vec3 point, vec3 normal);
// Two spheres of equal radius, on the line of their centres.
carom_impact_contact *instant_touch(instant *t, int a, int b);
// All pairs of spheres of that radius that touch within 1e-9.
void instant_touch_all(instant *t, double radius);

// Of all contacts.
void instant_set_restitution(instant *t, double restitution);
void instant_set_friction(instant *t, double friction);
void instant_set_exponent(instant *t, double exponent);

// Whole instants; what was there before goes.
// Balls of diameter 1 along x, moving along x; null masses are all 1, mass 0 is immovable.
void instant_chain(instant *t, int count, const double *masses, const double *velocities);
// Pool break: cue ball 0 at 1 m/s along x, then the rack of 15 by rows from the apex.
void instant_rack(instant *t);
// Random spheres grown one by one, masses 0.5 to 2, velocities in [-1, 1).
void instant_cluster(instant *t, int count, uint64_t seed);
// Spheres of mass 1, each new one in touch with at least three, velocities in [-1, 1).
void instant_packing(instant *t, int count, uint64_t seed);
// A jittered lattice of side^3 touching spheres, velocities in [-1, 1).
void instant_lattice(instant *t, int side, uint64_t seed);
// Triples of balls far from each other, each with a ball struck from both sides.
void instant_triples(instant *t, int triples, uint64_t seed);
// A box of mass 1 with these half sides on the floor z = 0 (body 0), touching at its corners with
// x >= from.
void instant_box_on_floor(instant *t, const double half[3], double from);

// Resolves into v, w, p and report; false with err on failure.
bool instant_resolve(instant *t, carom_workspace *workspace, const carom_law *law,
                     const carom_law_options *options);
// By a law with options, "steps=8 exponent=1" (null: none); the name may have some behind it too,
// "wave steps=8". A failure is a failed check.
void instant_run(instant *t, carom_workspace *workspace, const char *law, const char *options);
// The same in a workspace of its own.
void instant_run_threads(instant *t, const char *law, const char *options, int threads);

// What a law does to it, as the desiderata see it; figures are unset where it failed.
carom_desiderata_figures instant_measure(const instant *t, const char *law);
// That the verdict on a desideratum (a bit of the promises) is the one `wanted`.
void instant_verdict(const instant *t, const char *law, int bit, carom_verdict wanted,
                     const char *what);

double instant_energy_ratio(const instant *t);
// Normal speed at a contact after.
double instant_speed_after(const instant *t, int contact);
// 2-norm of the normal speeds before.
double instant_approach(const instant *t);
// 2-norm of the difference of the linear velocities after.
double instant_distance(const instant *t, double (*other)[3]);

#endif

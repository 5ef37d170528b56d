// Impacts built in a few lines for tests: chains, sphere clusters, boxes, with room for the
// results.
#ifndef CAROM_TESTS_STRIKE_H
#define CAROM_TESTS_STRIKE_H

#include <stdint.h>
#include "carom/carom.h"

typedef struct strike {
    int body_count, contact_count, room;
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    double (*velocities)[3], (*spins)[3], (*impulses)[3]; // results
    carom_impact_report report;
} strike;

// An empty impact with room for so many bodies and as many contacts.
strike strike_make(int bodies, int contacts);
void strike_free(strike *one);

// Adds a body of that mass (0: immovable), the inertia of a solid sphere of radius r, at rest.
int strike_body(strike *one, double mass, double r, double x, double y, double z);
// Adds a contact at a point with the normal from a to b.
int strike_contact(strike *one, int a, int b, const double point[3], const double normal[3]);
// Adds a contact for every pair of bodies whose spheres of radius r touch within 1e-9.
void strike_touch(strike *one, double r);

// Balls of radius .5 in a row along x; null masses: all 1.
strike strike_chain(int count, const double *masses, const double *velocities);
// Spheres of radius .5 and mass 1, each new one in touch with at least three, velocities uniform in
// a cube of half width 1.
strike strike_cluster(uint64_t seed, int spheres);
// A box of mass 1 with these half sides on the floor z = 0, touching at its corners with x >= from.
strike strike_box(const double half[3], double from);

void strike_set_restitution(strike *one, double e);
void strike_set_friction(strike *one, double mu);
void strike_set_exponent(strike *one, double eta);

// Resolves by a law with options written as "steps=8 exponent=1"; checks that it succeeds.
void strike_resolve(strike *one, const char *law, const char *options, int threads);

// |v - w| over all bodies: linear velocities, 2-norm.
double strike_distance(const strike *one, double (*other)[3]);
// |u-|: 2-norm of the normal speeds before.
double strike_approach(const strike *one);

#endif

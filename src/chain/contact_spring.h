// What two faces do to each other while they touch: a power law [EC, eqs 10, 13], in series with
// the half slices behind the faces [EC, eq 12].
//
// x is the compression of everything between the two outermost mass points, d the part of the power
// law, C the compliance of the half slices:  F = k d^p,  x = d + C F.  Without a power law F = x /
// C.
#ifndef CAROM_CHAIN_CONTACT_SPRING_H
#define CAROM_CHAIN_CONTACT_SPRING_H

#include <stdbool.h>

typedef struct carom_contact_spring {
    double stiffness;  // k; 0: bare faces
    double exponent;   // p >= 1
    double compliance; // C; 0 between rigid bodies
} carom_contact_spring;

// The law is a polynomial (or linear) in x, so it may be continued smoothly past x = 0 within a
// step that ends there.
bool carom_contact_spring_smooth(const carom_contact_spring *touch);
// The force at compression x. Negative x gives the smooth continuation, or 0 where there is none.
double carom_contact_spring_force(const carom_contact_spring *touch, double x);
// The energy stored at x (0 for x <= 0).
double carom_contact_spring_energy(const carom_contact_spring *touch, double x);
// dF/dx at x >= 0.
double carom_contact_spring_stiffness(const carom_contact_spring *touch, double x);
// The compression that stores `energy`.
double carom_contact_spring_reach(const carom_contact_spring *touch, double energy);

#endif

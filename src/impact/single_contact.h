// The exact impact of two bodies at a single contact with friction: Coulomb's law along the whole
// path [Routh, Dynamics of a System of Rigid Bodies, part I, chapter V] and restitution of the
// energy stored in the normal direction [Stronge, Impact Mechanics, section 3.5].
//
// The shapes of the bodies do not matter, only the response W of the contact point; one of the
// bodies may be immovable or driven. Not for a body with several contacts.
#ifndef CAROM_IMPACT_SINGLE_CONTACT_H
#define CAROM_IMPACT_SINGLE_CONTACT_H

#include "impact/problem.h"

// Rows: the normal, then two tangents at right angles.
typedef struct carom_single_contact {
    double normal_response;        // W_nn
    double coupling[2];            // W_tn
    double tangential_response[3]; // W_tt: 11, 12, 22
    double approach;               // u_n before; negative: the bodies approach
    double slip[2];                // u_t before
    double friction, restitution;  // mu and e
    bool poisson;                  // e times the impulse of compression is given back, whatever
                                   // its work [Wang and Mason]; else e^2 of its work
} carom_single_contact;

// Response, velocities, friction and restitution of a contact of the problem.
carom_single_contact carom_single_contact_of(const carom_problem *problem, int contact);

// The impulse p along the three rows, and the normal speed after it. Zero where the bodies do not
// approach. The velocity after is u + W p; u_n is 0 to round-off for e = 0. Accurate to about 1e-10
// of the velocities before.
double carom_single_contact_solve(const carom_single_contact *contact, double p[3]);

#endif

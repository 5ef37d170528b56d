// One contact alone: the impulse that changes its normal speed by a given amount, with friction.
//
// Method: [ETM, section 4, eqs 50-55]. Vectors in the contact's frame: x along the normal, y and z
// along the two tangents. Symbols: K = inverse effective mass of the contact in that frame (its
// 3x3 block of W), u relative velocity, dn wanted change of the normal speed, mu friction.
//
// Beyond the paper: friction adds no energy. Sliding by eq 54 takes its direction from the sticking
// impulse, and the coupling of normal and tangential motion in K can make that push the bodies
// along their slip (a rod at 43 degrees gains 54 % of its energy). Positive tangential work is
// therefore bounded by what the process has dissipated so far. Between the frictionless impulse,
// whose tangential work is zero, and the impulse of the paper there is a largest step within that
// bound; all of these reach dn and lie in the cone.
#ifndef CAROM_IMPACT_TWO_BODY_H
#define CAROM_IMPACT_TWO_BODY_H

#include "impact/problem.h"
#include "impact/single_contact.h"

typedef struct carom_two_body {
    sym3 k;                        // K; only k.xx is filled where there is no friction
    double mu;                     // friction
    double tangential_restitution; // 0 unless the law sets it
    bool frictional;               // mu > 0
    int contact;                   // index into the problem
} carom_two_body;

carom_two_body carom_two_body_make(const carom_problem *problem, int contact);

// Relative velocity at the contact; without friction only x is filled.
vec3 carom_two_body_relative_velocity(const carom_problem *problem, const carom_two_body *pair,
                                      const carom_twist *v);

// The impulse for a change dn >= 0 of the normal speed, doing at most `spare` (J, >= 0) tangential
// work. A contact that sticks leaves with -tangential_restitution times its tangential velocity.
// Returns the share of friction kept: 1 where the paper's impulse stands.
double carom_two_body_impulse(const carom_two_body *pair, vec3 u, double dn, double spare, vec3 *p);

// The same contact for the exact path of single_contact.h; `u` relative velocity before.
carom_single_contact carom_two_body_single_contact(const carom_two_body *pair, vec3 u,
                                                   double restitution);

// Work that the tangential part of p does, J; negative where friction takes energy.
double carom_two_body_tangential_work(const carom_two_body *pair, vec3 u, vec3 p);

// Adds the impulse to the twists and to the contact's sum.
void carom_two_body_apply(const carom_problem *problem, const carom_two_body *pair, vec3 p,
                          carom_motion *motion);

#endif

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
#ifndef CAROM_IMPACT_PAIR_H
#define CAROM_IMPACT_PAIR_H

#include "impact/problem.h"
#include "impact/single_contact.h"

typedef struct carom_pair {
    sym3 k;         // K; only k.xx is filled where there is no friction
    double slip;    // mu
    double rebound; // tangential restitution, 0 unless the law sets it
    bool rough;     // mu > 0
    int contact;    // index into the problem
} carom_pair;

carom_pair carom_pair_make(const carom_problem *problem, int contact);

// Relative velocity at the contact; without friction only x is filled.
vec3 carom_pair_velocity(const carom_problem *problem, const carom_pair *pair,
                         const carom_twist *v);

// The impulse for a change dn >= 0 of the normal speed, doing at most `spare` (J, >= 0) tangential
// work. A contact that sticks leaves with -rebound times its tangential velocity. Returns the share
// of friction kept: 1 where the paper's impulse stands.
double carom_pair_impulse(const carom_pair *pair, vec3 u, double dn, double spare, vec3 *p);

// The same contact for the exact path of single_contact.h; `u` relative velocity before.
carom_single_contact carom_pair_single(const carom_pair *pair, vec3 u, double restitution);

// Work that the tangential part of p does, J; negative where friction takes energy.
double carom_pair_tangential_work(const carom_pair *pair, vec3 u, vec3 p);

// Adds the impulse to the twists and to the contact's sum.
void carom_pair_apply(const carom_problem *problem, const carom_pair *pair, vec3 p,
                      carom_motion *motion);

#endif

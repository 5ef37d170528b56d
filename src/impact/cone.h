// The convex problem of laws without complementarity: impulses that minimise
//
//     1/2 p^T (W + R) p + p.(u - target)   over Coulomb's cones |p_t| <= mu p_n,
//
// R a resistance per contact (the same along and across its normal). The speeds u+ - target + R p
// then lie in the dual cones, u_n >= mu |u_t|: a contact that slides lifts off (friction is
// associated), and with R = 0 and target = 0 nothing approaches.
#ifndef CAROM_IMPACT_CONE_H
#define CAROM_IMPACT_CONE_H

#include "impact/inelastic.h"

// A contact of the problem.
typedef struct carom_cone_block {
    double resistance; // R, 1/kg
    double step;       // 1 over a bound of the block of W + R
    vec3 target;       // m/s: normal, t1, t2
} carom_cone_block;

// The block of a contact with a resistance of `softness` times its W_nn, target 0.
carom_cone_block carom_cone_make(const carom_problem *problem, int contact, double softness);

// Solves it by projected Gauss-Seidel over blocks of three rows, at most `most` passes, from the
// motion, to which the impulses are added: they are those of motion->p in all. Blocks by position
// of the set. Counts passes as sweeps, and raises the residual.
carom_status carom_cone_minimise(const carom_problem *problem, const carom_contact_set *set,
                                 const carom_cone_block *blocks, int most, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err);

#endif

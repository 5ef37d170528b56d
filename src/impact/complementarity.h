// One complementarity problem on all islands: from the velocities it finds to wanted normal speeds,
// with friction where contacts have it. Simultaneous laws are made of one or two of these.
//
//     unilateral:  0 <= p_n - base  _|_  u_n - target >= 0
//     bilateral:   u_n = target, p_n of any sign (least squares of least norm)
//
// Which solver an island gets is decided here, by its size, its friction and the accuracy that the
// problem allows: an exact active set, large iterative solvers, or sweeps.
#ifndef CAROM_IMPACT_COMPLEMENTARITY_H
#define CAROM_IMPACT_COMPLEMENTARITY_H

#include "impact/friction.h"
#include "impact/limiter.h"

// The kind of problem, then its data, per contact of the problem; zeros are the inelastic problem
// with Coulomb's friction on all contacts.
typedef struct carom_complementarity {
    carom_friction_kind kind;
    carom_friction_bound friction;
    bool tangential;      // contacts that stick have their tangential restitution
    const double *target; // m/s; null for zeros
    const double *base;   // N s, smallest normal impulse (unilateral only); null for zeros
    const double *start;  // N s, normal impulses that sweeps begin with; null for zeros
    const bool *member;   // the contacts that take part; null for all
} carom_complementarity;

// The option `friction` (cone or pyramid) that laws with friction share, as a table entry.
#define CAROM_COMPLEMENTARITY_FRICTION_OPTION                                                      \
    {                                                                                              \
        "friction", "cone: Coulomb's; pyramid: each tangent clamped alone", CAROM_OPTION_CHOICE,   \
            0, 0, 1, "cone pyramid"                                                                \
    }

// Solves it from motion->v, adds the impulses to motion->p, and counts in the report: residual,
// most iterations in one island as sweeps, end.
carom_status carom_complementarity_solve(const carom_problem *problem,
                                         const carom_complementarity *wanted, carom_arena *scratch,
                                         carom_motion *motion, carom_impact_report *report,
                                         carom_error *err);

// Limits every island of `motion` that gains energy by the blend with the solution of `inelastic`
// from the velocities before, which is solved only if some island does.
carom_status carom_complementarity_limit(const carom_problem *problem,
                                         const carom_complementarity *inelastic,
                                         carom_arena *scratch, carom_motion *motion,
                                         carom_impact_report *report, carom_error *err);

// The same with an inelastic reference already known. An island whose reference gains energy too is
// blended with its frictionless inelastic result.
carom_status carom_complementarity_limit_to(const carom_problem *problem,
                                            const carom_motion *reference, carom_arena *scratch,
                                            carom_motion *motion, carom_impact_report *report,
                                            carom_error *err);

// Whether an island of so many contacts is solved by sweeps, to the problem's accuracy.
bool carom_complementarity_sweeps(const carom_problem *problem, int count);

// Where islands were solved by sweeps to the problem's accuracy: takes out what still approaches,
// by elastic QCE sweeps, which keep the energy. Normal impulses only grow, so friction stays within
// its bound. The last thing a law does that promises no penetration.
carom_status carom_complementarity_stop_approach(const carom_problem *problem, carom_arena *scratch,
                                                 carom_motion *motion, carom_impact_report *report,
                                                 carom_error *err);

#endif

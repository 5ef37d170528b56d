// One stage of a simultaneous law on all islands: from the velocities it finds to wanted normal
// speeds, with friction where contacts have it. Laws are made of one or two of these.
#ifndef CAROM_IMPACT_STAGE_H
#define CAROM_IMPACT_STAGE_H

#include "impact/limiter.h"

typedef struct carom_stage {
    const double *target; // m/s per contact of the problem; null for zeros
    const double *base;   // N s per contact, least normal impulse; null for zeros
    const bool *listed;   // per contact: those that take part; null for all
    const double *start;  // N s per contact, normal impulses that sweeps begin with; null for zeros
    bool smooth;          // friction is left out
    bool rebound;         // contacts that stick have their tangential restitution
    bool pyramid;
    bool bilateral; // normal impulses of any sign, u_n = target; base unused
} carom_stage;

// The option `friction` (cone or pyramid) that laws with friction share, as a table entry.
#define CAROM_STAGE_FRICTION_OPTION                                                                \
    {                                                                                              \
        "friction", "cone: Coulomb's; pyramid: each tangent clamped alone", CAROM_OPTION_CHOICE,   \
            0, 0, 1, "cone pyramid"                                                                \
    }

// Room for velocities and impulses of the whole problem, starting with those before the impact.
carom_status carom_stage_begin(const carom_problem *problem, carom_arena *scratch,
                               carom_limiter_end *end, carom_error *err);

// Runs the stage from end->v, adds its impulses to end->p (per contact of the problem), and counts
// in the report: residual, most iterations in one island as sweeps, end.
carom_status carom_stage_run(const carom_problem *problem, const carom_stage *stage,
                             carom_arena *scratch, carom_limiter_end *end,
                             carom_impact_report *report, carom_error *err);

// Limits every island of `wanted` that gains energy by the blend with the stage `calm` from the
// velocities before, which is solved only if some island does.
carom_status carom_stage_limit(const carom_problem *problem, const carom_stage *calm,
                               carom_arena *scratch, carom_limiter_end *wanted,
                               carom_impact_report *report, carom_error *err);

// The same with a calm end already known. An island whose calm end gains energy too is blended
// with its frictionless inelastic result.
carom_status carom_stage_limit_by(const carom_problem *problem, const carom_limiter_end *calm,
                                  carom_arena *scratch, carom_limiter_end *wanted,
                                  carom_impact_report *report, carom_error *err);

// Whether the stage solves an island of so many contacts by sweeps, to the problem's accuracy.
bool carom_stage_sweeps(const carom_problem *problem, int count);

// Where islands were solved by sweeps to the problem's accuracy: takes out what still approaches,
// by elastic QCE sweeps, which keep the energy. Normal impulses only grow, so friction stays within
// its bound. The last thing a law does that promises no penetration.
carom_status carom_stage_close(const carom_problem *problem, carom_arena *scratch,
                               carom_limiter_end *end, carom_impact_report *report,
                               carom_error *err);

#endif

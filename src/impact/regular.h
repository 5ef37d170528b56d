// A complementarity problem with resistance: 0 <= p _|_ (W + R) p + u - target >= 0, R a diagonal
// of resistances (1/kg). Laws with linear dissipation (`fremond`) and with soft contacts (`soft`)
// are made of it. R makes p unique.
#ifndef CAROM_IMPACT_REGULAR_H
#define CAROM_IMPACT_REGULAR_H

#include "impact/inelastic.h"

// Solves it for the contacts of a set, target (m/s) and resistance by position, from motion->v;
// adds the impulses to the motion and raises report->solver_residual. carom_inelastic_solve is the
// case R = 0; here contacts may be left with u - target < 0, by -R p.
carom_status carom_regular_solve(const carom_problem *problem, const carom_contact_set *set,
                                 const double *target, const double *resistance,
                                 carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err);

#endif

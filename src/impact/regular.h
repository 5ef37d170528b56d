// A complementarity problem with resistance: 0 <= p _|_ (W + R) p + u - target >= 0, R a diagonal
// of resistances (1/kg). Laws with linear dissipation (`fremond`) and with soft contacts (`soft`)
// are made of it. R makes p unique.
#ifndef CAROM_IMPACT_REGULAR_H
#define CAROM_IMPACT_REGULAR_H

#include "impact/inelastic.h"

// Solves it for the contacts of a set, all arrays by position; as carom_inelastic_solve, of which
// it is the case R = 0, except that contacts may be left with u - target < 0 by -R p.
carom_status carom_regular_solve(const carom_problem *problem, const carom_contact_set *set,
                                 const double *target, const double *resistance,
                                 carom_arena *scratch, carom_twist *v, double *lambda,
                                 double *residual, carom_error *err);

#endif

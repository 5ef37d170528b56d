// The energy limiter: friction or mixed restitution may add energy; a blend with the result for
// restitution 0 takes it out.
//
// p = (1 - b) p_ref + b p_wanted with the largest b <= 1 for which the energy does not grow. The
// blend is convex, so it keeps p_n >= 0, the friction cone and J v >= 0 where both have them;
// the reference never gains energy, so b exists. (The claim that friction keeps the energy bounded
// [QCE, section 4] is false: a rod at 42.9 degrees with mu = 0.603 gains 54 %.)
//
// The energy of impulses p, including the work of driven bodies, is p.u- + 1/2 p^T W p.
#ifndef CAROM_IMPACT_LIMITER_H
#define CAROM_IMPACT_LIMITER_H

#include "impact/inelastic.h"

// Limits one island, whose entries alone are read and written: replaces `wanted` by the blend with
// `reference` where it gained energy. Both must be results of the same velocities before, those of
// problem->bodies; the set is a whole island. Counts the island in report->limited and lowers
// report->limiter to b where it acted. Returns b. A reference that itself gains (an iteration that
// did not converge) is first shortened towards no impulse at all until it does not.
double carom_limiter_apply(const carom_problem *problem, const carom_contact_set *set,
                           const carom_motion *reference, carom_motion *wanted,
                           carom_impact_report *report);

// True where the impulses gain more than round-off.
bool carom_limiter_needed(const carom_problem *problem, const carom_contact_set *set,
                          const carom_twist *v, const double (*p)[3]);

#endif

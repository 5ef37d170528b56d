// The inelastic solve: the impulses that bring every contact of a set to at least a target speed
// with the least kinetic energy of the change [QCE, eq 19].
//
//     0 <= lam  _|_  W lam + u - target >= 0
//
// The set is split into parts that share movable bodies. A part of up to a few hundred contacts is
// solved exactly (dual active set on the rows of J M^-1/2, src/solve/lcp.h): relative residual
// below 1e-12, independent of the order of the contacts, and with the impulses of least Euclidean
// norm where several sets of impulses give the same velocities (a box on four corners). Larger
// parts are solved iteratively to CAROM_INELASTIC_LARGE_RESIDUAL; lam.(W lam + u - target) is then
// made exactly 0 by one scalar, so that energies stay exact. Where the iteration ends above that
// (mass ratios from about 1e3 on), parts up to CAROM_INELASTIC_RESCUE contacts are solved exactly
// after all.
#ifndef CAROM_IMPACT_INELASTIC_H
#define CAROM_IMPACT_INELASTIC_H

#include "impact/problem.h"

// Contacts by their indices in the problem, each at most once.
typedef struct carom_contact_set {
    const int *index;
    int count;
} carom_contact_set;

// Contacts up to which a part is solved exactly; the effort grows with the third power.
enum { CAROM_INELASTIC_EXACT = 400 };
// Relative residual at which the iteration on larger parts ends; CAROM_INELASTIC_CAP products end
// it above that.
#define CAROM_INELASTIC_LARGE_RESIDUAL 1e-10
enum { CAROM_INELASTIC_CAP = 4000 };
// Where the problem allows approach (`slack`), the residual grows with it up to this.
#define CAROM_INELASTIC_COARSEST 1e-2
// 2000 contacts take about a second, and 25 MB.
enum { CAROM_INELASTIC_RESCUE = 2500 };

// Solves for the contacts of `set`. `target` (m/s, null for zeros) and `lambda` (N s) run over the
// positions of the set, not over the contacts of the problem. `v` holds the velocities before, for
// all bodies of the problem, and is changed to those after; only bodies of the set are touched.
// `lambda` is overwritten. `residual` is raised to the largest relative residual
// max |min(lam_i, w_i)| in units where W_ii = 1, relative to the largest |u - target|.
//
// Where no velocity reaches all targets (a ball between two driven walls that close in), the
// targets are lowered by the smallest amounts (least squares) that can be reached, and the
// residual is that violation: above CAROM_INELASTIC_STALLED then.
carom_status carom_inelastic_solve(const carom_problem *problem, const carom_contact_set *set,
                                   const double *target, carom_arena *scratch, carom_twist *v,
                                   double *lambda, double *residual, carom_error *err);

// A residual above this means: the wanted speeds were not reached. Laws report STALLED.
#define CAROM_INELASTIC_STALLED 1e-8

// Whether some motion opens every contact of the set at once. Where none does (a ball between two
// parallel walls), an elastic process can go on for ever [QCE, section 6]; Gordan's alternative.
carom_status carom_inelastic_separable(const carom_problem *problem, const carom_contact_set *set,
                                       carom_arena *scratch, bool *separable, carom_error *err);

// Stops what still approaches faster than the tolerance (m/s) in an island, and what that makes
// approach, inelastically: the set of contacts that take part grows until it is closed. For laws
// whose own process has ended but for a little. Adds to motion->v and motion->p[.][0]; *left (may
// be null) is the approach that is left (m/s), as the solves are only as exact as `tolerance` asks.
carom_status carom_inelastic_stop_approach(const carom_problem *problem,
                                           const carom_contact_set *island, double tolerance,
                                           carom_arena *scratch, carom_motion *motion, double *left,
                                           double *residual, carom_error *err);

// The contacts of one island.
static inline carom_contact_set carom_inelastic_island(const carom_problem *problem, int island)
{
    int first = problem->first_island[island];
    return (carom_contact_set){ problem->island_contacts + first,
                                problem->first_island[island + 1] - first };
}

#endif

// Normal impulses with Coulomb friction by sweeps, for islands too large for the exact solvers
// [QCE, eq 21: contact by contact, normal impulse, then friction].
//
// Contacts take turns, there and back; each sees the velocities that those before it left. The
// result depends on their order by the residual, which is reported. Always true, whenever the
// sweeps end: p_n >= base, |p_t| <= mu p_n, and the same bits for any number of threads.
#ifndef CAROM_IMPACT_FRICTION_SWEEP_H
#define CAROM_IMPACT_FRICTION_SWEEP_H

#include "impact/friction.h"

// Contacts of an island from which sweeps end at the residual that the workspace allows. Smaller
// islands of spheres are swept to CAROM_FRICTION_SWEEP_TIGHT, and left to the exact solvers where
// that takes too long.
enum { CAROM_FRICTION_SWEEP_MIN = 33, CAROM_FRICTION_SWEEP_LEAST_COARSE = 2 };
#define CAROM_FRICTION_SWEEP_TIGHT 1e-12
// A residual from which islands count as large from CAROM_FRICTION_SWEEP_LEAST_COARSE on.
#define CAROM_FRICTION_SWEEP_COARSE 1e-3

static inline bool carom_friction_sweep_large(const carom_problem *problem, int count)
{
    return problem->accuracy > 0 && count >= (problem->accuracy >= CAROM_FRICTION_SWEEP_COARSE
                                                  ? CAROM_FRICTION_SWEEP_LEAST_COARSE
                                                  : CAROM_FRICTION_SWEEP_MIN);
}
// Sweeps allowed: so many that contacts times sweeps stay below the work
// (carom_workspace_set_work), and at least the fewest. Fewer are no shortcut: a shock that the
// sweeps have not carried through a pile is lost (docs/granular.md).
enum { CAROM_FRICTION_SWEEP_FEWEST = 20 };
#define CAROM_FRICTION_SWEEP_WORK 4e6
#define CAROM_FRICTION_SWEEP_USUAL 3000 // most sweeps with that work
// Sweeps before conjugate directions help: most islands are done by then.
enum { CAROM_FRICTION_SWEEP_PLAIN = 16 };

typedef struct carom_friction_sweeper carom_friction_sweeper;

// Prepares sweeps over islands of the problem, with room for the largest.
carom_status carom_friction_sweep_begin(const carom_problem *problem, int largest,
                                        carom_arena *scratch, carom_friction_sweeper **out,
                                        carom_error *err);

// Another one for islands of up to `largest` contacts that share no movable body with those of the
// first: for a thread beside it.
carom_status carom_friction_sweep_beside(const carom_friction_sweeper *first, int largest,
                                         carom_arena *scratch, carom_friction_sweeper **out,
                                         carom_error *err);

// Islands from which sweeps are shared among threads; smaller ones are one thread's.
enum { CAROM_FRICTION_SWEEP_SHARED = 8192 };

// One island, as carom_friction_solve: `v` before, p the start (normal impulses count, friction is
// kept where the cone allows it); ends at the relative residual of the problem's accuracy. A small
// island that is not done (turning contacts, slow convergence) is reported as stalled, with `v` as
// it was.
void carom_friction_sweep_island(carom_friction_sweeper *sweeper, const carom_contact_set *set,
                                 const carom_friction_conditions *conditions, carom_twist *v,
                                 double (*p)[3], carom_friction_report *report);

#endif

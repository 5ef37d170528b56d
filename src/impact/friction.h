// Normal impulses with Coulomb friction [QCE, eq 21], for one island.
//
// Wanted, per contact, with p_n = base + x:
//
//     0 <= x  _|_  u_n - target >= 0
//     |p_t| <= mu p_n, and p_t is the point of that disc nearest to p_t - u_t / W_tt:
//     it sticks (u_t = 0) or lies on the rim against the slip.
//
// With tangential restitution beta (Walton and Braun 1986) a contact that sticks leaves with
// u_t = -beta u_t-, u_t- before. Everywhere above u_t is then u_t + beta u_t-: the solvers begin
// with (1 + beta) u_t- and are the same otherwise. For one contact of spheres this is the rule of
// Walton: beta, or what sliding with mu p_n leaves.
//
// Who solves it, by the contacts of the island (complementarity.c, friction.c):
//
//     friction.c         up to 400: all contacts at once, the order does not affect the result
//     friction_newton.c  helps it up to 64 contacts, where mass ratios (to 1e12) make it slow
//     friction_large.c   401 to 10,000: all at once still, one product with W per iteration. A
//                        lattice of 1,344 contacts takes it 710 iterations and 188 sweeps, which
//                        depend on the order, though
//     friction_sweep.c   beyond, and where normal impulses may have any sign: the contact solver;
//                        and wherever a caller allows a residual (worlds)
//
// Without friction (inelastic.h) islands of up to 400 contacts are solved exactly (solve/lcp.c),
// larger ones by conjugate gradients with projections (solve/lcp_large.c, MPRGP), to 1e-10 and
// whatever the order of the contacts: sweeps promise neither.
//
// Up to CAROM_INELASTIC_EXACT contacts the passes are of Jacobi type (every contact sees the same
// velocities, each body's mass shared among its contacts), so nothing depends on the order of the
// contacts, and the start is the order-independent frictionless solution. Coulomb friction with
// several contacts can have more than one solution: this is then the one reached from the
// frictionless impulses of least norm, which has the symmetry of the problem. The pyramid clamps
// each tangent of carom_impact_tangents alone and depends on those axes.
#ifndef CAROM_IMPACT_FRICTION_H
#define CAROM_IMPACT_FRICTION_H

#include "impact/inelastic.h"

typedef enum carom_friction_kind {
    CAROM_FRICTION_UNILATERAL, // normal impulses push only
    CAROM_FRICTION_BILATERAL   // of any sign, they hold u_n = target (smm); base unused
} carom_friction_kind;

// In the order of the option `friction` of laws, whose value it is.
typedef enum carom_friction_bound {
    CAROM_FRICTION_CONE,    // Coulomb's
    CAROM_FRICTION_PYRAMID, // each tangent clamped alone
    CAROM_FRICTION_NONE     // friction is left out (by carom_friction_solve: not allowed)
} carom_friction_bound;

// What is wanted of an island; zeros are the inelastic problem with Coulomb's friction.
typedef struct carom_friction_conditions {
    carom_friction_kind kind;
    carom_friction_bound bound;
    bool tangential;      // with the contacts' tangential restitution
    const double *target; // m/s per position of the set, conditions normal speed; null for zeros
    const double *base;   // N s per position, smallest normal impulse (Poisson); null for zeros
    double residual;      // relative, at which sweeps end; 0: the accuracy of the problem
    int cap;              // iterations, 0 for the default of the island's size
} carom_friction_conditions;

// Relative residual at which the iteration ends, and iterations allowed, by contacts of the island:
// up to CAROM_FRICTION_SMALL, up to CAROM_INELASTIC_EXACT, and beyond. What is swept depends on the
// order of the contacts by the residual.
enum { CAROM_FRICTION_SMALL = 64, CAROM_FRICTION_CAP = 2000, CAROM_FRICTION_SWEEPS_CAP = 1000 };
// 200,000 contacts stand at 2e-3 after 1000 sweeps, at 9e-3 after 1000 steps all at once.
enum { CAROM_FRICTION_MAX = 10000 };
// Large islands: iterations, fewer where contacts times iterations would exceed the work.
enum { CAROM_FRICTION_LARGE_CAP = 20000, CAROM_FRICTION_LARGE_MIN = 1000 };
#define CAROM_FRICTION_LARGE_WORK 1e8
#define CAROM_FRICTION_RESIDUAL 1e-13
#define CAROM_FRICTION_MIDDLE_RESIDUAL 1e-9
#define CAROM_FRICTION_LARGE_RESIDUAL 1e-6
// A residual at the cap above this, and above 100 times the residual aimed at, counts as stalled.
#define CAROM_FRICTION_STALLED 1e-7

typedef struct carom_friction_report {
    int iterations;
    double residual; // max |x - projection(x - u)| in units where W_ii = 1, relative to max |u|
    bool stalled;    // well above the residual aimed at
} carom_friction_report;

// The factor of tangential speeds before: 1 + beta.
static inline double carom_friction_rebound(const carom_friction_conditions *conditions,
                                            const carom_impact_contact *contact)
{
    return conditions->tangential ? 1 + contact->tangential_restitution : 1;
}

// True where some contact of the set has friction and can press.
bool carom_friction_needed(const carom_problem *problem, const carom_contact_set *set);

// Solves one connected set (an island). On entry `v` holds the velocities before and p (one per
// position of the set: normal, t1, t2) the warm start, which need not be feasible; zeros are
// allowed, the frictionless solution is best. On exit p is the result and `v` the velocities with
// it; only bodies of the set are touched. Always feasible in the impulses (p_n >= base, friction
// bound), also where the residual is above the tolerance.
carom_status carom_friction_solve(const carom_problem *problem, const carom_contact_set *set,
                                  const carom_friction_conditions *conditions, carom_arena *scratch,
                                  carom_twist *v, double (*p)[3], carom_friction_report *report,
                                  carom_error *err);
// The same for islands beyond CAROM_INELASTIC_EXACT contacts, unilateral (friction_large.c).
carom_status carom_friction_large_solve(const carom_problem *problem, const carom_contact_set *set,
                                        const carom_friction_conditions *conditions,
                                        carom_arena *scratch, carom_twist *v, double (*p)[3],
                                        carom_friction_report *report, carom_error *err);

#endif

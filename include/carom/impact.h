/// @file
/// The instant of impact: bodies with velocities touch at contacts; a law says which impulses act.
///
/// No geometry and no time here. Units are SI (or any coherent set): kg, m, s, N s. The normal of a
/// contact points from body `a` to body `b`; the relative normal speed u = n . (v_b - v_a), taken
/// at the contact point, is negative where the bodies approach.
#ifndef CAROM_IMPACT_H
#define CAROM_IMPACT_H

#include <stddef.h>
#include <stdint.h>
#include "carom/law.h"
#include "carom/progress.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A body as the instant sees it. Inverse mass 0 (and inverse inertia 0) means immovable; with a
/// velocity it is driven: it moves as given and nothing changes it.
typedef struct carom_impact_body {
    double inverse_mass;       ///< 1/kg, 0 for fixed and driven bodies
    double inverse_inertia[6]; ///< 1/(kg m^2), world frame: xx yy zz xy xz yz; of any rank: a body
                               ///< on a hinge has rank 1, six zeros are no rotation
    double position[3];        ///< m, centre of mass
    double velocity[3];        ///< m/s, of the centre of mass, before the impact
    double spin[3];            ///< rad/s, before the impact
} carom_impact_body;

/// A touching pair.
typedef struct carom_impact_contact {
    int a, b;           ///< indices into the bodies, different, not both immovable
    double point[3];    ///< m
    double normal[3];   ///< unit vector from a to b
    double restitution; ///< 0 (no bounce) to 1 (no loss)
    double friction;    ///< Coulomb's coefficient, >= 0
    double stiffness;   ///< k of f = k d^exponent, > 0; only ratios matter to the result
    double exponent;    ///< 1 Hooke, 1.5 Hertz; >= 1
    double gap;         ///< m, >= 0; how far the two are apart before the springs of a law touch
    /// -1 to 1: a contact that sticks leaves with minus this times its tangential speed before
    /// (Walton and Braun 1986); 0: it stops, as in Coulomb's law. Only with friction, and only in
    /// laws with carom_law_has_tangential.
    double tangential_restitution;
    double shift[3]; ///< m; b touches a not where it is but so far from there: in a periodic box,
                     ///< an image of it; 0, 0, 0 elsewhere. `point` is that of a.
} carom_impact_contact;

/// One instant. The arrays belong to the caller and are not changed.
typedef struct carom_impact {
    int body_count, contact_count;        ///< lengths of the arrays
    const carom_impact_body *bodies;      ///< body_count of them
    const carom_impact_contact *contacts; ///< contact_count of them
} carom_impact;

/// A body of mass 1 kg, inertia 0.1 kg m^2 about every axis, at rest at the origin.
CAROM_API carom_impact_body carom_impact_body_default(void);
/// A frictionless elastic contact with Hertz's exponent 1.5 between bodies 0 and 1, along x at the
/// origin.
CAROM_API carom_impact_contact carom_impact_contact_default(void);

/// What ended the law's loop.
#define CAROM_IMPACT_END_LIST(X)                                                                   \
    X(SETTLED, "settled", "no contact approaches any more")                                        \
    X(CAPPED, "capped", "the sweep cap was reached; finished feasibly by another rule")            \
    X(ENDLESS, "endless", "the process has no end; finished feasibly by another rule")             \
    X(STALLED, "stalled", "the iteration ended above its tolerance; see the residual")

/// What ended the loop of a law, from the best to the worst.
typedef enum carom_impact_end {
#define CAROM_IMPACT_END_VALUE(name, word, sentence) CAROM_IMPACT_##name,
    CAROM_IMPACT_END_LIST(CAROM_IMPACT_END_VALUE)
#undef CAROM_IMPACT_END_VALUE
} carom_impact_end;

/// How the resolution went. Laws fill the first group, carom_impact_resolve measures the second.
typedef struct carom_impact_report {
    carom_impact_end end;   ///< the worst of all islands
    int sweeps;             ///< most sweeps (cycles, micro-steps) in one island
    int64_t events;         ///< single-contact updates in all
    int limited;            ///< islands where the energy limiter acted
    double limiter;         ///< smallest blend factor used, 1 where it never acted
    double solver_residual; ///< largest relative residual of the inner solves, 0 where exact
    double elastic_error; ///< |E+ - E-| / E- of the elastic step that comes before restitution and
                          ///< friction [QCE, section 5.4]; -1: the law has none, or nothing moved

    double capped_loss;    ///< share of the energy (with the work of driven bodies) lost although
                           ///< every contact is elastic, because the law ended at its cap: a broken
                           ///< promise KIN; 0 elsewhere
    int islands;           ///< connected components over movable bodies
    double energy_before;  ///< J, kinetic energy of the movable bodies
    double energy_after;   ///< J
    double work;           ///< J, done on the movable bodies by the driven ones
    double fastest;        ///< m/s, largest |u| before
    double penetration;    ///< m/s, largest approach speed left, >= 0
    double pull;           ///< N s, largest tensile normal impulse, >= 0
    double momentum_error; ///< |M (v+ - v-) - J^T p| relative to the impulses: linear and angular
    uint64_t hash;         ///< of all resulting velocities and impulses, bit by bit
    size_t scratch_bytes;  ///< peak working memory
} carom_impact_report;

/// A report to start from: settled, nothing limited, no elastic step.
CAROM_API carom_impact_report carom_impact_report_default(void);

/// Where results go. The arrays belong to the caller, in the order of the bodies and contacts.
typedef struct carom_impact_outcome {
    double (*velocities)[3];    ///< m/s, one per body
    double (*spins)[3];         ///< rad/s, one per body
    double (*impulses)[3];      ///< N s, one per contact: normal, and along the two tangents
    carom_impact_report report; ///< how it went
} carom_impact_outcome;

/// Memory and threads for resolving. One workspace serves one caller at a time; after the largest
/// problem has been seen, resolving allocates nothing.
typedef struct carom_workspace carom_workspace;

/// An empty workspace with one thread; null without memory.
CAROM_API carom_workspace *carom_workspace_create(void);
/// Frees it; null is allowed.
CAROM_API void carom_workspace_destroy(carom_workspace *workspace);
/// Threads to use, at least 1; the result is the same bits for any number. Default 1.
CAROM_API void carom_workspace_set_threads(carom_workspace *workspace, int threads);
/// An observer of a law at work: called after every sweep (pass, cycle, block of micro-steps, step
/// of the springs) with the impulses of all contacts so far, normal and along the two tangents
/// (N s). Islands follow one another, each from sweep 1 on; losses and friction that a law adds at
/// its end are in the outcome only.
typedef struct carom_impact_observer {
    void *context; ///< handed to the functions
    void (*after_sweep)(void *context, int sweep,
                        const double (*impulses)[3]); ///< called after every sweep of an island
    /// May be null: called after every impulse by a law that has steps within its sweeps (`etm`),
    /// with the energy (J) that it has booked as stored at the contacts of the island.
    void (*after_step)(void *context, const double (*impulses)[3], double stored);
} carom_impact_observer;

/// Null ends it. A law that is observed uses one thread; its result is the same bits.
CAROM_API void carom_workspace_set_observer(carom_workspace *workspace,
                                            const carom_impact_observer *observer);
/// Bytes of scratch memory this workspace may hold; 0 (default) means as much as there is.
CAROM_API void carom_workspace_set_limit(carom_workspace *workspace, size_t bytes);

/// Relative residual at which solves with friction or partial restitution may end in islands of
/// more than 32 contacts, from 1e-3 on in those of more than 3 (sweeps instead of exact solves;
/// promises hold all the same); 0 (default): as exact as they come.
CAROM_API void carom_workspace_set_accuracy(carom_workspace *workspace, double residual);
/// Contacts that the sweeps of one such solve may look at in all, the same one each time anew; 0
/// (default): 4e6. A deep pile that is struck needs more: what the sweeps have not carried through
/// it is lost.
CAROM_API void carom_workspace_set_work(carom_workspace *workspace, double visits);

/// Bounds the work of one resolve: contact updates of some 50 ns, counted in the loops of every law
/// to within a million; beyond it ends with CAROM_NOT_CONVERGED. 0 (default): the law's own bounds
/// alone.
CAROM_API void carom_workspace_set_bound(carom_workspace *workspace, double work);
/// Who may stop a resolve: queried about ten times a second of work or more often, from the calling
/// thread; a resolve that is stopped fails with CAROM_INTERRUPTED. Null ends it.
CAROM_API void carom_workspace_set_progress(carom_workspace *workspace,
                                            const carom_progress *progress);

/// Checks every number of the problem. A failure names the body or contact by its index.
CAROM_API carom_status carom_impact_check(const carom_impact *impact, carom_error *err);

/// Resolves the impact by a law. A null law is refused and leaves in `err` what carom_law_find
/// said; null options mean the law's defaults. On failure `out` is left as it was. A result that
/// the law could only finish by its fallback is CAROM_OK with report.end telling so.
CAROM_API carom_status carom_impact_resolve(carom_workspace *workspace, const carom_impact *impact,
                                            const carom_law *law, const carom_law_options *options,
                                            carom_impact_outcome *out, carom_error *err);

/// The two tangents that impulse components 1 and 2 refer to, for a unit normal.
CAROM_API void carom_impact_tangents(const double normal[3], double first[3], double second[3]);

/// "settled", "capped", ...
CAROM_API const char *carom_impact_end_word(carom_impact_end end);
/// The sentence behind the word.
CAROM_API const char *carom_impact_end_sentence(carom_impact_end end);

#ifdef __cplusplus
}
#endif
#endif

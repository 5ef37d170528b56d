/// @file
/// An impact pass for other engines: impacts that come out right, in a world that is not ours.
///
/// Engines step in time, find contacts, and solve them for a few iterations. Before its solver,
/// hand the pass the bodies and contacts that the engine has found; take back velocities, and where
/// the impact fell within the step, how far centres shift by it:
///
///     carom_pass_begin(pass);
///     int a = carom_pass_add_body(pass, &body), ...;
///     carom_pass_add_contact(pass, &contact);
///     carom_pass_resolve(pass, dt, NULL, &err);
///     const carom_pass_motion *motion = carom_pass_body(pass, a);
///
/// Contacts that approach and meet within the step are impacts; whatever touches them takes part in
/// the same instant. Resting contact, friction at rest and joints stay with the engine. Contacts
/// that part afterwards (carom_pass_parts) are to be kept from its solver in this step; all others
/// are at carom_pass_distance now. examples/pass has adapters.
#ifndef CAROM_PASS_H
#define CAROM_PASS_H

#include "carom/impact.h"
#include "carom/law.h"
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A contact as an engine finds it, at the beginning of the step.
typedef struct carom_pass_contact {
    int a, b;           ///< what carom_pass_add_body returned, different
    double point[3];    ///< m
    double normal[3];   ///< from a to b, of unit length as far as single precision goes
    double distance;    ///< m between the surfaces; negative: overlap
    double restitution; ///< 0 (no bounce) to 1 (no loss)
    double friction;    ///< Coulomb's coefficient, >= 0
} carom_pass_contact;

/// How a pass works. Make it with carom_pass_options_default.
typedef struct carom_pass_options {
    const carom_law *law; ///< default `qce`: a row of equal balls hands its speed on exactly
    carom_law_options law_options; ///< of that law
    double speed; ///< m/s, >= 0: contacts that approach more slowly rest, which is the engine's
                  ///< affair; default 0.01
    double touch; ///< m, >= 0: contacts not further apart than this pass a shock on at once;
                  ///< default 1e-5
    int rounds;   ///< most instants of one group of bodies within a step, one after the other; what
                  ///< is left then meets in the next step; default 16
} carom_pass_options;

/// What became of a body.
typedef struct carom_pass_motion {
    double velocity[3]; ///< m/s
    double spin[3];     ///< rad/s
    double shift[3];    ///< m, to be added to its position: the impact came d / |u| before or after
                        ///< the beginning of the step, and the new velocity acts from there on
    int struck;         ///< non-zero where an impact changed anything
} carom_pass_motion;

/// What a pass did.
typedef struct carom_pass_report {
    int rounds;           ///< instants, one after the other
    int impacts;          ///< contacts that passed an impulse on, over all rounds
    int left;             ///< contacts that would still meet within the step after the last round
    double energy_before; ///< J, kinetic, of all bodies that were handed over
    double energy_after;  ///< J
} carom_pass_report;

/// Memory for one engine's world; after the largest step has been seen it allocates nothing. One
/// caller at a time.
typedef struct carom_pass carom_pass;

/// The defaults of every option.
CAROM_API carom_pass_options carom_pass_options_default(void);
/// Makes a pass; null options mean the defaults.
CAROM_API carom_status carom_pass_create(const carom_pass_options *options, carom_pass **out,
                                         carom_error *err);
/// Frees it; null is allowed.
CAROM_API void carom_pass_destroy(carom_pass *pass);

/// Forgets all bodies and contacts, at the beginning of a step.
CAROM_API void carom_pass_begin(carom_pass *pass);
/// Adds a body and returns its number from 0; -1 without memory. Inverse mass 0: immovable or
/// driven.
CAROM_API int carom_pass_add_body(carom_pass *pass, const carom_impact_body *body);
/// Adds a contact and returns its number from 0; -1 without memory. Contacts of two immovable
/// bodies are allowed and do nothing.
CAROM_API int carom_pass_add_contact(carom_pass *pass, const carom_pass_contact *contact);
/// Resolves the impacts of a step of `dt` seconds. `report` may be null. A failure names body or
/// contact by its number and leaves every motion as it was handed over.
CAROM_API carom_status carom_pass_resolve(carom_pass *pass, double dt, carom_pass_report *report,
                                          carom_error *err);
/// What became of a body, valid until the next begin; null outside the range.
CAROM_API const carom_pass_motion *carom_pass_body(const carom_pass *pass, int body);
/// Non-zero where the two now part faster than `speed`: no contact for the engine's solver.
CAROM_API int carom_pass_parts(const carom_pass *pass, int contact);
/// m: the distance of a contact after the shifts, for those that stay with the engine; 0 outside
/// the range.
CAROM_API double carom_pass_distance(const carom_pass *pass, int contact);

/// The inverse inertia (1/(kg m^2), world frame, as carom_impact_body has it) of a body whose
/// inertia (kg m^2, about the centre of mass: xx yy zz xy xz yz) is known in its own frame, turned
/// by a unit quaternion w x y z. Zeros where the inertia has no inverse.
CAROM_API void carom_pass_inverse_inertia(const double inertia[6], const double rotation[4],
                                          double out[6]);

#ifdef __cplusplus
}
#endif
#endif

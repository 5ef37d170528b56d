// Joints in an instant of impact. impact_phase_joints.c has the theory and the story;
// impact_phase_joint_rows.c makes rows of joints, impact_phase_joint_contacts.c what the law sees
// of contacts and stops; impact_phase_joint_solve.c asks the law until the joints are met, with
// systems of impact_phase_joint_factor.c; impact_phase_joint_outcome.c says what came out.
#ifndef CAROM_WORLD_IMPACT_PHASE_JOINTS_H
#define CAROM_WORLD_IMPACT_PHASE_JOINTS_H

#include "impact/problem.h"
#include "world/impact_phase.h"

// A row of a joint in the instant: g v = target.
typedef struct carom_impact_joint_link {
    carom_row row;
    double drive;  // m/s or rad/s, of an anchor that is driven
    double target; // for the speed after
    double before; // S: the part of its impulse that acts before the law
    double q;      // impulse on b
    double spent;  // and of solves before this one
    double bounce; // of a stop; below 0: a string or joint
    bool pull;     // a string or stop: q <= 0
    bool on;
} carom_impact_joint_link;

// An instant with joints, and the law that is asked in between.
typedef struct carom_impact_joint_split {
    carom_world *world;
    const carom_law *law;
    carom_law_options options;
    carom_reduced_system system;
    carom_impact_joint_link *links;
    int link_count;
    int *active, active_count;
    // reduced problem and answer
    carom_impact reduced;
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    int *contact_of; // in the impact
    carom_impact_outcome answer;
    carom_twist *start, *end; // per place, a resting one behind the last, and one per stop
    int stop_count;           // that are reached
    double scale;             // m/s
    // A = G M^-1 G^T of the active links, scaled to a unit diagonal: L D L^T within its envelope
    int *first;
    size_t *row_at;
    double *factor, *pivot, *unit;
} carom_impact_joint_split;

static inline sym3 carom_impact_joint_inverse_inertia(const carom_impact_body *body)
{
    const double *j = body->inverse_inertia;
    return (sym3){ j[0], j[1], j[2], j[3], j[4], j[5] };
}

// impact_phase_joint_rows.c: the rows of all joints that are here, and room for their factor.
carom_status carom_impact_joint_rows(carom_impact_joint_split *s, carom_error *err);
// Whether a body of the joint that can move is part of this instant.
bool carom_impact_joint_is_here(const carom_impact_joint_split *s, const carom_world_joint *joint);
// Whether a string is as long as it can be.
bool carom_impact_joint_is_taut(const carom_world *world, const carom_world_joint *joint);

// impact_phase_joint_contacts.c: the contacts of the impact between reduced bodies, and stops.
void carom_impact_joint_contacts(carom_impact_joint_split *s);
// Places of bodies: those of the instant, a resting one and one for the far end of every stop.
size_t carom_impact_joint_places(const carom_impact_joint_split *s);
// Of b against a, where bodies move with v.
vec3 carom_impact_joint_relative_velocity(const carom_impact_joint_split *s,
                                          const carom_impact_contact *contact,
                                          const carom_twist *v);

// impact_phase_joint_solve.c: the impulses of joints, strings and stops around the law.
carom_status carom_impact_joint_solve(carom_impact_joint_split *s, carom_error *err);

// impact_phase_joint_single.c: whether a linkage is struck at one contact with friction, and at no
// stop; what becomes of it with the links that are on.
bool carom_impact_joint_is_single(const carom_impact_joint_split *s);
carom_status carom_impact_joint_single(carom_impact_joint_split *s, carom_error *err);

// impact_phase_joint_outcome.c: whether the impulses bring in energy, beyond round-off.
bool carom_impact_joint_gains(const carom_impact_joint_split *s);
// Whether all energy must come back.
bool carom_impact_joint_is_elastic(const carom_impact_joint_split *s);
// All impulses times the largest factor up to 1 that gains nothing.
void carom_impact_joint_shorten(carom_impact_joint_split *s);
// m/s, the fastest approach that is left.
double carom_impact_joint_approach_left(const carom_impact_joint_split *s);
// The outcome for the bodies and contacts of the impact.
void carom_impact_joint_report(const carom_impact_joint_split *s, carom_impact_outcome *out);

// impact_phase_joint_factor.c: factors A of the links that are on.
carom_status carom_impact_joint_factor(carom_impact_joint_split *s, carom_error *err);
// x = A^-1 x, scaled.
void carom_impact_joint_divide(const carom_impact_joint_split *s, double *x);
// What is left of G v = t, scaled; returns the largest, m/s or rad/s.
double carom_impact_joint_misfit(const carom_impact_joint_split *s, const carom_twist *v,
                                 double *out);
// The velocities nearest in energy to v with G v = t; `keep` adds the impulses to the links'.
carom_status carom_impact_joint_project(carom_impact_joint_split *s, carom_twist *v, bool keep,
                                        carom_error *err);

#endif

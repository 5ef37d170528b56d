/// @file
/// A world from outside while it runs: forces, impulses, and everything else that may be set.
///
/// All of it is allowed before the first step and between steps. Before the first step the ledger
/// begins anew with every change; later it goes on and books what a change brings in as driven.
/// Forces act over whole steps, and what they do is work: force times way, torque times angle, of
/// the way that the body really goes.
///
/// What is set is part of snapshots, so a run that is resumed goes on to the same bits. What comes
/// from outside in the course of a run (a stick, a controller) can be recorded as a list of changes
/// and applied again, change by change, at the same steps.
#ifndef CAROM_WORLD_CHANGE_H
#define CAROM_WORLD_CHANGE_H

#include "carom/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Puts a body elsewhere: centre of mass (m) and unit quaternion w x y z; null: as it is. Nothing
/// asks who is there already, and what it touched is forgotten.
CAROM_API carom_status carom_world_set_pose(carom_world *world, carom_body_id body,
                                            const double position[3], const double rotation[4],
                                            carom_error *err);
/// Makes a body moving, fixed or driven. What becomes fixed stands still; what becomes moving gets
/// back the mass that it was given, or that of its density.
CAROM_API carom_status carom_world_set_kind(carom_world *world, carom_body_id body,
                                            carom_body_kind kind, carom_error *err);
/// Another mass (kg) of a body; its inertia (kg m^2, as in carom_body) grows by the same factor
/// where it is null.
CAROM_API carom_status carom_world_set_mass(carom_world *world, carom_body_id body, double mass,
                                            const double inertia[6], carom_error *err);
/// Another material of a body.
CAROM_API carom_status carom_world_set_material(carom_world *world, carom_body_id body,
                                                int material, carom_error *err);
/// Damping of speed and of spin (1/s, at least 0).
CAROM_API carom_status carom_world_set_damping(carom_world *world, carom_body_id body,
                                               double damping, double angular_damping,
                                               carom_error *err);
/// Gravity acts on the body this many times; 0: not at all.
CAROM_API carom_status carom_world_set_gravity_scale(carom_world *world, carom_body_id body,
                                                     double scale, carom_error *err);
/// Gravity (m/s^2) of the whole world. What the potential energy changes by is booked.
CAROM_API carom_status carom_world_set_gravity(carom_world *world, const double gravity[3],
                                               carom_error *err);
/// Another impact law with its options; null: its defaults.
CAROM_API carom_status carom_world_set_law(carom_world *world, const carom_law *law,
                                           const carom_law_options *options, carom_error *err);
/// Any number or word among the options by its name, as scene files have it ("slop", "events");
/// words by their place in the list. Not `threads`.
CAROM_API carom_status carom_world_set_option(carom_world *world, const char *name, double value,
                                              carom_error *err);
/// The options as they are now.
CAROM_API carom_world_options carom_world_options_now(const carom_world *world);

/// A force (N) and a torque (N m), world frame, that act on a body at its centre of mass from now
/// on, until they are set again; null: as it is.
CAROM_API carom_status carom_world_set_force(carom_world *world, carom_body_id body,
                                             const double force[3], const double torque[3],
                                             carom_error *err);
/// A force (N, world frame) that acts over the next step, in addition to all others. It acts at a
/// point (m, world) as of now; null: at the centre of mass. A step that fails leaves it waiting.
CAROM_API carom_status carom_world_apply_force(carom_world *world, carom_body_id body,
                                               const double force[3], const double point[3],
                                               carom_error *err);
/// A torque (N m, world frame) over the next step, likewise.
CAROM_API carom_status carom_world_apply_torque(carom_world *world, carom_body_id body,
                                                const double torque[3], carom_error *err);
/// An impulse (N s, world frame) now, at a point (m, world); null: at the centre of mass. Joints
/// and contacts answer in the next step.
CAROM_API carom_status carom_world_apply_impulse(carom_world *world, carom_body_id body,
                                                 const double impulse[3], const double point[3],
                                                 carom_error *err);
/// An angular impulse (N m s, world frame) now.
CAROM_API carom_status carom_world_apply_angular_impulse(carom_world *world, carom_body_id body,
                                                         const double impulse[3], carom_error *err);

/// From now on the motor keeps that speed, or goes to that position (rad/s, m/s, rad or m); of a
/// hinge or slider with a spring: where the spring goes, and what that stores in it is booked.
/// Refuses a joint that has neither.
CAROM_API carom_status carom_world_joint_aim(carom_world *world, carom_joint_id joint, double aim,
                                             carom_error *err);

/// Called at the beginning of every step of dt seconds: the place for forces that depend on the
/// state. May call all of this header; a failure ends the step before it begins.
typedef carom_status (*carom_force_function)(void *context, carom_world *world, double dt,
                                             carom_error *err);
/// Sets it; null: none. The caller keeps what `context` points to. Not part of snapshots.
CAROM_API void carom_world_set_force_function(carom_world *world, carom_force_function function,
                                              void *context);

/// Something that was done to a world from outside by a function of this header, or a removal. Its
/// numbers belong to Carom; it may be written to a file and read back on the same machine family.
typedef struct carom_change {
    int64_t step;        ///< this many steps were done before
    int what;            ///< which function
    int slot;            ///< of the body or joint; -1: of none
    unsigned generation; ///< of it
    int index;           ///< a kind, material, law or option
    double numbers[16];  ///< what was given
} carom_change;

/// Starts (or ends) recording what is done from outside; clears the list.
CAROM_API void carom_world_record_changes(carom_world *world, int on);
/// What has been recorded, in its order. Valid until the next change.
CAROM_API const carom_change *carom_world_changes(const carom_world *world, int *count);
/// Does it again. For a replay: every change right before the step that it was made before.
CAROM_API carom_status carom_world_change(carom_world *world, const carom_change *change,
                                          carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

// A joint and its position, spring and stops, whatever moves it: joint.c; added to a world and
// asked for in world_joint.c.
#ifndef CAROM_WORLD_JOINT_H
#define CAROM_WORLD_JOINT_H

#include "base/shared.h"
#include "carom/joint.h"
#include "math/vec.h"

// A joint in the bodies' own frames.
typedef struct carom_world_joint {
    carom_joint_kind kind;
    int a, b;                // -1: the world
    vec3 anchor_a, anchor_b; // body frame; world frame where the body is the world
    vec3 axis_a, axis_b;     // hinge and slider, likewise
    vec3 zero_a, zero_b;     // across the axis of a hinge, likewise: one direction at angle 0
    quat turn;               // fixed and slider: rotation of b seen from a
    double length;
    double restitution; // of a string or of stops
    bool bounded[2];    // has a stop above, below
    double bound[2];    // rad or m: where
    double stiffness, damping;
    carom_motor motor;
    double force; // N or N m, of a motor; infinite: no bound
    double break_force, break_torque;
    char *name; // null: none
    unsigned generation;
    bool removed; // a free slot: a and b are the world
    // what a run changes
    bool broken;
    double aim;                    // speed of a motor, position of a servo or spring
    double held, held_torque;      // N, N m: in the last step
    vec3 impulse, angular_impulse; // N s, N m s on a, of the step at work
    bool met[2];                   // stops that are touched in the interval at work
} carom_world_joint;

// Where both ends are: anchors and rotations of the bodies, world frame.
typedef struct carom_joint_ends {
    vec3 anchor[2];
    quat turn[2];
} carom_joint_ends;

// Whether the joint keeps the anchors at one place, so that its bodies must not collide.
static inline bool carom_joint_binds(carom_joint_kind kind)
{
    return kind != CAROM_JOINT_STRING && kind != CAROM_JOINT_ROD && kind != CAROM_JOINT_SPRING;
}

// Whether a body on this joint to something at rest can only turn about the anchor.
static inline bool carom_joint_pins(carom_joint_kind kind)
{
    return kind == CAROM_JOINT_BALL || kind == CAROM_JOINT_HINGE || kind == CAROM_JOINT_FIXED;
}

// A spring, a damper or a servo.
static inline bool carom_joint_has_spring(const carom_world_joint *joint)
{
    return joint->stiffness > 0 || joint->damping > 0;
}

// The axis that b carries, world frame, of a hinge or slider.
vec3 carom_joint_axis(const carom_world_joint *joint, const carom_joint_ends *ends);
// rad or m.
double carom_joint_position(const carom_world_joint *joint, const carom_joint_ends *ends);
// A difference of two positions, of a hinge within half a turn.
double carom_joint_difference(const carom_world_joint *joint, double from, double to);
// How far beyond a stop (0: above, 1: below) the joint is; of a string: longer than it is.
double carom_joint_excess(const carom_world_joint *joint, double position, int side);
// Whether it is drawn from anchor to anchor; and the least and the most distance (m) of its anchors
// at which it is whole, with a thousandth to spare.
static inline bool carom_joint_is_line(carom_joint_kind kind)
{
    return !carom_joint_binds(kind);
}
CAROM_SHARED void carom_joint_span(const carom_world_joint *joint, double span[2]);
// J, in its spring at that position.
double carom_joint_energy(const carom_world_joint *joint, double position);

#endif

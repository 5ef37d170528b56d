/// @file
/// Joints between two bodies, or a body and the world: what they hold, their springs, motors and
/// stops, and the load at which they break. A world takes them with carom_world_add_joint.
///
/// A joint has one position, where it leaves one open: of a hinge the angle (rad) by which a has
/// turned against b about the axis, counted from -pi to pi; of a slider the way (m) that a has gone
/// along the axis that b carries; both are 0 when the joint is added. Of a rod, string or spring
/// it is the distance of the anchors (m). Springs, motors and stops act on it.
#ifndef CAROM_JOINT_H
#define CAROM_JOINT_H

#include "carom/handle.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a joint allows.
typedef enum carom_joint_kind {
    CAROM_JOINT_BALL,   ///< the anchors stay together
    CAROM_JOINT_HINGE,  ///< and the bodies turn about one common axis only
    CAROM_JOINT_FIXED,  ///< and do not turn against each other at all
    CAROM_JOINT_STRING, ///< the anchors are at most `length` apart; slack when nearer
    CAROM_JOINT_SLIDER, ///< the bodies do not turn against each other and move along one axis only
    CAROM_JOINT_ROD,    ///< the anchors are `length` apart
    CAROM_JOINT_SPRING, ///< nothing is held: a spring and a damper between the anchors
} carom_joint_kind;

/// What drives the position of a hinge or slider.
typedef enum carom_motor {
    CAROM_MOTOR_NONE,     ///< nothing; `stiffness` and `damping` are a spring and a damper
    CAROM_MOTOR_SPEED,    ///< keeps `speed` as far as `force` goes; with speed 0 it is a brake
    CAROM_MOTOR_POSITION, ///< a servo: stiffness (target - position) - damping speed, up to `force`
} carom_motor;

/// A joint when it is added. All that is 0 is not there.
typedef struct carom_joint {
    carom_joint_kind kind; ///< what it allows
    carom_body_id a, b;    ///< all zeros: the world
    double anchor_a[3];    ///< m, world coordinates when the joint is added
    double anchor_b[3];    ///< m, likewise; only strings, rods and springs may have two anchors
    double axis[3];        ///< of a hinge or slider, world frame when the joint is added
    double length;         ///< m, of a string or rod, and of a spring without load; 0: the distance
                           ///< when the joint is added
    double restitution;    ///< 0 to 1, of a string that becomes taut and of a stop that is hit: the
                           ///< share of the speed that comes back; 0: it stops what meets it
    double lower, upper;   ///< rad or m, stops of a hinge (within -pi and pi) or slider; with one
                           ///< side only the other is infinite; equal: none
    double stiffness;      ///< N/m, or N m/rad of a hinge
    double damping;        ///< N s/m, or N m s/rad of a hinge
    carom_motor motor;     ///< of a hinge or slider
    double speed;          ///< rad/s or m/s, of a motor that keeps it
    double target;         ///< rad or m, where a servo, or the spring of a hinge or slider, goes
    double force;          ///< N or N m: the most that a motor does; 0 of a servo: no bound
    double break_force;    ///< N: it breaks where it holds more; 0: never
    double break_torque;   ///< N m: likewise
    const char *name;      ///< null: none; the world keeps a copy
} carom_joint;

/// A joint as it is now.
typedef struct carom_joint_state {
    int broken;      ///< 1: holds nothing any more
    double position; ///< rad or m; 0 where the joint has none
    double speed;    ///< rad/s or m/s
    double force;    ///< N: what it held in the last step, mean of that step without its impacts
    double torque;   ///< N m: likewise, about the anchor
} carom_joint_state;

#ifdef __cplusplus
}
#endif
#endif

// Jointed bodies that move without contact, and how well their motion is kept.
#ifndef CAROM_TESTS_LINKAGES_H
#define CAROM_TESTS_LINKAGES_H

#include "math/vec.h"
#include "support/small_world.h"

enum { LINKAGES_MAX = 64 };

typedef struct linkages_joint {
    int a, b;        // -1: the world
    vec3 at_a, at_b; // own frames
} linkages_joint;

typedef struct linkages {
    small_world s;
    int body_count, joint_count;
    linkages_joint joints[LINKAGES_MAX];
} linkages;

// What a run has kept: the largest deviation at any step.
typedef struct linkages_kept {
    double energy;  // of the kinetic energy plus the fall below the start, at their most
    double angular; // of the largest angular momentum; meant for free flight
    double apart;   // m, anchors
} linkages_kept;

// No floor; gravity along -z, 0 for none.
linkages linkages_begin(double gravity);
void linkages_end(linkages *l);
// A box that moves as a rigid body would with its velocity and spin; returns its index.
int linkages_box(linkages *l, vec3 half, double mass, vec3 at, quat turn, vec3 velocity, vec3 spin);
// Joins two bodies at a point of the world as it is now.
void linkages_join(linkages *l, carom_joint_kind kind, int a, int b, vec3 at, vec3 axis);
// Where a body is and how it moves.
vec3 linkages_position(const linkages *l, int body);
quat linkages_rotation(const linkages *l, int body);
vec3 linkages_velocity(const linkages *l, int body);
vec3 linkages_spin(const linkages *l, int body);
// Runs; a step that fails is a failed check.
linkages_kept linkages_run(linkages *l, double dt, int steps);

// A bar of 1 m on a hinge along y at the origin, `angle` from hanging, spinning about it.
linkages linkages_pendulum(double gravity, double angle, double speed);
// Two of them, one on the other.
linkages linkages_double_pendulum(double angle, double speed);
// Four boxes of unequal sides: ball joint, hinge, ball joint, each turning its own way; free.
linkages linkages_free(void);
// A crank, a coupler and a rocker on four parallel hinges that turn full circles; weightless where
// gravity is 0.
linkages linkages_four_bar(double gravity, double speed);
// Bodies one behind the other from the origin, alternately on ball joints and hinges.
linkages linkages_chain(int count, double heavy);
// Two boxes joined rigidly, by a hinge or by a ball, turning about an odd axis in free flight.
linkages linkages_two(carom_joint_kind kind);

#endif

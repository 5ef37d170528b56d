// How a body moves within an interval if nothing touches it: on a parabola, or, where it is
// jointed, on the cubic that agrees with its linkage's motion at both ends; turning about a steady
// spin, or, where it tumbles, by the equations of Euler.
#ifndef CAROM_WORLD_COURSE_H
#define CAROM_WORLD_COURSE_H

#include "shape/pose.h"
#include "world/step.h"

// Acceleration grows linearly from `early` to `late`.
typedef struct carom_course {
    vec3 x, v, early, late;
    quat q;
    vec3 w;
    double h;
    double spin;                          // rad/s, at most
    const struct carom_linkage_body *end; // of a jointed body; null: of others
    quat end_q;                           // on the side of q
    bool tumbles;                         // its spin changes within the interval: by its inertia
    sym3 inertia;
} carom_course;

// `pressed`: of jointed bodies also where contacts press.
carom_course carom_course_of(const carom_step *step, int i, bool pressed);
vec3 carom_course_velocity(const carom_course *c, double t);
vec3 carom_course_position(const carom_course *c, double t);
quat carom_course_rotation(const carom_course *c, double t);
carom_pose carom_course_pose(const carom_course *c, double t);
// The most acceleration along n within the interval.
double carom_course_pull(const carom_course *c, vec3 n);
// How fast a body's surface moves by its spin, at most (m/s); that of a sphere does not.
double carom_course_turning(const carom_world *world, int i, double spin);

#endif

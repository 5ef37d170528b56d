// The position of a joint and what depends on it alone.
#include "world/joint.h"

#include <math.h>
#include "math/constants.h"
#include "math/trig.h"

vec3 carom_joint_axis(const carom_world_joint *joint, const carom_joint_ends *ends)
{
    return quat_rotate(ends->turn[1], joint->axis_b);
}

double carom_joint_position(const carom_world_joint *joint, const carom_joint_ends *ends)
{
    vec3 r = vec3_sub(ends->anchor[0], ends->anchor[1]);
    if (joint->kind == CAROM_JOINT_SLIDER)
        return vec3_dot(carom_joint_axis(joint, ends), r);
    if (joint->kind != CAROM_JOINT_HINGE)
        return vec3_length(r);
    vec3 u = quat_rotate(ends->turn[1], joint->zero_b),
         w = quat_rotate(ends->turn[0], joint->zero_a);
    return carom_trig_atan2(vec3_dot(vec3_cross(u, w), carom_joint_axis(joint, ends)),
                            vec3_dot(u, w));
}

double carom_joint_difference(const carom_world_joint *joint, double from, double to)
{
    double way = to - from;
    if (joint->kind != CAROM_JOINT_HINGE || fabs(way) <= CAROM_PI)
        return way;
    return way - CAROM_TWO_PI * floor(way / CAROM_TWO_PI + 0.5);
}

double carom_joint_excess(const carom_world_joint *joint, double position, int side)
{
    if (joint->kind == CAROM_JOINT_STRING)
        return position - joint->length;
    // from the middle, so that a hinge far beyond one stop is not beyond the other
    bool both = joint->bounded[0] && joint->bounded[1];
    double half = both ? 0.5 * (joint->bound[0] - joint->bound[1]) : 0;
    double middle = both ? joint->bound[1] + half : joint->bound[side];
    double way = carom_joint_difference(joint, middle, position);
    return (side ? -way : way) - half;
}

double carom_joint_energy(const carom_world_joint *joint, double position)
{
    if (joint->broken || joint->motor == CAROM_MOTOR_POSITION)
        return 0;
    double stretch = carom_joint_difference(joint, joint->aim, position);
    return 0.5 * joint->stiffness * stretch * stretch;
}

void carom_joint_span(const carom_world_joint *joint, double span[2])
{
    const double spare = 1e-3;
    span[0] = 0;
    span[1] = HUGE_VAL;
    if (joint->kind == CAROM_JOINT_STRING || joint->kind == CAROM_JOINT_ROD)
        span[1] = (1 + spare) * joint->length;
    if (joint->kind == CAROM_JOINT_ROD)
        span[0] = (1 - spare) * joint->length;
    if (joint->kind == CAROM_JOINT_SPRING && joint->stiffness > 0) {
        double most = (1 + spare) * joint->break_force / joint->stiffness;
        span[0] = fmax(0, joint->aim - most);
        span[1] = joint->aim + most;
    }
}

// Boxes along the axes, and the boxes about them where they are moved.
#ifndef CAROM_SHAPE_BOUNDS_H
#define CAROM_SHAPE_BOUNDS_H

#include <math.h>
#include "shape/pose.h"

typedef struct carom_bounds {
    vec3 min, max;
} carom_bounds;

// |R| of a rotation R: half extents h of a box have |R| h in the frame that it is seen from.
static inline mat3 carom_bounds_stretch(mat3 rotation)
{
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            rotation.m[r][c] = fabs(rotation.m[r][c]);
    return rotation;
}
static inline carom_bounds carom_bounds_about(vec3 middle, vec3 half)
{
    return (carom_bounds){ vec3_sub(middle, half), vec3_add(middle, half) };
}
// About a box of the shape's frame, in the world; and back. `stretch`: of the pose's rotation.
static inline carom_bounds carom_bounds_out(const carom_pose *pose, mat3 stretch, carom_bounds box)
{
    vec3 middle = vec3_scale(0.5, vec3_add(box.min, box.max)),
         half = vec3_scale(0.5, vec3_sub(box.max, box.min));
    return carom_bounds_about(carom_pose_out(pose, middle), mat3_mul(stretch, half));
}
static inline carom_bounds carom_bounds_in(const carom_pose *pose, mat3 stretch, carom_bounds box)
{
    vec3 middle = vec3_scale(0.5, vec3_add(box.min, box.max)),
         half = vec3_scale(0.5, vec3_sub(box.max, box.min));
    return carom_bounds_about(carom_pose_in(pose, middle), mat3_tmul(stretch, half));
}

#endif

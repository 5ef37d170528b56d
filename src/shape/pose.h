// Where a shape is: position of its centre of mass and rotation, shape frame to world.
#ifndef CAROM_SHAPE_POSE_H
#define CAROM_SHAPE_POSE_H

#include "math/vec.h"

typedef struct carom_pose {
    vec3 position;
    mat3 rotation;
} carom_pose;

static inline carom_pose carom_pose_make(vec3 position, quat rotation)
{
    return (carom_pose){ position, quat_matrix(rotation) };
}
static inline carom_pose carom_pose_identity(void)
{
    return (carom_pose){ { 0, 0, 0 }, { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } } };
}
// A point of the shape, in the world; and back.
static inline vec3 carom_pose_out(const carom_pose *pose, vec3 point)
{
    return vec3_add(pose->position, mat3_mul(pose->rotation, point));
}
static inline vec3 carom_pose_in(const carom_pose *pose, vec3 point)
{
    return mat3_tmul(pose->rotation, vec3_sub(point, pose->position));
}
static inline vec3 carom_pose_column(const carom_pose *pose, int axis)
{
    const double(*m)[3] = pose->rotation.m;
    return vec3_make(m[0][axis], m[1][axis], m[2][axis]);
}
// The pose of a part: first `inner` (part to whole), then `outer` (whole to world).
static inline carom_pose carom_pose_chain(const carom_pose *outer, const carom_pose *inner)
{
    carom_pose chain = { .position = carom_pose_out(outer, inner->position) };
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            chain.rotation.m[r][c] =
                vec3_dot(vec3_from(outer->rotation.m[r]), carom_pose_column(inner, c));
    return chain;
}
// The pose of b seen from a: a^-1 b.
static inline carom_pose carom_pose_between(const carom_pose *a, const carom_pose *b)
{
    carom_pose between = { .position = carom_pose_in(a, b->position) };
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            between.rotation.m[r][c] = vec3_dot(carom_pose_column(a, r), carom_pose_column(b, c));
    return between;
}

#endif

// One function per family of pairs; narrow.c chooses. Points are world coordinates.
#ifndef CAROM_COLLIDE_PAIRS_H
#define CAROM_COLLIDE_PAIRS_H

#include "collide/manifold.h"

// Sphere (a) against anything but a compound.
void carom_sphere_touch(const carom_shape *sphere, vec3 centre, const carom_shape *other,
                        const carom_pose *pose, double margin, carom_manifold *out);
// Anything but a plane or a compound (a) against a half space (b).
void carom_half_space_touch(const carom_shape *shape, const carom_pose *pose,
                            const carom_shape *plane, const carom_pose *at, double margin,
                            carom_manifold *out);
// Capsule, cylinder, box, hull or mesh (a) against a mesh (b).
void carom_sdf_touch(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                     const carom_pose *pose_b, double margin, carom_manifold *out);

#endif

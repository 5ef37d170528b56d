// Narrow phase: the contacts of one pair of shapes.
#ifndef CAROM_COLLIDE_NARROW_H
#define CAROM_COLLIDE_NARROW_H

#include "collide/manifold.h"

// Fills `out` with every contact of gap <= margin. Same bits whichever shape comes first (normals
// turned). The bodies may come nearer to each other by `turning` (m) in one place than in another:
// of meshes, whose points far above the nearest are left out, points so much higher stay.
// What searches in meshes cost is counted, and where they are stopped points are missing.
void carom_narrow_touch(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                        const carom_pose *pose_b, double margin, double turning,
                        carom_progress_meter *meter, carom_manifold *out);
// The same with the point of the least gap of a mesh alone; every part of a compound within the
// margin has its own.
void carom_narrow_nearest(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                          const carom_pose *pose_b, double margin, carom_manifold *out);
// A shape that is no compound, and where it is.
typedef struct carom_narrow_part {
    const carom_shape *shape;
    const carom_pose *pose;
} carom_narrow_part;
typedef void carom_narrow_look(void *context, const carom_narrow_part *a,
                               const carom_narrow_part *b, bool turned);
// Calls `look` for every pair of simple parts whose bounds come within the margin, in the order of
// their kinds (a mesh last, but for planes); `turned` where the first belongs to b.
void carom_narrow_parts(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                        const carom_pose *pose_b, double margin, carom_narrow_look *look,
                        void *context);
// The smallest gap between the two shapes (negative: deepest overlap) with its normal, as one
// contact without body numbers. Pairs farther apart than `max` may report INFINITY.
carom_contact carom_narrow_gap(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                               const carom_pose *pose_b, double max);

#endif

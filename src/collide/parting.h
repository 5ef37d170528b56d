// Planes that part two shapes of which one is a mesh, feature by feature.
//
// Convex shapes that are apart have one plane between them. A mesh has as many as its hollows need:
// what lies on the far side of the plane at the nearest features is parted by it, what rises in
// front of it (another wall) has a nearest pair of its own, and so on. carom_parting_next finds
// these pairs one by one, the nearest first, by descending into both trees of triangles at once; it
// leaves out what known planes part. Distances are exact for triangles, and those of support points
// (gjk.h) where a box, hull, capsule or cylinder meets a triangle.
#ifndef CAROM_COLLIDE_PARTING_H
#define CAROM_COLLIDE_PARTING_H

#include "base/progress.h"
#include "collide/collide.h"

// Two parallel planes and what they part: every triangle of a (or all of a convex a) whose points
// have normal.x <= low, from every triangle of b whose points have normal.x >= high.
typedef struct carom_parting {
    vec3 normal;                   // unit, from a to b
    vec3 point;                    // m: half way between the two features
    double gap;                    // m: of these
    double low, high;              // m: high - low is the gap but for round-off
    uint32_t feature_a, feature_b; // triangles; 0 for a convex a
} carom_parting;

#define CAROM_PARTING_MAX 24

typedef struct carom_partings {
    int count;
    double loose; // m: what stands in front of a plane by no more counts as parted by it
    carom_progress_meter *meter; // null: nobody counts
    carom_parting list[CAROM_PARTING_MAX];
} carom_partings;

// The plane of a contact: `point` half way between the surfaces.
carom_parting carom_parting_of(vec3 point, vec3 normal, double gap);
// The same seen from b.
carom_parting carom_parting_turned(const carom_parting *parting);
// Adds a plane if there is room and none of `known` stands within `near` of it.
void carom_parting_add(carom_partings *known, const carom_parting *parting, double near);
// Adds the nearest pair of features of those that are nearer than `max`, not nearer than `min`, and
// that no known plane parts; false where there is none, the list is full or the search is stopped
// (surfaces inside of each other have no planes: all triangles of one meet all of the other). Where
// features meet the
// gap is 0 or less and the normal means nothing. b is a mesh, a any shape but a compound or plane.
bool carom_parting_next(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                        const carom_pose *pose_b, double min, double max, carom_partings *known);

#endif

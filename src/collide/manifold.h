// The contacts of one pair while they are being found.
#ifndef CAROM_COLLIDE_MANIFOLD_H
#define CAROM_COLLIDE_MANIFOLD_H

#include "base/progress.h"
#include "collide/collide.h"

// More points than any pair of convex shapes makes (a face has at most CAROM_POLYTOPE_LOOP corners)
// and enough for every patch of a mesh pair; compounds that need more keep the deepest.
#define CAROM_MANIFOLD_MAX 256

typedef struct carom_manifold_point {
    vec3 point, normal; // as in carom_contact
    double gap;
    uint32_t feature_a, feature_b;
} carom_manifold_point;

typedef struct carom_manifold {
    int count;
    double turning; // m: meshes give points so much above the least gap, too
    bool min;       // only the point of the least gap is asked for: meshes leave out the others
    carom_progress_meter *meter; // of searches in meshes; null: nobody counts
    carom_manifold_point points[CAROM_MANIFOLD_MAX];
} carom_manifold;

// Names of features: what kind, and its number in the shape.
#define CAROM_FEATURE_FACE UINT32_C(0)
#define CAROM_FEATURE_EDGE UINT32_C(0x40000000)
#define CAROM_FEATURE_VERTEX UINT32_C(0x80000000)

// Adds a point; when full, replaces the point with the largest gap if that is larger.
void carom_manifold_add(carom_manifold *manifold, carom_manifold_point point);

#endif

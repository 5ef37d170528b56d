// Many touching points gathered into patches, each reduced to its extreme points.
#ifndef CAROM_COLLIDE_PATCH_H
#define CAROM_COLLIDE_PATCH_H

#include "collide/manifold.h"

#define CAROM_PATCH_POINTS 512
#define CAROM_PATCH_CORNERS 8

typedef struct carom_patch_set {
    double reach;  // points nearer than this with like normals belong together
    double margin; // largest gap that is collected
    int count;
    carom_manifold_point point[CAROM_PATCH_POINTS];
    int patch[CAROM_PATCH_POINTS];
} carom_patch_set;

// `size` is the radius of the smaller shape: patches are measured by it.
void carom_patch_open(carom_patch_set *set, double size, double margin);
// When the set is full the deepest points are kept.
void carom_patch_add(carom_patch_set *set, carom_manifold_point point);
// Adds to `out`, for every patch, the corners of two outlines (at most CAROM_PATCH_CORNERS each):
// of the points nearly as deep as the deepest, which carry the load, and of the others, which may
// come into touch; and the deepest point itself.
void carom_patch_close(carom_patch_set *set, carom_manifold *out);

#endif

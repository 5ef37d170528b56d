// Triangles that share their corners, with normals that are smooth across gentle edges.
#ifndef CAROM_DRAW_TRIMESH_H
#define CAROM_DRAW_TRIMESH_H

#include "draw/bvh.h"

typedef struct carom_trimesh {
    int vertex_count, triangle_count;
    vec3 *vertex;       // m
    int (*triangle)[3]; // counter-clockwise from outside
    vec3 *normal;       // three per triangle, unit, one per corner
    carom_bvh bvh;
} carom_trimesh;

// From loose triangles, nine numbers each; corners with the same bits become one vertex.
carom_status carom_trimesh_build(const double *corners, int count, carom_arena *arena,
                                 carom_trimesh *out, carom_error *err);
// Shortens the ray to the nearest triangle and gives its smooth normal; false: none nearer.
bool carom_trimesh_meet(const carom_trimesh *mesh, carom_ray *ray, vec3 *normal);

#endif

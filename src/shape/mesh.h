// A closed triangle mesh ready for distance queries.
#ifndef CAROM_SHAPE_MESH_H
#define CAROM_SHAPE_MESH_H

#include "base/shared.h"
#include "shape/tree.h"

// Something that can be the first to touch: a vertex (both ends equal) or a sharp convex edge.
typedef struct carom_mesh_probe {
    int from, to; // vertices
    uint32_t feature;
} carom_mesh_probe;

// A triangle as queries read it, in the order of the tree.
typedef struct carom_mesh_facet {
    vec3 corner, side[2]; // one corner, and the way to the other two
    vec3 normal;          // unit
    int triangle;
} carom_mesh_facet;

struct carom_mesh {
    int vertex_count, triangle_count, edge_count, probe_count;
    vec3 *vertex;
    int (*triangle)[3];  // counter-clockwise from outside
    vec3 *face_normal;   // per triangle, unit
    vec3 *vertex_normal; // angle-weighted pseudonormal, unit
    vec3 *edge_normal;   // mean of the two face normals, unit
    int (*edge)[2];      // its two vertices
    int (*edge_face)[2]; // its two triangles
    int (*face_edge)[3]; // edge k of a triangle runs from corner k to corner k + 1
    int *spoke_first; // vertex v has the edges spoke[spoke_first[v]] .. spoke[spoke_first[v + 1] -
                      // 1]
    int *spoke;
    carom_mesh_probe *probe;
    double spacing; // along an edge nothing smaller than this is looked for
    carom_tree faces, probes;
    carom_mesh_facet *facet; // beside faces.order
};

void carom_mesh_destroy(carom_mesh *mesh);
// Nearest surface point, if its distance is at most `max` in absolute value; else distance =
// INFINITY.
CAROM_SHARED carom_nearest carom_mesh_nearest(const carom_mesh *mesh, vec3 point, double max);
// Every local minimum of the distance within `max` (a ball in a groove touches both walls); when
// the point is inside, the nearest point only. Returns how many, at most `room`.
int carom_mesh_local_nearest(const carom_mesh *mesh, vec3 point, double max, carom_nearest *out,
                             int room);

#endif

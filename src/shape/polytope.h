// A convex polytope as vertices, faces and edges: what boxes and hulls have in common.
#ifndef CAROM_SHAPE_POLYTOPE_H
#define CAROM_SHAPE_POLYTOPE_H

#include "shape/shape.h"

// The most corners of one face. Clipping works in fixed buffers of this size.
#define CAROM_POLYTOPE_LOOP 128

typedef struct carom_polytope_edge {
    int vertex[2]; // runs from the first to the second along the loop of face[0], against that of
                   // face[1]
    int face[2];
} carom_polytope_edge;

struct carom_polytope {
    int vertex_count, face_count, edge_count;
    vec3 *vertex;
    vec3 *normal;   // of each face, outward, unit
    double *offset; // the face's plane: normal . x = offset
    int *first;     // face f owns loop[first[f]] .. loop[first[f + 1] - 1]
    int *loop;      // vertex numbers, counter-clockwise from outside
    int *loop_edge; // the edge from loop[i] to the next corner
    carom_polytope_edge *edge;
};

// Builds planes and edges from corners and loops, which are copied. Refuses loops that do not close
// up to a surface (every edge in exactly two faces, once each way) or are longer than
// CAROM_POLYTOPE_LOOP.
carom_status carom_polytope_create(const vec3 *vertex, int vertex_count, const int *first,
                                   const int *loop, int face_count, carom_polytope **out,
                                   carom_error *err);
void carom_polytope_destroy(carom_polytope *polytope);
int carom_polytope_support(const carom_polytope *polytope, vec3 direction);
carom_nearest carom_polytope_nearest(const carom_polytope *polytope, vec3 point);

#endif

// The inside of computed modes: what is kept to evaluate them on the surface.
#ifndef CAROM_MODAL_MODAL_INTERNAL_H
#define CAROM_MODAL_MODAL_INTERNAL_H

#include <stdbool.h>
#include "base/error.h"
#include "carom/modal.h"
#include "math/vec.h"
#include "modal/modal_body.h"

// Only nodes of elements that meet the surface are kept.
struct carom_modes {
    carom_modal_info info;
    double *omega;          // info.omega
    double unit, corner[3]; // lattice coordinates are (x - corner) / unit
    int node_count;
    double *shape; // [node][axis][mode], 1/sqrt(kg)
    // lattice: bricks that meet the surface
    int n[3], brick_count;
    double edge[3];
    int *slot;  // of every cell of the grid: its brick, or -1
    int *brick; // 27 nodes each
    // tetrahedra: faces that bound the body
    int face_count;
    int *face;      // 6 nodes each: corners, then the middles of 01 12 20
    double *place;  // of the kept nodes, lattice coordinates
    int *triangle;  // 3 vertices each: the corners of the faces, as a surface
    double *vertex; // of that surface, m
    int vertex_count;
    // tetrahedra: which faces are near a place; a grid of boxes
    int box[3];
    double box_edge;
    int *box_first, *box_face;
};

// Fills the boxes of tetrahedra; the faces are known.
carom_status carom_modal_nearest_face_build(carom_modes *modes, carom_error *err);
// The face nearest to a place (lattice coordinates): its six functions there, and the distance.
int carom_modal_nearest_face_find(const carom_modes *modes, vec3 place, double weight[6],
                                  double *distance);

// Copies the shapes of nodes with a number: number[node] counts them from 0, -1: not kept.
carom_status carom_modal_keep_shapes(carom_modes *modes, const carom_modal_body *body,
                                     const carom_modal_solution *s, const int *number,
                                     carom_error *err);
// Keeps what the surface needs of a solution.
carom_status carom_modal_keep_bricks(carom_modes *modes, const carom_modal_body *body,
                                     const carom_modal_solution *solution, carom_error *err);
carom_status carom_modal_keep_faces(carom_modes *modes, const carom_modal_body *body,
                                    const carom_modal_solution *solution, carom_error *err);

#endif

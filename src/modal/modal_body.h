// A discretised body: nodes, elements, mass matrix, and its lowest modes. No units: Young's
// modulus, density and the longest side are 1.
#ifndef CAROM_MODAL_MODAL_BODY_H
#define CAROM_MODAL_MODAL_BODY_H

#include "modal/modal_cells.h"
#include "solve/nested_dissection.h"
#include "solve/lanczos.h"

typedef struct carom_modal_body carom_modal_body;

struct carom_modal_body {
    carom_nested_dissection_cells elements; // nodes in elimination order
    double *position;                       // of the nodes
    int *place;                             // node in elimination order of a node as given
    carom_modal_elastic elastic;
    // Matrices of one element: mass per pair of nodes; stiffness of all its unknowns, row by row.
    void (*mass)(const carom_modal_body *body, int element, double *mass);
    void (*stiffness)(const carom_modal_body *body, int element, double *stiffness);
    const carom_modal_cells *cells; // elements are bricks of this lattice, or
    const carom_tets *tets;         // tetrahedra
    double *tet_nodes;              // of `tets`, without units
    // Mass matrix by rows of nodes; every entry counts for x, y and z alike.
    size_t *row;
    int *column;
    double *value;
    int threads;
};

// Mass properties at unit density.
typedef struct carom_modal_solid {
    double volume, centre[3], inertia[6];
} carom_modal_solid;

typedef struct carom_modal_solution {
    carom_lanczos_result modes;
    double mass, offset[3], inertia[6]; // what the elements carry, about `centre`
    double factor_bytes, residual;
} carom_modal_solution;

// Bodies keep a pointer to what they are made of.
carom_status carom_modal_body_of_cells(const carom_modal_cells *cells, carom_modal_body *body,
                                       carom_error *err);
// `solid`: what the tetrahedra weigh. Lengths (x - corner) / unit.
typedef struct carom_modal_frame {
    double corner[3], unit;
} carom_modal_frame;
carom_status carom_modal_body_of_tets(const carom_tets *tets, const carom_modal_frame *frame,
                                      carom_modal_body *body, carom_modal_solid *solid,
                                      carom_error *err);
void carom_modal_body_free(carom_modal_body *body);

// Order, factor, iterate. `wanted` elastic modes; rigid ones are kept out exactly.
carom_status carom_modal_body_solve(carom_modal_body *body, const double centre[3], int wanted,
                                    const carom_progress *progress, carom_modal_solution *solution,
                                    carom_error *err);
void carom_modal_body_free_solution(carom_modal_solution *solution);

#endif

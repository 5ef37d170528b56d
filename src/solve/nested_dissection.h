// Nested dissection of a finite element mesh: an elimination order that keeps factors small.
//
// Cells are halved by planes across a coordinate axis again and again; the nodes that cells on both
// sides share separate the halves and are eliminated after them [Dissection]. For a lattice the
// separators are single planes of nodes; for tetrahedra they follow the faces.
#ifndef CAROM_SOLVE_NESTED_DISSECTION_H
#define CAROM_SOLVE_NESTED_DISSECTION_H

#include "base/error.h"

// Cell c has the nodes node[first[c]] .. node[first[c + 1] - 1] and sits about position[3 c].
typedef struct carom_nested_dissection_cells {
    int cell_count, node_count;
    int *first, *node;
    double *position;
} carom_nested_dissection_cells;

// Parts in elimination order, children before parents. Part p owns the nodes order[own[p]] ..
// order[own[p + 1] - 1]; what its subtree touches beyond itself belongs to its ancestors.
typedef struct carom_nested_dissection {
    int part_count;
    int *parent; // -1: a root
    int *own;    // part_count + 1
    int *order;  // nodes, in elimination order
} carom_nested_dissection;

// Every node must belong to some cell. The result is the same for the same input, always.
carom_status carom_nested_dissection_create(const carom_nested_dissection_cells *cells,
                                            carom_nested_dissection *out, carom_error *err);
void carom_nested_dissection_free(carom_nested_dissection *d);
// Renumbers the nodes of the cells by their place in the order: what carom_multifrontal asks for.
// place[old] = new (may be null).
carom_status carom_nested_dissection_renumber(const carom_nested_dissection *d,
                                              carom_nested_dissection_cells *cells, int *place,
                                              carom_error *err);

#endif

// The lattice of quadratic cells a solid is immersed in.
#ifndef CAROM_MODAL_MODAL_CELLS_H
#define CAROM_MODAL_MODAL_CELLS_H

#include "carom/modal.h"
#include "modal/modal_hex.h"

// Lengths are in units of the longest side of the surface's box, counted from its lower corner.
typedef struct carom_modal_cells {
    int n[3];
    double edge[3];
    int count, cut_count; // active cells
    int *grid;            // of each active cell: x + n0 (y + n1 z), ascending
    int *cut;             // of each active cell: its place in moments, or -1 where it is full
    double *moments;      // 125 per cut cell
    double thickness;     // thinnest dimension found
    double gap;           // narrowest free space between walls found; infinite where there is none
    double overlapping;   // share of lines on which the solid overlaps itself
    double lost;          // volume in cells that were left out
    int pieces;           // face-connected pieces that were left out
} carom_modal_cells;

// Chooses cells from the thinnest dimension (or options->cell, in metres of `unit` each) and
// integrates those the surface cuts. `surface` is in lattice units. The caller frees.
carom_status carom_modal_cells_make(const carom_mesh_source *surface,
                                    const carom_modal_options *options, double unit,
                                    carom_modal_cells *cells, carom_error *err);
void carom_modal_cells_free(carom_modal_cells *cells);

#endif

// Multifrontal L D L^T of a finite element matrix [Multifrontal], and solves with many right
// sides at once.
//
// Each part of a nested dissection is one dense front: its cells and the remains of its children
// are summed, its own unknowns are eliminated, and the rest is handed to the parent. No pivoting:
// for positive definite matrices, and with care for indefinite ones (the number of negative pivots
// counts the negative eigenvalues, Sylvester). Every number is computed in one order, whatever the
// number of threads or the width of the vector registers.
#ifndef CAROM_SOLVE_FRONT_H
#define CAROM_SOLVE_FRONT_H

#include <stddef.h>
#include "base/progress.h"
#include "solve/dissect.h"

enum { CAROM_FRONT_LANES = 8 }; // right sides solved together

typedef struct carom_front carom_front;

// The matrix: the sum of one small symmetric matrix per cell. Nodes are numbered in elimination
// order (carom_dissect_renumber).
typedef struct carom_front_source {
    const carom_dissect_cells *cells;
    int width; // unknowns per node
    // Fills the whole symmetric matrix of a cell, row by row; unknown k of the cell's node i is row
    // width * i + k.
    void (*matrix)(const void *context, int cell, double *full);
    const void *context;
    int threads;
} carom_front_source;

// `tree` is needed during the call only.
carom_status carom_front_create(const carom_front_source *source, const carom_dissect *tree,
                                const carom_progress *progress, carom_front **out,
                                carom_error *err);
void carom_front_destroy(carom_front *front);

// x := A^-1 x for CAROM_FRONT_LANES right sides, x[unknown][lane]. `scratch` holds
// carom_front_scratch(front) numbers, aligned to 32 bytes (as x is).
void carom_front_solve(const carom_front *front, double *x, double *scratch, int threads);
size_t carom_front_scratch(const carom_front *front);

int carom_front_negatives(const carom_front *front); // pivots below zero
double carom_front_bytes(const carom_front *front);  // size of the factor

#endif

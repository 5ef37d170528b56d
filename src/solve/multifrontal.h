// Multifrontal L D L^T of a finite element matrix [Multifrontal], and solves with many right
// sides at once.
//
// Each part of a nested dissection is one dense front: its cells and the remains of its children
// are summed, its own unknowns are eliminated, and the rest is handed to the parent. No pivoting:
// for positive definite matrices, and with care for indefinite ones (the number of negative pivots
// counts the negative eigenvalues, Sylvester). Every number is computed in one order, whatever the
// number of threads or the width of the vector registers.
#ifndef CAROM_SOLVE_MULTIFRONTAL_H
#define CAROM_SOLVE_MULTIFRONTAL_H

#include <stddef.h>
#include "base/progress.h"
#include "solve/nested_dissection.h"

enum { CAROM_MULTIFRONTAL_LANES = 8 }; // right sides solved together

typedef struct carom_multifrontal carom_multifrontal;

// The matrix: the sum of one small symmetric matrix per cell. Nodes are numbered in elimination
// order (carom_nested_dissection_renumber).
typedef struct carom_multifrontal_source {
    const carom_nested_dissection_cells *cells;
    int width; // unknowns per node
    // Fills the whole symmetric matrix of a cell, row by row; unknown k of the cell's node i is row
    // width * i + k.
    void (*matrix)(const void *context, int cell, double *full);
    const void *context;
    int threads;
} carom_multifrontal_source;

// `tree` is needed during the call only.
carom_status carom_multifrontal_create(const carom_multifrontal_source *source,
                                       const carom_nested_dissection *tree,
                                       const carom_progress *progress, carom_multifrontal **out,
                                       carom_error *err);
void carom_multifrontal_destroy(carom_multifrontal *front);

// x := A^-1 x for CAROM_MULTIFRONTAL_LANES right sides, x[unknown][lane]. `scratch` holds
// carom_multifrontal_scratch(front) numbers, aligned to 32 bytes (as x is).
void carom_multifrontal_solve(const carom_multifrontal *front, double *x, double *scratch,
                              int threads);
size_t carom_multifrontal_scratch(const carom_multifrontal *front);

int carom_multifrontal_negatives(const carom_multifrontal *front); // pivots below zero
double carom_multifrontal_bytes(const carom_multifrontal *front);  // size of the factor

#endif

// Cholesky factorisation L L^T of sparse symmetric positive matrices made of 6x6 blocks: one block
// per rigid body, coupled as a graph says.
//
// The order of elimination (minimum degree) and the places of all blocks of L are found once, when
// the matrix is made; filling, factorising and solving allocate nothing.
#ifndef CAROM_SOLVE_SPARSE_SIX_H
#define CAROM_SOLVE_SPARSE_SIX_H

#include <stdbool.h>
#include "base/error.h"

enum { CAROM_SPARSE_SIX = 6 };

typedef struct carom_sparse_six carom_sparse_six;

// A matrix of `count` nodes; edges join two different ones and may occur more than once.
carom_status carom_sparse_six_create(int count, const int (*edges)[2], int edge_count,
                                     carom_sparse_six **out, carom_error *err);
void carom_sparse_six_destroy(carom_sparse_six *s);

// Sets all blocks to zero.
void carom_sparse_six_clear(carom_sparse_six *s);
// Adds weight u w^T to block (i, j) and, where they differ, its transpose to (j, i). There must be
// an edge between i and j, or they are one.
void carom_sparse_six_add(carom_sparse_six *s, int i, int j, double weight, const double u[6],
                          const double w[6]);
// False, and the matrix is spoilt, where it is not positive definite.
bool carom_sparse_six_factor(carom_sparse_six *s);
// x := K^-1 x, six numbers per node.
void carom_sparse_six_solve(const carom_sparse_six *s, double *x);
// Blocks of L, for reports.
int carom_sparse_six_blocks(const carom_sparse_six *s);

#endif

// Cholesky-type factorisation L D L^T of sparse symmetric positive matrices made of 3x3 blocks.
//
// The matrix is K = diag(weight) + sum_r d_r g_r g_r^T over the rows of a quadratic program: blocks
// that share a row are coupled. The blocks are eliminated in minimum-degree order; the symbolic
// part is kept from call to call as long as the couplings of the new rows are among the old ones.
#ifndef CAROM_SOLVE_SPARSE_BLOCK_H
#define CAROM_SOLVE_SPARSE_BLOCK_H

#include "solve/qp.h"

typedef struct carom_sparse_block carom_sparse_block;

carom_sparse_block *carom_sparse_block_create(size_t limit_bytes);
void carom_sparse_block_destroy(carom_sparse_block *s);

// Prepares for the couplings of qp. Must precede assemble for every new set of rows.
carom_status carom_sparse_block_analyse(carom_sparse_block *s, const carom_qp *qp,
                                        carom_error *err);
// Fills K with the weights and the row factors d (zero means: leave the row out) and factorises it.
carom_status carom_sparse_block_factor(carom_sparse_block *s, const carom_qp *qp, const double *d,
                                       carom_error *err);
// x := K^-1 x
void carom_sparse_block_solve(const carom_sparse_block *s, double *x);

#endif

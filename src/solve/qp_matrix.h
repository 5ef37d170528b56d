// The matrix of a quadratic program, K = diag(weight) + sum_r d_r g_r g_r^T over its rows, as a
// sparse matrix of blocks: blocks that share a row are coupled.
//
// The order of elimination is kept from call to call as long as the couplings of the new rows are
// among the old ones.
#ifndef CAROM_SOLVE_QP_MATRIX_H
#define CAROM_SOLVE_QP_MATRIX_H

#include "solve/qp.h"

typedef struct carom_qp_matrix carom_qp_matrix;

carom_qp_matrix *carom_qp_matrix_create(size_t limit_bytes);
void carom_qp_matrix_destroy(carom_qp_matrix *matrix);

// Prepares for the couplings of qp. Must precede factor for every new set of rows.
carom_status carom_qp_matrix_analyse(carom_qp_matrix *matrix, const carom_qp *qp, carom_error *err);
// Fills K with the weights and the row factors d (zero means: leave the row out) and factorises it.
carom_status carom_qp_matrix_factor(carom_qp_matrix *matrix, const carom_qp *qp, const double *d,
                                    carom_error *err);
// x := K^-1 x
void carom_qp_matrix_solve(const carom_qp_matrix *matrix, double *x);

#endif

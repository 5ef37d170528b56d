// Convex quadratic programs of many small bodies: the problem, its answer, and how wrong the answer
// is.
//
//     minimise 1/2 sum_i weight_i y_i^2   subject to   g_r . y >= bound_r   (or = bound_r)
//
// The variables come in blocks of three (a rigid body in the plane: x, y, turn; in space one for
// its place and one for its turn), a row touches at most four blocks. The weights are positive, so
// the minimiser y is unique; the multipliers lambda need not be (dependent rows are normal:
// coincident corners give the same row twice). Optimality reads
//
//     weight y = G^T lambda,   G y >= bound,   lambda >= 0 on inequalities,   lambda (G y - bound)
//     = 0.
#ifndef CAROM_SOLVE_QP_H
#define CAROM_SOLVE_QP_H

#include <stdbool.h>
#include "base/arena.h"
#include "base/error.h"

enum { CAROM_QP_BLOCKS_PER_ROW = 4 };

// One row: coefficients of `count` different blocks. Rows should have a size of order one.
typedef struct carom_qp_row {
    int count;
    int block[CAROM_QP_BLOCKS_PER_ROW];
    double value[CAROM_QP_BLOCKS_PER_ROW][3];
    double bound;
    bool equality;
} carom_qp_row;

typedef struct carom_qp {
    int block_count;
    int row_count;
    const double *weight; // 3 per block, all positive
    const carom_qp_row *rows;
    // Size of the numbers whose differences the bounds are, 0 for 1: bounds are only known to
    // bound_scale times the unit round-off, and residuals of rows are measured against it.
    double bound_scale;
} carom_qp;

typedef enum carom_qp_method {
    CAROM_QP_NONE,     // no rows: nothing to do
    CAROM_QP_WARM,     // multipliers of a similar problem, polished
    CAROM_QP_INTERIOR, // interior point, polished
    CAROM_QP_ACTIVE,   // dense dual active set
} carom_qp_method;

typedef struct carom_qp_report {
    carom_qp_method method;
    int iterations;     // interior point iterations, or rows added and dropped by the active set
    int factorisations; // of the sparse matrix, all in all
    double primal;      // largest violation of a row
    double dual;        // largest |weight y - G^T lambda| and negative part of lambda
    double complement;  // largest min(lambda, slack), each over its size: a product would hide that
                        // weakly active rows are wrong by its square root
    double kkt;         // the largest of the three, each over the size of what it is made of
    double strict;      // the same without bound_scale: what the numbers given would allow
} carom_qp_report;

// g_r . y
double carom_qp_row_times(const carom_qp_row *row, const double *y);
// out += factor * g_r
void carom_qp_row_add(const carom_qp_row *row, double factor, double *out);
// y = weight^-1 G^T lambda: the minimiser that belongs to given multipliers.
void carom_qp_primal(const carom_qp *qp, const double *lambda, double *y);
// Fills primal, dual, complement and kkt. A null `scratch` failure is an error.
carom_status carom_qp_measure(const carom_qp *qp, const double *y, const double *lambda,
                              carom_arena *scratch, carom_qp_report *report, carom_error *err);

#endif

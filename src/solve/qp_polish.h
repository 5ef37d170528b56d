// Augmented Lagrangian polish of a block quadratic program: from good multipliers to round-off.
#ifndef CAROM_SOLVE_QP_POLISH_H
#define CAROM_SOLVE_QP_POLISH_H

#include "solve/qp_matrix.h"

typedef struct carom_qp_polish {
    double penalty;      // rho, in units of the weights
    int factorisations;  // in: the most that may be spent; out: what was spent
    double target;       // kkt residual at which to stop
    double accept;       // and below which only a few factorisations more are worth it
    const double *slack; // of an interior point: rows with lambda > slack push; null: lambda > 0
    int bold; // full Newton steps to try first, from the rows that push: for multipliers of a
              // similar problem, whose slacks say less than the set of rows that pushed
} carom_qp_polish;

// Improves lambda and y in place. `settled` says whether the target was reached within the budget;
// the best pair found is returned either way, with its residuals in report.
carom_status carom_qp_polish_run(const carom_qp *qp, carom_qp_matrix *matrix, carom_arena *scratch,
                                 carom_qp_polish *how, double *lambda, double *y,
                                 carom_qp_report *report, bool *settled, carom_error *err);

#endif

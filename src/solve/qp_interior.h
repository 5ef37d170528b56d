// Sparse interior point method for block quadratic programs, with warm start and polish.
#ifndef CAROM_SOLVE_QP_INTERIOR_H
#define CAROM_SOLVE_QP_INTERIOR_H

#include "solve/qp.h"

// Keeps the ordering of the matrix and its memory from one problem to the next similar one.
typedef struct carom_qp_interior carom_qp_interior;

carom_qp_interior *carom_qp_interior_create(size_t limit_bytes);
void carom_qp_interior_destroy(carom_qp_interior *solver);
// From now on the solver stops where complementarity and infeasibility are below `tolerance` (over
// the size of the bounds) and hands that out as the answer: no warm start, no polish. 0: solve to
// round-off again. For comparisons with solvers that do not know better.
void carom_qp_interior_stop_early(carom_qp_interior *solver, double tolerance);

// Solves qp. `lambda` (one per row) holds a guess when `warm`, and the multipliers afterwards; y (3
// per block) the minimiser. Converged means kkt <= 1e-13; CAROM_NOT_CONVERGED comes with the best
// pair found and a filled report.
carom_status carom_qp_interior_solve(carom_qp_interior *solver, const carom_qp *qp, bool warm,
                                     double *lambda, double *y, carom_qp_report *report,
                                     carom_error *err);

#endif

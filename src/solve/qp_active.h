// Block quadratic programs by the dual active-set method of lcp.h.
#ifndef CAROM_SOLVE_QP_ACTIVE_H
#define CAROM_SOLVE_QP_ACTIVE_H

#include "solve/qp.h"

// Solves qp by adding the most violated row and dropping blocking ones. The final active rows are
// linearly independent, so the multipliers are those of a vertex (at most as many as variables).
// Dense in the active rows; meant for at most about 60 blocks. CAROM_BAD_INPUT when the
// rows contradict each other.
carom_status carom_qp_active_solve(const carom_qp *qp, carom_arena *scratch, double *lambda,
                                   double *y, carom_qp_report *report, carom_error *err);

#endif

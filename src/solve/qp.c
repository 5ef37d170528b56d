// The quantities every solver of a block quadratic program shares; see qp.h.
#include "solve/qp.h"

#include <math.h>

double carom_qp_row_times(const carom_qp_row *row, const double *y)
{
    double sum = 0;
    for (int k = 0; k < row->count; ++k) {
        const double *v = row->value[k], *part = y + 3 * (size_t)row->block[k];
        sum += v[0] * part[0] + v[1] * part[1] + v[2] * part[2];
    }
    return sum;
}

void carom_qp_row_add(const carom_qp_row *row, double factor, double *out)
{
    for (int k = 0; k < row->count; ++k) {
        const double *v = row->value[k];
        double *part = out + 3 * (size_t)row->block[k];
        part[0] += factor * v[0];
        part[1] += factor * v[1];
        part[2] += factor * v[2];
    }
}

void carom_qp_primal(const carom_qp *qp, const double *lambda, double *y)
{
    for (int i = 0; i < 3 * qp->block_count; ++i)
        y[i] = 0;
    for (int r = 0; r < qp->row_count; ++r)
        if (lambda[r] != 0)
            carom_qp_row_add(&qp->rows[r], lambda[r], y);
    for (int i = 0; i < 3 * qp->block_count; ++i)
        y[i] /= qp->weight[i];
}

carom_status carom_qp_measure(const carom_qp *qp, const double *y, const double *lambda,
                              carom_arena *scratch, carom_qp_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    double *pull, primal = 0, dual = 0, loose = 0, strict = 0, force = 1, bound = 1;
    TAKE_ZEROS(scratch, pull, 3 * qp->block_count, err);
    for (int r = 0; r < qp->row_count; ++r) {
        bound = fmax(bound, fabs(qp->rows[r].bound));
        force = fmax(force, fabs(lambda[r]));
    }
    double wide = fmax(bound, qp->bound_scale);
    for (int r = 0; r < qp->row_count; ++r) {
        const carom_qp_row *row = &qp->rows[r];
        double slack = carom_qp_row_times(row, y) - row->bound;
        if (lambda[r] != 0)
            carom_qp_row_add(row, lambda[r], pull);
        primal = fmax(primal, row->equality ? fabs(slack) : -slack);
        if (row->equality)
            continue;
        dual = fmax(dual, -lambda[r]);
        loose = fmax(loose, fmin(lambda[r] / force, slack / wide));
        strict = fmax(strict, fmin(lambda[r] / force, slack / bound));
    }
    for (int i = 0; i < 3 * qp->block_count; ++i)
        dual = fmax(dual, fabs(qp->weight[i] * y[i] - pull[i]));
    carom_arena_rewind(scratch, mark);
    report->primal = primal;
    report->dual = dual;
    report->complement = loose;
    report->kkt = fmax(primal / wide, fmax(dual / force, loose));
    report->strict = fmax(primal / bound, fmax(dual / force, strict));
    return CAROM_OK;
}

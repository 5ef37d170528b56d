// A complementarity problem with resistance; see regular.h.
//
// W + R = A A^T with one more column per contact, sqrt(R_i) in its row: the exact solver of W
// (solve/lcp.h) serves as it is.
#include "impact/regular.h"

#include "impact/jacobian.h"

// The rows of the set with their further column, of unit length; `scale` per row takes impulses in
// these units back.
static carom_status widen(const carom_jacobian *jacobian, const double *resistance, int n,
                          carom_arena *scratch, carom_lcp_rows *wide, double *scale,
                          carom_error *err)
{
    const carom_lcp_rows *rows = &jacobian->rows;
    int *first, *column;
    double *value;
    TAKE(scratch, first, n + 1, err);
    TAKE(scratch, column, rows->first[n] + n, err);
    TAKE(scratch, value, rows->first[n] + n, err);
    int count = 0;
    for (int i = 0; i < n; ++i) {
        double w = 1 / (jacobian->scale[i] * jacobian->scale[i]);
        double part = sqrt(w / (w + resistance[i]));
        first[i] = count;
        for (int k = rows->first[i]; k < rows->first[i + 1]; ++k) {
            column[count] = rows->column[k];
            value[count++] = part * rows->value[k];
        }
        column[count] = rows->width + i;
        value[count++] = sqrt(resistance[i] / (w + resistance[i]));
        scale[i] = part * jacobian->scale[i];
    }
    first[n] = count;
    *wide = (carom_lcp_rows){ n, rows->width + n, first, column, value };
    return CAROM_OK;
}

carom_status carom_regular_solve(const carom_problem *problem, const carom_contact_set *set,
                                 const double *target, const double *resistance,
                                 carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    int n = set->count;
    carom_jacobian jacobian;
    carom_lcp_problem lcp = { .progress = carom_progress_of(problem->stop) };
    carom_lcp_report solved = { 0 };
    double *b, *slack, *scale, *lambda, *y;
    TRY(carom_problem_query_stop(problem, (int64_t)n * n, err));
    TRY(carom_jacobian_build(problem, set, 1, scratch, &jacobian, err));
    TAKE(scratch, b, n, err);
    TAKE(scratch, slack, n, err);
    TAKE(scratch, scale, n, err);
    TAKE(scratch, lambda, n, err);
    TAKE(scratch, y, jacobian.rows.width + n, err);
    TRY(widen(&jacobian, resistance, n, scratch, &lcp.rows, scale, err));
    for (int i = 0; i < n; ++i) {
        const carom_row *row = &problem->normal[set->index[i]];
        double terms = carom_jacobian_speed_terms(row, motion->v) + fabs(target[i]);
        b[i] = scale[i] * (target[i] - carom_row_speed(row, motion->v));
        slack[i] = 1e-15 * scale[i] * terms;
    }
    lcp.b = b;
    lcp.slack = slack;
    lcp.scale = scale;
    if (n <= CAROM_INELASTIC_EXACT)
        TRY(carom_lcp_solve(&lcp, scratch, lambda, y, &solved, err));
    else
        TRY(carom_lcp_large_solve(&lcp, CAROM_INELASTIC_LARGE_RESIDUAL, CAROM_INELASTIC_CAP,
                                  scratch, lambda, y, &solved, err));
    for (int i = 0; i < n; ++i)
        motion->p[set->index[i]][0] += scale[i] * lambda[i];
    carom_jacobian_add(&jacobian, y, motion->v);
    report->solver_residual = fmax(report->solver_residual, solved.residual);
    report->events += n;
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// A block quadratic program as a least-distance problem for the dual active-set method of lcp.c:
//
//     min 1/2 |z|^2,  a_r z >= b_r,   z = M^(1/2) y,  a_r = M^(-1/2) g_r,
//
// rows scaled to unit length. What is left is to carry multipliers back and to judge the result in
// the numbers of the quadratic program itself.
#include "solve/qp_active.h"

#include <math.h>
#include <string.h>
#include "solve/lcp.h"

// The rows that say something, scaled.
typedef struct scaled {
    carom_lcp_problem problem;
    int *first, *column, *number; // number: of the row in the quadratic program
    double *value, *b, *slack, *length;
    bool *equality;
} scaled;

static carom_status take(scaled *s, const carom_qp *qp, carom_arena *scratch, carom_error *err)
{
    size_t rows = (size_t)qp->row_count;
    TAKE(scratch, s->first, rows + 1, err);
    TAKE(scratch, s->number, rows, err);
    TAKE(scratch, s->column, 3 * CAROM_QP_BLOCKS_PER_ROW * rows, err);
    TAKE(scratch, s->value, 3 * CAROM_QP_BLOCKS_PER_ROW * rows, err);
    TAKE(scratch, s->b, rows, err);
    TAKE(scratch, s->slack, rows, err);
    TAKE(scratch, s->length, rows, err);
    TAKE(scratch, s->equality, rows, err);
    return CAROM_OK;
}

// Appends row r, or leaves it out where it has no coefficients.
static void add_row(scaled *s, const carom_qp *qp, int r, double tolerance)
{
    const carom_qp_row *row = &qp->rows[r];
    int n = s->problem.rows.count, end = s->first[n];
    double square = 0;
    for (int k = 0; k < row->count; ++k)
        for (int c = 0; c < 3; ++c, ++end) {
            s->column[end] = 3 * row->block[k] + c;
            s->value[end] = row->value[k][c] / sqrt(qp->weight[s->column[end]]);
            square += s->value[end] * s->value[end];
        }
    if (square == 0)
        return;
    s->length[n] = sqrt(square);
    for (int k = s->first[n]; k < end; ++k)
        s->value[k] /= s->length[n];
    s->number[n] = r;
    s->b[n] = row->bound / s->length[n];
    s->slack[n] = tolerance;
    s->equality[n] = row->equality;
    s->first[n + 1] = end;
    ++s->problem.rows.count;
}

static void scale_rows(scaled *s, const carom_qp *qp)
{
    double largest = 1;
    for (int r = 0; r < qp->row_count; ++r)
        largest = fmax(largest, fabs(qp->rows[r].bound));
    s->first[0] = 0;
    for (int r = 0; r < qp->row_count; ++r)
        add_row(s, qp, r, 1e-14 * largest);
    s->problem.rows.width = 3 * qp->block_count;
    s->problem.rows.first = s->first;
    s->problem.rows.column = s->column;
    s->problem.rows.value = s->value;
    s->problem.b = s->b;
    s->problem.slack = s->slack;
    s->problem.equality = s->equality;
}

// A_P A_P^T once more for the rows that carry something.
static carom_status factor_of(const scaled *s, const double *x, carom_arena *scratch,
                              carom_lcp_factor *out, carom_error *err)
{
    const carom_lcp_rows *rows = &s->problem.rows;
    int capacity = rows->count < rows->width ? rows->count : rows->width;
    double *r, *z, *edge;
    TRY(carom_lcp_factor_init(out, rows, capacity, scratch, err));
    TAKE(scratch, r, capacity, err);
    TAKE(scratch, edge, capacity, err);
    TAKE(scratch, z, rows->width, err);
    for (int i = 0; i < rows->count && out->size < capacity; ++i) {
        double length = x[i] != 0 ? carom_lcp_factor_split(out, i, r, z, edge) : 0;
        if (length > CAROM_LCP_DEPENDENT)
            carom_lcp_factor_append(out, i, edge, length);
    }
    return CAROM_OK;
}

// Two rounds of refinement against the rows as they were given: scaling has rounded them, and
// nearly parallel rows make much of that.
static carom_status refine(const scaled *s, const carom_qp *qp, double *x, double *lambda,
                           double *y, carom_arena *scratch, carom_error *err)
{
    carom_lcp_factor factor;
    double *residual;
    TRY(factor_of(s, x, scratch, &factor, err));
    TAKE(scratch, residual, qp->row_count, err);
    for (int round = 0;; ++round) {
        for (int i = 0; i < s->problem.rows.count; ++i)
            lambda[s->number[i]] = x[i] / s->length[i];
        carom_qp_primal(qp, lambda, y);
        if (round == 2)
            return CAROM_OK;
        for (int k = 0; k < factor.size; ++k) {
            const carom_qp_row *row = &qp->rows[s->number[factor.row[k]]];
            residual[k] = (row->bound - carom_qp_row_times(row, y)) / s->length[factor.row[k]];
        }
        carom_lcp_factor_solve(&factor, residual);
        for (int k = 0; k < factor.size; ++k) {
            int i = factor.row[k];
            x[i] = s->equality[i] ? x[i] + residual[k] : fmax(x[i] + residual[k], 0);
        }
    }
}

static carom_status solve(const carom_qp *qp, carom_arena *scratch, double *lambda, double *y,
                          carom_qp_report *report, carom_error *err)
{
    scaled s = { 0 };
    carom_lcp_report basic = { 0 };
    double *x, *z;
    TRY(take(&s, qp, scratch, err));
    TAKE(scratch, x, qp->row_count, err);
    TAKE(scratch, z, 3 * (size_t)qp->block_count, err);
    scale_rows(&s, qp);
    memset(lambda, 0, (size_t)qp->row_count * sizeof *lambda);
    TRY(carom_lcp_basic(&s.problem, scratch, x, z, &basic, err));
    report->iterations = basic.pivots;
    if (basic.infeasible)
        return carom_error_set(err, CAROM_BAD_INPUT,
                               "rows of the quadratic program contradict each other");
    return refine(&s, qp, x, lambda, y, scratch, err);
}

carom_status carom_qp_active_solve(const carom_qp *qp, carom_arena *scratch, double *lambda,
                                   double *y, carom_qp_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    *report = (carom_qp_report){ .method = CAROM_QP_ACTIVE };
    carom_status status = solve(qp, scratch, lambda, y, report, err);
    carom_arena_rewind(scratch, mark);
    TRY(status);
    return carom_qp_measure(qp, y, lambda, scratch, report, err);
}

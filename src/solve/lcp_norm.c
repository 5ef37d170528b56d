// The x of least norm, and the pseudo-inverse; see lcp.h.
//
// Let B be a basis among the rows that matter and Q the others, a_q = sum_B T_qB a_B. Then
// A^T x = y  <=>  x_B + T^T x_Q = c, with c the solution on B alone. In the norm of s_i x_i the
// least is x_Q = H^-1 T S_B^2 c with H = S_Q^2 + T S_B^2 T^T, which is at least S_Q^2: no condition
// is squared. If that x is not >= 0, the nearest x that is solves another LCP: with H = C C^T and
// x_Q = x_Q* + C^-T t the norm grows by |t|^2, so t is the point nearest to the origin with
// x_Q* + C^-T t >= 0 and x_B* - T^T C^-T t >= 0.
#include "solve/lcp.h"

#include <math.h>
#include <string.h>

typedef struct basis {
    const carom_lcp_problem *problem;
    carom_lcp_factor factor; // B
    int extra;               // size of Q
    int *other;              // Q
    double *t;               // extra x factor.stride, T
    double *h;               // extra x extra, lower triangle of H, then of C
    double *r, *z, *edge;
} basis;

static const double NEGLIGIBLE = 1e-12; // entries of T that are round-off

static carom_status basis_init(basis *q, const carom_lcp_problem *problem, int rows,
                               carom_arena *scratch, carom_error *err);
static void basis_offer(basis *q, int row);
static carom_status factor_h(basis *q, carom_arena *scratch, carom_error *err);
static void least_other(const basis *q, const double *c, double *x_other);
static void put(const basis *q, const double *c, const double *x_other, double *x);
static carom_status keep_sign(const basis *q, const double *c, double *x_other,
                              carom_arena *scratch, carom_error *err);

static double scale_of(const carom_lcp_problem *problem, int row)
{
    return problem->scale ? problem->scale[row] : 1;
}

carom_status carom_lcp_norm_least(const carom_lcp_problem *problem, carom_arena *scratch, double *x,
                                  const double *y, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    const carom_lcp_rows *rows = &problem->rows;
    int n = rows->count, touching = 0, carrying = 0, *order;
    double size = 0;
    TAKE(scratch, order, n, err);
    for (int i = 0; i < n; ++i)
        size = fmax(size, fabs(problem->b[i]));
    for (int i = 0; i < n; ++i) // rows that carry first: they are independent
        if (x[i] > 0)
            order[carrying++] = i;
    touching = carrying;
    for (int i = 0; i < n && carrying > 0; ++i) {
        double w = carom_lcp_row_dot(rows, i, y) - problem->b[i];
        if (x[i] == 0 && w <= 1e-11 * size + (problem->slack ? problem->slack[i] : 0))
            order[touching++] = i;
    }
    if (touching > carrying) {
        basis q;
        double *c, *x_other;
        TRY(basis_init(&q, problem, touching, scratch, err));
        for (int i = 0; i < touching; ++i)
            basis_offer(&q, order[i]);
        TAKE(scratch, c, q.factor.size, err);
        TAKE(scratch, x_other, q.extra, err);
        for (int k = 0; k < q.factor.size; ++k)
            c[k] = x[q.factor.row[k]];
        TRY(factor_h(&q, scratch, err));
        least_other(&q, c, x_other);
        TRY(keep_sign(&q, c, x_other, scratch, err));
        put(&q, c, x_other, x);
        for (int i = 0; i < touching; ++i)
            x[order[i]] = fmax(x[order[i]], 0);
    }
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// c = (T^T T)^-1 T^T b on the whole list (T = identity on B), then y, x_B, and the least norm. With
// Q written out: the correction e of b_B that makes all of b agree best solves
// (S_B^-2 + T^T S_Q^-2 T) e = T^T S_Q^-2 (b_Q - T b_B).
static carom_status agree(const basis *q, const double *b, double *wanted, carom_arena *scratch,
                          carom_error *err)
{
    // By the same H (Woodbury): e = S_B^2 T^T H^-1 (b_Q - T b_B).
    int stride = q->factor.stride;
    double *gap;
    TAKE(scratch, gap, q->extra, err);
    for (int i = 0; i < q->extra; ++i) {
        gap[i] = b[q->other[i]];
        for (int k = 0; k < q->factor.size; ++k)
            gap[i] -= q->t[(size_t)i * (size_t)stride + (size_t)k] * b[q->factor.row[k]];
    }
    for (int i = 0; i < q->extra; ++i) {
        const double *row = q->h + (size_t)i * (size_t)q->extra;
        for (int k = 0; k < i; ++k)
            gap[i] -= row[k] * gap[k];
        gap[i] /= row[i];
    }
    for (int i = q->extra - 1; i >= 0; --i) {
        const double *row = q->h + (size_t)i * (size_t)q->extra;
        gap[i] /= row[i];
        for (int k = 0; k < i; ++k)
            gap[k] -= row[k] * gap[i];
    }
    for (int k = 0; k < q->factor.size; ++k) {
        int row = q->factor.row[k];
        double s = scale_of(q->problem, row), e = 0;
        for (int i = 0; i < q->extra; ++i)
            e += q->t[(size_t)i * (size_t)stride + (size_t)k] * gap[i];
        wanted[row] = b[row] + s * s * e;
    }
    return CAROM_OK;
}

carom_status carom_lcp_norm_pseudo(const carom_lcp_problem *problem, carom_arena *scratch,
                                   double *x, double *y, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    int n = problem->rows.count;
    basis q;
    double *c, *x_other, *wanted;
    TRY(basis_init(&q, problem, n, scratch, err));
    for (int i = 0; i < n; ++i)
        basis_offer(&q, i);
    TAKE_ZEROS(scratch, c, q.factor.size, err);
    TAKE(scratch, x_other, q.extra, err);
    TAKE(scratch, wanted, n, err);
    TRY(factor_h(&q, scratch, err));
    TRY(agree(&q, problem->b, wanted, scratch, err));
    carom_lcp_factor_refine(&q.factor, wanted, c, y, q.r);
    least_other(&q, c, x_other);
    put(&q, c, x_other, x);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status basis_init(basis *q, const carom_lcp_problem *problem, int rows,
                               carom_arena *scratch, carom_error *err)
{
    int capacity = rows < problem->rows.width ? rows : problem->rows.width;
    *q = (basis){ .problem = problem };
    TRY(carom_lcp_factor_init(&q->factor, &problem->rows, capacity, scratch, err));
    TAKE(scratch, q->other, rows, err);
    TAKE(scratch, q->t, (size_t)rows * (size_t)capacity, err);
    TAKE(scratch, q->r, capacity, err);
    TAKE(scratch, q->edge, capacity, err);
    TAKE(scratch, q->z, problem->rows.width, err);
    return CAROM_OK;
}

// Puts a row into B if it is independent, else into Q with its coefficients.
static void basis_offer(basis *q, int row)
{
    double length = carom_lcp_factor_split(&q->factor, row, q->r, q->z, q->edge);
    if (length > CAROM_LCP_DEPENDENT && q->factor.size < q->factor.stride) {
        carom_lcp_factor_append(&q->factor, row, q->edge, length);
        return;
    }
    double *t = q->t + (size_t)q->extra * (size_t)q->factor.stride;
    memset(t, 0, (size_t)q->factor.stride * sizeof *t);
    for (int k = 0; k < q->factor.size; ++k)
        t[k] = fabs(q->r[k]) > NEGLIGIBLE ? q->r[k] : 0;
    q->other[q->extra++] = row;
}

static carom_status factor_h(basis *q, carom_arena *scratch, carom_error *err)
{
    int n = q->extra;
    size_t stride = (size_t)q->factor.stride;
    TAKE(scratch, q->h, (size_t)n * (size_t)n, err);
    for (int k = 0; k < q->factor.size; ++k) {
        double s = scale_of(q->problem, q->factor.row[k]);
        q->edge[k] = s * s;
    }
    for (int i = 0; i < n; ++i) {
        double *row = q->h + (size_t)i * (size_t)n, s = scale_of(q->problem, q->other[i]);
        for (int j = 0; j <= i; ++j) {
            double sum = i == j ? s * s : 0;
            for (int k = 0; k < q->factor.size; ++k)
                sum += q->t[(size_t)i * stride + (size_t)k] * q->edge[k] *
                       q->t[(size_t)j * stride + (size_t)k];
            for (int k = 0; k < j; ++k)
                sum -= row[k] * q->h[(size_t)j * (size_t)n + (size_t)k];
            row[j] =
                i == j ? sqrt(fmax(sum, s * s)) : sum / q->h[(size_t)j * (size_t)n + (size_t)j];
        }
    }
    return CAROM_OK;
}

// x_Q = H^-1 T S_B^2 c
static void least_other(const basis *q, const double *c, double *x_other)
{
    int n = q->extra;
    for (int i = 0; i < n; ++i) {
        const double *row = q->h + (size_t)i * (size_t)n;
        double sum = 0;
        for (int k = 0; k < q->factor.size; ++k)
            sum += q->t[(size_t)i * (size_t)q->factor.stride + (size_t)k] * q->edge[k] * c[k];
        for (int k = 0; k < i; ++k)
            sum -= row[k] * x_other[k];
        x_other[i] = sum / row[i];
    }
    for (int i = n - 1; i >= 0; --i) {
        const double *row = q->h + (size_t)i * (size_t)n;
        x_other[i] /= row[i];
        for (int k = 0; k < i; ++k)
            x_other[k] -= row[k] * x_other[i];
    }
}

static double basic_part(const basis *q, const double *c, const double *x_other, int k)
{
    double value = c[k];
    for (int i = 0; i < q->extra; ++i)
        value -= q->t[(size_t)i * (size_t)q->factor.stride + (size_t)k] * x_other[i];
    return value;
}

static void put(const basis *q, const double *c, const double *x_other, double *x)
{
    for (int k = 0; k < q->factor.size; ++k)
        x[q->factor.row[k]] = basic_part(q, c, x_other, k);
    for (int i = 0; i < q->extra; ++i)
        x[q->other[i]] = x_other[i];
}

// Moves x_Q by the least amount (in the norm of all of x) that makes every x >= 0.
static carom_status keep_sign(const basis *q, const double *c, double *x_other,
                              carom_arena *scratch, carom_error *err)
{
    int n = q->extra, all = n + q->factor.size;
    double min = 0, largest = 0;
    for (int i = 0; i < all; ++i) {
        double value = i < n ? x_other[i] : basic_part(q, c, x_other, i - n);
        min = value < min ? value : min; // fmin beside fmax: gcc 12 for aarch64 breaks off
        largest = fmax(largest, fabs(value));
    }
    if (min >= -1e-14 * largest)
        return CAROM_OK;
    int *first, *column, count = 0;
    double *value, *b, *slack, *x, *y, *full;
    TAKE(scratch, first, all + 1, err);
    TAKE(scratch, column, (size_t)all * (size_t)n, err);
    TAKE(scratch, value, (size_t)all * (size_t)n, err);
    TAKE(scratch, b, all, err);
    TAKE(scratch, slack, all, err);
    TAKE(scratch, x, all, err);
    TAKE(scratch, y, n, err);
    TAKE(scratch, full, n, err);
    first[0] = 0;
    for (int i = 0; i < all; ++i) {
        double norm = 0, *row = value + first[count];
        for (int k = 0; k < n; ++k) // row of the identity, or of -T^T, times C^-T
            full[k] =
                i < n ? (k == i) : -q->t[(size_t)k * (size_t)q->factor.stride + (size_t)(i - n)];
        for (int k = 0; k < n; ++k) {
            for (int j = 0; j < k; ++j)
                full[k] -= q->h[(size_t)k * (size_t)n + (size_t)j] * full[j];
            full[k] /= q->h[(size_t)k * (size_t)n + (size_t)k];
            norm += full[k] * full[k];
        }
        if (norm == 0)
            continue;
        norm = sqrt(norm);
        for (int k = 0; k < n; ++k) {
            row[k] = full[k] / norm;
            column[first[count] + k] = k;
        }
        b[count] = -(i < n ? x_other[i] : basic_part(q, c, x_other, i - n)) / norm;
        slack[count] = 1e-14 * largest / norm;
        first[count + 1] = first[count] + n;
        ++count;
    }
    carom_lcp_problem nearest = { .rows = { count, n, first, column, value },
                                  .b = b,
                                  .slack = slack };
    carom_lcp_report report;
    TRY(carom_lcp_basic(&nearest, scratch, x, y, &report, err));
    for (int i = n - 1; i >= 0; --i) { // x_Q += C^-T t
        y[i] /= q->h[(size_t)i * (size_t)n + (size_t)i];
        for (int k = 0; k < i; ++k)
            y[k] -= q->h[(size_t)i * (size_t)n + (size_t)k] * y[i];
    }
    for (int i = 0; i < n; ++i)
        x_other[i] += y[i];
    return CAROM_OK;
}

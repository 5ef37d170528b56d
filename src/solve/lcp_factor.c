// The growing and shrinking factor behind the exact LCP solver; see lcp.h.
//
// L L^T = A_P A_P^T. Appending row j solves L edge = A_P a_j and takes the new pivot from the
// length of z = a_j - A_P^T r, not from 1 - |edge|^2, which would lose half of the digits. Removing
// a row leaves one entry above the diagonal in every later row; Givens rotations of neighbouring
// columns take them away.
#include "solve/lcp.h"

#include <math.h>
#include <string.h>
#include "solve/dot.h"

static double dot_quick(const double *a, const double *b, int count);
static void forward(const carom_lcp_factor *factor, double *r);
static void backward(const carom_lcp_factor *factor, double *r);

carom_status carom_lcp_factor_init(carom_lcp_factor *factor, const carom_lcp_rows *rows,
                                   int capacity, carom_arena *scratch, carom_error *err)
{
    *factor = (carom_lcp_factor){ .rows = rows, .stride = capacity };
    TAKE(scratch, factor->row, capacity, err);
    TAKE(scratch, factor->l, (size_t)capacity * (size_t)capacity, err);
    TAKE(scratch, factor->work, 2 * (size_t)capacity, err);
    return CAROM_OK;
}

double carom_lcp_factor_split(const carom_lcp_factor *factor, int j, double *r, double *z,
                              double *edge)
{
    const carom_lcp_rows *rows = factor->rows;
    double *step = factor->work;
    memset(z, 0, (size_t)rows->width * sizeof *z);
    memset(r, 0, (size_t)factor->size * sizeof *r);
    memset(edge, 0, (size_t)factor->size * sizeof *edge);
    carom_lcp_row_add(rows, j, 1, z);
    double square = 1;
    // A second pass only where the first took away much of the row: else it has nothing to correct.
    for (int pass = 0; pass < 2 && square > 0; ++pass) {
        for (int i = 0; i < factor->size; ++i)
            step[i] = carom_lcp_row_dot(rows, factor->row[i], z);
        forward(factor, step);
        for (int i = 0; i < factor->size; ++i)
            edge[i] += step[i];
        backward(factor, step);
        for (int i = 0; i < factor->size; ++i) {
            r[i] += step[i];
            if (step[i] != 0)
                carom_lcp_row_add(rows, factor->row[i], -step[i], z);
        }
        square = dot_quick(z, z, rows->width);
        if (square > 0.25)
            break;
    }
    return sqrt(square);
}

void carom_lcp_factor_append(carom_lcp_factor *factor, int j, const double *edge, double length)
{
    double *row = factor->l + (size_t)factor->size * (size_t)factor->stride;
    memcpy(row, edge, (size_t)factor->size * sizeof *row);
    row[factor->size] = length;
    factor->row[factor->size++] = j;
}

void carom_lcp_factor_remove(carom_lcp_factor *factor, int position)
{
    size_t stride = (size_t)factor->stride;
    int last = --factor->size;
    for (int i = position; i < last; ++i) {
        factor->row[i] = factor->row[i + 1];
        memcpy(factor->l + (size_t)i * stride, factor->l + (size_t)(i + 1) * stride,
               (size_t)(i + 2) * sizeof *factor->l);
    }
    for (int k = position; k < last; ++k) {
        double *pivot = factor->l + (size_t)k * stride;
        double length = sqrt(pivot[k] * pivot[k] + pivot[k + 1] * pivot[k + 1]);
        double c = pivot[k] / length, s = pivot[k + 1] / length;
        pivot[k] = length;
        for (int i = k + 1; i < last; ++i) {
            double *row = factor->l + (size_t)i * stride;
            double here = row[k], next = row[k + 1];
            row[k] = c * here + s * next;
            row[k + 1] = c * next - s * here;
        }
    }
}

void carom_lcp_factor_solve(const carom_lcp_factor *factor, double *r)
{
    forward(factor, r);
    backward(factor, r);
}

void carom_lcp_factor_refine(const carom_lcp_factor *factor, const double *b, double *x, double *y,
                             double *residual)
{
    enum { REFINEMENTS = 6 };
    const carom_lcp_rows *rows = factor->rows;
    int n = factor->size;
    double before = HUGE_VAL;
    memset(y, 0, (size_t)rows->width * sizeof *y);
    for (int i = 0; i < n; ++i) {
        carom_lcp_row_add(rows, factor->row[i], x[i], y);
    }
    for (int round = 0; round < REFINEMENTS; ++round) {
        double size = 0;
        for (int i = 0; i < n; ++i) {
            residual[i] = b[factor->row[i]] - carom_lcp_row_dot(rows, factor->row[i], y);
            size = fmax(size, fabs(residual[i]));
        }
        if (size == 0 || size > 0.5 * before)
            return;
        before = size;
        carom_lcp_factor_solve(factor, residual);
        for (int i = 0; i < n; ++i) {
            x[i] += residual[i];
            carom_lcp_row_add(rows, factor->row[i], residual[i], y);
        }
    }
}

static void forward(const carom_lcp_factor *factor, double *r)
{
    int start = 0; // leading zeros stay zeros
    while (start < factor->size && r[start] == 0)
        ++start;
    for (int i = start; i < factor->size; ++i) {
        const double *row = factor->l + (size_t)i * (size_t)factor->stride;
        r[i] = (r[i] - dot_quick(row + start, r + start, i - start)) / row[i];
    }
}

static void backward(const carom_lcp_factor *factor, double *r)
{
    for (int i = factor->size - 1; i >= 0; --i) {
        const double *row = factor->l + (size_t)i * (size_t)factor->stride;
        double value = r[i] /= row[i];
        for (int k = 0; k < i; ++k)
            r[k] -= row[k] * value;
    }
}

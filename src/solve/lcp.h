// Linear complementarity with a symmetric positive semidefinite matrix in factored form.
//
//     0 <= x  _|_  A A^T x - b >= 0         y = A^T x
//
// Equivalently: y is the point of the polyhedron {y : A y >= b} nearest to the origin, x its
// multipliers. y is unique; x is not where rows of A depend on each other, and then the x of least
// norm is taken. Working with the rows instead of W = A A^T halves the digits that a bad condition
// costs: masses from 1e-6 to 1e6 in one problem make the smallest eigenvalue of W about 1e-12, and
// the smallest angle between rows only 1e-6.
#ifndef CAROM_SOLVE_LCP_H
#define CAROM_SOLVE_LCP_H

#include <stdbool.h>
#include "base/arena.h"
#include "base/progress.h"

// A in compressed rows. The rows have unit length (to round-off).
typedef struct carom_lcp_rows {
    int count, width;
    const int *first;  // count + 1
    const int *column; // within [0, width), each at most once per row
    const double *value;
} carom_lcp_rows;

typedef struct carom_lcp_problem {
    carom_lcp_rows rows;
    const double *b;
    const double *slack;  // per row, violation of A y >= b that is only noise of b; null for zeros
    const double *scale;  // the norm to be least is that of scale_i x_i; null for ones
    const bool *equality; // rows with A y = b and x of any sign, for carom_lcp_basic; null: none
    bool *contradiction;  // per row, to be filled where no y satisfies them: x >= 0 in balance,
                          // A^T x = 0 (any x at equalities), show it. Then b is not lowered; null:
                          // not asked for
    const carom_progress *progress; // may stop the solve; null: nobody
    carom_progress_stop *stop;      // the same, which also bounds the work of CGLS; null: nobody
} carom_lcp_problem;

typedef struct carom_lcp_report {
    int pivots;      // or iterations
    int rank;        // of the rows that carry something
    bool infeasible; // no y has A y >= b; see carom_lcp_solve
    double residual; // max |min(x_i, (A y - b)_i)| (beyond the slack) / max |b|
} carom_lcp_report;

// Rows closer than this to the span of others (as sine of the angle) depend on them. Round-off
// leaves about 1e-15, a mass ratio of 1e12 about 1e-6.
#define CAROM_LCP_DEPENDENT 1e-10

// Exact: a dual active-set method (Goldfarb and Idnani 1983; for this problem the same pivots as
// Dantzig's principal pivoting), dense in the active rows: about 2/3 n^3 operations. Residual
// about 1e-15. Fills x (count) and y (width). Where no y satisfies the rows, b is lowered by the
// smallest amounts (least squares) that make it possible; the residual is then that violation.
carom_status carom_lcp_solve(const carom_lcp_problem *problem, carom_arena *scratch, double *x,
                             double *y, carom_lcp_report *report, carom_error *err);

// The same without the search for the least norm: some basic x.
carom_status carom_lcp_basic(const carom_lcp_problem *problem, carom_arena *scratch, double *x,
                             double *y, carom_lcp_report *report, carom_error *err);

// Given a solution, moves x to the one of least norm with the same y (lcp_norm.c).
carom_status carom_lcp_norm_least(const carom_lcp_problem *problem, carom_arena *scratch, double *x,
                                  const double *y, carom_error *err);

// The least-squares solution of A A^T x = b with the least norm, x of any sign, exact (lcp_norm.c).
// Least squares and norm are those of scale: minimal sum of (((A y - b)_i / scale_i))^2, then of
// (scale_i x_i)^2; with scale_i = W_ii^-1/2 this is the pseudo-inverse of the unscaled W.
carom_status carom_lcp_norm_pseudo(const carom_lcp_problem *problem, carom_arena *scratch,
                                   double *x, double *y, carom_error *err);

// Iterative and without a matrix, for thousands of rows and more (lcp_large.c): conjugate gradients
// with projections (MPRGP, Dostal and Schoberl 2005). Starts at zero. Ends at the relative residual
// `tolerance` or after `cap` products with A A^T; then x is scaled so that x.(A A^T x - b) = 0.
// x is near the least norm, not exactly it.
carom_status carom_lcp_large_solve(const carom_lcp_problem *problem, double tolerance, int cap,
                                   carom_arena *scratch, double *x, double *y,
                                   carom_lcp_report *report, carom_error *err);

// The large counterpart of carom_lcp_norm_pseudo in the norm of x itself: two runs of CGLS.
carom_status carom_lcp_large_pseudo(const carom_lcp_problem *problem, double tolerance, int cap,
                                    carom_arena *scratch, double *x, double *y,
                                    carom_lcp_report *report, carom_error *err);

// -- pieces shared by the files of this solver ---------------------------------------------------

// a_i . y
static inline double carom_lcp_row_dot(const carom_lcp_rows *rows, int i, const double *y)
{
    double sum = 0;
    for (int k = rows->first[i]; k < rows->first[i + 1]; ++k)
        sum += rows->value[k] * y[rows->column[k]];
    return sum;
}

// y += s a_i
static inline void carom_lcp_row_add(const carom_lcp_rows *rows, int i, double s, double *y)
{
    for (int k = rows->first[i]; k < rows->first[i + 1]; ++k)
        y[rows->column[k]] += s * rows->value[k];
}

// Cholesky factor L L^T of the Gram matrix of a growing and shrinking list of rows, with the
// accuracy of a QR factorisation: what is orthogonal to the list is computed from the rows
// themselves and orthogonalised twice (the corrected seminormal equations of Bjorck 1987).
typedef struct carom_lcp_factor {
    const carom_lcp_rows *rows;
    int size;  // rows in the list
    int *row;  // which
    double *l; // lower triangle, row i starts at l + i * stride
    int stride;
    double *work; // 2 * stride
} carom_lcp_factor;

carom_status carom_lcp_factor_init(carom_lcp_factor *factor, const carom_lcp_rows *rows,
                                   int capacity, carom_arena *scratch, carom_error *err);
// Splits row j: r (size) with a_j = A_P^T r + z, z (width) orthogonal to the list; `edge` (size) is
// the new row of L. Returns |z|.
double carom_lcp_factor_split(const carom_lcp_factor *factor, int j, double *r, double *z,
                              double *edge);
// Appends row j with the results of the split.
void carom_lcp_factor_append(carom_lcp_factor *factor, int j, const double *edge, double length);
// Takes the row at a position out; the rows behind it move up.
void carom_lcp_factor_remove(carom_lcp_factor *factor, int position);
// In place: the solution of A_P A_P^T r = r.
void carom_lcp_factor_solve(const carom_lcp_factor *factor, double *r);
// x_P and y with A_P y = b_P, y = A_P^T x_P, refined until round-off. `residual` has room for the
// size.
void carom_lcp_factor_refine(const carom_lcp_factor *factor, const double *b, double *x, double *y,
                             double *residual);

#endif

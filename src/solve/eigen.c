// Dense symmetric eigenvalues: Householder's reduction to tridiagonal form, then implicit QL with
// Wilkinson's shift (Bowdler, Martin, Reinsch, Wilkinson 1968). Only + - * / and sqrt: the same
// bits everywhere.
//
// Why not LAPACK's dsyevd: its bits are those of the BLAS that the system puts behind it. One
// banded matrix of order 400 with OpenBLAS 0.3.21 gave four different results for two kinds of
// processor (its kernels Prescott and Haswell) and one or two threads; modes must not depend on
// either. With the reference BLAS 3.11, which one cannot ask for, it takes 2.0, 2.8 and 2.8 times
// the instructions of this file at orders 60, 200 and 400; its vectors are orthogonal to 4e-15,
// ours to 1.2e-14, the residuals are 6e-16 and 1.6e-15 of the norm, both far below what Lanczos'
// iteration asks for.
#include "solve/eigen.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include "math/lanes.h"

enum { SWEEPS_MAX = 60 }; // per eigenvalue; two or three are usual

static void reduce(int n, double *a, double *d, double *e);
static bool iterate(int n, double *a, double *d, double *e);
static void sort(int n, double *a, double *d);

static void transpose(int n, double *a)
{
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k) {
            double *x = &a[(size_t)i * (size_t)n + (size_t)k],
                   *y = &a[(size_t)k * (size_t)n + (size_t)i];
            double t = *x;
            *x = *y;
            *y = t;
        }
}

bool carom_eigen_symmetric(int n, double *a, double *value, double *work)
{
    if (n == 0)
        return true;
    reduce(n, a, value, work);
    transpose(n, a); // so that what is turned together lies together
    if (!iterate(n, a, value, work))
        return false;
    sort(n, a, value);
    transpose(n, a);
    return true;
}

// Row i of `a` becomes the Householder vector that clears it left of the subdiagonal; returns h,
// half the squared norm of that vector, 0 where there is nothing to clear.
static double mirror_of_row(int i, double *row, double *off)
{
    double scale = 0, h = 0;
    for (int k = 0; k < i; ++k)
        scale += fabs(row[k]);
    if (i == 1 || scale == 0) {
        *off = row[i - 1];
        return 0;
    }
    for (int k = 0; k < i; ++k) {
        row[k] /= scale;
        h += row[k] * row[k];
    }
    double f = row[i - 1], g = f >= 0 ? -sqrt(h) : sqrt(h);
    *off = scale * g;
    row[i - 1] = f - g;
    return h - f * g;
}

// e := A u for the lower triangle of the leading block, row by row.
CAROM_LANES_WIDE static void times_vector(int n, int i, const double *a, const double *u, double *e)
{
    for (int k = 0; k < i; ++k)
        e[k] = 0;
    for (int k = 0; k < i; ++k) {
        const double *row = a + (size_t)k * (size_t)n;
        double sum = 0, uk = u[k];
        for (int j = 0; j < k; ++j)
            sum += row[j] * u[j];
        for (int j = 0; j < k; ++j)
            e[j] += row[j] * uk;
        e[k] += sum + row[k] * uk;
    }
}

// a := P a P for the leading block, P = I - u u^T / h with u in row i.
CAROM_LANES_WIDE static void apply_mirror(int n, int i, double h, double *a, double *e)
{
    double *u = a + (size_t)i * (size_t)n, f = 0;
    times_vector(n, i, a, u, e);
    for (int j = 0; j < i; ++j) {
        a[(size_t)j * (size_t)n + (size_t)i] = u[j] / h;
        e[j] /= h;
        f += e[j] * u[j];
    }
    double half = f / (h + h);
    for (int j = 0; j < i; ++j) {
        double uj = u[j], g = e[j] -= half * uj, *row = a + (size_t)j * (size_t)n;
        for (int k = 0; k <= j; ++k)
            row[k] -= uj * e[k] + g * u[k];
    }
}

// Applies mirror i to the transformation found so far: a -= (column i) (row i) a, row by row.
CAROM_LANES_WIDE static void accumulate(int n, int i, double *a, double *g)
{
    const double *u = a + (size_t)i * (size_t)n;
    for (int j = 0; j < i; ++j)
        g[j] = 0;
    for (int k = 0; k < i; ++k)
        for (int j = 0; j < i; ++j)
            g[j] += u[k] * a[(size_t)k * (size_t)n + (size_t)j];
    for (int k = 0; k < i; ++k) {
        double factor = a[(size_t)k * (size_t)n + (size_t)i];
        for (int j = 0; j < i; ++j)
            a[(size_t)k * (size_t)n + (size_t)j] -= g[j] * factor;
    }
}

// d: diagonal, e[1..]: subdiagonal, a: the accumulated transformation.
static void reduce(int n, double *a, double *d, double *e)
{
    for (int i = n - 1; i > 0; --i) {
        d[i] = mirror_of_row(i, a + (size_t)i * (size_t)n, &e[i]);
        double off = e[i];
        if (d[i] != 0)
            apply_mirror(n, i, d[i], a, e);
        e[i] = off;
    }
    d[0] = e[0] = 0;
    for (int i = 0; i < n; ++i) {
        double *row = a + (size_t)i * (size_t)n;
        if (d[i] != 0)
            accumulate(n, i, a, e + n);
        d[i] = row[i];
        row[i] = 1;
        for (int j = 0; j < i; ++j)
            row[j] = a[(size_t)j * (size_t)n + (size_t)i] = 0;
    }
}

// Turns two eigenvectors into each other.
CAROM_LANES_WIDE static void rotate(int n, double *restrict x, double *restrict y, double c,
                                    double s)
{
    for (int k = 0; k < n; ++k) {
        double f = y[k];
        y[k] = s * x[k] + c * f;
        x[k] = c * x[k] - s * f;
    }
}

// One implicit QL step on the block l..m; eigenvectors are rows of `a`.
static void chase(int n, int l, int m, double *a, double *d, double *e)
{
    double g = (d[l + 1] - d[l]) / (2 * e[l]), r = sqrt(g * g + 1);
    g = d[m] - d[l] + e[l] / (g + (g >= 0 ? r : -r));
    double s = 1, c = 1, p = 0;
    for (int i = m - 1; i >= l; --i) {
        double f = s * e[i], b = c * e[i];
        r = sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0) { // the block splits here
            d[i + 1] -= p;
            e[m] = 0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(n, a + (size_t)i * (size_t)n, a + (size_t)(i + 1) * (size_t)n, c, s);
    }
    d[l] -= p;
    e[l] = g;
    e[m] = 0;
}

static bool iterate(int n, double *a, double *d, double *e)
{
    for (int i = 1; i < n; ++i)
        e[i - 1] = e[i];
    e[n - 1] = 0;
    for (int l = 0; l < n; ++l)
        for (int sweep = 0;; ++sweep) {
            int m = l;
            while (m < n - 1 && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
                ++m;
            if (m == l)
                break;
            if (sweep == SWEEPS_MAX)
                return false;
            chase(n, l, m, a, d, e);
        }
    return true;
}

static void sort(int n, double *a, double *d)
{
    for (int i = 0; i < n - 1; ++i) {
        int min = i;
        for (int j = i + 1; j < n; ++j)
            if (d[j] < d[min])
                min = j;
        if (min == i)
            continue;
        double t = d[i];
        d[i] = d[min];
        d[min] = t;
        double *x = a + (size_t)i * (size_t)n, *y = a + (size_t)min * (size_t)n;
        for (int k = 0; k < n; ++k) {
            t = x[k];
            x[k] = y[k];
            y[k] = t;
        }
    }
}

// Dense symmetric eigenvalues: Householder's reduction to tridiagonal form, then implicit QL with
// Wilkinson's shift (Bowdler, Martin, Reinsch, Wilkinson 1968). Only + - * / and sqrt: the same
// bits everywhere.
#include "solve/eigen.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

enum { SWEEPS_MOST = 60 }; // per eigenvalue; two or three are usual

static void reduce(int n, double *a, double *d, double *e);
static bool iterate(int n, double *a, double *d, double *e);
static void sort(int n, double *a, double *d);

bool carom_eigen_symmetric(int n, double *a, double *value, double *work)
{
    if (n == 0)
        return true;
    reduce(n, a, value, work);
    if (!iterate(n, a, value, work))
        return false;
    sort(n, a, value);
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

// a := P a P for the leading block, P = I - u u^T / h with u in row i.
static void apply_mirror(int n, int i, double h, double *a, double *e)
{
    double *u = a + (size_t)i * (size_t)n, f = 0;
    for (int j = 0; j < i; ++j) {
        double g = 0;
        a[(size_t)j * (size_t)n + (size_t)i] = u[j] / h;
        for (int k = 0; k <= j; ++k)
            g += a[(size_t)j * (size_t)n + (size_t)k] * u[k];
        for (int k = j + 1; k < i; ++k)
            g += a[(size_t)k * (size_t)n + (size_t)j] * u[k];
        e[j] = g / h;
        f += e[j] * u[j];
    }
    double half = f / (h + h);
    for (int j = 0; j < i; ++j) {
        double uj = u[j], g = e[j] -= half * uj;
        for (int k = 0; k <= j; ++k)
            a[(size_t)j * (size_t)n + (size_t)k] -= uj * e[k] + g * u[k];
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
            for (int j = 0; j < i; ++j) {
                double g = 0;
                for (int k = 0; k < i; ++k)
                    g += row[k] * a[(size_t)k * (size_t)n + (size_t)j];
                for (int k = 0; k < i; ++k)
                    a[(size_t)k * (size_t)n + (size_t)j] -=
                        g * a[(size_t)k * (size_t)n + (size_t)i];
            }
        d[i] = row[i];
        row[i] = 1;
        for (int j = 0; j < i; ++j)
            row[j] = a[(size_t)j * (size_t)n + (size_t)i] = 0;
    }
}

// One implicit QL step on the block l..m.
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
        for (int k = 0; k < n; ++k) {
            double *row = a + (size_t)k * (size_t)n + (size_t)i;
            f = row[1];
            row[1] = s * row[0] + c * f;
            row[0] = c * row[0] - s * f;
        }
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
            if (sweep == SWEEPS_MOST)
                return false;
            chase(n, l, m, a, d, e);
        }
    return true;
}

static void sort(int n, double *a, double *d)
{
    for (int i = 0; i < n - 1; ++i) {
        int least = i;
        for (int j = i + 1; j < n; ++j)
            if (d[j] < d[least])
                least = j;
        if (least == i)
            continue;
        double t = d[i];
        d[i] = d[least];
        d[least] = t;
        for (int k = 0; k < n; ++k) {
            double *row = a + (size_t)k * (size_t)n;
            t = row[i];
            row[i] = row[least];
            row[least] = t;
        }
    }
}

// Newton's method for contact with friction (Alart and Curnier 1991), for the islands on which the
// passes of friction.c converge slowly: strong coupling, mass ratios up to 1e12.
//
// Unknowns x = sqrt(D) p, speeds w = u / sqrt(D). The equations R(x) = 0 are those of the fixed
// point of the passes:
//     normal      R = w - t where x - (w - t) > base ("pressed"), else x - base
//     tangential  z = x_t - w_t;  R = w_t where |z| <= r ("sticks"), else x_t - r z/|z|,
//     with r = mu x_n in the same units.
// The matrix of w is G = D^-1/2 W D^-1/2. Where contacts share a load in more than one way G is
// singular but the equations agree with each other; G + eps I is used instead, which leaves what
// nothing decides alone, and costs convergence only where an eigenvalue is below eps. The first
// eps suits ordinary islands, the second, smaller one extreme mass ratios.
#include "impact/friction_state.h"

#include <math.h>
#include <string.h>

enum { STEPS = 40, HALVINGS = 5, LADDER = 2 };
static const double ladder[LADDER] = { 1e-8, 1e-13 };

typedef struct newton {
    carom_friction_state *r;
    int rows;
    double *gram;     // G
    double *matrix;   // of the current step, factored in place
    double *residual; // R, then the step
    double *x, *y;    // trial
    double *w;        // scaled speeds of the trial
    int *pivot;
    double norm;    // |R|
    double best;    // |R| of what stands in p and y
    double visited; // largest |x| since y was last summed up from x
} newton;

static carom_status newton_init(newton *s, carom_arena *scratch, carom_error *err);
static double evaluate(newton *s, const double *x, const double *y);
static void assemble(newton *s, double eps);
static bool solve(newton *s);
static void run(newton *s, bool full, double eps, double tolerance, int *steps);
static bool advance(newton *s, bool full);

// sqrt(D) of a row.
static double root(const carom_friction_state *r, int row)
{
    return sqrt(row % 3 == 0 ? r->dn[row / 3] : r->dt[row / 3]);
}

carom_status carom_friction_newton_run(carom_friction_state *r, double tolerance,
                                       carom_arena *scratch, int *steps, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    newton s = { .r = r, .rows = 3 * r->n };
    TRY(newton_init(&s, scratch, err));
    for (int row = 0; row < s.rows; ++row)
        s.x[row] = r->p[row] * root(r, row);
    memcpy(s.y, r->y, (size_t)r->jacobian.rows.width * sizeof *s.y);
    s.best = s.norm = evaluate(&s, s.x, s.y);
    for (int attempt = 0; attempt < 2 * LADDER && s.best > tolerance; ++attempt)
        run(&s, attempt % 2 == 0, ladder[attempt / 2], tolerance, steps);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status newton_init(newton *s, carom_arena *scratch, carom_error *err)
{
    const carom_lcp_rows *rows = &s->r->jacobian.rows;
    size_t n = (size_t)s->rows;
    double *dense;
    TAKE(scratch, s->gram, n * n, err);
    TAKE(scratch, s->matrix, n * n, err);
    TAKE(scratch, s->residual, n, err);
    TAKE(scratch, s->x, n, err);
    TAKE(scratch, s->w, n, err);
    TAKE(scratch, s->pivot, n, err);
    TAKE(scratch, s->y, rows->width, err);
    TAKE_ZEROS(scratch, dense, rows->width, err);
    for (int i = 0; i < s->rows; ++i) {
        double scale = s->r->jacobian.scale[i] * root(s->r, i);
        carom_lcp_row_add(rows, i, 1, dense);
        for (int j = 0; j < s->rows; ++j)
            s->gram[(size_t)i * n + (size_t)j] = carom_lcp_row_dot(rows, j, dense) /
                                                 (scale * s->r->jacobian.scale[j] * root(s->r, j));
        for (int k = rows->first[i]; k < rows->first[i + 1]; ++k)
            dense[rows->column[k]] = 0;
    }
    return CAROM_OK;
}

// mu in scaled units: |x_t| <= bound_factor x_n.
static double bound_factor(const carom_friction_state *r, int i)
{
    return r->mu[i] * sqrt(r->dt[i] / r->dn[i]);
}

static bool pressed(const newton *s, const double *x, int i, double *excess)
{
    const carom_friction_state *r = s->r;
    double scale = sqrt(r->dn[i]), base = r->base[i] * scale;
    *excess = s->w[3 * i] - r->target[i] / scale;
    return r->bilateral || x[3 * i] - *excess > base;
}

// Fills w and R; returns |R|.
static double evaluate(newton *s, const double *x, const double *y)
{
    const carom_friction_state *r = s->r;
    double sum = 0;
    for (int row = 0; row < s->rows; ++row)
        s->w[row] = carom_friction_state_speed(r, row, y) / root(r, row);
    for (int i = 0; i < r->n; ++i) {
        double excess, *out = &s->residual[3 * i];
        out[0] = pressed(s, x, i, &excess) ? excess : x[3 * i] - r->base[i] * sqrt(r->dn[i]);
        double bound = bound_factor(r, i) * fmax(x[3 * i], 0), z[2], length = 0;
        for (int k = 0; k < 2; ++k) {
            z[k] = x[3 * i + 1 + k] - s->w[3 * i + 1 + k];
            length += z[k] * z[k];
        }
        length = sqrt(length);
        for (int k = 0; k < 2; ++k) {
            double reach = r->pyramid ? fabs(z[k]) : length;
            out[1 + k] = reach <= bound && bound > 0
                             ? s->w[3 * i + 1 + k]
                             : x[3 * i + 1 + k] - (reach > 0 ? bound * z[k] / reach : 0);
        }
        for (int k = 0; k < 3; ++k)
            sum += out[k] * out[k];
    }
    return sqrt(sum);
}

// Copies a row of G + eps I into the matrix, times a factor.
static void put_gram(newton *s, int row, double factor, double eps)
{
    double *out = s->matrix + (size_t)row * (size_t)s->rows;
    const double *in = s->gram + (size_t)row * (size_t)s->rows;
    for (int j = 0; j < s->rows; ++j)
        out[j] += factor * in[j];
    out[row] += factor * eps;
}

// A contact that slips: d x_t - mu q d x_n - (r/|z|) (1 - q q^T) (d x_t - G d x), q = z/|z|.
static void put_slip(newton *s, int i, const double z[2], double length, double bound)
{
    double q[2] = { z[0] / length, z[1] / length }, ratio = bound / length;
    size_t n = (size_t)s->rows;
    const double *g = s->gram + (size_t)(3 * i + 1) * n;
    for (int k = 0; k < 2; ++k) {
        double *out = s->matrix + (size_t)(3 * i + 1 + k) * n;
        double across[2] = { (k == 0) - q[k] * q[0], (k == 1) - q[k] * q[1] };
        for (size_t j = 0; j < n; ++j)
            out[j] = ratio * (across[0] * g[j] + across[1] * g[n + j]);
        out[3 * i + 1] += (k == 0) - ratio * across[0];
        out[3 * i + 2] += (k == 1) - ratio * across[1];
        if (bound > 0)
            out[3 * i] -= bound_factor(s->r, i) * q[k];
    }
}

static void put_tangential(newton *s, int i, double eps)
{
    const carom_friction_state *r = s->r;
    int row = 3 * i + 1;
    double bound = bound_factor(r, i) * fmax(s->x[3 * i], 0);
    double z[2] = { s->x[row] - s->w[row], s->x[row + 1] - s->w[row + 1] };
    double length = sqrt(z[0] * z[0] + z[1] * z[1]);
    if (!r->pyramid && length > bound && bound > 0) {
        put_slip(s, i, z, length, bound);
        return;
    }
    for (int k = 0; k < 2; ++k) {
        double *out = s->matrix + (size_t)(row + k) * (size_t)s->rows;
        if (bound > 0 && (!r->pyramid || fabs(z[k]) <= bound)) {
            put_gram(s, row + k, 1, eps);
            continue;
        }
        out[row + k] = 1;
        if (bound > 0)
            out[3 * i] = -bound_factor(r, i) * (z[k] > 0 ? 1 : -1);
    }
}

static void assemble(newton *s, double eps)
{
    size_t n = (size_t)s->rows;
    memset(s->matrix, 0, n * n * sizeof *s->matrix);
    s->norm = evaluate(s, s->x, s->y);
    for (int i = 0; i < s->r->n; ++i) {
        double excess;
        if (pressed(s, s->x, i, &excess))
            put_gram(s, 3 * i, 1, eps);
        else
            s->matrix[(size_t)(3 * i) * n + (size_t)(3 * i)] = 1;
        put_tangential(s, i, eps);
    }
}

// residual <- matrix^-1 residual by Gauss with row exchanges; false where the matrix is singular.
static bool solve(newton *s)
{
    int n = s->rows;
    double *b = s->residual;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(s->matrix[(size_t)i * (size_t)n + (size_t)k]) >
                fabs(s->matrix[(size_t)best * (size_t)n + (size_t)k]))
                best = i;
        double *pivot = s->matrix + (size_t)k * (size_t)n;
        double *other = s->matrix + (size_t)best * (size_t)n;
        for (int j = k; j < n && best != k; ++j) {
            double kept = pivot[j];
            pivot[j] = other[j];
            other[j] = kept;
        }
        double kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        if (!(fabs(pivot[k]) > 1e-30))
            return false;
        for (int i = k + 1; i < n; ++i) {
            double *row = s->matrix + (size_t)i * (size_t)n;
            double factor = row[k] / pivot[k];
            if (factor == 0)
                continue;
            for (int j = k + 1; j < n; ++j)
                row[j] -= factor * pivot[j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        const double *row = s->matrix + (size_t)k * (size_t)n;
        for (int j = k + 1; j < n; ++j)
            b[k] -= row[j] * b[j];
        b[k] /= row[k];
    }
    return true;
}

// Moves x and y by a multiple of the step.
static void shift(newton *s, double factor, const double *step)
{
    for (int row = 0; row < s->rows; ++row) {
        double change = factor * step[row];
        s->x[row] += change;
        carom_lcp_row_add(&s->r->jacobian.rows, row,
                          change / (root(s->r, row) * s->r->jacobian.scale[row]), s->y);
    }
}

// One attempt from the best point: with full steps, which may pass through worse points (the method
// is then an active-set method that often ends exactly), or with steps that always improve.
static void run(newton *s, bool full, double eps, double tolerance, int *steps)
{
    carom_friction_state *r = s->r;
    for (int row = 0; row < s->rows; ++row)
        s->x[row] = r->p[row] * root(r, row);
    memcpy(s->y, r->y, (size_t)r->jacobian.rows.width * sizeof *s->y);
    for (int step = 0; step < STEPS && s->best > tolerance; ++step) {
        ++*steps;
        assemble(s, eps);
        if (!solve(s) || !advance(s, full))
            return;
    }
}

// Full steps may pass through impulses far larger than the result; their round-off in y would stay.
static void refresh(newton *s)
{
    double now = 0;
    for (int row = 0; row < s->rows; ++row)
        now = fmax(now, fabs(s->x[row]));
    s->visited = fmax(s->visited, now);
    if (s->visited <= 16 * now)
        return;
    s->visited = now;
    memset(s->y, 0, (size_t)s->r->jacobian.rows.width * sizeof *s->y);
    for (int row = 0; row < s->rows; ++row)
        carom_lcp_row_add(&s->r->jacobian.rows, row,
                          s->x[row] / (root(s->r, row) * s->r->jacobian.scale[row]), s->y);
}

static void keep(newton *s)
{
    carom_friction_state *r = s->r;
    for (int row = 0; row < s->rows; ++row)
        r->p[row] = s->x[row] / root(r, row);
    memcpy(r->y, s->y, (size_t)r->jacobian.rows.width * sizeof *s->y);
    s->best = s->norm;
}

// Takes the full step, or the longest of the halved steps that lowers |R|.
static bool advance(newton *s, bool full)
{
    double before = s->norm, *step = s->matrix; // the matrix is used up: its first row keeps a copy
    memcpy(step, s->residual, (size_t)s->rows * sizeof *step);
    for (int halving = 0; halving < (full ? 1 : HALVINGS); ++halving) {
        shift(s, halving == 0 ? -1 : ldexp(1, -halving), step);
        refresh(s);
        s->norm = evaluate(s, s->x, s->y);
        if (s->norm < s->best)
            keep(s);
        if (s->norm < before)
            return true;
    }
    return full && isfinite(s->norm);
}

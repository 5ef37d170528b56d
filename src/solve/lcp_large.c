// Iterative LCP for many rows, matrix-free; see lcp.h.
//
// MPRGP, modified proportioning with reduced gradient projections (Dostal and Schoberl, Comput.
// Optim. Appl. 30, 2005), on min 1/2 |A^T x|^2 - b.x, x >= 0. Symbols of that paper: g gradient,
// phi free gradient (g where x > 0), beta chopped gradient (min(g, 0) where x = 0), alpha_f the
// longest feasible step along the conjugate direction p. While beta is small beside phi, conjugate
// gradients on the free rows, with one projected gradient step of length alpha_bar wherever a step
// leaves the feasible set; else a step along beta. Its error bound does not depend on the order of
// the rows; sums run in row order.
#include "solve/lcp.h"

#include <math.h>
#include <string.h>
#include "solve/dot.h"

typedef struct large {
    const carom_lcp_problem *problem;
    double *x, *g, *p, *wp;         // per row
    double *y, *yp;                 // per column: A^T x, A^T p
    double *kept, *kept_g, *kept_y; // x, g, y before a trial
    double alpha_bar, tolerance;
    double beta2, reduced; // |beta|^2, reduced phi . phi
    double residual;       // max |min(x, g)|
    int each;              // entries per row, 0 where they differ
    int products, cap;
} large;

static carom_status large_init(large *s, const carom_lcp_problem *problem, carom_arena *scratch,
                               carom_error *err);
static carom_status step_bound(const carom_lcp_rows *rows, carom_arena *scratch, double *bound,
                               carom_error *err);
static void gradient(large *s);
static void assess(large *s);
static void start_direction(large *s);
static bool conjugate_step(large *s);
static bool proportioning_step(large *s);
static void scale_to_balance(large *s);

// Entries per row if all rows have the same number, else 0. Loops of known length run faster; the
// sums are the same.
static int entries_per_row(const carom_lcp_rows *rows)
{
    int each = rows->count > 0 ? rows->first[1] - rows->first[0] : 0;
    for (int i = 1; i < rows->count; ++i)
        if (rows->first[i + 1] - rows->first[i] != each)
            return 0;
    return each;
}

static inline double row_dot(const carom_lcp_rows *rows, int i, int each, const double *y)
{
    if (each == 0)
        return carom_lcp_row_dot(rows, i, y);
    const double *value = rows->value + (size_t)i * (size_t)each;
    const int *column = rows->column + (size_t)i * (size_t)each;
    double sum = 0;
    for (int k = 0; k < each; ++k)
        sum += value[k] * y[column[k]];
    return sum;
}

static inline void row_add(const carom_lcp_rows *rows, int i, int each, double s, double *y)
{
    if (each == 0) {
        carom_lcp_row_add(rows, i, s, y);
        return;
    }
    const double *value = rows->value + (size_t)i * (size_t)each;
    const int *column = rows->column + (size_t)i * (size_t)each;
    for (int k = 0; k < each; ++k)
        y[column[k]] += s * value[k];
}

// Balls in the plane and in space, and everything else.
#define WITH_LENGTH(each, call)                                                                    \
    do {                                                                                           \
        if ((each) == 4)                                                                           \
            call(4);                                                                               \
        else if ((each) == 6)                                                                      \
            call(6);                                                                               \
        else                                                                                       \
            call(each);                                                                            \
    } while (0)

static inline void multiply_by(const carom_lcp_rows *rows, int each, const double *y, double *out)
{
    for (int i = 0; i < rows->count; ++i)
        out[i] = row_dot(rows, i, each, y);
}

static void multiply(const carom_lcp_rows *rows, int each, const double *y, double *out)
{
#define CALL(length) multiply_by(rows, length, y, out)
    WITH_LENGTH(each, CALL);
#undef CALL
}

static inline void add_by(const carom_lcp_rows *rows, int each, const double *x, double *y)
{
    for (int i = 0; i < rows->count; ++i)
        if (x[i] != 0)
            row_add(rows, i, each, x[i], y);
}

static void multiply_transposed(const carom_lcp_rows *rows, int each, const double *x, double *y)
{
    memset(y, 0, (size_t)rows->width * sizeof *y);
#define CALL(length) add_by(rows, length, x, y)
    WITH_LENGTH(each, CALL);
#undef CALL
}

static double largest(const double *a, int count)
{
    double max = 0;
    for (int i = 0; i < count; ++i)
        max = fmax(max, fabs(a[i]));
    return max;
}

carom_status carom_lcp_large_solve(const carom_lcp_problem *problem, double tolerance, int cap,
                                   carom_arena *scratch, double *x, double *y,
                                   carom_lcp_report *report, carom_error *err)
{
    enum { EVERY = 16 }; // products between questions
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    int n = problem->rows.count;
    double size = largest(problem->b, n);
    large s = { .x = x, .y = y, .tolerance = tolerance * size, .cap = cap };
    TRY(large_init(&s, problem, scratch, err));
    start_direction(&s);
    while (s.residual > s.tolerance && s.products < s.cap) {
        bool moved = s.beta2 <= s.reduced ? conjugate_step(&s) : proportioning_step(&s);
        if (!moved)
            break; // a direction without curvature and without end: the rows contradict each other
        if (s.products % EVERY == 0)
            TRY(carom_progress_report(problem->progress, s.products, s.cap, "complementarity",
                                      err));
    }
    scale_to_balance(&s);
    *report = (carom_lcp_report){ .pivots = s.products,
                                  .residual = size > 0 ? s.residual / size : s.residual };
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status large_init(large *s, const carom_lcp_problem *problem, carom_arena *scratch,
                               carom_error *err)
{
    int n = problem->rows.count, m = problem->rows.width;
    double bound;
    s->problem = problem;
    s->each = entries_per_row(&problem->rows);
    TAKE(scratch, s->g, n, err);
    TAKE(scratch, s->p, n, err);
    TAKE(scratch, s->wp, n, err);
    TAKE(scratch, s->yp, m, err);
    TAKE(scratch, s->kept, n, err);
    TAKE(scratch, s->kept_g, n, err);
    TAKE(scratch, s->kept_y, m, err);
    TRY(step_bound(&problem->rows, scratch, &bound, err));
    s->alpha_bar = 1.9 / bound;
    memset(s->x, 0, (size_t)n * sizeof *s->x);
    gradient(s);
    return CAROM_OK;
}

// An upper bound of the largest eigenvalue of A A^T: sharing every column among its rows
// (the Cauchy-Schwarz inequality column by column) gives max_i sum_k count_k a_ik^2.
static carom_status step_bound(const carom_lcp_rows *rows, carom_arena *scratch, double *bound,
                               carom_error *err)
{
    int *count;
    *bound = 1;
    TAKE_ZEROS(scratch, count, rows->width, err);
    for (int k = 0; k < rows->first[rows->count]; ++k)
        ++count[rows->column[k]];
    for (int i = 0; i < rows->count; ++i) {
        double sum = 0;
        for (int k = rows->first[i]; k < rows->first[i + 1]; ++k)
            sum += count[rows->column[k]] * rows->value[k] * rows->value[k];
        *bound = fmax(*bound, sum);
    }
    return CAROM_OK;
}

// y = A^T x, g = A y - b from scratch.
static void gradient(large *s)
{
    multiply_transposed(&s->problem->rows, s->each, s->x, s->y);
    multiply(&s->problem->rows, s->each, s->y, s->g);
    for (int i = 0; i < s->problem->rows.count; ++i)
        s->g[i] -= s->problem->b[i];
    ++s->products;
    assess(s);
}

static void assess(large *s)
{
    double beta2 = 0, reduced = 0, residual = 0, steepness = 1 / s->alpha_bar;
    for (int i = 0; i < s->problem->rows.count; ++i) {
        double x = s->x[i], g = s->g[i], min = x < g ? x : g;
        double cut = x * steepness < g ? x * steepness : g, low = g < 0 ? g : 0;
        reduced += x > 0 ? g * cut : 0;
        beta2 += x > 0 ? 0 : low * low;
        residual = fabs(min) > residual ? fabs(min) : residual;
    }
    s->beta2 = beta2;
    s->reduced = reduced;
    s->residual = residual;
}

static void start_direction(large *s)
{
    for (int i = 0; i < s->problem->rows.count; ++i)
        s->p[i] = s->x[i] > 0 ? s->g[i] : 0;
}

// The product for the direction p; returns p.W p.
static double apply_direction(large *s)
{
    multiply_transposed(&s->problem->rows, s->each, s->p, s->yp);
    multiply(&s->problem->rows, s->each, s->yp, s->wp);
    ++s->products;
    return dot_quick(s->yp, s->yp, s->problem->rows.width);
}

static void move(large *s, double alpha)
{
    for (int i = 0; i < s->problem->rows.count; ++i) {
        double x = s->x[i] - alpha * s->p[i];
        s->x[i] = x > 0 ? x : 0;
        s->g[i] -= alpha * s->wp[i];
    }
    for (int k = 0; k < s->problem->rows.width; ++k)
        s->y[k] -= alpha * s->yp[k];
}

// 1/2 |y|^2 - b.x = 1/2 (g - b).x
static double value(const large *s)
{
    double sum = 0;
    for (int i = 0; i < s->problem->rows.count; ++i)
        sum += (s->g[i] - s->problem->b[i]) * s->x[i];
    return 0.5 * sum;
}

// The full conjugate step cut at the bounds lets many rows leave at once (Kruzik et al. 2020); it
// is taken only where it lowers the value.
static bool projected_step(large *s, double alpha)
{
    int n = s->problem->rows.count;
    double before = value(s);
    memcpy(s->kept, s->x, (size_t)n * sizeof *s->x);
    for (int i = 0; i < n; ++i)
        s->x[i] = fmax(s->x[i] - alpha * s->p[i], 0);
    memcpy(s->kept_g, s->g, (size_t)n * sizeof *s->g);
    memcpy(s->kept_y, s->y, (size_t)s->problem->rows.width * sizeof *s->y);
    gradient(s);
    if (value(s) < before) {
        start_direction(s);
        return true;
    }
    memcpy(s->x, s->kept, (size_t)n * sizeof *s->x);
    memcpy(s->g, s->kept_g, (size_t)n * sizeof *s->g);
    memcpy(s->y, s->kept_y, (size_t)s->problem->rows.width * sizeof *s->y);
    return false;
}

static bool stays_inside(const large *s, double alpha)
{
    int outside = 0;
    for (int i = 0; i < s->problem->rows.count; ++i)
        outside |= s->x[i] < alpha * s->p[i];
    return !outside;
}

static inline double move_by(large *s, int each, double alpha)
{
    double along = 0;
    for (int i = 0; i < s->problem->rows.count; ++i) {
        double wp = row_dot(&s->problem->rows, i, each, s->yp), x = s->x[i] - alpha * s->p[i];
        s->g[i] -= alpha * wp;
        s->x[i] = x > 0 ? x : 0;
        along += x > 0 ? s->g[i] * wp : 0;
    }
    return along;
}

// The conjugate step inside the bounds, without keeping W p; returns phi . W p.
static double move_along(large *s, double alpha)
{
    double along;
    for (int k = 0; k < s->problem->rows.width; ++k)
        s->y[k] -= alpha * s->yp[k];
#define CALL(length) along = move_by(s, length, alpha)
    WITH_LENGTH(s->each, CALL);
#undef CALL
    return along;
}

// p = phi - along p, and what assess measures.
static void next_direction(large *s, double along)
{
    for (int i = 0; i < s->problem->rows.count; ++i)
        s->p[i] = (s->x[i] > 0 ? s->g[i] : 0) - along * s->p[i];
    assess(s);
}

static bool conjugate_step(large *s)
{
    int n = s->problem->rows.count;
    multiply_transposed(&s->problem->rows, s->each, s->p, s->yp);
    double curvature = dot_quick(s->yp, s->yp, s->problem->rows.width),
           slope = dot_quick(s->g, s->p, n);
    double alpha = curvature > 0 ? slope / curvature : HUGE_VAL;
    ++s->products;
    if (isfinite(alpha) && stays_inside(s, alpha)) {
        next_direction(s, move_along(s, alpha) / curvature);
        return true;
    }
    multiply(&s->problem->rows, s->each, s->yp, s->wp);
    double feasible = HUGE_VAL;
    for (int i = 0; i < n; ++i)
        if (s->p[i] > 0)
            feasible = fmin(feasible, s->x[i] / s->p[i]);
    if (isinf(feasible))
        return false;
    if (isfinite(alpha) && projected_step(s, alpha))
        return true;
    move(s, feasible);
    for (int i = 0; i < n; ++i)
        if (s->x[i] > 0)
            s->x[i] = fmax(s->x[i] - s->alpha_bar * s->g[i], 0);
    gradient(s);
    start_direction(s);
    return true;
}

static bool proportioning_step(large *s)
{
    int n = s->problem->rows.count;
    for (int i = 0; i < n; ++i)
        s->p[i] = s->x[i] <= 0 ? fmin(s->g[i], 0) : 0;
    double curvature = apply_direction(s);
    if (!(curvature > 0))
        return false;
    move(s, dot_quick(s->g, s->p, n) / curvature);
    assess(s);
    start_direction(s);
    return true;
}

static void scale_to_balance(large *s)
{
    const carom_lcp_problem *problem = s->problem;
    int n = problem->rows.count;
    multiply_transposed(&problem->rows, s->each, s->x, s->y);
    double square = dot_quick(s->y, s->y, problem->rows.width),
           push = dot_quick(problem->b, s->x, n);
    double factor = square > 0 && push > 0 ? push / square : 1;
    for (int i = 0; i < n; ++i)
        s->x[i] *= factor;
    gradient(s);
}

// min |M u - f| from u = 0 by CGLS, M = A or A^T; the least-norm solution of the normal equations.
typedef struct cgls {
    const carom_lcp_rows *rows;
    bool transposed;
    double *u, *r, *q, *s, *p;
    carom_progress_stop *stop;
    int iterations; // of all runs
} cgls;

static carom_status cgls_run(cgls *c, double tolerance, int cap, carom_error *err)
{
    const carom_lcp_rows *rows = c->rows;
    int in = c->transposed ? rows->count : rows->width, end = c->iterations + cap;
    int out = c->transposed ? rows->width : rows->count;
    void (*forth)(const carom_lcp_rows *, int, const double *, double *) =
        c->transposed ? multiply_transposed : multiply;
    void (*back)(const carom_lcp_rows *, int, const double *, double *) =
        c->transposed ? multiply : multiply_transposed;
    memset(c->u, 0, (size_t)in * sizeof *c->u);
    back(rows, 0, c->r, c->s);
    memcpy(c->p, c->s, (size_t)in * sizeof *c->p);
    double gamma = dot_quick(c->s, c->s, in), stop = tolerance * tolerance * gamma;
    while (gamma > stop && c->iterations < end) {
        ++c->iterations;
        if (c->stop)
            TRY(carom_progress_spend(c->stop, (int64_t)in + out, "impact", err));
        forth(rows, 0, c->p, c->q);
        double length = dot_quick(c->q, c->q, out);
        if (!(length > 0))
            break;
        double alpha = gamma / length;
        for (int i = 0; i < in; ++i)
            c->u[i] += alpha * c->p[i];
        for (int i = 0; i < out; ++i)
            c->r[i] -= alpha * c->q[i];
        back(rows, 0, c->r, c->s);
        double next = dot_quick(c->s, c->s, in), ratio = next / gamma;
        for (int i = 0; i < in; ++i)
            c->p[i] = c->s[i] + ratio * c->p[i];
        gamma = next;
    }
    return CAROM_OK;
}

carom_status carom_lcp_large_pseudo(const carom_lcp_problem *problem, double tolerance, int cap,
                                    carom_arena *scratch, double *x, double *y,
                                    carom_lcp_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    const carom_lcp_rows *rows = &problem->rows;
    int n = rows->count, m = rows->width, max = n > m ? n : m;
    cgls c = { .rows = rows, .stop = problem->stop };
    TAKE(scratch, c.r, max, err);
    TAKE(scratch, c.q, max, err);
    TAKE(scratch, c.s, max, err);
    TAKE(scratch, c.p, max, err);
    memcpy(c.r, problem->b, (size_t)n * sizeof *c.r);
    c.u = y;
    TRY(cgls_run(&c, tolerance, cap, err));
    memcpy(c.r, y, (size_t)m * sizeof *c.r);
    c.u = x;
    c.transposed = true;
    TRY(cgls_run(&c, tolerance, cap, err));
    double size = largest(y, m);
    *report = (carom_lcp_report){ .pivots = c.iterations,
                                  .residual = size > 0 ? largest(c.r, m) / size : 0 };
    multiply_transposed(rows, 0, x, y);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

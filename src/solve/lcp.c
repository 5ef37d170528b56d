// Exact solution of a symmetric positive semidefinite LCP; see lcp.h.
//
// The dual active-set method of Goldfarb and Idnani (Math. Programming 27, 1983) for the point
// nearest to the origin. P is the list of active rows, always independent; x_P > 0, A_P y = b_P.
// The most violated row j is brought in: a_j = A_P^T r + z with z orthogonal to P, and along
// (x_P - t r, x_j + t, y + t z) the violation falls by t |z|^2. The step ends where row j is met
// (t = violation / |z|^2; j joins P) or where some x_P reaches 0 (that row leaves P, and the step
// goes on). If z = 0 and nothing blocks, the rows contradict each other.
//
// Rows that are equations come first; their x may have any sign (the step goes backwards where the
// row is exceeded) and never blocks.
//
// |y| grows with every completed step, so no P comes twice and the method is finite; a cap guards
// against round-off. y is unique, hence the result does not depend on the order of the rows beyond
// round-off, and the least norm (lcp_norm.c) makes x unique too.
#include "solve/lcp.h"

#include <math.h>
#include <string.h>

// State of one solve. x, slackness and the like run over all rows; r over the active ones.
typedef struct solve {
    const carom_lcp_problem *problem;
    carom_lcp_factor factor;
    bool *active;
    bool *muted; // depends on the active rows and is met by them up to their noise
    double *x, *y, *b;
    double *r, *z, *edge, *packed;
    int pivots, cap;
    carom_status status; // not CAROM_OK: somebody stopped it, as `err` says
    carom_error *err;
} solve;

typedef enum step_end { STEP_JOINED, STEP_MUTED, STEP_CONTRADICTION, STEP_CAP } step_end;

// Violations below this times the size of the terms of a row are round-off.
static const double ROUND_OFF = 4e-15;

static carom_status solve_init(solve *s, const carom_lcp_problem *problem, carom_arena *scratch,
                               double *x, double *y, carom_error *err);
static bool iterate(solve *s);
static int most_violated(const solve *s);
static step_end bring_in(solve *s, int j);
static bool polish(solve *s);
static carom_status relax(solve *s, carom_arena *scratch, carom_error *err);
static double measure(const carom_lcp_problem *problem, const double *x, const double *y);

carom_status carom_lcp_solve(const carom_lcp_problem *problem, carom_arena *scratch, double *x,
                             double *y, carom_lcp_report *report, carom_error *err)
{
    TRY(carom_lcp_basic(problem, scratch, x, y, report, err));
    return carom_lcp_norm_least(problem, scratch, x, y, err);
}

carom_status carom_lcp_basic(const carom_lcp_problem *problem, carom_arena *scratch, double *x,
                             double *y, carom_lcp_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    solve s;
    TRY(solve_init(&s, problem, scratch, x, y, err));
    report->infeasible = !iterate(&s);
    TRY(s.status);
    if (report->infeasible && !problem->contradiction)
        TRY(relax(&s, scratch, err));
    report->pivots = s.pivots;
    report->rank = s.factor.size;
    report->residual = measure(problem, x, y);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status solve_init(solve *s, const carom_lcp_problem *problem, carom_arena *scratch,
                               double *x, double *y, carom_error *err)
{
    int n = problem->rows.count, m = problem->rows.width;
    int capacity = n < m ? n : m;
    *s = (solve){ .problem = problem, .x = x, .y = y, .cap = 20 * n + 100, .err = err };
    TRY(carom_lcp_factor_init(&s->factor, &problem->rows, capacity, scratch, err));
    TAKE_ZEROS(scratch, s->active, n, err);
    TAKE_ZEROS(scratch, s->muted, n, err);
    TAKE(scratch, s->b, n, err);
    TAKE(scratch, s->r, capacity, err);
    TAKE(scratch, s->edge, capacity, err);
    TAKE(scratch, s->packed, capacity, err);
    TAKE(scratch, s->z, m, err);
    memcpy(s->b, problem->b, (size_t)n * sizeof *x);
    memset(x, 0, (size_t)n * sizeof *x);
    memset(y, 0, (size_t)m * sizeof *y);
    return CAROM_OK;
}

// Returns false where rows contradict each other (or round-off never lets it end).
static bool iterate(solve *s)
{
    enum { EVERY = 32 }; // rows brought in between questions: n^2 each
    enum { DOUBTS_MAX = 3 };
    int doubts = 0;
    for (int brought = 1; s->pivots < s->cap; ++brought) {
        if (brought % EVERY == 0)
            s->status =
                carom_progress_report(s->problem->progress, s->pivots, s->cap, "pivots", s->err);
        if (s->status != CAROM_OK)
            return false;
        int j = most_violated(s);
        if (j < 0) {
            if (polish(s) && most_violated(s) < 0)
                return true;
            continue;
        }
        step_end end = bring_in(s, j);
        if (end == STEP_CONTRADICTION && s->problem->equality && doubts++ < DOUBTS_MAX) {
            s->x[j] = 0; // equations block nothing: see whether it was round-off of the steps
            polish(s);
            continue;
        }
        if (end == STEP_CONTRADICTION || end == STEP_CAP)
            return false;
    }
    return false;
}

static bool is_equation(const solve *s, int row)
{
    return s->problem->equality && s->problem->equality[row];
}

// The inactive row violated most beyond noise, an equation before all others, or -1.
static int most_violated(const solve *s)
{
    const carom_lcp_rows *rows = &s->problem->rows;
    int worst = -1;
    double min = 0;
    for (int i = 0; i < rows->count; ++i) {
        if (s->active[i] || s->muted[i])
            continue;
        double sum = 0, size = 0;
        for (int k = rows->first[i]; k < rows->first[i + 1]; ++k) {
            double term = rows->value[k] * s->y[rows->column[k]];
            sum += term;
            size += fabs(term);
        }
        double noise = ROUND_OFF * (size + fabs(s->b[i]));
        double w = sum - s->b[i] + noise + (s->problem->slack ? s->problem->slack[i] : 0);
        if (is_equation(s, i))
            return i;
        if (w < min) {
            min = w;
            worst = i;
        }
    }
    return worst;
}

static void drop(solve *s, int position)
{
    int row = s->factor.row[position];
    s->active[row] = false;
    s->x[row] = 0;
    memset(s->muted, 0, (size_t)s->problem->rows.count * sizeof *s->muted);
    carom_lcp_factor_remove(&s->factor, position);
}

// A row a_j = A_P^T r sees a_j.y = r.b_P: what round-off in b and y can make of that. Large r (a
// flat corner of the polyhedron) amplifies it.
static double noise_of_split(const solve *s, int j, double length)
{
    const carom_lcp_rows *rows = &s->problem->rows;
    double size = fabs(s->b[j]), square = 0;
    for (int k = 0; k < s->factor.size; ++k)
        size += fabs(s->r[k] * s->b[s->factor.row[k]]);
    for (int k = 0; k < rows->width; ++k)
        square += s->y[k] * s->y[k];
    return ROUND_OFF * size + length * sqrt(square);
}

// Row j is -A_P^T |r|: it and the rows with r != 0 are in balance.
static void blame(solve *s, int j)
{
    const double part = 1e-8; // of the largest: round-off, amplified by flat corners
    double largest = 0;
    if (!s->problem->contradiction)
        return;
    for (int k = 0; k < s->factor.size; ++k)
        largest = fmax(largest, fabs(s->r[k]));
    for (int i = 0; i < s->problem->rows.count; ++i)
        s->problem->contradiction[i] = i == j;
    for (int k = 0; k < s->factor.size; ++k)
        if (fabs(s->r[k]) > part * largest)
            s->problem->contradiction[s->factor.row[k]] = true;
}

static step_end bring_in(solve *s, int j)
{
    const carom_lcp_rows *rows = &s->problem->rows;
    carom_lcp_factor *factor = &s->factor;
    for (; s->pivots < s->cap; ++s->pivots) {
        double length = carom_lcp_factor_split(factor, j, s->r, s->z, s->edge);
        bool dependent = length <= CAROM_LCP_DEPENDENT || factor->size == factor->stride;
        double missing = s->b[j] - carom_lcp_row_dot(rows, j, s->y);
        double sign = is_equation(s, j) && missing < 0 ? -1 : 1,
               violation = fmax(sign * missing, 0);
        if (dependent && s->x[j] == 0 && violation <= noise_of_split(s, j, length)) {
            s->muted[j] = true;
            return STEP_MUTED;
        }
        double t = dependent ? HUGE_VAL : violation / (length * length);
        int blocking = -1;
        for (int k = 0; k < factor->size; ++k) {
            double fall = sign * s->r[k];
            double limit = fall > 1e-13 ? s->x[factor->row[k]] / fall : HUGE_VAL;
            if (limit < t && !is_equation(s, factor->row[k])) {
                t = limit;
                blocking = k;
            }
        }
        if (isinf(t)) {
            blame(s, j);
            return STEP_CONTRADICTION;
        }
        for (int k = 0; k < factor->size; ++k)
            s->x[factor->row[k]] -= sign * t * s->r[k];
        s->x[j] += sign * t;
        for (int k = 0; k < rows->width && !dependent; ++k)
            s->y[k] += sign * t * s->z[k];
        if (blocking < 0) {
            carom_lcp_factor_append(factor, j, s->edge, length);
            s->active[j] = true;
            ++s->pivots;
            return STEP_JOINED;
        }
        drop(s, blocking);
    }
    return STEP_CAP;
}

// Recomputes x and y from the final list, to round-off. Rows that the better x shows to carry
// nothing leave the list; returns false if there were any.
static bool polish(solve *s)
{
    carom_lcp_factor *factor = &s->factor;
    double largest = 0;
    for (int k = 0; k < factor->size; ++k)
        s->packed[k] = s->x[factor->row[k]];
    carom_lcp_factor_refine(factor, s->b, s->packed, s->y, s->r);
    for (int k = 0; k < factor->size; ++k)
        largest = fmax(largest, fabs(s->packed[k]));
    bool clean = true;
    for (int k = factor->size - 1; k >= 0; --k) {
        s->x[factor->row[k]] = s->packed[k];
        if (s->packed[k] > 0 || is_equation(s, factor->row[k]))
            continue;
        clean = clean && s->packed[k] >= -1e-15 * largest;
        drop(s, k);
        ++s->pivots;
    }
    return clean;
}

// Least-squares violation: every row gets a private direction of length eta, in which it can give
// way at the price 1/eta^2; what it gives way, eta^2 x, is then taken off b.
static carom_status relax(solve *s, carom_arena *scratch, carom_error *err)
{
    static const double eta = 1e-3;
    const carom_lcp_rows *rows = &s->problem->rows;
    int n = rows->count, entries = rows->first[n], *first, *column;
    double *value, *wide;
    TAKE(scratch, first, n + 1, err);
    TAKE(scratch, column, entries + n, err);
    TAKE(scratch, value, entries + n, err);
    TAKE(scratch, wide, rows->width + n, err);
    for (int i = 0; i <= n; ++i)
        first[i] = rows->first[i] + i;
    for (int i = 0; i < n; ++i) {
        int count = rows->first[i + 1] - rows->first[i];
        memcpy(column + first[i], rows->column + rows->first[i], (size_t)count * sizeof *column);
        memcpy(value + first[i], rows->value + rows->first[i], (size_t)count * sizeof *value);
        column[first[i] + count] = rows->width + i;
        value[first[i] + count] = eta;
    }
    carom_lcp_problem softer = *s->problem;
    softer.rows = (carom_lcp_rows){ n, rows->width + n, first, column, value };
    solve soft;
    TRY(solve_init(&soft, &softer, scratch, s->x, wide, err));
    (void)iterate(&soft); // rows with private directions never contradict each other
    TRY(soft.status);
    double *b = s->b, largest = 0;
    for (int i = 0; i < n; ++i)
        largest = fmax(largest, fabs(b[i]));
    for (int i = 0; i < n; ++i)
        b[i] -= eta * eta * s->x[i] + 1e-9 * largest;
    double *x = s->x, *y = s->y;
    int pivots = s->pivots + soft.pivots;
    TRY(solve_init(s, s->problem, scratch, x, y, err));
    memcpy(s->b, b, (size_t)n * sizeof *b);
    if (!iterate(s)) { // round-off only: stay with what moves the bodies least
        memset(x, 0, (size_t)n * sizeof *x);
        memset(y, 0, (size_t)rows->width * sizeof *y);
        s->factor.size = 0;
    }
    s->pivots += pivots;
    return s->status;
}

static double measure(const carom_lcp_problem *problem, const double *x, const double *y)
{
    double worst = 0, size = 0;
    for (int i = 0; i < problem->rows.count; ++i) {
        double w = carom_lcp_row_dot(&problem->rows, i, y) - problem->b[i];
        double slack = problem->slack ? problem->slack[i] : 0;
        bool equation = problem->equality && problem->equality[i];
        worst = fmax(worst, fabs(equation ? w : fmin(x[i], w)) - slack);
        size = fmax(size, fabs(problem->b[i]));
    }
    return size > 0 ? worst / size : worst;
}

// Goldfarb and Idnani's dual method (Mathematical Programming 27, 1983) for the least-distance form
//
//     min 1/2 |z|^2,  a_r z >= b_r,   z = M^(1/2) y,  a_r = M^(-1/2) g_r.
//
// J is orthogonal, its first `count` columns span the active rows: J^T [a_active] = [R; 0], R upper
// triangular. For a new row a: d = J^T a, the step in z is J2 d2 and the multipliers of the active
// rows change by -R^-1 d1. A row that depends on the active ones has d2 = 0: then only multipliers
// move until one of them blocks and leaves. Every full step raises the dual objective, so no active
// set comes twice; the bound on the number of steps guards against round-off only.
#include "solve/qp_active.h"
#include <math.h>
#include <string.h>

typedef struct active {
    const carom_qp *qp;
    int n;        // variables
    int count;    // active rows
    double *root; // weight^(1/2)
    double *z;
    double *J, *R; // n x n, column by column
    double *d, *r; // J^T a and R^-1 d1
    double *a;     // the row being added, scaled
    double *norm;  // |a_r|
    int *set;      // active rows, in order
    double *u;     // their multipliers
    bool *in;
    int *skip; // the stamp at which a row was found to hold through the others
    int stamp; // counts changes of the active set
} active;

static const double DEPENDENT = 1e-11; // |d2|/|a| below this: the row depends on the active ones

static carom_status prepare(active *p, carom_arena *scratch, carom_error *err)
{
    size_t n = (size_t)p->n, rows = (size_t)p->qp->rows;
    TAKE(scratch, p->root, n, err);
    TAKE_ZEROS(scratch, p->z, n, err);
    TAKE_ZEROS(scratch, p->J, n * n, err);
    TAKE_ZEROS(scratch, p->R, n * n, err);
    TAKE(scratch, p->d, n, err);
    TAKE(scratch, p->r, n, err);
    TAKE(scratch, p->a, n, err);
    TAKE(scratch, p->norm, rows, err);
    TAKE(scratch, p->set, n + 1, err);
    TAKE(scratch, p->u, n + 1, err);
    TAKE_ZEROS(scratch, p->in, rows, err);
    TAKE_ZEROS(scratch, p->skip, rows, err);
    for (size_t i = 0; i < n; ++i) {
        p->root[i] = sqrt(p->qp->weight[i]);
        p->J[i * n + i] = 1;
    }
    for (size_t r = 0; r < rows; ++r) {
        const carom_qp_row *row = &p->qp->row[r];
        double square = 0;
        for (int k = 0; k < row->count; ++k)
            for (int c = 0; c < 3; ++c) {
                double v = row->value[k][c] / p->root[3 * row->block[k] + c];
                square += v * v;
            }
        p->norm[r] = sqrt(square);
    }
    return CAROM_OK;
}

static double row_times(const active *p, int r)
{
    const carom_qp_row *row = &p->qp->row[r];
    double sum = 0;
    for (int k = 0; k < row->count; ++k)
        for (int c = 0; c < 3; ++c) {
            int i = 3 * row->block[k] + c;
            sum += row->value[k][c] * p->z[i] / p->root[i];
        }
    return sum;
}

// The equality or inequality that is violated most (equalities first); -1 when all hold.
static int most_violated(const active *p, double tolerance, double *violation)
{
    int best = -1;
    double worst = tolerance;
    for (int r = 0; r < p->qp->rows; ++r) {
        const carom_qp_row *row = &p->qp->row[r];
        if (p->in[r] || p->norm[r] == 0 || p->skip[r] == p->stamp)
            continue;
        double gap = row->bound - row_times(p, r);
        if (row->equality) {
            *violation = gap;
            return r;
        }
        if (gap / p->norm[r] > worst) {
            worst = gap / p->norm[r];
            best = r;
            *violation = gap;
        }
    }
    return best;
}

static void load_row(active *p, int r)
{
    const carom_qp_row *row = &p->qp->row[r];
    size_t n = (size_t)p->n;
    memset(p->a, 0, n * sizeof *p->a);
    memset(p->d, 0, n * sizeof *p->d);
    for (int k = 0; k < row->count; ++k)
        for (int c = 0; c < 3; ++c) {
            size_t i = 3 * (size_t)row->block[k] + (size_t)c;
            p->a[i] = row->value[k][c] / p->root[i];
        }
    for (size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < row->count; ++k)
            for (int c = 0; c < 3; ++c) {
                size_t i = 3 * (size_t)row->block[k] + (size_t)c;
                sum += p->J[j * n + i] * p->a[i];
            }
        p->d[j] = sum;
    }
}

// r = R^-1 d1
static void multiplier_direction(active *p)
{
    size_t n = (size_t)p->n;
    for (int i = p->count - 1; i >= 0; --i) {
        double sum = p->d[i];
        for (int j = i + 1; j < p->count; ++j)
            sum -= p->R[(size_t)j * n + (size_t)i] * p->r[j];
        p->r[i] = sum / p->R[(size_t)i * n + (size_t)i];
    }
}

// Turns columns i and i+1 of J so that (x, y) becomes (h, 0).
static double turn_columns(active *p, int i, double x, double y, double *c, double *s)
{
    size_t n = (size_t)p->n;
    double h = sqrt(x * x + y * y);
    *c = x / h;
    *s = y / h;
    double *first = p->J + (size_t)i * n, *second = first + n;
    for (size_t k = 0; k < n; ++k) {
        double f = first[k], g = second[k];
        first[k] = *c * f + *s * g;
        second[k] = *c * g - *s * f;
    }
    return h;
}

static void add_row(active *p, int r, double u)
{
    ++p->stamp;
    size_t n = (size_t)p->n;
    double c, s;
    for (int i = p->n - 2; i >= p->count; --i)
        if (p->d[i + 1] != 0) {
            p->d[i] = turn_columns(p, i, p->d[i], p->d[i + 1], &c, &s);
            p->d[i + 1] = 0;
        }
    memcpy(p->R + (size_t)p->count * n, p->d, ((size_t)p->count + 1) * sizeof *p->d);
    p->set[p->count] = r;
    p->u[p->count] = u;
    p->in[r] = true;
    ++p->count;
}

static void drop_row(active *p, int place)
{
    ++p->stamp;
    size_t n = (size_t)p->n;
    double c, s;
    p->in[p->set[place]] = false;
    for (int j = place + 1; j < p->count; ++j) {
        p->set[j - 1] = p->set[j];
        p->u[j - 1] = p->u[j];
        memcpy(p->R + (size_t)(j - 1) * n, p->R + (size_t)j * n, (size_t)(j + 1) * sizeof *p->R);
    }
    --p->count;
    for (int j = place; j < p->count; ++j) {
        double *column = p->R + (size_t)j * n;
        if (column[j + 1] == 0)
            continue;
        column[j] = turn_columns(p, j, column[j], column[j + 1], &c, &s);
        column[j + 1] = 0;
        for (int k = j + 1; k < p->count; ++k) {
            double *other = p->R + (size_t)k * n, f = other[j], g = other[j + 1];
            other[j] = c * f + s * g;
            other[j + 1] = c * g - s * f;
        }
    }
}

// The multiplier that reaches zero first when the new one grows; sets its place or -1.
static double blocking_step(const active *p, double sign, int *place)
{
    double step = HUGE_VAL;
    *place = -1;
    for (int j = 0; j < p->count; ++j) {
        if (p->qp->row[p->set[j]].equality || sign * p->r[j] <= 1e-14)
            continue;
        double reach = p->u[j] / (sign * p->r[j]);
        if (reach < step) {
            step = reach;
            *place = j;
        }
    }
    return step;
}

typedef enum progress { ADDED, DROPPED, CONTRADICTION } progress;

// Moves toward fulfilling row r as far as the multipliers allow. `u` is the multiplier of r so far.
static progress advance(active *p, int r, double violation, double *u)
{
    size_t n = (size_t)p->n;
    double sign = violation < 0 ? -1 : 1, free_part = 0;
    int place;
    multiplier_direction(p);
    for (int j = p->count; j < p->n; ++j)
        free_part += p->d[j] * p->d[j];
    bool dependent = sqrt(free_part) <= DEPENDENT * p->norm[r];
    double full = dependent ? HUGE_VAL : fabs(violation) / free_part;
    double block = blocking_step(p, sign, &place);
    double step = fmin(full, block);
    if (isinf(step))
        return CONTRADICTION;
    for (int j = 0; j < p->count; ++j)
        p->u[j] -= sign * step * p->r[j];
    *u += sign * step;
    if (!dependent)
        for (int j = p->count; j < p->n; ++j)
            for (size_t i = 0; i < n; ++i)
                p->z[i] += sign * step * p->d[j] * p->J[(size_t)j * n + i];
    if (full <= block) {
        add_row(p, r, *u);
        return ADDED;
    }
    drop_row(p, place);
    return DROPPED;
}

// A row that depends on the active ones and holds up to their round-off needs no multiplier;
// chasing its violation would empty the active set.
static bool already_holds(active *p, int r, double violation, double tolerance)
{
    double free_part = 0;
    for (int j = p->count; j < p->n; ++j)
        free_part += p->d[j] * p->d[j];
    return fabs(violation) <= tolerance * fmax(1, p->norm[r]) &&
           sqrt(free_part) <= DEPENDENT * p->norm[r];
}

static carom_status iterate(active *p, double scale, carom_qp_report *report, carom_error *err)
{
    const double tolerance = 1e-14 * scale;
    int budget = 20 * (p->n + p->qp->rows) + 100;
    double violation = 0;
    for (int r = most_violated(p, tolerance, &violation); r >= 0 && budget > 0;
         r = most_violated(p, tolerance, &violation)) {
        double u = 0;
        for (progress done = DROPPED; done == DROPPED && budget > 0; --budget) {
            ++report->iterations;
            load_row(p, r);
            if (already_holds(p, r, violation, 1e-10 * scale)) {
                p->skip[r] = p->stamp; // fulfilled through the others
                break;
            }
            done = advance(p, r, violation, &u);
            if (done == CONTRADICTION)
                return carom_error_set(err, CAROM_BAD_INPUT,
                                       "row %d of the quadratic program contradicts the others", r);
            violation = p->qp->row[r].bound - row_times(p, r);
        }
    }
    return budget > 0
               ? CAROM_OK
               : carom_error_set(err, CAROM_NOT_CONVERGED,
                                 "active set: %d steps did not end the search", report->iterations);
}

// u := (R^T R)^-1 b on the active rows by two rounds of refinement: the steps above gather
// round-off.
static void refine(active *p, double *lambda, double *y)
{
    size_t n = (size_t)p->n;
    for (int round = 0; round < 2; ++round) {
        for (int j = 0; j < p->count; ++j)
            lambda[p->set[j]] = p->u[j];
        carom_qp_primal(p->qp, lambda, y);
        for (int j = 0; j < p->count; ++j) { // R^T v = residual
            const carom_qp_row *row = &p->qp->row[p->set[j]];
            double sum = row->bound - carom_qp_row_times(row, y);
            for (int i = 0; i < j; ++i)
                sum -= p->R[(size_t)j * n + (size_t)i] * p->d[i];
            p->d[j] = sum / p->R[(size_t)j * n + (size_t)j];
        }
        multiplier_direction(p);
        for (int j = 0; j < p->count; ++j) {
            p->u[j] += p->r[j];
            if (!p->qp->row[p->set[j]].equality)
                p->u[j] = fmax(p->u[j], 0);
        }
    }
    for (int j = 0; j < p->count; ++j)
        lambda[p->set[j]] = p->u[j];
    carom_qp_primal(p->qp, lambda, y);
}

carom_status carom_qp_active_solve(const carom_qp *qp, carom_arena *scratch, double *lambda,
                                   double *y, carom_qp_report *report, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    active p = { .qp = qp, .n = 3 * qp->blocks, .stamp = 1 };
    double scale = 1;
    *report = (carom_qp_report){ .method = CAROM_QP_ACTIVE };
    for (int r = 0; r < qp->rows; ++r)
        scale = fmax(scale, fabs(qp->row[r].bound));
    TRY(prepare(&p, scratch, err));
    carom_status status = iterate(&p, scale, report, err);
    for (int r = 0; r < qp->rows; ++r)
        lambda[r] = 0;
    refine(&p, lambda, y);
    carom_arena_rewind(scratch, mark);
    TRY(status);
    return carom_qp_measure(qp, y, lambda, scratch, report, err);
}

// Method of multipliers with a semismooth Newton method inside (Hestenes, Powell, Rockafellar).
//
// For multipliers h the function  phi(y) = 1/2 y M y + 1/(2 rho) sum_r max(0, t_r)^2,
// t_r = h_r - rho (g_r y - b_r)  (no max on equalities) is convex, once differentiable and
// piecewise quadratic. Newton steps with K = M + rho sum_active g g^T and an exact line search find
// its minimiser in finitely many steps; then h := max(0, t) and again. While the active rows stay
// the same the factor of K is used again, so that late rounds cost one back substitution each and
// act as iterative refinement. Dependent active rows need no rank decision: K is positive whatever
// the rows are.
#include "solve/qp_polish.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct polish {
    const carom_qp *qp;
    carom_qp_matrix *matrix;
    double rho;
    double *h;     // multipliers of this round
    double *t;     // h - rho (G y - b)
    double *along; // G dy
    double *dy;
    double *factor; // rho on active rows, else 0: what the matrix was factored with
    double *best_y, *best_lambda;
    double *noise; // round-off of t when computed from y
    double tiny;   // round-off of a multiplier
    bool factored;
    int spent, allowed;
    const double *slack;
    int bold; // full steps without line search still to take
} polish;

enum { ROUNDS_MAX = 60, NEWTON_MAX = 200, SEARCH_MAX = 40, PATIENCE = 2 };
// A stiffer penalty makes t noisier: at 1e11 the rows that almost touch come and go by round-off,
// and a round may take two hundred factorisations for the last digit of an answer that is good
// enough. Such an answer gets so many more.
enum { PRESSING_MAX = 10 };
static const double STIFFER = 30, STIFFEST = 1e11;

static bool is_active(const carom_qp_row *row, double t)
{
    return row->equality || t > 0;
}

// t, and how far to trust it: what the products it is a sum of may lose.
static void shift_rows(polish *p, const double *y)
{
    for (int r = 0; r < p->qp->row_count; ++r) {
        const carom_qp_row *row = &p->qp->rows[r];
        double sum = 0, size = fabs(row->bound);
        for (int k = 0; k < row->count; ++k)
            for (int c = 0; c < 3; ++c) {
                double term = row->value[k][c] * y[3 * (size_t)row->block[k] + (size_t)c];
                sum += term;
                size += fabs(term);
            }
        p->t[r] = p->h[r] - p->rho * (sum - row->bound);
        p->noise[r] = 4 * DBL_EPSILON * p->rho * size;
    }
}

// Chooses the active rows from t: active ones stay unless t < -(tiny + part noise), others join if
// t > noise. Returns whether anything changed.
static bool choose_rows(polish *p, double part)
{
    bool changed = !p->factored;
    for (int r = 0; r < p->qp->row_count; ++r) {
        bool was = p->factor[r] != 0;
        bool is = p->qp->rows[r].equality || (was ? p->t[r] > -(p->tiny + part * p->noise[r])
                                                  : p->t[r] > (p->factored ? p->noise[r] : 0));
        changed = changed || was != is;
        p->factor[r] = is ? p->rho : 0;
    }
    return changed;
}

// Chooses the rows that pushed in the problem the multipliers come from.
static bool choose_pushing(polish *p)
{
    for (int r = 0; r < p->qp->row_count; ++r)
        p->factor[r] =
            p->qp->rows[r].equality || p->h[r] > (p->slack ? p->slack[r] : 0) ? p->rho : 0;
    return true;
}

static carom_status refactor(polish *p)
{
    p->factored = true;
    ++p->spent;
    return carom_qp_matrix_factor(p->matrix, p->qp, p->factor, NULL);
}

// dy = -K^-1 (M y - G^T t) over the active rows
static void newton_direction(polish *p, const double *y)
{
    const carom_qp *qp = p->qp;
    for (int i = 0; i < 3 * qp->block_count; ++i)
        p->dy[i] = -qp->weight[i] * y[i];
    for (int r = 0; r < qp->row_count; ++r)
        if (p->factor[r] != 0)
            carom_qp_row_add(&qp->rows[r], p->t[r], p->dy);
    carom_qp_matrix_solve(p->matrix, p->dy);
    for (int r = 0; r < qp->row_count; ++r)
        p->along[r] = carom_qp_row_times(&qp->rows[r], p->dy);
}

// Whether the active rows are still the right ones after the full step.
static bool step_agrees(const polish *p)
{
    for (int r = 0; r < p->qp->row_count; ++r) {
        double t = p->t[r] - p->rho * p->along[r];
        if (!p->qp->rows[r].equality && (p->factor[r] != 0 ? t < -p->tiny : t > p->noise[r]))
            return false;
    }
    return true;
}

// Slope of phi at y + tau dy, and its own slope there.
static double slope_at(const polish *p, double linear, double square, double tau, double *curvature)
{
    double slope = linear + tau * square;
    *curvature = square;
    for (int r = 0; r < p->qp->row_count; ++r) {
        double t = p->t[r] - tau * p->rho * p->along[r];
        if (is_active(&p->qp->rows[r], t)) {
            slope -= t * p->along[r];
            *curvature += p->rho * p->along[r] * p->along[r];
        }
    }
    return slope;
}

// The step that minimises phi along dy: the slope is increasing and piecewise linear, so Newton's
// method kept inside a bracket ends after finitely many pieces.
static double line_search(const polish *p, const double *y)
{
    const carom_qp *qp = p->qp;
    double linear = 0, square = 0, curvature, low = 0, high = HUGE_VAL, tau = 1;
    for (int i = 0; i < 3 * qp->block_count; ++i) {
        linear += p->dy[i] * qp->weight[i] * y[i];
        square += p->dy[i] * qp->weight[i] * p->dy[i];
    }
    double start = fabs(slope_at(p, linear, square, 0, &curvature));
    for (int k = 0; k < SEARCH_MAX; ++k) {
        double slope = slope_at(p, linear, square, tau, &curvature);
        if (fabs(slope) <= 1e-12 * start || curvature <= 0)
            break;
        if (slope < 0)
            low = tau;
        else
            high = tau;
        double next = tau - slope / curvature;
        if (next <= low || next >= high)
            next = isinf(high) ? 2 * tau : (low + high) / 2;
        if (next == tau)
            break;
        tau = next;
    }
    return tau;
}

static void take_step(polish *p, double tau, double *y)
{
    for (int i = 0; i < 3 * p->qp->block_count; ++i)
        y[i] += tau * p->dy[i];
    // t is updated, not computed from y again: that would bring in rho times the round-off of y.
    for (int r = 0; r < p->qp->row_count; ++r)
        p->t[r] -= tau * p->rho * p->along[r];
}

// Minimises phi for the current multipliers; not done when the budget of factorisations ended
// first.
static void minimise(polish *p, double *y, bool *done)
{
    *done = false;
    shift_rows(p, y);
    bool changed = p->bold > 0 && !p->factored ? choose_pushing(p) : choose_rows(p, 1);
    for (int k = 0; k < NEWTON_MAX; ++k) {
        if (changed) {
            if (p->spent >= p->allowed)
                return;
            if (refactor(p) != CAROM_OK)
                return; // a penalty too stiff for the round-off: what was reached stands
        }
        newton_direction(p, y);
        *done = step_agrees(p);
        double tau = *done || p->bold-- > 0 ? 1 : line_search(p, y);
        take_step(p, tau, y);
        if (*done)
            return;
        changed = choose_rows(p, fmin(1, fabs(1 - tau)));
        if (!changed) { // down in the round-off of phi: trust the rows of the full step instead
            take_step(p, 1 - tau, y);
            changed = choose_rows(p, 0);
        }
    }
}

static carom_status prepare(polish *p, const carom_qp *qp, carom_arena *scratch, carom_error *err)
{
    TAKE(scratch, p->h, qp->row_count, err);
    TAKE(scratch, p->t, qp->row_count, err);
    TAKE(scratch, p->noise, qp->row_count, err);
    TAKE(scratch, p->along, qp->row_count, err);
    TAKE(scratch, p->dy, 3 * qp->block_count, err);
    TAKE_ZEROS(scratch, p->factor, qp->row_count, err);
    TAKE(scratch, p->best_y, 3 * qp->block_count, err);
    TAKE(scratch, p->best_lambda, qp->row_count, err);
    return CAROM_OK;
}

static void set_tolerance(polish *p, const double *lambda)
{
    double force = 1;
    for (int r = 0; r < p->qp->row_count; ++r)
        force = fmax(force, fabs(lambda[r]));
    p->tiny = 16 * DBL_EPSILON * force;
}

static void remember(polish *p, const double *y, const double *lambda)
{
    memcpy(p->best_y, y, 3 * (size_t)p->qp->block_count * sizeof *y);
    memcpy(p->best_lambda, lambda, (size_t)p->qp->row_count * sizeof *lambda);
}

// The strict residual is worth pressing as long as it falls: badly conditioned rows turn a small
// residual into a larger error of y.
static carom_status rounds(polish *p, const carom_qp_polish *how, double *lambda, double *y,
                           carom_arena *scratch, carom_qp_report *report, carom_error *err)
{
    const double target = how->target;
    int idle = 0;
    bool done = true;
    TRY(carom_qp_measure(p->qp, y, lambda, scratch, report, err));
    remember(p, y, lambda);
    for (int k = 0; k < ROUNDS_MAX && report->strict > target; ++k) {
        memcpy(p->h, lambda, (size_t)p->qp->row_count * sizeof *lambda);
        minimise(p, y, &done);
        if (!done)
            break;
        for (int r = 0; r < p->qp->row_count; ++r)
            lambda[r] = p->factor[r] != 0 && is_active(&p->qp->rows[r], p->t[r]) ? p->t[r] : 0;
        carom_qp_report now = *report;
        TRY(carom_qp_measure(p->qp, y, lambda, scratch, &now, err));
        double before = report->strict, after = now.strict;
        idle = after < 0.5 * before ? 0 : idle + 1;
        if (after < before) {
            *report = now;
            remember(p, y, lambda);
        }
        if (idle == PATIENCE && (report->kkt <= target || p->rho >= STIFFEST))
            break;
        if (idle && report->kkt > target && p->rho < STIFFEST) {
            p->rho *= STIFFER; // nearly parallel rows: only a large penalty tells them apart
            p->factored = false;
            if (report->kkt <= how->accept && p->allowed > p->spent + PRESSING_MAX)
                p->allowed = p->spent + PRESSING_MAX;
            idle = 0;
        }
    }
    return CAROM_OK;
}

carom_status carom_qp_polish_run(const carom_qp *qp, carom_qp_matrix *matrix, carom_arena *scratch,
                                 carom_qp_polish *how, double *lambda, double *y,
                                 carom_qp_report *report, bool *settled, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    polish p = { .qp = qp,
                 .matrix = matrix,
                 .rho = how->penalty,
                 .allowed = how->factorisations,
                 .bold = how->bold,
                 .slack = how->slack };
    TRY(prepare(&p, qp, scratch, err));
    set_tolerance(&p, lambda);
    carom_status status = rounds(&p, how, lambda, y, scratch, report, err);
    memcpy(y, p.best_y, 3 * (size_t)qp->block_count * sizeof *y);
    memcpy(lambda, p.best_lambda, (size_t)qp->row_count * sizeof *lambda);
    carom_arena_rewind(scratch, mark);
    how->factorisations = p.spent;
    report->factorisations += p.spent;
    *settled = status == CAROM_OK && report->kkt <= how->target;
    return status;
}

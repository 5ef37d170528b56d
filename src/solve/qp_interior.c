// Mehrotra's predictor-corrector method on  min 1/2 y M y,  G y - s = b,  s >= 0.
//
// Each iteration factors K = M + G^T D G with D = lambda / s (qp_matrix). Equality rows enter
// with a fixed large D and a proximal multiplier update, which keeps K positive also when they are
// dependent. The iteration stops early (1e-8): the polish (qp_polish) turns that into round-off for
// the price of two or three more factorisations. A guess of the multipliers goes to the polish
// first, with a budget: consecutive time steps of a tower share most of their active rows, and then
// the interior point is not needed at all.
#include "solve/qp_interior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "solve/qp_polish.h"

static const double TARGET = 1e-15;                // polish until here, or until round-off stops it
static const double ACCEPT = 1e-13;                // what counts as converged
static const double COARSE = 1e-12;                // where the interior point hands over
static const double PENALTY[] = { 1e5, 1e8, 1e3 }; // of the polish; later ones if the first fails
static const double EQUALITY = 1e7;                // D of equality rows in the interior point
enum { WARM_BUDGET = 20, COLD_BUDGET = 200, BOLD = 12, ITERATIONS_MAX = 60 };

struct carom_qp_interior {
    carom_qp_matrix *matrix;
    carom_arena *scratch;
    double early; // tolerance of an early stop; 0: none
};

typedef struct interior {
    const carom_qp *qp;
    carom_qp_matrix *matrix;
    double *y, *lambda;
    double *s, *d;
    double *dy, *ds, *dlambda;
    double *dual_gap;   // M y - G^T lambda
    double *row_gap;    // G y - s - b
    double *complement; // lambda s - sigma mu + second-order term
    int inequalities;
} interior;

static carom_status run_interior(carom_qp_interior *solver, const carom_qp *qp, double *lambda,
                                 double *y, carom_qp_report *report, double **slack,
                                 carom_error *err);

carom_qp_interior *carom_qp_interior_create(size_t limit_bytes)
{
    carom_qp_interior *solver = calloc(1, sizeof *solver);
    if (!solver)
        return NULL;
    solver->matrix = carom_qp_matrix_create(limit_bytes);
    solver->scratch = carom_arena_create(limit_bytes);
    if (!solver->matrix || !solver->scratch) {
        carom_qp_interior_destroy(solver);
        return NULL;
    }
    return solver;
}

void carom_qp_interior_destroy(carom_qp_interior *solver)
{
    if (!solver)
        return;
    carom_qp_matrix_destroy(solver->matrix);
    carom_arena_destroy(solver->scratch);
    free(solver);
}

void carom_qp_interior_stop_early(carom_qp_interior *solver, double tolerance)
{
    solver->early = tolerance;
}

// Attempt -1: from a guess, on a small budget.
static carom_status polish(carom_qp_interior *solver, const carom_qp *qp, int attempt,
                           const double *slack, double *lambda, double *y, carom_qp_report *report,
                           carom_error *err)
{
    bool settled;
    carom_qp_polish how = { .penalty = PENALTY[attempt < 0 ? 0 : attempt],
                            .factorisations = attempt < 0 ? WARM_BUDGET : COLD_BUDGET,
                            .target = TARGET,
                            .accept = ACCEPT,
                            .bold = BOLD,
                            .slack = slack };
    return carom_qp_polish_run(qp, solver->matrix, solver->scratch, &how, lambda, y, report,
                               &settled, err);
}

carom_status carom_qp_interior_solve(carom_qp_interior *solver, const carom_qp *qp, bool warm,
                                     double *lambda, double *y, carom_qp_report *report,
                                     carom_error *err)
{
    *report = (carom_qp_report){ .method = CAROM_QP_NONE };
    memset(y, 0, 3 * (size_t)qp->block_count * sizeof *y);
    if (qp->row_count == 0)
        return CAROM_OK;
    TRY(carom_qp_matrix_analyse(solver->matrix, qp, err));
    if (warm && solver->early == 0) {
        report->method = CAROM_QP_WARM;
        carom_qp_primal(qp, lambda, y);
        TRY(polish(solver, qp, -1, NULL, lambda, y, report, err));
        if (report->kkt <= ACCEPT)
            return CAROM_OK;
    }
    report->method = CAROM_QP_INTERIOR;
    carom_arena_mark mark = carom_arena_mark_here(solver->scratch);
    double *slack = NULL;
    carom_status status = run_interior(solver, qp, lambda, y, report, &slack, err);
    if (status == CAROM_OK && solver->early > 0) {
        status = carom_qp_measure(qp, y, lambda, solver->scratch, report, err);
        carom_arena_rewind(solver->scratch, mark);
        return status;
    }
    if (status == CAROM_OK) {
        carom_qp_primal(qp, lambda, y);
        for (int k = 0; k < 3 && status == CAROM_OK && (k == 0 || report->kkt > ACCEPT); ++k)
            status = polish(solver, qp, k, k ? NULL : slack, lambda, y, report, err);
    }
    carom_arena_rewind(solver->scratch, mark);
    TRY(status);
    if (!(report->kkt <= ACCEPT))
        return carom_error_set(
            err, CAROM_NOT_CONVERGED,
            "quadratic program of %d rows: residual %.3g after %d factorisations", qp->row_count,
            report->kkt, report->factorisations);
    return CAROM_OK;
}

static carom_status prepare(interior *p, carom_arena *scratch, carom_error *err)
{
    size_t rows = (size_t)p->qp->row_count, columns = 3 * (size_t)p->qp->block_count;
    TAKE(scratch, p->s, rows, err);
    TAKE(scratch, p->d, rows, err);
    TAKE(scratch, p->dy, columns, err);
    TAKE(scratch, p->ds, rows, err);
    TAKE(scratch, p->dlambda, rows, err);
    TAKE(scratch, p->dual_gap, columns, err);
    TAKE(scratch, p->row_gap, rows, err);
    TAKE(scratch, p->complement, rows, err);
    for (int r = 0; r < p->qp->row_count; ++r)
        p->inequalities += !p->qp->rows[r].equality;
    return CAROM_OK;
}

// Mehrotra's starting point: the least-squares answer of the rows as equations, then both slacks
// and multipliers shifted into the positive quadrant.
static carom_status start(interior *p, carom_error *err)
{
    const carom_qp *qp = p->qp;
    for (int r = 0; r < qp->row_count; ++r)
        p->d[r] = 1;
    TRY(carom_qp_matrix_factor(p->matrix, qp, p->d, err));
    memset(p->y, 0, 3 * (size_t)qp->block_count * sizeof *p->y);
    for (int r = 0; r < qp->row_count; ++r)
        carom_qp_row_add(&qp->rows[r], qp->rows[r].bound, p->y);
    carom_qp_matrix_solve(p->matrix, p->y);
    double min = 0, max = 0, sum = 0, product = 0;
    for (int r = 0; r < qp->row_count; ++r) {
        if (qp->rows[r].equality)
            continue;
        p->s[r] = carom_qp_row_times(&qp->rows[r], p->y) - qp->rows[r].bound;
        min = fmin(min, p->s[r]);
        max = fmax(max, p->s[r]);
    }
    double shift_s = fmax(-1.5 * min, 0) + 1e-3, shift_l = fmax(1.5 * max, 0) + 1e-3;
    for (int r = 0; r < qp->row_count; ++r) {
        if (qp->rows[r].equality) {
            p->lambda[r] = 0;
            continue;
        }
        p->lambda[r] = -p->s[r] + shift_l;
        p->s[r] += shift_s;
        sum += p->s[r] + p->lambda[r];
        product += p->s[r] * p->lambda[r];
    }
    double more = sum > 0 ? product / sum : 0;
    for (int r = 0; r < qp->row_count; ++r)
        if (!qp->rows[r].equality) {
            p->s[r] += more;
            p->lambda[r] += more;
        }
    return CAROM_OK;
}

// The three residuals; returns the average complementarity mu and the largest infeasibility.
static double residuals(interior *p, double *worst)
{
    const carom_qp *qp = p->qp;
    double mu = 0;
    *worst = 0;
    for (int i = 0; i < 3 * qp->block_count; ++i)
        p->dual_gap[i] = qp->weight[i] * p->y[i];
    for (int r = 0; r < qp->row_count; ++r) {
        const carom_qp_row *row = &qp->rows[r];
        carom_qp_row_add(row, -p->lambda[r], p->dual_gap);
        p->row_gap[r] = carom_qp_row_times(row, p->y) - row->bound - (row->equality ? 0 : p->s[r]);
        *worst = fmax(*worst, fabs(p->row_gap[r]));
        if (!row->equality)
            mu += p->s[r] * p->lambda[r];
    }
    for (int i = 0; i < 3 * qp->block_count; ++i)
        *worst = fmax(*worst, fabs(p->dual_gap[i]));
    return p->inequalities ? mu / p->inequalities : 0;
}

// Solves the Newton equations for the current right sides.
static void direction(interior *p)
{
    const carom_qp *qp = p->qp;
    for (int i = 0; i < 3 * qp->block_count; ++i)
        p->dy[i] = -p->dual_gap[i];
    for (int r = 0; r < qp->row_count; ++r) {
        double pull = -p->d[r] * p->row_gap[r];
        if (!qp->rows[r].equality)
            pull -= p->complement[r] / p->s[r];
        carom_qp_row_add(&qp->rows[r], pull, p->dy);
    }
    carom_qp_matrix_solve(p->matrix, p->dy);
    for (int r = 0; r < qp->row_count; ++r) {
        p->ds[r] = carom_qp_row_times(&qp->rows[r], p->dy) + p->row_gap[r];
        p->dlambda[r] = -p->d[r] * p->ds[r];
        if (!qp->rows[r].equality)
            p->dlambda[r] -= p->complement[r] / p->s[r];
    }
}

// The longest step at most 1 that keeps slacks and multipliers nonnegative.
static double longest_step(const interior *p)
{
    double step = 1;
    for (int r = 0; r < p->qp->row_count; ++r) {
        if (p->qp->rows[r].equality)
            continue;
        if (p->ds[r] < 0)
            step = fmin(step, -p->s[r] / p->ds[r]);
        if (p->dlambda[r] < 0)
            step = fmin(step, -p->lambda[r] / p->dlambda[r]);
    }
    return step;
}

// Predictor: what would complementarity be after the affine step? Corrector: aim there.
static void predict_and_correct(interior *p, double mu)
{
    const carom_qp *qp = p->qp;
    for (int r = 0; r < qp->row_count; ++r)
        p->complement[r] = p->lambda[r] * p->s[r];
    direction(p);
    double step = longest_step(p), ahead = 0;
    for (int r = 0; r < qp->row_count; ++r)
        if (!qp->rows[r].equality)
            ahead += (p->s[r] + step * p->ds[r]) * (p->lambda[r] + step * p->dlambda[r]);
    if (p->inequalities)
        ahead /= p->inequalities;
    double ratio = mu > 0 ? ahead / mu : 0, centre = ratio * ratio * ratio * mu;
    for (int r = 0; r < qp->row_count; ++r)
        p->complement[r] = p->lambda[r] * p->s[r] + p->ds[r] * p->dlambda[r] - centre;
    direction(p);
}

static void move(interior *p)
{
    double step = fmin(1, 0.995 * longest_step(p));
    for (int i = 0; i < 3 * p->qp->block_count; ++i)
        p->y[i] += step * p->dy[i];
    for (int r = 0; r < p->qp->row_count; ++r) {
        p->lambda[r] += step * p->dlambda[r];
        if (!p->qp->rows[r].equality)
            p->s[r] += step * p->ds[r];
    }
}

static carom_status run_interior(carom_qp_interior *solver, const carom_qp *qp, double *lambda,
                                 double *y, carom_qp_report *report, double **slack,
                                 carom_error *err)
{
    interior p = { .qp = qp, .matrix = solver->matrix, .y = y, .lambda = lambda };
    double scale = 1, worst, end = solver->early > 0 ? solver->early : COARSE;
    for (int r = 0; r < qp->row_count; ++r)
        scale = fmax(scale, fabs(qp->rows[r].bound));
    TRY(prepare(&p, solver->scratch, err));
    TRY(start(&p, err));
    ++report->factorisations;
    for (int k = 0; k < ITERATIONS_MAX; ++k) {
        double mu = residuals(&p, &worst);
        if (mu <= end * scale && worst <= end * scale)
            break;
        for (int r = 0; r < qp->row_count; ++r)
            p.d[r] = qp->rows[r].equality ? EQUALITY : p.lambda[r] / p.s[r];
        // Pivots lost to round-off: what has been reached is good enough to polish.
        if (carom_qp_matrix_factor(p.matrix, qp, p.d, err) != CAROM_OK)
            break;
        ++report->factorisations;
        ++report->iterations;
        predict_and_correct(&p, mu);
        move(&p);
    }
    *slack = p.s;
    return CAROM_OK;
}

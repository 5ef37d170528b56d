// Normal impulses with Coulomb friction; see friction.h.
//
// One iteration F: all normal impulses step against their speeds, then all tangential ones,
//     p_n <- max(base, p_n - (u_n - target) / D_n),   p_t <- P(p_t - u_t / D_t),
// P the projection on the disc of radius mu p_n. D majorises W: each body's mass is shared among
// the n_b contacts it has in the set, W <= sum over bodies of n_b times its block diagonal, so both
// half steps are descent steps although all contacts move at once. D_t is the larger eigenvalue of
// the 2x2 tangential block: turning the tangents changes nothing.
//
// F is accelerated by the nonsmooth nonlinear conjugate gradient method (Silcowitz-Hansen et al.
// 2010) on the fixed-point residual, with a restart whenever the residual grows. What is handed
// back is always a result of F, hence feasible in the impulses. Small islands that take long get
// help from Newton's method (friction_newton.c), and what has not converged at the cap is finished
// with exact normal impulses where the island is small enough for them.
//
// Symbols: p impulses, x = p / s in units where W_ii = 1 (s = scale), y = A^T x with v = v- + C y.
#include "impact/friction.h"

#include <string.h>
#include "impact/friction_state.h"
#include "impact/friction_sweep.h"

typedef carom_friction_state friction_state;

// What the passes need beside the state.
typedef struct passes {
    friction_state *r;
    double *next, *direction;             // impulses per row: F(p), the last change
    double *y_mid, *y_next, *y_direction; // their columns
    double square;                        // |p - F(p)|^2 of the last pass
} passes;

static carom_status friction_state_init(friction_state *r, const carom_problem *problem,
                                        const carom_contact_set *set, carom_arena *scratch,
                                        carom_error *err);
static void friction_state_read(friction_state *r, const carom_problem *problem,
                                const carom_contact_set *set,
                                const carom_friction_conditions *conditions, const carom_twist *v);
static carom_status majorise(friction_state *r, const carom_problem *problem,
                             const carom_contact_set *set, carom_arena *scratch, carom_error *err);
static void sum_impulses(friction_state *r);
static carom_status passes_init(passes *s, carom_arena *scratch, carom_error *err);
static carom_status iterate_passes(passes *s, int cap, carom_arena *scratch,
                                   carom_friction_report *report, carom_error *err);
static double residual_wanted(const friction_state *r);
static bool approaches(const friction_state *r);
static carom_status repair_normal_impulses(friction_state *r, const carom_problem *problem,
                                           const carom_contact_set *set, carom_arena *scratch,
                                           carom_twist *v, carom_error *err);

bool carom_friction_needed(const carom_problem *problem, const carom_contact_set *set)
{
    for (int i = 0; i < set->count; ++i)
        if (problem->contacts[set->index[i]].friction > 0)
            return true;
    return false;
}

static carom_status solve_swept(const carom_problem *problem, const carom_contact_set *set,
                                const carom_friction_conditions *conditions, carom_arena *scratch,
                                carom_twist *v, double (*p)[3], carom_friction_report *report,
                                carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    carom_friction_conditions to = *conditions;
    carom_friction_sweeper *sweeper;
    to.residual = CAROM_FRICTION_LARGE_RESIDUAL;
    to.cap = conditions->cap > 0 ? conditions->cap : CAROM_FRICTION_SWEEPS_CAP;
    TRY(carom_friction_sweep_begin(problem, set->count, scratch, &sweeper, err));
    carom_friction_sweep_island(sweeper, set, &to, v, p, report);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

carom_status carom_friction_solve(const carom_problem *problem, const carom_contact_set *set,
                                  const carom_friction_conditions *conditions, carom_arena *scratch,
                                  carom_twist *v, double (*p)[3], carom_friction_report *report,
                                  carom_error *err)
{
    *report = (carom_friction_report){ 0 };
    if (set->count == 0)
        return CAROM_OK;
    if (set->count > CAROM_INELASTIC_EXACT) {
        bool swept =
            set->count > CAROM_FRICTION_MAX || conditions->kind == CAROM_FRICTION_BILATERAL;
        return (swept ? solve_swept : carom_friction_large_solve)(problem, set, conditions, scratch,
                                                                  v, p, report, err);
    }
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    friction_state r = { .problem = problem,
                         .n = set->count,
                         .pyramid = conditions->bound == CAROM_FRICTION_PYRAMID,
                         .bilateral = conditions->kind == CAROM_FRICTION_BILATERAL };
    passes s = { .r = &r };
    TRY(friction_state_init(&r, problem, set, scratch, err));
    friction_state_read(&r, problem, set, conditions, v);
    TRY(majorise(&r, problem, set, scratch, err));
    memcpy(r.p, p, 3 * (size_t)r.n * sizeof *r.p);
    sum_impulses(&r);
    TRY(passes_init(&s, scratch, err));
    int cap = conditions->cap > 0 ? conditions->cap : CAROM_FRICTION_CAP;
    TRY(iterate_passes(&s, cap, scratch, report, err));
    report->stalled = report->residual > fmax(CAROM_FRICTION_STALLED, 100 * residual_wanted(&r));
    if (!r.bilateral && (report->stalled || approaches(&r)))
        TRY(repair_normal_impulses(&r, problem, set, scratch, v, err));
    else
        carom_jacobian_add(&r.jacobian, r.y, v);
    memcpy(p, r.p, 3 * (size_t)r.n * sizeof *r.p);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status friction_state_init(friction_state *r, const carom_problem *problem,
                                        const carom_contact_set *set, carom_arena *scratch,
                                        carom_error *err)
{
    size_t rows = 3 * (size_t)r->n;
    TRY(carom_jacobian_build(problem, set, 3, scratch, &r->jacobian, err));
    TAKE(scratch, r->speed, rows, err);
    TAKE(scratch, r->p, rows, err);
    TAKE(scratch, r->target, r->n, err);
    TAKE(scratch, r->base, r->n, err);
    TAKE(scratch, r->mu, r->n, err);
    TAKE(scratch, r->dn, r->n, err);
    TAKE(scratch, r->dt, r->n, err);
    TAKE_ZEROS(scratch, r->y, r->jacobian.rows.width, err);
    return CAROM_OK;
}

static void friction_state_read(friction_state *r, const carom_problem *problem,
                                const carom_contact_set *set,
                                const carom_friction_conditions *conditions, const carom_twist *v)
{
    for (int i = 0; i < r->n; ++i) {
        int contact = set->index[i];
        r->target[i] = conditions->target ? conditions->target[i] : 0;
        r->base[i] = conditions->base && conditions->kind == CAROM_FRICTION_UNILATERAL
                         ? conditions->base[i]
                         : 0;
        r->mu[i] = problem->contacts[contact].friction;
        double rebound = carom_friction_rebound(conditions, &problem->contacts[contact]);
        for (int k = 0; k < 3; ++k) {
            int row = 3 * i + k;
            const carom_row *line = k == 0 ? &problem->normal[contact]
                                           : &carom_problem_tangents(problem, contact)[k - 1];
            r->speed[row] = carom_row_speed(line, v) * (k == 0 ? 1 : rebound);
            double wanted = k == 0 ? r->target[i] - r->speed[row] : -r->speed[row];
            r->size = fmax(r->size, fabs(wanted) * r->jacobian.scale[row]);
        }
        if (r->base[i] > 0)
            r->size = fmax(r->size, r->base[i] / r->jacobian.scale[3 * i]);
    }
}

// The part of the coupling of two rows of one contact that goes through body a or b.
static double block(const carom_row *i, const carom_row *j, int end)
{
    double along = vec3_dot(i->d, j->d);
    return end == 0 ? i->inv_a * along + vec3_dot(i->turn_a, j->arm_a)
                    : i->inv_b * along + vec3_dot(i->turn_b, j->arm_b);
}

static carom_status majorise(friction_state *r, const carom_problem *problem,
                             const carom_contact_set *set, carom_arena *scratch, carom_error *err)
{
    int *contacts;
    TAKE_ZEROS(scratch, contacts, r->jacobian.body_count, err);
    for (int i = 0; i < 2 * r->n; ++i) {
        int body = r->jacobian.local[i / 2][i % 2];
        if (body >= 0)
            ++contacts[body];
    }
    for (int i = 0; i < r->n; ++i) {
        const carom_row *normal = &problem->normal[set->index[i]];
        const carom_row *t = carom_problem_tangents(problem, set->index[i]);
        r->dn[i] = r->dt[i] = 0;
        for (int end = 0; end < 2; ++end) {
            int body = r->jacobian.local[i][end];
            if (body < 0)
                continue;
            double a = block(t, t, end), b = block(t + 1, t + 1, end), c = block(t, t + 1, end);
            double top = 0.5 * (a + b) + sqrt(0.25 * (a - b) * (a - b) + c * c);
            r->dn[i] += contacts[body] * block(normal, normal, end);
            r->dt[i] += contacts[body] * top;
        }
    }
    return CAROM_OK;
}

// y from p, without the round-off that increments leave.
static void sum_impulses(friction_state *r)
{
    memset(r->y, 0, (size_t)r->jacobian.rows.width * sizeof *r->y);
    for (int row = 0; row < 3 * r->n; ++row)
        if (r->p[row] != 0)
            carom_lcp_row_add(&r->jacobian.rows, row, r->p[row] / r->jacobian.scale[row], r->y);
}

static carom_status passes_init(passes *s, carom_arena *scratch, carom_error *err)
{
    size_t rows = 3 * (size_t)s->r->n, width = (size_t)s->r->jacobian.rows.width;
    TAKE(scratch, s->next, rows, err);
    TAKE(scratch, s->direction, rows, err);
    TAKE(scratch, s->y_mid, width, err);
    TAKE(scratch, s->y_next, width, err);
    TAKE(scratch, s->y_direction, width, err);
    return CAROM_OK;
}

static double clamp(double value, double bound)
{
    return fmin(fmax(value, -bound), bound);
}

// Brings tangential impulses into the disc (or square) of the bound.
static void project(bool pyramid, double bound, double t[2])
{
    if (pyramid) {
        t[0] = clamp(t[0], bound);
        t[1] = clamp(t[1], bound);
        return;
    }
    double length = sqrt(t[0] * t[0] + t[1] * t[1]);
    double factor = length > bound ? bound / length : 1;
    t[0] *= factor;
    t[1] *= factor;
}

// All normal impulses at once: next from p and y, y_mid with them. Returns the largest residual
// speed in scaled units.
static double normal_pass(passes *s)
{
    const friction_state *r = s->r;
    double worst = 0;
    memcpy(s->y_mid, r->y, (size_t)r->jacobian.rows.width * sizeof *r->y);
    for (int i = 0; i < r->n; ++i) {
        int row = 3 * i;
        double excess = carom_friction_state_speed(r, row, r->y) - r->target[i];
        double p = r->p[row] - excess / r->dn[i];
        s->next[row] = r->bilateral ? p : fmax(p, r->base[i]);
        double change = s->next[row] - r->p[row];
        if (change != 0)
            carom_lcp_row_add(&r->jacobian.rows, row, change / r->jacobian.scale[row], s->y_mid);
        worst = fmax(worst, fabs(change) * r->dn[i] * r->jacobian.scale[row]);
        s->square += change * change * r->dn[i];
    }
    return worst;
}

// All tangential impulses at once, with the speeds after the normal pass.
static double friction_pass(passes *s)
{
    const friction_state *r = s->r;
    double worst = 0;
    memcpy(s->y_next, s->y_mid, (size_t)r->jacobian.rows.width * sizeof *r->y);
    for (int i = 0; i < r->n; ++i) {
        int row = 3 * i + 1;
        double bound = r->mu[i] * fmax(s->next[row - 1], 0), *t = &s->next[row];
        t[0] = t[1] = 0;
        if (bound == 0 && r->p[row] == 0 && r->p[row + 1] == 0)
            continue;
        for (int k = 0; k < 2; ++k)
            t[k] = r->p[row + k] - carom_friction_state_speed(r, row + k, s->y_mid) / r->dt[i];
        project(r->pyramid, bound, t);
        for (int k = 0; k < 2; ++k) {
            double change = t[k] - r->p[row + k];
            if (change != 0)
                carom_lcp_row_add(&r->jacobian.rows, row + k, change / r->jacobian.scale[row + k],
                                  s->y_next);
            worst = fmax(worst, fabs(change) * r->dt[i] * r->jacobian.scale[row + k]);
            s->square += change * change * r->dt[i];
        }
    }
    return worst;
}

// Takes F(p) plus beta times the last change; beta = 0 takes F(p) itself.
static void move(passes *s, double beta)
{
    friction_state *r = s->r;
    for (int row = 0; row < 3 * r->n; ++row) {
        double change = s->next[row] - r->p[row];
        s->direction[row] = beta > 0 ? change + beta * s->direction[row] : change;
        r->p[row] = beta > 0 ? r->p[row] + s->direction[row] : s->next[row];
    }
    for (int k = 0; k < r->jacobian.rows.width; ++k) {
        double change = s->y_next[k] - r->y[k];
        s->y_direction[k] = beta > 0 ? change + beta * s->y_direction[k] : change;
        r->y[k] = beta > 0 ? r->y[k] + s->y_direction[k] : s->y_next[k];
    }
}

// The relative residual to reach.
static double residual_wanted(const friction_state *r)
{
    return r->n > CAROM_FRICTION_SMALL ? CAROM_FRICTION_MIDDLE_RESIDUAL : CAROM_FRICTION_RESIDUAL;
}

// Ends with a plain pass, so that the impulses are within their bounds.
static carom_status iterate_passes(passes *s, int cap, carom_arena *scratch,
                                   carom_friction_report *report, carom_error *err)
{
    enum { FIRST = 60, PATIENCE = 300 }; // passes before each run of Newton's method
    bool small = s->r->n <= CAROM_FRICTION_SMALL;
    double before = 0, tolerance = s->r->size * residual_wanted(s->r);
    int due = small ? FIRST : PATIENCE;
    for (;;) {
        ++report->iterations;
        s->square = 0;
        double worst = normal_pass(s);
        worst = fmax(worst, friction_pass(s));
        report->residual = s->r->size > 0 ? worst / s->r->size : 0;
        bool done = worst <= tolerance || report->iterations >= cap;
        double beta = before > 0 && s->square <= before ? s->square / before : 0;
        before = s->square;
        move(s, done ? 0 : beta);
        if (done)
            return CAROM_OK;
        TRY(carom_problem_query_stop(s->r->problem, 3 * s->r->n, err));
        if (report->iterations < due)
            continue;
        sum_impulses(s->r);
        before = 0;
        if (small)
            TRY(carom_friction_newton_run(s->r, 0.1 * tolerance, scratch, &report->iterations,
                                          err));
        due = report->iterations + PATIENCE;
    }
}

// The residual weighs speeds by masses; a light body may approach all the same.
static bool approaches(const friction_state *r)
{
    double fastest = 0, worst = 0;
    for (int i = 0; i < r->n; ++i) {
        fastest = fmax(fastest, fmax(fabs(r->speed[3 * i]), fabs(r->target[i])));
        worst = fmax(worst, r->target[i] - carom_friction_state_speed(r, 3 * i, r->y));
    }
    return worst > 1e-9 * fastest;
}

// Makes a result that did not converge feasible: with the friction as it is, the exact normal
// impulses; friction above its bound is cut, which can only shorten it, and again.
static carom_status repair_normal_impulses(friction_state *r, const carom_problem *problem,
                                           const carom_contact_set *set, carom_arena *scratch,
                                           carom_twist *v, carom_error *err)
{
    enum { ROUNDS = 30 };
    carom_twist *start;
    double *lambda, residual = 0;
    TAKE(scratch, start, r->jacobian.body_count, err);
    TAKE(scratch, lambda, r->n, err);
    for (int k = 0; k < r->jacobian.body_count; ++k)
        start[k] = v[r->jacobian.body[k]];
    for (int round = 0;; ++round) {
        memset(r->y, 0, (size_t)r->jacobian.rows.width * sizeof *r->y);
        for (int row = 0; row < 3 * r->n; ++row) {
            if (row % 3 == 0)
                r->p[row] = r->base[row / 3];
            else if (round == ROUNDS)
                r->p[row] = 0;
            carom_lcp_row_add(&r->jacobian.rows, row, r->p[row] / r->jacobian.scale[row], r->y);
        }
        for (int k = 0; k < r->jacobian.body_count; ++k)
            v[r->jacobian.body[k]] = start[k];
        carom_jacobian_add(&r->jacobian, r->y, v);
        TRY(carom_inelastic_solve(problem, set, r->target, scratch, v, lambda, &residual, err));
        bool within = true;
        for (int i = 0; i < r->n; ++i) {
            double *t = &r->p[3 * i + 1], first = t[0], second = t[1];
            r->p[3 * i] += lambda[i];
            double bound = r->mu[i] * r->p[3 * i];
            project(r->pyramid, bound, t);
            double cut = fmax(fabs(first - t[0]), fabs(second - t[1]));
            if (cut > 1e-12 * (fabs(first) + fabs(second)))
                within = false;
        }
        if (within || round == ROUNDS)
            return CAROM_OK;
    }
}

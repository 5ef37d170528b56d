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
// back is always a result of F, hence feasible in the impulses.
//
// Symbols: p impulses, x = p / s in units where W_ii = 1 (s = scale), y = A^T x with v = v- + C y.
#include "impact/friction.h"

#include <string.h>
#include "impact/gather.h"

typedef struct rub {
    const carom_friction_stage *stage;
    carom_gather gather;
    int n;         // contacts; rows are 3 i + k
    double *speed; // per row, before
    double *target, *base, *mu;
    double *dn, *dt;              // majorisers per contact
    double *p, *next, *direction; // impulses per row
    double *y, *y_next;           // per column
    double size;                  // largest scaled speed
} rub;

static carom_status rub_init(rub *r, const carom_problem *problem, const carom_contact_set *set,
                             carom_arena *scratch, const carom_twist *v, carom_error *err);
static carom_status majorise(rub *r, carom_arena *scratch, carom_error *err);
static void load(rub *r, const double (*p)[3]);
static double step(rub *r);
static void iterate(rub *r, int cap, carom_friction_report *report);

bool carom_friction_needed(const carom_problem *problem, const carom_contact_set *set)
{
    for (int i = 0; i < set->count; ++i)
        if (problem->contacts[set->index[i]].friction > 0)
            return true;
    return false;
}

carom_status carom_friction_solve(const carom_problem *problem, const carom_contact_set *set,
                                  const carom_friction_stage *stage, carom_arena *scratch,
                                  carom_twist *v, double (*p)[3], carom_friction_report *report,
                                  carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    rub r = { .stage = stage, .n = set->count };
    *report = (carom_friction_report){ 0 };
    if (set->count == 0)
        return CAROM_OK;
    TRY(rub_init(&r, problem, set, scratch, v, err));
    load(&r, (const double(*)[3])p);
    iterate(&r, stage->cap > 0 ? stage->cap : CAROM_FRICTION_CAP, report);
    memcpy(p, r.p, 3 * (size_t)r.n * sizeof *r.p);
    carom_gather_add(&r.gather, r.y, v);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static carom_status rub_init(rub *r, const carom_problem *problem, const carom_contact_set *set,
                             carom_arena *scratch, const carom_twist *v, carom_error *err)
{
    size_t rows = 3 * (size_t)r->n;
    TRY(carom_gather_make(problem, set, 3, scratch, &r->gather, err));
    TAKE(scratch, r->speed, rows, err);
    TAKE(scratch, r->p, rows, err);
    TAKE(scratch, r->next, rows, err);
    TAKE(scratch, r->direction, rows, err);
    TAKE(scratch, r->target, r->n, err);
    TAKE(scratch, r->base, r->n, err);
    TAKE(scratch, r->mu, r->n, err);
    TAKE(scratch, r->y, r->gather.rows.width, err);
    TAKE(scratch, r->y_next, r->gather.rows.width, err);
    for (int i = 0; i < r->n; ++i) {
        int contact = set->index[i];
        r->target[i] = r->stage->target ? r->stage->target[i] : 0;
        r->base[i] = r->stage->base && !r->stage->bilateral ? r->stage->base[i] : 0;
        r->mu[i] = problem->contacts[contact].friction;
        for (int k = 0; k < 3; ++k) {
            int row = 3 * i + k;
            const carom_row *line =
                k == 0 ? &problem->normal[contact] : &problem->tangent[2 * contact + k - 1];
            r->speed[row] = carom_row_speed(line, v);
            double wanted = k == 0 ? r->target[i] - r->speed[row] : -r->speed[row];
            r->size = fmax(r->size, fabs(wanted) * r->gather.scale[row]);
        }
        if (r->base[i] > 0)
            r->size = fmax(r->size, r->base[i] / r->gather.scale[3 * i]);
    }
    return majorise(r, scratch, err);
}

// Entries of a row that belong to one body are consecutive: finds them from `from` on.
static int same_body(const carom_lcp_rows *rows, int row, int body)
{
    int k = rows->first[row];
    while (k < rows->first[row + 1] && rows->column[k] / 6 != body)
        ++k;
    return k;
}

// The product of two rows within one body, in units of speed per impulse.
static double block(const rub *r, int row_a, int row_b, int body)
{
    const carom_lcp_rows *rows = &r->gather.rows;
    double dense[6] = { 0 }, sum = 0;
    for (int k = same_body(rows, row_a, body);
         k < rows->first[row_a + 1] && rows->column[k] / 6 == body; ++k)
        dense[rows->column[k] % 6] = rows->value[k];
    for (int k = same_body(rows, row_b, body);
         k < rows->first[row_b + 1] && rows->column[k] / 6 == body; ++k)
        sum += dense[rows->column[k] % 6] * rows->value[k];
    return sum / (r->gather.scale[row_a] * r->gather.scale[row_b]);
}

static carom_status majorise(rub *r, carom_arena *scratch, carom_error *err)
{
    const carom_lcp_rows *rows = &r->gather.rows;
    int *contacts;
    TAKE(scratch, r->dn, r->n, err);
    TAKE(scratch, r->dt, r->n, err);
    TAKE_ZEROS(scratch, contacts, r->gather.body_count, err);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < r->n; ++i) {
            int last = rows->first[3 * i + 1] - 1;
            int bodies[2] = { rows->column[rows->first[3 * i]] / 6, rows->column[last] / 6 };
            if (pass == 1)
                r->dn[i] = r->dt[i] = 0;
            for (int k = 0; k < (bodies[0] == bodies[1] ? 1 : 2); ++k) {
                if (pass == 0) {
                    ++contacts[bodies[k]];
                    continue;
                }
                double a = block(r, 3 * i + 1, 3 * i + 1, bodies[k]);
                double b = block(r, 3 * i + 2, 3 * i + 2, bodies[k]);
                double c = block(r, 3 * i + 1, 3 * i + 2, bodies[k]);
                double top = 0.5 * (a + b) + sqrt(0.25 * (a - b) * (a - b) + c * c);
                r->dn[i] += contacts[bodies[k]] * block(r, 3 * i, 3 * i, bodies[k]);
                r->dt[i] += contacts[bodies[k]] * top;
            }
        }
    return CAROM_OK;
}

// y = A^T (p / s)
static void sum_up(rub *r)
{
    memset(r->y, 0, (size_t)r->gather.rows.width * sizeof *r->y);
    for (int row = 0; row < 3 * r->n; ++row)
        if (r->p[row] != 0)
            carom_lcp_row_add(&r->gather.rows, row, r->p[row] / r->gather.scale[row], r->y);
}

static void load(rub *r, const double (*p)[3])
{
    memcpy(r->p, p, 3 * (size_t)r->n * sizeof *r->p);
    memset(r->direction, 0, 3 * (size_t)r->n * sizeof *r->direction);
    sum_up(r);
}

static double row_speed(const rub *r, int row, const double *y)
{
    return r->speed[row] + carom_lcp_row_dot(&r->gather.rows, row, y) / r->gather.scale[row];
}

static double normal_step(const rub *r, int i)
{
    double p = r->p[3 * i] - (row_speed(r, 3 * i, r->y) - r->target[i]) / r->dn[i];
    return r->stage->bilateral ? p : fmax(p, r->base[i]);
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

// next = F(p), y_next accordingly. Returns the largest residual speed in scaled units.
static double step(rub *r)
{
    const carom_lcp_rows *rows = &r->gather.rows;
    const double *scale = r->gather.scale;
    double worst = 0;
    memcpy(r->y_next, r->y, (size_t)rows->width * sizeof *r->y);
    for (int i = 0; i < r->n; ++i) {
        int row = 3 * i;
        r->next[row] = normal_step(r, i);
        double change = r->next[row] - r->p[row];
        if (change != 0)
            carom_lcp_row_add(rows, row, change / scale[row], r->y_next);
        worst = fmax(worst, fabs(change) * r->dn[i] * scale[row]);
    }
    memcpy(r->y, r->y_next, (size_t)rows->width * sizeof *r->y);
    for (int i = 0; i < r->n; ++i) {
        int row = 3 * i + 1;
        double bound = r->mu[i] * fmax(r->next[row - 1], 0), *t = &r->next[row];
        if (bound == 0 && r->p[row] == 0 && r->p[row + 1] == 0) {
            t[0] = t[1] = 0;
            continue;
        }
        t[0] = r->p[row] - row_speed(r, row, r->y) / r->dt[i];
        t[1] = r->p[row + 1] - row_speed(r, row + 1, r->y) / r->dt[i];
        project(r->stage->pyramid, bound, t);
        for (int k = 0; k < 2; ++k) {
            double change = t[k] - r->p[row + k];
            if (change != 0)
                carom_lcp_row_add(rows, row + k, change / scale[row + k], r->y_next);
            worst = fmax(worst, fabs(change) * r->dt[i] * scale[row + k]);
        }
    }
    return worst;
}

// |p - F(p)|^2 in the metric of the steps.
static double residual_square(const rub *r)
{
    double sum = 0;
    for (int row = 0; row < 3 * r->n; ++row) {
        double change = r->next[row] - r->p[row];
        sum += change * change * (row % 3 == 0 ? r->dn[row / 3] : r->dt[row / 3]);
    }
    return sum;
}

static void iterate(rub *r, int cap, carom_friction_report *report)
{
    double before = 0, tolerance = CAROM_FRICTION_RESIDUAL * r->size;
    int rows = 3 * r->n;
    for (report->iterations = 1;; ++report->iterations) {
        double worst = step(r), square = residual_square(r);
        report->residual = r->size > 0 ? worst / r->size : 0;
        bool done = worst <= tolerance || report->iterations >= cap;
        double beta = before > 0 && square <= before ? square / before : 0;
        before = square;
        if (done || beta == 0) {
            for (int row = 0; row < rows; ++row)
                r->direction[row] = r->next[row] - r->p[row];
            memcpy(r->p, r->next, (size_t)rows * sizeof *r->p);
            memcpy(r->y, r->y_next, (size_t)r->gather.rows.width * sizeof *r->y);
            if (done)
                break;
            continue;
        }
        for (int row = 0; row < rows; ++row) {
            double change = r->next[row] - r->p[row] + beta * r->direction[row];
            r->p[row] += change;
            r->direction[row] = change;
        }
        sum_up(r);
    }
    sum_up(r);
}

// The first instant: Gauss's principle of least restraint [Collapse, section 3].
//
// min 1/2 sum m |a - g|^2 over accelerations that open no contact the wrong way. With the 1/2 (the
// paper leaves it out) the multiplier of a unit-normal row is the contact force. At the minimum
// sum a . m (a - g) = 0, so sum m a^2 = sum m g . a: either nothing moves and the forces balance
// every body, or the accelerations are an infinitesimal motion that opens contacts and lowers the
// energy. Either way the answer carries its own certificate.
#include "tower/tower_initial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "solve/qp_active.h"
#include "solve/qp_interior.h"
#include "tower/tower_mirror.h"

enum { ACTIVE_SET_BLOCKS_MAX = 60 };

static carom_status make_problem(const carom_tower *t, double penalty, carom_arena *arena,
                                 tower_problem *out, carom_error *err)
{
    tower_view view = { .tower = t };
    tower_found found;
    double *p;
    TRY(carom_tower_check_gravity(t, err));
    TAKE(arena, p, 2 * t->anchor_count, err);
    carom_tower_contact_places(t, p);
    view.p = p;
    TRY(carom_tower_contact_touching(&view, TOWER_TOUCHING * t->size, arena, &found, err));
    out->contacts = found.contacts;
    tower_frame *f = &out->frame;
    *f = (tower_frame){ .tower = t, .p = p, .scale = 1, .penalty = penalty };
    double *centre, *weight;
    TAKE(arena, centre, 2 * t->body_count, err);
    TAKE_ZEROS(arena, f->free, 3 * t->body_count, err);
    TAKE_ZEROS(arena, f->radial, t->body_count, err);
    int blocks = t->block_count + carom_tower_rows_soft_blocks(t, penalty);
    TAKE(arena, weight, 3 * blocks, err);
    carom_tower_rows_soft_weights(f, weight);
    f->tie_radial = f->radial;
    f->centre = centre;
    for (int b = 0; b < t->body_count; ++b) {
        const tower_body *body = &t->bodies[b];
        centre[2 * b] = body->x;
        centre[2 * b + 1] = body->y;
        if (body->fixed)
            continue;
        f->free[3 * b + 1] = -t->gravity;
        weight[3 * body->block] = weight[3 * body->block + 1] = body->mass;
        weight[3 * body->block + 2] = body->inertia;
    }
    int per = carom_tower_rows_per_contact(t);
    carom_qp_row *rows;
    out->qp = (carom_qp){ .block_count = blocks, .weight = weight };
    out->qp.row_count = per * out->contacts.count + carom_tower_rows_ties(t);
    TAKE(arena, rows, out->qp.row_count + 1, err);
    carom_tower_rows_fill(f, &out->contacts, NULL, rows);
    out->qp.rows = rows;
    return CAROM_OK;
}

carom_status carom_tower_initial_problem(const carom_tower *t, carom_arena *arena,
                                         tower_problem *out, carom_error *err)
{
    return make_problem(t, 0, arena, out, err);
}

carom_status carom_tower_initial_solve(const carom_qp *qp, carom_tower_solver solver,
                                       carom_arena *arena, double *lambda, double *y,
                                       carom_qp_report *report, carom_error *err)
{
    bool small = qp->block_count <= ACTIVE_SET_BLOCKS_MAX;
    if (qp->row_count == 0) {
        *report = (carom_qp_report){ .method = CAROM_QP_NONE };
        memset(y, 0, 3 * (size_t)qp->block_count * sizeof *y);
        return CAROM_OK;
    }
    if (solver == CAROM_TOWER_ACTIVE || (solver == CAROM_TOWER_AUTO && small)) {
        carom_status status = carom_qp_active_solve(qp, arena, lambda, y, report, err);
        if (status == CAROM_OK && report->kkt <= 1e-13)
            return CAROM_OK;
        if (solver == CAROM_TOWER_ACTIVE && status == CAROM_OK)
            status =
                carom_error_set(err, CAROM_NOT_CONVERGED, "active set: residual %.3g", report->kkt);
        if (solver == CAROM_TOWER_ACTIVE)
            return status;
    }
    carom_qp_interior *interior = carom_qp_interior_create(0);
    if (!interior)
        return carom_error_no_memory(err, "the interior point");
    carom_status status = carom_qp_interior_solve(interior, qp, false, lambda, y, report, err);
    carom_qp_interior_destroy(interior);
    return status;
}

// Accelerations from the restraint y = a - g; a free point mass has no turn.
static void fill_accelerations(const carom_tower *t, const double *y, carom_tower_instant *out)
{
    double unit = t->size > 0 ? t->size / 2 : 1;
    for (int b = 0; b < t->public_body_count; ++b) {
        const tower_body *body = &t->bodies[b];
        double *a = out->accelerations + 3 * (size_t)b;
        if (body->fixed)
            continue;
        const double *part = y + 3 * (size_t)body->block;
        a[0] = part[0];
        a[1] = part[1] - t->gravity;
        a[2] = body->point ? 0 : part[2];
        out->sum_m_a2 += body->mass * (a[0] * a[0] + a[1] * a[1]) + body->inertia * a[2] * a[2];
        out->power += -t->gravity * body->mass * a[1];
        out->largest = fmax(out->largest, fmax(fabs(a[0]), fmax(fabs(a[1]), unit * fabs(a[2]))));
    }
}

static void fill_forces(const tower_problem *problem, const double *lambda, const double *y,
                        carom_tower_instant *out)
{
    const carom_tower *t = problem->frame.tower;
    int per = carom_tower_rows_per_contact(t);
    for (int n = 0; n < problem->contacts.count; ++n) {
        const tower_contact *c = &problem->contacts.item[n];
        const double *l = lambda + (size_t)per * (size_t)n,
                     *p = problem->frame.p + 2 * (size_t)c->k;
        const carom_qp_row *row = &problem->qp.rows[per * n];
        carom_tower_force *force = &out->forces[n];
        *force = (carom_tower_force){ .a = c->edge_owner, .b = c->corner_owner };
        force->point[0] = p[0];
        force->point[1] = p[1];
        force->normal[0] = c->nx;
        force->normal[1] = c->ny;
        force->force = per == 2 ? l[0] + l[1] : l[0];
        force->tangent = per == 2 ? t->friction * (l[0] - l[1]) : 0;
        force->opening = carom_qp_row_times(row, y) - row->bound;
        double up = force->force * c->ny + force->tangent * c->nx;
        if (c->edge_owner < 0 || t->bodies[c->edge_owner].fixed)
            out->support_force += up;
        else if (c->corner_owner < 0 || t->bodies[c->corner_owner].fixed)
            out->support_force -= up;
        if (c->edge_owner >= 0 && c->corner_owner < 0) { // a support is always body a
            force->a = -1;
            force->b = c->edge_owner;
            force->normal[0] = -c->nx;
            force->normal[1] = -c->ny;
        }
    }
}

static void fill_ties(const tower_problem *problem, const double *lambda, carom_tower_instant *out)
{
    const carom_tower *t = problem->frame.tower;
    const double *p = problem->frame.p;
    int row = carom_tower_rows_per_contact(t) * problem->contacts.count, n = 0;
    for (int b = 0; b < t->bar_count; ++b) {
        const tower_bar *bar = &t->bars[b];
        double ex = p[2 * bar->a] - p[2 * bar->b], ey = p[2 * bar->a + 1] - p[2 * bar->b + 1];
        int first = t->anchors[bar->a].body, second = t->anchors[bar->b].body;
        for (int axis = 0; axis < (bar->length > 0 ? 1 : 2); ++axis, ++n, ++row) {
            carom_tower_tie *tie = &out->ties[n];
            *tie =
                (carom_tower_tie){ .a = first, .b = second < t->public_body_count ? second : -1 };
            tie->bar = bar->length > 0;
            tie->point[0] = (p[2 * bar->a] + p[2 * bar->b]) / 2;
            tie->point[1] = (p[2 * bar->a + 1] + p[2 * bar->b + 1]) / 2;
            tie->direction[0] = tie->bar ? ex / bar->length : axis == 0;
            tie->direction[1] = tie->bar ? ey / bar->length : axis == 1;
            tie->force = -lambda[row];
        }
    }
}

static carom_status allocate(const carom_tower *t, const tower_problem *problem,
                             carom_tower_instant *out, carom_error *err)
{
    out->bodies = t->public_body_count;
    out->force_count = problem->contacts.count;
    out->tie_count = carom_tower_rows_ties(t);
    out->rows = problem->qp.row_count;
    out->accelerations = calloc(3 * (size_t)t->public_body_count + 1, sizeof *out->accelerations);
    out->forces = calloc((size_t)out->force_count + 1, sizeof *out->forces);
    out->ties = calloc((size_t)out->tie_count + 1, sizeof *out->ties);
    if (!out->accelerations || !out->forces || !out->ties)
        return carom_error_no_memory(err, "%d bodies", t->public_body_count);
    return CAROM_OK;
}

static const char *method_name(carom_qp_method method)
{
    switch (method) {
    case CAROM_QP_ACTIVE:
        return "active set";
    case CAROM_QP_INTERIOR:
        return "interior point";
    case CAROM_QP_WARM:
        return "warm start";
    default:
        return "free flight";
    }
}

// The answer is averaged with its mirror image; the multipliers are not (they need not be unique),
// so the residual is measured again afterwards.
static carom_status restore_symmetry(const carom_tower *t, const tower_problem *problem,
                                     double *lambda, double *y, carom_arena *arena,
                                     carom_qp_report *report, double *asymmetry, carom_error *err)
{
    tower_mirror mirror;
    bool found;
    TRY(carom_tower_mirror_find(t, arena, &mirror, &found, err));
    if (!found)
        return CAROM_OK;
    *asymmetry = carom_tower_mirror_average(&mirror, t, y);
    return carom_qp_measure(&problem->qp, y, lambda, arena, report, err);
}

static carom_status answer(const carom_tower *t, carom_tower_solver solver, double penalty,
                           carom_arena *arena, carom_tower_instant *out, carom_error *err)
{
    tower_problem problem;
    double *lambda, *y;
    carom_qp_report report;
    TRY(make_problem(t, penalty, arena, &problem, err));
    TAKE_ZEROS(arena, lambda, problem.qp.row_count + 1, err);
    TAKE_ZEROS(arena, y, 3 * problem.qp.block_count + 1, err);
    TRY(allocate(t, &problem, out, err));
    TRY(carom_tower_initial_solve(&problem.qp, solver, arena, lambda, y, &report, err));
    TRY(restore_symmetry(t, &problem, lambda, y, arena, &report, &out->asymmetry, err));
    fill_accelerations(t, y, out);
    fill_forces(&problem, lambda, y, out);
    fill_ties(&problem, lambda, out);
    out->kkt = report.kkt;
    out->method = method_name(report.method);
    out->stable = out->largest <= CAROM_TOWER_REST * (t->gravity > 0 ? t->gravity : 1);
    return CAROM_OK;
}

carom_status carom_tower_initial(const carom_tower *t, carom_tower_solver solver,
                                 carom_tower_instant *out, carom_error *err)
{
    NEED(err, t, out);
    return carom_tower_initial_soft(t, solver, 0, out, err);
}

carom_status carom_tower_initial_soft(const carom_tower *t, carom_tower_solver solver,
                                      double penalty, carom_tower_instant *out, carom_error *err)
{
    *out = (carom_tower_instant){ .method = "none" };
    carom_arena *arena = carom_arena_create(0);
    if (!arena)
        return carom_error_no_memory(err, "%d bodies", t->public_body_count);
    carom_status status = answer(t, solver, penalty, arena, out, err);
    carom_arena_destroy(arena);
    return status;
}

void carom_tower_initial_free(carom_tower_instant *out)
{
    if (!out)
        return;
    free(out->accelerations);
    free(out->forces);
    free(out->ties);
    *out = (carom_tower_instant){ .method = "none" };
}

// The first instant in space: Gauss's principle with six accelerations to a body.
//
//     min 1/2 sum m |a - g|^2 + 1/2 alpha . J alpha   over   n . (a_b + alpha_b x r_b)
//                                                           - n . (a_a + alpha_a x r_a) >= 0
//
// for every contact with the normal n from a to b; at rest nothing else stands on the right side,
// and bodies at rest have no gyroscopic moment. With J = L D L^T (L unit lower triangular) and z =
// L^T alpha the objective is diagonal, as the solvers want it, and the row of a turn is L^-1 (r x
// n). Multipliers are contact forces. Which of two things holds, and how it is decided, is as in
// the plane: see tower_initial.c.
#include "tower/tower_space_initial.h"

#include <math.h>
#include <stdlib.h>
#include "tower/tower_initial.h"

// J = L D L^T: factor = D and the entries yx, zx, zy of L.
typedef struct turn_factor {
    double d[3], yx, zx, zy;
} turn_factor;

static turn_factor factor_of(sym3 j)
{
    turn_factor f = { .yx = j.xy / j.xx, .zx = j.xz / j.xx };
    f.d[0] = j.xx;
    f.d[1] = j.yy - f.yx * j.xy;
    f.zy = (j.yz - f.zx * j.xy) / f.d[1];
    f.d[2] = j.zz - f.zx * j.xz - f.zy * f.zy * f.d[1];
    return f;
}

// L^-1 v
static vec3 forward(const turn_factor *f, vec3 v)
{
    double y = v.y - f->yx * v.x;
    return vec3_make(v.x, y, v.z - f->zx * v.x - f->zy * y);
}

// L^-T z
static vec3 backward(const turn_factor *f, const double z[3])
{
    double y = z[1] - f->zy * z[2];
    return vec3_make(z[0] - f->yx * y - f->zx * z[2], y, z[2]);
}

// Adds sign * (n, L^-1 (r x n)) of a body to a row; returns sign * n . g, the part that is free.
static double add_body(const carom_tower_space *t, carom_qp_row *row, int number,
                       const space_contact *c, double sign)
{
    const space_body *b = &t->bodies[number];
    if (b->fixed)
        return 0;
    turn_factor f = factor_of(b->inertia);
    vec3 r = vec3_sub(c->point, b->centre), turn = forward(&f, vec3_cross(r, c->normal));
    row->block[row->count] = b->block;
    vec3_store(vec3_scale(sign, c->normal), row->value[row->count++]);
    row->block[row->count] = b->block + 1;
    vec3_store(vec3_scale(sign, turn), row->value[row->count++]);
    return sign * vec3_dot(c->normal, t->gravity);
}

carom_status carom_tower_space_initial_problem(const carom_tower_space *t, space_contacts *contacts,
                                               carom_arena *arena, carom_qp *qp, carom_error *err)
{
    carom_qp_row *rows;
    double *weight, pull = vec3_length(t->gravity);
    if (!(pull == 0 || (pull >= 1e-9 && pull <= 1e6))) {
        carom_error_set(err, CAROM_BAD_INPUT, "gravity is %g", pull);
        return carom_error_fix(err, "use 0, or a number from 1e-9 to 1e6");
    }
    TRY(carom_tower_space_contact_find(t, contacts, err));
    TAKE(arena, rows, contacts->count + 1, err);
    TAKE_ZEROS(arena, weight, 3 * t->block_count + 1, err);
    for (int b = 0; b < t->body_count; ++b) {
        const space_body *body = &t->bodies[b];
        if (body->fixed)
            continue;
        turn_factor f = factor_of(body->inertia);
        double *w = weight + 3 * (size_t)body->block;
        w[0] = w[1] = w[2] = body->mass;
        for (int k = 0; k < 3; ++k)
            w[3 + k] = f.d[k];
    }
    for (int n = 0; n < contacts->count; ++n) {
        const space_contact *c = &contacts->item[n];
        rows[n] = (carom_qp_row){ .count = 0 };
        double free_part = add_body(t, &rows[n], c->b, c, 1);
        free_part += add_body(t, &rows[n], c->a, c, -1);
        rows[n].bound = -free_part;
    }
    *qp = (carom_qp){
        .block_count = t->block_count, .row_count = contacts->count, .weight = weight, .rows = rows
    };
    return CAROM_OK;
}

static void fill_accelerations(const carom_tower_space *t, const double *y,
                               carom_tower_space_instant *out)
{
    double unit = t->size > 0 ? t->size / 2 : 1;
    for (int n = 0; n < t->body_count; ++n) {
        const space_body *b = &t->bodies[n];
        if (b->fixed)
            continue;
        const double *part = y + 3 * (size_t)b->block;
        double *a = out->accelerations + 6 * (size_t)n;
        turn_factor f = factor_of(b->inertia);
        vec3 move = vec3_add(vec3_from(part), t->gravity), turn = backward(&f, part + 3);
        vec3_store(move, a);
        vec3_store(turn, a + 3);
        out->sum_m_a2 +=
            b->mass * vec3_dot(move, move) + vec3_dot(turn, sym3_mul(b->inertia, turn));
        out->power += b->mass * vec3_dot(t->gravity, move);
        for (int k = 0; k < 6; ++k)
            out->largest = fmax(out->largest, fabs(a[k]) * (k < 3 ? 1 : unit));
    }
}

static void fill_forces(const carom_tower_space *t, const space_contacts *contacts,
                        const carom_qp *qp, const double *lambda, const double *y,
                        carom_tower_space_instant *out)
{
    double pull = vec3_length(t->gravity);
    vec3 up = pull > 0 ? vec3_scale(-1 / pull, t->gravity) : vec3_make(0, 0, 1);
    for (int n = 0; n < contacts->count; ++n) {
        const space_contact *c = &contacts->item[n];
        carom_tower_space_force *force = &out->forces[n];
        *force = (carom_tower_space_force){ .a = c->a, .b = c->b, .force = lambda[n] };
        vec3_store(c->point, force->point);
        vec3_store(c->normal, force->normal);
        force->opening = carom_qp_row_times(&qp->rows[n], y) - qp->rows[n].bound;
        double lift = lambda[n] * vec3_dot(c->normal, up);
        if (t->bodies[c->a].fixed)
            out->support_force += lift;
        else if (t->bodies[c->b].fixed)
            out->support_force -= lift;
    }
}

static const char *method_name(carom_qp_method method)
{
    return method == CAROM_QP_ACTIVE ? "active set"
           : method == CAROM_QP_NONE ? "free flight"
                                     : "interior point";
}

static carom_status answer(const carom_tower_space *t, carom_tower_solver solver,
                           carom_arena *arena, space_contacts *contacts,
                           carom_tower_space_instant *out, carom_error *err)
{
    carom_qp qp;
    carom_qp_report report;
    double *lambda, *y;
    TRY(carom_tower_space_initial_problem(t, contacts, arena, &qp, err));
    TAKE_ZEROS(arena, lambda, qp.row_count + 1, err);
    TAKE_ZEROS(arena, y, 3 * qp.block_count + 1, err);
    out->bodies = t->body_count;
    out->force_count = out->rows = contacts->count;
    out->accelerations = calloc(6 * (size_t)t->body_count + 1, sizeof *out->accelerations);
    out->forces = calloc((size_t)contacts->count + 1, sizeof *out->forces);
    if (!out->accelerations || !out->forces)
        return carom_error_no_memory(err, "%d bodies", t->body_count);
    TRY(carom_tower_initial_solve(&qp, solver, arena, lambda, y, &report, err));
    fill_accelerations(t, y, out);
    fill_forces(t, contacts, &qp, lambda, y, out);
    double pull = vec3_length(t->gravity);
    out->kkt = report.kkt;
    out->method = method_name(report.method);
    out->stable = out->largest <= CAROM_TOWER_REST * (pull > 0 ? pull : 1);
    return CAROM_OK;
}

carom_status carom_tower_space_initial(const carom_tower_space *t, carom_tower_solver solver,
                                       carom_tower_space_instant *out, carom_error *err)
{
    NEED(err, t, out);
    space_contacts contacts = { 0 };
    *out = (carom_tower_space_instant){ .method = "none" };
    carom_arena *arena = carom_arena_create(0);
    if (!arena)
        return carom_error_no_memory(err, "%d bodies", t->body_count);
    carom_status status = answer(t, solver, arena, &contacts, out, err);
    free(contacts.item);
    carom_arena_destroy(arena);
    return status;
}

void carom_tower_space_initial_free(carom_tower_space_instant *out)
{
    if (!out)
        return;
    free(out->accelerations);
    free(out->forces);
    *out = (carom_tower_space_instant){ .method = "none" };
}

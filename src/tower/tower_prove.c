// The first instant in rational arithmetic, and its certificate.
//
// Which contacts there are and which of them push comes from the floating-point answer; everything
// else is computed again from the stored doubles, which are rationals: corners, levers, masses,
// moments. The exact optimality conditions are verified by the solver (qp_exact). If no body
// accelerates, the forces are a balance; otherwise the accelerations are a motion that opens no
// contact the wrong way and lowers the energy. Both are written as a certificate that a reader can
// check without trusting us.
#include "tower/tower_prove.h"

#include <stdlib.h>
#include "carom/json.h"
#include "rational/qp_exact.h"
#include "rational/rational.h"
#include "tower/tower_exact.h"
#include "tower/tower_initial.h"

typedef struct proof {
    const carom_tower *tower;
    tower_problem problem;
    mpq_t *corner; // x, y of every anchor
    mpq_t *normal; // x, y of every contact
    mpq_t *exact_y, *exact_lambda;
    mpq_t sum, support, tolerance;
    carom_qp_exact *qp;
    bool stable;
} proof;

// -- geometry -----------------------------------------------------------------------------------

// corner = centre + u r
static void place_corner(const carom_tower *t, int a, mpq_t *out)
{
    const tower_anchor *n = &t->anchors[a];
    const tower_body *b = &t->bodies[n->body];
    const double sum[2][3] = { { b->x, b->ux, -b->uy }, { b->y, b->uy, b->ux } };
    mpq_t r, factor;
    mpq_inits(r, factor, NULL);
    for (int c = 0; c < 2; ++c) {
        mpq_set_d(out[c], sum[c][0]);
        for (int k = 0; k < 2; ++k) {
            mpq_set_d(factor, sum[c][1 + k]);
            mpq_set_d(r, k ? n->ry : n->rx);
            mpq_mul(r, r, factor);
            mpq_add(out[c], out[c], r);
        }
    }
    mpq_clears(r, factor, NULL);
}

// The outer normal of a contact's edge, exactly at right angles to it and about as long as one.
static void contact_normal(proof *p, const tower_contact *c, mpq_t *out)
{
    mpq_t length;
    if (c->plane >= 0) {
        mpq_set_d(out[0], p->tower->planes[c->plane].nx);
        mpq_set_d(out[1], p->tower->planes[c->plane].ny);
        return;
    }
    mpq_init(length);
    mpq_sub(out[0], p->corner[2 * c->j + 1], p->corner[2 * c->i + 1]);
    mpq_sub(out[1], p->corner[2 * c->i], p->corner[2 * c->j]);
    mpq_set_d(length, c->length);
    mpq_div(out[0], out[0], length);
    mpq_div(out[1], out[1], length);
    mpq_clear(length);
}

// |n . (corner - point of the edge)|
static void note_gap(proof *p, const tower_contact *c, mpq_t *normal)
{
    mpq_t gap, from, term;
    mpq_inits(gap, from, term, NULL);
    for (int k = 0; k < 2; ++k) {
        if (c->plane >= 0)
            mpq_set_d(from, k ? p->tower->planes[c->plane].y : p->tower->planes[c->plane].x);
        else
            mpq_set(from, p->corner[2 * c->i + k]);
        mpq_sub(term, p->corner[2 * c->k + k], from);
        mpq_mul(term, term, normal[k]);
        mpq_add(gap, gap, term);
    }
    mpq_abs(gap, gap);
    if (mpq_cmp(gap, p->tolerance) > 0)
        mpq_set(p->tolerance, gap);
    mpq_clears(gap, from, term, NULL);
}

// -- the program --------------------------------------------------------------------------------

// Second moment of a polygon about the centre of mass of its body, for unit mass: corner masses, or
// even. Computed from the placed corners, as a reader of the certificate would.
static bool unit_inertia(const proof *p, const tower_body *body, mpq_t out)
{
    const tower_shape *s = &p->tower->shapes[body->shape];
    mpq_t a[2], b[2], area, cross, squares, term;
    mpq_inits(a[0], a[1], b[0], b[1], area, cross, squares, term, NULL);
    mpq_set_ui(out, 0, 1);
    for (int v = 0; v < s->count; ++v) {
        mpq_t *first = p->corner + 2 * (size_t)tower_corner(p->tower, s, v),
              *second = p->corner + 2 * (size_t)tower_corner(p->tower, s, v + 1);
        mpq_set_ui(squares, 0, 1);
        for (int k = 0; k < 2; ++k) {
            mpq_set_d(term, k ? body->y : body->x);
            mpq_sub(a[k], first[k], term);
            mpq_sub(b[k], second[k], term);
            mpq_mul(term, a[k], a[k]);
            mpq_add(squares, squares, term);
        }
        if (body->spread == CAROM_TOWER_HOMOGENEOUS) {
            // (a x b) (a.a + a.b + b.b) / 12 over the area, the sum of (a x b) / 2
            for (int k = 0; k < 2; ++k) {
                mpq_add(term, a[k], b[k]);
                mpq_mul(term, term, b[k]);
                mpq_add(squares, squares, term);
            }
            mpq_mul(cross, a[0], b[1]);
            mpq_mul(term, a[1], b[0]);
            mpq_sub(cross, cross, term);
            mpq_add(area, area, cross);
            mpq_mul(squares, squares, cross);
        }
        mpq_add(out, out, squares);
    }
    mpq_set_si(term, body->spread == CAROM_TOWER_CORNERS ? s->count : 6, 1);
    if (body->spread == CAROM_TOWER_HOMOGENEOUS)
        mpq_mul(term, term, area);
    bool good = mpq_sgn(term) > 0 && mpq_sgn(out) > 0;
    if (good)
        mpq_div(out, out, term);
    mpq_clears(a[0], a[1], b[0], b[1], area, cross, squares, term, NULL);
    return good;
}

// The block of a body in a row: sign (n, lever x n).
static void fill_block(proof *p, carom_qp_exact_row *row, int body, int sign, mpq_t *normal,
                       mpq_t *point)
{
    const tower_body *b = &p->tower->bodies[body];
    mpq_t lever, term;
    if (body < 0 || b->fixed)
        return;
    mpq_inits(lever, term, NULL);
    mpq_t *value = row->values[row->count];
    row->blocks[row->count++] = b->block;
    mpq_set(value[0], normal[0]);
    mpq_set(value[1], normal[1]);
    mpq_set_d(term, b->x);
    mpq_sub(lever, point[0], term);
    mpq_mul(value[2], lever, normal[1]);
    mpq_set_d(term, b->y);
    mpq_sub(lever, point[1], term);
    mpq_mul(lever, lever, normal[0]);
    mpq_sub(value[2], value[2], lever);
    for (int c = 0; sign < 0 && c < 3; ++c)
        mpq_neg(value[c], value[c]);
    mpq_clears(lever, term, NULL);
}

// g_r . (a - gravity) >= 0 for a, that is bound = gravity * (sum of the y coefficients)
static void fill_bound(proof *p, carom_qp_exact_row *row)
{
    mpq_t gravity;
    mpq_init(gravity);
    mpq_set_ui(row->bound, 0, 1);
    for (int k = 0; k < row->count; ++k)
        mpq_add(row->bound, row->bound, row->values[k][1]);
    mpq_set_d(gravity, p->tower->gravity);
    mpq_mul(row->bound, row->bound, gravity);
    mpq_clear(gravity);
}

static carom_status fill_program(proof *p, carom_error *err)
{
    const carom_tower *t = p->tower;
    for (int a = 0; a < t->anchor_count; ++a)
        place_corner(t, a, p->corner + 2 * (size_t)a);
    for (int b = 0; b < t->body_count; ++b) {
        const tower_body *body = &t->bodies[b];
        if (body->fixed)
            continue;
        mpq_t *weight = p->qp->weights + 3 * (size_t)body->block;
        mpq_set_d(weight[0], body->mass);
        mpq_set(weight[1], weight[0]);
        if (!unit_inertia(p, body, weight[2])) {
            carom_error_set(err, CAROM_BAD_INPUT, "body %d has no area in exact arithmetic", b);
            return carom_error_fix(err, "make the body thicker, or use another unit of length");
        }
        mpq_mul(weight[2], weight[2], weight[0]);
    }
    for (int n = 0; n < p->problem.contacts.count; ++n) {
        const tower_contact *c = &p->problem.contacts.item[n];
        mpq_t *normal = p->normal + 2 * (size_t)n, *point = p->corner + 2 * (size_t)c->k;
        contact_normal(p, c, normal);
        note_gap(p, c, normal);
        fill_block(p, &p->qp->rows[n], c->corner_owner, 1, normal, point);
        fill_block(p, &p->qp->rows[n], c->edge_owner, -1, normal, point);
        fill_bound(p, &p->qp->rows[n]);
    }
    return CAROM_OK;
}

// -- the certificate ----------------------------------------------------------------------------

static void write_pair(carom_json *json, const char *key, mpq_t *pair)
{
    carom_json_array(json, key);
    carom_tower_exact_write(json, NULL, pair[0]);
    carom_tower_exact_write(json, NULL, pair[1]);
    carom_json_end(json);
}

static void write_corners(carom_json *json, const proof *p, const tower_shape *s)
{
    carom_json_array(json, "corners");
    for (int v = 0; v < s->count; ++v)
        write_pair(json, NULL, p->corner + 2 * (size_t)tower_corner(p->tower, s, v));
    carom_json_end(json);
}

static void write_bodies(carom_json *json, const proof *p)
{
    const carom_tower *t = p->tower;
    carom_json_array(json, "bodies");
    for (int b = 0; b < t->public_body_count; ++b) {
        carom_json_object(json, NULL);
        if (t->bodies[b].fixed)
            carom_json_bool(json, "fixed", true);
        else {
            carom_tower_exact_write_double(json, "mass", t->bodies[b].mass);
            carom_json_string(json, "masses",
                              t->bodies[b].spread == CAROM_TOWER_CORNERS ? "corners"
                                                                         : "homogeneous");
            carom_json_array(json, "centre");
            carom_tower_exact_write_double(json, NULL, t->bodies[b].x);
            carom_tower_exact_write_double(json, NULL, t->bodies[b].y);
            carom_json_end(json);
        }
        write_corners(json, p, &t->shapes[t->bodies[b].shape]);
        carom_json_end(json);
    }
    carom_json_end(json);
    carom_json_array(json, "supports");
    for (int h = 0; h < t->plane_count; ++h) {
        const tower_plane *plane = &t->planes[h];
        carom_json_object(json, NULL);
        carom_json_array(json, "point");
        carom_tower_exact_write_double(json, NULL, plane->x);
        carom_tower_exact_write_double(json, NULL, plane->y);
        carom_json_end(json);
        carom_json_array(json, "normal");
        carom_tower_exact_write_double(json, NULL, plane->nx);
        carom_tower_exact_write_double(json, NULL, plane->ny);
        carom_json_end(json);
        carom_json_end(json);
    }
    for (int s = 0; s < t->shape_count; ++s)
        if (t->shapes[s].owner < 0) {
            carom_json_object(json, NULL);
            write_corners(json, p, &t->shapes[s]);
            carom_json_end(json);
        }
    carom_json_end(json);
}

static void write_geometry(carom_json *json, const proof *p)
{
    carom_tower_exact_write_double(json, "gravity", p->tower->gravity);
    carom_tower_exact_write(json, "tolerance", p->tolerance);
    write_bodies(json, p);
}

// The contacts that carry a force, or all of them where no forces are known.
static void write_forces(carom_json *json, const proof *p)
{
    carom_json_array(json, "forces");
    for (int n = 0; n < p->problem.contacts.count; ++n) {
        const tower_contact *c = &p->problem.contacts.item[n];
        if (p->exact_lambda && mpq_sgn(p->exact_lambda[n]) == 0)
            continue;
        carom_json_object(json, NULL);
        carom_json_integer(json, "a", c->edge_owner);
        carom_json_integer(json, "b", c->corner_owner);
        write_pair(json, "point", p->corner + 2 * (size_t)c->k);
        write_pair(json, "normal", p->normal + 2 * (size_t)n);
        if (p->exact_lambda)
            carom_tower_exact_write(json, "force", p->exact_lambda[n]);
        carom_json_end(json);
    }
    carom_json_end(json);
}

static void write_motion(carom_json *json, const proof *p)
{
    carom_json_array(json, "motion");
    for (int n = 0; n < p->tower->public_body_count; ++n) {
        const tower_body *b = &p->tower->bodies[n];
        carom_tower_exact_write_motion(json, b->fixed ? NULL : &p->exact_y[3 * b->block], 3);
    }
    carom_json_end(json);
}

static carom_status write_certificate(const proof *p, carom_tower_proof *out, carom_error *err)
{
    carom_json *json = carom_tower_exact_certificate(2, p->stable);
    write_geometry(json, p);
    write_forces(json, p);
    if (!p->stable)
        write_motion(json, p);
    return carom_tower_exact_hand_over(json, p->sum, p->support, out, err);
}

// -- the proof ----------------------------------------------------------------------------------

// y becomes the acceleration a = y + gravity; fills the sums.
static void judge(proof *p)
{
    const carom_tower *t = p->tower;
    mpq_t term, gravity;
    mpq_inits(term, gravity, NULL);
    mpq_set_d(gravity, t->gravity);
    p->stable = true;
    for (int i = 0; i < 3 * t->block_count; ++i) {
        if (i % 3 == 1)
            mpq_sub(p->exact_y[i], p->exact_y[i], gravity);
        mpq_mul(term, p->exact_y[i], p->exact_y[i]);
        mpq_mul(term, term, p->qp->weights[i]);
        mpq_add(p->sum, p->sum, term);
        p->stable = p->stable && mpq_sgn(p->exact_y[i]) == 0;
    }
    for (int n = 0; n < p->problem.contacts.count; ++n) {
        const tower_contact *c = &p->problem.contacts.item[n];
        bool carries = c->edge_owner < 0 || t->bodies[c->edge_owner].fixed;
        bool carried = c->corner_owner < 0 || t->bodies[c->corner_owner].fixed;
        mpq_mul(term, p->exact_lambda[n], p->normal[2 * n + 1]);
        if (carries)
            mpq_add(p->support, p->support, term);
        else if (carried)
            mpq_sub(p->support, p->support, term);
    }
    mpq_clears(term, gravity, NULL);
}

// The tower in rational numbers: corners, normals, masses, the rows of the program.
static carom_status make_exact(proof *p, carom_arena *arena, carom_error *err)
{
    const carom_tower *t = p->tower;
    TRY(carom_tower_initial_problem(t, arena, &p->problem, err));
    p->qp = carom_qp_exact_create(t->block_count, p->problem.contacts.count);
    p->corner = carom_tower_exact_create(2 * t->anchor_count);
    p->normal = carom_tower_exact_create(2 * p->problem.contacts.count);
    if (!p->qp || !p->corner || !p->normal)
        return carom_error_no_memory(err, "the proof");
    return fill_program(p, err);
}

static carom_status prove(proof *p, carom_arena *arena, carom_tower_proof *out, carom_error *err)
{
    const carom_tower *t = p->tower;
    int *order = NULL, candidates = 0;
    TRY(make_exact(p, arena, err));
    TRY(carom_tower_exact_guess(&p->problem.qp, arena, &order, &candidates, err));
    p->exact_y = carom_tower_exact_create(3 * t->block_count);
    p->exact_lambda = carom_tower_exact_create(p->problem.contacts.count);
    if (!p->exact_y || !p->exact_lambda)
        return carom_error_no_memory(err, "the proof");
    TRY(carom_qp_exact_solve(p->qp, order, candidates, p->exact_y, p->exact_lambda, &out->bits,
                             err));
    judge(p);
    out->stable = p->stable;
    out->tolerance = mpq_get_d(p->tolerance);
    for (int n = 0; n < p->problem.contacts.count; ++n)
        out->contacts += mpq_sgn(p->exact_lambda[n]) > 0;
    return write_certificate(p, out, err);
}

static void release_proof(proof *p)
{
    carom_qp_exact_destroy(p->qp);
    carom_tower_exact_destroy(p->corner, 2 * p->tower->anchor_count);
    carom_tower_exact_destroy(p->normal, 2 * p->problem.contacts.count);
    carom_tower_exact_destroy(p->exact_y, 3 * p->tower->block_count);
    carom_tower_exact_destroy(p->exact_lambda, p->problem.contacts.count);
    mpq_clears(p->sum, p->support, p->tolerance, NULL);
}

static carom_status check_kind(const carom_tower *t, carom_error *err)
{
    if (t->friction > 0 || t->bar_count > 0) {
        carom_error_set(err, CAROM_UNSUPPORTED, "no proof for towers with friction, pins or bars");
        return carom_error_fix(err, "prove the frictionless tower of rigid bodies");
    }
    for (int b = 0; b < t->public_body_count; ++b)
        if (t->bodies[b].point) {
            carom_error_set(err, CAROM_UNSUPPORTED, "no proof for point masses (body %d)", b);
            return carom_error_fix(err, "prove the tower of rigid bodies");
        }
    return CAROM_OK;
}

typedef struct task {
    const carom_tower *tower;
    carom_tower_proof *out;
} task;

static carom_status prove_guarded(void *with, carom_error *err)
{
    const carom_tower *t = ((task *)with)->tower;
    carom_tower_proof *out = ((task *)with)->out;
    TRY(check_kind(t, err));
    carom_arena *arena = carom_tower_exact_arena();
    if (!arena)
        return carom_error_no_memory(err, "the proof");
    proof p = { .tower = t };
    mpq_inits(p.sum, p.support, p.tolerance, NULL);
    carom_status status = prove(&p, arena, out, err);
    release_proof(&p);
    carom_arena_destroy(carom_rational_let_go(arena));
    return status;
}

carom_status carom_tower_prove(const carom_tower *t, carom_tower_proof *out, carom_error *err)
{
    NEED(err, t, out);
    *out = (carom_tower_proof){ .stable = false };
    carom_status status = carom_rational_guard(prove_guarded, &(task){ t, out }, err);
    if (status == CAROM_NO_MEMORY) // the guard has given back what stands there
        *out = (carom_tower_proof){ .stable = false };
    return status;
}

carom_status carom_tower_prove_geometry(const carom_tower *t, char **text, carom_error *err)
{
    *text = NULL;
    TRY(check_kind(t, err));
    carom_arena *arena = carom_tower_exact_arena();
    if (!arena)
        return carom_error_no_memory(err, "the proof");
    proof p = { .tower = t };
    mpq_inits(p.sum, p.support, p.tolerance, NULL);
    carom_status status = make_exact(&p, arena, err);
    if (status == CAROM_OK) {
        carom_json *json = carom_tower_exact_begin();
        carom_json_object(json, NULL);
        write_geometry(json, &p);
        write_forces(json, &p);
        carom_json_end(json);
        *text = carom_tower_exact_finish(json);
        if (!*text)
            status = carom_error_no_memory(err, "the tower as text");
    }
    release_proof(&p);
    carom_arena_destroy(carom_rational_let_go(arena));
    return status;
}

void carom_tower_prove_free(carom_tower_proof *out)
{
    if (!out)
        return;
    free(out->certificate);
    free(out->sum_m_a2);
    free(out->support);
    *out = (carom_tower_proof){ .stable = false };
}

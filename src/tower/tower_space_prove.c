// The first instant in space in rational arithmetic, and its certificate.
//
// Masses, centres, inertia tensors, contact points and normals are taken as the doubles they are; J
// = L D L^T is factored in rationals, so that the program is the one of tower_space_initial.c,
// exactly. Which contacts push comes from the floating-point answer; qp_exact repairs and verifies.
// The certificate lists every contact with its force: who reads it can check Newton's equations for
// every body, that no force pulls, that no contact closes, and that forces act only where contacts
// stay closed. Whether the contacts are those of a scene is for --scene to compare.
#include "tower/tower_space_prove.h"

#include <stdlib.h>
#include "carom/json.h"
#include "rational/qp_exact.h"
#include "rational/rational.h"
#include "tower/tower_exact.h"
#include "tower/tower_initial.h"
#include "tower/tower_space_initial.h"

typedef struct exact_turn {
    mpq_t d[3], yx, zx, zy;
} exact_turn;

typedef struct proof {
    const carom_tower_space *tower;
    space_contacts contacts;
    carom_qp_exact *qp;
    exact_turn *turn; // of each body
    mpq_t *y, *lambda;
    mpq_t sum, support;
    bool stable, has_support;
} proof;

// -- the program --------------------------------------------------------------------------------

// J = L D L^T; false where a pivot is not positive in exact arithmetic.
static bool factor(const sym3 *j, exact_turn *f)
{
    mpq_t xy, xz, yz, term;
    mpq_inits(xy, xz, yz, term, NULL);
    mpq_set_d(f->d[0], j->xx);
    mpq_set_d(f->d[1], j->yy);
    mpq_set_d(f->d[2], j->zz);
    mpq_set_d(xy, j->xy);
    mpq_set_d(xz, j->xz);
    mpq_set_d(yz, j->yz);
    bool good = mpq_sgn(f->d[0]) > 0;
    if (good) {
        mpq_div(f->yx, xy, f->d[0]);
        mpq_div(f->zx, xz, f->d[0]);
        mpq_mul(term, f->yx, xy);
        mpq_sub(f->d[1], f->d[1], term);
        good = mpq_sgn(f->d[1]) > 0;
    }
    if (good) {
        mpq_mul(term, f->zx, xy);
        mpq_sub(f->zy, yz, term);
        mpq_div(f->zy, f->zy, f->d[1]);
        mpq_mul(term, f->zx, xz);
        mpq_sub(f->d[2], f->d[2], term);
        mpq_mul(term, f->zy, f->zy);
        mpq_mul(term, term, f->d[1]);
        mpq_sub(f->d[2], f->d[2], term);
        good = mpq_sgn(f->d[2]) > 0;
    }
    mpq_clears(xy, xz, yz, term, NULL);
    return good;
}

// value = L^-1 (r x n)
static void turn_row(const exact_turn *f, const space_body *b, const space_contact *c, mpq_t *value)
{
    const double p[3] = { c->point.x, c->point.y, c->point.z },
                 o[3] = { b->centre.x, b->centre.y, b->centre.z },
                 n[3] = { c->normal.x, c->normal.y, c->normal.z };
    mpq_t r[3], m[3], term;
    mpq_inits(r[0], r[1], r[2], m[0], m[1], m[2], term, NULL);
    for (int k = 0; k < 3; ++k) {
        mpq_set_d(r[k], p[k]);
        mpq_set_d(term, o[k]);
        mpq_sub(r[k], r[k], term);
        mpq_set_d(m[k], n[k]);
    }
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mpq_mul(value[k], r[i], m[j]);
        mpq_mul(term, r[j], m[i]);
        mpq_sub(value[k], value[k], term);
    }
    mpq_mul(term, f->yx, value[0]);
    mpq_sub(value[1], value[1], term);
    mpq_mul(term, f->zx, value[0]);
    mpq_sub(value[2], value[2], term);
    mpq_mul(term, f->zy, value[1]);
    mpq_sub(value[2], value[2], term);
    mpq_clears(r[0], r[1], r[2], m[0], m[1], m[2], term, NULL);
}

static void add_body(const proof *p, carom_qp_exact_row *row, int body, const space_contact *c,
                     int sign)
{
    const space_body *b = &p->tower->bodies[body];
    const double n[3] = { c->normal.x, c->normal.y, c->normal.z },
                 g[3] = { p->tower->gravity.x, p->tower->gravity.y, p->tower->gravity.z };
    if (b->fixed)
        return;
    mpq_t *move = row->values[row->count], *turn = row->values[row->count + 1], pull;
    row->blocks[row->count++] = b->block;
    row->blocks[row->count++] = b->block + 1;
    turn_row(&p->turn[body], b, c, turn);
    mpq_init(pull);
    for (int k = 0; k < 3; ++k) {
        mpq_set_d(move[k], sign * n[k]);
        if (sign < 0)
            mpq_neg(turn[k], turn[k]);
        mpq_set_d(pull, g[k]); // bound = -(sum of sign n . g)
        mpq_mul(pull, pull, move[k]);
        mpq_sub(row->bound, row->bound, pull);
    }
    mpq_clear(pull);
}

static carom_status fill_program(proof *p, carom_error *err)
{
    const carom_tower_space *t = p->tower;
    for (int n = 0; n < t->body_count; ++n) {
        const space_body *b = &t->bodies[n];
        exact_turn *f = &p->turn[n];
        if (b->fixed)
            continue;
        if (!factor(&b->inertia, f)) {
            carom_error_set(err, CAROM_BAD_INPUT,
                            "the inertia of \"%.40s\" is not positive in exact arithmetic",
                            b->name);
            return carom_error_fix(err, "give the body extent in all directions");
        }
        mpq_t *w = p->qp->weights + 3 * (size_t)b->block;
        for (int k = 0; k < 3; ++k) {
            mpq_set_d(w[k], b->mass);
            mpq_set(w[3 + k], f->d[k]);
        }
    }
    for (int n = 0; n < p->contacts.count; ++n) {
        const space_contact *c = &p->contacts.item[n];
        add_body(p, &p->qp->rows[n], c->b, c, 1);
        add_body(p, &p->qp->rows[n], c->a, c, -1);
    }
    return CAROM_OK;
}

// -- the answer ---------------------------------------------------------------------------------

// From y = (a - g, z) to (a, alpha): alpha = L^-T z.
static void to_accelerations(proof *p)
{
    const carom_tower_space *t = p->tower;
    const double g[3] = { t->gravity.x, t->gravity.y, t->gravity.z };
    mpq_t term;
    mpq_init(term);
    p->stable = true;
    for (int n = 0; n < t->body_count; ++n) {
        if (t->bodies[n].fixed)
            continue;
        mpq_t *a = p->y + 3 * (size_t)t->bodies[n].block, *z = a + 3;
        const mpq_t *w = p->qp->weights + 3 * (size_t)t->bodies[n].block;
        const exact_turn *f = &p->turn[n];
        for (int k = 0; k < 6; ++k) {
            if (k < 3) {
                mpq_set_d(term, g[k]);
                mpq_add(a[k], a[k], term);
            }
            mpq_mul(term, a[k], a[k]);
            mpq_mul(term, term, w[k]);
            mpq_add(p->sum, p->sum, term);
            p->stable = p->stable && mpq_sgn(a[k]) == 0;
        }
        mpq_mul(term, f->zy, z[2]);
        mpq_sub(z[1], z[1], term);
        mpq_mul(term, f->yx, z[1]);
        mpq_sub(z[0], z[0], term);
        mpq_mul(term, f->zx, z[2]);
        mpq_sub(z[0], z[0], term);
    }
    mpq_clear(term);
}

// What the supports give against gravity; a rational number where gravity runs along an axis.
static void sum_support(proof *p)
{
    const carom_tower_space *t = p->tower;
    const double g[3] = { t->gravity.x, t->gravity.y, t->gravity.z };
    int axis = g[0] != 0 ? 0 : g[1] != 0 ? 1 : 2;
    p->has_support = (g[0] != 0) + (g[1] != 0) + (g[2] != 0) <= 1;
    mpq_t term;
    mpq_init(term);
    for (int n = 0; p->has_support && n < p->contacts.count; ++n) {
        const space_contact *c = &p->contacts.item[n];
        const double along[3] = { c->normal.x, c->normal.y, c->normal.z };
        mpq_set_d(term, g[axis] > 0 ? -along[axis] : along[axis]);
        mpq_mul(term, term, p->lambda[n]);
        if (t->bodies[c->a].fixed)
            mpq_add(p->support, p->support, term);
        else if (t->bodies[c->b].fixed)
            mpq_sub(p->support, p->support, term);
    }
    mpq_clear(term);
}

// -- the certificate ----------------------------------------------------------------------------

static void write_doubles(carom_json *json, const char *key, const double *value, int count)
{
    carom_json_array(json, key);
    for (int k = 0; k < count; ++k)
        carom_tower_exact_write_double(json, NULL, value[k]);
    carom_json_end(json);
}

static void write_bodies(carom_json *json, const carom_tower_space *t)
{
    carom_json_array(json, "bodies");
    for (int n = 0; n < t->body_count; ++n) {
        const space_body *b = &t->bodies[n];
        const double centre[3] = { b->centre.x, b->centre.y, b->centre.z },
                     j[6] = { b->inertia.xx, b->inertia.yy, b->inertia.zz,
                              b->inertia.xy, b->inertia.xz, b->inertia.yz };
        carom_json_object(json, NULL);
        carom_json_string(json, "name", b->name);
        if (b->fixed)
            carom_json_bool(json, "fixed", true);
        else {
            carom_tower_exact_write_double(json, "mass", b->mass);
            write_doubles(json, "centre", centre, 3);
            write_doubles(json, "inertia", j, 6);
        }
        carom_json_end(json);
    }
    carom_json_end(json);
}

static void write_geometry(carom_json *json, const proof *p)
{
    const carom_tower_space *t = p->tower;
    write_doubles(json, "gravity", (double[]){ t->gravity.x, t->gravity.y, t->gravity.z }, 3);
    carom_tower_exact_write_double(json, "tolerance", TOWER_SPACE_TOUCHING * t->size);
    write_bodies(json, t);
    carom_json_array(json, "contacts");
    for (int n = 0; n < p->contacts.count; ++n) {
        const space_contact *c = &p->contacts.item[n];
        carom_json_object(json, NULL);
        carom_json_integer(json, "a", c->a);
        carom_json_integer(json, "b", c->b);
        write_doubles(json, "point", (double[]){ c->point.x, c->point.y, c->point.z }, 3);
        write_doubles(json, "normal", (double[]){ c->normal.x, c->normal.y, c->normal.z }, 3);
        if (p->lambda)
            carom_tower_exact_write(json, "force", p->lambda[n]);
        carom_json_end(json);
    }
    carom_json_end(json);
}

static void write_motion(carom_json *json, const proof *p)
{
    carom_json_array(json, "motion");
    for (int n = 0; n < p->tower->body_count; ++n) {
        const space_body *b = &p->tower->bodies[n];
        carom_tower_exact_write_motion(json, b->fixed ? NULL : &p->y[3 * b->block], 6);
    }
    carom_json_end(json);
}

static carom_status write_certificate(const proof *p, carom_tower_proof *out, carom_error *err)
{
    carom_json *json = carom_tower_exact_certificate(3, p->stable);
    write_geometry(json, p);
    if (!p->stable)
        write_motion(json, p);
    return carom_tower_exact_hand_over(json, p->sum, p->has_support ? p->support : NULL, out, err);
}

// -- the proof ----------------------------------------------------------------------------------

static void hold_contacts(const proof *p)
{
    if (p->contacts.item)
        carom_rational_hold(p->contacts.item, free);
}

static carom_status make_exact(proof *p, carom_arena *arena, carom_qp *qp, carom_error *err)
{
    const carom_tower_space *t = p->tower;
    TRY(carom_tower_space_initial_problem(t, &p->contacts, arena, qp, err));
    hold_contacts(p);
    p->qp = carom_qp_exact_create(t->block_count, p->contacts.count);
    p->turn = carom_rational_calloc(1, ((size_t)t->body_count + 1) * sizeof *p->turn);
    for (int n = 0; p->turn && n < t->body_count; ++n)
        mpq_inits(p->turn[n].d[0], p->turn[n].d[1], p->turn[n].d[2], p->turn[n].yx, p->turn[n].zx,
                  p->turn[n].zy, NULL);
    if (!p->qp || !p->turn)
        return carom_error_no_memory(err, "the proof");
    return fill_program(p, err);
}

static carom_status prove(proof *p, carom_arena *arena, carom_tower_proof *out, carom_error *err)
{
    carom_qp qp;
    int *order = NULL, candidates = 0;
    TRY(make_exact(p, arena, &qp, err));
    TRY(carom_tower_exact_guess(&qp, arena, &order, &candidates, err));
    p->y = carom_tower_exact_create(3 * p->tower->block_count);
    p->lambda = carom_tower_exact_create(p->contacts.count);
    if (!p->y || !p->lambda)
        return carom_error_no_memory(err, "the proof");
    TRY(carom_qp_exact_solve(p->qp, order, candidates, p->y, p->lambda, &out->bits, err));
    to_accelerations(p);
    sum_support(p);
    out->stable = p->stable;
    out->tolerance = TOWER_SPACE_TOUCHING * p->tower->size;
    for (int n = 0; n < p->contacts.count; ++n)
        out->contacts += mpq_sgn(p->lambda[n]) > 0;
    return write_certificate(p, out, err);
}

static void release(proof *p)
{
    carom_qp_exact_destroy(p->qp);
    for (int n = 0; p->turn && n < p->tower->body_count; ++n)
        mpq_clears(p->turn[n].d[0], p->turn[n].d[1], p->turn[n].d[2], p->turn[n].yx, p->turn[n].zx,
                   p->turn[n].zy, NULL);
    carom_rational_free(p->turn);
    carom_tower_exact_destroy(p->y, 3 * p->tower->block_count);
    carom_tower_exact_destroy(p->lambda, p->contacts.count);
    carom_rational_free(p->contacts.item);
    mpq_clears(p->sum, p->support, NULL);
}

typedef struct task {
    const carom_tower_space *tower;
    carom_tower_proof *out;
} task;

static carom_status prove_guarded(void *with, carom_error *err)
{
    const carom_tower_space *t = ((task *)with)->tower;
    carom_tower_proof *out = ((task *)with)->out;
    carom_arena *arena = carom_tower_exact_arena();
    if (!arena)
        return carom_error_no_memory(err, "the proof");
    proof p = { .tower = t };
    mpq_inits(p.sum, p.support, NULL);
    carom_status status = prove(&p, arena, out, err);
    release(&p);
    carom_arena_destroy(carom_rational_let_go(arena));
    return status;
}

carom_status carom_tower_space_prove(const carom_tower_space *t, carom_tower_proof *out,
                                     carom_error *err)
{
    NEED(err, t, out);
    *out = (carom_tower_proof){ .stable = false };
    carom_status status = carom_rational_guard(prove_guarded, &(task){ t, out }, err);
    if (status == CAROM_NO_MEMORY) // the guard has given back what stands there
        *out = (carom_tower_proof){ .stable = false };
    return status;
}

carom_status carom_tower_space_prove_geometry(const carom_tower_space *t, char **text,
                                              carom_error *err)
{
    *text = NULL;
    proof p = { .tower = t };
    mpq_inits(p.sum, p.support, NULL);
    carom_status status = carom_tower_space_contact_find(t, &p.contacts, err);
    if (status == CAROM_OK) {
        hold_contacts(&p);
        carom_json *json = carom_tower_exact_begin();
        carom_json_object(json, NULL);
        write_geometry(json, &p);
        carom_json_end(json);
        *text = carom_tower_exact_finish(json);
        if (!*text)
            status = carom_error_no_memory(err, "the tower as text");
    }
    release(&p);
    return status;
}

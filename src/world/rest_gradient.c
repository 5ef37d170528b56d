// Help for large islands that stand still: conjugate gradients on the contacts that press and
// stick.
//
// As in rest_direct.c a few sweeps tell which rows are active, and with them given the impulses
// follow from a linear system, W dP = r, with r the speed the active rows lack and W their response
// to impulses. Here it is solved in the space of impulses by conjugate gradients, preconditioned by
// each contact's own response; W is applied through the bodies. Nothing is projected on the way,
// which is what lets the gradients stay conjugate; what leaves the cone is put back at the end.
#include <string.h>
#include "world/rest.h"

// Of each active row, as a share of its own response: contacts of one face say the same several
// times, and not always quite the same.
static const double compliance = 1e-6;

typedef struct linear {
    carom_rest *rest;
    const carom_rest_island *island;
    vec3 *x, *r, *d;            // per contact: solution, residual, direction
    double *normal, *tangent;   // 1 where active
    carom_contact_twist *twist; // per body of the world: answer to d
} linear;

static void classify(linear *s);
static double begin(linear *s);
static double advance(linear *s, double *square);
static void finish(linear *s);

carom_status carom_rest_gradient_improve(carom_rest *rest, const carom_rest_island *island, int cap,
                                         carom_error *err)
{
    carom_arena *scratch = rest->step->world->scratch;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    linear s = { .rest = rest, .island = island };
    TAKE(scratch, s.x, island->set.count, err);
    TAKE(scratch, s.r, island->set.count, err);
    TAKE(scratch, s.d, island->set.count, err);
    TAKE(scratch, s.normal, island->set.count, err);
    TAKE(scratch, s.tangent, island->set.count, err);
    TAKE(scratch, s.twist, rest->step->world->count, err);
    memset(s.twist, 0, (size_t)rest->step->world->count * sizeof *s.twist);
    classify(&s);
    double square = begin(&s), first = square;
    for (int k = 0; k < cap && square > 1e-12 * first; ++k)
        if (!(advance(&s, &square) > 0) || carom_rest_ask_stopped(rest, 2.0 * island->set.count))
            break;
    finish(&s);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

static const carom_contact_record *contact_at(const linear *s, int i)
{
    return &s->rest->system.contacts[s->island->set.first + i];
}

static vec3 arm_a(const linear *s, int i)
{
    return carom_contact_arm_a(&s->rest->system, s->island->set.first + i);
}

static vec3 arm_b(const linear *s, int i)
{
    return carom_contact_arm_b(&s->rest->system, s->island->set.first + i);
}

static void classify(linear *s)
{
    for (int i = 0; i < s->island->set.count; ++i) {
        bool presses, sticks;
        carom_rest_active(s->rest, s->island->set.first + i, &presses, &sticks);
        s->normal[i] = presses;
        s->tangent[i] = sticks;
    }
}

// The parts of a vector along and across the normal, weighed.
static vec3 weigh(const linear *s, int i, vec3 v, double normal, double tangent)
{
    vec3 n = contact_at(s, i)->n;
    double along = vec3_dot(n, v);
    normal *= s->normal[i];
    tangent *= s->tangent[i];
    return vec3_axpy(vec3_scale(tangent, v), (normal - tangent) * along, n);
}

static vec3 precondition(const linear *s, int i)
{
    const carom_contact_record *c = contact_at(s, i);
    return weigh(s, i, s->r[i], c->normal_mass, c->tangent_mass);
}

static double begin(linear *s)
{
    double square = 0;
    for (int i = 0; i < s->island->set.count; ++i) {
        const carom_contact_record *c = contact_at(s, i);
        vec3 u = carom_contact_velocity_at(&s->rest->system, s->island->set.first + i);
        s->x[i] = vec3_make(0, 0, 0);
        s->r[i] = weigh(s, i, vec3_axpy(vec3_neg(u), c->target, c->n), 1, 1);
        s->d[i] = precondition(s, i);
        square += vec3_dot(s->r[i], s->d[i]);
    }
    return square;
}

static void push(linear *s, int body, vec3 arm, double sign, vec3 impulse)
{
    const carom_contact_body *b = &s->rest->system.bodies[body];
    if (b->inverse_mass == 0)
        return;
    carom_contact_twist *t = &s->twist[body];
    vec3 turn = vec3_cross(arm, impulse);
    t->v = vec3_axpy(t->v, sign * b->inverse_mass, impulse);
    t->w = vec3_axpy(t->w, sign, sym3_mul(b->inverse_inertia, turn));
}

static vec3 velocity(const linear *s, int body, vec3 arm)
{
    const carom_contact_twist *t = &s->twist[body];
    return vec3_add(t->v, vec3_cross(t->w, arm));
}

// M^-1 G^T d into the twists.
static void answer(linear *s, const vec3 *impulse)
{
    const carom_rest_island *island = s->island;
    for (int i = island->set.first_body; i < island->set.first_body + island->set.body_count; ++i)
        s->twist[s->rest->member[i]] = (carom_contact_twist){ { 0, 0, 0 }, { 0, 0, 0 } };
    for (int i = 0; i < island->set.count; ++i) {
        const carom_contact_record *c = contact_at(s, i);
        if (s->normal[i] == 0)
            continue;
        push(s, c->a, arm_a(s, i), -1, impulse[i]);
        push(s, c->b, arm_b(s, i), 1, impulse[i]);
    }
}

// One iteration; returns the curvature along the direction, 0 where it is over.
static double advance(linear *s, double *square)
{
    const carom_rest_island *island = s->island;
    double curvature = 0, next = 0;
    answer(s, s->d);
    for (int i = 0; i < island->set.count; ++i) {
        const carom_contact_record *c = contact_at(s, i);
        if (s->normal[i] == 0)
            continue;
        vec3 w = vec3_sub(velocity(s, c->b, arm_b(s, i)), velocity(s, c->a, arm_a(s, i)));
        w = vec3_add(weigh(s, i, w, 1, 1), weigh(s, i, s->d[i], compliance / c->normal_mass,
                                                 compliance / c->tangent_mass));
        s->rest->system.last[island->set.first + i] = w;
        curvature += vec3_dot(s->d[i], w);
    }
    if (!(curvature > 0))
        return 0;
    double step = *square / curvature;
    for (int i = 0; i < island->set.count; ++i) {
        if (s->normal[i] == 0)
            continue;
        s->x[i] = vec3_axpy(s->x[i], step, s->d[i]);
        s->r[i] = vec3_axpy(s->r[i], -step, s->rest->system.last[island->set.first + i]);
        next += vec3_dot(s->r[i], precondition(s, i));
    }
    double ratio = next / *square;
    for (int i = 0; i < island->set.count; ++i)
        if (s->normal[i] != 0)
            s->d[i] = vec3_axpy(precondition(s, i), ratio, s->d[i]);
    *square = next;
    return curvature;
}

// Adds the solution inside the cone.
static void finish(linear *s)
{
    for (int i = 0; i < s->island->set.count; ++i) {
        carom_contact_record *c = &s->rest->system.contacts[s->island->set.first + i];
        vec3 wanted = vec3_add(c->impulse, s->x[i]), inside = { 0, 0, 0 };
        if (s->normal[i] == 0)
            continue;
        double p = vec3_dot(c->n, wanted);
        vec3 q = vec3_axpy(wanted, -p, c->n);
        double max = c->friction * p, size = vec3_length(q);
        if (p > 0)
            inside = size > max ? vec3_axpy(vec3_scale(max / size, q), p, c->n) : wanted;
        carom_contact_push_at(&s->rest->system, s->island->set.first + i,
                              vec3_sub(inside, c->impulse));
        c->impulse = inside;
    }
}

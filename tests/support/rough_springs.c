// Contact springs with friction in small steps; see rough_springs.h for the method.
#include "support/rough_springs.h"

#include "base/random.h"
#include "math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct body {
    vec3 v, w;
    double inverse;
    sym3 inertia;
} body;

typedef struct touch {
    int a, b;
    vec3 n, arm_a, arm_b;
    double k, eta, keep, mu, gap, full;
    double own, rub; // W_nn, and the largest eigenvalue of W_tt
    double dp;
    vec3 x;
} touch;

typedef struct field {
    int bodies, contacts;
    body *body;
    touch *touch;
} field;

static vec3 point_speed(const body *b, vec3 arm)
{
    return vec3_add(b->v, vec3_cross(b->w, arm));
}

static vec3 speed(const field *f, const touch *t)
{
    return vec3_sub(point_speed(&f->body[t->b], t->arm_b), point_speed(&f->body[t->a], t->arm_a));
}

static void push(body *b, vec3 arm, vec3 p)
{
    b->v = vec3_axpy(b->v, b->inverse, p);
    b->w = vec3_add(b->w, sym3_mul(b->inertia, vec3_cross(arm, p)));
}

static void apply(field *f, const touch *t, vec3 p)
{
    push(&f->body[t->a], t->arm_a, vec3_neg(p));
    push(&f->body[t->b], t->arm_b, p);
}

// d . K d of a contact point.
static double response(const field *f, const touch *t, vec3 d)
{
    const body *a = &f->body[t->a], *b = &f->body[t->b];
    vec3 ta = vec3_cross(t->arm_a, d), tb = vec3_cross(t->arm_b, d);
    return a->inverse + b->inverse + vec3_dot(ta, sym3_mul(a->inertia, ta)) +
           vec3_dot(tb, sym3_mul(b->inertia, tb));
}

static field make(const instant *one)
{
    field f = { one->impact.body_count, one->impact.contact_count,
                calloc((size_t)one->impact.body_count, sizeof(body)),
                calloc((size_t)one->impact.contact_count, sizeof(touch)) };
    for (int i = 0; i < f.bodies; ++i) {
        const carom_impact_body *from = &one->bodies[i];
        const double *s = from->inverse_inertia;
        f.body[i] = (body){ vec3_from(from->velocity),
                            vec3_from(from->spin),
                            from->inverse_mass,
                            { s[0], s[1], s[2], s[3], s[4], s[5] } };
    }
    for (int i = 0; i < f.contacts; ++i) {
        const carom_impact_contact *c = &one->contacts[i];
        vec3 at = vec3_from(c->point), t1, t2;
        touch *t = &f.touch[i];
        *t = (touch){ .a = c->a,
                      .b = c->b,
                      .n = vec3_from(c->normal),
                      .k = c->stiffness,
                      .eta = c->exponent,
                      .keep = c->restitution * c->restitution,
                      .mu = c->friction,
                      .gap = c->gap };
        t->arm_a = vec3_sub(at, vec3_from(one->bodies[c->a].position));
        t->arm_b = vec3_sub(at, vec3_from(one->bodies[c->b].position));
        t->own = response(&f, t, t->n);
        vec3_tangents(t->n, &t1, &t2);
        double a = response(&f, t, t1), b = response(&f, t, t2);
        double both = response(&f, t, vec3_scale(sqrt(0.5), vec3_add(t1, t2)));
        double mixed = both - 0.5 * (a + b);
        t->rub = 0.5 * (a + b) + sqrt(0.25 * (a - b) * (a - b) + mixed * mixed);
    }
    return f;
}

// One visit: the normal impulse that holds within its bounds, the friction that stops within its.
static void visit(field *f, touch *t)
{
    vec3 u = speed(f, t);
    double un = vec3_dot(u, t->n);
    double dp = fmin(fmax(t->dp - un / t->own, t->keep * t->full), t->full);
    vec3 change = vec3_scale(dp - t->dp, t->n);
    if (t->mu > 0) {
        vec3 s = vec3_axpy(u, -un, t->n), x = vec3_axpy(t->x, -1 / t->rub, s);
        double length = vec3_length(x), max = t->mu * dp;
        if (length > max)
            x = vec3_scale(max / length, x);
        change = vec3_add(change, vec3_sub(x, t->x));
        t->x = x;
    }
    t->dp = dp;
    apply(f, t, change);
}

// Kicks of one step; returns the largest, as a speed.
static double kick(field *f, double h)
{
    enum { SWEEPS = 3 }; // forward and back; the last step's impulses are a good start
    double max = 0;
    for (int i = 0; i < f->contacts; ++i) {
        touch *t = &f->touch[i];
        double full = t->gap < 0 ? h * t->k * pow(-t->gap, t->eta) : 0;
        // The same share as in the last step to begin with.
        double share = t->full > 0 ? t->dp / t->full : 1;
        double dp = full * fmin(fmax(share, t->keep), 1);
        t->x = t->dp > 0 ? vec3_scale(dp / t->dp, t->x) : vec3_make(0, 0, 0);
        t->full = full;
        t->dp = dp;
        if (full > 0)
            apply(f, t, vec3_axpy(t->x, dp, t->n));
    }
    for (int sweep = 0; sweep < 2 * SWEEPS; ++sweep)
        for (int k = 0; k < f->contacts; ++k) {
            touch *t = &f->touch[sweep % 2 ? f->contacts - 1 - k : k];
            if (t->full > 0)
                visit(f, t);
        }
    for (int i = 0; i < f->contacts; ++i)
        max = fmax(max, f->touch[i].dp * f->touch[i].own);
    return max;
}

static double fastest(const field *f)
{
    double u = 0;
    for (int i = 0; i < f->contacts; ++i)
        u = fmax(u, -vec3_dot(speed(f, &f->touch[i]), f->touch[i].n));
    return u;
}

double rough_springs_fastest(const instant *one)
{
    field f = make(one);
    double u = fastest(&f);
    free(f.body);
    free(f.touch);
    return u;
}

static void drift(field *f, double time)
{
    for (int i = 0; i < f->contacts; ++i)
        f->touch[i].gap += time * vec3_dot(speed(f, &f->touch[i]), f->touch[i].n);
}

// Time until the next contact closes.
static double next_closing(const field *f)
{
    double time = HUGE_VAL;
    for (int i = 0; i < f->contacts; ++i) {
        double u = vec3_dot(speed(f, &f->touch[i]), f->touch[i].n);
        if (u < 0)
            time = fmin(time, fmax(f->touch[i].gap, 0) / -u);
    }
    return time;
}

int rough_springs(const instant *one, int steps, double (*velocities)[3], double (*spins)[3])
{
    field f = make(one);
    double start = fastest(&f), time = HUGE_VAL, max = 0;
    for (int i = 0; i < f.contacts; ++i) {
        const touch *t = &f.touch[i];
        double p = t->eta + 1;
        time = fmin(time, 2 / start * (1 + 1.14 / p) *
                              pow(0.5 * p * start * start / (t->k * 2 * t->own), 1 / p));
    }
    double h = time / steps;
    long cap = 500L * steps, step = 0, still = 0;
    drift(&f, 0.5 * h);
    for (; step < cap && start > 0; ++step) {
        max = kick(&f, h);
        drift(&f, h);
        // Nothing has acted for a while: to the next closing, if it matters.
        still = max <= 1e-6 * start / steps ? still + 1 : 0;
        if (still < 5)
            continue;
        if (fastest(&f) < 1e-4 * start)
            break;
        double rest = next_closing(&f);
        if (rest > h)
            drift(&f, floor(rest / h) * h);
    }
    for (int i = 0; i < f.bodies; ++i) {
        vec3_store(f.body[i].v, velocities[i]);
        vec3_store(f.body[i].w, spins[i]);
    }
    free(f.body);
    free(f.touch);
    return step < cap;
}

static void make_lumps(instant *one, carom_random *random)
{
    for (int i = 0; i < one->impact.body_count; ++i) {
        double *s = one->bodies[i].inverse_inertia;
        for (int k = 0; k < 3; ++k)
            s[k] *= carom_random_between(random, 0.5, 2);
        for (int k = 3; k < 6; ++k)
            s[k] = carom_random_between(random, -0.2, 0.2) * one->bodies[i].inverse_mass * 10;
    }
    for (int i = 0; i < one->impact.contact_count; ++i) {
        vec3 n = vec3_from(one->contacts[i].normal), tilt;
        tilt.z = carom_random_between(random, -0.3, 0.3); // one by one: arguments have no order
        tilt.y = carom_random_between(random, -0.3, 0.3);
        tilt.x = carom_random_between(random, -0.3, 0.3);
        vec3_store(vec3_unit(vec3_add(n, tilt)), one->contacts[i].normal);
    }
}

instant rough_springs_cluster(uint64_t seed, int bodies, int lumps)
{
    instant one = { 0 };
    instant_packing(&one, bodies, seed);
    carom_random random = carom_random_make(seed, 77);
    if (lumps)
        make_lumps(&one, &random);
    for (int i = 0; i < bodies; ++i)
        for (int k = 0; k < 3; ++k)
            one.bodies[i].spin[k] = carom_random_between(&random, -1, 1);
    instant_set_exponent(&one, 1.5);
    return one;
}

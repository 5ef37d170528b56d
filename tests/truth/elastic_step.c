// Stepping without times of impact in three dimensions [EC, section 6] against the scheme in one
// dimension (chain_stepper.c, which truth/chain_stepping holds to the paper's own figures), against
// closed forms under gravity, and against what must be conserved.
#include "carom/chain.h"
#include "carom/world.h"
#include "base/random.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8 };

static carom_world *make(const char *law, double e, double g)
{
    carom_error err = { 0 };
    carom_world_options o = carom_world_options_default();
    carom_world *world = NULL;
    carom_material *m = &(carom_material){ 0 };
    o.gravity[2] = -g;
    o.stepping = CAROM_STEPPING_ELASTIC;
    o.resting_speed = g > 0 ? 0.01 : 0;
    o.rest_tolerance = 1e-13; // round-off: positions are compared with a direct solution
    o.rest_sweeps = 100000;
    o.slop = o.touch;
    o.law = carom_law_find(law, &err);
    o.law_options = carom_law_defaults(o.law);
    CHECK(carom_world_create(&o, &world, &err) == CAROM_OK, "%s", err.what);
    *m = carom_world_material_default();
    m->restitution = e;
    m->friction = 0;
    CHECK(carom_world_add_material(world, m, NULL, &err) == CAROM_OK, "%s", err.what);
    return world;
}

static void add(carom_world *world, carom_shape *shape, double mass, const double x[3],
                const double v[3])
{
    carom_error err = { 0 };
    carom_body body = carom_world_body_default();
    body.shape = shape;
    body.mass = mass;
    body.material = 1;
    memcpy(body.position, x, sizeof body.position);
    memcpy(body.velocity, v, sizeof body.velocity);
    if (mass == 0)
        body.kind = CAROM_BODY_FIXED;
    CHECK(carom_world_add_body(world, &body, NULL, &err) == CAROM_OK, "%s", err.what);
}

static void advance(carom_world *world, double dt)
{
    carom_error err = { 0 };
    CHECK(carom_world_step(world, dt, &err) == CAROM_OK, "%s: %s", err.where, err.what);
}

static carom_shape *ball(double radius)
{
    carom_error err = { 0 };
    carom_shape *shape = NULL;
    CHECK(carom_sphere_create(radius, &shape, &err) == CAROM_OK, "%s", err.what);
    return shape;
}

// A row along any direction: every step as in one dimension.
typedef struct row {
    int count, steps;
    double mass[MOST], velocity[MOST], gap[MOST], restitution, along[3];
} row;

static void compare(const row *r, double dt, const char *words)
{
    carom_error err = { 0 };
    carom_chain_stepper *s = NULL;
    carom_chain_row chain = { (size_t)r->count, r->mass, r->velocity, r->gap, false };
    CHECK(carom_chain_stepper_create(&chain, &s, &err) == CAROM_OK, "%s", err.what);
    carom_world *world = make("fixed-point", r->restitution, 0);
    carom_shape *shape = ball(0.5);
    double start[MOST], at = -3, far = 0, fast = 0;
    for (int i = 0; i < r->count; ++i) {
        start[i] = at;
        double x[3], v[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = r->along[k] * at;
            v[k] = r->along[k] * r->velocity[i];
        }
        add(world, shape, r->mass[i], x, v);
        at += 1 + r->gap[i];
    }
    for (int step = 0; step < r->steps; ++step) {
        carom_chain_step_report report;
        CHECK(carom_chain_stepper_step(s, dt, r->restitution, CAROM_CHAIN_RULE_FIXED_POINT, &report,
                                       &err) == CAROM_OK,
              "%s", err.what);
        advance(world, dt);
        for (int i = 0; i < r->count; ++i) {
            double x[3], v[3], place = start[i] + carom_chain_stepper_shift(s)[i];
            carom_world_body(world, carom_world_body_at(world, i), x, NULL, v, NULL);
            for (int k = 0; k < 3; ++k) {
                far = fmax(far, fabs(x[k] - r->along[k] * place));
                fast = fmax(fast, fabs(v[k] - r->along[k] * carom_chain_stepper_velocity(s)[i]));
            }
        }
    }
    // gaps up to the touching gap of 1e-9 m count as closed: that much per impact
    CHECK_MOST(far, 2e-8, "%s: positions", words);
    CHECK_MOST(fast, 1e-8, "%s: velocities", words);
    carom_chain_stepper_destroy(s);
    carom_world_destroy(world);
    carom_shape_release(shape);
}

static void paper(void)
{
    row r = { .count = 5, .steps = 1, .restitution = 1, .along = { 1, 0, 0 } };
    for (int i = 0; i < 5; ++i) {
        r.mass[i] = 1;
        r.velocity[i] = i < 2;
    }
    compare(&r, 0.1, "two of five in touch"); // v = 0 0 0 1 1, all shifted by 2/5 v dt
    r.gap[1] = 0.05;
    r.steps = 20;
    compare(&r, 0.1, "two of five with a gap"); // impact in the middle of a step
}

static void random_rows(void)
{
    carom_random random = carom_random_make(5, 0);
    for (int k = 0; k < 30; ++k) {
        row r = { .count = 2 + k % (MOST - 1), .steps = 60 };
        double length = 0;
        for (int i = 0; i < r.count; ++i) {
            r.mass[i] = exp(carom_random_between(&random, -1.5, 1.5));
            r.velocity[i] = carom_random_between(&random, -1, 1);
            r.gap[i] = k % 3 ? carom_random_between(&random, 0, 0.05) : 0;
        }
        r.restitution = k % 2 ? 1 : carom_random_between(&random, 0.6, 1);
        for (int c = 0; c < 3; ++c) {
            r.along[c] = carom_random_between(&random, -1, 1);
            length += r.along[c] * r.along[c];
        }
        for (int c = 0; c < 3; ++c)
            r.along[c] /= sqrt(length);
        char words[64];
        snprintf(words, sizeof words, "row %d of %d, restitution %g", k, r.count, r.restitution);
        compare(&r, 0.01, words);
    }
}

// A cloud of balls that fly through each other: energy and momentum.
static void cloud(const char *law, double e)
{
    carom_random random = carom_random_make(11, 0);
    carom_world *world = make(law, e, 0);
    carom_shape *shape = ball(0.1);
    for (int i = 0; i < 64; ++i) {
        double x[3] = { 0.25 * (i % 4), 0.25 * (i / 4 % 4), 0.25 * (i / 16) }, v[3];
        for (int k = 0; k < 3; ++k) { // towards the middle
            x[k] += carom_random_between(&random, -0.02, 0.02);
            v[k] = 2 * (0.375 - x[k]) + carom_random_between(&random, -0.5, 0.5);
        }
        add(world, shape, carom_random_between(&random, 0.5, 2), x, v);
    }
    carom_ledger before = carom_world_ledger(world);
    for (int step = 0; step < 100; ++step)
        advance(world, 0.005);
    carom_ledger after = carom_world_ledger(world);
    double momentum = 0;
    for (int k = 0; k < 3; ++k)
        momentum = fmax(momentum, fabs(after.momentum[k] - before.momentum[k]));
    CHECK(after.impacts > 20, "%s: %ld steps with impacts", law, (long)after.impacts);
    CHECK_MOST(momentum, 1e-12, "%s: momentum", law); // round-off of 64 bodies, 100 steps
    CHECK_MOST(fabs(after.kinetic + after.law - before.kinetic), 1e-11 * before.kinetic,
               "%s, restitution %g: energy is what the law leaves", law, e);
    if (e == 1)
        CHECK_MOST(fabs(after.kinetic / before.kinetic - 1), 1e-11, "%s: energy is kept", law);
    CHECK_MOST(after.peak_overlap, 2e-3, "%s: balls overlap by %g m", law, after.peak_overlap);
    carom_world_destroy(world);
    carom_shape_release(shape);
}

// A ball under gravity: the height it returns to, and rest at the end.
static void dropped(double e, double dt)
{
    carom_error err = { 0 };
    carom_world *world = make("fixed-point", e, 10);
    carom_shape *shape = ball(0.1), *floor = NULL;
    CHECK(carom_plane_create(&floor, &err) == CAROM_OK, "%s", err.what);
    add(world, floor, 0, (double[3]){ 0 }, (double[3]){ 0 });
    add(world, shape, 1, (double[3]){ 0, 0, 1.1 }, (double[3]){ 0 });
    double highest = 0, x[3], v[3] = { 0 };
    bool up = false;
    for (double t = 0; t < 6; t += dt) {
        advance(world, dt);
        carom_world_body(world, carom_world_body_at(world, 1), x, NULL, v, NULL);
        up = up || v[2] > 0;
        highest = up ? fmax(highest, x[2] - 0.1 + v[2] * v[2] / 20) : 0;
        CHECK(x[2] > 0.1 - 1e-6, "above the floor at %g s", t);
    }
    CHECK_NEAR(highest, e * e, 1e-11, "restitution %g, step %g: height after the first bounce", e,
               dt);
    if (e < 0.8)
        CHECK_NEAR(v[2], 0, 1e-12, "at rest after 6 s");
    else
        CHECK_NEAR(carom_world_ledger(world).integrator, 0, 1e-11, "nothing added or lost");
    carom_world_destroy(world);
    carom_shape_release(shape);
    carom_shape_release(floor);
}

int main(void)
{
    paper();
    random_rows();
    cloud("fixed-point", 1);
    cloud("fixed-point", 0.7);
    cloud("qce", 1);
    dropped(1, 0.013);
    dropped(0.7, 0.013);
    dropped(0.5, 0.001);
    return check_report();
}

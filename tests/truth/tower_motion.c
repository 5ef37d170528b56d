// Towers in motion against a high-accuracy reference, converged states and what must be conserved.
#include "carom/tower.h"
#include "support/check.h"
#include "support/tower_numbers.h"
#include <math.h>

static carom_error err;

static carom_tower *build(const char *spec)
{
    carom_tower *tower = 0;
    CHECK(carom_tower_build(spec, &tower, &err) == CAROM_OK, "%s is built: %s", spec, err.what);
    return tower;
}

static carom_tower_motion *start(const carom_tower *tower, carom_tower_motion_options options)
{
    carom_tower_motion *motion = 0;
    CHECK(carom_tower_motion_create(tower, &options, &motion, &err) == CAROM_OK, "starts: %s",
          err.what);
    return motion;
}

static void run(carom_tower_motion *motion, int steps, const char *name)
{
    carom_tower_step step;
    for (int n = 0; n < steps; ++n)
        if (!CHECK(carom_tower_motion_step(motion, &step, &err) == CAROM_OK, "%s, step %d: %s",
                   name, n, err.what))
            return;
}

// The larger of the distance and the angle error of body 0.
static double error_of(const carom_tower_motion *motion, const double wanted[3])
{
    double place[3];
    carom_tower_motion_place(motion, 0, place);
    double dx = place[0] - wanted[0], dy = place[1] - wanted[1];
    return fmax(sqrt(dx * dx + dy * dy), fabs(place[2] - wanted[2]));
}

typedef struct tipping {
    const char *name;
    carom_tower_variant variant;
    int sidedness;
    bool plain;
    double half, whole; // error at t = 1/2 and t = 1 for dt = 1/128, independent reference
    double order;       // at t = 1
} tipping;

static const tipping cases[] = {
    { "unit", CAROM_TOWER_UNIT, 1, false, 1.3821978358669051e-06, 4.045605704218256e-06, 2.027 },
    { "unit, plain start", CAROM_TOWER_UNIT, 1, true, 0.0019160815834335099, 0.0034231221704248416,
      1 },
    { "L'' s=0", CAROM_TOWER_PROJECTED, 0, false, 5.750730529544206e-07, 8.03563272013279e-06,
      1.989 },
    { "L'' s=2", CAROM_TOWER_PROJECTED, 2, false, 1.9641302231422156e-06, 1.020139248431029e-05,
      1.963 },
    { "L3", CAROM_TOWER_SECOND, 1, false, 6.320226704631393e-07, 1.7794169951221114e-06, 2.038 },
    { "L'", CAROM_TOWER_LITERAL, 2, false, 1.698920622789409e-05, 0.0002518233027902772, 0.950 },
};

// A brick 3/5 over the edge, slipping and tipping: reference by a high-order integrator of the
// equations of motion.
static void check_tipping(void)
{
    const double at_half[3] = { 0.10239684967819321, 0.11313963317595904, -0.12473511193887796 };
    const double at_whole[3] = { 0.13555605992152697, 0.07110458556190609, -0.47241712484217746 };
    carom_tower *tower = build("single:0.6");
    for (size_t n = 0; n < sizeof cases / sizeof *cases; ++n) {
        const tipping *c = &cases[n];
        double error[2];
        for (int fine = 0; fine < 2; ++fine) {
            carom_tower_motion_options o = carom_tower_motion_default();
            o.dt = 1.0 / (128 << fine);
            o.variant = c->variant;
            o.sidedness = c->sidedness;
            o.plain_start = c->plain;
            carom_tower_motion *motion = start(tower, o);
            run(motion, 64 << fine, c->name);
            if (!fine) // the errors themselves are predicted: same variant, other implementation
                CHECK_NEAR(error_of(motion, at_half), c->half, 1e-9, "%s: error at t = 1/2",
                           c->name);
            run(motion, 64 << fine, c->name);
            error[fine] = error_of(motion, at_whole);
            carom_tower_motion_destroy(motion);
        }
        CHECK_NEAR(error[0], c->whole, 1e-9, "%s: error at t = 1", c->name);
        CHECK_NEAR(log2(error[0] / error[1]), c->order, 0.01, "%s: order of convergence", c->name);
    }
    carom_tower_destroy(tower);
}

static void check_state(const carom_tower_motion *motion, const double (*wanted)[3],
                        double allowance, const char *when)
{
    for (int b = 0; b < 25; ++b) {
        double place[3];
        carom_tower_motion_place(motion, b, place);
        for (int c = 0; c < 3; ++c)
            CHECK_NEAR(place[c], wanted[b][c], allowance, "5x5 %s: component %d of brick %d", when,
                       c, b);
    }
}

// The paper's tower for 1000 steps.
static void check_collapse(void)
{
    carom_tower *tower = build("diamond:5");
    carom_tower_motion *motion = start(tower, carom_tower_motion_default());
    bool symmetric = true;
    double lost = 0;
    for (int n = 1; n <= 1000; ++n) {
        carom_tower_step step;
        if (!CHECK(carom_tower_motion_step(motion, &step, &err) == CAROM_OK, "5x5 step %d: %s", n,
                   err.what))
            break;
        symmetric = symmetric && carom_tower_motion_is_symmetric(motion);
        if (step.time >= 2.19 && step.time <= 2.225)
            lost += step.energy_gain;
        if (n == 128) // second order: C dt^2 with C from the reference's own convergence
            check_state(motion, diamond5_at_1, 1e-4, "at t = 1");
        if (n == 272)
            check_state(motion, diamond5_at_2125, 1e-4, "at t = 2.125");
    }
    carom_tower_audit audit = carom_tower_motion_audit(motion);
    CHECK(symmetric, "mirror symmetric to the last bit in each of 1000 steps");
    CHECK_MOST(audit.asymmetry, 1e-12, "raw asymmetry of the solver");
    CHECK_MOST(audit.penetration, 2e-5, "penetration");
    CHECK_MOST(audit.energy_gain_total, 2e-4, "energy gained in all, of 28.125");
    CHECK_NEAR(audit.energy_start, 28.125, 1e-4, "energy at the start, half a step back");
    CHECK_MOST(audit.size_error, 5e-16, "size error");
    CHECK_MOST(audit.kkt, 1e-13, "residual in every step");
    CHECK_NEAR(audit.first_contact_with_support, 2.199, 0.005, "wing tips meet the ground");
    CHECK_NEAR(lost, -0.7388, 1e-3, "energy lost in that impact");
    double top[3];
    carom_tower_motion_place(motion, 24, top);
    CHECK_NEAR(top[1], 1.875, 1e-6, "height of the top brick at the end");
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
}

// Plain start: the first step is a dt^2, and the audit of 1000 steps equals the independent one
// until overlaps are corrected.
static void check_first_step(void)
{
    carom_tower *tower = build("diamond:5");
    carom_tower_motion_options o = carom_tower_motion_default();
    o.plain_start = true;
    carom_tower_motion *motion = start(tower, o);
    run(motion, 1, "5x5");
    for (int b = 0; b < 25; ++b) {
        double from[3], place[3];
        carom_tower_body_place(tower, b, from);
        carom_tower_motion_place(motion, b, place);
        for (int c = 0; c < 3; ++c)
            CHECK_NEAR((place[c] - from[c]) * 128 * 128, diamond5[b][c], 1e-9,
                       "first step of brick %d, component %d", b, c);
    }
    CHECK(carom_tower_motion_audit(motion).rows == 146, "rule R gives 146 rows at rest");
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
}

// Spinning and flying freely keeps the energy to round-off in the unit variant.
static void check_free_flight(void)
{
    carom_tower *tower = carom_tower_create(1);
    carom_tower_body brick = { .width = 1, .height = 0.25, .y = 1000 };
    carom_tower_add_body(tower, &brick, 0, &err);
    carom_tower_motion *motion = start(tower, carom_tower_motion_default());
    CHECK(carom_tower_motion_set_velocity(motion, 0, (double[]){ 1, 2, 3 }, &err) == CAROM_OK,
          "thrown");
    run(motion, 1000, "free flight");
    carom_tower_audit audit = carom_tower_motion_audit(motion);
    double place[3], t = 1000.0 / 128;
    carom_tower_motion_place(motion, 0, place);
    CHECK_MOST(audit.energy_gain_total, 1e-9, "energy gained in free flight, of 1000");
    CHECK_NEAR(place[0], t, 1e-10, "x = v t");
    CHECK_NEAR(place[2], 3 * t, 1e-10, "angle = omega t");
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
}

// Theorem 7.1: two bricks meet head on, then stick: v' from momentum, and the energy lost is the
// kinetic energy of the lost velocity (Carnot).
static void check_impact(void)
{
    carom_tower *tower = carom_tower_create(0);
    carom_tower_body brick = { .width = 1, .height = 0.25, .x = -1, .y = 5 };
    carom_tower_add_body(tower, &brick, 0, &err);
    brick.x = 0.5;
    brick.mass = 3;
    carom_tower_add_body(tower, &brick, 0, &err);
    carom_tower_motion *motion = start(tower, carom_tower_motion_default());
    carom_tower_motion_set_velocity(motion, 0, (double[]){ 1, 0, 0 }, &err);
    double lost = 0, v[2][3];
    for (int n = 0; n < 128; ++n) {
        carom_tower_step step;
        CHECK(carom_tower_motion_step(motion, &step, &err) == CAROM_OK, "impact step: %s",
              err.what);
        lost += step.energy_gain;
    }
    carom_tower_motion_velocity(motion, 0, v[0]);
    carom_tower_motion_velocity(motion, 1, v[1]);
    CHECK_NEAR(v[0][0], 0.25, 1e-12, "first brick after the impact");
    CHECK_NEAR(v[1][0], 0.25, 1e-12, "second brick after the impact");
    CHECK_NEAR(v[0][2], 0, 1e-12, "no spin from a central impact");
    CHECK_NEAR(lost, -0.5 * (0.75 * 0.75 + 3 * 0.25 * 0.25), 1e-12, "Carnot: energy lost");
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
}

int main(void)
{
    check_tipping();
    check_first_step();
    check_collapse();
    check_free_flight();
    check_impact();
    return check_report();
}

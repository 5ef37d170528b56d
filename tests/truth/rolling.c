// Resistance of resting contacts against rolling and spinning: closed forms.
//
// A body of mass m and radius r on a floor, resistance rho, moment at most rho m g. Rolling without
// slip, with k = I / (m r^2): m a = F and I a / r = rho m g - F r give a = g rho / (r (1 + k)).
// Spinning about the vertical: it stops after I w / (rho m g).
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "support/check.h"
#include "support/small_world.h"

#define G 9.81
#define R 0.05
#define H (1.0 / 600)
static const double up[3] = { 0, 0, 1 };

static small_world rolling_world(double friction, double rolling)
{
    small_world s = small_world_make("wave");
    s.options.events = 0;
    s.options.resting_speed = 0.2;
    s.material.friction = friction;
    s.material.restitution = 0;
    s.material.rolling = rolling;
    return s;
}

// A ball and, lying along y, a cylinder: one goes through the records of balls, the other through
// the general ones, with several contacts. The solver ends at 1e-8 of the speed that gravity gives
// in a step, 1.6e-10 m/s; what it leaves may have one sign in each of 600 steps.
static void slows_down(bool ball)
{
    const double rolling = 1e-3, start = 0.2, k = ball ? 0.4 : 0.5;
    double a = G * rolling / (R * (1 + k)), x[3], v[3], w[3];
    small_world s = rolling_world(0.5, rolling);
    small_world_floor(&s, up, 0);
    s.rotation[0] = s.rotation[1] = sqrt(0.5);
    double at[3] = { 0, 0, R }, velocity[3] = { start, 0, 0 }, spin[3] = { 0, start / R, 0 };
    int body =
        ball ? small_world_ball(&s, R, 1.3, at, NULL) : small_world_cylinder(&s, R, 0.08, 1.3, at);
    carom_world_set_velocity(s.world, carom_world_body_at(s.world, body), velocity, spin, NULL);
    small_world_steps(&s, H, 600);
    carom_world_body(s.world, carom_world_body_at(s.world, body), x, NULL, v, w);
    CHECK_NEAR(v[0], start - a, 1e-7, "speed of a rolling %s after 1 s",
               ball ? "ball" : "cylinder");
    CHECK_NEAR(w[1], v[0] / R, 1e-6, "and it rolls without slip");
    CHECK_MOST(fabs(v[1]) + fabs(w[0]) + fabs(w[2]), 1e-9, "and straight on");
    small_world_steps(&s, H, 600);
    carom_world_body(s.world, carom_world_body_at(s.world, body), x, NULL, v, w);
    CHECK_MOST(fabs(v[0]) + R * fabs(w[1]), 1e-8 * G * H, "then it has come to rest");
    // each step goes on with the speed at its end: short of the integral by half a step of the
    // speed lost, and the last step is not a whole one
    CHECK_NEAR(x[0], start * start / (2 * a) - start * H / 2, a * H * H, "where it came to rest");
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(l.rest - l.position_correction, 0.5 * 1.3 * (1 + k) * start * start, 1e-9,
               "all of its energy is in the books");
    CHECK_MOST(fabs(l.integrator), 1e-12, "and nothing else");
    small_world_end(&s);
}

// Without resistance a ball that rolls keeps its speed, at any step: friction does no work where
// nothing slides. That is why piles of round bodies need resistance to come to rest.
static void rolls_on(double step)
{
    const double start = 2.7e-3, at[3] = { 0, 0, R };
    double v[3], w[3];
    small_world s = rolling_world(0.5, 0);
    small_world_floor(&s, up, 0);
    int i = small_world_ball(&s, R, 1, at, (double[]){ start, 0, 0 });
    carom_body_id body = carom_world_body_at(s.world, i);
    carom_world_set_velocity(s.world, body, (double[]){ start, 0, 0 },
                             (double[]){ 0, start / R, 0 }, NULL);
    small_world_steps(&s, step, (int)lround(5 / step));
    carom_world_body(s.world, body, NULL, NULL, v, w);
    // the solver ends at 1e-8 of what gravity gives in a step, and there is nothing to solve
    CHECK_NEAR(v[0], start, 1e-8 * G * step, "speed after 5 s at steps of %g s", step);
    CHECK_NEAR(R * w[1], start, 1e-8 * G * step, "and it rolls");
    small_world_end(&s);
}

// No friction: the moment alone acts. A box has four contacts, whose bounds add up to rho m g.
static void spins_down(bool ball)
{
    const double rolling = ball ? 1e-4 : 1e-3, start = 1, half[3] = { 0.09, 0.06, 0.04 };
    double inertia = ball ? 0.4 * R * R : (half[0] * half[0] + half[1] * half[1]) / 3; // of 1 kg
    double loss = rolling * G / inertia, x[3], v[3], w[3];
    small_world s = rolling_world(0, rolling);
    small_world_floor(&s, up, 0);
    double at[3] = { 0.3, -0.2, ball ? R : half[2] };
    int body = ball ? small_world_ball(&s, R, 2, at, NULL) : small_world_box(&s, half, 2, at, NULL);
    carom_world_set_velocity(s.world, carom_world_body_at(s.world, body), (double[3]){ 0 },
                             (double[]){ 0, 0, start }, NULL);
    int steps = (int)(start / loss / H); // whole ones before it stops
    small_world_steps(&s, H, steps / 2);
    carom_world_body(s.world, carom_world_body_at(s.world, body), x, NULL, v, w);
    // as above, per radius of gyration
    CHECK_NEAR(w[2], start - loss * H * (steps / 2), 1e-7, "spin of a %s on its way to rest",
               ball ? "ball" : "box");
    CHECK_NEAR(x[0], at[0], 1e-12, "it stays where it is (x)");
    CHECK_NEAR(x[1], at[1], 1e-12, "it stays where it is (y)");
    CHECK_MOST(fabs(v[0]) + fabs(v[1]), 1e-12, "and has no momentum");
    small_world_steps(&s, H, steps - steps / 2);
    carom_world_body(s.world, carom_world_body_at(s.world, body), NULL, NULL, NULL, w);
    CHECK(w[2] > 0, "it still turns after %d steps: %g rad/s", steps, w[2]);
    small_world_steps(&s, H, 2);
    carom_world_body(s.world, carom_world_body_at(s.world, body), NULL, NULL, NULL, w);
    CHECK_MOST(fabs(w[2]), 1e-7, "two steps later it does not");
    small_world_end(&s);
}

// On a slope of tan(angle) = rho / r a thousandth more resistance holds balls, a thousandth less
// lets them roll. Two that touch each other may ask for a linear system; one alone does not.
static void slope(int balls, double excess)
{
    const double rolling = 2e-3;
    double angle = atan(rolling / R / (1 + excess)), v[3], x[3];
    small_world s = rolling_world(0.5, rolling);
    s.options.gravity[0] = G * sin(angle);
    s.options.gravity[2] = -G * cos(angle);
    small_world_floor(&s, up, 0);
    for (int i = 0; i < balls; ++i)
        small_world_ball(&s, R, 1, (double[]){ 0, 2 * R * i, R }, NULL);
    small_world_steps(&s, H, 600);
    double pull = (sin(angle) - cos(angle) * rolling / R) * G / 1.4;
    for (int i = 0; i < balls; ++i) {
        carom_world_body(s.world, carom_world_body_at(s.world, 1 + i), x, NULL, v, NULL);
        // a hundredth of the pull that is left at a thousandth from the threshold
        CHECK_NEAR(v[0], excess < 0 ? pull : 0, 1e-5 * G * sin(angle),
                   "speed of %d balls after 1 s at %+g of the threshold", balls, excess);
        if (excess > 0)
            CHECK_MOST(fabs(x[0]), 1e-8, "and where they are");
    }
    small_world_end(&s);
}

// A ball above the axis of a turntable is spun up: while it slips the drive works at M W, half of
// which heats the contact.
static void turntable(void)
{
    const double turn = 3, rolling = 1e-3, inertia = 0.4 * R * R;
    small_world s = rolling_world(0.5, rolling);
    small_world_floor(&s, (double[]){ 0, 0, 1 }, -5); // makes the world
    carom_error err = { 0 };
    carom_shape *shape = NULL;
    carom_body table = carom_world_body_default();
    CHECK(carom_cylinder_create(0.3, 0.01, &shape, &err) == CAROM_OK, "%s", err.what);
    table.kind = CAROM_BODY_DRIVEN;
    table.shape = shape;
    table.material = 1;
    table.position[2] = -0.01;
    table.spin[2] = turn;
    CHECK(carom_world_add_body(s.world, &table, NULL, &err) == CAROM_OK, "%s", err.what);
    carom_shape_release(shape);
    int ball = small_world_ball(&s, R, 1, (double[]){ 0, 0, R }, NULL);
    double w[3], rate = rolling * G / inertia;
    small_world_steps(&s, H, 100);
    carom_world_body(s.world, carom_world_body_at(s.world, ball), NULL, NULL, NULL, w);
    CHECK_NEAR(w[2], rate * 100 * H, 1e-7, "spin of the ball on its way up");
    small_world_steps(&s, H, 200);
    carom_world_body(s.world, carom_world_body_at(s.world, ball), NULL, NULL, NULL, w);
    CHECK_NEAR(w[2], turn, 1e-7, "and when it has arrived");
    carom_ledger l = carom_world_ledger(s.world);
    // the last step before it turns along needs less than the whole moment: half of
    // (rate H)^2 inertia at most, 1.6e-7 J
    CHECK_NEAR(l.driven, inertia * turn * turn, rate * H * rate * H * inertia, "work of the drive");
    CHECK_NEAR(l.kinetic, 0.5 * inertia * turn * turn, 1e-9, "what the ball has of it");
    CHECK_NEAR(l.rest, l.driven - l.kinetic, 1e-9, "what the contact took");
    CHECK_MOST(fabs(l.integrator), 1e-12, "and nothing else");
    small_world_end(&s);
}

// Balls, boxes and cylinders fall into a box. Energy only falls but for what position correction
// lifts, and in the end nothing moves, where without resistance some balls spin on.
static void heap(double rolling, bool mixed)
{
    int count = mixed ? 18 : 36;
    small_world s = rolling_world(0.5, rolling);
    s.options.resting_speed = 100;
    small_world_floor(&s, up, 0);
    for (int w = 0; w < 4; ++w) {
        const double normal[3] = { w == 0 ? 1 : w == 1 ? -1 : 0, w == 2 ? 1 : w == 3 ? -1 : 0, 0 };
        small_world_floor(&s, normal, -0.16);
    }
    for (int i = 0; i < count; ++i) {
        double at[3] = { 0.106 * (i % 3 - 1) + 0.003 * (i % 5), 0.106 * (i / 3 % 3 - 1),
                         0.06 + 0.11 * (i / 9) };
        if (mixed && i % 3 == 1)
            small_world_box(&s, (double[]){ 0.04, 0.035, 0.03 }, 1, at, NULL);
        else if (mixed && i % 3 == 2)
            small_world_cylinder(&s, 0.03, 0.03, 1, at);
        else
            small_world_ball(&s, 0.05, 1, at, NULL);
    }
    for (int i = 5; i < carom_world_body_count(s.world); ++i)
        carom_world_set_velocity(s.world, carom_world_body_at(s.world, i), (double[3]){ 0 },
                                 (double[]){ i % 7 - 3, i % 5 - 2, 2 * (i % 4) - 3 }, NULL);
    double gain = -1;
    for (int k = 0; k < 900; ++k) {
        carom_ledger before = carom_world_ledger(s.world);
        small_world_steps(&s, H, 1);
        gain = fmax(gain, before.rest - carom_world_ledger(s.world).rest);
    }
    carom_ledger l = carom_world_ledger(s.world);
    double drop = l.start - l.potential, kick = count * G * H * G * H;
    // a thousandth of what one step of gravity moves passes for rest
    CHECK_MOST(gain, 1e-3 * kick, "what resting contact gave in any step, J");
    CHECK_MOST(l.kinetic / drop, 1e-12, "motion left of the drop's, %s", mixed ? "mixed" : "balls");
    if (!mixed) // other bodies tumble in flight, to the accuracy of their motion
        CHECK_MOST(fabs(l.integrator) / drop, 1e-12, "what the books do not explain");
    small_world_end(&s);
}

static uint64_t hash_of(double elsewhere, bool balls)
{
    small_world s = rolling_world(0.5, 0);
    carom_material other = s.material;
    carom_error err = { 0 };
    small_world_floor(&s, up, 0);
    other.rolling = elsewhere;
    CHECK(carom_world_add_material(s.world, &other, NULL, &err) == CAROM_OK, "%s", err.what);
    for (int i = 0; i < 60; ++i) {
        double at[3] = { 0.09 * (i % 4), 0.09 * (i / 4 % 4), 0.05 + 0.11 * (i / 16) };
        if (balls || i % 2)
            small_world_ball(&s, 0.05, 1, at, (double[]){ 0.1, 0, 0 });
        else
            small_world_box(&s, (double[]){ 0.04, 0.03, 0.03 }, 1, at, (double[]){ 0.1, 0, 0 });
    }
    small_world_steps(&s, H, 100);
    uint64_t hash = carom_world_hash(s.world);
    small_world_end(&s);
    return hash;
}

// Contacts without resistance do not notice that others may have some.
static void without(bool balls)
{
    CHECK(hash_of(0, balls) == hash_of(1e-3, balls), "the same bits where contacts have none");
}

// What stops on the one material goes on rolling on the other; a pair goes before the mean.
static void materials(double own, double floor, double pair, double wanted)
{
    small_world s = rolling_world(0.5, floor);
    carom_error err = { 0 };
    carom_shape *shape = NULL;
    small_world_floor(&s, up, 0);
    carom_material material = s.material;
    carom_body body = carom_world_body_default();
    material.rolling = own;
    CHECK(carom_world_add_material(s.world, &material, &body.material, &err) == CAROM_OK, "%s",
          err.what);
    CHECK(pair < 0 || (carom_world_pair(s.world, 1, 2, 0, 0.5, &err) == CAROM_OK &&
                       carom_world_pair_rolling(s.world, 2, 1, pair, &err) == CAROM_OK),
          "%s", err.what);
    CHECK(carom_sphere_create(R, &shape, &err) == CAROM_OK, "%s", err.what);
    body.shape = shape;
    body.position[2] = R;
    body.velocity[0] = 1;
    body.spin[1] = 1 / R;
    carom_body_id ball;
    double v[3];
    CHECK(carom_world_add_body(s.world, &body, &ball, &err) == CAROM_OK, "%s", err.what);
    carom_shape_release(shape);
    small_world_steps(&s, H, 60);
    carom_world_body(s.world, ball, NULL, NULL, v, NULL);
    CHECK_NEAR(v[0], 1 - 0.1 * G * wanted / (R * 1.4), 1e-7, "rolling %g on %g, pair %g", own,
               floor, pair);
    small_world_end(&s);
}

static void refused(void)
{
    small_world s = rolling_world(0.5, 0);
    carom_error err = { 0 };
    small_world_floor(&s, up, 0);
    carom_material bad = s.material;
    bad.rolling = -1;
    CHECK(carom_world_add_material(s.world, &bad, NULL, &err) == CAROM_BAD_INPUT, "below zero");
    bad.rolling = NAN;
    CHECK(carom_world_add_material(s.world, &bad, NULL, &err) == CAROM_BAD_INPUT, "no number");
    CHECK(carom_world_pair_rolling(s.world, 0, 1, 1e-3, &err) == CAROM_BAD_INPUT &&
              strstr(err.fix, "carom_world_pair"),
          "a pair that is not listed: %s", err.fix);
    small_world_end(&s);
}

int main(void)
{
    rolls_on(1.0 / 60);
    rolls_on(1.0 / 240);
    rolls_on(1.0 / 960);
    for (int ball = 0; ball < 2; ++ball) {
        slows_down(ball);
        spins_down(ball);
        without(ball);
    }
    for (int balls = 1; balls < 3; ++balls) {
        slope(balls, 1e-3);
        slope(balls, -1e-3);
    }
    turntable();
    heap(1e-3, false);
    heap(1e-3, true);
    materials(1e-3, 4e-3, -1, 2e-3);
    materials(0, 4e-3, -1, 0);
    materials(0, 0, 1e-3, 1e-3);
    materials(1e-3, 1e-3, 0, 0);
    refused();
    return check_report();
}

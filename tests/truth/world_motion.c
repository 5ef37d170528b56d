// Closed forms of motion: what a schoolbook says must come out of the step.
#include <math.h>
#include "support/check.h"
#include "support/stage.h"

static const double up[3] = { 0, 0, 1 };
static const double g = 9.81;

// A dropped ball reaches e^2n of its height, whatever the step. Between bounces the energy is
// constant, so the height a flight reaches is known at any moment of it.
static void dropped_ball(double dt)
{
    stage s = stage_make("qce");
    s.options.resting_speed = 1e-3;
    s.material.restitution = 0.9;
    s.material.friction = 0;
    stage_floor(&s, up, 0);
    int ball = stage_ball(&s, 0.1, 1, (double[]){ 0, 0, 1.1 }, NULL);
    double wanted = 1, time = 0, from = 0, until = sqrt(2 / g);
    int seen = 0;
    for (int bounce = 0; bounce <= 10; ++bounce) {
        while (time < 0.5 * (from + until)) {
            stage_steps(&s, dt, 1);
            time += dt;
        }
        double position[3], velocity[3];
        carom_world_body(s.world, ball, position, NULL, velocity, NULL);
        double height = position[2] - 0.1 + velocity[2] * velocity[2] / (2 * g);
        if (time < until) {
            CHECK_NEAR(height / wanted, 1, 1e-6, "step 1/%.0f s: height after %d bounces", 1 / dt,
                       bounce);
            ++seen;
        }
        wanted *= 0.81;
        from = until;
        until += 2 * sqrt(2 * wanted / g);
    }
    CHECK(seen == 11, "every flight was seen (%d)", seen);
    stage_end(&s);
}

// A block on an incline sticks above the friction threshold and slides below it with g (sin - mu
// cos). Gravity is turned instead of the floor, so that the box is axis aligned.
static void incline(double friction, int slides)
{
    double angle = 0.4;
    stage s = stage_make("qce");
    s.material.friction = friction;
    s.material.restitution = 0;
    s.options.gravity[0] = g * sin(angle);
    s.options.gravity[2] = -g * cos(angle);
    stage_floor(&s, up, 0);
    int block = stage_box(&s, (double[]){ 0.2, 0.2, 0.1 }, 2, (double[]){ 0, 0, 0.1 }, NULL);
    stage_steps(&s, 1e-3, 500);
    double velocity[3], wanted = slides ? g * (sin(angle) - friction * cos(angle)) * 0.5 : 0;
    carom_world_body(s.world, block, NULL, NULL, velocity, NULL);
    // 1e-5 of gravity's pull: the first steps start without an impulse to go on from
    CHECK_NEAR(velocity[0], wanted, slides ? 1e-5 * g * sin(angle) * 0.5 : 1e-6,
               "block on an incline, friction %g", friction);
    stage_end(&s);
}

// A sphere thrown along a rough floor slips, then rolls at 5/7 of its speed after 2 v / (7 mu g).
static void sliding_sphere(void)
{
    double v = 1, mu = 0.2, dt = 1e-4, time = 0, velocity[3], spin[3];
    stage s = stage_make("qce");
    s.material.friction = mu;
    s.material.restitution = 0;
    stage_floor(&s, up, 0);
    int ball = stage_ball(&s, 0.1, 1, (double[]){ 0, 0, 0.1 }, (double[]){ v, 0, 0 });
    for (int i = 0; i < 5000; ++i) {
        stage_steps(&s, dt, 1);
        time += dt;
        carom_world_body(s.world, ball, NULL, NULL, velocity, spin);
        if (velocity[0] - 0.1 * spin[1] < 1e-9)
            break;
    }
    CHECK_NEAR(time, 2 * v / (7 * mu * g), 2 * dt, "time until the sphere rolls, to a step or two");
    CHECK_NEAR(velocity[0], 5.0 / 7, 1e-6, "and its speed then");
    stage_end(&s);
}

// An elastic box that lands flat keeps its spin at zero.
static void flat_box(void)
{
    stage s = stage_make("qce");
    s.material.restitution = 1;
    s.material.friction = 0;
    stage_floor(&s, up, 0);
    int box = stage_box(&s, (double[]){ 0.3, 0.2, 0.1 }, 1, (double[]){ 0, 0, 0.6 },
                        (double[]){ 0.3, 0.2, 0 });
    stage_steps(&s, 1.0 / 240, 360); // two landings; round-off grows tenfold with each
    double spin[3], velocity[3];
    carom_world_body(s.world, box, NULL, NULL, velocity, spin);
    carom_ledger ledger = carom_world_ledger(s.world);
    CHECK_MOST(fabs(spin[0]) + fabs(spin[1]) + fabs(spin[2]), 1e-9,
               "a box that lands flat does not turn");
    CHECK_NEAR(velocity[0], 0.3, 1e-12, "and keeps its horizontal speed");
    CHECK_NEAR((ledger.kinetic + ledger.potential) / ledger.start, 1, 1e-9, "and its energy");
    stage_end(&s);
}

// A ball between two walls keeps its energy for 10^5 bounces.
static void two_walls(void)
{
    stage s = stage_make("qce");
    s.options.gravity[2] = 0;
    s.material.restitution = 1;
    s.material.friction = 0;
    stage_floor(&s, (double[]){ 1, 0, 0 }, -0.5);
    stage_floor(&s, (double[]){ -1, 0, 0 }, -0.5);
    stage_ball(&s, 0.1, 1, (double[]){ 0, 0, 0 }, (double[]){ 8, 0, 0 });
    stage_steps(&s, 1, 10000); // ten bounces in each step
    carom_ledger ledger = carom_world_ledger(s.world);
    CHECK(ledger.impacts >= 99990, "about 10^5 bounces (%lld)", (long long)ledger.impacts);
    CHECK_NEAR(ledger.kinetic / ledger.start, 1, 1e-10, "energy after them");
    stage_end(&s);
}

// Free rotation keeps energy and angular momentum; a body spun about its middle axis turns over.
static void free_rotation(void)
{
    stage s = stage_make("qce");
    s.options.gravity[2] = 0;
    int box = stage_box(&s, (double[]){ 0.3, 0.2, 0.05 }, 1, (double[]){ 0, 0, 0 }, NULL);
    carom_world_set_velocity(s.world, box, (double[]){ 0, 0, 0 }, (double[]){ 0, 7, 0.01 });
    stage_steps(&s, 1.0 / 600, 1);
    carom_ledger first = carom_world_ledger(s.world);
    double lowest = 1, q[4];
    for (int i = 0; i < 10000; ++i) {
        stage_steps(&s, 1.0 / 600, 1);
        carom_world_body(s.world, box, NULL, q, NULL, NULL);
        lowest =
            fmin(lowest, 1 - 2 * (q[1] * q[1] + q[3] * q[3])); // y component of the body's y axis
    }
    carom_ledger last = carom_world_ledger(s.world);
    const double *a = first.angular;
    double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    CHECK_NEAR(last.kinetic / first.kinetic, 1, 1e-9,
               "free rotation keeps its energy over 10^4 steps");
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(last.angular[k] / size, a[k] / size, 1e-9,
                   "and its angular momentum, component %d", k);
    CHECK_MOST(lowest, -0.9, "a body spun about its middle axis turns over");
    stage_end(&s);
}

// A pendulum on a string keeps its energy and the length of its string.
static void pendulum(void)
{
    stage s = stage_make("qce");
    double angle = 0.5, position[3];
    int ball = stage_ball(&s, 0.05, 1, (double[]){ sin(angle), 0, -cos(angle) }, NULL);
    carom_joint joint = { .kind = CAROM_JOINT_STRING, .a = -1, .b = ball };
    carom_error err = { 0 };
    joint.anchor_b[0] = sin(angle);
    joint.anchor_b[2] = -cos(angle);
    CHECK(carom_world_add_joint(s.world, &joint, NULL, &err) == CAROM_OK, "%s", err.what);
    stage_steps(&s, 1e-3, 20000);
    carom_ledger ledger = carom_world_ledger(s.world);
    carom_world_body(s.world, ball, position, NULL, NULL, NULL);
    double length =
        sqrt(position[0] * position[0] + position[1] * position[1] + position[2] * position[2]);
    double swing = g * (1 - cos(angle));
    CHECK_NEAR((ledger.kinetic + ledger.potential - ledger.start) / swing, 0, 1e-9,
               "energy of a pendulum after 20 s");
    CHECK_NEAR(length, 1, 1e-9, "length of its string");
    stage_end(&s);
}

int main(void)
{
    dropped_ball(1.0 / 60);
    dropped_ball(1.0 / 240);
    dropped_ball(1.0 / 6000);
    incline(0.99 * tan(0.4), 1);
    incline(0.999 * tan(0.4), 1);
    incline(1.001 * tan(0.4), 0);
    sliding_sphere();
    flat_box();
    two_walls();
    free_rotation();
    pendulum();
    return check_report();
}

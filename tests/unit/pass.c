// The impact pass for other engines: which contacts meet within a step, in which order, and what
// the engine gets back. Rows of balls have closed forms; everything is along x.
#include "carom/pass.h"
#include "support/check.h"

#include <math.h>
#include <stddef.h>

static const double RADIUS = 0.05; // m

// Hands over balls on the x axis and all contacts of neighbours, and resolves a step.
static carom_pass_report resolve(carom_pass *pass, int count, const double *x, const double *v,
                                 double dt)
{
    carom_error err = { 0 };
    carom_pass_report report = { .rounds = -1 };
    carom_pass_begin(pass);
    for (int i = 0; i < count; ++i) {
        carom_impact_body ball = carom_impact_body_default();
        ball.position[0] = x[i];
        ball.velocity[0] = v[i];
        CHECK(carom_pass_add_body(pass, &ball) == i, "body %d gets its number", i);
        carom_pass_contact contact = { .a = i - 1,
                                       .b = i,
                                       .point = { 0.5 * (x[i] + x[i ? i - 1 : 0]) },
                                       .normal = { 1, 0, 0 },
                                       .distance = i ? x[i] - x[i - 1] - 2 * RADIUS : 0,
                                       .restitution = 1 };
        if (i > 0)
            CHECK(carom_pass_add_contact(pass, &contact) == i - 1, "contact %d its own", i - 1);
    }
    CHECK(carom_pass_resolve(pass, dt, &report, &err) == CAROM_OK, "resolved: %s", err.what);
    CHECK_NEAR(report.energy_after, report.energy_before, 1e-12, "no energy is lost");
    return report;
}

static double velocity(const carom_pass *pass, int body)
{
    return carom_pass_body(pass, body)->velocity[0];
}

// A cradle that is struck at a time between two steps: after the step every ball is where it is
// in truth, whether the engine saw the overlap after or the gap before.
static void between_steps(carom_pass *pass)
{
    const double dt = 1.0 / 60;
    for (int late = -2; late <= 2; ++late) {
        double x[5], v[5] = { 1, 0, 0, 0, 0 }, s = 0.3 * late * dt; // s: time of the impact
        for (int i = 0; i < 5; ++i)
            x[i] = 2 * RADIUS * i - (i == 0 ? s : 0);
        carom_pass_report report = resolve(pass, 5, x, v, dt);
        CHECK(report.rounds == 1 && report.left == 0, "one instant");
        for (int i = 0; i < 5; ++i) {
            const carom_pass_motion *motion = carom_pass_body(pass, i);
            double after = x[i] + motion->shift[0] + dt * motion->velocity[0];
            double wanted = 2 * RADIUS * i + (i == 4 ? dt - s : 0);
            CHECK_NEAR(motion->velocity[0], i == 4, 1e-12, "ball %d of the cradle", i);
            CHECK_NEAR(after, wanted, 1e-14, "ball %d after the step, impact at %g s", i, s);
        }
        CHECK(carom_pass_parts(pass, 3) && !carom_pass_parts(pass, 1), "only the last ball parts");
        CHECK_NEAR(carom_pass_distance(pass, 0), 0, 1e-16, "the first two touch, however late");
        CHECK_NEAR(carom_pass_distance(pass, 3), -s, 1e-16, "as the last two if there was no step");
    }
}

// A row with gaps: one impact after the other within one step, each at its own time.
static void one_after_the_other(carom_pass *pass)
{
    const double dt = 1.0 / 60, gap = 0.002;
    double x[4], v[4] = { 1, 0, 0, 0 };
    for (int i = 0; i < 4; ++i)
        x[i] = (2 * RADIUS + gap) * i;
    carom_pass_report report = resolve(pass, 4, x, v, dt);
    CHECK(report.rounds == 3 && report.impacts == 3, "three impacts in three rounds");
    for (int i = 0; i < 4; ++i) {
        const carom_pass_motion *motion = carom_pass_body(pass, i);
        double after = x[i] + motion->shift[0] + dt * motion->velocity[0];
        // each ball stops where the next one stood; the last one has the rest of the time
        double wanted = x[i] + (i < 3 ? gap : dt - 3 * gap);
        CHECK_NEAR(motion->velocity[0], i == 3, 1e-12, "ball %d of the row", i);
        CHECK_NEAR(after, wanted, 1e-14, "ball %d after the step", i);
    }
    x[3] = x[2] + 2 * RADIUS + 0.9; // too far for this step
    report = resolve(pass, 4, x, v, dt);
    CHECK(report.impacts == 2 && velocity(pass, 2) > 0.999 && !carom_pass_body(pass, 3)->struck,
          "the last ball waits for another step");
}

// What rests and what parts is the engine's affair.
static void left_alone(carom_pass *pass)
{
    const double touching[2] = { 0, 2 * RADIUS };
    carom_pass_report slow = resolve(pass, 2, touching, (double[]){ 0.009, 0 }, 0.01);
    CHECK(slow.rounds == 0 && velocity(pass, 0) == 0.009, "slower than 0.01 m/s is rest");
    carom_pass_report parts = resolve(pass, 2, (double[]){ 0, 0.09 }, (double[]){ 0, 1 }, 0.01);
    CHECK(parts.rounds == 0 && carom_pass_body(pass, 1)->shift[0] == 0 && carom_pass_parts(pass, 0),
          "an overlap that parts is left alone, and kept from the engine's solver");
    // an old deep overlap came at most one step ago
    resolve(pass, 2, (double[]){ 0, 0.05 }, (double[]){ 0.1, 0 }, 0.01);
    CHECK_NEAR(carom_pass_body(pass, 1)->shift[0], 0.001, 1e-15, "shift of an old overlap");
}

// A ball on an immovable floor, with its restitution.
static void floor_and_ball(carom_pass *pass)
{
    carom_impact_body floor = { .inverse_mass = 0 }, ball = carom_impact_body_default();
    carom_pass_contact contact = { .a = 0, .b = 1, .normal = { 0, 0, 1 }, .restitution = 0.5 };
    carom_error err = { 0 };
    ball.position[2] = RADIUS;
    ball.velocity[2] = -2;
    carom_pass_begin(pass);
    carom_pass_add_body(pass, &floor);
    carom_pass_add_body(pass, &ball);
    carom_pass_add_contact(pass, &contact);
    CHECK(carom_pass_resolve(pass, 0.01, NULL, &err) == CAROM_OK, "resolved: %s", err.what);
    CHECK_NEAR(carom_pass_body(pass, 1)->velocity[2], 1, 1e-14, "half of its speed");
    CHECK(!carom_pass_body(pass, 0)->struck && carom_pass_body(pass, 1)->struck, "the ball alone");
}

static void errors(carom_pass *pass)
{
    carom_error err = { 0 };
    carom_pass_options options = carom_pass_options_default();
    carom_pass *none = NULL;
    carom_impact_body ball = carom_impact_body_default();
    carom_pass_contact contact = { .a = 0, .b = 2, .normal = { 1, 0, 0 }, .restitution = 1 };
    options.touch = -1;
    CHECK(carom_pass_create(&options, &none, &err) == CAROM_BAD_INPUT && !none && err.fix[0],
          "a negative touch is refused");
    carom_pass_begin(pass);
    for (int i = 0; i < 3; ++i) {
        ball.position[0] = 2 * RADIUS * i;
        ball.velocity[0] = -i;
        carom_pass_add_body(pass, &ball);
    }
    carom_pass_add_contact(pass, &contact);
    CHECK(carom_pass_resolve(pass, 0, NULL, &err) == CAROM_BAD_INPUT, "a step of no length");
    contact.restitution = 1.5;
    contact.a = 1;
    carom_pass_add_contact(pass, &contact);
    CHECK(carom_pass_resolve(pass, 0.01, NULL, &err) == CAROM_BAD_INPUT && err.contact == 1,
          "a restitution of 1.5 is refused and named by its number in the pass: %d", err.contact);
    CHECK(velocity(pass, 2) == -2, "and nothing was changed");
    contact.normal[0] = 0.5;
    carom_pass_add_contact(pass, &contact);
    CHECK(carom_pass_resolve(pass, 0.01, NULL, &err) == CAROM_BAD_INPUT && err.contact == 2,
          "half a normal: %s", err.what);
    contact.b = 3;
    carom_pass_begin(pass);
    carom_pass_add_body(pass, &ball);
    carom_pass_add_contact(pass, &contact);
    CHECK(carom_pass_resolve(pass, 0.01, NULL, &err) == CAROM_BAD_INPUT && err.contact == 0,
          "a body that is not there");
    CHECK(!carom_pass_body(pass, 3) && !carom_pass_parts(pass, 3), "nothing outside the range");
}

int main(void)
{
    carom_pass *pass = NULL;
    carom_error err = { 0 };
    CHECK(carom_pass_create(NULL, &pass, &err) == CAROM_OK, "made: %s", err.what);
    between_steps(pass);
    one_after_the_other(pass);
    left_alone(pass);
    floor_and_ball(pass);
    errors(pass);
    carom_pass_destroy(pass);
    return check_report();
}

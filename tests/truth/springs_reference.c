// The law `springs` against closed forms and against an independent implementation.
#include "springs_tables.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <stdio.h>

// The reference's own energy error is up to 5e-11, and velocities react to it by a few times that.
static const double allowance = 3e-10;
static const char *const names[2] = { "Hooke", "Hertz" };
static const char *const options[2] = { "exponent=1", "exponent=1.5" };

static void three_balls(void)
{
    double mean[2] = { 0, 0 };
    for (int law = 0; law < 2; ++law)
        for (int i = 0; i <= 20; ++i) {
            double va = 0.05 * i, before[3] = { va, 0, -1 }, ideal[3] = { -1, 0, va }, sum = 0;
            instant one = { 0 };
            instant_chain(&one, 3, NULL, before);
            instant_run_threads(&one, "springs", options[law], 1);
            for (int k = 0; k < 3; ++k) {
                double v = one.v[k][0];
                CHECK_NEAR(v, three_ball[law][i][k], allowance,
                           "three balls, %s, v_a = %g, ball %d", names[law], va, k);
                sum += (v - ideal[k]) * (v - ideal[k]);
            }
            mean[law] += sqrt(sum) / 21;
            instant_free(&one);
        }
    // Means over the 21 values from the same reference.
    CHECK_NEAR(mean[0], 0.08247423935, 1e-9, "mean distance of Hooke to the ideal");
    CHECK_NEAR(mean[1], 0.01683218835, 1e-9, "mean distance of Hertz to the ideal");
}

static void check_chain(int n, const double *masses, const double *before, const double *after,
                        const char *option)
{
    instant one = { 0 };
    instant_chain(&one, n, masses, before);
    instant_run_threads(&one, "springs", option, 1);
    for (int k = 0; k < n; ++k)
        CHECK_NEAR(one.v[k][0], after[k], allowance, "chain of %d, %s, ball %d", n, option, k);
    // The promise of the law: energy to 1e-11.
    CHECK_NEAR(one.report.energy_after / one.report.energy_before, 1, 1e-11, "energy of a chain");
    instant_free(&one);
}

static void chains(void)
{
    for (int law = 0; law < 2; ++law) {
        for (size_t i = 0; i < sizeof cradles / sizeof *cradles; ++i) {
            double before[10] = { 0 };
            for (int k = 0; k < cradles[i].k; ++k)
                before[k] = 1;
            check_chain(cradles[i].n, NULL, before, cradles[i].after[law], options[law]);
        }
        for (size_t i = 0; i < sizeof unequals / sizeof *unequals; ++i)
            check_chain(unequals[i].n, unequals[i].masses, unequals[i].before,
                        unequals[i].after[law], options[law]);
    }
    for (int i = 0; i < 5; ++i) {
        double two[5] = { 1, 1, 0, 0, 0 }, single[3] = { 1, 0, 0 };
        char option[32];
        snprintf(option, sizeof option, "exponent=%g", exponents[i]);
        check_chain(5, NULL, two, five_two[i], option);
        check_chain(3, NULL, single, one_three[i], option);
    }
}

static void pool_break(void)
{
    for (int law = 0; law < 2; ++law) {
        instant one = { 0 };
        for (int i = 0; i < 16; ++i)
            instant_body(&one, 1, rack[i][0], rack[i][1], 0);
        instant_touch_all(&one, 0.5);
        one.bodies[0].velocity[0] = 1;
        instant_run_threads(&one, "springs", options[law], 1);
        for (int i = 0; i < 16; ++i)
            for (int k = 0; k < 2; ++k)
                CHECK_NEAR(one.v[i][k], rack_after[law][i][k], allowance, "pool break, %s, ball %d",
                           names[law], i);
        // The rack is its own mirror image in y; balls 2 and 3, 4 and 6 correspond.
        CHECK_NEAR(one.v[2][1], -one.v[3][1], 1e-13, "mirror symmetry");
        CHECK_NEAR(one.v[4][0], one.v[6][0], 1e-13, "mirror symmetry");
        instant_free(&one);
    }
}

static void wedges_and_boxes(void)
{
    const double pi = 3.14159265358979323846, half[3] = { 1, 1, 1 };
    for (int law = 0; law < 2; ++law) {
        for (size_t i = 0; i < sizeof wedges / sizeof *wedges; ++i) {
            double c = cos(wedges[i].angle * pi / 180), s = sin(wedges[i].angle * pi / 180);
            instant one = { 0 };
            instant_body(&one, 1, 0, 0, 0);
            instant_ball(&one, 0, 0, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
            instant_ball(&one, 0, 0, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
            instant_contact(&one, 1, 0, vec3_make(-0.5 * c, 0, -0.5 * s), vec3_make(c, 0, s));
            instant_contact(&one, 2, 0, vec3_make(0.5 * c, 0, -0.5 * s), vec3_make(-c, 0, s));
            one.bodies[0].velocity[0] = 0.3;
            one.bodies[0].velocity[2] = -1;
            instant_run_threads(&one, "springs", options[law], 1);
            CHECK_NEAR(one.v[0][0], wedges[i].after[law][0], allowance, "wedge %g, %s, x",
                       wedges[i].angle, names[law]);
            CHECK_NEAR(one.v[0][2], wedges[i].after[law][1], allowance, "wedge %g, %s, z",
                       wedges[i].angle, names[law]);
            instant_free(&one);
        }
        // A box that lands flat bounces without turning: by symmetry all corners act alike.
        instant box = { 0 };
        instant_box_on_floor(&box, half, -1);
        box.bodies[1].velocity[0] = box.bodies[1].velocity[1] = 1;
        box.bodies[1].velocity[2] = -10;
        instant_run_threads(&box, "springs", options[law], 1);
        CHECK_NEAR(box.v[1][2], 10, 1e-10, "a flat box bounces back");
        CHECK_NEAR(fabs(box.w[1][0]) + fabs(box.w[1][1]), 0, 1e-10, "and does not turn");
        CHECK_NEAR(box.v[1][0], 1, 0, "without friction it keeps sliding");
        instant_free(&box);
        // Half the face over the edge; values of the reference (a 2 m cube at -10 m/s).
        const double vz[2] = { 7.467398600210625, 7.547974455556119 };
        const double wy[2] = { 8.145976750456498, 8.033811201980296 };
        instant edge = { 0 };
        instant_box_on_floor(&edge, half, 0);
        edge.bodies[1].velocity[2] = -10;
        instant_run_threads(&edge, "springs", options[law], 1);
        CHECK_NEAR(edge.v[1][2], vz[law], 10 * allowance, "half-face cube, %s", names[law]);
        CHECK_NEAR(edge.w[1][1], -wy[law], 10 * allowance, "half-face cube spin, %s", names[law]);
        instant_free(&edge);
    }
}

// Bernoulli's problem, one ball on two that touch each other: closed form for every exponent, as
// both contacts act alike. v = (-1/5, 0), (3/5, +-3/5 tan 30).
static void bernoulli(void)
{
    for (int law = 0; law < 2; ++law) {
        instant one = { 0 };
        instant_body(&one, 1, 0, 0, 0);
        instant_body(&one, 1, sqrt(0.75), -0.5, 0);
        instant_body(&one, 1, sqrt(0.75), 0.5, 0);
        instant_touch_all(&one, 0.5);
        one.bodies[0].velocity[0] = 1;
        instant_run_threads(&one, "springs", options[law], 1);
        CHECK_NEAR(one.v[0][0], -0.2, 1e-11, "Bernoulli, %s: the striker", names[law]);
        CHECK_NEAR(one.v[1][0], 0.6, 1e-11, "Bernoulli, %s: the struck", names[law]);
        CHECK_NEAR(one.v[2][1], 0.34641016151377546, 1e-11, "Bernoulli, %s", names[law]);
        instant_free(&one);
    }
}

int main(void)
{
    three_balls();
    chains();
    pool_break();
    wedges_and_boxes();
    bernoulli();
    return check_report();
}

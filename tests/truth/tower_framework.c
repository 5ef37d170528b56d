// Articulated frameworks: pendulum, hinged roof, bricks as frameworks of points, figures 6 and 7.
#include "carom/tower.h"
#include "support/check.h"
#include "support/tower_numbers.h"
#include <math.h>

static carom_error err;
#define GOOD(call) CHECK((call) == CAROM_OK, "%s", err.what)

static carom_tower_instant solve(const carom_tower *tower)
{
    carom_tower_instant instant;
    GOOD(carom_tower_initial(tower, CAROM_TOWER_AUTO, &instant, &err));
    CHECK_MOST(instant.kkt, 1e-13, "residual");
    return instant;
}

static carom_tower *pendulum(void)
{
    carom_tower *tower = carom_tower_create(1);
    const double pivot[2] = { 0, 0 }, first[2] = { 0.6, -0.8 }, second[2] = { 1.4, -1.4 };
    GOOD(carom_tower_add_point(tower, first[0], first[1], 1, 0, &err));
    GOOD(carom_tower_add_point(tower, second[0], second[1], 1, 0, &err));
    GOOD(carom_tower_add_bar(tower, 0, first, -1, pivot, &err));
    GOOD(carom_tower_add_bar(tower, 1, second, 0, first, &err));
    return tower;
}

// Double pendulum, rods along (3,-4)/5 and (4,-3)/5: exact rationals, and positions at t = 1 from a
// high-order integrator.
static void check_pendulum(void)
{
    const double wanted[4] = { -108.0 / 337, -81.0 / 337, -192.0 / 337, -193.0 / 337 };
    const double at_1[4] = { 0.4477585319838713, -0.8941545151905477, 1.097860500719509,
                             -1.6540014933684226 };
    const struct {
        carom_tower_variant variant;
        double error, order; // at dt = 1/100, and from there to 1/200
    } cases[] = { { CAROM_TOWER_LITERAL, 0.0003598802480262453, 0.9592750656538545 },
                  { CAROM_TOWER_PROJECTED, 1.0758844782854382e-05, 1.9940015859175455 },
                  { CAROM_TOWER_SECOND, 1.3947968990901671e-06, 1.8932582602238022 } };
    carom_tower *tower = pendulum();
    carom_tower_instant found = solve(tower);
    for (int c = 0; c < 4; ++c)
        CHECK_NEAR(found.accelerations[c < 2 ? c : c + 1], wanted[c], 1e-12,
                   "pendulum: component %d", c);
    CHECK(found.tie_count == 2 && found.ties[0].bar, "two bars");
    CHECK_NEAR(found.ties[0].force, 500.0 / 337, 1e-12, "tension of the upper rod");
    CHECK_NEAR(found.ties[1].force, 240.0 / 337, 1e-12, "tension of the lower rod");
    carom_tower_initial_free(&found);
    for (int n = 0; n < 3; ++n) {
        double error[2];
        for (int fine = 0; fine < 2; ++fine) {
            carom_tower_motion_options o = carom_tower_motion_default();
            carom_tower_motion *motion = 0;
            o.dt = 1.0 / (100 << fine);
            o.variant = cases[n].variant;
            GOOD(carom_tower_motion_create(tower, &o, &motion, &err));
            for (int k = 0; k < 100 << fine; ++k)
                GOOD(carom_tower_motion_step(motion, 0, &err));
            error[fine] = 0;
            for (int b = 0; b < 2; ++b) {
                double place[3];
                carom_tower_motion_place(motion, b, place);
                error[fine] = fmax(error[fine], fabs(place[0] - at_1[2 * b]));
                error[fine] = fmax(error[fine], fabs(place[1] - at_1[2 * b + 1]));
            }
            carom_tower_motion_destroy(motion);
        }
        // The reference does not say its norm; the same error within the factor of a norm.
        CHECK_MOST(error[0], 1.01 * cases[n].error, "pendulum, variant %d: error at dt = 1/100", n);
        CHECK_NEAR(log2(error[0] / error[1]), cases[n].order, 0.15, "pendulum, variant %d: order",
                   n);
    }
    carom_tower_destroy(tower);
}

// Two bricks lean on each other, hinged at the apex, feet on smooth ground. With q the turn of the
// left one: (m |dc/dq|^2 + I) q'' = -m g dy/dq, dc/dq = (1/5, 13/40).
static void check_roof(carom_tower_mass spread, double psi)
{
    carom_tower *tower = carom_tower_create(1);
    double angle = atan2(0.6, 0.8);
    carom_tower_body brick = { .width = 1, .height = 0.25, .spread = spread };
    brick.x = -0.8 + 0.325;
    brick.y = 0.4;
    brick.angle = angle;
    GOOD(carom_tower_add_body(tower, &brick, 0, &err));
    brick.x = -brick.x;
    brick.angle = -angle;
    GOOD(carom_tower_add_body(tower, &brick, 0, &err));
    GOOD(carom_tower_add_ground(tower, (double[]){ 0, 0 }, (double[]){ 0, 1 }, &err));
    GOOD(carom_tower_add_pin(tower, 0, 1, 0, 0.6, &err));
    carom_tower_instant found = solve(tower);
    // 1e-12: the corners stand on the ground to the round-off of a sine
    CHECK_NEAR(found.accelerations[2], psi, 1e-12, "roof: psi of the left brick");
    CHECK_NEAR(found.accelerations[5], -psi, 1e-12, "roof: the right one mirrors it");
    CHECK_NEAR(found.accelerations[0] - 0.2 * psi, 0, 1e-12, "roof: centre follows");
    carom_tower_initial_free(&found);
    carom_tower_motion *motion = 0;
    carom_tower_motion_options o = carom_tower_motion_default();
    GOOD(carom_tower_motion_create(tower, &o, &motion, &err));
    for (int k = 0; k < 100; ++k)
        GOOD(carom_tower_motion_step(motion, 0, &err));
    carom_tower_audit audit = carom_tower_motion_audit(motion);
    CHECK_MOST(audit.size_error, 1e-4, "roof: the hinge stays closed");
    CHECK_MOST(audit.penetration, 2e-5, "roof: feet on the ground");
    CHECK(carom_tower_motion_is_symmetric(motion), "roof: bitwise symmetric");
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
}

static carom_tower *triangle_of_frameworks(int points)
{
    carom_tower *tower = carom_tower_create(1);
    for (int row = 0; row < 3; ++row)
        for (int k = 0; k <= row; ++k) {
            carom_tower_body brick = { .width = 1, .height = 0.25, .x = k - row / 2.0 };
            brick.y = 0.125 + 0.25 * row;
            GOOD(carom_tower_framework_add(tower, &brick, points, 0, &err));
        }
    GOOD(carom_tower_add_ground(tower, (double[]){ 0, 0 }, (double[]){ 0, 1 }, &err));
    return tower;
}

// 4, 5 and 9 points: the sum over the points is that of the rigid brick with the same inertia.
static void check_points(void)
{
    const int points[] = { 5, 9 };
    for (int n = 0; n < 2; ++n) {
        carom_tower *tower = triangle_of_frameworks(points[n]);
        carom_tower_instant found = solve(tower);
        CHECK_NEAR(found.sum_m_a2, 3.0 / 14, 1e-11, "triangle of %d-point frameworks", points[n]);
        CHECK_NEAR(found.support_force, 81.0 / 14, 1e-11, "its support force");
        carom_tower_initial_free(&found);
        carom_tower_destroy(tower);
    }
    carom_tower *roof = carom_tower_create(1);
    carom_tower_body brick = { .width = 1, .height = 0.25, .x = 0.1, .y = 0.125 };
    GOOD(carom_tower_framework_add(roof, &brick, 4, 0, &err));
    GOOD(carom_tower_add_table(roof, -HUGE_VAL, 0, 0, &err));
    carom_tower_instant found = solve(roof);
    double delta = 0.1, inertia = 17.0 / 64; // corner masses
    CHECK_NEAR(found.support_force, inertia / (inertia + delta * delta), 1e-12,
               "4-point brick on an edge");
    carom_tower_initial_free(&found);
    carom_tower_destroy(roof);
}

static double compare_step(const carom_tower *tower, carom_tower_motion_options a,
                           carom_tower_motion_options b, const double (*velocity)[3], int steps)
{
    carom_tower_motion *first = 0, *second = 0;
    double worst = 0;
    GOOD(carom_tower_motion_create(tower, &a, &first, &err));
    GOOD(carom_tower_motion_create(tower, &b, &second, &err));
    for (int k = 0; velocity && k < carom_tower_bodies(tower); ++k) {
        GOOD(carom_tower_motion_set_velocity(first, k, velocity[k], &err));
        GOOD(carom_tower_motion_set_velocity(second, k, velocity[k], &err));
    }
    for (int n = 0; n < steps; ++n) {
        GOOD(carom_tower_motion_step(first, 0, &err));
        GOOD(carom_tower_motion_step(second, 0, &err));
    }
    for (int k = 0; k < carom_tower_bodies(tower); ++k) {
        double p[3], q[3];
        carom_tower_motion_place(first, k, p);
        carom_tower_motion_place(second, k, q);
        worst = fmax(worst, fmax(fabs(p[0] - q[0]), fmax(fabs(p[1] - q[1]), fabs(p[2] - q[2]))));
    }
    carom_tower_motion_destroy(first);
    carom_tower_motion_destroy(second);
    return worst;
}

// Theorem 5.1, corrected: from velocities that fulfil (L1+), figure 6 and figure 7 with (L') and s
// = 2 agree in the next positions.
static void check_figures(void)
{
    carom_tower_motion_options six = carom_tower_motion_default(), seven = six;
    six.acceleration = true;
    seven.variant = CAROM_TOWER_LITERAL;
    seven.sidedness = 2;
    six.plain_start = seven.plain_start = true;
    six.dt = seven.dt = 0.01;
    carom_tower *tower = 0;
    GOOD(carom_tower_build("diamond:5", &tower, &err));
    CHECK_MOST(compare_step(tower, six, seven, 0, 1), 1e-14,
               "figures 6 and 7 agree: 5x5 from rest");
    carom_tower_destroy(tower);
    // A brick turning about a point of the table's edge and sliding over it: contact speed zero.
    GOOD(carom_tower_build("single:0.6", &tower, &err));
    const double spin[1][3] = { { 0.3 + 0.125 * 0.5, -0.05, -0.5 } };
    CHECK_MOST(compare_step(tower, six, seven, spin, 1), 1e-14,
               "figures 6 and 7 agree: sliding and turning");
    carom_tower_destroy(tower);
    // The double pendulum in motion: velocities at right angles to the rods.
    tower = pendulum();
    const double swing[2][3] = { { 0.8, 0.6, 0 }, { 0.8 + 0.3, 0.6 + 0.4, 0 } };
    CHECK_MOST(compare_step(tower, six, seven, swing, 1), 1e-14, "figures 6 and 7 agree: pendulum");
    carom_tower_destroy(tower);
}

int main(void)
{
    check_pendulum();
    check_roof(CAROM_TOWER_HOMOGENEOUS, -390.0 / 281);
    check_roof(CAROM_TOWER_CORNERS, -260.0 / 329);
    check_points();
    check_figures();
    return check_report();
}

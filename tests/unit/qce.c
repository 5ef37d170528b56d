// The law qce: closed forms and independent reference computations (numpy), unit masses and radius
// 0.5 unless said. Numbers are those of the literature with its misprints corrected; see the top of
// src/impact/qce_sweep.c.
#include "carom/carom.h"
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/random.h"

static carom_workspace *workspace;

// Every promise that has a figure in the report. The tolerance leaves 1e-9 of the fastest approach.
static void check_sound(const instant *t, const char *what)
{
    CHECK_MOST(instant_energy_ratio(t), 1 + 1e-12, "%s: energy does not grow", what);
    CHECK_MOST(t->report.penetration, 2e-9 * t->report.fastest, "%s: nothing approaches", what);
    CHECK_MOST(t->report.pull, 0, "%s: nothing pulls", what);
    CHECK_MOST(t->report.momentum_error, 1e-12, "%s: impulses explain the velocities", what);
}

static void check_chain(const instant *t, const double *wanted, double allowance, const char *what)
{
    for (int i = 0; i < t->impact.body_count; ++i)
        CHECK_NEAR(t->v[i][0], wanted[i], allowance, "%s, body %d", what, i);
}

// -- chains --------------------------------------------------------------------------------------

static void test_three_balls(void)
{
    static instant t;
    const double at[3] = { 0.25, 0.5, 0.75 };
    const double table[3][3] = { { -1.0136564348, 0.1207992919, 1.0 / 7 },
                                 { -1.0458195363, 0.2124862029, 1.0 / 3 },
                                 { -1.0735560886, 0.2235560886, 0.6 } };
    for (int i = 0; i < 3; ++i) {
        instant_chain(&t, 3, NULL, (const double[]){ at[i], 0, -1 });
        instant_run(&t, workspace, "qce", "");
        check_chain(&t, table[i], 1e-9, "three balls, table");
    }
    for (int i = 1; i < 20; ++i) { // the middle of the derivation holds for 0 < va < 1
        double va = i / 20.0, p2 = 2 / (2 - va), sum = va + p2;
        double p1 = (sum + sqrt(sum * sum - 4 * (p2 * p2 - p2))) / 2;
        instant_chain(&t, 3, NULL, (const double[]){ va, 0, -1 });
        instant_run(&t, workspace, "qce", "");
        // 1e-12: the closed form itself is good to a few 1e-16
        check_chain(&t, (const double[]){ va - p1, p1 - p2, p2 - 1 }, 1e-12, "closed form");
        check_sound(&t, "three balls");
        CHECK_NEAR(instant_energy_ratio(&t), 1, 1e-14, "three balls keep the energy");
    }
    // Printed line 20 of the algorithm would give ten times the energy here.
    const double found[3][4] = { { 0.6, -1.0596775427472296, 0.23110611417580107, 3.0 / 7 },
                                 { 0.75, -1.0735560885536426, 0.2235560885536425, 0.6 },
                                 { 0.9, -1.058694772811307, 0.14051295462948898, 9.0 / 11 } };
    for (int i = 0; i < 3; ++i) {
        instant_chain(&t, 3, NULL, (const double[]){ found[i][0], 0, -1 });
        instant_run(&t, workspace, "qce", "");
        check_chain(&t, &found[i][1], 1e-13, "neighbours advance to the common s");
    }
    instant_chain(&t, 3, NULL, (const double[]){ 1, 0, -1 });
    instant_run(&t, workspace, "qce", "");
    check_chain(&t, (const double[]){ -1, 0, 1 }, 0, "a tie is exactly symmetric");
}

static void test_cradle(void)
{
    static instant t;
    for (int n = 3; n <= 10; ++n)
        for (int k = 1; k < n; ++k) {
            double v[10], wanted[10];
            for (int i = 0; i < n; ++i) {
                v[i] = i < k;
                wanted[i] = i >= n - k;
            }
            instant_chain(&t, n, NULL, v);
            instant_run(&t, workspace, "qce", "");
            check_chain(&t, wanted, 1e-12, "cradle");
            CHECK(t.report.sweeps == n - 1, "cradle %d, %d in %d sweeps, found %d", n, k, n - 1,
                  t.report.sweeps);
            CHECK(t.report.end == CAROM_IMPACT_SETTLED, "cradle settles");
        }
}

static void test_unequal_masses(void)
{
    static instant t;
    instant_chain(&t, 3, (const double[]){ 3, 1, 1 }, (const double[]){ 1, 0, 0 });
    instant_run(&t, workspace, "qce", "");
    check_chain(&t, (const double[]){ 0.25, 0.75, 1.5 }, 1e-12, "masses 3 1 1");
    instant_chain(&t, 4, (const double[]){ 8, 4, 2, 1 }, (const double[]){ 1, 0, 0, 0 });
    instant_run(&t, workspace, "qce", "");
    check_chain(&t, (const double[]){ 1.0 / 3, 4.0 / 9, 16.0 / 27, 64.0 / 27 }, 1e-12, "8 4 2 1");
    instant_chain(&t, 3, (const double[]){ 1, 5, 1 }, (const double[]){ 1, 0, 0 });
    instant_run(&t, workspace, "qce", "");
    check_chain(&t, (const double[]){ -2.0 / 3, 2.0 / 9, 5.0 / 9 }, 1e-12, "masses 1 5 1");
}

// Noise of 1e-6 on a cradle of four must not decide the result [QCE, section 5.5]; without waiting
// contacts it does.
static void test_disturbances(void)
{
    static instant t;
    int off = 0;
    double worst = 0;
    carom_random random = carom_random_make(5, 5);
    for (int i = 0; i < 400; ++i) {
        double v[4] = { 1, 0, 0, 0 }, wanted[4] = { 0, 0, 0, 1 };
        for (int k = 0; k < 4; ++k)
            v[k] += 1e-6 * carom_random_between(&random, -1, 1);
        for (int pass = 0; pass < 2; ++pass) {
            double error = 0;
            instant_chain(&t, 4, NULL, v);
            instant_run(&t, workspace, "qce", pass ? "theta=0" : "");
            for (int k = 0; k < 4; ++k)
                error = fmax(error, fabs(t.v[k][0] - wanted[k]));
            if (pass)
                off += error > 1e-3;
            else
                worst = fmax(worst, error);
        }
    }
    CHECK_MOST(worst, 1e-5, "waiting contacts: noise of 1e-6 stays small");
    CHECK(off > 4 && off < 60, "without them a few percent of 400 are off, found %d", off);
}

// -- planes and space ----------------------------------------------------------------------------

static void test_bernoulli(void)
{
    static instant t;
    instant_clear(&t);
    instant_body(&t, 1, 0, 0, 0);
    instant_body(&t, 1, sqrt(0.75), -0.5, 0);
    instant_body(&t, 1, sqrt(0.75), 0.5, 0);
    t.bodies[0].velocity[0] = 1;
    instant_touch_all(&t, 0.5);
    instant_run(&t, workspace, "qce", "");
    CHECK_NEAR(t.v[0][0], -0.2, 1e-12, "striker comes back");
    CHECK_NEAR(t.v[0][1], 0, 1e-15, "straight");
    for (int i = 1; i < 3; ++i) {
        CHECK_NEAR(t.v[i][0], 0.6, 1e-12, "struck ball %d", i);
        CHECK_NEAR(fabs(t.v[i][1]), 0.3464101615137755, 1e-12, "struck ball %d, sideways", i);
    }
}

static void test_pool_break(void)
{
    static instant t;
    instant_rack(&t);
    CHECK(t.impact.contact_count == 31, "30 contacts of the rack and the cue's");
    instant_run(&t, workspace, "qce", "");
    CHECK(t.report.sweeps == 6, "6 sweeps, found %d", t.report.sweeps);
    CHECK(t.report.events == 30, "30 events, found %d", (int)t.report.events);
    CHECK_NEAR(t.v[0][0], -0.2, 1e-9, "cue");
    CHECK_NEAR(t.v[1][0], -0.0434228284, 1e-9, "apex");
    CHECK_NEAR(t.v[11][0], 0.4407566301, 1e-9, "corner");
    CHECK_NEAR(t.v[11][1], -0.2544709590, 1e-9, "corner, sideways");
    CHECK_NEAR(t.v[15][1], 0.2544709590, 1e-9, "other corner");
    CHECK_NEAR(t.v[13][0], 0.3197584933, 1e-9, "middle of the last row");
    CHECK_NEAR(instant_energy_ratio(&t), 1, 1e-14, "energy");
    for (int row = 0, first = 1; row < 5; first += ++row)
        for (int j = 0; j <= row; ++j) {
            const double *one = t.v[first + j], *other = t.v[first + row - j];
            CHECK_NEAR(one[0], other[0], 1e-12, "mirror, row %d", row);
            CHECK_NEAR(one[1], -other[1], 1e-12, "mirror, row %d", row);
        }
    check_sound(&t, "pool break");
    // Energy kept when capped and finished by Poisson's rule (numpy).
    const double kept[5] = { 0, 0.724765868886578, 0.8761728395061716, 0.9387423507008323,
                             0.9992982134723771 };
    for (int cap = 1; cap < 5; ++cap) {
        char settings[32];
        snprintf(settings, sizeof settings, "sweeps=%d", cap);
        instant_run(&t, workspace, "qce", settings);
        CHECK_NEAR(instant_energy_ratio(&t), kept[cap], 1e-9, "capped at %d", cap);
        CHECK(t.report.end == CAROM_IMPACT_CAPPED, "free spheres would have settled: capped");
        check_sound(&t, "capped");
    }
}

// A body of mass 8 on a floor, touching at points of its lower face z = -1.
static void box(instant *t, const double (*points)[2], const double velocity[3])
{
    instant_clear(t);
    int body = instant_body(t, 8, 0, 0, 0), floor = instant_body(t, 0, 0, 0, -1);
    for (int k = 0; k < 3; ++k) {
        t->bodies[body].inverse_inertia[k] = 3.0 / 16; // 2 m cube: m (4 + 4) / 12
        t->bodies[body].velocity[k] = velocity[k];
    }
    for (int i = 0; i < 4; ++i)
        instant_contact(t, body, floor, vec3_make(points[i][0], points[i][1], -1),
                        vec3_make(0, 0, -1));
}

static void test_boxes(void)
{
    static instant t;
    box(&t, (const double[][2]){ { -1, -1 }, { -1, 1 }, { 1, -1 }, { 1, 1 } },
        (const double[]){ 1, 1, -10 });
    instant_run(&t, workspace, "qce", "");
    CHECK_NEAR(t.v[0][0], 1, 0, "flat box slides on");
    CHECK_NEAR(t.v[0][2], 10, 1e-14, "and bounces");
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(t.w[0][k], 0, 0, "without any spin");
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(t.p[i][0], 40, 1e-12, "corners share evenly");
    box(&t, (const double[][2]){ { -1, -1 }, { -1, 1 }, { 0, -1 }, { 0, 1 } },
        (const double[]){ 0, 0, -10 });
    instant_run(&t, workspace, "qce", "");
    CHECK_NEAR(t.v[0][2], 50.0 / 7, 1e-12, "half a face: speed");
    CHECK_NEAR(t.w[0][1], 60.0 / 7, 1e-12, "half a face: spin");
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(t.p[i][0], (i < 2 ? 160 : 320) / 7.0, 1e-11, "half a face: impulse %d", i);
    check_sound(&t, "half a face");
}

static void wedge(instant *t, double c, double s, double vx)
{
    instant_clear(t);
    int ball = instant_body(t, 1, 0, 0, 0);
    t->bodies[ball].velocity[0] = vx;
    t->bodies[ball].velocity[2] = -1;
    for (int side = -1; side <= 1; side += 2) {
        int wall = instant_body(t, 0, 0, 0, 0);
        instant_contact(t, wall, ball, vec3_make(-0.5 * side * c, 0, -0.5 * s),
                        vec3_make(side * c, 0, s));
    }
}

static void test_wedges(void)
{
    static instant t;
    wedge(&t, 0.5, sqrt(0.75), 0.3);
    instant_run(&t, workspace, "qce", "");
    CHECK_NEAR(t.v[0][0], -0.0419288, 5e-8, "wedge of 60 degrees (seven digits given)");
    CHECK_NEAR(t.v[0][2], 1.0431884, 5e-8, "wedge of 60 degrees");
    wedge(&t, sqrt(0.5), sqrt(0.5), 0.3);
    instant_run(&t, workspace, "qce", "");
    CHECK_NEAR(t.v[0][0], -0.3, 1e-15, "right angle: back where it came from");
    CHECK_NEAR(t.v[0][2], 1, 1e-15, "right angle");
    check_sound(&t, "wedge");
}

// -- ends ----------------------------------------------------------------------------------------

// A chain with immovable ends where the masses are 0.
static void test_galperin(void)
{
    static instant t;
    const int sweeps[4] = { 3, 31, 314, 3141 };
    for (int i = 0; i < 4; ++i) {
        double mass = pow(100, i);
        instant_chain(&t, 3, (const double[]){ 0, 1, mass }, (const double[]){ 0, 0, -1 });
        instant_run(&t, workspace, "qce", "sweeps=10000 tolerance=1e-12");
        CHECK(t.report.sweeps == sweeps[i], "floor(pi sqrt(%g)) = %d sweeps, found %d", mass,
              sweeps[i], t.report.sweeps);
        CHECK(t.report.end == CAROM_IMPACT_SETTLED, "and then it settles");
        if (i == 1) {
            CHECK_NEAR(t.v[1][0], 0.4778602082, 1e-9, "light ball");
            CHECK_NEAR(t.v[2][0], 0.9988575956, 1e-9, "heavy ball");
        }
    }
    instant_chain(&t, 3, (const double[]){ 0, 1, 1e6 }, (const double[]){ 0, 0, -1 });
    instant_run(&t, workspace, "qce", "sweeps=100");
    CHECK(t.report.end == CAROM_IMPACT_CAPPED, "at 100 sweeps: capped, though it has an end");
    CHECK(t.report.capped_loss > 1e-3, "and what it lost is reported: %g", t.report.capped_loss);
    check_sound(&t, "capped long chain");
}

static void test_endless(void)
{
    static instant t;
    instant_chain(&t, 3, (const double[]){ 0, 1, 0 }, (const double[]){ 0, 1, 0 });
    instant_run(&t, workspace, "qce", "");
    CHECK(t.report.end == CAROM_IMPACT_ENDLESS, "parallel walls are endless");
    CHECK_NEAR(t.v[1][0], 0, 1e-12, "and hold the ball");
    check_sound(&t, "parallel walls");
    instant_chain(&t, 5, (const double[]){ 0, 1, 1, 1, 0 }, (const double[]){ 0, 1, 0, 0, 0 });
    instant_run(&t, workspace, "qce", "");
    CHECK(t.report.end == CAROM_IMPACT_ENDLESS, "a chain between walls is endless");
    for (int i = 1; i < 4; ++i)
        CHECK_NEAR(t.v[i][0], 0, 1e-12, "and comes to rest");
    check_sound(&t, "chain between walls");
    instant_chain(&t, 2, NULL,
                  (const double[]){ 1, 0 }); // ball in a frame: touches both of its sides
    instant_contact(&t, 1, 0, vec3_make(-0.5, 0, 0), vec3_make(1, 0, 0));
    instant_run(&t, workspace, "qce", "");
    CHECK(t.report.end == CAROM_IMPACT_ENDLESS, "a ball in a frame is endless");
    check_chain(&t, (const double[]){ 0.5, 0.5 }, 1e-12, "ball and frame move on together");
    check_sound(&t, "ball in a frame");
    // Two driven walls that close in on a ball: no velocity is feasible. It must end and say so.
    instant_chain(&t, 3, (const double[]){ 0, 1, 0 }, (const double[]){ 1, 0, -1 });
    instant_run(&t, workspace, "qce", "");
    CHECK(t.report.end != CAROM_IMPACT_SETTLED, "a squeezed ball cannot settle");
    CHECK(t.v[1][0] == 0, "and stays in the middle");
    // One island endless, the other not: the second keeps its energy.
    instant_chain(&t, 3, (const double[]){ 0, 1, 0 }, (const double[]){ 0, 1, 0 });
    int free_ball = instant_body(&t, 1, 0, 9, 0);
    instant_body(&t, 1, 1, 9, 0);
    t.bodies[free_ball].velocity[0] = 1;
    instant_touch(&t, free_ball, free_ball + 1);
    instant_run(&t, workspace, "qce", "");
    CHECK_NEAR(t.v[free_ball + 1][0], 1, 0, "the finish touches its own island only");
}

// Driven wall: energy is kept in the frame of the wall.
static void test_driven(void)
{
    static instant t;
    instant_chain(&t, 4, (const double[]){ 0, 1, 1, 1 }, (const double[]){ 0.5, 0, 0, 0 });
    instant_run(&t, workspace, "qce", "");
    check_chain(&t, (const double[]){ 0.5, 1, 1, 1 }, 1e-12, "a driven wall strikes every ball");
    CHECK_NEAR(t.report.work, 1.5, 1e-12, "and pays for it");
}

// -- restitution and friction --------------------------------------------------------------------

static void test_restitution(void)
{
    static instant t;
    instant_chain(&t, 3, NULL, (const double[]){ 1, 0, 0.6 });
    instant_set_restitution(&t, 0.5);
    instant_run(&t, workspace, "qce", "reading=lcp");
    check_chain(&t, (const double[]){ 4.0 / 15, 17.0 / 30, 23.0 / 30 }, 1e-12, "reading lcp");
    instant_run(&t, workspace, "qce", "reading=convex");
    check_chain(&t, (const double[]){ 0.25, 0.55, 0.8 }, 1e-12, "reading convex");
    for (int i = 0; i <= 10; ++i) {
        instant_chain(&t, 2, (const double[]){ 1, 3 }, (const double[]){ 1, -0.5 });
        instant_set_restitution(&t, i / 10.0);
        instant_run(&t, workspace, "qce", i % 2 ? "reading=convex" : "");
        CHECK_NEAR(t.v[1][0] - t.v[0][0], i / 10.0 * 1.5, 1e-14, "a single contact: u+ = -c u");
    }
    carom_random random = carom_random_make(13, 1);
    for (int i = 0; i < 100; ++i) {
        double m[8], v[8], elastic[8], calm[8], c = carom_random_unit(&random);
        int n = 3 + carom_random_below(&random, 6);
        for (int k = 0; k < n; ++k) {
            m[k] = carom_random_between(&random, 0.1, 2);
            v[k] = carom_random_between(&random, -1, 1);
        }
        instant_chain(&t, n, m, v);
        instant_run(&t, workspace, "qce", "");
        for (int k = 0; k < n; ++k)
            elastic[k] = t.v[k][0];
        instant_run(&t, workspace, "inelastic", "");
        for (int k = 0; k < n; ++k)
            calm[k] = t.v[k][0];
        for (int reading = 0; reading < 2; ++reading) {
            const char *words = reading ? "reading=convex" : "reading=lcp";
            instant_set_restitution(&t, 1);
            instant_run(&t, workspace, "qce", words);
            check_chain(&t, elastic, 0, "c = 1 is the elastic result");
            instant_set_restitution(&t, 0);
            instant_run(&t, workspace, "qce", words);
            check_chain(&t, calm, 1e-12, "c = 0 is the inelastic result");
            CHECK(t.report.sweeps == 0, "without any sweep");
        }
        instant_set_restitution(&t, c);
        instant_run(&t, workspace, "qce", "reading=lcp");
        check_sound(&t, "reading lcp");
        double kept = instant_energy_ratio(&t);
        instant_run(&t, workspace, "qce", "reading=convex");
        check_sound(&t, "reading convex");
        CHECK_MOST(kept, instant_energy_ratio(&t) * (1 + 1e-12), "lcp keeps no more than convex");
        CHECK(t.report.limited == 0, "one restitution needs no limiter");
        for (int k = 0; k + 1 < n; ++k)
            t.contacts[k].restitution = carom_random_below(&random, 2) ? 1 : 0.2;
        instant_run(&t, workspace, "qce", i % 2 ? "reading=convex" : "");
        check_sound(&t, "mixed restitution");
    }
}

static void test_friction(void)
{
    static instant t;
    for (int i = 0; i < 30; ++i) {
        double mu = i % 6 * 0.1, c = i / 6 * 0.25, tangential = fmin(mu * (1 + c), 2.0 / 7);
        instant_clear(&t);
        int ball = instant_body(&t, 1, 0, 0, 0.5), floor = instant_body(&t, 0, 0, 0, 0);
        for (int k = 0; k < 3; ++k)
            t.bodies[ball].inverse_inertia[k] = 10; // 2/5 m r^2 = 0.1
        t.bodies[ball].velocity[0] = 1;
        t.bodies[ball].velocity[2] = -1;
        carom_impact_contact *contact =
            instant_contact(&t, floor, ball, vec3_make(0, 0, 0), vec3_make(0, 0, 1));
        contact->friction = mu;
        contact->restitution = c;
        instant_run(&t, workspace, "qce",
                    i % 2 ? "friction=pyramid" : ""); // along a tangent both are the same
        CHECK_NEAR(t.v[0][0], 1 - tangential, 1e-10, "mu %g c %g: slides", mu, c);
        CHECK_NEAR(t.v[0][2], c, 1e-10, "mu %g c %g: bounces", mu, c);
        CHECK_NEAR(t.w[0][1], 5 * tangential, 1e-9, "mu %g c %g: rolls", mu, c);
    }
    // A rod that would gain 54 % by friction (numpy), where [QCE, section 4] claims it cannot.
    double angle = 42.92450818018142 * acos(-1) / 180;
    instant_clear(&t);
    int rod = instant_body(&t, 1, 0, 0, 0), floor = instant_body(&t, 0, 0, 0, -1);
    const double before[3] = { 0.08134968214973698, 0.04183433398224792, -0.8205835053758862 };
    for (int k = 0; k < 3; ++k) {
        t.bodies[rod].inverse_inertia[k] = 12; // length 1
        t.bodies[rod].velocity[k] = before[k];
    }
    t.bodies[rod].spin[1] = 2.981692778722551;
    instant_contact(&t, floor, rod, vec3_make(0.5 * cos(angle), 0, -0.5 * sin(angle)),
                    vec3_make(0, 0, 1))
        ->friction = 0.6030316350919193;
    instant_run(&t, workspace, "qce", "");
    CHECK(t.report.limited == 1 && t.report.limiter < 1, "the limiter acts and is counted");
    CHECK_NEAR(instant_energy_ratio(&t), 1, 1e-9, "and takes out just the gain");
    check_sound(&t, "a rod with friction");
}

// -- invariance ----------------------------------------------------------------------------------

static void test_invariance(void)
{
    // 3-4-5 rotation about z, then a mirror in x: exact in binary up to single roundings.
    static instant t, other;
    for (int round = 0; round < 30; ++round) {
        instant_cluster(&t, 20, (uint64_t)round);
        instant_run(&t, workspace, "qce", "");
        check_sound(&t, "cluster");
        CHECK_NEAR(instant_energy_ratio(&t), 1, 1e-13, "cluster keeps its energy");
        int n = t.impact.body_count, m = t.impact.contact_count;
        instant_clear(&other);
        for (int i = 0; i < n; ++i)
            instant_body(&other, 1, 0, 0, 0);
        for (int i = 0; i < n; ++i) { // bodies reversed, rotated and mirrored
            carom_impact_body *body = &other.bodies[n - 1 - i];
            *body = t.bodies[i];
            const double *v = t.bodies[i].velocity, *x = t.bodies[i].position;
            body->velocity[0] = -(0.6 * v[0] - 0.8 * v[1]);
            body->velocity[1] = 0.8 * v[0] + 0.6 * v[1];
            body->position[0] = -(0.6 * x[0] - 0.8 * x[1]);
            body->position[1] = 0.8 * x[0] + 0.6 * x[1];
        }
        for (int i = 0; i < m; ++i) { // contacts in another order, every other one turned round
            const carom_impact_contact *c = &t.contacts[(i * 7 + 3) % m];
            if (m % 7 == 0)
                c = &t.contacts[m - 1 - i];
            if (i % 2)
                instant_touch(&other, n - 1 - c->a, n - 1 - c->b);
            else
                instant_touch(&other, n - 1 - c->b, n - 1 - c->a);
        }
        instant_run(&other, workspace, "qce", "");
        CHECK(other.report.sweeps == t.report.sweeps && other.report.events == t.report.events,
              "the same sweeps and events");
        for (int i = 0; i < n; ++i) {
            const double *v = t.v[i], *w = other.v[n - 1 - i];
            // round-off of 1e-16 grown by some hundred events
            CHECK_NEAR(w[0], -(0.6 * v[0] - 0.8 * v[1]), 1e-11, "cluster %d body %d x", round, i);
            CHECK_NEAR(w[1], 0.8 * v[0] + 0.6 * v[1], 1e-11, "cluster %d body %d y", round, i);
            CHECK_NEAR(w[2], v[2], 1e-11, "cluster %d body %d z", round, i);
        }
    }
}

// Bodies that touch nothing change nothing, though sweeps then look only where something moved.
static void test_idle_bodies(void)
{
    static instant t, crowded;
    for (int round = 0; round < 10; ++round) {
        instant_cluster(&t, 40, (uint64_t)round);
        instant_cluster(&crowded, 40, (uint64_t)round);
        for (int i = 0; i < 400; ++i)
            instant_body(&crowded, 1, 0, 0, 100 + i);
        instant_run(&t, workspace, "qce", "");
        instant_run(&crowded, workspace, "qce", "");
        CHECK(t.report.sweeps == crowded.report.sweeps && t.report.events == crowded.report.events,
              "cluster %d: %d sweeps and %d events, with idle bodies %d and %d", round,
              t.report.sweeps, (int)t.report.events, crowded.report.sweeps,
              (int)crowded.report.events);
        for (int i = 0; i < 40; ++i)
            for (int k = 0; k < 3; ++k) // contacts come in another order: round-off grows a little
                CHECK_NEAR(crowded.v[i][k], t.v[i][k], 1e-11, "cluster %d body %d", round, i);
    }
}

int main(void)
{
    workspace = carom_workspace_create();
    test_three_balls();
    test_cradle();
    test_unequal_masses();
    test_disturbances();
    test_bernoulli();
    test_pool_break();
    test_boxes();
    test_wedges();
    test_galperin();
    test_endless();
    test_driven();
    test_restitution();
    test_friction();
    test_invariance();
    test_idle_bodies();
    carom_workspace_destroy(workspace);
    return check_report();
}

// Every law reproduces a number of its source, or one computed independently of it: what `carom
// laws --papers` says. One function per law; a law without one fails.
//
// Unit masses, balls of diameter 1 in a row along x, the first ones at 1 m/s, unless said.
#include <math.h>
#include <string.h>
#include "support/check.h"
#include "support/instant.h"

// Exact laws are exact to some sums of round-off.
#define DIGITS 1e-12
// Exact solves of W + R, and processes that end at a tolerance of 1e-9 of the fastest speed.
#define SOLVED 1e-9

static instant s;
static carom_workspace *workspace;

static void run(const char *law, const char *options)
{
    instant_run(&s, workspace, law, options);
}

static void cradle(int count, int striking, double restitution)
{
    double v[10] = { 0 };
    for (int i = 0; i < striking; ++i)
        v[i] = 1;
    instant_chain(&s, count, NULL, v);
    instant_set_restitution(&s, restitution);
}

static void velocities_are(const char *law, const double *wanted, double allowance)
{
    for (int i = 0; i < s.impact.body_count; ++i)
        CHECK_NEAR(s.v[i][0], wanted[i], allowance, "%s: ball %d of %d", law, i + 1,
                   s.impact.body_count);
}

static void three(const char *law, const char *options, double a, double b, double c)
{
    double wanted[3] = { a, b, c };
    run(law, options);
    velocities_are(law, wanted, DIGITS);
}

// As many leave as strike, one by one the same balls.
static void cradles(const char *law, int most)
{
    for (int count = 3; count <= most; ++count)
        for (int striking = 1; striking < count; ++striking) {
            double wanted[10] = { 0 };
            for (int i = 0; i < striking; ++i)
                wanted[count - 1 - i] = 1;
            cradle(count, striking, 1);
            run(law, NULL);
            velocities_are(law, wanted, DIGITS);
        }
}

// A box of half sides 1 flat on a floor, falling and sliding.
static void flat_box(const char *law, const char *options)
{
    static const double half[3] = { 1, 1, 1 };
    instant_box_on_floor(&s, half, -2);
    int box = s.impact.body_count - 1;
    double v[3] = { 1, 1, -10 };
    memcpy(s.bodies[box].velocity, v, sizeof v);
    run(law, options);
}

static void sliding_ball(double mu, double e, double beta)
{
    instant_clear(&s);
    instant_wall(&s, vec3_make(0, 0, 0));
    instant_ball(&s, 1, 0.5, vec3_make(0, 0, 0.5), vec3_make(1, 0, -1));
    carom_impact_contact *c = instant_contact(&s, 0, 1, vec3_make(0, 0, 0), vec3_make(0, 0, 1));
    c->friction = mu;
    c->restitution = e;
    c->tangential_restitution = beta;
}

static double slip_after(void)
{
    return s.v[1][0] - 0.5 * s.w[1][1];
}

// -- one per law ----------------------------------------------------------------------------------

static void wave(void)
{
    double hertz[10][3];
    cradle(5, 2, 1);
    run("springs", NULL);
    memcpy(hertz, s.v, 5 * sizeof *hertz);
    run("wave", NULL);
    CHECK_MOST(instant_distance(&s, hertz), 0.02, "wave: distance to Hertz springs");
}

static void qce(void)
{
    double v[3] = { 0.5, 0, -1 };
    static const double wanted[3] = { -1.0458195363, 0.2124862029, 1. / 3 };
    instant_chain(&s, 3, NULL, v);
    run("qce", NULL);
    velocities_are("qce", wanted, 1e-10); // the digits that are written down
}

static void springs(void)
{
    static const double wanted[5] = { -0.1126149790, -0.0419595005, 0.2144857762, 0.8003666717,
                                      1.1397220317 };
    cradle(5, 2, 1);
    run("springs", NULL);
    velocities_are("springs", wanted, 1e-9); // the digits that are written down
}

static void gr(void)
{
    instant_rack(&s);
    run("gr", NULL);
    double fastest = 0, side = 0;
    for (int i = 0; i < s.impact.body_count; ++i)
        if (fabs(s.v[i][1]) > side) {
            side = fabs(s.v[i][1]);
            fastest = s.v[i][0];
        }
    // reflections end at 1e-9 of the fastest speed
    CHECK_NEAR(fastest, 0.5117753190, 1e-9, "gr: corner ball, along");
    CHECK_NEAR(side, 0.2954736180, 1e-9, "gr: corner ball, across");
}

static void poisson(void)
{
    cradle(3, 1, 1);
    run("poisson", NULL);
    CHECK_NEAR(s.p[0][0], 4. / 3, DIGITS, "poisson: first impulse");
    CHECK_NEAR(s.p[1][0], 2. / 3, DIGITS, "poisson: second impulse");
}

static void newton(void)
{
    cradle(3, 1, 1);
    three("newton", NULL, -1. / 3, 2. / 3, 2. / 3);
}

static void inelastic(void)
{
    static const double wanted[4] = { 0.6, 1.2, 0.8, 0.4 };
    cradle(5, 2, 1);
    run("inelastic", NULL);
    for (int i = 0; i < 4; ++i)
        CHECK_NEAR(s.p[i][0], wanted[i], DIGITS, "inelastic: impulse %d", i);
}

static void smm(void)
{
    flat_box("smm", NULL);
    int box = s.impact.body_count - 1;
    CHECK_NEAR(s.v[box][2], 10, 1e-11, "smm: speed of the box"); // of 10
    CHECK_MOST(fabs(s.w[box][0]) + fabs(s.w[box][1]), 1e-11, "smm: its spin");
}

static void sqm(void)
{
    cradles("sqm", 10);
}

static void fixed_point(void)
{
    cradles("fixed-point", 10);
}

static void etm(void)
{
    static const int lambdas[] = { 30, 300, 3000 };
    for (int k = 0; k < 3; ++k) {
        char options[40];
        snprintf(options, sizeof options, "lambda=%d", lambdas[k]);
        flat_box("etm", options);
        const double *w = s.w[s.impact.body_count - 1];
        CHECK_MOST(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]), 25.0 / lambdas[k],
                   "etm: spin of the box with lambda %d", lambdas[k]);
    }
}

// Chains with one ball striking, by MultipleImpact of Siconos 4.4 (Debian), steps of 1e-6 N s and
// thresholds of 1e-30 J and 1e-12 m/s.
static void lzb(void)
{
    static const struct {
        int count;
        double exponent, restitution;
        const char *options;
        double v[10];
    } rows[] = {
        { 10,
          1.5,
          1,
          "steps=1000",
          { -0.0710842418, -0.0302734166, -0.0158330881, -0.0088854312, -0.0051263633,
            -0.0029858009, -0.0017375317, 0.0026716012, 0.1473876950, 0.9858665776 } },
        { 3, 1.5, 0.5, "steps=1000", { 0.2092348563, 0.2187797218, 0.5719854219 } },
        { 5,
          1.5,
          0.8,
          "steps=1000",
          { 0.0517290092, 0.0714374965, 0.0717642703, 0.1258209548, 0.6792482692 } },
        { 5,
          1,
          0.3,
          "steps=1000",
          { 0.1908059219, 0.1948878686, 0.1991837281, 0.1996174168, 0.2155050646 } },
        { 3,
          1.5,
          0.5,
          "steps=1000 model=mono-stiffness",
          { 0.2083997193, 0.2211847382, 0.5704155425 } },
        { 5,
          1.5,
          0.8,
          "steps=1000 model=mono-stiffness",
          { 0.0603264413, 0.0746219695, 0.0758442504, 0.1145585530, 0.6746487857 } },
        { 5,
          1,
          0.3,
          "steps=1000 model=mono-stiffness",
          { 0.1914369554, 0.1960475371, 0.1994678806, 0.2002929439, 0.2127546830 } },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        cradle(rows[k].count, 1, rows[k].restitution);
        instant_set_exponent(&s, rows[k].exponent);
        run("lzb", rows[k].options);
        // theirs moves by 6e-6 from steps of 1e-5 to 1e-6
        velocities_are("lzb, Siconos", rows[k].v, 1e-5);
    }
    double hertz[10][3];
    cradle(10, 1, 1);
    run("springs", NULL);
    memcpy(hertz, s.v, sizeof hertz);
    run("lzb", NULL);
    for (int i = 0; i < 10; ++i)
        CHECK_NEAR(s.v[i][0], hertz[i][0], 5e-4, "lzb: ball %d of 10 beside Hertz springs", i + 1);
}

// Compressions of two equal linear springs between three equal balls: x1, x2 = (sin t +- sin(r t)
// / r) / 2, r = sqrt 3, until the first opens; then the second is alone, with frequency sqrt 2.
static void routh_three_balls(void)
{
    double r = sqrt(3), low = 2, high = 3;
    for (int i = 0; i < 100; ++i) {
        double t = 0.5 * (low + high);
        *(sin(t) + sin(r * t) / r > 0 ? &low : &high) = t;
    }
    double t = 0.5 * (low + high);
    double x1 = (cos(t) + cos(r * t)) / 2, x2 = (cos(t) - cos(r * t)) / 2; // their rates
    double depth = (sin(t) - sin(r * t) / r) / 2;
    // rates are v1 - v2 and v2 - v3, the sum of velocities is 1
    double v1 = (1 + 2 * x1 + x2) / 3, pair = 1 - v1, apart = sqrt(x2 * x2 + 2 * depth * depth);
    cradle(3, 1, 1);
    run("routh", "steps=1000");
    double wanted[3] = { v1, (pair - apart) / 2, (pair + apart) / 2 };
    velocities_are("routh", wanted, 1e-6); // second order: 1000 steps, constant about 1/4
}

static void routh(void)
{
    double other[12][3];
    routh_three_balls();
    instant_cluster(&s, 12, 5);
    run("lzb", "exponent=1");
    memcpy(other, s.v, sizeof other);
    run("routh", NULL);
    CHECK_MOST(instant_distance(&s, other), DIGITS, "routh and lzb with exponent 1: a cluster");
    // A ball that slides all along: mu (1 + e), but for the start, where its spring is stretched.
    sliding_ball(0.05, 1, 0);
    run("routh", "tangential=1000 steps=2000");
    CHECK_NEAR(1 - s.v[1][0], 0.1, 1e-3, "routh: a ball that slides");
    // A ball that sticks: W_tt = 7/2 W_nn, so that springs in the ratio 2/7 swing together and the
    // slip is reversed, as that of a superball.
    sliding_ball(1, 1, 0);
    run("routh", "tangential=0.285714285714285714 steps=1000");
    CHECK_NEAR(slip_after(), -1, 1e-5, "routh: a ball that sticks"); // second order
}

static void moreau(void)
{
    double calm[64][3];
    cradle(3, 1, 1);
    three("moreau", NULL, -1. / 3, 2. / 3, 2. / 3);
    instant_cluster(&s, 12, 3);
    instant_set_restitution(&s, 0.6);
    instant_set_friction(&s, 0.3);
    run("inelastic", NULL);
    memcpy(calm, s.v, (size_t)s.impact.body_count * sizeof *calm);
    run("moreau", NULL);
    for (int i = 0; i < s.impact.body_count; ++i)
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(s.v[i][k], 1.6 * calm[i][k] - 0.6 * s.bodies[i].velocity[k], DIGITS,
                       "moreau: v_i + e (v_i - v-)");
}

static void glocker(void)
{
    for (int k = 0; k <= 4; ++k) {
        double beta = 0.25 * k, e = 0.8;
        sliding_ball(2, e, beta);
        run("glocker", NULL);
        CHECK_NEAR(slip_after(), -e * beta, DIGITS, "glocker: slip of a ball that sticks");
        CHECK_NEAR(s.v[1][2], e, DIGITS, "glocker: and its rise");
    }
    // Compression slides with mu, and so does expansion: mu (1 + e) in all.
    sliding_ball(0.1, 0.8, 0.5);
    run("glocker", NULL);
    CHECK_NEAR(1 - s.v[1][0], 0.1 * 1.8, DIGITS, "glocker: a ball that slides");
}

// A bar that falls flat on two supports below its ends: both absorb the same.
static void global(void)
{
    instant_clear(&s);
    instant_wall(&s, vec3_make(0, 0, 0));
    instant_box(&s, 2, vec3_make(1, 0.1, 0.1), quat_identity(), vec3_make(0, 0, 0.1),
                vec3_make(0, 0, -1));
    instant_contact(&s, 0, 1, vec3_make(-1, 0, 0), vec3_make(0, 0, 1))->restitution = 0.3;
    instant_contact(&s, 0, 1, vec3_make(1, 0, 0), vec3_make(0, 0, 1))->restitution = 0.9;
    run("global", NULL);
    CHECK_NEAR(s.v[1][2], sqrt((0.09 + 0.81) / 2), DIGITS, "global: the bar's rise");
    CHECK_MOST(fabs(s.w[1][1]), DIGITS, "global: it does not turn");
}

static void matrix(void)
{
    cradles("matrix", 10);
}

static void grr(void)
{
    cradle(3, 1, 0.5);
    three("grr", NULL, 1. / 6, 1. / 6, 2. / 3);
}

static void fremond(void)
{
    for (int k = 4; k <= 10; ++k) {
        // Two balls strike one between them: both contacts have the same dashpot. Below e = 1/3
        // they would not stop the balls alone.
        double e = k / 10.0, rho = 2 * (1 - e) / (1 + e), p = 2 / (1 + rho), v[3] = { 1, 0, -1 };
        instant_chain(&s, 3, NULL, v);
        instant_set_restitution(&s, e);
        three("fremond", NULL, 1 - p, 0, p - 1);
        // p.p / k at both with 1/k = rho / 2; the energy before is 1
        CHECK_NEAR(1 - instant_energy_ratio(&s), rho * p * p, DIGITS, "fremond: lost, e = %g", e);
    }
    // The cradle: dashpots leave the second ball faster than the third, which the reaction stops.
    for (int k = 3; k <= 10; ++k) {
        double e = k / 10.0, a = 2 + 2 * (1 - e) / (1 + e), p = 2 * a / (a * a - 1);
        cradle(3, 1, e);
        three("fremond", NULL, 1 - p, p / 2, p / 2);
    }
}

static void correlation(void)
{
    for (int k = 0; k <= 9; ++k) {
        char options[40];
        double alpha = 0.05 * k, q = 2 / (2 - alpha);
        snprintf(options, sizeof options, "alpha=%.17g", alpha);
        cradle(3, 1, 1);
        three("correlation", options, 1 - q, alpha * q, (1 - alpha) * q);
    }
}

static void soft(void)
{
    for (int k = 0; k <= 10; ++k) {
        double e = k / 10.0, d = 0.9, rho = 2 * (1 - d) / d, a = 2 + rho;
        double v[2] = { 1, 0 }, p1 = a * (1 + e) / (a * a - 1), p2 = (1 + e) / (a * a - 1);
        instant_chain(&s, 2, NULL, v);
        instant_set_restitution(&s, e);
        run("soft", NULL);
        CHECK_NEAR(instant_speed_after(&s, 0), d * (1 + e) - 1, DIGITS, "soft: one contact");
        cradle(3, 1, e);
        three("soft", NULL, 1 - p1, p1 - p2, p2);
    }
    // With friction: the balance of energy that its minimum implies, e one for all.
    instant_cluster(&s, 12, 4);
    instant_set_restitution(&s, 0.5);
    instant_set_friction(&s, 0.4);
    run("soft", "iterations=100000");
    double loss = s.report.energy_before - s.report.energy_after, give = 0, press = 0;
    for (int i = 0; i < s.impact.contact_count; ++i) {
        const carom_impact_contact *c = &s.contacts[i];
        double w = s.bodies[c->a].inverse_mass + s.bodies[c->b].inverse_mass;
        for (int k = 0; k < 3; ++k)
            give += w / 9 * s.p[i][k] * s.p[i][k]; // R = W_ii (1 - 0.9) / 0.9
    }
    // p.u- = -(p.W p + p.R p) / 1.5 and loss = -p.u- - p.W p / 2
    press = (loss - give / 1.5) / (1 / 1.5 - 0.5);
    double work = 0;
    for (int i = 0; i < s.impact.body_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double dv = s.v[i][k] - s.bodies[i].velocity[k];
            double dw = s.w[i][k] - s.bodies[i].spin[k];
            work += dv * dv / s.bodies[i].inverse_mass + dw * dw / s.bodies[i].inverse_inertia[k];
        }
    CHECK_NEAR(press, work, SOLVED * work, "soft: p.W p by the balance of energy");
}

static void impulses(void)
{
    cradle(3, 1, 1);
    three("impulses", "iterations=200", -1. / 3, 2. / 3, 2. / 3);
    // Ten passes of Gauss-Seidel on two contacts, by hand: p1 = 1 + p2 / 2, p2 = p1 / 2.
    double p1 = 0, p2 = 0;
    for (int k = 0; k < 10; ++k) {
        p1 = 1 + p2 / 2;
        p2 = p1 / 2;
    }
    cradle(3, 1, 1);
    three("impulses", NULL, 1 - p1, p1 - p2, p2);
}

static void rebound(void)
{
    cradle(3, 1, 1);
    three("rebound", "iterations=200", -1. / 6, 5. / 6, 1. / 3);
}

static void xpbd(void)
{
    cradle(3, 1, 1);
    three("xpbd", NULL, -1. / 8, 9. / 16, 9. / 16);
}

static void propagation(void)
{
    cradles("propagation", 8);
}

// What falls for one second of unit gravity onto a slope, contact at its centre: it slides on with
// sin - mu cos, or stays where mu > tan.
static void slope(double angle, double mu)
{
    vec3 normal = vec3_make(sin(angle), 0, cos(angle));
    instant_clear(&s);
    instant_wall(&s, vec3_make(0, 0, 0));
    instant_ball(&s, 1, 0.5, vec3_make(0, 0, 0.5), vec3_make(0, 0, -1));
    carom_impact_contact *c = instant_contact(&s, 0, 1, vec3_make(0, 0, 0.5), normal);
    c->friction = mu;
    c->restitution = 0;
    run("gbf", NULL);
    double wanted = fmax(sin(angle) - mu * cos(angle), 0);
    double found = cos(angle) * s.v[1][0] - sin(angle) * s.v[1][2];
    CHECK_NEAR(found, wanted, DIGITS, "gbf: slope of %g, friction %g", angle, mu);
    CHECK_NEAR(vec3_dot(normal, vec3_from(s.v[1])), 0, DIGITS, "gbf: it stays on the slope");
}

// A column of balls that falls onto a floor, each a hundred times heavier than the one below.
static double column_approach(const char *options)
{
    double worst = 0;
    instant_clear(&s);
    instant_wall(&s, vec3_make(0, 0, 0));
    for (int i = 0; i < 4; ++i) {
        instant_ball(&s, pow(100, i), 0.5, vec3_make(0, 0, 0.5 + i), vec3_make(0, 0, -1));
        instant_contact(&s, i, i + 1, vec3_make(0, 0, i), vec3_make(0, 0, 1))->restitution = 0;
    }
    run("gbf", options);
    for (int i = 1; i <= 4; ++i)
        worst = fmax(worst, s.v[i - 1][2] - s.v[i][2]);
    return worst;
}

static void gbf(void)
{
    slope(0.5, 0.3);
    slope(0.5, 0.6); // tan 0.5 = 0.546
    slope(0.1, 0);
    CHECK_MOST(column_approach("shock=1"), DIGITS, "gbf: shock propagation stops a column");
    CHECK(column_approach("shock=0") > 0.5, "gbf: passes alone do not");
    for (int striking = 1; striking < 5; ++striking) {
        double wanted[5] = { 0 };
        for (int i = 0; i < striking; ++i)
            wanted[4 - i] = 1;
        cradle(5, striking, 1);
        run("gbf", NULL);
        velocities_are("gbf", wanted, DIGITS); // as many passes as balls strike
    }
}

// Against Simbody with friction: tests/peers/rough.c. One point that stops to slide: Routh's path
// by hand. Ball of mass 1 and radius 1/2: W_nn = 1, W_tt = 7/2, slip 1 stops at p_n = 2/7 / mu.
static void plus(void)
{
    cradle(3, 1, 1);
    three("plus", NULL, -1. / 3, 2. / 3, 2. / 3);
    cradle(3, 1, 1);
    three("plus", "induced=mixed", 0, 0, 1);
    sliding_ball(0.4, 0.5, 0);
    run("plus", NULL);
    CHECK_NEAR(s.v[1][2], 0.5, DIGITS, "plus: the ball leaves with e");
    CHECK_MOST(fabs(slip_after()), 1e-6, "plus: it has stopped to slide");
    CHECK_NEAR(s.p[0][1] * s.p[0][1] + s.p[0][2] * s.p[0][2], 4. / 49, 1e-6, "plus: friction");
    sliding_ball(0.1, 0.5, 0);
    run("plus", NULL);
    CHECK_NEAR(slip_after(), 1 - 3.5 * 0.1 * 1.5, DIGITS, "plus: it slides on");
}

// The least energy over the cone |p_t| <= mu p_n, and its conditions: the speeds after lie in the
// dual cone, u_n >= mu |u_t|, and do no work on the impulse.
static void drumwright(void)
{
    double mu = 0.1, p = (1 + mu) / (1 + 3.5 * mu * mu);
    sliding_ball(mu, 0, 0);
    run("drumwright", NULL);
    CHECK_NEAR(s.p[0][0], p, SOLVED, "drumwright: normal impulse of a sliding ball");
    CHECK_NEAR(slip_after(), 1 - 3.5 * mu * p, SOLVED, "drumwright: its slip");
    CHECK_NEAR(s.v[1][2], mu * slip_after(), SOLVED, "drumwright: it lifts off, in the dual cone");
    CHECK_NEAR(s.p[0][0] * s.v[1][2] - mu * p * slip_after(), 0, SOLVED, "drumwright: no work");
    cradle(3, 1, 1);
    run("drumwright", NULL);
    CHECK_NEAR(s.p[0][0], 4. / 3, DIGITS, "drumwright: frictionless as Poisson's");
    static const double half[3] = { 1, 1, 1 };
    instant_box_on_floor(&s, half, -2);
    int box = s.impact.body_count - 1;
    double v[3] = { 1, 0.3, -2 }, w[3] = { 0.4, -0.2, 0.3 }, work = 0;
    memcpy(s.bodies[box].velocity, v, sizeof v);
    memcpy(s.bodies[box].spin, w, sizeof w);
    instant_set_restitution(&s, 0);
    instant_set_friction(&s, 0.3);
    run("drumwright", NULL);
    for (int i = 0; i < s.impact.contact_count; ++i) {
        vec3 arm = vec3_sub(vec3_from(s.contacts[i].point), vec3_from(s.bodies[box].position));
        vec3 u = vec3_add(vec3_from(s.v[box]), vec3_cross(vec3_from(s.w[box]), arm));
        CHECK(u.z >= 0.3 * sqrt(u.x * u.x + u.y * u.y) - 1e-7, "drumwright: corner %d: dual cone",
              i);
        work += s.p[i][0] * u.z -
                sqrt(s.p[i][1] * s.p[i][1] + s.p[i][2] * s.p[i][2]) * sqrt(u.x * u.x + u.y * u.y);
    }
    CHECK_NEAR(work, 0, 1e-7, "drumwright: four corners do no work");
}

// -------------------------------------------------------------------------------------------------

int main(void)
{
    static const struct {
        const char *law;
        void (*check)(void);
    } rows[] = {
        { "wave", wave },
        { "qce", qce },
        { "springs", springs },
        { "gr", gr },
        { "poisson", poisson },
        { "newton", newton },
        { "inelastic", inelastic },
        { "smm", smm },
        { "sqm", sqm },
        { "fixed-point", fixed_point },
        { "etm", etm },
        { "lzb", lzb },
        { "routh", routh },
        { "moreau", moreau },
        { "glocker", glocker },
        { "global", global },
        { "matrix", matrix },
        { "grr", grr },
        { "fremond", fremond },
        { "correlation", correlation },
        { "soft", soft },
        { "impulses", impulses },
        { "rebound", rebound },
        { "xpbd", xpbd },
        { "propagation", propagation },
        { "gbf", gbf },
        { "plus", plus },
        { "drumwright", drumwright },
    };
    workspace = carom_workspace_create();
    for (int i = 0; i < carom_law_count(); ++i) {
        const carom_law *law = carom_law_at(i);
        bool found = false;
        for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
            if (strcmp(rows[k].law, carom_law_name(law)) == 0) {
                rows[k].check();
                found = true;
            }
        CHECK(found, "%s: no number of its source is reproduced", carom_law_name(law));
        CHECK(*carom_law_paper(law) && *carom_law_number(law), "%s names its paper and number",
              carom_law_name(law));
    }
    carom_workspace_destroy(workspace);
    instant_free(&s);
    return check_report();
}

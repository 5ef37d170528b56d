// The scalar bounce: closed forms, the elastic rod, and twelve contacts of a bar.
#include <math.h>
#include <stdlib.h>
#include "carom/bounce.h"
#include "support/check.h"
#include "bounce_cases.h"
#include "bounce_points.h"
#include "base/random.h"

typedef carom_status solver(const carom_bounce_case *, const carom_bounce_options *,
                            carom_bounce_result *, carom_error *);

static carom_status many_one(const carom_bounce_case *one, const carom_bounce_options *options,
                             carom_bounce_result *result, carom_error *err)
{
    return carom_bounce_solve(one, options, result, err);
}

static carom_bounce_result solve(solver *run, const carom_bounce_case *one, double turn)
{
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_result result = { 0 };
    carom_error err = { 0 };
    if (turn > 0)
        options.turn = turn;
    CHECK(run(one, &options, &result, &err) == CAROM_OK, "%s", err.what);
    CHECK(result.end == CAROM_BOUNCE_LEFT, "the body leaves");
    return result;
}

static void closed_forms(void)
{
    double a = sqrt(5), omega = 1000, pair[2] = { 1, 2 }, same[2] = { 1000, 1000 };
    carom_bounce_case none = { 1, 0, NULL, NULL }, one = { 3, 1, &a, &omega },
                      two = { 3, 2, pair, same };
    CHECK_NEAR(solve(carom_bounce_exact, &none, 0).epsilon, 0, 0, "no modes: no bounce");
    CHECK_NEAR(solve(carom_bounce_exact, &one, 0).epsilon, 0.625, 1e-12, "one mode: W/(w+W)");
    CHECK_NEAR(solve(carom_bounce_exact, &one, 0).tau, 3.14159265358979324 / (1000 * sqrt(3.0 / 8)),
               1e-14, "and its contact time");
    CHECK_NEAR(solve(carom_bounce_exact, &two, 0).epsilon, 0.625, 1e-12, "equal frequencies merge");
    CHECK_NEAR(solve(carom_bounce_literal, &one, 0.001).epsilon, 0.625, 1e-3,
               "the literal scheme converges to it");
    CHECK_NEAR(solve(many_one, &one, 0.01).epsilon, 0.625, 1e-4,
               "and so does the production kernel");
}

// A unit elastic rod that hits a wall end on: w = 1, a_k = sqrt 2, omega_k = k pi (independent
// event-driven reference).
static void elastic_rod(void)
{
    static const struct {
        int m;
        double epsilon, tau;
    } wanted[] = { { 1, 0.6666666666666666, 1.7320508075688779 },
                   { 5, 0.9089381362610424, 1.9213653173139895 },
                   { 20, 0.9755407429216124, 1.9786602041075128 },
                   { 100, 0.9950093146772149, 1.9956407641257083 } };
    double a[100], omega[100];
    for (int k = 0; k < 100; ++k) {
        a[k] = sqrt(2);
        omega[k] = (k + 1) * 3.14159265358979324;
    }
    for (int i = 0; i < 4; ++i) {
        carom_bounce_case rod = { 1, wanted[i].m, a, omega };
        carom_bounce_result result = solve(carom_bounce_exact, &rod, 0);
        CHECK_NEAR(result.epsilon, wanted[i].epsilon, 1e-9, "rod with %d modes", wanted[i].m);
        CHECK_NEAR(result.tau, wanted[i].tau, 1e-9, "and its contact time");
        CHECK_NEAR(solve(carom_bounce_literal, &rod, 0.06).epsilon, wanted[i].epsilon, 2e-3,
                   "literal scheme, %d modes", wanted[i].m);
    }
}

static void bar(void)
{
    double literal_sum = 0, many_sum = 0;
    for (int i = 0; i < BAR_CASES; ++i) {
        const bar_case *c = &bar_cases[i];
        carom_bounce_case one = { c->w, BAR_MODES, c->a, bar_omega };
        carom_bounce_result exact = solve(carom_bounce_exact, &one, 0);
        // the reference's own error is 1e-10; rounding of the inputs is amplified by the
        // sensitivity
        CHECK_NEAR(exact.epsilon, c->epsilon, 1e-8 * fmax(1, c->sensitivity), "%s, exact", c->name);
        CHECK(abs(exact.micro - c->micro) <= 1, "%s: %d micro-collisions instead of %d", c->name,
              exact.micro, c->micro);
        double literal = fabs(solve(carom_bounce_literal, &one, 0.06).epsilon - c->epsilon);
        double many = fabs(solve(many_one, &one, 0).epsilon - c->epsilon);
        CHECK_MOST(literal, 5e-3, "%s, literal scheme", c->name);
        literal_sum += literal;
        many_sum += many;
        double sum = 0;
        for (int k = 0; k < BAR_MODES; ++k)
            sum += c->a[k] * c->a[k];
        CHECK_MOST(exact.epsilon, sqrt(sum / (c->w + sum)), "%s: the bound of the first impulse",
                   c->name);
    }
    CHECK_MOST(literal_sum / BAR_CASES, 1.5e-3, "literal scheme, mean error");
    CHECK_MOST(many_sum / BAR_CASES, 1.5e-3, "production kernel, mean error");
}

// The problem has no scale: frequencies times k, and (w, a^2) times c, change nothing but the time.
// Every mode of a bar contact split into three of the same frequency, a = A (0.6, 0.64, 0.48): the
// same problem. Also in a shuffled order, and with a mode of its own frequency but no weight.
static void equal_frequencies(void)
{
    enum { PARTS = 3, MODES = PARTS * BAR_MODES + 1 };
    static const double part[PARTS] = { 0.6, 0.64, 0.48 };
    for (int k = 0; k < BAR_CASES; k += 3) {
        double a[MODES] = { 0 }, omega[MODES];
        for (int i = 0; i < PARTS * BAR_MODES; ++i) {
            int at = (i * 7) % (PARTS * BAR_MODES); // 7 and 135 have no common divisor
            a[at] = part[i % PARTS] * bar_cases[k].a[i / PARTS];
            omega[at] = bar_omega[i / PARTS];
        }
        omega[MODES - 1] = bar_omega[3];
        carom_bounce_case whole = { bar_cases[k].w, BAR_MODES, bar_cases[k].a, bar_omega };
        carom_bounce_case split = { bar_cases[k].w, MODES, a, omega };
        carom_bounce_result x = solve(carom_bounce_exact, &whole, 0),
                            y = solve(carom_bounce_exact, &split, 0);
        // weights agree to round-off; the problem is well conditioned (1e-9 moves 1.5e-7 at most)
        CHECK_NEAR(y.epsilon, x.epsilon, 1e-11, "case %d: equal frequencies act as one", k);
        CHECK(x.end == CAROM_BOUNCE_LEFT && y.end == CAROM_BOUNCE_LEFT && x.micro == y.micro,
              "case %d: with the same micro-collisions", k);
        CHECK_NEAR(solve(carom_bounce_solve, &split, 0).epsilon,
                   solve(carom_bounce_solve, &whole, 0).epsilon, 1e-9, "case %d: in lanes too", k);
    }
}

// A mode in which the contact hardly takes part changes nothing. The root beside its pole was not
// found, and with a participation of 1e-30 and less the body left with 30 times its speed.
static void vanishing_mode(void)
{
    const double omega[] = { 1, 1e9 };
    double a[] = { 0, 299 }, w = 299, alone = 0;
    for (int k = 0; k <= 300; k += 10) {
        carom_bounce_case one = { w, 2, a, omega };
        carom_bounce_options options = carom_bounce_options_default();
        carom_bounce_result result = { 0 };
        a[0] = k ? pow(10, -k) : 0;
        CHECK(carom_bounce_exact(&one, &options, &result, NULL) == CAROM_OK, "1e-%d", k);
        alone = k ? alone : result.epsilon;
        CHECK_NEAR(result.epsilon, alone, 1e-9, "a participation of 1e-%d", k);
    }
}

static void no_scale(void)
{
    const bar_case *c = &bar_cases[0];
    double omega[BAR_MODES], a[BAR_MODES];
    for (int k = 0; k < BAR_MODES; ++k) {
        omega[k] = 37.5 * bar_omega[k];
        a[k] = sqrt(1e3) * c->a[k];
    }
    carom_bounce_case one = { c->w, BAR_MODES, c->a, bar_omega },
                      other = { 1e3 * c->w, BAR_MODES, a, omega };
    CHECK_NEAR(solve(carom_bounce_exact, &one, 0).epsilon,
               solve(carom_bounce_exact, &other, 0).epsilon, 1e-9, "exact");
    CHECK_NEAR(solve(many_one, &one, 0).epsilon, solve(many_one, &other, 0).epsilon, 5e-3,
               "production kernel");
}

// Lanes and threads do not show.
static void lanes_and_threads(void)
{
    double a[19][BAR_MODES], w[19];
    carom_bounce_result alone[19], one[19], three[19];
    carom_bounce_options options = carom_bounce_options_default();
    for (int s = 0; s < 19; ++s) {
        w[s] = bar_cases[s % BAR_CASES].w * (1 + 0.01 * s);
        for (int k = 0; k < BAR_MODES; ++k)
            a[s][k] = bar_cases[s % BAR_CASES].a[k];
    }
    carom_bounce_batch batch = { BAR_MODES, 19, bar_omega, w, a[0], 1 };
    CHECK(carom_bounce_many(&batch, &options, one, NULL) == CAROM_OK, "one thread");
    batch.threads = 3;
    CHECK(carom_bounce_many(&batch, &options, three, NULL) == CAROM_OK, "three threads");
    for (int s = 0; s < 19; ++s) {
        carom_bounce_case single = { w[s], BAR_MODES, a[s], bar_omega };
        CHECK(many_one(&single, &options, &alone[s], NULL) == CAROM_OK, "alone");
        CHECK(alone[s].epsilon == one[s].epsilon && one[s].epsilon == three[s].epsilon &&
                  one[s].tau == three[s].tau,
              "sample %d has the same bits alone, in a batch and with threads", s);
    }
}

// The twelve contacts with every participation changed by up to a fifth.
enum { VARIED = 240 };
static double varied_w[VARIED], varied_a[VARIED][BAR_MODES];

static void vary(void)
{
    carom_random random = carom_random_make(6, 1);
    for (int s = 0; s < VARIED; ++s) {
        varied_w[s] = bar_cases[s % BAR_CASES].w;
        for (int k = 0; k < BAR_MODES; ++k)
            varied_a[s][k] =
                bar_cases[s % BAR_CASES].a[k] * carom_random_between(&random, 0.8, 1.2);
    }
}

static void against_the_judge(void)
{
    static carom_bounce_result judge[VARIED], quick[VARIED], literal[VARIED], fine[VARIED];
    carom_bounce_batch batch = { BAR_MODES, VARIED, bar_omega, varied_w, varied_a[0], 2 };
    carom_bounce_options options = carom_bounce_options_default();
    CHECK(carom_bounce_many(&batch, &options, quick, NULL) == CAROM_OK, "production");
    options.turn = 0.07;
    CHECK(carom_bounce_many(&batch, &options, fine, NULL) == CAROM_OK, "production, fine");
    options.turn = 0;
    options.solver = CAROM_BOUNCE_LITERAL;
    CHECK(carom_bounce_many(&batch, &options, literal, NULL) == CAROM_OK, "literal");
    options.solver = CAROM_BOUNCE_EVENT;
    CHECK(carom_bounce_many(&batch, &options, judge, NULL) == CAROM_OK, "event");
    double error[3] = { 0 }, step = 0;
    for (int s = 0; s < VARIED; ++s) {
        CHECK(judge[s].end == CAROM_BOUNCE_LEFT && quick[s].end == CAROM_BOUNCE_LEFT &&
                  literal[s].end == CAROM_BOUNCE_LEFT,
              "contact %d ends", s);
        error[0] += fabs(quick[s].epsilon - judge[s].epsilon) / VARIED;
        error[1] += fabs(literal[s].epsilon - judge[s].epsilon) / VARIED;
        error[2] += fabs(fine[s].epsilon - judge[s].epsilon) / VARIED;
        CHECK_NEAR(quick[s].impulse * varied_w[s], 1 + quick[s].epsilon, 1e-9, "p w = 1 + epsilon");
        carom_bounce_case one = { varied_w[s], BAR_MODES, varied_a[s], bar_omega };
        carom_bounce_result plain;
        options.solver = CAROM_BOUNCE_LITERAL;
        carom_bounce_literal(&one, &options, &plain, NULL);
        step = fmax(step, fabs(plain.epsilon - literal[s].epsilon));
    }
    // measured 5.7e-4, 6.4e-4 and 1.3e-4
    CHECK_MOST(error[0], 1.5e-3, "production kernel, mean distance to the event solver");
    CHECK_MOST(error[1], 1.5e-3, "literal scheme, mean distance to the event solver");
    CHECK_MOST(error[2], 0.6 * error[0], "smaller steps are better");
    CHECK_MOST(step, 1e-6, "the literal scheme in lanes is the scheme in its own words");
}

// EPS2 [Bounce, 5.1]: a body against its mirror image is the body against a wall, and the reference
// values of all pairs.
static void two_bodies(void)
{
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_result r;
    options.solver = CAROM_BOUNCE_EVENT;
    for (int i = 0; i < PAIR_POINTS; ++i)
        for (int j = 0; j < PAIR_POINTS; ++j) {
            carom_bounce_case a = { pair_w[i], 45, pair_a[i], bar_omega },
                              b = { pair_w[j], 45, pair_a[j], bar_omega };
            CHECK(carom_bounce_pair(&a, &b, &options, &r, NULL) == CAROM_OK, "pair");
            // rounding of the inputs, amplified: see the sensitivities of the twelve cases
            CHECK_NEAR(r.epsilon, pair_both[i][j], 2e-6, "pair %d, %d", i, j);
            if (i == j)
                CHECK_NEAR(r.epsilon, pair_epsilon[i], 1e-9, "EPS2(i, i) = EPS1(i), %d", i);
        }
    carom_bounce_case a = { pair_w[0], 45, pair_a[0], bar_omega }, wall = { 0, 0, NULL, NULL };
    CHECK(carom_bounce_pair(&a, &wall, &options, &r, NULL) == CAROM_OK, "against a wall");
    CHECK_NEAR(r.epsilon, pair_epsilon[0], 1e-9, "an immovable partner leaves the one-body value");
    CHECK(carom_bounce_pair(&wall, &wall, &options, &r, NULL) == CAROM_BAD_INPUT,
          "two walls are refused");
}

// All against all: the mean error of every rule is that of the reference's own numbers, and the
// weighted rule wins.
static void study(void)
{
    carom_bounce_batch batch = { 45, PAIR_POINTS, bar_omega, pair_w, pair_a[0], 1 };
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_study found;
    options.solver = CAROM_BOUNCE_EVENT;
    CHECK(carom_bounce_study_run(&batch, &batch, &options, &found, NULL) == CAROM_OK, "study");
    CHECK(found.pairs == PAIR_POINTS * PAIR_POINTS && found.capped == 0, "all pairs end");
    for (int rule = 0; rule < CAROM_RESTITUTION_RULE_COUNT; ++rule) {
        double wanted = 0;
        for (int i = 0; i < PAIR_POINTS; ++i)
            for (int j = 0; j < PAIR_POINTS; ++j) {
                double e[2] = { pair_epsilon[i], pair_epsilon[j] }, w[2] = { pair_w[i], pair_w[j] };
                wanted += fabs(carom_restitution_rule_combine((carom_restitution_rule)rule, e, w) -
                               pair_both[i][j]) /
                          (PAIR_POINTS * PAIR_POINTS);
            }
        CHECK_NEAR(found.error[rule], wanted, 1e-5, "rule %s",
                   carom_restitution_rule_name((carom_restitution_rule)rule));
        CHECK(rule == CAROM_RESTITUTION_WEIGHTED ||
                  found.error[rule] > found.error[CAROM_RESTITUTION_WEIGHTED],
              "the weighted rule is better than %s",
              carom_restitution_rule_name((carom_restitution_rule)rule));
    }
}

// The four axioms of section 5.2 and the limit of a heavy partner.
static void rules(void)
{
    carom_random random = carom_random_make(6, 2);
    for (int rule = 0; rule < CAROM_RESTITUTION_RULE_COUNT; ++rule)
        for (int n = 0; n < 200; ++n) {
            double e[2] = { carom_random_unit(&random), carom_random_unit(&random) };
            double w[2] = { carom_random_between(&random, 0.1, 10),
                            carom_random_between(&random, 0.1, 10) };
            double up[2] = { fmin(1, e[0] + 0.01), e[1] }, turned[2] = { e[1], e[0] },
                   same[2] = { e[0], e[0] }, wt[2] = { w[1], w[0] };
            double f = carom_restitution_rule_combine((carom_restitution_rule)rule, e, w);
            const char *name = carom_restitution_rule_name((carom_restitution_rule)rule);
            CHECK(f >= 0 && f <= 1, "%s: unity", name);
            CHECK_NEAR(carom_restitution_rule_combine((carom_restitution_rule)rule, turned, wt), f,
                       1e-15, "%s: symmetry", name);
            CHECK(carom_restitution_rule_combine((carom_restitution_rule)rule, up, w) >= f - 1e-15,
                  "%s: monotonicity", name);
            CHECK_NEAR(carom_restitution_rule_combine((carom_restitution_rule)rule, same, w), e[0],
                       1e-14, "%s: identity", name);
        }
    const double e[2] = { 0.3, 0.9 }, heavy[2] = { 1, 0 };
    CHECK_NEAR(carom_restitution_rule_combine(CAROM_RESTITUTION_WEIGHTED, e, heavy), 0.3, 0,
               "a heavy partner leaves the value of the light body");
}

// Damping: production against fine literal steps, weak to overdamped; the sign of the paper pumps.
static void damping(void)
{
    double a[3] = { 1, 0.7, 0.5 }, omega[3] = { 1000, 2500, 6000 };
    carom_bounce_case one = { 2, 3, a, omega };
    const double beta[] = { 0, 1e-6, 1e-5, 1e-4, 1e-3, 4e-3 };
    double last = 1;
    for (int k = 0; k < 6; ++k) {
        carom_bounce_options options = carom_bounce_options_default();
        carom_bounce_result quick, fine;
        options.damping = beta[k];
        options.turn = 0.05;
        CHECK(carom_bounce_solve(&one, &options, &quick, NULL) == CAROM_OK, "production");
        options.turn = 0.0005;
        options.budget = 100000000;
        CHECK(carom_bounce_literal(&one, &options, &fine, NULL) == CAROM_OK, "literal");
        CHECK_NEAR(quick.epsilon, fine.epsilon, 2e-3, "damping %g s", beta[k]);
        CHECK(quick.end == CAROM_BOUNCE_LEFT, "damping %g s: the body leaves", beta[k]);
        CHECK_MOST(quick.epsilon, last + 0.02, "damping takes energy: %g s", beta[k]);
        last = quick.epsilon;
    }
    // energy test: with the printed sign q'' = -omega^2 (q - beta q') a mode gains
    double q = 1, speed = 0, dt = 1e-6, w2 = 1e6;
    for (int n = 0; n < 100000; ++n) {
        speed -= dt * w2 * (q - 1e-5 * speed);
        q += dt * speed;
    }
    CHECK(q * q + speed * speed / w2 > 1.5, "the printed sign pumps energy in");
}

typedef struct course {
    int moments, closed;
    double last, deepest;
} course;

static void follow(void *context, const carom_bounce_frame *m)
{
    course *c = context;
    ++c->moments;
    c->closed += m->touching;
    c->deepest = fmin(c->deepest, m->gap);
    c->last = m->speed;
}

static void tracing(void)
{
    carom_bounce_case one = { bar_cases[0].w, BAR_MODES, bar_cases[0].a, bar_omega };
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_result traced, plain;
    course c = { 0 };
    carom_bounce_visitor visitor = { follow, &c };
    CHECK(carom_bounce_trace(&one, &options, &visitor, &traced, NULL) == CAROM_OK, "traced");
    CHECK(carom_bounce_solve(&one, &options, &plain, NULL) == CAROM_OK, "plain");
    CHECK(traced.epsilon == plain.epsilon && traced.steps == plain.steps,
          "tracing changes nothing");
    CHECK(c.moments == (int)plain.steps && c.closed > 10, "every step is told");
    CHECK_NEAR(c.last, plain.epsilon, 0, "the last speed is epsilon");
    CHECK_MOST(-c.deepest, 1e-9, "no overlap");
}

static void nothing_moves(void)
{
    double zero[2] = { 0, 0 }, omega[2] = { 1, 2 };
    carom_bounce_case rigid = { 3, 2, zero, omega };
    for (int k = 0; k < 3; ++k) {
        carom_bounce_options options = carom_bounce_options_default();
        carom_bounce_result r;
        options.solver = (carom_bounce_solver)k;
        CHECK(carom_bounce_solve(&rigid, &options, &r, NULL) == CAROM_OK && r.epsilon == 0 &&
                  r.end == CAROM_BOUNCE_LEFT,
              "no participation: epsilon 0 by %s", carom_bounce_solver_name(options.solver));
        rigid.w = 0;
        CHECK(carom_bounce_solve(&rigid, &options, &r, NULL) == CAROM_BAD_INPUT,
              "w = 0 is refused");
        rigid.w = NAN;
        CHECK(carom_bounce_solve(&rigid, &options, &r, NULL) == CAROM_BAD_INPUT, "so is NaN");
        rigid.w = 3;
    }
    carom_bounce_case long_one = { bar_cases[0].w, BAR_MODES, bar_cases[0].a, bar_omega };
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_result r;
    options.budget = 64;
    CHECK(carom_bounce_solve(&long_one, &options, &r, NULL) == CAROM_OK &&
              r.end == CAROM_BOUNCE_CAPPED,
          "a spent budget is reported");
}

int main(void)
{
    closed_forms();
    elastic_rod();
    bar();
    equal_frequencies();
    vanishing_mode();
    no_scale();
    lanes_and_threads();
    vary();
    against_the_judge();
    two_bodies();
    study();
    rules();
    damping();
    tracing();
    nothing_moves();
    double bad = -1, fine = 1;
    carom_bounce_case wrong = { 1, 1, &fine, &bad };
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_result result;
    CHECK(carom_bounce_exact(&wrong, &options, &result, NULL) == CAROM_BAD_INPUT,
          "a negative frequency is refused");
    options.solver = CAROM_BOUNCE_LITERAL;
    options.damping = -1e-8;
    wrong.omega = &fine;
    CHECK(carom_bounce_literal(&wrong, &options, &result, NULL) == CAROM_BAD_INPUT,
          "so is damping of the wrong sign");
    return check_report();
}

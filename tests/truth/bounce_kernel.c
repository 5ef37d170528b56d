// The scalar bounce: closed forms, the elastic rod, and twelve contacts of a bar.
#include <math.h>
#include <stdlib.h>
#include "carom/bounce.h"
#include "support/check.h"
#include "bounce_cases.h"

typedef carom_status solver(const carom_bounce_case *, const carom_bounce_options *,
                            carom_bounce_result *, carom_error *);

static carom_status many_one(const carom_bounce_case *one, const carom_bounce_options *options,
                             carom_bounce_result *result, carom_error *err)
{
    carom_bounce_batch batch = { one->mode_count, 1, one->omega, &one->w, one->a, 1 };
    return carom_bounce_many(&batch, options, result, err);
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

int main(void)
{
    closed_forms();
    elastic_rod();
    bar();
    no_scale();
    lanes_and_threads();
    double bad = -1, fine = 1;
    carom_bounce_case wrong = { 1, 1, &fine, &bad };
    carom_bounce_options options = carom_bounce_options_default();
    carom_bounce_result result;
    CHECK(carom_bounce_exact(&wrong, &options, &result, NULL) == CAROM_BAD_INPUT,
          "a negative frequency is refused");
    options.damping = -1e-8;
    wrong.omega = &fine;
    CHECK(carom_bounce_literal(&wrong, &options, &result, NULL) == CAROM_BAD_INPUT,
          "so is damping of the wrong sign");
    return check_report();
}

// Bars by exact waves against closed forms [EC, section 3].
#include "carom/chain.h"
#include "support/check.h"

#include <math.h>

#define MOST 8
#define PI 3.14159265358979323846

typedef struct bars {
    carom_chain_body body[MOST];
    carom_chain_contact contact[MOST];
} bars;

static carom_chain_body bar(double length, double radius, double velocity)
{
    return (carom_chain_body){ .kind = CAROM_CHAIN_CYLINDER,
                               .velocity = velocity,
                               .radius = radius,
                               .length = length,
                               .young = 2.1e11,
                               .density = 7800,
                               .slices = 1 };
}

static carom_chain_result *solve(const bars *b, size_t count)
{
    carom_chain chain = { .bodies = b->body, .body_count = count, .contacts = b->contact };
    carom_chain_result *result = NULL;
    carom_error err = { 0 };
    CHECK(carom_chain_waves(&chain, &result, &err) == CAROM_OK, "the waves are solved: %s",
          err.what);
    CHECK(result->exact && result->exit == CAROM_CHAIN_EXIT_SEPARATED, "until separation");
    // 1e-12: sums of a few hundred terms of either sign.
    CHECK_MOST(result->energy_error, 1e-12, "energy");
    return result;
}

// Lengths 1 : n of one material and radius. The wave of the shorter bar empties it completely, so
// it stops dead after 2 l / c, and the longer one leaves with 1/n of the speed and 1/n of the
// energy in its centre.
static void lengths(void)
{
    double c = sqrt(2.1e11 / 7800);
    for (int n = 1; n <= 5; n++) {
        bars b = { .body = { bar(0.3, 0.02, 1.7), bar(0.3 * n, 0.02, 0) } };
        carom_chain_result *result = solve(&b, 2);
        double energy = result->energy_before;
        CHECK_NEAR(result->velocity[0], 0, 1e-12, "1:%d: the striker stops", n);
        CHECK_NEAR(result->velocity[1], 1.7 / n, 1e-12, "1:%d: the other leaves with v/n", n);
        CHECK_NEAR(result->vibration[0] / energy, 0, 1e-12, "1:%d: nothing rings in the striker",
                   n);
        CHECK_NEAR(result->vibration[1] / energy, 1 - 1.0 / n, 1e-12, "1:%d: the rest rings", n);
        CHECK_NEAR(result->touch[0].closed_time / (0.6 / c), 1, 1e-12, "1:%d: t_c = 2 l / c, eq 14",
                   n);
        double plateau = PI * 0.02 * 0.02 * sqrt(2.1e11 * 7800) * 1.7 / 2;
        CHECK_NEAR(result->touch[0].peak_force / plateau, 1, 1e-12,
                   "the force is Z v / 2 throughout");
        CHECK_MOST(result->momentum_error, 1e-12, "momentum");
        carom_chain_result_destroy(result);
    }
    bars b = { .body = { bar(0.6, 0.02, 1), bar(0.3, 0.02, 0) } };
    carom_chain_result *result = solve(&b, 2);
    CHECK_NEAR(result->velocity[0], 0.5, 1e-12, "2:1: the striker keeps half");
    CHECK_NEAR(result->velocity[1], 1, 1e-12, "2:1: the short one leaves with v");
    CHECK_NEAR(result->vibration[0] / result->energy_before, 0.25, 1e-12, "2:1: a quarter rings");
    carom_chain_result_destroy(result);
}

// Equal transit times and any impedances: after one round trip both bars move uniformly, with the
// velocities of a rigid elastic collision (mass is impedance times transit time) and no vibration.
static void impedances(void)
{
    for (int k = 1; k <= 6; k++) {
        bars b = { .body = { bar(0.5, 0.01, 1), bar(0.5, 0.01 * sqrt(k / 3.0), 0) } };
        carom_chain_result *result = solve(&b, 2);
        double ratio = k / 3.0;
        CHECK_NEAR(result->velocity[0], (1 - ratio) / (1 + ratio), 1e-12, "mass ratio %g: striker",
                   ratio);
        CHECK_NEAR(result->velocity[1], 2 / (1 + ratio), 1e-12, "mass ratio %g: struck", ratio);
        CHECK_MOST((result->vibration[0] + result->vibration[1]) / result->energy_before, 1e-12,
                   "mass ratio %g: no vibration", ratio);
        carom_chain_result_destroy(result);
    }
}

static void cradles(void)
{
    for (size_t striking = 1; striking < 5; striking++) {
        bars b = { 0 };
        for (size_t i = 0; i < 5; i++)
            b.body[i] = bar(0.1, 0.05, i < striking ? 1 : 0);
        carom_chain_result *result = solve(&b, 5);
        for (size_t i = 0; i < 5; i++)
            CHECK_NEAR(result->velocity[i], i < 5 - striking ? 0 : 1, 1e-12,
                       "five bars, %zu striking: bar %zu", striking, i);
        CHECK_MOST(result->momentum_error, 1e-12, "momentum");
        carom_chain_result_destroy(result);
    }
    // Resting contacts load when the wave arrives, one transit per bar.
    bars b = { 0 };
    for (size_t i = 0; i < 5; i++)
        b.body[i] = bar(0.1, 0.05, i < 1 ? 1 : 0);
    carom_chain_result *result = solve(&b, 5);
    double transit = 0.1 / sqrt(2.1e11 / 7800);
    for (size_t i = 0; i < 4; i++)
        CHECK_NEAR(result->touch[i].first_touch, transit * (double)i, 1e-12 * transit,
                   "contact %zu waits for the wave", i);
    carom_chain_result_destroy(result);
}

static void walls_and_gaps(void)
{
    bars b = { .body = { bar(0.25, 0.03, 4), { .kind = CAROM_CHAIN_WALL } },
               .contact = { { .gap = 0.5 } } };
    carom_chain_result *result = solve(&b, 2);
    double c = sqrt(2.1e11 / 7800);
    CHECK_NEAR(result->velocity[0], -4, 1e-12, "a bar returns from a wall as fast as it came");
    CHECK_NEAR(result->touch[0].first_touch, 0.125, 1e-14, "after its flight");
    // 1e-11: 1e-4 s of contact measured on a clock at 0.125 s.
    CHECK_NEAR(result->touch[0].closed_time * c / 0.5, 1, 1e-11, "and stays 2 l / c there");
    CHECK_NEAR(result->touch[0].impulse, 8 * result->mass[0], 1e-9 * result->mass[0],
               "impulse 2 m v");
    carom_chain_result_destroy(result);

    bars mirrored = { .body = { { .kind = CAROM_CHAIN_WALL }, bar(0.25, 0.03, -4) } };
    result = solve(&mirrored, 2);
    CHECK_NEAR(result->velocity[1], 4, 1e-12, "the same from a wall on the left");
    CHECK_NEAR(result->touch[0].impulse, 8 * result->mass[1], 1e-9, "with the same impulse");
    carom_chain_result_destroy(result);
}

// Lengths and impedances that never fall in step: many fronts, the same laws.
static void incommensurate(void)
{
    bars b = { .body = { bar(0.3, 0.02, 2), bar(0.3 * sqrt(2), 0.03, 0),
                         bar(0.1 * sqrt(3), 0.01, 0.5), bar(0.2, 0.025, -1) },
               .contact = { { .gap = 0.001 }, { .gap = 0 }, { .gap = 0.0005 } } };
    carom_chain_result *result = solve(&b, 4);
    CHECK_MOST(result->momentum_error, 1e-12, "momentum among incommensurate bars");
    double energy = 0;
    for (size_t i = 0; i < 4; i++)
        energy +=
            result->mass[i] * result->velocity[i] * result->velocity[i] / 2 + result->vibration[i];
    CHECK_NEAR(energy / result->energy_before, 1, 1e-12, "centres and vibrations hold all energy");
    const carom_chain_history *h = &result->history;
    for (size_t i = 0; i < 4; i++)
        CHECK_NEAR(h->velocity[(h->samples - 1) * 4 + i], result->velocity[i], 1e-11,
                   "momentum by contact forces equals momentum inside bar %zu", i);
    carom_chain_result_destroy(result);
}

// "Separated" is for good: going on ten times longer changes nothing. The first bars part and,
// ringing, meet again.
static void for_good(void)
{
    for (int k = 0; k < 12; k++) {
        bars b = { .body = { bar(0.3, 0.02, 1),
                             bar(0.3 + 0.1 * k, 0.02 + 0.004 * (k % 3), 0.1 * (k % 4)),
                             bar(0.2 + 0.07 * k, 0.03, 0.15) },
                   .contact = { { .gap = 0 }, { .gap = 1e-5 * k } } };
        carom_chain_result *once = solve(&b, 3);
        carom_chain chain = {
            .bodies = b.body, .body_count = 3, .contacts = b.contact, .duration = 10 * once->time
        };
        carom_chain_result *longer = NULL;
        carom_error err = { 0 };
        CHECK(carom_chain_waves(&chain, &longer, &err) == CAROM_OK, "the longer run: %s", err.what);
        // 1e-10: the clock of a run of thousands of transits resolves a transit to some 1e-12, and
        // a bar holds several fronts.
        for (size_t i = 0; i < 3; i++)
            CHECK_NEAR(longer->velocity[i], once->velocity[i], 1e-10, "row %d: bar %zu was done", k,
                       i);
        carom_chain_result_destroy(once);
        carom_chain_result_destroy(longer);
    }
}

static void refused(void)
{
    bars b = { .body = { bar(1, 0.1, 1), { .mass = 1 } },
               .contact = { { .stiffness = 1, .exponent = 1 } } };
    carom_chain chain = { .bodies = b.body, .body_count = 2, .contacts = b.contact };
    carom_chain_result *result = NULL;
    carom_error err = { 0 };
    CHECK(carom_chain_waves(&chain, &result, &err) == CAROM_UNSUPPORTED && err.fix[0] && !result,
          "a rigid mass is refused with a way out");
}

int main(void)
{
    lengths();
    impedances();
    cradles();
    walls_and_gaps();
    incommensurate();
    for_good();
    refused();
    return check_report();
}

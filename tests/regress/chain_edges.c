// Chains at the edge: each of these once went wrong, or could hang, or asks for a flag instead of a
// result.
#include "carom/chain.h"
#include "support/check.h"

#include <math.h>

static carom_chain_result *run(const carom_chain *chain)
{
    carom_chain_result *result = NULL;
    carom_error err = { 0 };
    CHECK(carom_chain_run(chain, &result, &err) == CAROM_OK, "the run succeeds: %s", err.what);
    return result;
}

// Nobody moves, or nobody approaches: done at once, nothing divided by zero.
static void nothing_happens(void)
{
    carom_chain_body bodies[] = { { .mass = 1 }, { .mass = 1 }, { .mass = 1 } };
    carom_chain_contact contacts[] = { { 1, 1.5, 0 }, { 1, 1.5, 0 } };
    carom_chain chain = { .bodies = bodies, .body_count = 3, .contacts = contacts };
    carom_chain_result *result = run(&chain);
    CHECK(result->steps == 0 && result->exit == CAROM_CHAIN_EXIT_SEPARATED,
          "at rest: over at once");
    CHECK(result->energy_error == 0 && result->accurate, "without any error");
    CHECK(result->touch[0].touches == 0 && isnan(result->touch[0].first_touch),
          "no contact carried force");
    carom_chain_result_destroy(result);
    for (int b = 0; b < 3; b++)
        bodies[b].velocity = 5;
    result = run(&chain);
    CHECK(result->steps == 0 && result->velocity[2] == 5, "moving together: over at once");
    carom_chain_result_destroy(result);
}

// A duration that ends inside the contact: the state there, flagged by the missing release.
static void short_duration(void)
{
    carom_chain_body bodies[] = { { .mass = 1, .velocity = 1 }, { .mass = 1 } };
    carom_chain_contact contact = { 1, 1, 0 };
    carom_chain chain = { .bodies = bodies, .body_count = 2, .contacts = &contact, .duration = 1 };
    carom_chain_result *result = run(&chain);
    // Two unit masses, k = 1: the relative speed is cos(sqrt(2) t).
    CHECK(result->exit == CAROM_CHAIN_EXIT_DURATION && result->time == 1,
          "it ends at its duration");
    CHECK_NEAR(result->velocity[0] - result->velocity[1], cos(sqrt(2.0)), 1e-10,
               "in the middle of the contact");
    CHECK(isnan(result->touch[0].last_release) && result->touch[0].closed_time == 1,
          "which is still closed");
    carom_chain_result_destroy(result);
    chain.duration = 1e6;
    result = run(&chain);
    CHECK(result->exit == CAROM_CHAIN_EXIT_DURATION && result->steps < 1000,
          "a long flight costs nothing");
    CHECK_NEAR(result->history.position[(result->history.samples - 1) * 2 + 1], 1e6, 10,
               "but is flown");
    carom_chain_result_destroy(result);
}

// Between two walls it never ends: the budget does, and says so.
static void endless(void)
{
    carom_chain_body bodies[] = { { .kind = CAROM_CHAIN_WALL },
                                  { .mass = 1, .velocity = 1 },
                                  { .kind = CAROM_CHAIN_WALL } };
    carom_chain_contact contacts[] = { { 1000, 1.5, 0.1 }, { 1000, 1.5, 0.1 } };
    carom_chain chain = {
        .bodies = bodies, .body_count = 3, .contacts = contacts, .max_steps = 20000
    };
    carom_chain_result *result = run(&chain);
    CHECK(result->exit == CAROM_CHAIN_EXIT_STEPS && result->steps == 20000,
          "two walls end by the budget");
    CHECK(result->touch[0].touches > 50 && result->touch[1].touches > 50, "after many bounces");
    CHECK_MOST(result->energy_error, 1e-10, "without losing energy");
    carom_chain_result_destroy(result);
}

// Masses from 1e-3 to 1e3 and exponents from 1 to 20 in one row; the light body lies between heavy
// ones. The step follows what is in contact, so the soft late contact does not pay for the stiff
// first one.
static void wild_mixture(void)
{
    carom_chain_body bodies[] = { { .mass = 1e3, .velocity = 1 },
                                  { .mass = 1e-3 },
                                  { .mass = 1 },
                                  { .mass = 1e2, .velocity = -2 } };
    carom_chain_contact contacts[] = { { 1e8, 1, 1e-3 }, { 1e4, 20, 0 }, { 1e5, 1.1, 0.5 } };
    carom_chain chain = { .bodies = bodies, .body_count = 4, .contacts = contacts };
    carom_chain_result *result = run(&chain);
    CHECK(result->accurate && result->exit == CAROM_CHAIN_EXIT_SEPARATED, "it separates, error %g",
          result->energy_error);
    CHECK_MOST((double)result->steps, 200000, "in a bearable number of steps");
    CHECK_MOST(result->momentum_error, 1e-12, "momentum");
    carom_chain_result_destroy(result);
}

// Dashpots used to drift in momentum by 1e-10 over long runs: they push in pairs now.
static void damped_momentum(void)
{
    carom_chain_body bodies[] = {
        { .kind = CAROM_CHAIN_CYLINDER,
          .velocity = 1,
          .radius = 0.3,
          .length = 1,
          .young = 20,
          .density = 3,
          .slices = 9,
          .damping = 0.01 },
        { .kind = CAROM_CHAIN_SPHERE,
          .radius = 0.4,
          .young = 50,
          .density = 2,
          .slices = 12,
          .damping = 0.003 },
    };
    carom_chain_contact contact = { 0, 0, 0 };
    carom_chain chain = {
        .bodies = bodies, .body_count = 2, .contacts = &contact, .duration = 400
    };
    carom_chain_result *result = run(&chain);
    CHECK(result->steps > 20000 && result->dissipated > 0, "a long damped run of %zu steps",
          result->steps);
    CHECK_MOST(result->momentum_error, 1e-13, "momentum");
    CHECK_MOST(result->energy_error, 1e-11, "the ledger closes");
    CHECK_MOST(result->vibration[0] / result->energy_before, 1e-8, "and the ringing has died");
    carom_chain_result_destroy(result);
}

// The result follows the mirrored row to round-off.
static void mirrored(void)
{
    carom_chain_body bodies[4], flipped[4];
    carom_chain_contact contacts[3], flipped_contacts[3];
    for (int b = 0; b < 4; b++) {
        bodies[b] = (carom_chain_body){ .kind = CAROM_CHAIN_CYLINDER,
                                        .radius = 0.2 + 0.1 * b,
                                        .length = 1 + 0.3 * b,
                                        .young = 40,
                                        .density = 2,
                                        .slices = 15 + b,
                                        .velocity = b == 0 ? 1 : 0 };
        flipped[3 - b] = bodies[b];
        flipped[3 - b].velocity *= -1;
    }
    for (int c = 0; c < 3; c++)
        flipped_contacts[2 - c] = contacts[c] = (carom_chain_contact){ 100, 1.5, 0.01 * c };
    carom_chain chain = { .bodies = bodies, .body_count = 4, .contacts = contacts };
    carom_chain other = { .bodies = flipped, .body_count = 4, .contacts = flipped_contacts };
    carom_chain_result *one = run(&chain);
    carom_chain_result *two = run(&other);
    // 1e-9: steps end at events found from the other side, so rounding differs, then integration
    // error.
    for (int b = 0; b < 4; b++)
        CHECK_NEAR(two->velocity[3 - b], -one->velocity[b], 1e-9, "mirrored, body %d", b);
    carom_chain_result_destroy(one);
    carom_chain_result_destroy(two);
}

static void refused(void)
{
    carom_chain_body bodies[] = { { .mass = 1, .velocity = (double)NAN }, { .mass = 1 } };
    carom_chain_contact contact = { 1, 1, 0 };
    carom_chain chain = { .bodies = bodies, .body_count = 2, .contacts = &contact };
    carom_chain_result *result;
    carom_error err = { 0 };
    CHECK(carom_chain_run(&chain, &result, &err) == CAROM_BAD_INPUT && !result,
          "a velocity that is no number");
    bodies[0].velocity = 1;
    bodies[0].mass = 0;
    CHECK(carom_chain_run(&chain, &result, &err) == CAROM_BAD_INPUT, "no mass");
    bodies[0].mass = 1;
    contact.exponent = 0.9;
    CHECK(carom_chain_run(&chain, &result, &err) == CAROM_BAD_INPUT && err.fix[0],
          "an exponent below 1");
    contact.exponent = 1;
    contact.gap = -0.1;
    CHECK(carom_chain_run(&chain, &result, &err) == CAROM_BAD_INPUT, "an overlap");
    contact.gap = 0;
    contact.stiffness = 0;
    CHECK(carom_chain_run(&chain, &result, &err) == CAROM_BAD_INPUT, "no spring");
    chain.body_count = 1;
    CHECK(carom_chain_run(&chain, &result, &err) == CAROM_BAD_INPUT, "one body");
    CHECK(carom_chain_run(&chain, &result, NULL) == CAROM_BAD_INPUT,
          "also without an error to fill");
}

int main(void)
{
    nothing_happens();
    short_duration();
    endless();
    wild_mixture();
    damped_momentum();
    mirrored();
    refused();
    return check_report();
}

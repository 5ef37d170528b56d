// Rigid bodies with contact springs: closed forms for pairs, and an independent reference
// computation (adaptive order-8 integration in numpy, relative tolerance 1e-13) for rows.
#include "carom/chain.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>

#define MOST 16
#define PI 3.14159265358979323846

typedef struct row {
    carom_chain_body body[MOST];
    carom_chain_contact contact[MOST];
} row;

// `count` unit masses, the first `striking` with speed 1, all touching.
static row unit_row(size_t count, size_t striking, double exponent)
{
    row r = { 0 };
    for (size_t i = 0; i < count; i++) {
        r.body[i] = (carom_chain_body){ .mass = 1, .velocity = i < striking ? 1 : 0 };
        r.contact[i] = (carom_chain_contact){ .stiffness = 1, .exponent = exponent };
    }
    return r;
}

static carom_chain_result *run(const row *r, size_t count)
{
    carom_chain chain = { .bodies = r->body, .body_count = count, .contacts = r->contact };
    carom_chain_result *result = NULL;
    carom_error err = { 0 };
    CHECK(carom_chain_run(&chain, &result, &err) == CAROM_OK, "the run succeeds: %s", err.what);
    CHECK(result->exit == CAROM_CHAIN_EXIT_SEPARATED && result->accurate, "and ends by separation");
    CHECK_MOST(result->energy_error, 1e-10, "the energy error keeps the default tolerance");
    return result;
}

// Reference with gap memory; three independent treatments of reopening contacts agree to 1e-10.
static void reference_rows(void)
{
    static const struct {
        double exponent, five[5], three[3];
    } known[] = {
        { 1,
          { -0.1708997483080712, -0.04920078614895762, 0.3820272143093675, 0.6609949957414509,
            1.1770783244062104 },
          { -0.13026169506493468, 0.15022956943576704, 0.9800321256291676 } },
        { 1.5,
          { -0.11261497903335127, -0.041959500543909956, 0.21448577619546394, 0.8003666717163294,
            1.139722031665468 },
          { -0.07095235365887209, 0.07640303909805246, 0.9945493145608196 } },
        { 2,
          { -0.0699833650357844, -0.02102518462412606, 0.11082266805166396, 0.8856646313616905,
            1.094521250246556 },
          { -0.03788039810849386, 0.03937413736793138, 0.9985062607405625 } },
        { 3,
          { -0.023041407605701503, -0.0029749965037850767, 0.027891805064685915, 0.9641958869079066,
            1.033928712136894 },
          { -0.010396841805751844, 0.010506083783969555, 0.9998907580217823 } },
        { 5,
          { -0.001713849080255736, -2.6116976821422e-05, 0.0017499396934577138, 0.9973542772208093,
            1.0026357491428102 },
          { -0.0007688004986337038, 0.0007693920079495653, 0.9999994084906841 } },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        row r = unit_row(5, 2, known[k].exponent);
        carom_chain_result *result = run(&r, 5);
        // 1e-9: the energy tolerance of 1e-10 bounds the velocities to a few times that.
        for (size_t i = 0; i < 5; i++)
            CHECK_NEAR(result->velocity[i], known[k].five[i], 1e-9,
                       "five spheres, two striking, exponent %g: sphere %zu", known[k].exponent, i);
        CHECK_MOST(result->momentum_error, 1e-13, "momentum is conserved to round-off");
        // Order 6 with a tenth of a radian per step: 1e-12 and nothing to repeat. A scheme of lower
        // order shows here.
        CHECK(result->attempts == 1, "exponent %g needs one attempt", known[k].exponent);
        CHECK_MOST(result->energy_error, 1e-12, "exponent %g", known[k].exponent);
        carom_chain_result_destroy(result);
        r = unit_row(3, 1, known[k].exponent);
        result = run(&r, 3);
        for (size_t i = 0; i < 3; i++)
            CHECK_NEAR(result->velocity[i], known[k].three[i], 1e-9,
                       "three spheres, one striking, exponent %g: sphere %zu", known[k].exponent,
                       i);
        carom_chain_result_destroy(result);
    }
}

// Equal power laws have no scale of their own: mass, stiffness and speed only change the clock.
static void similarity(void)
{
    row r = unit_row(5, 2, 1.5);
    for (size_t i = 0; i < 5; i++) {
        r.body[i].mass = 4.18879020478639; // density 1, radius 1, as in [EC, fig 5]
        r.body[i].velocity *= -3;
        r.contact[i].stiffness = 1e6;
    }
    // Mirrored: the two on the right strike to the left.
    for (size_t i = 0; i < 5; i++)
        r.body[i].velocity = i > 2 ? -3 : 0;
    carom_chain_result *result = run(&r, 5);
    row unit = unit_row(5, 2, 1.5);
    carom_chain_result *plain = run(&unit, 5);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(result->velocity[4 - i], -3 * plain->velocity[i], 3e-9,
                   "the mirrored, stiffer, faster row does the same: sphere %zu", i);
    carom_chain_result_destroy(result);
    carom_chain_result_destroy(plain);
}

// Two bodies, F = k d^p, reduced mass mu, approach u: peak compression ((p+1) mu u^2 / (2
// k))^(1/(p+1)), contact time (2 d / u) times the integral of 1/sqrt(1 - s^(p+1)) over [0, 1],
// which is sqrt(pi) G(1 + 1/(p+1)) / G(1/2 + 1/(p+1)): pi/2 for Hooke, 1.4716372 for Hertz.
static void pairs(void)
{
    static const double exponents[] = { 1, 1.3, 1.5, 2, 2.75, 5 };
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
        double p = exponents[k];
        row r = { 0 };
        r.body[0] = (carom_chain_body){ .mass = 2, .velocity = 0.7 };
        r.body[1] = (carom_chain_body){ .mass = 3, .velocity = -0.4 };
        r.contact[0] = (carom_chain_contact){ .stiffness = 50, .exponent = p, .gap = 0.11 };
        carom_chain_result *result = run(&r, 2);
        double mu = 1.2;
        double u = 1.1;
        double depth = pow((p + 1) * mu * u * u / (2 * 50), 1 / (p + 1));
        double part = sqrt(PI) * tgamma(1 + 1 / (p + 1)) / tgamma(0.5 + 1 / (p + 1));
        const carom_chain_touch *touch = &result->touch[0];
        CHECK_NEAR(result->velocity[0], 0.04 - 0.6 * u, 1e-9, "pair, exponent %g: first", p);
        CHECK_NEAR(result->velocity[1], 0.04 + 0.4 * u, 1e-9, "pair, exponent %g: second", p);
        CHECK_NEAR(touch->first_touch, 0.1, 1e-14, "the gap closes at gap / speed");
        // 1e-8: times follow velocities divided by accelerations; the ends of a contact are soft.
        CHECK_NEAR(touch->closed_time, 2 * depth / u * part, 1e-8, "contact time, exponent %g", p);
        // 1e-5: the peak between two steps comes from a cubic, which is of fourth order in the
        // step.
        CHECK_NEAR(touch->peak_force / (50 * pow(depth, p)), 1, 1e-5, "peak force, exponent %g", p);
        CHECK_NEAR(touch->restitution, 1, 1e-9, "an undamped pair separates as fast as it met");
        CHECK_NEAR(touch->impulse, 2 * mu * u, 1e-9, "the impulse is 2 mu u");
        CHECK(touch->touches == 1 && result->events == 2, "one closing, one opening");
        carom_chain_result_destroy(result);
    }
}

static void long_hertz_row(void)
{
    row r = unit_row(10, 1, 1.5);
    carom_chain_result *result = run(&r, 10);
    CHECK_MOST(result->momentum_error, 1e-13, "ten Hertz spheres conserve momentum to 1e-13");
    for (size_t i = 0; i + 1 < 10; i++)
        CHECK_MOST(result->velocity[i], result->velocity[i + 1] + 1e-12, "and do not meet again");
    carom_chain_result_destroy(result);
}

// A ball against a wall turns round; a row against a wall gives its momentum back.
static void walls(void)
{
    row r = unit_row(4, 1, 1.5);
    r.body[0].velocity = 2;
    r.body[3] = (carom_chain_body){ .kind = CAROM_CHAIN_WALL };
    carom_chain_result *result = run(&r, 4);
    double kinetic = 0;
    for (size_t i = 0; i < 3; i++)
        kinetic += result->velocity[i] * result->velocity[i] / 2;
    CHECK_NEAR(kinetic, 2, 1e-9, "three spheres and a wall keep the energy");
    CHECK(result->velocity[0] < -1 && result->velocity[3] == 0, "the striker returns");
    CHECK(isnan(result->momentum_error), "a wall takes momentum, so no error is claimed");
    CHECK_NEAR(result->touch[2].impulse,
               2 - result->velocity[0] - result->velocity[1] - result->velocity[2], 1e-12,
               "and the impulse on the wall is what the row lost");
    carom_chain_result_destroy(result);
    r.body[1] = r.body[3];
    r.contact[0].gap = 1;
    result = run(&r, 2);
    CHECK_NEAR(result->velocity[0], -2, 1e-9, "one ball returns as fast as it came");
    CHECK_NEAR(result->touch[0].first_touch, 0.5, 1e-14, "after its flight");
    carom_chain_result_destroy(result);
}

// With gaps the collisions come one after another: the ideal cradle [EC, section 2], exactly.
static void gaps(void)
{
    row r = unit_row(5, 2, 1.5);
    for (size_t i = 0; i < 4; i++)
        r.contact[i].gap = 10;
    carom_chain_result *result = run(&r, 5);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(result->velocity[i], i < 3 ? 0 : 1, 1e-9, "wide gaps make the cradle ideal: %zu",
                   i);
    carom_chain_result_destroy(result);
}

int main(void)
{
    reference_rows();
    similarity();
    pairs();
    long_hertz_row();
    walls();
    gaps();
    return check_report();
}

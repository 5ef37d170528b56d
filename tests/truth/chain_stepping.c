// Time stepping with elastic contacts [EC, sections 1, 5, 6]: the paper's impulses and tables, an
// independent reference computation (numpy) for partly elastic rows, and the cases that cannot
// converge.
#include "carom/chain.h"
#include "support/check.h"

#include <math.h>

#define MOST 12

static carom_chain_stepper *make(size_t count, size_t striking, const double *gap)
{
    static const double none[MOST];
    double mass[MOST], velocity[MOST];
    for (size_t i = 0; i < count; i++) {
        mass[i] = 1;
        velocity[i] = i < striking ? 1 : 0;
    }
    carom_chain_row row = { count, mass, velocity, gap ? gap : none, false };
    carom_chain_stepper *s = NULL;
    carom_error err = { 0 };
    CHECK(carom_chain_stepper_create(&row, &s, &err) == CAROM_OK, "a row: %s", err.what);
    return s;
}

static carom_chain_step_report step(carom_chain_stepper *s, double dt, double e,
                                    carom_chain_rule rule)
{
    carom_chain_step_report report;
    carom_error err = { 0 };
    CHECK(carom_chain_stepper_step(s, dt, e, rule, &report, &err) == CAROM_OK, "a step: %s",
          err.what);
    CHECK_MOST(report.energy_after, report.energy_before * (1 + 1e-12), "no step gains energy");
    return report;
}

static void paper_impulses(void)
{
    carom_chain_stepper *s = make(5, 2, NULL);
    static const double inelastic[] = { 0.6, 1.2, 0.8, 0.4 };
    carom_chain_step_report report = step(s, 0.1, 1, CAROM_CHAIN_RULE_FIXED_POINT);
    for (size_t c = 0; c < 4; c++)
        CHECK_NEAR(carom_chain_stepper_inelastic_impulse(s)[c], inelastic[c], 1e-14,
                   "section 6: lambda %zu", c);
    for (size_t i = 0; i < 5; i++) {
        CHECK_NEAR(carom_chain_stepper_velocity(s)[i], i < 3 ? 0 : 1, 1e-14,
                   "section 6: velocity %zu", i);
        CHECK_NEAR(carom_chain_stepper_shift(s)[i], 0.04, 1e-15,
                   "section 6: shift 2/5 v dt of body %zu", i);
    }
    CHECK(report.converged && report.passes == 2 && report.pair_collisions == 6,
          "the fixed point needs 2 passes and 6 pair collisions, found %zu and %zu", report.passes,
          report.pair_collisions);
    carom_chain_stepper_destroy(s);

    s = make(3, 1, NULL);
    step(s, 0.1, 1, CAROM_CHAIN_RULE_POISSON);
    CHECK_NEAR(carom_chain_stepper_inelastic_impulse(s)[0], 2.0 / 3, 1e-15,
               "section 5: inelastic, left");
    CHECK_NEAR(carom_chain_stepper_inelastic_impulse(s)[1], 1.0 / 3, 1e-15,
               "section 5: inelastic, right");
    CHECK_NEAR(carom_chain_stepper_impulse(s)[0], 4.0 / 3, 1e-15, "section 5: Poisson, left");
    CHECK_NEAR(carom_chain_stepper_impulse(s)[1], 2.0 / 3, 1e-15, "section 5: Poisson, right");
    static const double dispersed[] = { -1.0 / 3, 2.0 / 3, 2.0 / 3 };
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(carom_chain_stepper_velocity(s)[i], dispersed[i], 1e-15,
                   "section 5: Poisson, body %zu", i);
    carom_chain_stepper_destroy(s);

    // Newton's hypothesis gives the same for this row ((1 + e) times the inelastic impulses) ...
    s = make(3, 1, NULL);
    step(s, 0.1, 1, CAROM_CHAIN_RULE_NEWTON);
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(carom_chain_stepper_velocity(s)[i], dispersed[i], 1e-15, "Newton, body %zu", i);
    carom_chain_stepper_destroy(s);
}

// ... and lets bodies run into each other where a contact was separating before it was hit.
static void newton_penetrates(void)
{
    double mass[] = { 1, 1, 1 };
    double velocity[] = { 1, 0, 0.5 };
    double gap[] = { 0, 0 };
    carom_chain_row row = { 3, mass, velocity, gap, false };
    carom_chain_stepper *s = NULL;
    carom_error err = { 0 };
    CHECK(carom_chain_stepper_create(&row, &s, &err) == CAROM_OK, "a row");
    step(s, 0.1, 1, CAROM_CHAIN_RULE_NEWTON);
    static const double wrong[] = { 0, 1, 0.5 };
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(carom_chain_stepper_velocity(s)[i], wrong[i], 1e-14,
                   "Newton's velocities, body %zu", i);
    carom_chain_stepper_destroy(s);
}

// Section 1, second table: the impact falls into the middle of a step. The first sphere then stops
// half a step's way before the second, and the velocities are the ideal ones.
static void impact_inside_step(void)
{
    double dt = 0.1;
    for (int tenth = 0; tenth < 10; tenth++) {
        double gap[] = { tenth * 0.1 * dt, 0 };
        carom_chain_stepper *s = make(3, 1, gap);
        step(s, dt, 1, CAROM_CHAIN_RULE_FIXED_POINT);
        step(s, dt, 1, CAROM_CHAIN_RULE_FIXED_POINT);
        for (size_t i = 0; i < 3; i++)
            CHECK_NEAR(carom_chain_stepper_velocity(s)[i], i == 2 ? 1 : 0, 1e-14,
                       "an impact after %d/10 of a step: body %zu", tenth, i);
        carom_chain_stepper_destroy(s);
    }
    double gap[] = { 0.5 * dt, 0 };
    carom_chain_stepper *s = make(3, 1, gap);
    step(s, dt, 1, CAROM_CHAIN_RULE_FIXED_POINT);
    // The inelastic step lets the first sphere travel its gap plus the common way: positions touch.
    CHECK_NEAR(carom_chain_stepper_gap(s)[0], 0, 1e-16, "after the step the hit contact is closed");
    CHECK_NEAR(carom_chain_stepper_shift(s)[0] - carom_chain_stepper_shift(s)[1], 0.05, 1e-15,
               "exactly");
    carom_chain_stepper_destroy(s);
}

// Partly elastic, one of n striking. Passes as in the reference (tolerance 1e-12 of the approach).
static void partly_elastic(void)
{
    static const struct {
        size_t n, passes, pairs;
        double e, energy;
    } known[] = {
        { 3, 20, 40, 0.0, 1.0 / 3 },
        { 3, 16, 31, 0.05, 1.0 / 3 },
        { 3, 12, 24, 0.072, 1.0 / 3 },
        { 3, 3, 6, 0.1, 0.3333339182920806 },
        { 3, 2, 3, 0.5, 0.41259765625 },
        { 3, 2, 3, 0.9, 0.81926190625 },
        { 5, 63, 249, 0.0, 0.2 },
        { 5, 4, 10, 0.5, 0.217478908598423 },
        { 5, 4, 10, 0.9, 0.6720409397713908 },
        { 10, 247, 2209, 0.0, 0.1 },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        carom_chain_stepper *s = make(known[k].n, 1, NULL);
        carom_chain_step_report report = step(s, 0.1, known[k].e, CAROM_CHAIN_RULE_FIXED_POINT);
        CHECK(report.converged && report.passes == known[k].passes &&
                  report.pair_collisions == known[k].pairs,
              "n %zu, e %g: %zu passes and %zu pairs, reference %zu and %zu", known[k].n,
              known[k].e, report.passes, report.pair_collisions, known[k].passes, known[k].pairs);
        CHECK_NEAR(report.energy_after / report.energy_before, known[k].energy, 1e-12,
                   "energy, n %zu, e %g", known[k].n, known[k].e);
        carom_chain_stepper_destroy(s);
    }
}

static void endless(const char *name, const carom_chain_row *row)
{
    carom_chain_stepper *s = NULL;
    carom_error err = { 0 };
    CHECK(carom_chain_stepper_create(row, &s, &err) == CAROM_OK, "%s: %s", name, err.what);
    carom_chain_step_report report = step(s, 0.1, 1, CAROM_CHAIN_RULE_FIXED_POINT);
    CHECK(!report.converged, "%s: the fixed point is known not to end", name);
    size_t contacts = row->frame ? row->count : row->count - 1;
    for (size_t c = 0; c < contacts; c++) {
        const double *v = carom_chain_stepper_velocity(s);
        CHECK_MOST(v[c] - v[c + 1 < row->count ? c + 1 : 0], 1e-12,
                   "%s: contact %zu does not approach", name, c);
    }
    carom_chain_stepper_destroy(s);

    CHECK(carom_chain_stepper_create(row, &s, &err) == CAROM_OK, "%s", name);
    report = step(s, 0.1, 0.9, CAROM_CHAIN_RULE_FIXED_POINT);
    CHECK(report.converged && report.passes > 10, "%s: partly elastic, it ends", name);
    carom_chain_stepper_destroy(s);
}

static void endless_cases(void)
{
    static const double gap[4];
    double walls[] = { HUGE_VAL, 1, 2, HUGE_VAL };
    double between[] = { 0, 1, 0.5, 0 };
    endless("between two walls", &(carom_chain_row){ 4, walls, between, gap, false });
    double one_ball[] = { HUGE_VAL, 1, HUGE_VAL };
    double moving[] = { 0, 1, 0 };
    endless("one ball between two walls", &(carom_chain_row){ 3, one_ball, moving, gap, false });
    double pair[] = { 1, 1 };
    double ball_moves[] = { 0, 1 };
    endless("a ball in a frame", &(carom_chain_row){ 2, pair, ball_moves, gap, true });
    double rack[] = { 5, 1, 1, 1 };
    double one_moves[] = { 0, 0, 1, 0 };
    endless("three balls in a frame", &(carom_chain_row){ 4, rack, one_moves, gap, true });

    // With room to move every step ends, and nothing is lost.
    double room[] = { 0.3, 0.2 };
    carom_chain_row roomy = { 2, pair, ball_moves, room, true };
    carom_chain_stepper *s = NULL;
    carom_error err = { 0 };
    CHECK(carom_chain_stepper_create(&roomy, &s, &err) == CAROM_OK, "a frame with room");
    for (int i = 0; i < 100; i++) {
        carom_chain_step_report report = step(s, 0.05, 1, CAROM_CHAIN_RULE_FIXED_POINT);
        CHECK(report.converged, "step %d ends", i);
        CHECK_NEAR(report.energy_after, 0.5, 1e-12, "step %d keeps the energy", i);
    }
    carom_chain_stepper_destroy(s);

    // One wall only: long, but finite. Galperin's billiard counts floor(pi sqrt(M)) collisions, 31
    // for 100.
    double one_wall[] = { HUGE_VAL, 1, 100 };
    double heavy[] = { 0, 0, -1 };
    carom_chain_row finite = { 3, one_wall, heavy, gap, false };
    CHECK(carom_chain_stepper_create(&finite, &s, &err) == CAROM_OK, "one wall");
    carom_chain_step_report report = step(s, 0.1, 1, CAROM_CHAIN_RULE_FIXED_POINT);
    CHECK(report.converged && report.pair_collisions == 31, "31 collisions, found %zu",
          report.pair_collisions);
    CHECK_NEAR(carom_chain_stepper_velocity(s)[1], 0.4778602082, 1e-9, "light body");
    CHECK_NEAR(carom_chain_stepper_velocity(s)[2], 0.9988575956, 1e-9, "heavy body");
    carom_chain_stepper_destroy(s);
}

static void refused(void)
{
    double mass[] = { 1, HUGE_VAL, 1 };
    double velocity[] = { 1, 0, 0 };
    double gap[] = { 0, 0 };
    carom_chain_stepper *s = NULL;
    carom_error err = { 0 };
    carom_chain_row inside = { 3, mass, velocity, gap, false };
    CHECK(carom_chain_stepper_create(&inside, &s, &err) == CAROM_BAD_INPUT && !s,
          "a wall inside the row");
    mass[1] = 1;
    gap[1] = -0.1;
    CHECK(carom_chain_stepper_create(&inside, &s, &err) == CAROM_BAD_INPUT, "an overlap");
    gap[1] = 0;
    CHECK(carom_chain_stepper_create(&inside, &s, &err) == CAROM_OK, "a good row");
    carom_chain_step_report report;
    CHECK(carom_chain_stepper_step(s, 0, 1, CAROM_CHAIN_RULE_NEWTON, &report, &err) ==
              CAROM_BAD_INPUT,
          "a step of no time");
    CHECK(carom_chain_stepper_step(s, 1, 1.1, CAROM_CHAIN_RULE_NEWTON, &report, &err) ==
              CAROM_BAD_INPUT,
          "a restitution above 1");
    carom_chain_stepper_destroy(s);
}

int main(void)
{
    paper_impulses();
    newton_penetrates();
    impact_inside_step();
    partly_elastic();
    endless_cases();
    refused();
    return check_report();
}

// Settled grains weigh what they weigh: floor and walls together carry them, in every step.
//
// Loads are measured from contact impulses alone (carom/measure.h), never from the bodies' motion.
// The scene has 2,000 grains; the test lets them settle for 0.5 s (in part: 0.1 s with a bound on
// the balance of momentum only) and looks at every step for another 0.1 s. In full:
// docs/granular-checks.md.
#include <math.h>
#include "carom/measure.h"
#include "support/check.h"
#include "support/play.h"

static double momentum(const play *p)
{
    return play_ledger(p).momentum[2];
}

int main(void)
{
    play p = play_open("hydrostatic");
    carom_error err = { 0 };
    carom_measure *measure = NULL;
    const carom_measure_table *table = NULL;
    int before = check_effort(250, 20), looks = check_effort(50, 10);
    carom_measure_options options = { .of = CAROM_MEASURE_LOAD, .from = (before + 0.5) * p.dt };
    CHECK(carom_measure_create(p.scene, &options, &measure, &err) == CAROM_OK, "%s", err.what);
    play_steps(&p, before);
    carom_world_record_contacts(p.world, 1);
    double start = momentum(&p);
    for (int i = 0; i < looks && play_steps(&p, 1); ++i)
        carom_measure_look(measure, p.world, p.dt, &err);
    CHECK(carom_measure_finish(measure, &table, &err) == CAROM_OK, "%s", err.what);
    double weight = carom_measure_value(table, "weight");
    double load = carom_measure_value(table, "load over weight");
    double gained = (momentum(&p) - start) / (looks * p.dt * weight);
    // the impulses are what changed the bodies' momentum: round-off of 2,000 contacts
    CHECK_NEAR(load - gained, 1, 1e-9, "impulses on the walls and weight explain the motion");
    if (check_effort(1, 0)) {
        CHECK_NEAR(load, 1, 0.01, "floor and walls carry the weight");
        CHECK(carom_measure_value(table, "load on floor") < 0.97 * weight,
              "the walls' friction carries a part of it");
        CHECK_MOST(play_ledger(&p).kinetic, 1e-4 * play_ledger(&p).start, "the column is at rest");
    }
    carom_measure_destroy(measure);
    play_close(&p);
    return check_report();
}

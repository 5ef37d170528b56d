// A granular gas cools by Haff's law, T = T0 / (1 + t / tau)^2, with the tau of kinetic theory.
//
// The scene's 1,000 smooth grains with twice its step (0.0004 s), for 3 s of its 6 (in part: 0.04
// s) under `qce` and `gr`, which must agree where hardly any impact has more than two bodies. The
// fit of the exponent begins at 0.2 s, when the velocities have forgotten how they were drawn.
//
// tau = 2 / zeta, zeta = 4/3 (1 - e^2) n d^2 chi sqrt(pi T / m) (Enskog; velocities of Maxwell,
// which is 0.2 % off at e = 0.8), chi by Carnahan and Starling. In a box with hard walls centres
// keep to L - d, and a grain near a wall meets others from one side only: of the pairs of a uniform
// gas 6 d / (4 (L - d)) are missing, which the effective volume takes into account.
#include <math.h>
#include "carom/measure.h"
#include "support/check.h"
#include "support/play.h"

#define PI 3.14159265358979323846

static double theory(double temperature)
{
    const double e = 0.8, d = 0.01, side = 0.2, count = 1000, m = 2500 * PI / 6 * d * d * d;
    double room = side - d, volume = room * room * room / (1 - 6 * d / (4 * room));
    double n = count / volume, phi = n * PI / 6 * d * d * d;
    double chi = (1 - phi / 2) / ((1 - phi) * (1 - phi) * (1 - phi));
    return 2 / (4.0 / 3 * (1 - e * e) * n * d * d * chi * sqrt(PI * temperature / m));
}

static void cool(const char *law)
{
    play p = play_open("haff");
    carom_error err = { 0 };
    carom_measure *measure = NULL;
    const carom_measure_table *table = NULL;
    int full = check_effort(1, 0), steps = check_effort(100, 5), looks = check_effort(75, 20);
    carom_measure_options options = { .of = CAROM_MEASURE_TEMPERATURE, .from = full ? 0.2 : 0 };
    play_set(&p, "law", law);
    play_set(&p, "step", "0.0004");
    CHECK(carom_measure_create(p.scene, &options, &measure, &err) == CAROM_OK, "%s", err.what);
    for (int i = 0; i < looks && play_steps(&p, steps); ++i)
        CHECK(carom_measure_look(measure, p.world, p.dt, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_measure_finish(measure, &table, &err) == CAROM_OK, "%s", err.what);
    double tau = carom_measure_value(table, "Haff time");
    double wanted = theory(carom_measure_value(table, "temperature at the start"));
    if (full) {
        CHECK_NEAR(carom_measure_value(table, "exponent"), -2, 0.1, "%s: Haff's exponent", law);
        // a thousand grains scatter by some percent; the step adds up to 2 %
        CHECK_NEAR(tau / wanted, 1, 0.08, "%s: Haff's time is that of kinetic theory", law);
        CHECK(carom_measure_value(table, "Haff times seen") > 5, "%s: the gas has cooled far", law);
    }
    carom_ledger ledger = play_ledger(&p);
    CHECK_MOST(ledger.rest, 0.03 * ledger.start,
               "%s: impacts that follow another one within a step end without bounce; few do", law);
    CHECK_NEAR(ledger.start - ledger.kinetic - ledger.law - ledger.rest, 0, 1e-9 * ledger.start,
               "%s: all energy is accounted for", law);
    carom_measure_destroy(measure);
    play_close(&p);
}

int main(void)
{
    cool("qce");
    cool("gr");
    return check_report();
}

// Perfectly elastic spheres fall into a box: no step with collisions may gain or lose energy
// [ETM 7.4, fig 9]. Both scenes have 250 steps; the first hundred, with 3,000 impacts, run here. In
// full (carom run scenes/world/packing-1080.json --law gr): at most 3.5e-15 per step for
// packing-540 (11,500 impacts) and 4.8e-15 for packing-1080 (40,600) under qce, gr, etm and sqm;
// the paper has 8e-3.
#include <math.h>
#include <stdio.h>
#include "support/check.h"
#include "support/play.h"

static void packing(const char *name, const char *law, int steps)
{
    play p = play_open(name);
    play_set(&p, "law", law);
    double energy = 0, worst = 0;
    int64_t impacts = 0;
    int hits = 0;
    for (int i = 0; i < steps && play_steps(&p, 1); ++i) {
        carom_ledger ledger = play_ledger(&p);
        double before = i == 0 ? ledger.start : energy;
        energy = ledger.kinetic + ledger.potential;
        if (ledger.impacts > impacts) {
            worst = fmax(worst, fabs((energy - before) / before)); // [ETM eq. 68]
            ++hits;
        }
        impacts = ledger.impacts;
    }
    printf("%s, %s: %d steps with collisions, %lld impacts, energy error at most %.2g\n", name, law,
           hits, (long long)impacts, worst);
    CHECK(hits >= 4, "%s, %s: spheres met in %d of %d steps", name, law, hits, steps);
    CHECK_MOST(worst, 1e-10, "%s, %s: energy error of a step with collisions", name, law);
    play_close(&p);
}

int main(void)
{
    int steps = check_effort(100, 66);
    packing("packing-540", "qce", steps);
    packing("packing-540", "gr", steps);
    packing("packing-540", "etm", steps);
    packing("packing-540", "sqm", steps);
    packing("packing-1080", "qce", check_effort(80, 63));
    return check_report();
}

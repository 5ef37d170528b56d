// A box of grains, shaken once.
#include <math.h>
#include <stdio.h>
#include "support/check.h"
#include "support/play.h"

// scenes/world/shake.json with a tenth of its grains: they settle, one shake lifts them, the shock
// passes through and they settle again, with every promise of the law kept [QCE, figure 8].
static void shake(void)
{
    static const char text[] =
        "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.0025, \"duration\": 3, \"events\": 0,"
        "  \"law\": \"qce\", \"resting_speed\": 0.05,"
        "  \"materials\": { \"grit\": { \"restitution\": 0.3, \"friction\": 0.2 } },"
        "  \"bodies\": [ { \"name\": \"box\", \"shape\": { \"container\": { \"inside\": [1.08, "
        "0.43, 3],"
        "    \"thickness\": 0.2 } }, \"kind\": \"fixed\", \"material\": \"grit\" } ],"
        "  \"generators\": [ { \"grid\": { \"count\": [10, 4, 10], \"spacing\": [0.104, 0.104, "
        "0.104],"
        "    \"jitter\": 0.0019, \"body\": { \"name\": \"grain\", \"shape\": { \"sphere\": 0.05 },"
        "    \"position\": [-0.468, -0.156, 0.054], \"material\": \"grit\" } } } ],"
        "  \"changes\": [ { \"at\": 1, \"shake\": \"box\", \"amplitude\": [0, 0, 0.1], "
        "\"frequency\": 3,"
        "    \"cycles\": 1 } ] }";
    play p = play_parse("shake", text);
    play_until(&p, 1);
    carom_ledger settled = play_ledger(&p);
    double max = 0;
    for (int k = 0; k < 16; ++k) {
        play_until(&p, 1 + 0.025 * (k + 1));
        max = fmax(max, play_ledger(&p).kinetic);
    }
    play_until(&p, 2.6);
    carom_ledger end = play_ledger(&p);
    carom_audit audit = carom_world_audit(p.world);
    printf("shake: kinetic %.3g J settled, %.3g J shaken, %.3g J after; overlap %.3g m; left "
           "approaching %.1g, gained %.1g\n",
           settled.kinetic, max, end.kinetic, end.peak_overlap, audit.penetration, audit.gain);
    CHECK_MOST(settled.kinetic, 0.01 * max, "the grains lie still before the shake");
    CHECK_MOST(end.kinetic, 0.01 * max, "and after it");
    CHECK_MOST(audit.penetration, 1e-8, "no impact leaves anything approaching");
    CHECK_MOST(audit.gain, 1e-10, "no impact gains energy");
    CHECK_MOST(audit.pull, 1e-12, "no impact pulls");
    CHECK_MOST(audit.momentum, 1e-11, "momentum is kept");
    CHECK_MOST(end.peak_overlap, 0.005, "overlap at most a twentieth of a diameter");
    play_close(&p);
}

int main(void)
{
    shake();
    return check_report();
}

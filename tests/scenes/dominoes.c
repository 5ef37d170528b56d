// Thirty dominoes: one is pushed, all fall, in order, and the front settles to a steady speed.
#include <math.h>
#include <stdio.h>
#include "support/check.h"
#include "support/play.h"

enum { DOMINOES = 30 };

// Angle between the long side and the vertical, degrees.
static double tilt(const play *p, int body)
{
    double up = quat_rotate(play_rotation(p, body), vec3_make(0, 0, 1)).z;
    return 57.29577951308232 * acos(fmin(fmax(up, -1), 1));
}

int main(void)
{
    play p = play_open("dominoes");
    int first = play_find(&p, "domino[0]");
    double fell[DOMINOES] = { 0 }; // s: when it first leans by 10 degrees
    // A domino at the edge of toppling leans by atan(thickness / height) = 8.9 degrees; one that
    // has leant by 10 falls.
    while (p.step < carom_scene_world_steps(p.scene) && play_steps(&p, 1))
        for (int i = 0; i < DOMINOES; ++i)
            if (fell[i] == 0 && tilt(&p, first + i) > 10)
                fell[i] = (double)p.step * p.dt;
    for (int i = 0; i < DOMINOES && !p.broken; ++i) {
        CHECK(fell[i] > 0, "domino %d falls", i);
        CHECK(i == 0 || fell[i] > fell[i - 1], "domino %d falls after the one before (%g, %g s)", i,
              fell[i], i ? fell[i - 1] : 0);
        // Leaning on the next one at 24 mm they cannot lie flat: sin(lean) is at least
        // spacing / height = 1/2 of the way, 60 degrees from the vertical; the last lies flat.
        CHECK(tilt(&p, first + i) > (i + 1 < DOMINOES ? 60 : 89), "domino %d lies at %g degrees", i,
              tilt(&p, first + i));
    }
    // The wave forgets its push: both halves of the last 16 gaps take equally long, to within the
    // step's 2 ms per passage and the waviness of the front.
    double early = fell[21] - fell[13], late = fell[29] - fell[21];
    CHECK_NEAR(early / late, 1, 0.1, "the front runs steadily: 8 gaps in %g s, then in %g s", early,
               late);
    carom_ledger ledger = play_ledger(&p);
    CHECK_MOST(ledger.kinetic, 1e-12, "everything has come to rest");
    // a tenth of a millimetre: 2 % of a domino's thickness
    CHECK_MOST(ledger.overlap, 1.5e-4, "deepest overlap at the end");
    printf("dominoes: front %.3f m/s, all down after %.3f s\n", 8 * 0.024 / late, fell[29]);
    play_close(&p);
    return check_report();
}

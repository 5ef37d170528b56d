// A wedge-shaped hull dropped on the floor comes to rest on one of its faces, not in the floor,
// whichever way it is turned and however long the step.
#include "support/check.h"
#include "support/play.h"

#include <stdio.h>

static void rests(double step, double turn)
{
    char text[1200];
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"kind\": \"world\", \"step\": %g, \"materials\": { \"m\": { "
             "\"restitution\": 0.3, \"friction\": 0.5 } }, \"bodies\": [ { \"kind\": \"fixed\", "
             "\"material\": \"m\", \"shape\": { \"plane\": [0, 0, 1] } }, { \"name\": \"wedge\", "
             "\"material\": \"m\", \"shape\": { \"hull\": [[-0.1, -0.15, 0], [0.1, -0.15, 0], "
             "[-0.1, 0.15, 0], [0.1, 0.15, 0], [0, -0.15, 0.12], [0, 0.15, 0.12]] }, "
             "\"position\": [0, 0, 0.5], \"turn\": [0.3, 0.5, 0.8, %g] } ] }",
             step, turn);
    play p = play_parse("wedge", text);
    play_steps(&p, (int)(3 / step));
    carom_ledger ledger = play_ledger(&p);
    CHECK(ledger.kinetic < 1e-12, "step %g s, turned by %g: still moves with %g J", step, turn,
          ledger.kinetic);
    CHECK(ledger.overlap < 1e-4, "step %g s, turned by %g: %g m deep", step, turn, ledger.overlap);
    play_close(&p);
}

int main(void)
{
    for (double step = 0.002; step < 0.03; step *= 3)
        for (double turn = 0.2; turn < 6; turn += 1.1)
            rests(step, turn);
    return check_report();
}

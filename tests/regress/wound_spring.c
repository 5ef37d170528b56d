// An arm with a spring in its elbow slides over the floor. What position correction displaces of it
// winds up the spring; that was not in its books, nor bounded by what resting contact had lost: at
// 1/60 s the time stepping added 0.004 of the energy at stake, a broken promise.
#include "support/check.h"
#include "support/play.h"

#include <math.h>
#include <stdio.h>

static void slides(double step, double friction)
{
    char text[2000];
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"kind\": \"world\", \"step\": %.17g, "
             "\"materials\": { \"default\": { \"restitution\": 0.3, \"friction\": %g } }, "
             "\"bodies\": [ { \"name\": \"floor\", \"kind\": \"fixed\", "
             "\"shape\": { \"plane\": [0, 0, 1] } }, "
             "{ \"name\": \"upper\", \"shape\": { \"box\": [0.4, 0.05, 0.05] }, \"mass\": 2, "
             "\"position\": [0.2, 0, 0.5] }, "
             "{ \"name\": \"lower\", \"shape\": { \"box\": [0.4, 0.05, 0.05] }, \"mass\": 2, "
             "\"position\": [0.6, 0, 0.5] }, "
             "{ \"name\": \"hand\", \"shape\": { \"sphere\": 0.08 }, \"mass\": 2, "
             "\"position\": [0.9, 0, 0.5] } ], "
             "\"joints\": [ { \"kind\": \"hinge\", \"a\": \"upper\", \"anchor\": [0, 0, 0.5], "
             "\"axis\": [0, 1, 0] }, "
             "{ \"kind\": \"hinge\", \"a\": \"lower\", \"b\": \"upper\", "
             "\"anchor\": [0.4, 0, 0.5], \"axis\": [0, 1, 0], \"stiffness\": 20 }, "
             "{ \"kind\": \"fixed\", \"a\": \"hand\", \"b\": \"lower\", "
             "\"anchor\": [0.8, 0, 0.5] } ] }",
             step, friction);
    play p = play_parse("arm", text);
    play_until(&p, 3);
    carom_ledger ledger = play_ledger(&p);
    CHECK(ledger.position_correction > 1e-4, "there is something to correct: %g J",
          ledger.position_correction);
    // of some 16 J; motion over the 180 to 720 intervals, each to 1e-11, and round-off
    CHECK_NEAR(ledger.integrator, 0, 1e-7, "friction %g, step %g s: added by the time stepping (J)",
               friction, step);
    CHECK_MOST(carom_world_energy_gain(p.world, NULL, NULL), 5e-4,
               "friction %g, step %g s: gained, with what corrections spend", friction, step);
    play_close(&p);
}

int main(void)
{
    slides(1.0 / 60, 0);
    slides(1.0 / 60, 0.3);
    slides(1.0 / 240, 0);
    slides(1.0 / 240, 0.3);
    return check_report();
}

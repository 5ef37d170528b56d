// A plate that tumbles between two walls: its times of impact were found as if it turned about one
// axis within the interval, which only bodies with the same inertia about every axis do. It was
// inside a wall by 0.64 of its thickness (1.3 cm) in steps of 0.05 s, with every contact located.
//
// And a plate of 2 cm that falls onto a ball, steps of 1/60 s, no restitution: it turned about its
// contact by up to 0.5 rad in an interval, which takes its ends through the ball: 1.2 to 3.1 times
// its thickness on its way.
//
// And a ball that slides fast across a cube that turns, steps of 1/30 s, no restitution: the face
// comes up under it by spin times slip times the square of the interval, of which nothing was
// known; up to 0.26 of its thickness on its way.
#include <stdio.h>
#include "support/check.h"
#include "support/play.h"

static const char scene[] =
    "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.05, \"gravity\": [0, 0, 0],"
    "\"materials\": { \"m\": { \"restitution\": 1, \"friction\": 0 } }, \"bodies\": ["
    "{ \"name\": \"floor\", \"kind\": \"fixed\", \"material\": \"m\","
    " \"shape\": { \"plane\": [0, 0, 1] } },"
    "{ \"name\": \"roof\", \"kind\": \"fixed\", \"material\": \"m\","
    " \"shape\": { \"plane\": [0, 0, -1] }, \"position\": [0, 0, 3] },"
    "{ \"name\": \"plate\", \"material\": \"m\", \"shape\": { \"box\": [1, 0.6, 0.02] },"
    " \"position\": [0, 0, 1.5], \"velocity\": [0, 0, -3], \"spin\": [6, 1, 3] } ] }";

static const char onto_ball[] =
    "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.016666666666666666,"
    "\"materials\": { \"default\": { \"restitution\": 0, \"friction\": 0 } }, \"bodies\": ["
    "{ \"name\": \"floor\", \"kind\": \"fixed\", \"shape\": { \"plane\": [0, 0, 1] } },"
    "{ \"name\": \"ball\", \"shape\": { \"sphere\": 0.25 }, \"mass\": 3,"
    " \"position\": [0, 0, 0.25] },"
    "{ \"name\": \"plate\", \"shape\": { \"box\": [0.4, 0.3, 0.02] }, \"mass\": 1,"
    " \"position\": [%g, 0.03, 0.8], \"turn\": [0, 1, 0, %g],"
    " \"velocity\": [0, 0, -5], \"spin\": [2, 1, 0] } ] }";

static void falls_onto_ball(double x, double degrees)
{
    char text[sizeof onto_ball + 40];
    snprintf(text, sizeof text, onto_ball, x, degrees);
    play p = play_parse("plate on a ball", text);
    play_steps(&p, 36);
    CHECK_MOST(carom_world_audit(p.world).overlap, 1, "a plate that does not go through, %g m, %g",
               x, degrees);
    play_close(&p);
}

static const char across_cube[] =
    "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.03333333333333333, \"gravity\": [0, 0, 0],"
    "\"materials\": { \"default\": { \"restitution\": 0, \"friction\": 0 } }, \"bodies\": ["
    "{ \"name\": \"cube\", \"shape\": { \"box\": [0.4, 0.4, 0.4] }, \"mass\": 10, \"spin\": [0, "
    "-6, 0] },"
    "{ \"name\": \"ball\", \"shape\": { \"sphere\": 0.08 }, \"mass\": 0.5,"
    " \"position\": [%g, 0, 0.29], \"velocity\": [8, 0, %g] } ] }";

static void slides_across_cube(double x, double down)
{
    char text[sizeof across_cube + 40];
    snprintf(text, sizeof text, across_cube, x, down);
    play p = play_parse("ball across a cube", text);
    play_steps(&p, 6);
    // intervals are as long as spin and slip at their beginning leave 0.06; an impact changes both
    CHECK_MOST(carom_world_audit(p.world).overlap, 0.1,
               "of the ball's thickness inside a cube that turns, from %g m at %g m/s", x, down);
    play_close(&p);
}

int main(void)
{
    for (int i = 1; i <= 5; ++i) {
        slides_across_cube(-0.05 * i, -0.3);
        slides_across_cube(-0.05 * i, -1);
    }
    for (int i = 1; i <= 3; ++i)
        for (int k = 1; k <= 3; ++k)
            falls_onto_ball(0.05 * i, 17 * k);
    play p = play_parse("plate", scene);
    play_steps(&p, 200);
    carom_ledger ledger = play_ledger(&p);
    CHECK(ledger.impacts > 10, "it strikes the walls, %lld times", (long long)ledger.impacts);
    // `touch` of the options is 1e-9 m; contacts end that near
    CHECK_MOST(ledger.peak_overlap, 1e-8, "m, the deepest that the plate is in a wall");
    CHECK_MOST(carom_world_audit(p.world).overlap, 1e-5, "of its thickness, on the way too");
    play_close(&p);
    return check_report();
}

// The slop scales with the bodies: three cubes of two micrometres, stacked and left alone, sank
// into each other by the whole of the fixed slop of 1e-5 m, five times their edge.
#include "support/check.h"
#include "support/play.h"

#include <math.h>
#include <stdio.h>

// Three cubes, half an edge apart, fall onto the floor and each other, and lie there.
static void stands(double edge, double gravity)
{
    char text[1200];
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"kind\": \"world\", \"gravity\": [0, 0, %.17g], \"step\": %.17g,"
             "\"resting_speed\": 1e-3, \"materials\": { \"m\": { \"restitution\": 0,"
             "\"friction\": 0.5 } }, \"bodies\": ["
             "{ \"name\": \"floor\", \"shape\": { \"plane\": [0, 0, 1] }, \"kind\": \"fixed\","
             "\"material\": \"m\" },"
             "{ \"name\": \"a\", \"shape\": { \"box\": [%.17g, %.17g, %.17g] },"
             "\"position\": [0, 0, %.17g], \"material\": \"m\" },"
             "{ \"name\": \"b\", \"shape\": { \"box\": [%.17g, %.17g, %.17g] },"
             "\"position\": [0, 0, %.17g], \"material\": \"m\" },"
             "{ \"name\": \"c\", \"shape\": { \"box\": [%.17g, %.17g, %.17g] },"
             "\"position\": [0, 0, %.17g], \"material\": \"m\" } ] }",
             -gravity, 0.1 * sqrt(2 * edge / gravity), edge, edge, edge, 1.0 * edge, edge, edge,
             edge, 2.5 * edge, edge, edge, edge, 4.0 * edge);
    play p = play_parse("tiny", text);
    play_build(&p);
    play_steps(&p, 1000);
    carom_audit audit = carom_world_audit(p.world);
    // two slops: one is left alone, position correction is on its way to it
    CHECK_MOST(audit.overlap, 0.02, "share of a cube of %g m inside another at %g m/s^2", edge,
               gravity);
    vec3 top = play_position(&p, play_find(&p, "c"));
    CHECK_NEAR(top.z, 2.5 * edge, 0.06 * edge, "height of the uppermost of %g m", edge);
    play_close(&p);
}

int main(void)
{
    stands(2e-6, 9.81);
    stands(2e-6, 1e4);
    stands(1e-4, 9.81);
    stands(1, 9.81);
    stands(1, 1e5);
    return check_report();
}

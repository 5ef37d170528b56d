// What a falling crowd may cost, by counts. Sixty boxes in steps of 1/240 s were cut into 8.6
// intervals a step, as a step could afford the same number of times of impact whatever its length,
// each with the sweeps of the resting solver, 589 a step in all; impacts whose moment nobody knew
// were resolved again with wider surroundings. Forty dominoes took 327 sweeps a step: up to the cap
// of 200 in every interval, although their velocities stood still after some thirty.
#include "support/check.h"
#include "support/play.h"

#include <stdio.h>

typedef struct cost {
    double intervals, sweeps, repeated; // a step
} cost;

static cost run(play *p, int steps)
{
    double sweeps = 0;
    play_build(p);
    for (int i = 0; i < steps && play_steps(p, 1); ++i)
        sweeps += (double)play_ledger(p).rest_sweeps;
    carom_profile profile = carom_world_profile(p->world);
    return (cost){ (double)profile.intervals / steps, sweeps / steps,
                   (double)profile.repeated / steps };
}

static void check_boxes(void)
{
    play p = play_parse(
        "boxes", "{ \"carom\": 1, \"kind\": \"world\", \"step\": \"1/240\","
                 "  \"materials\": { \"m\": { \"restitution\": 0.3, \"friction\": 0.5 } },"
                 "  \"bodies\": [ { \"name\": \"tub\", \"kind\": \"fixed\", \"material\": \"m\","
                 "    \"shape\": { \"container\": { \"inside\": [0.58, 0.58, 2],"
                 "      \"thickness\": 0.3 } } } ],"
                 "  \"generators\": [ { \"fill\": { \"count\": 60, \"seed\": 3,"
                 "    \"from\": [-0.28, -0.28, 0.1], \"to\": [0.28, 0.28, 1.6],"
                 "    \"bodies\": [ { \"name\": \"box\", \"material\": \"m\","
                 "      \"shape\": { \"box\": [0.1, 0.08, 0.06] } } ] } } ] }");
    cost c = run(&p, 160);
    // found 3.1, 239 and 0.08; before 8.6, 589 and 0.39
    CHECK_MOST(c.intervals, 4.5, "boxes: intervals a step");
    CHECK_MOST(c.sweeps, 350, "boxes: sweeps a step");
    CHECK_MOST(c.repeated, 0.2, "boxes: calls of the law repeated a step");
    // every joule is booked: none out of the time stepping
    CHECK_MOST(carom_world_energy_gain(p.world, NULL, NULL), 1e-3, "energy out of nothing");
    play_close(&p);
}

static void check_dominoes(void)
{
    char text[9000];
    int at = snprintf(text, sizeof text,
                      "{ \"carom\": 1, \"kind\": \"world\", \"step\": \"1/240\", \"materials\": { "
                      "\"default\": { \"restitution\": 0.3, \"friction\": 0.5 } }, \"bodies\": [ "
                      "{ \"name\": \"floor\", \"kind\": \"fixed\", \"shape\": { \"plane\": [0, 0, "
                      "1] } }");
    for (int i = 0; i < 40; ++i)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       ", { \"name\": \"d%d\", \"shape\": { \"box\": [0.01, 0.04, 0.08] }, "
                       "\"position\": [%g, 0, 0.04], \"spin\": [0, %d, 0], "
                       "\"velocity\": [%g, 0, 0] }",
                       i, 0.04 * i, i == 0 ? 4 : 0, i == 0 ? 0.16 : 0.0);
    snprintf(text + at, sizeof text - (size_t)at, " ] }");
    play p = play_parse("dominoes", text);
    cost c = run(&p, 480);
    CHECK_MOST(c.sweeps, 250, "dominoes: sweeps a step"); // found 183; before 327
    CHECK(play_position(&p, play_find(&p, "d39")).z < 0.03, "the last one has fallen");
    play_close(&p);
}

int main(void)
{
    check_boxes();
    check_dominoes();
    return check_report();
}

// A floor that begins to swing takes its velocity at once, at the speed of its fastest moment: what
// stands on it is struck then, by the law, with its restitution c. A ball leaves with (1 + c) A 2
// pi f, whether the swing begins within a step, at its end, or next to it by the round-off of a sum
// of steps.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/scene.h"
#include "carom/world.h"
#include "support/check.h"

static void check_start(double step, double start, int events, const char *law)
{
    const double c = 0.5, amplitude = 0.01, frequency = 10;
    char text[1200];
    carom_error err = { 0 };
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"kind\": \"world\", \"law\": \"%s\", \"events\": %d, \"materials\": "
             "{\"m\": {\"restitution\": %g, \"friction\": 0}}, \"bodies\": [{\"name\": \"ball\", "
             "\"shape\": {\"sphere\": 0.1}, \"position\": [0, 0, 0.1], \"material\": \"m\"}, "
             "{\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"kind\": \"fixed\", "
             "\"material\": \"m\"}], \"changes\": [{\"at\": %.17g, \"shake\": \"floor\", "
             "\"amplitude\": [0, 0, %g], \"frequency\": %g, \"cycles\": 1}]}",
             law, events, c, start, amplitude, frequency);
    CHECK(carom_scene_world_parse("test", text, strlen(text), &scene, &err) == CAROM_OK, "%s %s",
          err.what, err.where);
    CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK, "%s", err.what);
    int steps = (int)(start / step) + 4;
    for (int i = 0; i < steps; ++i) {
        carom_scene_world_change(scene, world, i);
        CHECK(carom_world_step(world, step, &err) == CAROM_OK, "%s", err.what);
    }
    double v[3], wanted = (1 + c) * amplitude * 2 * 3.141592653589793 * frequency;
    carom_world_body(world, carom_world_body_at(world, 0), NULL, NULL, v, NULL);
    wanted -= 9.81 * (carom_world_ledger(world).time - start);
    CHECK_NEAR(v[2], wanted, 1e-9, "step %g s, start %g s, events %d, %s", step, start, events,
               law);
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

int main(void)
{
    static const double starts[] = { 0.1, 0.3, 1, 2, 0.0999, 0.1004 };
    for (int k = 0; k < 6; ++k)
        for (int events = 0; events <= 1000; events += 1000) {
            check_start(0.0025, starts[k], events, "qce");
            check_start(0.001, starts[k], events, "qce");
            check_start(0.003, starts[k], events, "wave");
        }
    return check_report();
}

// "stop" of a world file: a ball thrown up, bouncing to rest, on a string that breaks.
#include <stdio.h>
#include <string.h>
#include "carom/scene.h"
#include "support/check.h"

// Steps until the run ends; -1: not within 10 s. `why` gets the reason.
static int run(const char *stop, char *why, size_t size)
{
    char text[1200];
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    carom_error err = { 0 };
    int steps = -1;
    snprintf(
        text, sizeof text,
        "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.01, \"stop\": { %s },"
        "\"materials\": { \"default\": { \"restitution\": 0.5, \"friction\": 0.5 } },"
        "\"bodies\": [ { \"name\": \"floor\", \"kind\": \"fixed\","
        "\"shape\": { \"plane\": [0, 0, 1] } }, { \"name\": \"ball\", \"mass\": 1,"
        "\"shape\": { \"sphere\": 0.1 }, \"position\": [0, 0, 1], \"velocity\": [0, 0, 0.981] } ],"
        "\"joints\": [ { \"name\": \"thread\", \"kind\": \"spring\", \"a\": \"ball\","
        "\"anchor_b\": [0, 0, 3], \"length\": 2, \"stiffness\": 1, \"break_force\": 0.5 } ] }",
        stop);
    why[0] = 0;
    if (CHECK(carom_scene_world_parse("f.json", text, strlen(text), &scene, &err) == CAROM_OK,
              "%s %s", err.where, err.what) &&
        CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK, "%s", err.what))
        for (int k = 1; k <= 1000 && steps < 0; ++k) {
            CHECK(carom_world_step(world, 0.01, &err) == CAROM_OK, "%s", err.what);
            if (carom_scene_world_stop_reached(scene, world, why, size))
                steps = k;
        }
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return steps;
}

int main(void)
{
    char why[120];
    CHECK(run("\"after\": 1", why, sizeof why) == -1, "without a condition it goes on");
    // nearly 0.1 s up, at its highest after that: v = 0.981 - g t, the thread gives next to nothing
    CHECK(run("\"kinetic\": 0.001", why, sizeof why) == 10, "at the turning point");
    CHECK_TEXT(why, "kinetic energy below 0.001 J", "the reason");
    int hit = run("\"impacts\": 1", why, sizeof why);
    CHECK(hit > 50 && hit < 62, "first impact: step %d", hit);
    CHECK_TEXT(why, "1 impact", "the reason");
    int rest = run("\"speed\": 0.001, \"after\": 0.3", why, sizeof why);
    CHECK(rest > hit && rest < 400, "at rest: step %d", rest);
    int broken = run("\"broken\": \"thread\"", why, sizeof why);
    CHECK(broken > 20 && broken < hit, "the thread breaks on the way down: step %d", broken);
    CHECK_TEXT(why, "joint \"thread\" has broken", "the reason");
    carom_scene_world *scene = NULL;
    carom_error err = { 0 };
    static const char flawed[] = "{ \"carom\": 1, \"kind\": \"world\", \"bodies\": [ { \"shape\":"
                                 "{ \"sphere\": 1 } } ], \"stop\": { \"broken\": \"x\" } }";
    CHECK(carom_scene_world_parse("f.json", flawed, strlen(flawed), &scene, &err) ==
              CAROM_BAD_INPUT,
          "a joint that is not there");
    CHECK(strstr(err.what, "no joint \"x\""), "%s", err.what);
    return check_report();
}

// A conveyor: a driven body whose surface runs while it stands still. A box put on it slides until
// it has the belt's speed V: it takes V/(mu g), goes V^2/(2 mu g) meanwhile, and the belt does the
// work m V^2, half of which friction takes. A ball ends up rolling at 2/7 of V (angular momentum
// about the point of contact stays).
#include <stdio.h>
#include <string.h>
#include "carom/scene.h"
#include "carom/world_change.h"
#include "support/check.h"

static const double speed = 2, friction = 0.4, gravity = 9.81, dt = 0.001;

static carom_world *build(const char *shape, carom_scene_world **scene)
{
    char text[1000];
    carom_world *world = NULL;
    carom_error err = { 0 };
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"kind\": \"world\", \"let\": { \"r\": 0.1 },"
             "\"materials\": { \"default\": { \"friction\": %g, \"restitution\": 0 } },"
             "\"bodies\": [ { \"name\": \"belt\", \"kind\": \"driven\", \"shape\": { \"box\": "
             "[20, 2, 0.2] }, \"position\": [5, 0, -0.1], \"drive\": { \"belt\": [%g, 0, 0] } },"
             "{ \"name\": \"load\", \"mass\": 3, \"shape\": %s, \"position\": [0, 0, \"r\"] } ] }",
             friction, speed, shape);
    CHECK(carom_scene_world_parse("f.json", text, strlen(text), scene, &err) == CAROM_OK, "%s %s",
          err.where, err.what);
    CHECK(carom_scene_world_build(*scene, NULL, &world, &err) == CAROM_OK, "%s", err.what);
    return world;
}

static void run(carom_world *world, double until)
{
    carom_error err = { 0 };
    for (int i = 0; i < (int)(until / dt + 0.5); ++i)
        if (!CHECK(carom_world_step(world, dt, &err) == CAROM_OK, "%s", err.what))
            return;
}

static void check_box(void)
{
    carom_scene_world *scene = NULL;
    carom_world *world = build("{ \"box\": [0.2, 0.2, \"2 * r\"] }", &scene);
    double position[3], velocity[3], belt[3];
    double slides = speed / (friction * gravity), until = 1;
    carom_ledger ledger;
    run(world, until);
    carom_world_body(world, carom_world_body_at(world, 1), position, NULL, velocity, NULL);
    carom_world_body(world, carom_world_body_at(world, 0), belt, NULL, NULL, NULL);
    ledger = carom_world_ledger(world);
    CHECK_NEAR(velocity[0], speed, 1e-9, "it goes with the belt");
    // one step of sliding is cut short: V dt / 2 at most
    CHECK_NEAR(position[0], speed * until - speed * speed / (2 * friction * gravity),
               0.5 * speed * dt, "having lost V^2/(2 mu g) on it in %g s", slides);
    CHECK_NEAR(belt[0], 5, 0, "the body of the belt stays");
    CHECK_NEAR(ledger.driven, 3 * speed * speed, 1e-9, "work of the belt: m V^2");
    CHECK_NEAR(ledger.rest, 1.5 * speed * speed, 1e-2, "of which friction takes half");
    CHECK_NEAR(ledger.kinetic, 1.5 * speed * speed, 1e-9, "and motion has the other");
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

static void check_ball(void)
{
    carom_scene_world *scene = NULL;
    carom_world *world = build("{ \"sphere\": \"r\" }", &scene);
    double velocity[3], spin[3];
    run(world, 1);
    carom_world_body(world, carom_world_body_at(world, 1), NULL, NULL, velocity, spin);
    CHECK_NEAR(velocity[0], speed * 2 / 7, 1e-9, "a ball rolls at 2/7 of the belt's speed");
    CHECK_NEAR(velocity[0] - spin[1] * 0.1, speed, 1e-9, "without slip");
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

// A joint cannot hold on to what runs away from under it.
static void check_joint(void)
{
    carom_scene_world *scene = NULL;
    carom_world *world = build("{ \"sphere\": \"r\" }", &scene);
    carom_error err = { 0 };
    carom_joint joint = { .kind = CAROM_JOINT_BALL,
                          .a = carom_world_body_at(world, 0),
                          .b = carom_world_body_at(world, 1) };
    CHECK(carom_world_add_joint(world, &joint, NULL, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "a belt"),
          "%s", err.what);
    carom_world_destroy(world);
    carom_scene_world_close(scene);
}

int main(void)
{
    check_box();
    check_ball();
    check_joint();
    return check_report();
}

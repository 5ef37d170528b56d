// A servo wall: a lid that slides in a shaft of changing width keeps its stress. At rest the floor
// bears stress times area and the weights; when a side wall is moved, the area follows.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/scene.h"
#include "support/check.h"

static const char text[] =
    "{ \"carom\": 1, \"kind\": \"world\", \"step\": 0.002, \"law\": \"newton\","
    "\"materials\": { \"default\": { \"restitution\": 0, \"friction\": 0 } }, \"bodies\": ["
    "{ \"name\": \"floor\", \"kind\": \"fixed\", \"shape\": { \"box\": [4, 4, 0.2] },"
    "  \"position\": [0, 0, -0.1] },"
    "{ \"name\": \"front\", \"kind\": \"fixed\", \"mask\": [5], \"shape\": { \"box\": [3, 0.1, 1] },"
    "  \"position\": [0, -0.3, 0.5] },"
    "{ \"name\": \"back\", \"kind\": \"fixed\", \"mask\": [5], \"shape\": { \"box\": [3, 0.1, 1] },"
    "  \"position\": [0, 0.3, 0.5] },"
    "{ \"name\": \"left\", \"kind\": \"fixed\", \"mask\": [5], \"shape\": { \"box\": [0.1, 1, 1] },"
    "  \"position\": [-0.55, 0, 0.5] },"
    "{ \"name\": \"right\", \"kind\": \"driven\", \"mask\": [5], \"shape\": { \"box\": [0.1, 1, 1] },"
    "  \"position\": [0.55, 0, 0.5], \"velocity\": [-0.5, 0, 0] },"
    "{ \"name\": \"block\", \"mass\": 2, \"shape\": { \"box\": [0.2, 0.2, 0.2] },"
    "  \"position\": [0, 0, 0.1] },"
    "{ \"name\": \"lid\", \"mass\": 3, \"shape\": { \"box\": [0.4, 0.4, 0.1] },"
    "  \"position\": [0, 0, 0.25], \"servo\": { \"stress\": 1000, \"direction\": [0, 0, -2],"
    "  \"between\": [[\"front\", \"back\"], [\"left\", \"right\"]] } } ],"
    "\"joints\": [ { \"kind\": \"slider\", \"a\": \"lid\", \"anchor\": [0, 0, 0.25], \"axis\": "
    "[0, 0, 1] } ] }";

// N on the floor in the last step.
static double load(const carom_world *world)
{
    int count;
    double sum = 0;
    const carom_world_contact *contacts = carom_world_contacts(world, &count);
    for (int i = 0; i < count; ++i)
        if (contacts[i].a == 0 || contacts[i].b == 0)
            sum += fabs(contacts[i].impulse[2]);
    return sum / 0.002;
}

int main(void)
{
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    carom_error err = { 0 };
    CHECK(carom_scene_world_parse("f.json", text, strlen(text), &scene, &err) == CAROM_OK, "%s %s",
          err.where, err.what);
    CHECK(carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK, "%s", err.what);
    carom_world_record_contacts(world, 1);
    for (int i = 0; i < 300; ++i) {
        carom_scene_world_change(scene, world, i);
        carom_world_contacts_clear(world);
        if (!CHECK(carom_world_step(world, 0.002, &err) == CAROM_OK, "%s", err.what))
            break;
        double width = 1 - 0.5 * 0.002 * i, wanted = 1000 * 0.5 * width + 5 * 9.81;
        if (i == 100 || i == 299) // 1e-6: the resting solver's tolerance on a load of 500 N
            CHECK_NEAR(load(world), wanted, 1e-6 * wanted, "the floor bears it after step %d", i);
    }
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return check_report();
}

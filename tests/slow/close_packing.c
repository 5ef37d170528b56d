// Spheres without friction that settle: random close packing, and as many contacts as an isostatic
// packing has. scenes/world/close-packing.json, measured away from the walls.
#include "carom/measure.h"
#include "support/check.h"

static double value(const carom_scene_world *scene, carom_world *world, carom_measure_kind of,
                    const char *name)
{
    carom_error err = { 0 };
    carom_measure *m = NULL;
    const carom_measure_table *table = NULL;
    carom_measure_options options = { .of = of, .box = { -0.05, -0.05, 0.025, 0.05, 0.05, 0.06 } };
    CHECK(carom_measure_create(scene, &options, &m, &err) == CAROM_OK, "%s", err.what);
    carom_world_record_contacts(world, 1);
    CHECK(carom_world_step(world, carom_scene_world_step(scene), &err) == CAROM_OK, "%s", err.what);
    CHECK(m && carom_measure_look(m, world, carom_scene_world_step(scene), &err) == CAROM_OK &&
              carom_measure_finish(m, &table, &err) == CAROM_OK,
          "%s", err.what);
    double found = table ? carom_measure_value(table, name) : 0;
    carom_measure_destroy(m);
    return found;
}

int main(void)
{
    carom_error err = { 0 };
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    CHECK(carom_scene_world_open(CAROM_SOURCE_DIR "/scenes/world/close-packing.json", &scene,
                                 &err) == CAROM_OK &&
              carom_scene_world_build(scene, NULL, &world, &err) == CAROM_OK,
          "%s", err.what);
    for (int64_t i = 0; i < carom_scene_world_steps(scene); ++i)
        if (!CHECK(carom_world_step(world, carom_scene_world_step(scene), &err) == CAROM_OK, "%s",
                   err.what))
            break;
    // 0.6366 in experiments; 410 grains are counted, and the box cuts some: 1 % of the volume
    CHECK_NEAR(value(scene, world, CAROM_MEASURE_PACKING, "packing fraction"), 0.6366, 0.01,
               "random close packing");
    // overlaps of 1e-5 diameters under gravity close a few contacts more than 6
    CHECK_NEAR(value(scene, world, CAROM_MEASURE_COORDINATION, "without rattlers"), 6.1, 0.25,
               "isostatic");
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return check_report();
}

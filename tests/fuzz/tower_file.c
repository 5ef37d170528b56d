// Fuzz target: the reader of tower files. For any bytes it must come back, and a refusal must say
// what, where and how to fix it. The first instant of a small tower is solved, and a step of its
// motion.
#include "carom/scene.h"
#include "carom/tower.h"
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void move(const carom_tower *tower)
{
    carom_error err = { 0 };
    carom_tower_motion_options options = carom_tower_motion_default();
    carom_tower_motion *motion = NULL;
    carom_tower_step report;
    if (carom_tower_motion_create(tower, &options, &motion, &err) != CAROM_OK) {
        claim(*err.what, "a motion, or a reason", &err);
        return;
    }
    for (int i = 0; i < 3; ++i)
        claim(carom_tower_motion_step(motion, &report, &err) == CAROM_OK || *err.what,
              "a step, or a reason", &err);
    carom_tower_motion_destroy(motion);
}

static void use(const char *path)
{
    carom_error err = { 0 };
    carom_tower *tower = NULL;
    carom_tower_instant instant = { 0 };
    if (carom_tower_file_load(path, &tower, &err) != CAROM_OK)
        return;
    if (carom_tower_bodies(tower) <= 8) {
        if (carom_tower_initial(tower, CAROM_TOWER_AUTO, &instant, &err) != CAROM_OK)
            claim(*err.what, "an instant, or a reason", &err);
        carom_tower_initial_free(&instant);
        move(tower);
    }
    carom_tower_destroy(tower);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    claim_scene(data, size, use);
    return 0;
}

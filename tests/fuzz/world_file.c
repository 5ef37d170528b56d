// Fuzz target: the reader of world scenes. For any bytes it must come back, a refusal must say
// what, where and how to fix it, and a scene that is accepted can be built and stepped, or says why
// not. What a world of few bodies does from a snapshot it does again.
#include "scene/scene_bounce.h"
#include <stdlib.h>
#include "support/claim.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static const double MEGABYTES = 0.05; // so that generators stay quick

static bool steps(carom_world *world, double dt)
{
    carom_error err = { 0 };
    bool done = carom_world_step(world, dt, &err) == CAROM_OK;
    claim(done || *err.what, "a step, or a reason", &err);
    return done;
}

static void step(const carom_scene_world *scene, carom_world *world)
{
    carom_error err = { 0 };
    double dt = carom_scene_world_step(scene);
    carom_world_set_progress(world, &claim_impatient);
    if (!steps(world, dt) || !steps(world, dt))
        return;
    size_t size = carom_world_snapshot_size(world);
    void *bytes = malloc(size);
    if (!bytes)
        return;
    carom_world_snapshot(world, bytes);
    bool once = steps(world, dt);
    uint64_t hash = carom_world_hash(world);
    claim(carom_world_restore(world, bytes, size, &err) == CAROM_OK, "a snapshot fits", &err);
    if (once && steps(world, dt))
        claim(carom_world_hash(world) == hash, "the same step again gives the same bits", &err);
    free(bytes);
}

static void use(const carom_scene_world *scene)
{
    carom_error err = { 0 };
    carom_world *world = NULL;
    char name[64];
    for (int i = 0; i < carom_scene_world_body_count(scene); ++i) {
        carom_scene_world_body_name(scene, i, name, sizeof name);
        carom_scene_world_look(scene, i);
    }
    carom_scene_bounce_ready(scene, true); // computing maps is another test's work, and long
    if (carom_scene_world_build(scene, NULL, &world, &err) != CAROM_OK) {
        claim(world == NULL && *err.what, "a world exactly on success, or a reason", &err);
        return;
    }
    claim(carom_world_body_count(world) == carom_scene_world_body_count(scene), "as many bodies",
          &err);
    bool sound = carom_scene_world_examine(scene, world, &err) == CAROM_OK;
    claim(sound || (*err.what && *err.fix), "overlaps are explained", &err);
    carom_scene_world_change(scene, world, 0);
    if (sound && carom_scene_world_body_count(scene) < 20)
        step(scene, world);
    carom_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    carom_error err = { 0 };
    carom_scene_world *scene = NULL;
    carom_status status = carom_scene_world_parse_within(MEGABYTES, CLAIM_FILE, (const char *)data,
                                                         size, &scene, &err);
    claim((status == CAROM_OK) == (scene != NULL), "a scene exactly on success", &err);
    if (scene)
        use(scene);
    else
        claim_refusal(&err, CLAIM_FILE);
    carom_scene_world_close(scene);
    return 0;
}

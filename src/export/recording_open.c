// Recordings from files: trajectories with the scene they carry, and scenes.
#include <stdio.h>
#include <string.h>
#include "export/recording.h"
#include "trajectory/layout.h"
#include "scene/scene_bounce.h"

static bool is_trajectory(const char *path)
{
    char start[sizeof CAROM_LAYOUT_MAGIC] = { 0 };
    size_t length = strlen(path);
    FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "rb");
    bool empty = file && fread(start, 1, sizeof start - 1, file) == 0;
    if (file)
        fclose(file);
    return strcmp(start, CAROM_LAYOUT_MAGIC) == 0 || empty ||
           (length > 6 && strcmp(path + length - 6, ".carom") == 0);
}

// A scene without a title is called by its file, or by the trajectory it was found in.
static carom_status copy_title(carom_recording *recording, const carom_scene_world *scene,
                               const char *path, carom_error *err)
{
    const char *title = carom_scene_world_title(scene);
    size_t length = strlen(title);
    if (strcmp(title, "scene of the trajectory") == 0) {
        title = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
        length = strcspn(title, ".");
    }
    TAKE_ZEROS(recording->arena, recording->title, length + 1, err);
    memcpy(recording->title, title, length);
    return CAROM_OK;
}

static carom_status copy_looks(carom_recording *recording, const carom_scene_world *scene,
                               carom_error *err)
{
    for (int i = 0; i < recording->count; ++i) {
        char name[160];
        carom_scene_world_body_name(scene, i, name, sizeof name);
        TRY(carom_recording_set_body(recording, i, name, -1, err));
        recording->look[i] = carom_scene_world_look(scene, i);
    }
    for (int k = 0; k < scene->servo_count; ++k) { // walls, not what one wants to see
        int wall = scene->servos[k].member;
        recording->kind[wall] = CAROM_BODY_DRIVEN;
        recording->servo[wall] = true;
    }
    recording->light_count = carom_scene_world_lights(scene, recording->lights);
    for (int k = 0; k < scene->change_count; ++k) {
        const carom_scene_change *change = &scene->changes[k];
        if (change->kind != CAROM_SCENE_CHANGE_REMOVE)
            continue;
        if (!recording->removed) {
            TAKE(recording->arena, recording->removed, recording->count, err);
            for (int i = 0; i < recording->count; ++i)
                recording->removed[i] = HUGE_VAL;
        }
        // Frames lie on whole steps: a thousandth of one covers the round-off of their times.
        double from = change->at - 1e-3 * scene->step;
        recording->removed[change->body] = fmin(recording->removed[change->body], from);
    }
    return CAROM_OK;
}

static carom_status copy_materials(carom_recording *recording, const carom_scene_world *scene,
                                   carom_error *err)
{
    TAKE(recording->arena, recording->restitution, recording->count + 1, err);
    TAKE(recording->arena, recording->friction, recording->count + 1, err);
    recording->law = carom_law_name(carom_scene_world_options(scene).law);
    for (int i = 0; i < recording->count; ++i) {
        const carom_material *m = &scene->materials[scene->members[i].body.material];
        recording->restitution[i] = m->restitution;
        recording->friction[i] = m->friction;
    }
    return CAROM_OK;
}

carom_status carom_recording_open_from(const carom_scene_world *scene, const char *path,
                                       carom_recording **out, carom_error *err)
{
    carom_world *world = NULL;
    bool ready = carom_scene_bounce_ready(scene, true); // a picture needs no bounce maps
    carom_status status = carom_scene_world_build(scene, NULL, &world, err);
    carom_scene_bounce_ready(scene, ready);
    if (status == CAROM_OK)
        status = carom_recording_create(world, out, err);
    carom_world_destroy(world);
    if (status == CAROM_OK)
        status = copy_title(*out, scene, path, err);
    if (status == CAROM_OK)
        status = copy_looks(*out, scene, err);
    return status == CAROM_OK ? copy_materials(*out, scene, err) : status;
}

static carom_status open_scene(const char *path, carom_recording **out, carom_error *err)
{
    carom_scene_world *scene = NULL;
    TRY(carom_scene_world_open(path, &scene, err));
    carom_status status = carom_recording_open_from(scene, path, out, err);
    carom_scene_world_close(scene);
    return status;
}

static carom_status open_trajectory(const char *path, carom_recording **out, carom_error *err)
{
    carom_trajectory *trajectory = NULL;
    carom_scene_world *scene = NULL;
    TRY(carom_trajectory_open(path, &trajectory, err));
    carom_status status = carom_trajectory_scene(trajectory, &scene, err);
    if (status == CAROM_OK)
        status = carom_recording_open_from(scene, path, out, err);
    carom_scene_world_close(scene);
    if (status == CAROM_OK)
        status = carom_recording_set_trajectory(*out, trajectory, err);
    if (status != CAROM_OK) {
        carom_trajectory_close(trajectory);
        if (err && !*err->where)
            carom_error_where(err, "%s", path);
        return status;
    }
    (*out)->own = trajectory;
    return CAROM_OK;
}

carom_status carom_recording_open(const char *path, carom_recording **out, carom_error *err)
{
    NEED(err, path, out);
    *out = NULL;
    carom_status status =
        is_trajectory(path) ? open_trajectory(path, out, err) : open_scene(path, out, err);
    if (status != CAROM_OK) {
        carom_recording_destroy(*out);
        *out = NULL;
    }
    return status;
}

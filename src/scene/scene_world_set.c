// One value of an open scene changed by its path: the text is changed and read again.
#include "scene/scene_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static carom_status change(carom_scene_world *scene, carom_scene_text *text, const char *path,
                           const char *value, carom_error *err)
{
    carom_scene_world *fresh = NULL;
    size_t size = strlen(path) + strlen(value) + 2;
    char *setting = malloc(size);
    if (!setting)
        return carom_error_no_memory(err, "a setting");
    snprintf(setting, size, "%s=%s", path, value);
    carom_status status = carom_scene_text_set(text, setting, err);
    free(setting);
    TRY(status);
    TRY(carom_scene_world_reread(scene, text, &fresh, err));
    carom_scene_world old = *scene;
    *scene = *fresh;
    *fresh = old;
    carom_scene_world_close(fresh);
    return CAROM_OK;
}

carom_status carom_scene_world_set(carom_scene_world *scene, const char *path, const char *value,
                                   carom_error *err)
{
    NEED(err, scene, path, value);
    size_t size;
    const char *bytes = carom_reader_text(scene->reader, &size);
    carom_scene_text *text = NULL;
    TRY(carom_scene_text_parse(carom_reader_path(scene->reader), bytes, size, &text, err));
    carom_status status = change(scene, text, path, value, err);
    carom_scene_text_close(text);
    return status;
}

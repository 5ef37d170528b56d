// Runs world scenes for entries, changes their keys first where asked, and takes pictures of them.
#include "gallery/gallery_world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static carom_status open_recording(carom_gallery_show *show, carom_error *err)
{
    carom_trajectory *trajectory = NULL;
    TRY(carom_recording_open(show->path, &show->recording, err));
    TRY(carom_trajectory_open(show->path, &trajectory, err));
    carom_status status = carom_trajectory_scene(trajectory, &show->scene, err);
    carom_trajectory_close(trajectory);
    if (status == CAROM_OK)
        status = carom_recording_frame(
            show->recording, carom_recording_frame_count(show->recording) - 1, &show->last, err);
    return status;
}

carom_status carom_gallery_world_run(carom_gallery_result *result, const char *path,
                                     const char *const *set, int set_count,
                                     carom_gallery_show *show, carom_error *err)
{
    *show = (carom_gallery_show){ 0 };
    snprintf(show->path, sizeof show->path, "%s/%s.run.carom", result->out, result->entry->id);
    carom_runner *runner = NULL;
    carom_runner_settings settings = { .out = show->path,
                                       .overwrite = 1,
                                       .set = set,
                                       .set_count = set_count,
                                       .progress = result->progress };
    carom_status status = carom_runner_create(path, &settings, &runner, err);
    if (status == CAROM_OK)
        status = carom_runner_advance(runner, INT64_MAX, result->progress, err);
    if (status == CAROM_OK)
        show->report = carom_runner_judge(runner);
    carom_runner_destroy(runner);
    return status == CAROM_OK ? open_recording(show, err) : status;
}

void carom_gallery_world_close(carom_gallery_show *show)
{
    carom_recording_destroy(show->recording);
    carom_scene_world_close(show->scene);
    if (*show->path)
        remove(show->path);
    *show = (carom_gallery_show){ 0 };
}

carom_status carom_gallery_world_edit(carom_gallery_result *result, const char *scene,
                                      const carom_gallery_edit *edits, int count, char *path,
                                      size_t size, carom_error *err)
{
    char folder[4200], name[120];
    carom_text old = { 0 };
    snprintf(name, sizeof name, "%s", scene);
    for (char *c = name; *c; ++c)
        *c = *c == '/' ? '-' : *c;
    char *end = strstr(name, ".json");
    if (end)
        snprintf(end, 16, "-made.json");
    carom_gallery_result_scene(result, scene, path, size);
    if (!carom_gallery_files_read(path, &old) || !old.bytes) {
        carom_text_free(&old);
        return carom_error_set(err, CAROM_IO_FAILED, "cannot read %.150s", path);
    }
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        carom_text new = { 0 };
        const char *at = old.bytes, *hit;
        int hits = 0;
        for (; (hit = strstr(at, edits[i].from)); at = hit + strlen(edits[i].from), ++hits) {
            carom_text_add_bytes(&new, at, (size_t)(hit - at));
            carom_text_add(&new, "%s", edits[i].to);
        }
        carom_text_add(&new, "%s", at);
        carom_text_free(&old);
        old = new;
        if (!hits)
            status = carom_error_set(err, CAROM_BAD_INPUT, "%.80s has no %.60s to make smaller",
                                     scene, edits[i].from);
    }
    snprintf(folder, sizeof folder, "%s/scenes", result->out);
    if (status == CAROM_OK && mkdir(folder, 0777) != 0 && errno != EEXIST)
        status = carom_error_set(err, CAROM_IO_FAILED, "cannot make the folder %.150s", folder);
    if (status == CAROM_OK)
        status = carom_text_status(&old, err);
    if (status == CAROM_OK)
        status = carom_gallery_files_write(folder, name, old.bytes, old.length, err);
    carom_text_free(&old);
    snprintf(path, size, "%s/%s", folder, name);
    if (status == CAROM_OK && result->made_count < 4)
        snprintf(result->made[result->made_count++], sizeof result->made[0], "%.79s", name);
    return status;
}

carom_status carom_gallery_world_picture(carom_gallery_result *result,
                                         const carom_gallery_show *show,
                                         const carom_export_view *view, int frames, double time,
                                         const char *caption, carom_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    if (!file)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a picture");
    int64_t last = carom_recording_frame_count(show->recording) - 1;
    carom_status status =
        frames > 1
            ? carom_export_sheet(show->recording, view, frames, file, NULL, err)
            : carom_export_png(show->recording, view,
                               isinf(time) ? last : carom_recording_nearest(show->recording, time),
                               file, NULL, err);
    if (fclose(file) != 0 && status == CAROM_OK)
        status = carom_error_set(err, CAROM_NO_MEMORY, "no memory for a picture");
    carom_text *text = status == CAROM_OK ? carom_gallery_result_png(result, "%s", caption) : NULL;
    if (text)
        carom_text_add_bytes(text, bytes, size);
    free(bytes);
    return status;
}

const double *carom_gallery_world_body(const carom_gallery_show *show, const char *name)
{
    int body = carom_scene_world_find(show->scene, name);
    return body < 0 ? NULL : show->last.bodies + CAROM_FRAME_STRIDE * body;
}

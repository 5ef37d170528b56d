// Runs of world scenes for entries: to their end, with a recording to take pictures from.
#ifndef CAROM_GALLERY_WORLD_H
#define CAROM_GALLERY_WORLD_H

#include "carom/export.h"
#include "carom/trajectory.h"
#include "gallery/gallery_result.h"

typedef struct carom_gallery_show {
    carom_runner_report report;
    carom_scene_world *scene;
    carom_recording *recording;
    carom_frame last; // of the recording
    char path[4300];  // of the trajectory, removed at the end
} carom_gallery_show;

// A change of a scene's text for a smaller size.
typedef struct carom_gallery_edit {
    const char *from, *to;
} carom_gallery_edit;

// Runs a scene (a path) with "key=value" settings. Close it also after a failure.
carom_status carom_gallery_world_run(carom_gallery_result *result, const char *path,
                                     const char *const *set, int set_count,
                                     carom_gallery_show *show, carom_error *err);
void carom_gallery_world_close(carom_gallery_show *show);
// Writes an edited copy of a scene into the site's scenes and gives its path. Every edit must find
// its text.
carom_status carom_gallery_world_edit(carom_gallery_result *result, const char *scene,
                                      const carom_gallery_edit *edits, int count, char *path,
                                      size_t size, carom_error *err);
// A sheet of `frames` moments, or one moment where frames is 1 (at `time`; HUGE_VAL: the last).
carom_status carom_gallery_world_picture(carom_gallery_result *result,
                                         const carom_gallery_show *show,
                                         const carom_export_view *view, int frames, double time,
                                         const char *caption, carom_error *err);
// Position, rotation, velocity and spin (13 numbers) of a named body in the last frame; null where
// there is none of that name.
const double *carom_gallery_world_body(const carom_gallery_show *show, const char *name);

#endif

// What a trajectory says about its run: version, compiler, and the settings that changed the scene.
#ifndef CAROM_TRAJECTORY_MANIFEST_H
#define CAROM_TRAJECTORY_MANIFEST_H

#include "carom/trajectory.h"

// Appends the manifest of a run that begins.
carom_status carom_manifest_write(carom_recorder *recorder, const carom_scene_world *scene,
                                  const carom_runner_settings *settings, carom_error *err);
// The title of the run; `out` stays as it is where there is none. Fails
// where memory does.
carom_status carom_manifest_title(const carom_record *manifest, char *out, size_t size,
                                  carom_error *err);
// Refuses a run of another version: it would not go on to the same bits.
carom_status carom_manifest_same_version(const carom_record *manifest, carom_error *err);
// Applies the settings that a manifest lists to the text of the scene.
carom_status carom_manifest_apply(const carom_record *manifest, carom_scene_text *text,
                                  carom_error *err);

#endif

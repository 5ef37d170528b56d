// Lists of bodies from tables.
#ifndef CAROM_SCENE_SCENE_LIST_H
#define CAROM_SCENE_SCENE_LIST_H

#include "scene/scene_generators.h"

extern const carom_field_table carom_scene_list_table;
// The generator `list`: one body per row.
carom_status carom_scene_list(carom_scene_task *task, carom_error *err);
// Writes the rows of the files that lists name into the text, so that a scene needs no other file:
// closes the reader and opens another where there are any. `folder`: of the scene, or null.
carom_status carom_scene_list_embed(carom_reader **reader, const char *folder, carom_error *err);

#endif

// Bodies that are poured in while a run goes on.
#ifndef CAROM_SCENE_SCENE_POUR_H
#define CAROM_SCENE_SCENE_POUR_H

#include "scene/scene_generators.h"

extern const carom_field_table carom_scene_pour_table;
// The generator `pour`: bodies that wait for their time.
carom_status carom_scene_pour(carom_scene_task *task, carom_error *err);

#endif

// Lamps of pictures.
#ifndef CAROM_SCENE_SCENE_LIGHT_H
#define CAROM_SCENE_SCENE_LIGHT_H

#include "scene/scene_world.h"

extern const carom_field_table carom_scene_light_table;
// The key "lights" of a world file.
carom_status carom_scene_light_read_all(carom_scene_world *scene, const carom_value *root,
                                        carom_error *err);

#endif

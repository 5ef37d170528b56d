// Ground and containers of world scenes.
#ifndef CAROM_SCENE_SCENE_GROUND_H
#define CAROM_SCENE_SCENE_GROUND_H

#include "scene/scene_world.h"

extern const carom_field_table carom_scene_ground_heightfield_table,
    carom_scene_ground_container_table;
// The shape `heightfield`.
carom_status carom_scene_ground_heightfield(carom_value *value, carom_shape **out,
                                            carom_error *err);
// The shape `container`.
carom_status carom_scene_ground_container(carom_value *value, carom_shape **out, carom_error *err);

#endif

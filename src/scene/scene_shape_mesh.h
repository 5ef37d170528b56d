// The key `mesh` of a shape in a world scene.
#ifndef CAROM_SCENE_SCENE_SHAPE_MESH_H
#define CAROM_SCENE_SCENE_SHAPE_MESH_H

#include "scene/scene_world.h"

// JSON Schema of a list of so many numbers each.
#define CAROM_SCENE_POINTS_SCHEMA(size)                                                            \
    "{ \"type\": \"array\", \"items\": { \"type\": \"array\", \"items\": { \"type\": "             \
    "[\"number\", \"string\"] }, \"minItems\": " #size ", \"maxItems\": " #size " } }"

extern const carom_field_table carom_scene_shape_mesh_table;

// The surface that `value` says, as a shape of the caller's. Files are kept with the scene.
carom_status carom_scene_shape_mesh(carom_scene_world *scene, carom_value *value, carom_shape **out,
                                    carom_error *err);

#endif

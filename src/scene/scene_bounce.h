// Bounce maps of world scenes.
#ifndef CAROM_SCENE_SCENE_BOUNCE_H
#define CAROM_SCENE_SCENE_BOUNCE_H

#include "scene/scene_world.h"

extern const carom_field_table carom_scene_bounce_table;

// The key "bounce" of a material.
carom_status carom_scene_bounce_read(const carom_value *material, carom_scene_bounce *out,
                                     carom_error *err);
// Room for the maps of a scene, and their end.
carom_status carom_scene_bounce_open(carom_scene_world *scene, carom_error *err);
void carom_scene_bounce_close(carom_scene_world *scene);
// Sets whether the maps count as made, and returns what was: with true before they are, the world
// is built without them, for who only looks at it.
bool carom_scene_bounce_ready(const carom_scene_world *scene, bool ready);
// Gives a body its map, where there is one by now.
void carom_scene_bounce_give(const carom_scene_world *scene, int member, carom_body *body);

#endif

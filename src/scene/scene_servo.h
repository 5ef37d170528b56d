// Walls that keep a stress.
#ifndef CAROM_SCENE_SCENE_SERVO_H
#define CAROM_SCENE_SCENE_SERVO_H

#include "scene/scene_world.h"

extern const carom_field_table carom_scene_servo_table;
// The key "servo" of all bodies, once their names are known.
carom_status carom_scene_servo_read_all(carom_scene_world *scene, const carom_value *root,
                                        carom_error *err);
// Whether a body is such a wall.
bool carom_scene_servo_drives(const carom_scene_world *scene, int member);
// Before a step: the forces of the walls as they stand now.
void carom_scene_servo_press(const carom_scene_world *scene, carom_world *world);

#endif

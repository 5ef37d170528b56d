// The law of a file and its options: the keys "law" and "options" of every kind that has them.
#ifndef CAROM_SCENE_SCENE_LAW_H
#define CAROM_SCENE_SCENE_LAW_H

#include "carom/law.h"
#include "scene/value.h"

// `name` is the value of "law"; null: the default law.
carom_status carom_scene_law_read(const carom_value *root, const char *name, const carom_law **law,
                                  carom_law_options *options, carom_error *err);

#endif

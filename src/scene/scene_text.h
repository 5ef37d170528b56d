// Texts of files whose values can be changed before they are read.
#ifndef CAROM_SCENE_SCENE_TEXT_H
#define CAROM_SCENE_SCENE_TEXT_H

#include "base/text.h"
#include "carom/scene.h"
#include "scene/field.h"
#include "scene/reader.h"
#include "scene/scene_kind.h"

// One setting on its way into a text.
typedef struct carom_scene_setting {
    carom_value root;
    const carom_field_table *table; // of the whole file
    const carom_law *law;           // that the file names; null: this kind has none
    const char *path, *text;        // as in "path=text"
} carom_scene_setting;

// The JSON of the setting's text as the field wants it. A null field: an object in curly brackets.
carom_status carom_scene_text_value(const carom_scene_setting *s, const carom_field *field,
                                    carom_text *out, carom_error *err);
// Words for a key that a file of this kind does not have at its top, naming the place where it
// belongs.
carom_status carom_scene_text_misplaced(const carom_scene_setting *s, const char *key,
                                        carom_error *err);
// Words for a key that an object does not have.
carom_status carom_scene_text_unknown(const carom_field_table *table, const char *key,
                                      carom_error *err);

#endif

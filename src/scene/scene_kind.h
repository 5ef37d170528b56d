// The kinds of files, for `carom check`, schemas and the manual.
#ifndef CAROM_SCENE_SCENE_KIND_H
#define CAROM_SCENE_SCENE_KIND_H

#include "scene/field.h"

// One kind: a value in the file of its reader, and one line in scene_kind.c.
typedef struct carom_scene_kind_file {
    const char *name;               // as in files: "impact"
    const carom_field_table *table; // of the whole file
    // Reads everything and says in a few words what the file holds ("5 bodies, 4 contacts").
    carom_status (*describe)(const carom_reader *reader, char *out, size_t size, carom_error *err);
} carom_scene_kind_file;

// The table of a kind.
const carom_field_table *carom_scene_kind_table(int kind);

#endif

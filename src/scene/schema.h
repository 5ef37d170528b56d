// JSON Schema and manual pages from field tables.
#ifndef CAROM_SCENE_SCHEMA_H
#define CAROM_SCENE_SCHEMA_H

#include "base/text.h"
#include "carom/json.h"
#include "scene/field.h"

// A complete schema (draft 2020-12) of files of one kind; `table` describes the whole file.
void carom_schema_write(carom_json *json, const char *title, const carom_field_table *table);
// The table and those it refers to, as Markdown: one section each, one row per key.
void carom_schema_manual(carom_text *text, const carom_field_table *table);

#endif

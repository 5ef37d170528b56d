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
// "above 0, kg", "0 to 1", "whole, at least 1": what a field takes, in words.
void carom_schema_accepts(const carom_field *field, char *out, size_t size);
// "1", "[0, 0, 0]", "required": what holds where the key is left out.
void carom_schema_default(const carom_field *field, char *out, size_t size);

#endif

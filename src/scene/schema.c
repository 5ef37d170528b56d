// Writes field tables as JSON Schema and as Markdown.
#include "scene/schema.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_object(carom_json *json, const carom_field_table *table, bool whole);
static void write_field(carom_json *json, const carom_field *field);

void carom_schema_write(carom_json *json, const char *title, const carom_field_table *table)
{
    carom_json_object(json, NULL);
    carom_json_string(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    carom_json_string(json, "title", title);
    write_object(json, table, true);
    carom_json_end(json);
}

static const char let_words[] = "named numbers, for expressions wherever a number stands";

static void write_let(carom_json *json)
{
    carom_json_object(json, "let");
    carom_json_string(json, "type", "object");
    carom_json_string(json, "description", let_words);
    carom_json_raw(json, "additionalProperties", "{ \"type\": [\"number\", \"string\"] }");
    carom_json_end(json);
}

// The members of an object's schema; the object itself is already open. `whole`: of the file.
static void write_object(carom_json *json, const carom_field_table *table, bool whole)
{
    carom_json_string(json, "type", "object");
    carom_json_string(json, "description", table->doc);
    carom_json_object(json, "properties");
    for (const carom_field *field = table->fields; field->name; ++field)
        write_field(json, field);
    if (whole)
        write_let(json);
    carom_json_object(json, "note");
    carom_json_string(json, "type", "string");
    carom_json_string(json, "description", "for people; ignored");
    carom_json_end(json);
    carom_json_end(json);
    carom_json_array(json, "required");
    for (const carom_field *field = table->fields; field->name; ++field)
        if (field->required)
            carom_json_string(json, NULL, field->name);
    carom_json_end(json);
    carom_json_bool(json, "additionalProperties", 0);
}

static void write_range(carom_json *json, const carom_field *field)
{
    const carom_range *range = &field->range;
    carom_json_array(json, "type"); // a text is an expression
    carom_json_string(
        json, NULL,
        field->kind == CAROM_FIELD_INT64 || field->kind == CAROM_FIELD_INT ? "integer" : "number");
    carom_json_string(json, NULL, "string");
    carom_json_end(json);
    if (range->min == 0 && range->max == 0)
        return;
    if (isfinite(range->min))
        carom_json_number(json, range->above ? "exclusiveMinimum" : "minimum", range->min);
    if (isfinite(range->max))
        carom_json_number(json, "maximum", range->max);
}

static void write_words(carom_json *json, const char *words)
{
    carom_json_array(json, "enum");
    while (*words) {
        char word[64];
        size_t length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        carom_json_string(json, NULL, word);
        words += length + strspn(words + length, " ");
    }
    carom_json_end(json);
}

static void write_default(carom_json *json, const carom_field *field)
{
    char word[64];
    const char *words = field->words;
    if (field->required || field->shown)
        return;
    switch (field->kind) {
    case CAROM_FIELD_NUMBER:
    case CAROM_FIELD_INT64:
    case CAROM_FIELD_INT:
        carom_json_number(json, "default", field->initial);
        break;
    case CAROM_FIELD_BOOL:
        carom_json_bool(json, "default", field->initial != 0);
        break;
    case CAROM_FIELD_TEXT:
        if (words)
            carom_json_string(json, "default", words);
        break;
    case CAROM_FIELD_CHOICE:
        for (int i = 0; i < (int)field->initial; ++i)
            words += strcspn(words, " ") + 1;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(words, " "), words);
        carom_json_string(json, "default", word);
        break;
    case CAROM_FIELD_VEC3:
        carom_json_numbers(json, "default", field->vector, 3);
        break;
    default:
        break;
    }
}

static void write_items(carom_json *json, const carom_field *field, int count)
{
    carom_json_string(json, "type", "array");
    carom_json_object(json, "items");
    write_range(json, field);
    carom_json_end(json);
    if (count) {
        carom_json_integer(json, "minItems", count);
        carom_json_integer(json, "maxItems", count);
    }
}

static void write_field(carom_json *json, const carom_field *field)
{
    if (field->kind == CAROM_FIELD_OTHER) {
        carom_json_raw(json, field->name, field->schema);
        return;
    }
    carom_json_object(json, field->name);
    switch (field->kind) {
    case CAROM_FIELD_NUMBER:
    case CAROM_FIELD_INT64:
    case CAROM_FIELD_INT:
        write_range(json, field);
        break;
    case CAROM_FIELD_BOOL:
        carom_json_string(json, "type", "boolean");
        break;
    case CAROM_FIELD_TEXT:
        carom_json_string(json, "type", "string");
        break;
    case CAROM_FIELD_CHOICE:
        write_words(json, field->words);
        break;
    case CAROM_FIELD_VEC3:
        write_items(json, field, 3);
        break;
    case CAROM_FIELD_NUMBERS:
        write_items(json, field, 0);
        break;
    case CAROM_FIELD_OBJECT:
        write_object(json, field->table, false);
        break;
    case CAROM_FIELD_LIST:
        carom_json_string(json, "type", "array");
        carom_json_object(json, "items");
        write_object(json, field->table, false);
        carom_json_end(json);
        break;
    case CAROM_FIELD_MAP:
        carom_json_string(json, "type", "object");
        carom_json_object(json, "additionalProperties");
        write_object(json, field->table, false);
        carom_json_end(json);
        break;
    case CAROM_FIELD_OTHER:
        break;
    }
    if (field->kind != CAROM_FIELD_OBJECT) {
        char words[400];
        snprintf(words, sizeof words, "%s%s%s%s", field->doc, field->range.unit ? " [" : "",
                 field->range.unit ? field->range.unit : "", field->range.unit ? "]" : "");
        carom_json_string(json, "description", words);
    }
    write_default(json, field);
    carom_json_end(json);
}

// -- manual -------------------------------------------------------------------------------------

static void bounds(const carom_field *field, const char *noun, char *out, size_t size)
{
    const carom_range *range = &field->range;
    char min[32], max[32];
    carom_text_digits(range->min, min);
    carom_text_digits(range->max, max);
    const char *gap = range->unit ? ", " : "", *unit = range->unit ? range->unit : "";
    if (range->min == 0 && range->max == 0)
        snprintf(out, size, "%s%s%s", noun, gap, unit);
    else if (isinf(range->max))
        snprintf(out, size, "%s %s %s%s%s", noun, range->above ? "above" : "from", min, gap, unit);
    else
        snprintf(out, size, "%s %s %s to %s%s%s", noun, range->above ? "above" : "from", min, max,
                 gap, unit);
}

// "above 0, kg", "0 to 1", "whole, at least 1": what a field takes, in words.
static void describe_range(const carom_field *field, char *out, size_t size)
{
    switch (field->kind) {
    case CAROM_FIELD_NUMBER:
        bounds(field, "number", out, size);
        break;
    case CAROM_FIELD_INT64:
    case CAROM_FIELD_INT:
        bounds(field, "whole number", out, size);
        break;
    case CAROM_FIELD_BOOL:
        snprintf(out, size, "true or false");
        break;
    case CAROM_FIELD_TEXT:
        snprintf(out, size, "text");
        break;
    case CAROM_FIELD_CHOICE:
        snprintf(out, size, "one of: %s", field->words);
        break;
    case CAROM_FIELD_VEC3:
        bounds(field, "[x, y, z]", out, size);
        break;
    case CAROM_FIELD_NUMBERS:
        bounds(field, "list of numbers", out, size);
        break;
    case CAROM_FIELD_OBJECT:
        snprintf(out, size, "object: see *%s*", field->table->noun);
        break;
    case CAROM_FIELD_LIST:
        snprintf(out, size, "list of objects: see *%s*", field->table->noun);
        break;
    case CAROM_FIELD_MAP:
        snprintf(out, size, "object of named ones: see *%s*", field->table->noun);
        break;
    case CAROM_FIELD_OTHER:
        snprintf(out, size, "%s", field->words ? field->words : "see the text");
        break;
    }
}

// "1", "[0, 0, 0]", "required": what holds where the key is left out.
static void describe_default(const carom_field *field, char *out, size_t size)
{
    char digits[32], vector[3][32];
    const char *words = field->words;
    carom_text_digits(field->initial, digits);
    if (field->required || field->shown) {
        snprintf(out, size, "%s", field->required ? "required" : field->shown);
        return;
    }
    switch (field->kind) {
    case CAROM_FIELD_NUMBER:
    case CAROM_FIELD_INT64:
    case CAROM_FIELD_INT:
        snprintf(out, size, "%s", digits);
        break;
    case CAROM_FIELD_BOOL:
        snprintf(out, size, "%s", field->initial != 0 ? "true" : "false");
        break;
    case CAROM_FIELD_TEXT:
        snprintf(out, size, "%s", words ? words : "none");
        break;
    case CAROM_FIELD_CHOICE:
        for (int i = 0; i < (int)field->initial; ++i)
            words += strcspn(words, " ") + 1;
        snprintf(out, size, "%.*s", (int)strcspn(words, " "), words);
        break;
    case CAROM_FIELD_VEC3:
        for (int i = 0; i < 3; ++i)
            carom_text_digits(field->vector[i], vector[i]);
        snprintf(out, size, "[%s, %s, %s]", vector[0], vector[1], vector[2]);
        break;
    default:
        snprintf(out, size, "none");
    }
}

enum { TABLES = 64 }; // of one kind of file, at most

typedef struct told {
    const carom_field_table *tables[TABLES];
    int count;
} told;

static void describe(carom_text *text, const carom_field_table *table, told *done)
{
    for (int i = 0; i < done->count; ++i)
        if (done->tables[i] == table)
            return;
    if (done->count < TABLES)
        done->tables[done->count++] = table;
    carom_text_add(text, "### %s\n\n%s\n\n", table->noun, table->doc);
    if (done->count == 1)
        carom_text_add(text, "- `let` (object of numbers; default none): %s\n", let_words);
    for (const carom_field *field = table->fields; field->name; ++field) {
        char accepts[200], initial[128];
        describe_range(field, accepts, sizeof accepts);
        describe_default(field, initial, sizeof initial);
        carom_text_add(text, "- `%s` (%s; %s%s): %s\n", field->name, accepts,
                       field->required ? "" : "default ", initial, field->doc);
    }
    carom_text_add(text, "\n");
    for (const carom_field *field = table->fields; field->name; ++field)
        if (field->table)
            describe(text, field->table, done);
}

void carom_schema_manual(carom_text *text, const carom_field_table *table)
{
    told done = { 0 };
    describe(text, table, &done);
}

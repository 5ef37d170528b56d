// Reads an object by its table: defaults, types, ranges, unknown keys with a suggestion.
#include "scene/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"

static carom_status refuse_unknown(const carom_value *object, const carom_field_table *table,
                                   carom_error *err);
static carom_status read_field(const carom_value *value, const carom_field *field, void *place,
                               carom_error *err);

static int field_count(const carom_field_table *table)
{
    int count = 0;
    while (table->fields[count].name)
        ++count;
    return count;
}

const carom_field *carom_field_find(const carom_field_table *table, const char *name)
{
    for (const carom_field *field = table->fields; field->name; ++field)
        if (strcmp(field->name, name) == 0)
            return field;
    return NULL;
}

void carom_field_defaults(const carom_field_table *table, void *into)
{
    for (const carom_field *field = table->fields; field->name; ++field) {
        void *place = (char *)into + field->offset;
        switch (field->kind) {
        case CAROM_FIELD_NUMBER:
            *(double *)place = field->initial;
            break;
        case CAROM_FIELD_INT64:
            *(int64_t *)place = (int64_t)field->initial;
            break;
        case CAROM_FIELD_INT:
            *(int *)place = (int)field->initial;
            break;
        case CAROM_FIELD_BOOL:
            *(bool *)place = field->initial != 0;
            break;
        case CAROM_FIELD_TEXT:
            *(const char **)place = field->words;
            break;
        case CAROM_FIELD_CHOICE:
            *(int *)place = (int)field->initial;
            break;
        case CAROM_FIELD_VEC3:
            for (int i = 0; i < 3; ++i)
                ((double *)place)[i] = field->vector[i];
            break;
        case CAROM_FIELD_NUMBERS:
            *(carom_numbers *)place = (carom_numbers){ 0 };
            break;
        case CAROM_FIELD_OBJECT:
        case CAROM_FIELD_LIST:
        case CAROM_FIELD_MAP:
        case CAROM_FIELD_OTHER:
            break;
        }
    }
}

carom_status carom_field_read(carom_value *object, const carom_field_table *table, void *into,
                              carom_error *err)
{
    TRY(carom_value_object(object, err));
    object->noun = table->noun;
    TRY(refuse_unknown(object, table, err));
    carom_field_defaults(table, into);
    for (const carom_field *field = table->fields; field->name; ++field) {
        carom_value value;
        if (carom_value_member(object, field->name, &value)) {
            TRY(read_field(&value, field, (char *)into + field->offset, err));
        } else if (field->required) {
            char fix[256];
            snprintf(fix, sizeof fix, "add \"%s\": %.200s", field->name, field->doc);
            return carom_value_fail(object, err, fix, "the key \"%s\" is missing", field->name);
        }
    }
    return CAROM_OK;
}

enum { FIELDS_MAX = 64 };

static carom_status refuse_unknown(const carom_value *object, const carom_field_table *table,
                                   carom_error *err)
{
    const char *key = NULL, *names[FIELDS_MAX + 1];
    while ((key = carom_value_next_key(object, key))) {
        if (carom_field_find(table, key))
            continue;
        if (!object->parent && strcmp(key, "let") == 0)
            continue; // read with the file
        if (strcmp(key, "note") == 0) {
            carom_value note;
            const char *words;
            carom_value_member(object, key, &note);
            TRY(carom_value_text(&note, &words, err));
            continue;
        }
        int count = 0;
        size_t used = 0;
        char list[200] = "", fix[256];
        for (; count < field_count(table) && count < FIELDS_MAX; ++count) {
            names[count] = table->fields[count].name;
            if (used < sizeof list)
                used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count ? ", " : "",
                                         names[count]);
        }
        names[count++] = "note";
        const char *nearest = carom_suggest_nearest(key, names, count);
        if (nearest)
            snprintf(fix, sizeof fix, "did you mean \"%s\"?", nearest);
        else
            snprintf(fix, sizeof fix, "known keys: %s", list);
        return carom_value_fail_key(object, key, err, fix, "the key \"%.60s\" is unknown", key);
    }
    return CAROM_OK;
}

static carom_status read_int(const carom_value *value, const carom_field *field, int *place,
                             carom_error *err)
{
    int64_t number;
    TRY(carom_value_integer(value, &field->range, &number, err));
    *place = (int)number;
    return CAROM_OK;
}

static carom_status read_field(const carom_value *value, const carom_field *field, void *place,
                               carom_error *err)
{
    switch (field->kind) {
    case CAROM_FIELD_NUMBER:
        return carom_value_number(value, &field->range, place, err);
    case CAROM_FIELD_INT64:
        return carom_value_integer(value, &field->range, place, err);
    case CAROM_FIELD_INT:
        return read_int(value, field, place, err);
    case CAROM_FIELD_BOOL:
        return carom_value_bool(value, place, err);
    case CAROM_FIELD_TEXT:
        return carom_value_text(value, place, err);
    case CAROM_FIELD_CHOICE:
        return carom_value_word(value, field->words, place, err);
    case CAROM_FIELD_VEC3:
        return carom_value_vec3(value, &field->range, place, err);
    case CAROM_FIELD_NUMBERS:
        return carom_value_numbers(value, &field->range, place, err);
    case CAROM_FIELD_OBJECT:
    case CAROM_FIELD_MAP:
        return carom_value_object(value, err);
    case CAROM_FIELD_LIST:
        return carom_value_array(value, err);
    case CAROM_FIELD_OTHER:
        break;
    }
    return CAROM_OK;
}

// -- from plain text ------------------------------------------------------------------------------

static carom_status not_of_kind(const carom_field *field, const char *text, const char *wanted,
                                carom_error *err)
{
    char fix[160];
    bool whole = field->kind == CAROM_FIELD_INT64 || field->kind == CAROM_FIELD_INT;
    carom_range_fix(&field->range, whole ? "whole number" : "number", fix, sizeof fix);
    carom_error_set(err, CAROM_BAD_INPUT, "%s is \"%.60s\", not %s", field->name, text, wanted);
    return carom_error_fix(err, "%s", fix);
}

static carom_status set_number(const carom_field *field, const char *text, double *out,
                               carom_error *err)
{
    bool whole = field->kind == CAROM_FIELD_INT64 || field->kind == CAROM_FIELD_INT;
    char *end, fact[128], fix[160];
    double number = strtod(text, &end);
    if (end == text || *end || (whole && number != floor(number)))
        return not_of_kind(field, text, whole ? "a whole number" : "a number", err);
    *out = number;
    if (carom_range_has(&field->range, number))
        return CAROM_OK;
    carom_range_fact(&field->range, field->name, number, fact, sizeof fact);
    carom_range_fix(&field->range, whole ? "whole number" : "number", fix, sizeof fix);
    carom_error_set(err, CAROM_BAD_INPUT, "%s", fact);
    return carom_error_fix(err, "%s", fix);
}

// Three numbers, in brackets or not, with commas or spaces between.
static carom_status set_vector(const carom_field *field, const char *text, double out[3],
                               carom_error *err)
{
    const char *at = text + strspn(text, " [");
    double vector[3];
    bool good = true;
    for (int i = 0; i < 3 && good; ++i) {
        char *end;
        vector[i] = strtod(at, &end);
        good = end != at && isfinite(vector[i]);
        at = end + strspn(end, i < 2 ? " ," : " ]");
    }
    if (!good || *at) {
        carom_error_set(err, CAROM_BAD_INPUT, "%s is \"%.60s\", not a vector", field->name, text);
        return carom_error_fix(err, "write three numbers: [x, y, z]");
    }
    memcpy(out, vector, sizeof vector);
    return CAROM_OK;
}

static carom_status set_word(const carom_field *field, const char *text, int *out, carom_error *err)
{
    size_t length = strlen(text);
    int index = 0;
    for (const char *word = field->words; *word; ++index) {
        size_t size = strcspn(word, " ");
        if (size == length && strncmp(word, text, size) == 0) {
            *out = index;
            return CAROM_OK;
        }
        word += size + strspn(word + size, " ");
    }
    carom_error_set(err, CAROM_BAD_INPUT, "%s is \"%.60s\"", field->name, text);
    return carom_error_fix(err, "use one of: %s", field->words);
}

static carom_status set_bool(const carom_field *field, const char *text, bool *out,
                             carom_error *err)
{
    *out = strcmp(text, "true") == 0;
    if (*out || strcmp(text, "false") == 0)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "%s is \"%.40s\"", field->name, text);
    return carom_error_fix(err, "use true or false");
}

carom_status carom_field_set(const carom_field *field, const char *text, void *into,
                             carom_error *err)
{
    void *place = (char *)into + field->offset;
    double number;
    switch (field->kind) {
    case CAROM_FIELD_NUMBER:
        TRY(set_number(field, text, &number, err));
        *(double *)place = number;
        return CAROM_OK;
    case CAROM_FIELD_INT64:
        TRY(set_number(field, text, &number, err));
        *(int64_t *)place = (int64_t)number;
        return CAROM_OK;
    case CAROM_FIELD_INT:
        TRY(set_number(field, text, &number, err));
        *(int *)place = (int)number;
        return CAROM_OK;
    case CAROM_FIELD_BOOL:
        return set_bool(field, text, place, err);
    case CAROM_FIELD_CHOICE:
        return set_word(field, text, place, err);
    case CAROM_FIELD_VEC3:
        return set_vector(field, text, place, err);
    default:
        carom_error_set(err, CAROM_BAD_INPUT, "%s is no number, word or vector", field->name);
        return carom_error_fix(err, "write it into the scene file");
    }
}

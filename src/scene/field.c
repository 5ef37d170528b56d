// Reads an object by its table: defaults, types, ranges, unknown keys with a suggestion.
#include "scene/field.h"

#include <math.h>
#include <stdio.h>
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
        case CAROM_FIELD_WHOLE:
            *(int64_t *)place = (int64_t)field->initial;
            break;
        case CAROM_FIELD_BOOL:
            *(bool *)place = field->initial != 0;
            break;
        case CAROM_FIELD_TEXT:
            *(const char **)place = field->words;
            break;
        case CAROM_FIELD_WORD:
            *(int *)place = (int)field->initial;
            break;
        case CAROM_FIELD_VEC3:
            for (int i = 0; i < 3; ++i)
                ((double *)place)[i] = field->initial;
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

enum { MOST_FIELDS = 64 };

static carom_status refuse_unknown(const carom_value *object, const carom_field_table *table,
                                   carom_error *err)
{
    const char *key = NULL, *names[MOST_FIELDS + 1];
    while ((key = carom_value_next_key(object, key))) {
        if (carom_field_find(table, key))
            continue;
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
        for (; count < field_count(table) && count < MOST_FIELDS; ++count) {
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

static carom_status read_field(const carom_value *value, const carom_field *field, void *place,
                               carom_error *err)
{
    switch (field->kind) {
    case CAROM_FIELD_NUMBER:
        return carom_value_number(value, &field->range, place, err);
    case CAROM_FIELD_WHOLE:
        return carom_value_integer(value, &field->range, place, err);
    case CAROM_FIELD_BOOL:
        return carom_value_bool(value, place, err);
    case CAROM_FIELD_TEXT:
        return carom_value_text(value, place, err);
    case CAROM_FIELD_WORD:
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

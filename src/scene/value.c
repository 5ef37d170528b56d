// Access to members and items, typed reads, and errors that name line and column.
#include "scene/value.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"
#include "base/text.h"
#include "scene/locate.h"
#include "scene/reader.h"

// -- walking ------------------------------------------------------------------------------------

bool carom_value_member(const carom_value *object, const char *key, carom_value *out)
{
    json_t *json = json_object_get(object->json, key);
    if (json && out)
        *out = (carom_value){ object->reader, json, object, key, 0, NULL };
    return json != NULL;
}

bool carom_value_item(const carom_value *array, size_t index, carom_value *out)
{
    json_t *json = json_array_get(array->json, index);
    if (json && out)
        *out = (carom_value){ array->reader, json, array, NULL, index, NULL };
    return json != NULL;
}

size_t carom_value_count(const carom_value *array)
{
    return json_array_size(array->json);
}

bool carom_value_is_object(const carom_value *value)
{
    return json_is_object(value->json);
}

bool carom_value_is_array(const carom_value *value)
{
    return json_is_array(value->json);
}

bool carom_value_is_text(const carom_value *value)
{
    return json_is_string(value->json);
}

const char *carom_value_next_key(const carom_value *object, const char *key)
{
    void *at = key ? json_object_iter_next(object->json, json_object_key_to_iter(key))
                   : json_object_iter(object->json);
    return at ? json_object_iter_key(at) : NULL;
}

// -- errors -------------------------------------------------------------------------------------

// The nearest object around the value that has a noun: ', in body "ball3"'.
static void name_surroundings(const carom_value *value, char *out, size_t size)
{
    while (value && !value->noun)
        value = value->parent;
    *out = 0;
    if (!value)
        return;
    const char *name = json_string_value(json_object_get(value->json, "name"));
    if (name)
        snprintf(out, size, ", in %s \"%.60s\"", value->noun, name);
    else if (value->parent && !value->key)
        snprintf(out, size, ", in %s %zu (counted from 0)", value->noun, value->index);
    else
        snprintf(out, size, ", in %s", value->noun);
}

typedef struct path {
    carom_locate_step room[CAROM_LOCATE_DEPTH + 1];
    int first; // of the steps, which end with the room
} path;

static path path_of(const carom_value *at, const char *key)
{
    path p = { .first = CAROM_LOCATE_DEPTH + 1 };
    if (key)
        p.room[--p.first] = (carom_locate_step){ key, 0 };
    for (const carom_value *value = at; value->parent && p.first > 0; value = value->parent)
        p.room[--p.first] = (carom_locate_step){ value->key, value->index };
    return p;
}

static carom_status place(const carom_value *at, const char *key, carom_error *err)
{
    if (!err || !at->reader) // a value that comes from no file has no place
        return CAROM_BAD_INPUT;
    path p = path_of(at, key);
    int line_column[2];
    char around[128];
    carom_reader_locate(at->reader, p.room + p.first, CAROM_LOCATE_DEPTH + 1 - p.first, key != NULL,
                        line_column);
    name_surroundings(at, around, sizeof around);
    return carom_error_where(err, "%s:%d:%d%s", carom_reader_name(at->reader), line_column[0],
                             line_column[1], around);
}

void carom_value_span(const carom_value *value, size_t *begin, size_t *end)
{
    size_t size;
    path p = path_of(value, NULL);
    const char *text = carom_reader_text(value->reader, &size);
    *begin =
        carom_locate_find(text, size, p.room + p.first, CAROM_LOCATE_DEPTH + 1 - p.first, false);
    *end = carom_locate_end(text, size, *begin);
}

carom_status carom_value_place(const carom_value *at, carom_error *err)
{
    return place(at, NULL, err);
}

static void refuse(carom_error *err, const char *fix, const char *what, va_list list)
{
    char fact[sizeof err->what];
    vsnprintf(fact, sizeof fact, what, list);
    carom_error_set(err, CAROM_BAD_INPUT, "%s", fact);
    carom_error_fix(err, "%s", fix);
}

carom_status carom_value_fail(const carom_value *at, carom_error *err, const char *fix,
                              const char *what, ...)
{
    va_list list;
    va_start(list, what);
    refuse(err, fix, what, list);
    va_end(list);
    return place(at, NULL, err);
}

carom_status carom_value_fail_key(const carom_value *object, const char *key, carom_error *err,
                                  const char *fix, const char *what, ...)
{
    va_list list;
    va_start(list, what);
    refuse(err, fix, what, list);
    va_end(list);
    return place(object, carom_value_member(object, key, NULL) ? key : NULL, err);
}

// How errors call the value: "mass", "masses[3]".
static void label_of(const carom_value *value, char *out, size_t size)
{
    size_t index[CAROM_LOCATE_DEPTH];
    int depth = 0;
    for (; value->parent && !value->key && depth < CAROM_LOCATE_DEPTH; value = value->parent)
        index[depth++] = value->index;
    size_t used = (size_t)snprintf(out, size, "%.60s", value->key ? value->key : "the file");
    while (depth > 0 && used < size)
        used += (size_t)snprintf(out + used, size - used, "[%zu]", index[--depth]);
}

// What stands there, short enough for a message: a number as written, a text in quotes, ...
static void describe(const carom_value *value, char *out, size_t size)
{
    char digits[32];
    switch (json_typeof(value->json)) {
    case JSON_STRING:
        snprintf(out, size, "the text \"%.40s\"", json_string_value(value->json));
        break;
    case JSON_REAL:
    case JSON_INTEGER:
        carom_text_digits(json_number_value(value->json), digits);
        snprintf(out, size, "the number %s", digits);
        break;
    case JSON_OBJECT:
        snprintf(out, size, "an object");
        break;
    case JSON_ARRAY:
        snprintf(out, size, "a list of %zu", json_array_size(value->json));
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        snprintf(out, size, "%s", json_is_true(value->json) ? "true" : "false");
        break;
    case JSON_NULL:
        snprintf(out, size, "null");
        break;
    }
}

static carom_status wrong_kind(const carom_value *value, const char *wanted, const char *fix,
                               carom_error *err)
{
    char label[128], found[80];
    label_of(value, label, sizeof label);
    describe(value, found, sizeof found);
    return carom_value_fail(value, err, fix, "%s is %s, not %s", label, found, wanted);
}

// -- typed access -------------------------------------------------------------------------------

static carom_status check_range(const carom_value *value, const carom_range *range,
                                const char *noun, double number, carom_error *err)
{
    char fact[200], fix[160], label[128];
    if (carom_range_has(range, number))
        return CAROM_OK;
    carom_range_fix(range, noun, fix, sizeof fix);
    label_of(value, label, sizeof label);
    carom_range_fact(range, label, number, fact, sizeof fact);
    return carom_value_fail(value, err, fix, "%s", fact);
}

static const carom_range any_number = { 0 };

// Of a text like "10cm" where metres are wanted: "write 0.1 (m)". False of others.
static bool convert(const carom_value *value, const char *unit, char *fix, size_t size)
{
    static const struct {
        const char *written, *unit;
        double factor;
    } units[] = { { "m", "m", 1 },     { "cm", "m", 1e-2 },       { "mm", "m", 1e-3 },
                  { "km", "m", 1e3 },  { "in", "m", 0.0254 },     { "kg", "kg", 1 },
                  { "g", "kg", 1e-3 }, { "s", "s", 1 },           { "ms", "s", 1e-3 },
                  { "m/s", "m/s", 1 }, { "km/h", "m/s", 1 / 3.6 } };
    const char *text = json_string_value(value->json);
    char *end, digits[32];
    double number = text ? strtod(text, &end) : 0;
    if (!text || end == text || !unit || !isfinite(number))
        return false;
    end += strspn(end, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
        if (strcmp(end, units[i].written) == 0 && strcmp(unit, units[i].unit) == 0) {
            carom_text_digits(units[i].factor * number, digits);
            snprintf(fix, size, "write %s (%s), without the unit", digits, unit);
            return true;
        }
    return false;
}

// The value of a text that stands for a number. Where the text is none, `why` says so, or is empty
// if nobody can have meant an expression.
static bool evaluate(const carom_value *value, double *out, char *why, size_t size)
{
    static const carom_expression_names none = { 0 };
    const char *text = json_string_value(value->json);
    const carom_expression_names *names = value->reader ? carom_reader_names(value->reader) : &none;
    char flaw[160];
    *why = 0;
    if (!text)
        return false;
    if (carom_expression_evaluate(text, names, out, flaw, sizeof flaw))
        return true;
    if (names->count > 0 || strpbrk(text, "+*/^()"))
        snprintf(why, size, ": %s", flaw);
    return false;
}

static carom_status number_called(const carom_value *value, const carom_range *range,
                                  const char *noun, double *out, carom_error *err)
{
    double number = json_number_value(value->json);
    char fix[160], wanted[240], why[170];
    if (!range)
        range = &any_number;
    if (!json_is_number(value->json) && !evaluate(value, &number, why, sizeof why)) {
        if (!convert(value, range->unit, fix, sizeof fix))
            carom_range_fix(range, noun, fix, sizeof fix);
        snprintf(wanted, sizeof wanted, "a %s%s", noun, why);
        return wrong_kind(value, wanted, fix, err);
    }
    TRY(check_range(value, range, noun, number, err));
    *out = number;
    return CAROM_OK;
}

carom_status carom_value_number(const carom_value *value, const carom_range *range, double *out,
                                carom_error *err)
{
    return number_called(value, range, "number", out, err);
}

carom_status carom_value_integer(const carom_value *value, const carom_range *range, int64_t *out,
                                 carom_error *err)
{
    const double exact = 9007199254740992; // 2^53: above it a number is no count any more
    double number = 0;
    TRY(number_called(value, range, "whole number", &number, err));
    if (number != floor(number) || fabs(number) > exact) {
        char fix[160];
        carom_range_fix(range ? range : &any_number, "whole number", fix, sizeof fix);
        return wrong_kind(value, "a whole number", fix, err);
    }
    *out = (int64_t)number;
    return CAROM_OK;
}

carom_status carom_value_bool(const carom_value *value, bool *out, carom_error *err)
{
    if (!json_is_boolean(value->json))
        return wrong_kind(value, "true or false", "write true or false without quotes", err);
    *out = json_is_true(value->json);
    return CAROM_OK;
}

carom_status carom_value_text(const carom_value *value, const char **out, carom_error *err)
{
    if (!json_is_string(value->json))
        return wrong_kind(value, "a text", "write a text in double quotes", err);
    *out = json_string_value(value->json);
    return CAROM_OK;
}

carom_status carom_value_vec3(const carom_value *value, const carom_range *range, double out[3],
                              carom_error *err)
{
    static const char fix[] = "write three numbers: [x, y, z]";
    if (!json_is_array(value->json) || json_array_size(value->json) != 3)
        return wrong_kind(value, "a vector", fix, err);
    double vector[3];
    for (size_t i = 0; i < 3; ++i) {
        carom_value item;
        carom_value_item(value, i, &item);
        TRY(carom_value_number(&item, range, &vector[i], err));
    }
    memcpy(out, vector, sizeof vector);
    return CAROM_OK;
}

carom_status carom_value_numbers(const carom_value *value, const carom_range *range,
                                 carom_numbers *out, carom_error *err)
{
    if (!json_is_array(value->json))
        return wrong_kind(value, "a list of numbers", "write numbers in square brackets", err);
    size_t count = json_array_size(value->json);
    double *numbers;
    TAKE(carom_reader_memory(value->reader), numbers, count ? count : 1, err);
    for (size_t i = 0; i < count; ++i) {
        carom_value item;
        carom_value_item(value, i, &item);
        TRY(carom_value_number(&item, range, &numbers[i], err));
    }
    *out = (carom_numbers){ numbers, (int)count };
    return CAROM_OK;
}

enum { WORDS = 64 };

static int split_words(const char *words, char *copy, size_t size, const char **list)
{
    int count = 0;
    snprintf(copy, size, "%s", words);
    char *rest = copy;
    for (char *word; count < WORDS && (word = strtok_r(rest, " ", &rest));)
        list[count++] = word;
    return count;
}

carom_status carom_value_word(const carom_value *value, const char *words, int *out,
                              carom_error *err)
{
    char copy[1024], fix[256], label[128];
    const char *list[WORDS];
    int count = split_words(words, copy, sizeof copy, list);
    snprintf(fix, sizeof fix, "use one of: %.220s", words);
    if (!json_is_string(value->json))
        return wrong_kind(value, "a word", fix, err);
    const char *word = json_string_value(value->json);
    for (int i = 0; i < count; ++i)
        if (strcmp(word, list[i]) == 0) {
            *out = i;
            return CAROM_OK;
        }
    const char *nearest = carom_suggest_nearest(word, list, count);
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean \"%s\"? Known words: %.180s", nearest, words);
    label_of(value, label, sizeof label);
    return carom_value_fail(value, err, fix, "%s is \"%.60s\", which is no known word", label,
                            word);
}

carom_status carom_value_object(const carom_value *value, carom_error *err)
{
    if (json_is_object(value->json))
        return CAROM_OK;
    return wrong_kind(value, "an object", "write keys and values in curly brackets", err);
}

carom_status carom_value_array(const carom_value *value, carom_error *err)
{
    if (json_is_array(value->json))
        return CAROM_OK;
    return wrong_kind(value, "a list", "write a list in square brackets", err);
}

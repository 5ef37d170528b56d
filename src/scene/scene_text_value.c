// The value of a setting as JSON, by the kind of its field, and the words for keys that are not
// where they were looked for.
#include "scene/scene_text.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"
#include "base/text.h"
#include "parse/parse.h"

// -- values -------------------------------------------------------------------------------------

// Where there is no memory to tell, what is written has failed, as of any other text.
static bool is_json(const char *text, carom_text *out)
{
    json_error_t flaw;
    errno = 0;
    json_t *json =
        carom_parse_text(text, strlen(text), JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &flaw);
    out->failed = out->failed || (!json && errno == ENOMEM);
    json_decref(json);
    return json || out->failed;
}

static bool is_digits(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && !strpbrk(text, "xXnN");
}

typedef union scratch {
    double number, vector[3];
    int64_t whole;
    int choice;
    bool flag;
} scratch;

// Checks a plain text against the field.
static carom_status check(const carom_field *field, const char *text, scratch *out,
                          carom_error *err)
{
    carom_field alone = *field;
    alone.offset = 0;
    return carom_field_set(&alone, text, out, err);
}

// A number, or an expression of the file's names, which stays one.
static carom_status write_number(const carom_scene_setting *s, const carom_field *field,
                                 carom_text *out, carom_error *err)
{
    scratch value;
    double number;
    char flaw[160], digits[32];
    bool plain = is_digits(s->text, &number);
    bool good = plain || carom_expression_evaluate(s->text, carom_reader_names(s->root.reader),
                                                   &number, flaw, sizeof flaw);
    if (!good)
        return check(field, s->text, &value, err);
    carom_text_digits(number, digits);
    TRY(check(field, plain ? s->text : digits, &value, err));
    if (plain)
        carom_text_add_number(out, number);
    else
        carom_text_add_quoted(out, s->text);
    return CAROM_OK;
}

static carom_status write_vector(const carom_scene_setting *s, const carom_field *field,
                                 carom_text *out, carom_error *err)
{
    scratch value;
    if (s->text[0] == '[' && strchr(s->text, '"') && is_json(s->text, out)) { // with expressions
        carom_text_add(out, "%s", s->text);
        return CAROM_OK;
    }
    TRY(check(field, s->text, &value, err));
    for (int i = 0; i < 3; ++i) {
        carom_text_add(out, i ? ", " : "[");
        carom_text_add_number(out, value.vector[i]);
    }
    carom_text_add(out, "]");
    return CAROM_OK;
}

static carom_status write_list(const carom_scene_setting *s, const carom_field *field,
                               carom_text *out, carom_error *err)
{
    size_t start = out->length;
    bool open = s->text[0] == '[';
    carom_text_add(out, "%s%s%s", open ? "" : "[", s->text, open ? "" : "]");
    if (out->failed || is_json(out->bytes + start, out))
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "%s is \"%.60s\", not a list of numbers", field->name,
                    s->text);
    return carom_error_fix(err, "write numbers with commas between: 1,2,3");
}

static carom_status write_whole(const carom_scene_setting *s, const carom_field *field,
                                carom_text *out, carom_error *err)
{
    bool list = field && field->kind == CAROM_FIELD_LIST;
    if (s->text[0] == (list ? '[' : '{') && is_json(s->text, out)) {
        carom_text_add(out, "%s", s->text);
        return CAROM_OK;
    }
    carom_error_set(err, CAROM_BAD_INPUT, "%.80s is no number, word or vector", s->path);
    return carom_error_fix(err, "name a part of it, as in %.80s.%s=VALUE, or write JSON", s->path,
                           list ? "0.KEY" : "KEY");
}

// A number, JSON, or else a text.
static void write_other(const carom_scene_setting *s, carom_text *out)
{
    double number;
    if (is_digits(s->text, &number))
        carom_text_add_number(out, number);
    else if (is_json(s->text, out))
        carom_text_add(out, "%s", s->text);
    else
        carom_text_add_quoted(out, s->text);
}

carom_status carom_scene_text_value(const carom_scene_setting *s, const carom_field *field,
                                    carom_text *out, carom_error *err)
{
    scratch value;
    if (!field)
        return write_whole(s, field, out, err);
    switch (field->kind) {
    case CAROM_FIELD_NUMBER:
    case CAROM_FIELD_INT64:
    case CAROM_FIELD_INT:
        return write_number(s, field, out, err);
    case CAROM_FIELD_VEC3:
        return write_vector(s, field, out, err);
    case CAROM_FIELD_NUMBERS:
        return write_list(s, field, out, err);
    case CAROM_FIELD_BOOL:
        TRY(check(field, s->text, &value, err));
        carom_text_add(out, "%s", s->text);
        return CAROM_OK;
    case CAROM_FIELD_CHOICE:
        TRY(check(field, s->text, &value, err));
        carom_text_add_quoted(out, s->text);
        return CAROM_OK;
    case CAROM_FIELD_TEXT:
        carom_text_add_quoted(out, s->text);
        return CAROM_OK;
    case CAROM_FIELD_OBJECT:
    case CAROM_FIELD_LIST:
    case CAROM_FIELD_MAP:
        return write_whole(s, field, out, err);
    case CAROM_FIELD_OTHER:
        break;
    }
    write_other(s, out);
    return CAROM_OK;
}

// -- words --------------------------------------------------------------------------------------

enum { NAMES_MAX = 96, PATH = 200 };

carom_status carom_scene_text_unknown(const carom_field_table *table, const char *key,
                                      carom_error *err)
{
    const char *names[NAMES_MAX];
    int count = 0;
    for (const carom_field *field = table->fields; field->name && count < NAMES_MAX; ++field)
        names[count++] = field->name;
    const char *nearest = carom_suggest_nearest(key, names, count);
    carom_error_set(err, CAROM_BAD_INPUT, "a %s has no key \"%.40s\"", table->noun, key);
    return nearest ? carom_error_fix(err, "did you mean \"%s\"?", nearest)
                   : carom_error_fix(err, "docs/files.md lists the keys of a %s", table->noun);
}

// Where in the file an object stands that has such a key.
typedef struct place {
    const char *key;
    bool present;                // looked for where the file has the key already
    char path[PATH], list[PATH]; // of the first one, and of the list or map it is in
    const carom_field_table *table;
} place;

static bool seek(const carom_value *object, const carom_field_table *table, const char *path,
                 place *out);

static bool seek_items(const carom_value *value, const carom_field *field, const char *path,
                       place *out)
{
    char inside[PATH];
    carom_value item, named;
    const char *name;
    bool found = false;
    for (size_t i = 0; !found && carom_value_item(value, i, &item); ++i) {
        snprintf(inside, sizeof inside, "%.100s.%zu", path, i);
        if (carom_value_member(&item, "name", &named) &&
            carom_value_text(&named, &name, NULL) == CAROM_OK)
            snprintf(inside, sizeof inside, "%.100s.%.60s", path, name);
        found = seek(&item, field->table, inside, out);
    }
    for (const char *next = NULL;
         field->kind == CAROM_FIELD_MAP && !found && (next = carom_value_next_key(value, next));) {
        carom_value_member(value, next, &item);
        snprintf(inside, sizeof inside, "%.100s.%.60s", path, next);
        found = seek(&item, field->table, inside, out);
    }
    if (found && !*out->list)
        snprintf(out->list, sizeof out->list, "%.180s", path);
    return found;
}

static bool seek(const carom_value *object, const carom_field_table *table, const char *path,
                 place *out)
{
    if (!carom_value_is_object(object))
        return false;
    if (*path && carom_field_find(table, out->key) &&
        (!out->present || carom_value_member(object, out->key, NULL))) {
        snprintf(out->path, sizeof out->path, "%.180s", path);
        out->table = table;
        return true;
    }
    for (const carom_field *field = table->fields; field->name; ++field) {
        char inside[PATH];
        carom_value value;
        if (!field->table || !carom_value_member(object, field->name, &value))
            continue;
        snprintf(inside, sizeof inside, "%.100s%s%.60s", path, *path ? "." : "", field->name);
        if (field->kind == CAROM_FIELD_OBJECT ? seek(&value, field->table, inside, out)
                                              : seek_items(&value, field, inside, out))
            return true;
    }
    return false;
}

static carom_status nowhere(const carom_scene_setting *s, const char *key, carom_error *err)
{
    const char *names[NAMES_MAX + CAROM_LAW_OPTION_MAX];
    int count = 0, options = s->law ? carom_law_option_count(s->law) : 0;
    for (const carom_field *field = s->table->fields; field->name && count < NAMES_MAX; ++field)
        names[count++] = field->name;
    for (int i = 0; i < options; ++i)
        names[count++] = carom_law_option(s->law, i)->name;
    if (s->law)
        carom_error_set(err, CAROM_BAD_INPUT, "neither the file nor the law %s has a key \"%.40s\"",
                        carom_law_name(s->law), key);
    else
        carom_error_set(err, CAROM_BAD_INPUT, "the file has no key \"%.40s\"", key);
    const char *nearest = carom_suggest_nearest(key, names, count);
    return nearest ? carom_error_fix(err, "did you mean \"%s\"?", nearest)
                   : carom_error_fix(err, "docs/files.md lists the keys%s",
                                     s->law ? ", `carom laws` the options of every law" : "");
}

// The table below `table` that has the key, or null.
static const carom_field_table *holder(const carom_field_table *table, const char *key, int depth)
{
    const carom_field_table *found = NULL;
    for (const carom_field *field = table->fields; field->name && !found && depth < 6; ++field)
        if (field->table)
            found = carom_field_find(field->table, key) ? field->table
                                                        : holder(field->table, key, depth + 1);
    return found;
}

carom_status carom_scene_text_misplaced(const carom_scene_setting *s, const char *key,
                                        carom_error *err)
{
    place found = { .key = key, .present = true };
    const carom_field_table *table = holder(s->table, key, 0);
    bool any = seek(&s->root, s->table, "", &found);
    found.present = any;
    if (any || seek(&s->root, s->table, "", &found)) {
        carom_error_set(err, CAROM_BAD_INPUT, "%.40s belongs to a %s, not to the whole file", key,
                        found.table->noun);
        return *found.list
                   ? carom_error_fix(err, "write %.120s.%.40s=%.40s, or %.120s.*.%.40s=...",
                                     found.path, key, s->text, found.list, key)
                   : carom_error_fix(err, "write %.160s.%.40s=%.40s", found.path, key, s->text);
    }
    if (!table)
        return nowhere(s, key, err);
    carom_error_set(err, CAROM_BAD_INPUT, "%.40s belongs to a %s, and the file has none", key,
                    table->noun);
    return carom_error_fix(err, "write one into the file");
}

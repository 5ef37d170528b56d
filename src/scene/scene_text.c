// One value of a file changed by its path, as `--set materials.rock.friction=0.3` has it, for files
// of every kind. The new value is written into the text in place of the old one, so that all lines
// stay where they are; what the value may be is known from the tables of keys (field.h), and the
// file is read as any other afterwards.
//
// A path is made of keys, names and numbers with points between them: an item of a list is named by
// its number from 0 or by its "name", a coordinate by x, y, z, and * stands for every one.
#include "scene/scene_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"
#include "base/text.h"

struct carom_scene_text {
    char *name;
    char *text; // without comments
    size_t size;
    carom_scene_kind kind;
};

enum { LONGEST = 64 }; // part of a path

// Walking along the path and writing the new text on the way.
typedef struct walk {
    carom_scene_setting setting;
    carom_text out;
    size_t copied; // of the old text
    int places;    // that were set
    bool every;    // a * was met: what has no such part is left alone
} walk;

// What a path has reached: a value of the file and what its table says of it.
typedef struct node {
    const carom_value *value;
    const carom_field *field;       // null: the file, or an item of a list or map
    const carom_field_table *table; // of an object with a table
} node;

static carom_status visit(walk *w, node here, const char *rest, carom_error *err);

// -- parts of a path ----------------------------------------------------------------------------

// The next part; returns what follows it. Brackets around a number count as points.
static const char *next_part(const char *rest, char out[LONGEST])
{
    size_t length = strcspn(rest, ".[");
    snprintf(out, LONGEST, "%.*s", (int)length, rest);
    if (length > 0 && out[strlen(out) - 1] == ']')
        out[strlen(out) - 1] = 0;
    return rest[length] ? rest + length + 1 : rest + length;
}

static bool is_number(const char *part, size_t *out)
{
    char *end;
    *out = strtoul(part, &end, 10);
    return isdigit((unsigned char)*part) && !*end;
}

// Behind `name` and the point after it; null where the path does not begin so.
static const char *behind(const char *path, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(path, name, length) != 0 || (path[length] && !strchr(".[", path[length])))
        return NULL;
    return path[length] ? path + length + 1 : path + length;
}

// -- writing ------------------------------------------------------------------------------------

static void copy_until(walk *w, size_t offset)
{
    size_t size;
    const char *text = carom_reader_text(w->setting.root.reader, &size);
    carom_text_add_bytes(&w->out, text + w->copied, offset - w->copied);
    w->copied = offset;
}

static carom_status replace(walk *w, node here, carom_error *err)
{
    size_t begin, end;
    carom_value_span(here.value, &begin, &end);
    copy_until(w, begin);
    TRY(carom_scene_text_value(&w->setting, here.field, &w->out, err));
    w->copied = end;
    ++w->places;
    return CAROM_OK;
}

// Whether an object needs other keys than this one.
static bool needs_more(const carom_field_table *table, const char *key)
{
    bool any = false;
    for (const carom_field *field = table->fields; field->name; ++field)
        any = any || (field->required && strcmp(field->name, key) != 0);
    return any;
}

static carom_status absent(const char *part, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "the file has no \"%.60s\" there", part);
    return carom_error_fix(err, "set what the file has, or write \"%.60s\" into it", part);
}

// The number of a coordinate or of an item; -1: none.
static int part_index(const carom_field *field, const char *part)
{
    size_t index = 0;
    if (is_number(part, &index))
        return (int)index;
    const char *letter = *part ? strchr("xyz", *part) : NULL;
    return field->kind == CAROM_FIELD_VEC3 && letter && !part[1] ? *part - 'x' : -1;
}

static carom_field number_of(const carom_field *list)
{
    carom_field number = *list;
    number.kind = CAROM_FIELD_NUMBER;
    return number;
}

// A vector that the file leaves at its default, with one coordinate changed.
static carom_status write_coordinate(walk *w, const carom_field *field, int index, carom_error *err)
{
    const carom_field number = number_of(field);
    for (int k = 0; k < 3; ++k) {
        carom_text_add(&w->out, "%s", k ? ", " : "[");
        if (k == index)
            TRY(carom_scene_text_value(&w->setting, &number, &w->out, err));
        else
            carom_text_add_number(&w->out, field->vector[k]);
    }
    carom_text_add(&w->out, "]");
    return CAROM_OK;
}

// The value of a member that the file does not have, with the objects around it.
static carom_status write_new(walk *w, const carom_field *field, const char *rest, carom_error *err)
{
    char part[LONGEST];
    if (!*rest)
        return carom_scene_text_value(&w->setting, field, &w->out, err);
    const char *after = next_part(rest, part);
    int index = part_index(field, part);
    if (field->kind == CAROM_FIELD_VEC3 && !field->shown && index >= 0 && index < 3 && !*after)
        return write_coordinate(w, field, index, err);
    bool implied = field->kind == CAROM_FIELD_MAP && field->words && behind(rest, field->words);
    if (!implied && (field->kind != CAROM_FIELD_OBJECT || needs_more(field->table, part)))
        return absent(field->name, err);
    carom_text_add(&w->out, "{ \"%s\": ", part);
    if (implied) {
        const carom_field one = { .name = part, .kind = CAROM_FIELD_OBJECT, .table = field->table };
        TRY(write_new(w, &one, after, err));
    } else {
        const carom_field *inner = carom_field_find(field->table, part);
        if (!inner)
            return carom_scene_text_unknown(field->table, part, err);
        TRY(write_new(w, inner, after, err));
    }
    carom_text_add(&w->out, " }");
    return CAROM_OK;
}

// A new member right behind the opening bracket.
static carom_status insert(walk *w, const carom_value *object, const carom_field *field,
                           const char *rest, carom_error *err)
{
    size_t begin, end;
    carom_value_span(object, &begin, &end);
    copy_until(w, begin + 1);
    carom_text_add(&w->out, " \"%s\": ", field->name);
    TRY(write_new(w, field, rest, err));
    carom_text_add(&w->out, "%s", carom_value_next_key(object, NULL) ? "," : "");
    ++w->places;
    return CAROM_OK;
}

// -- walking ------------------------------------------------------------------------------------

static carom_status visit_list(walk *w, node here, const char *rest, carom_error *err)
{
    char part[LONGEST];
    const char *after = next_part(rest, part), *noun = here.table ? here.table->noun : "item";
    size_t wanted = 0, count = carom_value_count(here.value);
    bool all = strcmp(part, "*") == 0, numbered = is_number(part, &wanted);
    int found = 0;
    w->every = w->every || all;
    for (size_t i = 0; i < count; ++i) {
        carom_value item, name;
        const char *words = NULL;
        carom_value_item(here.value, i, &item);
        if (carom_value_member(&item, "name", &name) && carom_value_is_text(&name))
            carom_value_text(&name, &words, NULL);
        const char *next = words ? behind(rest, words) : NULL;
        if (!next && (all || (numbered && wanted == i)))
            next = after;
        if (!next)
            continue;
        ++found;
        node inside = { &item, here.table ? NULL : here.field, here.table };
        TRY(visit(w, inside, next, err));
    }
    if (found > 0)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "there is no %s \"%.40s\"", noun, part);
    return count
               ? carom_error_fix(err, "use a name, a number from 0 to %zu, or * for all", count - 1)
               : carom_error_fix(err, "the list is empty");
}

// Names may have points in them: the longest one that fits is meant.
static carom_status visit_map(walk *w, node here, const char *rest, carom_error *err)
{
    enum { KEYS_MAX = 256 };
    const carom_value *map = here.value;
    const char *keys[KEYS_MAX], *best = NULL, *key = NULL;
    char part[LONGEST];
    int count = 0;
    const char *after = next_part(rest, part);
    carom_value item;
    bool all = strcmp(part, "*") == 0;
    w->every = w->every || all;
    while ((key = carom_value_next_key(map, key))) {
        if (count < KEYS_MAX)
            keys[count++] = key;
        if (all) {
            carom_value_member(map, key, &item);
            TRY(visit(w, (node){ &item, here.table ? NULL : here.field, here.table }, after, err));
        } else if (behind(rest, key) && (!best || strlen(key) > strlen(best))) {
            best = key;
        }
    }
    if (all && count > 0)
        return CAROM_OK;
    if (best) {
        carom_value_member(map, best, &item);
        return visit(w, (node){ &item, here.table ? NULL : here.field, here.table },
                     behind(rest, best), err);
    }
    if (here.field && here.field->words && behind(rest, here.field->words)) {
        const carom_field one = { .name = here.field->words,
                                  .kind = CAROM_FIELD_OBJECT,
                                  .table = here.table };
        return insert(w, map, &one, behind(rest, here.field->words), err);
    }
    const char *nearest = carom_suggest_nearest(part, keys, count);
    carom_error_set(err, CAROM_BAD_INPUT, "there is no %s \"%.40s\"",
                    here.table ? here.table->noun : "number", part);
    return nearest ? carom_error_fix(err, "did you mean \"%.60s\"?", nearest)
                   : carom_error_fix(err, "name one that the file has");
}

// A coordinate, or a number of a list.
static carom_status visit_number(walk *w, node here, const char *rest, carom_error *err)
{
    char part[LONGEST];
    const char *after = next_part(rest, part);
    int index = part_index(here.field, part);
    carom_value item;
    if (index < 0 || *after || !carom_value_item(here.value, (size_t)index, &item)) {
        carom_error_set(err, CAROM_BAD_INPUT, "%s has no part \"%.40s\"", here.field->name, part);
        return carom_error_fix(err, "set the whole of it: %s=[...]", here.field->name);
    }
    const carom_field number = number_of(here.field);
    return replace(w, (node){ &item, &number, NULL }, err);
}

// What only its own reader knows: any part that the file has.
static carom_status visit_other(walk *w, node here, const char *rest, carom_error *err)
{
    if (carom_value_is_array(here.value))
        return visit_list(w, here, rest, err);
    if (carom_value_is_object(here.value))
        return visit_map(w, here, rest, err);
    return absent(rest, err);
}

// Options of the law are checked by the law.
static carom_status visit_option(walk *w, const carom_value *root, const char *key,
                                 carom_error *err)
{
    const carom_scene_setting *s = &w->setting;
    carom_law_options ignored = carom_law_defaults(s->law);
    TRY(carom_law_set(s->law, &ignored, key, s->text, err));
    carom_value options, option;
    const carom_field any = { .name = key, .kind = CAROM_FIELD_OTHER };
    if (!carom_value_member(root, "options", &options)) {
        size_t begin, end;
        carom_value_span(root, &begin, &end);
        copy_until(w, begin + 1);
        carom_text_add(&w->out, " \"options\": { \"%s\": ", key);
        TRY(carom_scene_text_value(s, &any, &w->out, err));
        carom_text_add(&w->out, " },");
        ++w->places;
        return CAROM_OK;
    }
    if (carom_value_member(&options, key, &option))
        return replace(w, (node){ &option, &any, NULL }, err);
    return insert(w, &options, &any, "", err);
}

static bool of_law(const carom_law *law, const char *key)
{
    for (int i = 0; i < carom_law_option_count(law); ++i)
        if (strcmp(carom_law_option(law, i)->name, key) == 0)
            return true;
    return false;
}

static carom_status visit_member(walk *w, node here, const char *rest, carom_error *err)
{
    static const carom_field names = { .name = "let", .kind = CAROM_FIELD_OTHER };
    char part[LONGEST];
    const char *after = next_part(rest, part);
    const carom_field *field = carom_field_find(here.table, part);
    bool top = !here.value->parent;
    carom_value member;
    if (top && strcmp(part, "let") == 0)
        field = &names;
    if (top && w->setting.law && field && strcmp(part, "options") == 0 && *after)
        return visit_option(w, here.value, after, err);
    if (top && w->setting.law && !field && !*after && of_law(w->setting.law, part))
        return visit_option(w, here.value, part, err);
    if (!field)
        return top ? carom_scene_text_misplaced(&w->setting, part, err)
                   : carom_scene_text_unknown(here.table, part, err);
    if (carom_value_member(here.value, part, &member))
        return visit(w, (node){ &member, field, field->table }, after, err);
    if (w->every && *after)
        return CAROM_OK;
    return insert(w, here.value, field, after, err);
}

static carom_status visit(walk *w, node here, const char *rest, carom_error *err)
{
    if (!*rest)
        return replace(w, here, err);
    if (!here.field)
        return visit_member(w, here, rest, err);
    switch (here.field->kind) {
    case CAROM_FIELD_OBJECT:
        return visit_member(w, here, rest, err);
    case CAROM_FIELD_LIST:
        return visit_list(w, here, rest, err);
    case CAROM_FIELD_MAP:
        return visit_map(w, here, rest, err);
    case CAROM_FIELD_VEC3:
    case CAROM_FIELD_NUMBERS:
        return visit_number(w, here, rest, err);
    case CAROM_FIELD_OTHER:
        return visit_other(w, here, rest, err);
    default:
        carom_error_set(err, CAROM_BAD_INPUT, "%s has no parts", here.field->name);
        return carom_error_fix(err, "set %s itself", here.field->name);
    }
}

// -- texts --------------------------------------------------------------------------------------

// Keeps the text of a reader, which it closes.
static carom_status create(carom_reader *reader, const char *name, carom_scene_text **out,
                           carom_error *err)
{
    int kind = 0;
    carom_value root = carom_reader_root(reader);
    carom_status status = carom_reader_kind(&root, carom_scene_kinds(), &kind, err);
    carom_scene_text *text = status == CAROM_OK ? calloc(1, sizeof *text) : NULL;
    if (text) {
        const char *bytes = carom_reader_text(reader, &text->size);
        text->kind = (carom_scene_kind)kind;
        text->name = strdup(name);
        text->text = strdup(bytes);
    }
    carom_reader_close(reader);
    if (status != CAROM_OK)
        return status;
    if (!text || !text->name || !text->text) {
        carom_scene_text_close(text);
        return carom_error_no_memory(err, "the text of a file");
    }
    *out = text;
    return CAROM_OK;
}

carom_status carom_scene_text_open(const char *path, carom_scene_text **out, carom_error *err)
{
    NEED(err, path, out);
    carom_reader *reader = NULL;
    *out = NULL;
    TRY(carom_reader_open(path, &reader, err));
    return create(reader, strcmp(path, "-") == 0 ? "standard input" : path, out, err);
}

carom_status carom_scene_text_parse(const char *name, const char *text, size_t size,
                                    carom_scene_text **out, carom_error *err)
{
    NEED(err, name, text, out);
    carom_reader *reader = NULL;
    *out = NULL;
    TRY(carom_reader_parse(name, text, size, &reader, err));
    return create(reader, name, out, err);
}

void carom_scene_text_close(carom_scene_text *text)
{
    if (!text)
        return;
    free(text->name);
    free(text->text);
    free(text);
}

const char *carom_scene_text_bytes(const carom_scene_text *text, size_t *size)
{
    if (size)
        *size = text ? text->size : 0;
    return text ? text->text : "";
}

const char *carom_scene_text_name(const carom_scene_text *text)
{
    return text ? text->name : "";
}

carom_scene_kind carom_scene_text_kind(const carom_scene_text *text)
{
    return text ? text->kind : CAROM_SCENE_KIND_IMPACT;
}

// The law that the file names, for kinds that have one.
static carom_status find_law(carom_scene_setting *s, carom_error *err)
{
    carom_value value;
    const char *name;
    if (!carom_field_find(s->table, "law"))
        return CAROM_OK;
    s->law = carom_law_default();
    if (!carom_value_member(&s->root, "law", &value))
        return CAROM_OK;
    TRY(carom_value_text(&value, &name, err));
    s->law = carom_law_find(name, err);
    return s->law ? CAROM_OK : carom_value_place(&value, err);
}

static carom_status apply(carom_scene_text *text, const char *path, const char *value,
                          carom_error *err)
{
    carom_reader *reader = NULL;
    TRY(carom_reader_parse(text->name, text->text, text->size, &reader, err));
    walk w = { .setting = { .root = carom_reader_root(reader),
                            .table = carom_scene_kind_table(text->kind),
                            .path = path,
                            .text = value } };
    carom_status status = find_law(&w.setting, err);
    if (status == CAROM_OK) {
        status = visit(&w, (node){ &w.setting.root, NULL, w.setting.table }, path, err);
        if (status == CAROM_OK && w.places == 0)
            status = absent(path, err);
        if (status != CAROM_OK)
            carom_error_where(err, "%s=%.100s", path, value);
    }
    copy_until(&w, text->size);
    carom_reader_close(reader);
    if (status == CAROM_OK)
        status = carom_text_status(&w.out, err);
    if (status != CAROM_OK) {
        carom_text_free(&w.out);
        return status;
    }
    free(text->text);
    text->text = w.out.bytes;
    text->size = w.out.length;
    return CAROM_OK;
}

// Another law starts with its default options.
static carom_status apply_law(carom_scene_text *text, const char *name, carom_error *err)
{
    const carom_law *law = carom_law_find(name, err);
    if (!law)
        return carom_error_where(err, "law=%.100s", name);
    carom_reader *reader = NULL;
    TRY(carom_reader_parse(text->name, text->text, text->size, &reader, err));
    carom_scene_setting now = { .root = carom_reader_root(reader),
                                .table = carom_scene_kind_table(text->kind) };
    bool has_options = carom_value_member(&now.root, "options", NULL);
    carom_status status = find_law(&now, err);
    carom_reader_close(reader);
    TRY(status);
    if (now.law == law)
        return CAROM_OK;
    TRY(apply(text, "law", name, err));
    return has_options ? apply(text, "options", "{}", err) : CAROM_OK;
}

carom_status carom_scene_text_set(carom_scene_text *text, const char *setting, carom_error *err)
{
    NEED(err, text, setting);
    char path[256];
    const char *equals = strchr(setting, '=');
    if (!equals || equals == setting || equals - setting >= (long)sizeof path) {
        carom_error_set(err, CAROM_BAD_INPUT, "\"%.100s\" names no value", setting);
        return carom_error_fix(err, "write key=value");
    }
    snprintf(path, sizeof path, "%.*s", (int)(equals - setting), setting);
    bool law = strcmp(path, "law") == 0 &&
               carom_field_find(carom_scene_kind_table(text->kind), "law") != NULL;
    return law ? apply_law(text, equals + 1, err) : apply(text, path, equals + 1, err);
}

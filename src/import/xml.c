// The tree, and what readers ask of it.
#include "import/xml.h"

#include <expat.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 100 }; // of elements in elements

typedef struct builder {
    XML_Parser parser;
    carom_arena *memory;
    const char *file;
    carom_xml_element *root, *open;
    int depth;
    carom_status status;
    carom_error *err;
} builder;

static char *copy(builder *b, const char *words)
{
    size_t length = strlen(words);
    char *out = carom_arena_take(b->memory, length + 1, 1);
    return out ? memcpy(out, words, length + 1) : NULL;
}

static void stop(builder *b, carom_status status)
{
    b->status = status;
    XML_StopParser(b->parser, XML_FALSE);
}

static carom_xml_element *make(builder *b, const char *name, const char **pairs)
{
    int count = 0;
    while (pairs[2 * count])
        ++count;
    carom_xml_element *e = carom_arena_zeros(b->memory, 1, sizeof *e);
    carom_xml_attribute *list = carom_arena_zeros(b->memory, (size_t)count + 1, sizeof *list);
    if (!e || !list)
        return NULL;
    for (int i = 0; i < count; ++i) {
        list[i] = (carom_xml_attribute){ copy(b, pairs[2 * i]), copy(b, pairs[2 * i + 1]) };
        if (!list[i].key || !list[i].value)
            return NULL;
    }
    e->file = b->file;
    e->name = copy(b, name);
    e->line = (int)XML_GetCurrentLineNumber(b->parser);
    e->attributes = list;
    e->attribute_count = count;
    return e->name ? e : NULL;
}

static void begin(void *self, const char *name, const char **pairs)
{
    builder *b = self;
    carom_xml_element *e = make(b, name, pairs);
    if (!e) {
        stop(b, carom_arena_exhausted(b->memory, b->err));
        return;
    }
    if (++b->depth > DEPTH) {
        stop(b, carom_xml_refuse(e, b->err, "more than %d elements inside each other", DEPTH));
        return;
    }
    e->parent = b->open;
    if (!b->open)
        b->root = e;
    else if (b->open->last)
        b->open->last->next = e;
    else
        b->open->child = e;
    if (b->open)
        b->open->last = e;
    b->open = e;
}

static void end(void *self, const char *name)
{
    builder *b = self;
    (void)name;
    b->open = b->open ? b->open->parent : NULL;
    --b->depth;
}

static void doctype(void *self, const char *name, const char *system, const char *public_id,
                    int internal)
{
    builder *b = self;
    (void)name, (void)system, (void)public_id, (void)internal;
    carom_error_set(b->err, CAROM_BAD_INPUT, "the file declares a document type");
    carom_error_where(b->err, "%s:%d", b->file, (int)XML_GetCurrentLineNumber(b->parser));
    stop(b, carom_error_fix(b->err, "take the DOCTYPE and its entities out"));
}

carom_status carom_xml_parse(const char *name, const char *bytes, size_t size, carom_arena *memory,
                             carom_xml_element **root, carom_error *err)
{
    builder b = { .memory = memory, .err = err };
    if (size > (size_t)256 << 20)
        return carom_error_set(err, CAROM_BAD_INPUT, "the file is larger than 256 MB");
    b.file = copy(&b, name);
    b.parser = b.file ? XML_ParserCreate(NULL) : NULL;
    if (!b.parser)
        return carom_error_no_memory(err, "an XML file");
    XML_SetUserData(b.parser, &b);
    XML_SetElementHandler(b.parser, begin, end);
    XML_SetStartDoctypeDeclHandler(b.parser, doctype);
    enum XML_Status parsed = XML_Parse(b.parser, bytes, (int)size, 1);
    if (b.status == CAROM_OK && parsed != XML_STATUS_OK) {
        b.status = carom_error_set(err, CAROM_BAD_INPUT, "this is no sound XML: %s",
                                   XML_ErrorString(XML_GetErrorCode(b.parser)));
        carom_error_where(err, "%s:%d:%d", b.file, (int)XML_GetCurrentLineNumber(b.parser),
                          (int)XML_GetCurrentColumnNumber(b.parser) + 1);
        carom_error_fix(err, "repair the file there");
    }
    XML_ParserFree(b.parser);
    *root = b.root;
    return b.status;
}

// -- asking ---------------------------------------------------------------------------------------

bool carom_xml_is(const carom_xml_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

const carom_xml_element *carom_xml_child(const carom_xml_element *element, const char *name)
{
    const carom_xml_element *e = element ? element->child : NULL;
    while (e && !carom_xml_is(e, name))
        e = e->next;
    return e;
}

const carom_xml_element *carom_xml_next(const carom_xml_element *after)
{
    const carom_xml_element *e = after->next;
    while (e && !carom_xml_is(e, after->name))
        e = e->next;
    return e;
}

const char *carom_xml_text(const carom_xml_element *element, const char *key)
{
    for (int i = 0; element && i < element->attribute_count; ++i)
        if (strcmp(element->attributes[i].key, key) == 0)
            return element->attributes[i].value;
    return NULL;
}

static carom_status fail(const carom_xml_element *element, carom_error *err, carom_status status,
                         const char *what, va_list list)
{
    char words[200];
    vsnprintf(words, sizeof words, what, list);
    carom_error_set(err, status, "%s", words);
    carom_error_fix(err, "change it there, or leave it out");
    carom_error_where(err, "%.180s:%d: <%.40s>", element->file, element->line, element->name);
    return status;
}

carom_status carom_xml_refuse(const carom_xml_element *element, carom_error *err, const char *what,
                              ...)
{
    va_list list;
    va_start(list, what);
    carom_status status = fail(element, err, CAROM_BAD_INPUT, what, list);
    va_end(list);
    return status;
}

carom_status carom_xml_beyond(const carom_xml_element *element, carom_error *err, const char *what,
                              ...)
{
    va_list list;
    va_start(list, what);
    carom_status status = fail(element, err, CAROM_UNSUPPORTED, what, list);
    va_end(list);
    return status;
}

carom_status carom_xml_numbers(const carom_xml_element *element, const char *key, double *out,
                               const int range[2], int *count, carom_error *err)
{
    const char *at = carom_xml_text(element, key);
    int found = 0;
    for (; at;) {
        char *after;
        at += strspn(at, " \t\r\n,");
        if (!*at)
            break;
        double value = strtod(at, &after);
        if (after == at || !(fabs(value) <= 1e12))
            return carom_xml_refuse(element, err, "%.40s is \"%.40s\", where a number belongs", key,
                                    at);
        if (found == range[1])
            return carom_xml_refuse(element, err, "%.40s has more than %d numbers", key, range[1]);
        out[found++] = value;
        at = after;
    }
    if (carom_xml_text(element, key) && found < range[0])
        return carom_xml_refuse(element, err, "%.40s has %d numbers, not %d", key, found, range[0]);
    if (count)
        *count = found;
    return CAROM_OK;
}

carom_status carom_xml_number(const carom_xml_element *element, const char *key, double *out,
                              carom_error *err)
{
    return carom_xml_numbers(element, key, out, (const int[]){ 1, 1 }, NULL, err);
}

carom_status carom_xml_need(const carom_xml_element *element, const char *key, double *out,
                            int count, carom_error *err)
{
    if (!carom_xml_text(element, key))
        return carom_xml_refuse(element, err, "%s is missing", key);
    return carom_xml_numbers(element, key, out, (const int[]){ count, count }, NULL, err);
}

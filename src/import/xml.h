// An XML file as a tree, read by expat. Document type declarations, and with them entities of the
// file's own, are refused: no reader of ours needs them.
#ifndef CAROM_IMPORT_XML_H
#define CAROM_IMPORT_XML_H

#include "base/arena.h"

typedef struct carom_xml_attribute {
    const char *key, *value;
} carom_xml_attribute;

typedef struct carom_xml_element {
    const char *file, *name; // file: as in errors
    int line;
    const carom_xml_attribute *attributes;
    int attribute_count;
    struct carom_xml_element *parent, *child, *last, *next; // first and last child, next sibling
} carom_xml_element;

// The root; all memory is the arena's.
carom_status carom_xml_parse(const char *name, const char *bytes, size_t size, carom_arena *memory,
                             carom_xml_element **root, carom_error *err);
bool carom_xml_is(const carom_xml_element *element, const char *name);
// The first child of that name, null: none. `after` is one of them: the next of that name.
const carom_xml_element *carom_xml_child(const carom_xml_element *element, const char *name);
const carom_xml_element *carom_xml_next(const carom_xml_element *after);
// Null where it is not there.
const char *carom_xml_text(const carom_xml_element *element, const char *key);
// BAD_INPUT with the file, the line and the element.
carom_status carom_xml_refuse(const carom_xml_element *element, carom_error *err, const char *what,
                              ...) __attribute__((format(printf, 3, 4)));
// UNSUPPORTED likewise: sound, but nothing we could make of it.
carom_status carom_xml_beyond(const carom_xml_element *element, carom_error *err, const char *what,
                              ...) __attribute__((format(printf, 3, 4)));
// Numbers apart by blanks or commas: from `least` to `most` of them, finite and within 1e12.
// Where the attribute is not there `out` stays and `count` (may be null) is 0.
carom_status carom_xml_numbers(const carom_xml_element *element, const char *key, double *out,
                               const int range[2], int *count, carom_error *err);
// One number, or as many as three that must be there.
carom_status carom_xml_number(const carom_xml_element *element, const char *key, double *out,
                              carom_error *err);
carom_status carom_xml_need(const carom_xml_element *element, const char *key, double *out,
                            int count, carom_error *err);

#endif

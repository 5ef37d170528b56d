// Where a value stands in a JSON text, and what a text must satisfy before it is parsed.
//
// The parser (jansson) keeps no positions. A position is needed once per failed file, so it is
// found by walking the already validated text along the value's path.
#ifndef CAROM_SCENE_LOCATE_H
#define CAROM_SCENE_LOCATE_H

#include <stdbool.h>
#include <stddef.h>

enum { CAROM_LOCATE_DEPTH = 32 }; // arrays and objects inside each other, at most

// One step from a value to a value inside it.
typedef struct carom_locate_step {
    const char *key; // member of an object; null: element of an array
    size_t index;
} carom_locate_step;

// Byte offset of the value at the end of the path, or of its key. The text is valid JSON and holds
// the path; where it does not, the offset of the last value found.
size_t carom_locate_find(const char *text, size_t size, const carom_locate_step *path, int steps,
                         bool of_key);

// Behind the value that begins at an offset.
size_t carom_locate_end(const char *text, size_t size, size_t offset);

// Line and column from 1; columns count characters, not bytes.
void carom_locate_line_column(const char *text, size_t offset, int *line, int *column);

typedef enum carom_locate_flaw {
    CAROM_LOCATE_SOUND,
    CAROM_LOCATE_NOT_UTF8,
    CAROM_LOCATE_NUL,
    CAROM_LOCATE_DEEP,
} carom_locate_flaw;

// The first byte that is not UTF-8, a zero byte, or a bracket that nests deeper than the limit.
carom_locate_flaw carom_locate_screen(const char *text, size_t size, size_t *offset);

#endif

// Opening JSON files strictly. What comes out is a carom_value, see value.h; objects are best read
// by a table, see field.h.
#ifndef CAROM_SCENE_READER_H
#define CAROM_SCENE_READER_H

#include "base/arena.h"
#include "scene/expression.h"
#include "scene/locate.h"
#include "scene/value.h"

enum { CAROM_READER_MEGABYTES = 256 }; // of one file, at most

// Opens a file ("-" is the standard input) or a text; refuses what is not strict JSON: duplicate
// keys, NaN, deep nesting, broken UTF-8, trailing text. `name` is used in errors.
carom_status carom_reader_open(const char *path, carom_reader **out, carom_error *err);
carom_status carom_reader_parse(const char *name, const char *text, size_t size, carom_reader **out,
                                carom_error *err);
void carom_reader_close(carom_reader *reader);

// The whole file.
carom_value carom_reader_root(carom_reader *reader);
// Checks `"carom": 1` and that `"kind"` is one of the words (separated by spaces); gives its index.
carom_status carom_reader_kind(const carom_value *root, const char *words, int *kind,
                               carom_error *err);

// For errors: the last 120 bytes of the name.
const char *carom_reader_name(const carom_reader *reader);
// The whole name.
const char *carom_reader_path(const carom_reader *reader);
// The text that was parsed, for reading it once more.
const char *carom_reader_text(const carom_reader *reader, size_t *size);
// The numbers that the file's "let" names; a number written as a text is an expression of them.
const carom_expression_names *carom_reader_names(const carom_reader *reader);
// Memory that lives as long as the reader.
carom_arena *carom_reader_memory(const carom_reader *reader);
// Line and column of the value at the end of a path, or of its key.
void carom_reader_locate(const carom_reader *reader, const carom_locate_step *path, int steps,
                         bool of_key, int line_column[2]);

#endif

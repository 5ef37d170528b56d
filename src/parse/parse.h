// JSON texts in, by jansson, also where memory runs out.
#ifndef CAROM_PARSE_H
#define CAROM_PARSE_H

#include <jansson.h>

// As json_loadb. Null where the text is no JSON, and where there was no memory, with errno ENOMEM.
json_t *carom_parse_text(const char *text, size_t size, size_t flags, json_error_t *flaw);
// As json_load_file, likewise; flaw->line is -1 where the file cannot be read.
json_t *carom_parse_file(const char *path, size_t flags, json_error_t *flaw);

#endif

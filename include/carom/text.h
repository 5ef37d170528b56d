/// @file
/// A growing text, for files that are written in one go (SVG, HTML, JSON, CSV).
///
/// Appending never fails loudly: when memory runs out the text is marked and stays as it was, and
/// carom_text_status tells at the end.
#ifndef CAROM_TEXT_H
#define CAROM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Zero-initialise; free with carom_text_free.
typedef struct carom_text {
    char *bytes;     ///< always ends with a zero byte once something was appended; owned
    size_t length;   ///< bytes without that zero
    size_t capacity; ///< bytes there is room for
    bool failed;     ///< memory ran out
} carom_text;

/// Frees the bytes and empties the text.
CAROM_API void carom_text_free(carom_text *text);
/// printf style; numbers use the C locale's point.
CAROM_API void carom_text_add(carom_text *text, const char *format, ...) CAROM_PRINTF(2, 3);
/// Appends bytes as they are.
CAROM_API void carom_text_add_bytes(carom_text *text, const char *bytes, size_t count);
/// With &, <, >, " and ' written as entities.
CAROM_API void carom_text_add_escaped(carom_text *text, const char *words);
/// As a JSON string with its quotes.
CAROM_API void carom_text_add_quoted(carom_text *text, const char *words);
/// The shortest decimal that reads back as the same double; null for a number that JSON cannot
/// hold.
CAROM_API void carom_text_add_number(carom_text *text, double number);

/// The same digits for any finite number, for messages.
CAROM_API void carom_text_digits(double number, char out[32]);

/// The word for that many: `one` for 1, else `many` ("1 body", "2 bodies").
CAROM_API const char *carom_text_noun(long long count, const char *one, const char *many);

/// Whether a name has this ending and more before it: "a.msh" ends with ".msh", ".msh" does not.
CAROM_API bool carom_text_ends_with(const char *words, const char *ending);

/// CAROM_OK, or CAROM_NO_MEMORY where something could not be appended.
CAROM_API carom_status carom_text_status(const carom_text *text, carom_error *err);

#ifdef __cplusplus
}
#endif
#endif

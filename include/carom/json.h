/// @file
/// Writing JSON, two spaces per level, short lists of numbers on one line.
///
/// Members need a key, elements of an array a null key. Numbers are written so that they read back
/// as the same double; what JSON cannot hold (NaN, infinity) becomes null.
#ifndef CAROM_JSON_H
#define CAROM_JSON_H

#include <stdint.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A JSON text in the making.
typedef struct carom_json carom_json;

/// An empty text. Null without memory; every function below takes null and does nothing.
CAROM_API carom_json *carom_json_create(void);
/// Frees the writer and its text; null is allowed.
CAROM_API void carom_json_destroy(carom_json *json);
/// The text so far, ending with a zero; null when memory ran out. Owned by the writer.
CAROM_API const char *carom_json_text(carom_json *json);

/// Opens an object; carom_json_end closes it.
CAROM_API void carom_json_object(carom_json *json, const char *key);
/// Opens an array; carom_json_end closes it.
CAROM_API void carom_json_array(carom_json *json, const char *key);
/// Closes the object or array opened last.
CAROM_API void carom_json_end(carom_json *json);

/// A number, with the fewest digits that read back as the same double.
CAROM_API void carom_json_number(carom_json *json, const char *key, double value);
/// A whole number.
CAROM_API void carom_json_integer(carom_json *json, const char *key, int64_t value);
/// true where `value` is not 0, else false.
CAROM_API void carom_json_bool(carom_json *json, const char *key, int value);
/// A text; null is written as null.
CAROM_API void carom_json_string(carom_json *json, const char *key, const char *text);
/// The value null.
CAROM_API void carom_json_null(carom_json *json, const char *key);
/// `count` numbers on one line.
CAROM_API void carom_json_numbers(carom_json *json, const char *key, const double *numbers,
                                  int count);
/// A text that is JSON already.
CAROM_API void carom_json_raw(carom_json *json, const char *key, const char *text);

#ifdef __cplusplus
}
#endif
#endif

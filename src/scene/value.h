// JSON values that know where they stand, and errors that say what, where and fix.
//
// A carom_value is a view into an open reader; it names its parent, so a chain of values on the
// caller's stack is a path, and an error at any of them gets its line and column from that path:
//
//     carom_value contact, point;
//     if (carom_value_item(&contacts, i, &contact) && carom_value_member(&contact, "point",
//     &point))
//         TRY(carom_value_vec3(&point, NULL, out, err));
//
// A parent must stay alive and in place while its children are used.
#ifndef CAROM_SCENE_VALUE_H
#define CAROM_SCENE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/range.h"

struct json_t;
typedef struct carom_reader carom_reader;

typedef struct carom_value {
    carom_reader *reader;
    struct json_t *json;
    const struct carom_value *parent; // null for the whole file
    const char *key;                  // name of this member, where the parent is an object
    size_t index;                     // where the parent is an array
    const char *noun; // what errors call this object ("body"); null: look further up
} carom_value;

// Numbers of an array; the memory belongs to the reader.
typedef struct carom_numbers {
    const double *values;
    int count;
} carom_numbers;

// False where there is none; a null `out` only asks.
bool carom_value_member(const carom_value *object, const char *key, carom_value *out);
bool carom_value_item(const carom_value *array, size_t index, carom_value *out);
size_t carom_value_count(const carom_value *array); // 0 where it is no array
bool carom_value_is_object(const carom_value *value);
bool carom_value_is_array(const carom_value *value);
bool carom_value_is_text(const carom_value *value);
// The keys of an object in the order of the file: start with null, ends with null.
const char *carom_value_next_key(const carom_value *object, const char *key);

// Typed access. A null range takes every finite number. Texts live as long as the reader.
carom_status carom_value_number(const carom_value *value, const carom_range *range, double *out,
                                carom_error *err);
carom_status carom_value_integer(const carom_value *value, const carom_range *range, int64_t *out,
                                 carom_error *err);
carom_status carom_value_bool(const carom_value *value, bool *out, carom_error *err);
carom_status carom_value_text(const carom_value *value, const char **out, carom_error *err);
carom_status carom_value_vec3(const carom_value *value, const carom_range *range, double out[3],
                              carom_error *err);
carom_status carom_value_numbers(const carom_value *value, const carom_range *range,
                                 carom_numbers *out, carom_error *err);
// One of the words (separated by spaces): gives its index, or an error with the nearest.
carom_status carom_value_word(const carom_value *value, const char *words, int *out,
                              carom_error *err);
carom_status carom_value_object(const carom_value *value, carom_error *err);
carom_status carom_value_array(const carom_value *value, carom_error *err);

// Reports a value that cannot be used: file:line:column, the object it is in, fact and fix.
carom_status carom_value_fail(const carom_value *at, carom_error *err, const char *fix,
                              const char *what, ...) __attribute__((format(printf, 4, 5)));
// The same at the key of a member (or at the object, where it has no such member).
carom_status carom_value_fail_key(const carom_value *object, const char *key, carom_error *err,
                                  const char *fix, const char *what, ...)
    __attribute__((format(printf, 5, 6)));
// Adds the place to an error that another function has set, and keeps its fact and fix.
carom_status carom_value_place(const carom_value *at, carom_error *err);

// Where the value stands in the text: from the first byte to behind the last.
void carom_value_span(const carom_value *value, size_t *begin, size_t *end);

#endif

// Arrays of numbers from a NumPy archive (.npz).
#ifndef CAROM_PARSE_NPZ_H
#define CAROM_PARSE_NPZ_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

enum { CAROM_NPZ_NAME = 64, CAROM_NPZ_DIMENSIONS = 4 };

typedef struct carom_npz {
    const char *path;
    unsigned char *bytes; // the file
    size_t size;
    size_t directory, entries; // where the list of its members begins, and how many there are
} carom_npz;

// One array: the last index runs fastest.
typedef struct carom_npz_array {
    int dimensions;
    size_t shape[CAROM_NPZ_DIMENSIONS], count; // count: of all numbers
    double *value;
} carom_npz_array;

// An archive in memory, of which it makes no copy; it is not to be closed.
carom_status carom_npz_from(const char *path, const void *bytes, size_t size, carom_npz *out,
                            carom_error *err);
// Opens a file; `path` must live as long. Fails where it is no archive.
carom_status carom_npz_open(const char *path, carom_npz *out, carom_error *err);
void carom_npz_close(carom_npz *npz);
// An array by its name; `found` is false where there is none. Numbers only (integers and reals of
// 1 to 8 bytes, little-endian, in the order of C), stored or deflated. The caller frees
// array->value.
carom_status carom_npz_array_read(const carom_npz *npz, const char *name, carom_npz_array *array,
                                  bool *found, carom_error *err);

#endif

// The two parts of the data: what is fitted on and what is judged on, from one file or from two.
#ifndef CAROM_VALIDATE_PARTS_H
#define CAROM_VALIDATE_PARTS_H

#include "carom/validate.h"
#include "validate/data_table.h"

// A case: an impact is one row of the table, a toss all rows of its number.
typedef struct carom_case {
    const double *rows; // the first; the others follow
    int count;
} carom_case;

typedef struct carom_parts_list {
    carom_case *cases;
    int count;
    const char *path; // the file they are from
} carom_parts_list;

typedef struct carom_parts {
    carom_data_table data, other;
    carom_parts_list fit, judge;
} carom_parts;

// How a file is laid out: the columns wanted, and which of them numbers the case (-1: each row is
// one).
typedef struct carom_parts_layout {
    const char *const *names;
    int columns, number;
} carom_parts_layout;

// Reads the file of the options, cut into halves by the seed, or both files.
carom_status carom_parts_read(const carom_validate_options *options,
                              const carom_parts_layout *layout, carom_parts *out, carom_error *err);
void carom_parts_free(carom_parts *parts);

#endif

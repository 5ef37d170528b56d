// Tables of measured numbers: CSV with a heading, plain or gzipped.
#ifndef CAROM_VALIDATE_DATA_TABLE_H
#define CAROM_VALIDATE_DATA_TABLE_H

#include "base/error.h"

typedef struct carom_data_table {
    int rows, columns;
    double *values; // row by row, in the order of the columns asked for; owned
} carom_data_table;

// Reads the named columns, which may stand in any order and among others. Every value must be a
// finite number; a failure says file, line and column.
carom_status carom_data_table_read(const char *path, const char *const *names, int count,
                                   carom_data_table *out, carom_error *err);
void carom_data_table_free(carom_data_table *table);

#endif

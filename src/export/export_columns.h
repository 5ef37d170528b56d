// The ledger as named columns, for tables, arrays and plots; and writing large files piece by
// piece. Inside of the exporters.
#ifndef CAROM_EXPORT_EXPORT_COLUMNS_H
#define CAROM_EXPORT_EXPORT_COLUMNS_H

#include <stdio.h>
#include "base/text.h"
#include "carom/world.h"

typedef struct carom_export_column {
    const char *name;
    const char *unit; // "" for counts
    size_t offset;    // in carom_ledger
    bool whole;       // int64_t instead of double
} carom_export_column;

extern const carom_export_column carom_export_columns[];
extern const int carom_export_column_count;

double carom_export_columns_number(const carom_export_column *column, const carom_ledger *ledger);
int64_t carom_export_columns_integer(const carom_export_column *column, const carom_ledger *ledger);

// Writes out what has gathered in the text, once it is much or where `all`, and empties it.
carom_status carom_export_columns_flush(carom_text *text, FILE *file, bool all, carom_error *err);

#endif

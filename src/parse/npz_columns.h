// Numbers of bodies from a NumPy archive, by columns.
#ifndef CAROM_PARSE_NPZ_COLUMNS_H
#define CAROM_PARSE_NPZ_COLUMNS_H

#include "parse/npz.h"

enum { CAROM_NPZ_COLUMNS_MAX = 48 };

// An array that holds several columns, from `first` on.
typedef struct carom_npz_columns_group {
    const char *name;
    int first, width;
} carom_npz_columns_group;

typedef struct carom_npz_columns {
    const double *at[CAROM_NPZ_COLUMNS_MAX], *kind; // null: none
    size_t stride[CAROM_NPZ_COLUMNS_MAX],
        rows; // from body to body; rows is SIZE_MAX without any array
    carom_npz_array arrays[CAROM_NPZ_COLUMNS_MAX];
    int array_count;
} carom_npz_columns;

// Takes the arrays that are called as columns or groups, and `kind`: of each one row a body, of
// several frames the last. An array of its own goes before a group. Also where it fails `out` is to
// be freed.
carom_status carom_npz_columns_read(const carom_npz *npz, const char *const *names, int count,
                                    const carom_npz_columns_group *groups, int group_count,
                                    carom_npz_columns *out, carom_error *err);
void carom_npz_columns_free(carom_npz_columns *columns);

#endif

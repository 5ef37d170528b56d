// Bodies in NumPy archives have a row each: an array for every column, or arrays that hold several
// (position, n x 3), as `carom export` writes them.
#include "parse/npz_columns.h"

#include <stdint.h>
#include <stdlib.h>

// The rows of an array of bodies, of its last frame where it has several: `width` numbers each;
// null where there is no such array. All arrays have one number of rows, SIZE_MAX while it is not
// known.
static carom_status read_rows(const carom_npz *npz, const char *name, int width,
                              carom_npz_columns *c, const double **out, carom_error *err)
{
    carom_npz_array *array = &c->arrays[c->array_count];
    bool found;
    *out = NULL;
    TRY(carom_npz_array_read(npz, name, array, &found, err));
    if (!found)
        return CAROM_OK;
    int last = array->dimensions - (width > 1), frames = last - 1; // frames: whether there are some
    bool fits = last >= 1 && frames <= 1 &&
                (width == 1 || array->shape[array->dimensions - 1] == (size_t)width) &&
                (frames == 0 || array->shape[0] > 0);
    size_t count = fits ? array->shape[last - 1] : 0;
    if (!fits || (c->rows != SIZE_MAX && count != c->rows)) {
        free(array->value);
        array->value = NULL;
        carom_error_set(err, CAROM_BAD_INPUT, "the array does not have one row for each body");
        carom_error_where(err, "%s: %s", npz->path, name);
        return carom_error_fix(err, "give %s the shape (n%s), n bodies in all arrays", name,
                               width == 1   ? ","
                               : width == 3 ? ", 3"
                                            : ", 4");
    }
    c->rows = count;
    ++c->array_count;
    *out = array->value + (array->count - count * (size_t)width);
    return CAROM_OK;
}

carom_status carom_npz_columns_read(const carom_npz *npz, const char *const *names, int count,
                                    const carom_npz_columns_group *groups, int group_count,
                                    carom_npz_columns *out, carom_error *err)
{
    const double *value;
    *out = (carom_npz_columns){ .rows = SIZE_MAX };
    for (int g = 0; g < group_count; ++g) {
        TRY(read_rows(npz, groups[g].name, groups[g].width, out, &value, err));
        for (int k = 0; k < groups[g].width && value; ++k) {
            out->at[groups[g].first + k] = value + k;
            out->stride[groups[g].first + k] = (size_t)groups[g].width;
        }
    }
    for (int i = 0; i < count; ++i) {
        TRY(read_rows(npz, names[i], 1, out, &value, err));
        if (value) {
            out->at[i] = value;
            out->stride[i] = 1;
        }
    }
    return read_rows(npz, "kind", 1, out, &out->kind, err);
}

void carom_npz_columns_free(carom_npz_columns *columns)
{
    for (int i = 0; i < columns->array_count; ++i)
        free(columns->arrays[i].value);
}

// The two parts of the data; see parts.h.
#include "validate/parts.h"

#include <stdlib.h>
#include "base/random.h"

// Says of each of `count` cases whether it is in the half for fitting: a shuffle (Fisher and
// Yates), then the first half, so that any seed gives halves that differ by one at most.
static carom_status choose_half(int count, uint64_t seed, unsigned char *fits, carom_error *err)
{
    int *order = malloc((size_t)count * sizeof *order);
    if (!order)
        return carom_error_no_memory(err, "%d cases", count);
    carom_random random = carom_random_make(seed, 0);
    for (int i = 0; i < count; ++i)
        order[i] = i;
    for (int i = count - 1; i > 0; --i) {
        int k = carom_random_below(&random, i + 1), swap = order[i];
        order[i] = order[k];
        order[k] = swap;
    }
    for (int i = 0; i < count; ++i)
        fits[order[i]] = i < count / 2;
    free(order);
    return CAROM_OK;
}

static carom_status list_cases(const carom_data_table *table, int number, carom_parts_list *part,
                               carom_error *err)
{
    part->cases = malloc((size_t)table->rows * sizeof *part->cases);
    if (!part->cases)
        return carom_error_no_memory(err, "%d rows", table->rows);
    for (int i = 0; i < table->rows; ++i) {
        const double *row = table->values + (size_t)i * (size_t)table->columns;
        if (number < 0 || i == 0 || row[number] != row[number - table->columns])
            part->cases[part->count++] = (carom_case){ .rows = row };
        ++part->cases[part->count - 1].count;
    }
    return CAROM_OK;
}

// Moves half of the cases that are judged on to those that are fitted on.
static carom_status split_halves(uint64_t seed, carom_parts *parts, carom_error *err)
{
    int count = parts->judge.count;
    if (count < 2) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is one case only");
        carom_error_where(err, "%s", parts->judge.path);
        return carom_error_fix(err, "give more data, or another file to fit on (--fit)");
    }
    unsigned char *fits = malloc((size_t)count);
    parts->fit.cases = malloc((size_t)count * sizeof *parts->fit.cases);
    if (!fits || !parts->fit.cases) {
        free(fits);
        return carom_error_no_memory(err, "%d cases", count);
    }
    carom_status status = choose_half(count, seed, fits, err);
    parts->judge.count = 0;
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        carom_parts_list *to = fits[i] ? &parts->fit : &parts->judge;
        to->cases[to->count++] = parts->judge.cases[i];
    }
    free(fits);
    return status;
}

carom_status carom_parts_read(const carom_validate_options *options,
                              const carom_parts_layout *layout, carom_parts *out, carom_error *err)
{
    out->judge.path = options->data;
    out->fit.path = options->fit ? options->fit : options->data;
    TRY(carom_data_table_read(options->data, layout->names, layout->columns, &out->data, err));
    TRY(list_cases(&out->data, layout->number, &out->judge, err));
    if (!options->fit)
        return split_halves(options->seed, out, err);
    TRY(carom_data_table_read(options->fit, layout->names, layout->columns, &out->other, err));
    return list_cases(&out->other, layout->number, &out->fit, err);
}

void carom_parts_free(carom_parts *parts)
{
    free(parts->fit.cases);
    free(parts->judge.cases);
    carom_data_table_free(&parts->data);
    carom_data_table_free(&parts->other);
}

// What validation on impacts and on tosses share: options, halves, results.
#include "validate/validate.h"

#include <stdlib.h>
#include "base/random.h"

carom_validate_options carom_validate_options_default(void)
{
    return (carom_validate_options){ .seed = 1,
                                     .threads = 1,
                                     .gyration = 0.0192,
                                     .width = 0.1048,
                                     .mass = 0.37,
                                     .inertia = 0.00081,
                                     .gravity = 9.81,
                                     .rate = 148 };
}

static carom_status check_above_zero(double value, const char *name, const char *unit,
                                     carom_error *err)
{
    if (value > 0 && value < HUGE_VAL)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "%s is %g", name, value);
    return carom_error_fix(err, "use a number above 0 (%s)", unit);
}

carom_status carom_validate_check(const carom_validate_options *o, carom_error *err)
{
    if (!o->data || o->law_count < 1 || !o->laws) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is %s", o->data ? "no law" : "no data file");
        return carom_error_fix(err, "name a data file and at least one law");
    }
    TRY(check_above_zero(o->gyration, "gyration", "m", err));
    TRY(check_above_zero(o->width, "width", "m", err));
    TRY(check_above_zero(o->mass, "mass", "kg", err));
    TRY(check_above_zero(o->gravity, "gravity", "m/s^2", err));
    TRY(check_above_zero(o->rate, "rate", "Hz", err));
    if (!(o->inertia >= 0 && o->inertia < HUGE_VAL)) {
        carom_error_set(err, CAROM_BAD_INPUT, "inertia is %g", o->inertia);
        return carom_error_fix(err, "use a number above 0 (kg m^2), or 0: that of a uniform cube");
    }
    return CAROM_OK;
}

// A shuffle (Fisher and Yates), then the first half: any seed gives halves that differ by one at
// most.
carom_status carom_validate_halves(int count, uint64_t seed, unsigned char *fits, carom_error *err)
{
    if (count < 2) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is one case only");
        return carom_error_fix(err, "give more data, or another file to fit on (--fit)");
    }
    int *order = malloc((size_t)count * sizeof *order);
    if (!order)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d cases", count);
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

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

carom_status carom_validate_average(const double *values, int count, double *mean, double *median,
                                    carom_error *err)
{
    double sum = 0, *sorted = malloc((size_t)count * sizeof *sorted);
    if (!sorted)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d cases", count);
    for (int i = 0; i < count; ++i) {
        sorted[i] = values[i];
        sum += values[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    *mean = sum / count;
    *median = 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
    free(sorted);
    return CAROM_OK;
}

carom_status carom_validate_create(const carom_validate_options *options, int judged, int columns,
                                   carom_validation **out, double **columns_out, carom_error *err)
{
    // one block: the validation, its rows, their columns
    size_t rows = (size_t)options->law_count, n = (size_t)judged;
    size_t doubles = (rows * (size_t)columns + 1) * n;
    carom_validation *v = calloc(1, sizeof *v + rows * sizeof *v->rows + doubles * sizeof(double));
    if (!v)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for the errors of %d cases",
                               judged);
    v->judged = judged;
    v->rows = (carom_validate_row *)(v + 1);
    v->row_count = options->law_count;
    for (int i = 0; i < options->law_count; ++i)
        v->rows[i].law = options->laws[i];
    *columns_out = (double *)(v->rows + rows);
    *out = v;
    return CAROM_OK;
}

void carom_validate_destroy(carom_validation *validation)
{
    free(validation);
}

// What validation on impacts and on tosses share: options, materials, results, engines.
#include "validate/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "math/power.h"

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
    bool nobody = (o->law_count < 1 || !o->laws) && (o->engine_count < 1 || !o->engines);
    if (!o->data || nobody) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is %s", o->data ? "no law" : "no data file");
        return carom_error_fix(err, "name a data file and at least one law or engine");
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
        return carom_error_no_memory(err, "%d cases", count);
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

static int laws_of(const carom_validate_options *options)
{
    return options->laws && options->law_count > 0 ? options->law_count : 0;
}

carom_status carom_validate_create(const carom_validate_options *options, int judged, int columns,
                                   carom_validation **out, double **columns_out, carom_error *err)
{
    // one block: the validation, its rows, their columns, and three things of each case
    int laws = laws_of(options), engines = options->engines ? options->engine_count : 0;
    size_t rows = (size_t)(laws + engines), n = (size_t)judged;
    size_t of_case = sizeof(carom_validate_measured) + sizeof(double);
    size_t doubles = rows * (size_t)columns * n;
    carom_validation *v =
        calloc(1, sizeof *v + rows * sizeof *v->rows + doubles * sizeof(double) + n * of_case);
    if (!v)
        return carom_error_no_memory(err, "the errors of %d cases", judged);
    v->judged = judged;
    v->rows = (carom_validate_row *)(v + 1);
    v->row_count = (int)rows;
    for (int i = 0; i < laws; ++i) {
        v->rows[i].law = options->laws[i];
        snprintf(v->rows[i].name, sizeof v->rows[i].name, "%s", carom_law_name(options->laws[i]));
    }
    for (int i = 0; i < engines; ++i) {
        carom_validate_row *row = &v->rows[laws + i];
        const char *slash = strrchr(options->engines[i], '/');
        row->program = options->engines[i];
        snprintf(row->name, sizeof row->name, "%.63s", slash ? slash + 1 : row->program);
    }
    *columns_out = (double *)(v->rows + rows);
    v->measured = (const carom_validate_measured *)(*columns_out + doubles);
    v->bounds = (const double *)(v->measured + n);
    *out = v;
    return CAROM_OK;
}

void carom_validate_destroy(carom_validation *validation)
{
    free(validation);
}

// -- material --------------------------------------------------------------------------------

// Engines have both numbers; whether restitution falls with the speed is a matter of ours.
carom_fit carom_validate_fit(const carom_validate_options *options, const carom_law *law)
{
    carom_fit fit = { .max = { 1, 1, 1.5 } };
    fit.open[CAROM_FIT_RESTITUTION] = !law || carom_law_bounces(law);
    fit.open[CAROM_FIT_FRICTION] = !law || carom_law_has_friction(law);
    fit.open[CAROM_FIT_FADE] =
        options->model != CAROM_VALIDATE_CONSTANT && law && carom_law_bounces(law);
    return fit;
}

// How much slip counts where it does: fitted as a fourth number it is 1.9 to 2.0 on measured
// impacts, with either sense of spin (docs/validate.md).
static const double slip_counts = 2;

carom_validate_material carom_validate_material_of(const carom_validate_options *options,
                                                   const double numbers[CAROM_FIT_NUMBERS],
                                                   double speed)
{
    return (carom_validate_material){ .restitution = numbers[CAROM_FIT_RESTITUTION],
                                      .friction = numbers[CAROM_FIT_FRICTION],
                                      .fade = numbers[CAROM_FIT_FADE],
                                      .speed = speed,
                                      .slip = options->model == CAROM_VALIDATE_SLIPPING
                                                  ? slip_counts
                                                  : 0 };
}

double carom_validate_restitution(const carom_validate_material *m, double approach, double slip)
{
    if (m->fade == 0 || !(approach > 0))
        return m->restitution;
    double speed = sqrt(approach * approach + m->slip * m->slip * slip * slip);
    double e = 1 - (1 - m->restitution) * carom_power(speed / m->speed, m->fade);
    return fmin(fmax(e, 0), 1);
}

// -- engines ---------------------------------------------------------------------------------

static void close_all(carom_engine **engines, int count)
{
    for (int i = 0; i < count; ++i)
        carom_engine_close(engines[i]);
    free(engines);
}

static carom_status open_all(const char *program, int count, carom_engine ***out, carom_error *err)
{
    *out = calloc((size_t)count, sizeof **out);
    if (!*out)
        return carom_error_no_memory(err, "%d engines", count);
    for (int i = 0; i < count; ++i)
        TRY(carom_engine_open(program, &(*out)[i], err));
    return CAROM_OK;
}

static carom_status judge_by_engine(carom_validation *v, int number, int threads,
                                    carom_validate_judge judge, void *context, carom_error *err)
{
    carom_validate_row *row = &v->rows[number];
    carom_error own = { 0 };
    carom_engine **engines = NULL;
    carom_status status = open_all(row->program, threads, &engines, &own);
    if (status == CAROM_OK) {
        snprintf(row->name, sizeof row->name, "%.63s", carom_engine_name(engines[0]));
        status = judge(context, engines, number, row, &own);
    }
    if (engines)
        close_all(engines, threads);
    if (status == CAROM_INTERRUPTED && err)
        *err = own;
    if (status != CAROM_OK)
        snprintf(row->failed, sizeof row->failed, "%.127s", own.what);
    return status == CAROM_INTERRUPTED ? status : CAROM_OK;
}

carom_status carom_validate_rows(carom_validation *v, int threads, carom_validate_judge judge,
                                 void *context, carom_error *err)
{
    for (int i = 0; i < v->row_count; ++i)
        TRY(v->rows[i].law ? judge(context, NULL, i, &v->rows[i], err)
                           : judge_by_engine(v, i, threads, judge, context, err));
    return CAROM_OK;
}

// Every contact of one body against every contact of another, and what each combining rule makes of
// the one-body values [Bounce, section 5.2, table 1].
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bounce/bounce.h"

typedef struct rows {
    int modes;
    double *omega, *w, *a; // of one row: contact i of the first body against all of the second
    carom_bounce_result *alone[2], *both;
} rows;

static void free_rows(rows *r)
{
    free(r->omega);
    free(r->w);
    free(r->a);
    free(r->alone[0]);
    free(r->alone[1]);
    free(r->both);
}

static carom_status make_rows(const carom_bounce_batch *a, const carom_bounce_batch *b, rows *r,
                              carom_error *err)
{
    size_t m = (size_t)(a->mode_count + b->mode_count), n = (size_t)b->sample_count;
    *r = (rows){ .modes = (int)m };
    r->omega = malloc((m + 1) * sizeof *r->omega);
    r->w = malloc((n + 1) * sizeof *r->w);
    r->a = malloc((m * n + 1) * sizeof *r->a);
    r->alone[0] = malloc(((size_t)a->sample_count + 1) * sizeof *r->both);
    r->alone[1] = malloc((n + 1) * sizeof *r->both);
    r->both = malloc((n + 1) * sizeof *r->both);
    if (!r->omega || !r->w || !r->a || !r->alone[0] || !r->alone[1] || !r->both)
        return carom_error_no_memory(err, "%zu contacts", n);
    for (int k = 0; k < a->mode_count; ++k)
        r->omega[k] = a->omega[k];
    for (int k = 0; k < b->mode_count; ++k)
        r->omega[a->mode_count + k] = b->omega[k];
    for (size_t j = 0; j < n && b->mode_count > 0; ++j)
        memcpy(r->a + j * m + a->mode_count, b->a + j * (size_t)b->mode_count,
               (size_t)b->mode_count * sizeof *r->a);
    return CAROM_OK;
}

static carom_status solve_row(const carom_bounce_batch *a, const carom_bounce_batch *b, int i,
                              const carom_bounce_options *options, rows *r, carom_error *err)
{
    for (int j = 0; j < b->sample_count; ++j) {
        memcpy(r->a + (size_t)j * (size_t)r->modes, a->a + (size_t)i * (size_t)a->mode_count,
               (size_t)a->mode_count * sizeof *r->a);
        r->w[j] = a->w[i] + b->w[j];
    }
    carom_bounce_batch row = { r->modes, b->sample_count, r->omega, r->w, r->a, a->threads };
    return carom_bounce_many(&row, options, r->both, err);
}

static carom_status study(const carom_bounce_batch *a, const carom_bounce_batch *b,
                          const carom_bounce_options *options, rows *r, carom_bounce_study *out,
                          carom_error *err)
{
    TRY(make_rows(a, b, r, err));
    TRY(carom_bounce_many(a, options, r->alone[0], err));
    TRY(carom_bounce_many(b, options, r->alone[1], err));
    for (int i = 0; i < a->sample_count; ++i) {
        TRY(solve_row(a, b, i, options, r, err));
        for (int j = 0; j < b->sample_count; ++j) {
            double epsilon[2] = { r->alone[0][i].epsilon, r->alone[1][j].epsilon };
            double w[2] = { a->w[i], b->w[j] };
            out->capped += r->both[j].end != CAROM_BOUNCE_LEFT;
            out->mean += r->both[j].epsilon;
            for (int rule = 0; rule < CAROM_RESTITUTION_RULE_COUNT; ++rule)
                out->error[rule] +=
                    fabs(carom_restitution_rule_combine((carom_restitution_rule)rule, epsilon, w) -
                         r->both[j].epsilon);
        }
    }
    return CAROM_OK;
}

carom_status carom_bounce_study_run(const carom_bounce_batch *a, const carom_bounce_batch *b,
                                    const carom_bounce_options *options, carom_bounce_study *out,
                                    carom_error *err)
{
    NEED(err, a, b, out);
    rows r = { 0 };
    *out = (carom_bounce_study){ .pairs = (long)a->sample_count * b->sample_count };
    carom_status status = study(a, b, options, &r, out, err);
    free_rows(&r);
    for (int rule = 0; rule < CAROM_RESTITUTION_RULE_COUNT && out->pairs > 0; ++rule)
        out->error[rule] /= (double)out->pairs;
    out->mean /= out->pairs > 0 ? (double)out->pairs : 1;
    return status;
}

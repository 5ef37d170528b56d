// Rationals of the proofs: made, written, released; and the guess that the exact solver starts
// from. What is proved is in tower_prove.c and tower_space_prove.c.
#include "tower/tower_exact.h"

#include <stdlib.h>
#include <string.h>
#include "rational/rational.h"
#include "tower/tower_initial.h"

mpq_t *carom_tower_exact_create(int count)
{
    mpq_t *numbers = carom_rational_calloc(1, ((size_t)count + 1) * sizeof *numbers);
    for (int i = 0; numbers && i < count; ++i)
        mpq_init(numbers[i]);
    return numbers;
}

void carom_tower_exact_destroy(mpq_t *numbers, int count)
{
    for (int i = 0; numbers && i < count; ++i)
        mpq_clear(numbers[i]);
    carom_rational_free(numbers);
}

static void end_json(void *json)
{
    carom_json_destroy(json);
}

static void end_arena(void *arena)
{
    carom_arena_destroy(arena);
}

carom_json *carom_tower_exact_begin(void)
{
    return carom_rational_hold(carom_json_create(), end_json);
}

carom_arena *carom_tower_exact_arena(void)
{
    return carom_rational_hold(carom_arena_create(0), end_arena);
}

static char *copy_text(const char *text)
{
    char *copy = text ? carom_rational_calloc(1, strlen(text) + 1) : NULL;
    return copy ? strcpy(copy, text) : NULL;
}

// As "3/4", release with free; null without memory.
static char *text_of(mpq_srcptr number)
{
    char *text = mpq_get_str(NULL, 10, number), *copy = copy_text(text);
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    release(text, strlen(text) + 1);
    return copy;
}

void carom_tower_exact_write(carom_json *json, const char *key, mpq_srcptr number)
{
    char *text = mpq_get_str(NULL, 10, number);
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    carom_json_string(json, key, text);
    release(text, strlen(text) + 1);
}

void carom_tower_exact_write_double(carom_json *json, const char *key, double value)
{
    mpq_t number;
    mpq_init(number);
    mpq_set_d(number, value);
    carom_tower_exact_write(json, key, number);
    mpq_clear(number);
}

char *carom_tower_exact_finish(carom_json *json)
{
    char *copy = copy_text(carom_json_text(json));
    carom_json_destroy(carom_rational_let_go(json));
    return copy;
}

carom_json *carom_tower_exact_certificate(int dimension, bool stable)
{
    carom_json *json = carom_tower_exact_begin();
    carom_json_object(json, NULL);
    carom_json_integer(json, "carom", 1);
    carom_json_string(json, "kind", "tower-certificate");
    if (dimension != 2)
        carom_json_integer(json, "dimension", dimension);
    carom_json_string(json, "claim", stable ? "stable" : "unstable");
    return json;
}

void carom_tower_exact_write_motion(carom_json *json, const mpq_t *y, int count)
{
    carom_json_array(json, NULL);
    for (int k = 0; k < count; ++k)
        if (y)
            carom_tower_exact_write(json, NULL, y[k]);
        else
            carom_json_string(json, NULL, "0");
    carom_json_end(json);
}

carom_status carom_tower_exact_hand_over(carom_json *json, mpq_srcptr sum, mpq_srcptr support,
                                         carom_tower_proof *out, carom_error *err)
{
    carom_json_end(json);
    out->certificate = carom_tower_exact_finish(json);
    out->sum_m_a2 = text_of(sum);
    out->support = support ? text_of(support) : copy_text("");
    if (out->certificate && out->sum_m_a2 && out->support)
        return CAROM_OK;
    carom_rational_free(out->certificate);
    carom_rational_free(out->sum_m_a2);
    carom_rational_free(out->support);
    *out = (carom_tower_proof){ .stable = false };
    return carom_error_no_memory(err, "the certificate");
}

typedef struct pushing {
    double force;
    int row;
} pushing;

static int by_falling_force(const void *a, const void *b)
{
    const pushing *p = a, *q = b;
    if (p->force != q->force)
        return p->force > q->force ? -1 : 1;
    return p->row - q->row;
}

carom_status carom_tower_exact_guess(const carom_qp *qp, carom_arena *arena, int **order,
                                     int *count, carom_error *err)
{
    carom_qp_report report;
    double *lambda, *y;
    pushing *sorted;
    TAKE_ZEROS(arena, lambda, qp->row_count + 1, err);
    TAKE_ZEROS(arena, y, 3 * qp->block_count + 1, err);
    TAKE(arena, sorted, qp->row_count + 1, err);
    TAKE(arena, *order, qp->row_count + 1, err);
    TRY(carom_tower_initial_solve(qp, CAROM_TOWER_AUTO, arena, lambda, y, &report, err));
    *count = 0;
    for (int r = 0; r < qp->row_count; ++r)
        if (lambda[r] > 0)
            sorted[(*count)++] = (pushing){ lambda[r], r };
    qsort(sorted, (size_t)*count, sizeof *sorted, by_falling_force);
    for (int n = 0; n < *count; ++n)
        (*order)[n] = sorted[n].row;
    return CAROM_OK;
}

// The books of all ranks: exact sums of integers, so that any number of ranks gives the same ones;
// a hash of all states; and both in and out of files.
#include "grains/grains.h"

#include <string.h>
#include "base/hash.h"

static void add_up(const carom_grains *g, int64_t *values, int count)
{
    if (g->host.sum)
        g->host.sum(g->host.client, values, count);
}

// What grains have now, each a sum.
typedef struct present {
    carom_exact_sum kinetic, potential, momentum[3], angular[3];
} present;

static void add_grain(const carom_grains *g, const carom_grains_part *part, int i, present *now)
{
    double m = part->mass[i], r = part->radius[i], p[3], l[3];
    vec3 x = vec3_from(part->position[i]), v = vec3_from(part->velocity[i]),
         w = vec3_from(part->spin[i]);
    vec3_store(vec3_scale(m, v), p);
    vec3_store(vec3_axpy(vec3_cross(x, vec3_from(p)), 0.4 * m * r * r, w), l);
    carom_exact_sum_add(&now->kinetic, 0.5 * m * (vec3_dot(v, v) + 0.4 * r * r * vec3_dot(w, w)));
    carom_exact_sum_add(&now->potential, -m * vec3_dot(vec3_from(g->options.gravity), x));
    for (int k = 0; k < 3; ++k) {
        carom_exact_sum_add(&now->momentum[k], p[k]);
        carom_exact_sum_add(&now->angular[k], l[k]);
    }
}

// Carries first, so that limbs of all ranks add up without overflow.
static void sum_over_ranks(const carom_grains *g, carom_exact_sum *sums, int count)
{
    for (int k = 0; k < count; ++k)
        carom_exact_sum_carry(&sums[k]);
    add_up(g, sums[0].limb, count * (int)(sizeof *sums / sizeof(int64_t)));
}

static void write_energies(carom_grains_books *out, const carom_exact_sum *sum, const present *now)
{
    out->start = carom_exact_sum_value(&sum[CAROM_GRAINS_START]);
    out->law = carom_exact_sum_value(&sum[CAROM_GRAINS_LAW]);
    out->rest = carom_exact_sum_value(&sum[CAROM_GRAINS_RESTING]);
    out->driven = carom_exact_sum_value(&sum[CAROM_GRAINS_DRIVEN]);
    out->forces = carom_exact_sum_value(&sum[CAROM_GRAINS_FORCES]);
    out->correction = carom_exact_sum_value(&sum[CAROM_GRAINS_CORRECTION]);
    out->kinetic = carom_exact_sum_value(&now->kinetic);
    out->potential = carom_exact_sum_value(&now->potential);
    out->integrator =
        out->kinetic + out->potential -
        (out->start + out->driven + out->forces + out->correction - out->law - out->rest);
    for (int k = 0; k < 3; ++k) {
        out->momentum[k] = carom_exact_sum_value(&now->momentum[k]);
        out->angular[k] = carom_exact_sum_value(&now->angular[k]);
    }
}

carom_status carom_grains_books_now(carom_grains *grains, const carom_grains_part *part,
                                    carom_grains_books *out, carom_error *err)
{
    NEED(err, grains, part, out);
    carom_exact_sum sum[CAROM_GRAINS_ENTRIES];
    present now;
    memset(&now, 0, sizeof now);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < part->owned; ++i)
        add_grain(grains, part, i, &now);
    memcpy(sum, grains->sum, sizeof sum);
    sum_over_ranks(grains, &now.kinetic, (int)(sizeof now / sizeof(carom_exact_sum)));
    sum_over_ranks(grains, sum, CAROM_GRAINS_ENTRIES);
    write_energies(out, sum, &now);
    if (grains->steps == 0)
        out->start = out->kinetic + out->potential, out->integrator = 0;
    int64_t counts[3] = { grains->impacts, grains->contacts, grains->asked };
    double overlaps[2] = { grains->overlap, grains->peak_overlap };
    add_up(grains, counts, 3);
    carom_grains_max(grains, overlaps, 2);
    out->impacts = counts[0];
    out->contacts = counts[1];
    out->asked = counts[2];
    out->overlap = overlaps[0];
    out->peak_overlap = overlaps[1];
    out->steps = grains->steps;
    out->impact_sweeps = grains->impact_sweeps;
    out->rest_sweeps = grains->rest_sweeps;
    out->capped = grains->capped;
    out->colours = grains->colour_count;
    out->exchanges = grains->exchanges;
    return CAROM_OK;
}

uint64_t carom_grains_books_hash(carom_grains *grains, const carom_grains_part *part)
{
    uint64_t sum = 0;
    if (!grains || !part)
        return 0;
    for (int i = 0; i < part->owned; ++i) {
        uint64_t one = carom_hash_bytes(CAROM_HASH_START, &part->name[i], sizeof *part->name);
        one = carom_hash_doubles(one, part->position[i], 3);
        one = carom_hash_doubles(one, part->velocity[i], 3);
        sum += carom_hash_doubles(one, part->spin[i], 3); // a sum knows no order
    }
    int64_t word = (int64_t)sum;
    add_up(grains, &word, 1);
    return (uint64_t)word;
}

// -- files ----------------------------------------------------------------------------------------

enum { SUMS = CAROM_GRAINS_ENTRIES * (int)(sizeof(carom_exact_sum) / 8), COUNTS = 8 };

int carom_grains_books_size(void)
{
    return SUMS + COUNTS;
}

void carom_grains_books_save(carom_grains *grains, int64_t *out)
{
    carom_exact_sum sum[CAROM_GRAINS_ENTRIES];
    if (!grains || !out)
        return;
    memcpy(sum, grains->sum, sizeof sum);
    sum_over_ranks(grains, sum, CAROM_GRAINS_ENTRIES);
    memcpy(out, sum, sizeof sum);
    out += SUMS;
    int64_t counts[3] = { grains->impacts, grains->contacts, grains->asked };
    double overlap[2] = { grains->overlap, grains->peak_overlap };
    add_up(grains, counts, 3);
    carom_grains_max(grains, overlap, 2);
    out[0] = grains->steps;
    out[1] = counts[0];
    out[2] = counts[1];
    out[3] = grains->impact_sweeps;
    out[4] = grains->rest_sweeps;
    out[5] = grains->capped;
    memcpy(&out[6], &overlap[1], sizeof(double));
    out[7] = counts[2];
}

void carom_grains_books_load(carom_grains *grains, const int64_t *in, int first)
{
    if (!grains || !in)
        return;
    memset(grains->sum, 0, sizeof grains->sum);
    if (first)
        memcpy(grains->sum, in, sizeof grains->sum);
    in += SUMS;
    grains->steps = in[0];
    grains->impacts = first ? in[1] : 0;
    grains->contacts = first ? in[2] : 0;
    grains->impact_sweeps = in[3];
    grains->rest_sweeps = in[4];
    grains->capped = in[5];
    memcpy(&grains->peak_overlap, &in[6], sizeof(double));
    grains->asked = first ? in[7] : 0;
}

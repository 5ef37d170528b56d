// Tall block products in fixed chunks of rows; see lanczos_block.h.
#include "solve/lanczos_block.h"

#include <stdlib.h>
#include <string.h>
#include "base/team.h"
#include "math/lanes.h"

enum { VECTORS = CAROM_LANCZOS_BLOCK, SQUARE = VECTORS * VECTORS, CHUNK = 1024 };

typedef double lanes8 __attribute__((vector_size(VECTORS * sizeof(double))));

static int chunks_of(int rows)
{
    return (rows + CHUNK - 1) / CHUNK;
}

size_t carom_lanczos_block_partial(int rows, int count)
{
    return (size_t)chunks_of(rows) * (size_t)count * SQUARE;
}

// Half of the products of two blocks over some rows: lanes p .. p + 3 of v with all of y.
CAROM_LANES_WIDEST static void gram_half(const double *v, const double *y, int rows, int p,
                                         double *out)
{
    lanes8 s0 = { 0 }, s1 = { 0 }, s2 = { 0 }, s3 = { 0 };
    for (int r = 0; r < rows; ++r, v += VECTORS, y += VECTORS) {
        lanes8 y8;
        memcpy(&y8, y, sizeof y8);
        s0 += v[p] * y8;
        s1 += v[p + 1] * y8;
        s2 += v[p + 2] * y8;
        s3 += v[p + 3] * y8;
    }
    lanes8 all[4] = { s0, s1, s2, s3 };
    memcpy(out + VECTORS * p, all, sizeof all);
}

static void gram_share(const carom_lanczos_pair *pair, double *const *v, int count, const double *y)
{
    int end = carom_team_end(chunks_of(pair->rows), pair->threads);
    for (int c = carom_team_begin(chunks_of(pair->rows), pair->threads); c < end; ++c) {
        int begin = c * CHUNK, rows = pair->rows - begin < CHUNK ? pair->rows - begin : CHUNK;
        size_t from = (size_t)begin * VECTORS;
        for (int i = 0; i < count; ++i) {
            double *out = pair->partial + ((size_t)c * (size_t)count + (size_t)i) * SQUARE;
            gram_half(v[i] + from, y + from, rows, 0, out);
            gram_half(v[i] + from, y + from, rows, 4, out);
        }
    }
}
CAROM_TEAM_SHARE4(gram_share, const carom_lanczos_pair *, double *const *, int, const double *)

void carom_lanczos_block_gram(const carom_lanczos_pair *pair, double *const *v, int count,
                              const double *y, double *gram)
{
    int chunks = chunks_of(pair->rows);
    CAROM_TEAM(pair->threads, gram_share(pair, v, count, y));
    memset(gram, 0, (size_t)count * SQUARE * sizeof *gram);
    for (int c = 0; c < chunks; ++c)
        for (size_t k = 0; k < (size_t)count * SQUARE; ++k)
            gram[k] += pair->partial[(size_t)c * (size_t)count * SQUARE + k];
}

// z -= v * factor over some rows.
CAROM_LANES_WIDEST static void subtract_rows(const double *v, const double *factor, double *z,
                                             int rows)
{
    lanes8 f[VECTORS];
    memcpy(f, factor, sizeof f);
    for (int r = 0; r < rows; ++r, v += VECTORS, z += VECTORS) {
        lanes8 z8;
        memcpy(&z8, z, sizeof z8);
        for (int p = 0; p < VECTORS; ++p)
            z8 -= v[p] * f[p];
        memcpy(z, &z8, sizeof z8);
    }
}

static void subtract_share(const carom_lanczos_pair *pair, double *const *v, int count,
                           const double *factor, double *z)
{
    int end = carom_team_end(chunks_of(pair->rows), pair->threads);
    for (int c = carom_team_begin(chunks_of(pair->rows), pair->threads); c < end; ++c) {
        int begin = c * CHUNK, rows = pair->rows - begin < CHUNK ? pair->rows - begin : CHUNK;
        size_t from = (size_t)begin * VECTORS;
        for (int i = 0; i < count; ++i)
            subtract_rows(v[i] + from, factor + (size_t)i * SQUARE, z + from, rows);
    }
}
CAROM_TEAM_SHARE5(subtract_share, const carom_lanczos_pair *, double *const *, int, const double *,
                  double *)

void carom_lanczos_block_subtract(const carom_lanczos_pair *pair, double *const *v, int count,
                                  const double *factor, double *z)
{
    CAROM_TEAM(pair->threads, subtract_share(pair, v, count, factor, z));
}

// out[k] = sum_i v[i] s(i, k), with -s block by block.
typedef struct combination {
    double *const *v, *const *out;
    int count, out_count;
    double *minus;
} combination;

// One chunk of a combination; `fresh` holds out_count blocks of CHUNK rows.
static void combine_chunk(const combination *c, size_t from, int rows, double *fresh)
{
    size_t count = (size_t)c->count;
    memset(fresh, 0, (size_t)c->out_count * CHUNK * VECTORS * sizeof *fresh);
    for (int k = 0; k < c->out_count; ++k)
        for (int i = 0; i < c->count; ++i)
            subtract_rows(c->v[i] + from, c->minus + ((size_t)k * count + (size_t)i) * SQUARE,
                          fresh + (size_t)k * CHUNK * VECTORS, rows);
    for (int k = 0; k < c->out_count; ++k)
        memcpy(c->out[k] + from, fresh + (size_t)k * CHUNK * VECTORS,
               (size_t)rows * VECTORS * sizeof *fresh);
}

// Every so manieth chunk; `fresh` has room for one of each share.
static void combine_share(const carom_lanczos_pair *pair, const combination *c, double *fresh)
{
    size_t chunk = (size_t)c->out_count * CHUNK * VECTORS;
    double *own = fresh + chunk * (size_t)carom_team_me(pair->threads);
    CAROM_TEAM_EACH (i, chunks_of(pair->rows), pair->threads) {
        int begin = i * CHUNK, rows = pair->rows - begin < CHUNK ? pair->rows - begin : CHUNK;
        combine_chunk(c, (size_t)begin * VECTORS, rows, own);
    }
}
CAROM_TEAM_SHARE3(combine_share, const carom_lanczos_pair *, const combination *, double *)

bool carom_lanczos_block_combine(const carom_lanczos_pair *pair, double *const *v, int count,
                                 const double *s, double *const *out, int out_count)
{
    int threads = pair->threads > 1 ? pair->threads : 1;
    size_t chunk = (size_t)out_count * CHUNK * VECTORS, ld = (size_t)(VECTORS * out_count);
    double *fresh = malloc(chunk * (size_t)threads * sizeof *fresh);
    combination c = { v, out, count, out_count, NULL };
    c.minus = malloc((size_t)out_count * (size_t)count * SQUARE * sizeof *c.minus);
    bool ok = fresh && c.minus;
    for (int k = 0; ok && k < out_count; ++k)
        for (int i = 0; i < count; ++i)
            for (int p = 0; p < SQUARE; ++p)
                c.minus[((size_t)k * (size_t)count + (size_t)i) * SQUARE + (size_t)p] =
                    -s[(size_t)(VECTORS * i + p / VECTORS) * ld +
                       (size_t)(VECTORS * k + p % VECTORS)];
    if (ok)
        CAROM_TEAM(threads, combine_share(pair, &c, fresh));
    free(fresh);
    free(c.minus);
    return ok;
}

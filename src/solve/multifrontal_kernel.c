// Dense kernels: blocked product with packed operands, and the elimination built on it.
//
// An entry of C gets sum_k (a_k d_k) b_k, k ascending within blocks of DEPTH, the blocks subtracted
// one after the other: the order does not depend on tiles, threads or vector width.
#include "solve/multifrontal_kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/team.h"
#include "math/lanes.h"

enum {
    ROWS = 8, // of a register tile
    COLUMNS = 6,
    TILE_ROWS = 192, // of a tile that one thread works on: its packed A and B stay in cache
    TILE_COLUMNS = 96,
    DEPTH = 256
};
static const double PARALLEL_WORK = 4e6; // multiplications that are worth waking threads for

// The operands of one tile, packed.
typedef struct carom_multifrontal_tile {
    double a[TILE_ROWS * DEPTH];
    double b[TILE_COLUMNS * DEPTH];
} packed;

static int tiles_of(int m, int n)
{
    return (m + TILE_ROWS - 1) / TILE_ROWS * ((n + TILE_COLUMNS - 1) / TILE_COLUMNS);
}

bool carom_multifrontal_kernel_create(carom_multifrontal_kernel *kernel, int rows, int threads)
{
    int most = tiles_of(rows, rows);
    kernel->threads = threads < most ? threads : most;
    kernel->threads = kernel->threads > 1 ? kernel->threads : 1;
    kernel->tiles = malloc((size_t)kernel->threads * sizeof *kernel->tiles);
    kernel->d = malloc(((size_t)rows + 1) * sizeof *kernel->d);
    return kernel->tiles && kernel->d;
}

void carom_multifrontal_kernel_destroy(carom_multifrontal_kernel *kernel)
{
    free(kernel->tiles);
    free(kernel->d);
}

// A piece of the panel that is packed: its rows and columns, in strips of `strip` rows.
typedef struct slice {
    int row, rows, k, depth, strip;
    const double *scale; // of the columns; null: 1
} slice;

// Strip after strip, each column after column; missing rows are zero.
static void pack(const carom_multifrontal_product *p, const slice *s, double *to)
{
    int strip = s->strip;
    for (int c = 0; c < s->depth; ++c) {
        const double *column = carom_multifrontal_column(p->panel, p->f, s->k + c) + s->row;
        double factor = s->scale ? s->scale[s->k + c] : 1, *at = to + (size_t)c * (size_t)strip;
        for (int i = 0; i < s->rows; i += strip, at += (size_t)s->depth * (size_t)strip) {
            int here = s->rows - i < strip ? s->rows - i : strip;
            for (int r = 0; r < here; ++r)
                at[r] = column[i + r] * factor;
            for (int r = here; r < strip; ++r)
                at[r] = 0;
        }
    }
}

typedef double rows8 __attribute__((vector_size(ROWS * sizeof(double))));

// Column j of one register tile: all of its rows at once.
#define ACCUMULATE(j) sum##j += a8 * b[j];
#define KEEP(j) memcpy(sum + ROWS * (j), &sum##j, sizeof sum##j);

// All register tiles of one tile: a block of packed A against a block of packed B.
CAROM_LANES_WIDEST static void multiply_tile(const packed *p, int m, int n, int depth, double *c,
                                             size_t ldc)
{
    for (int i = 0; i < m; i += ROWS)
        for (int j = 0; j < n; j += COLUMNS) {
            const double *a = p->a + (size_t)i * (size_t)depth;
            const double *b = p->b + (size_t)j * (size_t)depth;
            rows8 sum0 = { 0 }, sum1 = { 0 }, sum2 = { 0 }, sum3 = { 0 }, sum4 = { 0 },
                  sum5 = { 0 };
            for (int k = 0; k < depth; ++k, a += ROWS, b += COLUMNS) {
                rows8 a8;
                memcpy(&a8, a, sizeof a8);
                ACCUMULATE(0)
                ACCUMULATE(1)
                ACCUMULATE(2)
                ACCUMULATE(3)
                ACCUMULATE(4)
                ACCUMULATE(5)
            }
            double sum[ROWS * COLUMNS];
            KEEP(0)
            KEEP(1)
            KEEP(2)
            KEEP(3)
            KEEP(4)
            KEEP(5)
            int rows = m - i < ROWS ? m - i : ROWS, columns = n - j < COLUMNS ? n - j : COLUMNS;
            for (int y = 0; y < columns; ++y)
                for (int x = 0; x < rows; ++x)
                    c[(size_t)(j + y) * ldc + (size_t)(i + x)] -= sum[ROWS * y + x];
        }
}

static void do_tile(const carom_multifrontal_product *p, int row, int column, packed *buffer)
{
    int m = p->m - row < TILE_ROWS ? p->m - row : TILE_ROWS;
    int n = p->n - column < TILE_COLUMNS ? p->n - column : TILE_COLUMNS;
    for (int k = 0; k < p->k; k += DEPTH) {
        int depth = p->k - k < DEPTH ? p->k - k : DEPTH;
        pack(p, &(slice){ p->a + row, m, k, depth, ROWS, p->d }, buffer->a);
        pack(p, &(slice){ p->b + column, n, k, depth, COLUMNS, NULL }, buffer->b);
        multiply_tile(buffer, m, n, depth, p->c + (size_t)column * p->ldc + (size_t)row, p->ldc);
    }
}

static void do_tiles(const carom_multifrontal_product *p, packed *buffers, int threads,
                     atomic_int *next)
{
    packed *buffer = &buffers[carom_team_me(threads)];
    int count = tiles_of(p->m, p->n), wide = tiles_of(1, p->n);
    for (int tile; (tile = carom_team_next(next, count)) >= 0;) {
        int row = tile / wide * TILE_ROWS, column = tile % wide * TILE_COLUMNS;
        if (!p->lower || row + TILE_ROWS > column)
            do_tile(p, row, column, buffer);
    }
}
CAROM_TEAM_SHARE4(do_tiles, const carom_multifrontal_product *, packed *, int, atomic_int *)

static void multiply(const carom_multifrontal_kernel *kernel, const carom_multifrontal_product *p)
{
    double work = (double)p->m * (double)p->n * (double)p->k;
    int threads = work > PARALLEL_WORK ? kernel->threads : 1;
    atomic_int next = 0;
    if (p->k > 0)
        CAROM_TEAM(threads, do_tiles(p, kernel->tiles, threads, &next));
}

// L D L^T of one block of columns, all rows below included. `block` is its first column at its own
// row, `rows` high.
CAROM_LANES_WIDEST static int eliminate_block(double *block, int rows, int width)
{
    double row[CAROM_MULTIFRONTAL_BLOCK];
    size_t ld = (size_t)rows;
    for (int j = 0; j < width; ++j) {
        double *column = block + (size_t)j * ld;
        for (int c = 0; c < j; ++c)
            row[c] = block[(size_t)c * ld + (size_t)j]; // L(j, c)
        for (int c = 0; c < j; ++c) {
            const double *before = block + (size_t)c * ld;
            double factor = before[c] * row[c]; // D_c L(j, c)
            for (int i = j; i < rows; ++i)
                column[i] -= before[i] * factor;
        }
        double pivot = column[j];
        if (!(fabs(pivot) > 0) || !(fabs(pivot) < HUGE_VAL))
            return j;
        double inverse = 1 / pivot;
        for (int i = j + 1; i < rows; ++i)
            column[i] *= inverse;
    }
    return -1;
}

int carom_multifrontal_kernel_eliminate(const carom_multifrontal_kernel *kernel, double *panel,
                                        double *rest, int f, int k)
{
    double *d = kernel->d;
    int bad = -1;
    for (int j = 0; j < k && bad < 0; j += CAROM_MULTIFRONTAL_BLOCK) {
        int width = k - j < CAROM_MULTIFRONTAL_BLOCK ? k - j : CAROM_MULTIFRONTAL_BLOCK,
            rows = f - j;
        double *block = panel + carom_multifrontal_panel_size(f, j);
        multiply(kernel, &(carom_multifrontal_product){ panel, d, block, (size_t)rows, f, j, j, j,
                                                        rows, width, false });
        bad = eliminate_block(block, rows, width);
        bad = bad < 0 ? bad : bad + j;
        for (int i = 0; i < width; ++i)
            d[j + i] = block[(size_t)i * (size_t)(rows + 1)];
    }
    if (bad < 0 && f > k)
        multiply(kernel, &(carom_multifrontal_product){ panel, d, rest, (size_t)(f - k), f, k, k, k,
                                                        f - k, f - k, true });
    return bad;
}

// Dense eigenvalues, nested dissection, multifrontal factorisation and Lanczos against brute force.
#include "base/random.h"
#include "solve/nested_dissection.h"
#include "solve/eigen.h"
#include "solve/multifrontal.h"
#include "solve/lanczos.h"
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = CAROM_MULTIFRONTAL_LANES };

static void dense_eigenvalues(int n)
{
    carom_random random = carom_random_make(7, (uint64_t)n);
    double *a = malloc((size_t)(n * n) * sizeof *a), *s = malloc((size_t)(n * n) * sizeof *s);
    double *value = malloc((size_t)n * sizeof *value), *work = malloc(2 * (size_t)n * sizeof *work);
    double worst = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
            a[i * n + j] = a[j * n + i] = carom_random_between(&random, -1, 1);
    memcpy(s, a, (size_t)(n * n) * sizeof *s);
    CHECK(carom_eigen_symmetric(n, s, value, work), "eigenvalues of order %d end", n);
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i) {
            double sum = -value[k] * s[i * n + k], dot = i == k ? -1 : 0;
            for (int j = 0; j < n; ++j) {
                sum += a[i * n + j] * s[j * n + k];
                dot += s[j * n + i] * s[j * n + k];
            }
            worst = fmax(worst, fmax(fabs(sum), fabs(dot)));
        }
    for (int k = 1; k < n; ++k)
        CHECK(value[k] >= value[k - 1], "ascending");
    CHECK_MOST(worst, 1e-13 * n, "order %d: A s = s value and S^T S = 1", n);
    free(a);
    free(s);
    free(value);
    free(work);
}

// A grid of cubes with eight nodes each and two unknowns per node; every cell has its own random
// positive matrix.
typedef struct grid {
    carom_nested_dissection_cells cells;
    int n[3];
    double lift; // added to the diagonal of every cell; negative: indefinite
    double *dense;
} grid;

static void cell_matrix(const void *context, int cell, double *full)
{
    const grid *g = context;
    carom_random random = carom_random_make(11, (uint64_t)cell);
    double b[16][16];
    for (int i = 0; i < 256; ++i)
        b[i / 16][i % 16] = carom_random_between(&random, -1, 1);
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j) {
            full[16 * i + j] = i == j ? g->lift : 0;
            for (int k = 0; k < 16; ++k)
                full[16 * i + j] += b[i][k] * b[j][k];
        }
}

static void grid_make(grid *g, int x, int y, int z)
{
    int count = x * y * z;
    g->n[0] = x;
    g->n[1] = y;
    g->n[2] = z;
    g->lift = 0.1;
    g->cells.cell_count = count;
    g->cells.node_count = (x + 1) * (y + 1) * (z + 1);
    g->cells.first = malloc((size_t)(count + 1) * sizeof(int));
    g->cells.node = malloc(8 * (size_t)count * sizeof(int));
    g->cells.position = malloc(3 * (size_t)count * sizeof(double));
    g->cells.first[0] = 0;
    for (int c = 0; c < count; ++c) {
        int at[3] = { c % x, c / x % y, c / x / y };
        g->cells.first[c + 1] = 8 * (c + 1);
        for (int k = 0; k < 8; ++k)
            g->cells.node[8 * c + k] =
                at[0] + k % 2 + (x + 1) * (at[1] + k / 2 % 2 + (y + 1) * (at[2] + k / 4));
        for (int k = 0; k < 3; ++k)
            g->cells.position[3 * c + k] = at[k];
    }
}

static void grid_free(grid *g)
{
    free(g->cells.first);
    free(g->cells.node);
    free(g->cells.position);
    free(g->dense);
}

static void assemble_dense(grid *g)
{
    int rows = 2 * g->cells.node_count;
    g->dense = calloc((size_t)rows * (size_t)rows, sizeof *g->dense);
    for (int c = 0; c < g->cells.cell_count; ++c) {
        double full[256];
        cell_matrix(g, c, full);
        for (int i = 0; i < 16; ++i)
            for (int j = 0; j < 16; ++j)
                g->dense[(2 * g->cells.node[8 * c + i / 2] + i % 2) * rows +
                         2 * g->cells.node[8 * c + j / 2] + j % 2] += full[16 * i + j];
    }
}

static carom_multifrontal *factor(grid *g, int threads)
{
    carom_nested_dissection tree;
    carom_error err = { 0 };
    carom_multifrontal *front = NULL;
    CHECK(carom_nested_dissection_create(&g->cells, &tree, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_nested_dissection_renumber(&tree, &g->cells, NULL, &err) == CAROM_OK, "%s",
          err.what);
    carom_multifrontal_source source = { &g->cells, 2, cell_matrix, g, threads };
    CHECK(carom_multifrontal_create(&source, &tree, NULL, &front, &err) == CAROM_OK, "%s",
          err.what);
    carom_nested_dissection_free(&tree);
    return front;
}

static void solves(int x, int y, int z)
{
    grid g = { 0 };
    grid_make(&g, x, y, z);
    carom_multifrontal *front = factor(&g, 1), *again;
    assemble_dense(&g);
    int rows = 2 * g.cells.node_count;
    size_t block = (size_t)rows * LANES;
    double *b = aligned_alloc(64, block * sizeof *b), *u = aligned_alloc(64, block * sizeof *u);
    double *t = aligned_alloc(64, (block + 64) * sizeof *t), worst = 0;
    double *scratch = aligned_alloc(64, (carom_multifrontal_scratch(front) * 8 + 63) / 64 * 64);
    carom_random random = carom_random_make(3, 0);
    for (size_t i = 0; i < block; ++i)
        b[i] = u[i] = t[i] = carom_random_between(&random, -1, 1);
    carom_multifrontal_solve(front, u, scratch, 1);
    for (int i = 0; i < rows; ++i)
        for (int l = 0; l < LANES; ++l) {
            double sum = -b[i * LANES + l];
            for (int j = 0; j < rows; ++j)
                sum += g.dense[i * rows + j] * u[j * LANES + l];
            worst = fmax(worst, fabs(sum));
        }
    CHECK_MOST(worst, 1e-9, "%d x %d x %d: residual of a solve", x, y, z);
    CHECK(carom_multifrontal_negatives(front) == 0, "a positive matrix has no negative pivots");
    carom_multifrontal_solve(front, t, scratch, 2);
    CHECK(memcmp(t, u, block * sizeof *t) == 0, "two threads solve to the same bits");
    grid h = { 0 };
    grid_make(&h, x, y, z);
    again = factor(&h, 2);
    memcpy(t, b, block * sizeof *t);
    carom_multifrontal_solve(again, t, scratch, 1);
    CHECK(memcmp(t, u, block * sizeof *t) == 0, "two threads factor to the same bits");
    grid_free(&h);
    carom_multifrontal_destroy(again);
    carom_multifrontal_destroy(front);
    grid_free(&g);
    free(b);
    free(u);
    free(t);
    free(scratch);
}

// Sylvester: as many negative pivots as negative eigenvalues.
static void inertia(void)
{
    grid g = { 0 };
    grid_make(&g, 4, 3, 2);
    g.lift = -6;
    carom_multifrontal *front = factor(&g, 1);
    assemble_dense(&g);
    int rows = 2 * g.cells.node_count, below = 0;
    double *value = malloc(3 * (size_t)rows * sizeof *value);
    CHECK(carom_eigen_symmetric(rows, g.dense, value, value + rows), "dense eigenvalues");
    for (int i = 0; i < rows; ++i)
        below += value[i] < 0;
    CHECK(below > 3 && below < rows - 3, "the matrix is indefinite (%d of %d below zero)", below,
          rows);
    CHECK(carom_multifrontal_negatives(front) == below,
          "%d negative pivots for %d negative eigenvalues", carom_multifrontal_negatives(front),
          below);
    free(value);
    carom_multifrontal_destroy(front);
    grid_free(&g);
}

// K = diag(1, 1, 2, 2, 3, ...), M = 1: pairs, and the lowest kept out as known.
typedef struct diagonal {
    int rows;
    double shift;
} diagonal;

static double entry(int row)
{
    return 1 + row / 2;
}

static void identity(void *context, const double *x, double *y)
{
    memcpy(y, x, (size_t)((diagonal *)context)->rows * LANES * sizeof *y);
}

static void divide(void *context, double *x)
{
    const diagonal *d = context;
    for (int i = 0; i < d->rows * LANES; ++i)
        x[i] /= entry(i / LANES) + d->shift;
}

static void lanczos(int rows, int wanted)
{
    diagonal d = { rows, 0.5 };
    double *known = calloc((size_t)rows * LANES, sizeof *known);
    known[0] = known[LANES + 1] = 1; // rows 0 and 1
    carom_lanczos_problem problem = {
        rows, d.shift, identity, divide, &d, known, wanted, 1e-9, 1, 0
    };
    carom_lanczos_result result;
    carom_error err = { 0 };
    CHECK(carom_lanczos_lowest(&problem, NULL, &result, &err) == CAROM_OK, "%s", err.what);
    double worst = 0, outside = 0;
    for (int i = 0; i < wanted; ++i) {
        const double *v = result.vectors + (size_t)(i / LANES) * (size_t)rows * LANES + i % LANES;
        worst = fmax(worst, fabs(result.lambda[i] - entry(i + 2)));
        outside = fmax(outside, fmax(fabs(v[0]), fabs(v[LANES])));
        for (int r = 0; r < rows; ++r)
            if (entry(r) != entry(i + 2))
                outside = fmax(outside, fabs(v[(size_t)r * LANES]));
    }
    CHECK_MOST(worst, 1e-10 * rows, "%d of %d eigenvalues, pairs included", wanted, rows);
    CHECK_MOST(outside, 1e-6, "vectors stay in the space of their pair");
    carom_lanczos_free(&result);
    free(known);
}

static void too_many(void)
{
    diagonal d = { 40, 0.5 };
    carom_lanczos_problem problem = { 40, 0.5, identity, divide, &d, NULL, 40, 1e-9, 1, 0 };
    carom_lanczos_result result;
    carom_error err = { 0 };
    CHECK(carom_lanczos_lowest(&problem, NULL, &result, &err) == CAROM_BAD_INPUT,
          "more modes than unknowns are refused: %s", err.what);
}

int main(void)
{
    dense_eigenvalues(1);
    dense_eigenvalues(2);
    dense_eigenvalues(37);
    solves(1, 1, 1);
    solves(3, 2, 1);
    solves(7, 6, 5);
    inertia();
    lanczos(400, 10);
    lanczos(1000, 45);
    too_many();
    return check_report();
}

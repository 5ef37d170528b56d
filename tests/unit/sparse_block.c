// The sparse block factorisation against the matrix itself: A x for the x that was asked for.
#include "solve/sparse_block.h"

#include <math.h>
#include <stdlib.h>
#include "base/random.h"
#include "support/check.h"

enum { NODES = 40, EDGES = 90, MOST = 6 * NODES };

static double dense[MOST * MOST];

static void add_both(carom_sparse_block *s, int size, int i, int j, double weight, const double *u,
                     const double *w)
{
    carom_sparse_block_add(s, i, j, weight, u, w);
    for (int a = 0; a < size; ++a)
        for (int b = 0; b < size; ++b) {
            dense[(size * i + a) * MOST + size * j + b] += weight * u[a] * w[b];
            if (i != j)
                dense[(size * j + b) * MOST + size * i + a] += weight * u[a] * w[b];
        }
}

// A weighted sum of rows over the edges, g g^T each, on top of the weights: positive definite.
static void fill(carom_sparse_block *s, int size, int (*edges)[2], carom_random *random)
{
    carom_sparse_block_clear(s);
    for (int i = 0; i < MOST * MOST; ++i)
        dense[i] = 0;
    for (int i = 0; i < NODES; ++i) {
        double weight[6];
        for (int a = 0; a < size; ++a) {
            weight[a] = 0.5 + carom_random_unit(random);
            dense[(size * i + a) * (MOST + 1)] += weight[a];
        }
        carom_sparse_block_add_diagonal(s, i, weight);
    }
    for (int e = 0; e < EDGES; ++e) {
        double g[2][6], d = 10 * carom_random_unit(random);
        for (int a = 0; a < 12; ++a)
            g[a / 6][a % 6] = 2 * carom_random_unit(random) - 1;
        int i = edges[e][0], j = edges[e][1];
        add_both(s, size, i, i, d, g[0], g[0]);
        add_both(s, size, j, j, d, g[1], g[1]);
        add_both(s, size, i, j, d, g[0], g[1]);
    }
}

static double misfit(const carom_sparse_block *s, int size, carom_random *random)
{
    double wanted[MOST], x[MOST], worst = 0;
    for (int i = 0; i < size * NODES; ++i)
        wanted[i] = 2 * carom_random_unit(random) - 1;
    for (int i = 0; i < size * NODES; ++i) {
        x[i] = 0;
        for (int j = 0; j < size * NODES; ++j)
            x[i] += dense[i * MOST + j] * wanted[j];
    }
    carom_sparse_block_solve(s, x);
    for (int i = 0; i < size * NODES; ++i)
        worst = fmax(worst, fabs(x[i] - wanted[i]));
    return worst;
}

static void check_size(int size)
{
    carom_random random = carom_random_make(7, (uint64_t)size);
    carom_arena *scratch = carom_arena_create(0);
    carom_sparse_block *s = carom_sparse_block_create(size, 0);
    double worst = 0;
    for (int trial = 0; trial < 20; ++trial) {
        int edges[EDGES][2];
        for (int e = 0; e < EDGES; ++e) { // some occur twice; the last node has none
            edges[e][0] = carom_random_below(&random, NODES - 1);
            edges[e][1] = (edges[e][0] + 1 + carom_random_below(&random, NODES - 2)) % (NODES - 1);
        }
        CHECK(carom_sparse_block_order(s, NODES, (const int(*)[2])edges, EDGES, scratch, NULL) ==
                  CAROM_OK,
              "ordered");
        CHECK(carom_sparse_block_place(s, NODES - 1, 0) == -1, "no edge, no place");
        fill(s, size, edges, &random);
        CHECK(carom_sparse_block_factor(s), "positive definite");
        worst = fmax(worst, misfit(s, size, &random));
        double g[6] = { 1 };
        fill(s, size, edges, &random);
        carom_sparse_block_add(s, 5, 5, -1e3, g, g);
        CHECK(!carom_sparse_block_factor(s), "not positive definite");
    }
    // condition about 1e3, some 200 sums
    CHECK_MOST(worst, 1e-12, "blocks of %d: the solution, largest error", size);
    carom_sparse_block_destroy(s);
    carom_arena_destroy(scratch);
}

// A ring of ten: eight nodes have two neighbours each when they go, then one has one. Elimination
// that would take more than its bound is not begun.
static void check_bound(void)
{
    const double needed = 4 * 8 + 1;
    int edges[10][2];
    carom_arena *scratch = carom_arena_create(0);
    carom_sparse_block *s = carom_sparse_block_create(3, 0);
    for (int i = 0; i < 10; ++i) {
        edges[i][0] = i;
        edges[i][1] = (i + 1) % 10;
    }
    for (int k = 0; k < 3; ++k) {
        carom_sparse_block_bound(s, k == 0 ? needed - 1 : k == 1 ? needed : 0);
        CHECK(carom_sparse_block_order(s, 10, (const int(*)[2])edges, 10, scratch, NULL) ==
                  CAROM_OK,
              "a ring is ordered");
        int wanted = k == 0 ? 0 : 10, found = carom_sparse_block_count(s);
        CHECK(found == wanted, "%d nodes are left, not %d", found, wanted);
    }
    carom_sparse_block_destroy(s);
    carom_arena_destroy(scratch);
}

int main(void)
{
    check_bound();
    check_size(3);
    check_size(6);
    return check_report();
}

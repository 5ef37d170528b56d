// Two solvers of the same quadratic programs, on seeded families with everything that hurts:
// duplicate rows, nearly parallel rows, dependent equalities, rows that never bind.
#include "solve/qp_active.h"
#include "solve/qp_interior.h"
#include "base/random.h"
#include "support/check.h"
#include <math.h>
#include <string.h>

enum { ROWS_MAX = 120, BLOCKS_MAX = 30 };

typedef struct problem {
    carom_qp qp;
    double weight[3 * BLOCKS_MAX];
    carom_qp_row row[ROWS_MAX];
} problem;

static void random_row(carom_random *r, int blocks, carom_qp_row *row)
{
    *row = (carom_qp_row){ .count = 1 + carom_random_below(r, blocks > 2 ? 3 : blocks) };
    for (int k = 0; k < row->count; ++k) {
        row->block[k] = (carom_random_below(r, blocks) + k) % blocks;
        for (int other = 0; other < k; ++other)
            if (row->block[other] == row->block[k]) {
                row->count = k;
                return;
            }
        for (int c = 0; c < 3; ++c)
            row->value[k][c] = carom_random_between(r, -1, 1);
    }
}

// A feasible point is planted, so that the rows never contradict each other.
static void make(problem *p, int seed)
{
    carom_random r = carom_random_make(7, (uint64_t)seed);
    double inside[3 * BLOCKS_MAX];
    int blocks = 1 + carom_random_below(&r, BLOCKS_MAX),
        rows = 1 + carom_random_below(&r, 4 * blocks);
    rows = rows > ROWS_MAX - 4 ? ROWS_MAX - 4 : rows;
    for (int i = 0; i < 3 * blocks; ++i) {
        p->weight[i] = carom_random_between(&r, 0.05, 2);
        inside[i] = carom_random_between(&r, -2, 2);
    }
    for (int n = 0; n < rows; ++n) {
        carom_qp_row *row = &p->row[n];
        int kind = carom_random_below(&r, 8);
        if (n > 0 && kind == 0)
            *row = p->row[n - 1]; // duplicate
        else if (n > 0 && kind == 1) {
            *row = p->row[n - 1]; // nearly parallel
            row->value[0][0] += 1e-4;
            row->equality = false;
        } else
            random_row(&r, blocks, row);
        row->bound = carom_qp_row_times(row, inside);
        if (kind == 2 && n < blocks)
            row->equality = true;
        if (!row->equality)
            row->bound -= carom_random_below(&r, 2) ? 0 : carom_random_between(&r, 0, 1);
    }
    p->qp =
        (carom_qp){ .block_count = blocks, .row_count = rows, .weight = p->weight, .rows = p->row };
}

static void compare(const problem *p, int seed, carom_qp_interior *interior, carom_arena *arena)
{
    double lambda[2][ROWS_MAX], y[2][3 * BLOCKS_MAX], worst = 0;
    carom_qp_report report[2];
    carom_error err = { 0 };
    CHECK(carom_qp_active_solve(&p->qp, arena, lambda[0], y[0], &report[0], &err) == CAROM_OK,
          "seed %d, active set: %s", seed, err.what);
    CHECK(carom_qp_interior_solve(interior, &p->qp, false, lambda[1], y[1], &report[1], &err) ==
              CAROM_OK,
          "seed %d, interior point: %s", seed, err.what);
    for (int i = 0; i < 3 * p->qp.block_count; ++i)
        worst = fmax(worst, fabs(y[0][i] - y[1][i]));
    // Residuals of 1e-13 over the angle of nearly parallel rows, 1e-4.
    CHECK_MOST(worst, 1e-9, "seed %d: both minimisers agree", seed);
    // The active set refines twice with one factor; nearly parallel rows cost it two digits.
    CHECK_MOST(report[0].kkt, 1e-11, "seed %d: active set residual", seed);
    CHECK_MOST(report[1].kkt, 1e-13, "seed %d: interior residual", seed);
    // From the answer of the other, the polish alone must settle.
    memcpy(lambda[1], lambda[0], sizeof lambda[0]);
    CHECK(carom_qp_interior_solve(interior, &p->qp, true, lambda[1], y[1], &report[1], &err) ==
              CAROM_OK,
          "seed %d, warm: %s", seed, err.what);
}

static void check_contradiction(carom_arena *arena)
{
    double weight[3] = { 1, 1, 1 }, lambda[2], y[3];
    carom_qp_row row[2] = { { .count = 1, .value = { { 1, 0, 0 } }, .bound = 1 },
                            { .count = 1, .value = { { -1, 0, 0 } }, .bound = 0 } };
    carom_qp qp = { .block_count = 1, .row_count = 2, .weight = weight, .rows = row };
    carom_qp_report report;
    carom_error err = { 0 };
    CHECK(carom_qp_active_solve(&qp, arena, lambda, y, &report, &err) == CAROM_BAD_INPUT,
          "x >= 1 and x <= 0 contradict each other: %s", err.what);
}

int main(void)
{
    static problem p;
    carom_arena *arena = carom_arena_create(0);
    carom_qp_interior *interior = carom_qp_interior_create(0);
    for (int seed = 0; seed < 200; ++seed) {
        make(&p, seed);
        compare(&p, seed, interior, arena);
    }
    check_contradiction(arena);
    carom_qp_interior_destroy(interior);
    carom_arena_destroy(arena);
    return check_report();
}

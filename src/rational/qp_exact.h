// Exact rational answers of small convex programs, from a good guess of which rows push.
#ifndef CAROM_RATIONAL_QP_EXACT_H
#define CAROM_RATIONAL_QP_EXACT_H

#include <gmp.h>
#include <stdbool.h>
#include "base/error.h"

enum { CAROM_QP_EXACT_BLOCKS_PER_ROW = 4 };

// min 1/2 sum weight y^2, g_r y >= bound_r, in rationals; rows name at most four blocks of three.
typedef struct carom_qp_exact_row {
    int count;
    int blocks[CAROM_QP_EXACT_BLOCKS_PER_ROW];
    mpq_t values[CAROM_QP_EXACT_BLOCKS_PER_ROW][3];
    mpq_t bound;
} carom_qp_exact_row;

typedef struct carom_qp_exact {
    int block_count, row_count;
    mpq_t *weights; // 3 per block
    carom_qp_exact_row *rows;
} carom_qp_exact;

// Rows with zero coefficients, weights and bounds; null without memory.
carom_qp_exact *carom_qp_exact_create(int blocks, int rows);
void carom_qp_exact_destroy(carom_qp_exact *qp);

// Solves exactly. `order` lists candidate rows, those most sure to push first (for instance by
// falling multipliers of a floating-point solver); y (3 per block) and lambda (per row) must be
// initialised by the caller. The answer fulfils the optimality conditions exactly: this is verified
// before OK is returned. CAROM_NOT_CONVERGED: the guess could not be repaired within the budget.
// `bits` gets the size of the largest number met.
carom_status carom_qp_exact_solve(const carom_qp_exact *qp, const int *order, int candidates,
                                  mpq_t *y, mpq_t *lambda, int *bits, carom_error *err);

#endif

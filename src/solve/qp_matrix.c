// Fills a sparse block matrix with the rows of a quadratic program. Where each pair of blocks of a
// row goes is found once per set of rows.
#include "solve/qp_matrix.h"

#include <stdlib.h>
#include "solve/sparse_block.h"

enum { PAIRS_PER_ROW = CAROM_QP_BLOCKS_PER_ROW * (CAROM_QP_BLOCKS_PER_ROW + 1) / 2 };

typedef struct row_map {
    int place[PAIRS_PER_ROW]; // of the pairs (0,0) (1,0) (1,1) (2,0) ... of a row
} row_map;

struct carom_qp_matrix {
    carom_sparse_block *blocks;
    carom_arena *memory; // the row maps of the current rows
    carom_arena_mark start;
    row_map *map;
};

carom_qp_matrix *carom_qp_matrix_create(size_t limit_bytes)
{
    carom_qp_matrix *matrix = calloc(1, sizeof *matrix);
    if (!matrix)
        return NULL;
    matrix->blocks = carom_sparse_block_create(3, limit_bytes);
    matrix->memory = carom_arena_create(limit_bytes);
    if (!matrix->blocks || !matrix->memory) {
        carom_qp_matrix_destroy(matrix);
        return NULL;
    }
    matrix->start = carom_arena_mark_here(matrix->memory);
    return matrix;
}

void carom_qp_matrix_destroy(carom_qp_matrix *matrix)
{
    if (!matrix)
        return;
    carom_sparse_block_destroy(matrix->blocks);
    carom_arena_destroy(matrix->memory);
    free(matrix);
}

static bool rows_inside(const carom_qp *qp)
{
    for (int r = 0; r < qp->row_count; ++r)
        for (int a = 0; a < qp->rows[r].count; ++a)
            if (qp->rows[r].block[a] < 0 || qp->rows[r].block[a] >= qp->block_count)
                return false;
    return true;
}

static bool find_places(carom_qp_matrix *matrix, const carom_qp *qp)
{
    for (int r = 0; r < qp->row_count; ++r) {
        const carom_qp_row *row = &qp->rows[r];
        for (int a = 0, slot = 0; a < row->count; ++a)
            for (int b = 0; b <= a; ++b, ++slot) {
                int place = carom_sparse_block_place(matrix->blocks, row->block[a], row->block[b]);
                if (place < 0)
                    return false;
                matrix->map[r].place[slot] = place;
            }
    }
    return true;
}

static carom_status order(carom_qp_matrix *matrix, const carom_qp *qp, carom_error *err)
{
    carom_arena_mark mark = carom_arena_mark_here(matrix->memory);
    int(*edges)[2], count = 0;
    for (int r = 0; r < qp->row_count; ++r)
        count += qp->rows[r].count * (qp->rows[r].count - 1) / 2;
    TAKE(matrix->memory, edges, count, err);
    count = 0;
    for (int r = 0; r < qp->row_count; ++r)
        for (int a = 0; a < qp->rows[r].count; ++a)
            for (int b = 0; b < a; ++b, ++count) {
                edges[count][0] = qp->rows[r].block[a];
                edges[count][1] = qp->rows[r].block[b];
            }
    carom_status status = carom_sparse_block_order(
        matrix->blocks, qp->block_count, (const int(*)[2])edges, count, matrix->memory, err);
    carom_arena_rewind(matrix->memory, mark);
    return status;
}

carom_status carom_qp_matrix_analyse(carom_qp_matrix *matrix, const carom_qp *qp, carom_error *err)
{
    carom_arena_rewind(matrix->memory, matrix->start);
    TAKE(matrix->memory, matrix->map, qp->row_count, err);
    if (!rows_inside(qp))
        return carom_error_set(err, CAROM_BAD_INPUT, "a row names a block outside 0..%d",
                               qp->block_count - 1);
    if (carom_sparse_block_count(matrix->blocks) == qp->block_count && find_places(matrix, qp))
        return CAROM_OK;
    TRY(order(matrix, qp, err));
    find_places(matrix, qp);
    return CAROM_OK;
}

carom_status carom_qp_matrix_factor(carom_qp_matrix *matrix, const carom_qp *qp, const double *d,
                                    carom_error *err)
{
    carom_sparse_block *blocks = matrix->blocks;
    carom_sparse_block_clear(blocks);
    for (int i = 0; i < qp->block_count; ++i)
        carom_sparse_block_add_diagonal(blocks, i, qp->weight + 3 * (size_t)i);
    for (int r = 0; r < qp->row_count; ++r) {
        const carom_qp_row *row = &qp->rows[r];
        if (d[r] == 0)
            continue;
        for (int a = 0, slot = 0; a < row->count; ++a)
            for (int b = 0; b <= a; ++b, ++slot)
                carom_sparse_block_add_at(blocks, matrix->map[r].place[slot], d[r], row->value[a],
                                          row->value[b]);
    }
    if (carom_sparse_block_factor(blocks))
        return CAROM_OK;
    return carom_error_set(err, CAROM_NOT_CONVERGED,
                           "the matrix of %d blocks lost its positive pivots", qp->block_count);
}

void carom_qp_matrix_solve(const carom_qp_matrix *matrix, double *x)
{
    carom_sparse_block_solve(matrix->blocks, x);
}

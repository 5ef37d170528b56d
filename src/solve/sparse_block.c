// Block L D L^T, left-looking, with minimum-degree ordering on the graph of blocks; see
// sparse_block.h.
//
// Elimination on a bit matrix does ordering and symbolic factorisation at once: the neighbours a
// block still has when it is eliminated are exactly the rows of its column of L. A bit matrix costs
// n^2/8 bytes, 50 MB at the 20000 blocks the callers allow.
//
// Symbols: position = place in the elimination order; column j of L holds the positions > j it
// touches. Left-looking: column j gathers the updates of all earlier columns k with L(j,k) != 0, in
// the order of k, so that the sums have one fixed order.
#include "solve/sparse_block.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct block {
    double m[9]; // row by row
} block;

// L D L^T of one diagonal block.
typedef struct pivot {
    double l10, l20, l21, d[3];
} pivot;

typedef struct row_map {
    // where the pairs (0,0) (1,0) (1,1) (2,0) ... of a row go; see pair_place
    int place[CAROM_QP_BLOCKS_PER_ROW * (CAROM_QP_BLOCKS_PER_ROW + 1) / 2];
} row_map;

struct carom_sparse_block {
    carom_arena *memory; // everything symbolic lives here; rewound when the couplings change
    carom_arena *maps;   // the row maps of the current rows
    carom_arena_mark memory_start, maps_start;
    int n;
    int *position;     // of a block
    int *column_start; // n + 1, into row and lower
    int *row;          // positions, ascending in each column
    int *left_start;   // n + 1, into left: the columns k < j with L(j,k) != 0, ascending
    int *left;
    int *cursor;             // first entry of column k with row >= the current j
    block *diagonal, *lower; // K before, L after factor
    pivot *pivots;
    block *work;
    row_map *map;
};

static carom_status order_blocks(carom_sparse_block *s, const carom_qp *qp, carom_error *err);
static bool find_places(carom_sparse_block *s, const carom_qp *qp);

carom_sparse_block *carom_sparse_block_create(size_t limit_bytes)
{
    carom_sparse_block *s = calloc(1, sizeof *s);
    if (!s)
        return 0;
    s->memory = carom_arena_create(limit_bytes);
    s->maps = carom_arena_create(limit_bytes);
    if (!s->memory || !s->maps) {
        carom_sparse_block_destroy(s);
        return 0;
    }
    s->memory_start = carom_arena_mark_here(s->memory);
    s->maps_start = carom_arena_mark_here(s->maps);
    return s;
}

void carom_sparse_block_destroy(carom_sparse_block *s)
{
    if (!s)
        return;
    carom_arena_destroy(s->memory);
    carom_arena_destroy(s->maps);
    free(s);
}

carom_status carom_sparse_block_analyse(carom_sparse_block *s, const carom_qp *qp, carom_error *err)
{
    carom_arena_rewind(s->maps, s->maps_start);
    TAKE(s->maps, s->map, qp->rows, err);
    if (s->n == qp->blocks && find_places(s, qp))
        return CAROM_OK;
    s->n = 0; // a failure below leaves no half-built order behind
    TRY(order_blocks(s, qp, err));
    if (!find_places(s, qp))
        return carom_error_set(err, CAROM_BAD_INPUT, "a row names a block outside 0..%d",
                               qp->blocks - 1);
    return CAROM_OK;
}

// -- symbolic -----------------------------------------------------------------------------------

static void set_bit(uint64_t *bits, int i)
{
    bits[i >> 6] |= (uint64_t)1 << (i & 63);
}
static void clear_bit(uint64_t *bits, int i)
{
    bits[i >> 6] &= ~((uint64_t)1 << (i & 63));
}

static int count_bits(const uint64_t *bits, int words)
{
    int count = 0;
    for (int w = 0; w < words; ++w)
        count += __builtin_popcountll(bits[w]);
    return count;
}

// The indices of the set bits, ascending.
static int list_bits(const uint64_t *bits, int words, int *out)
{
    int count = 0;
    for (int w = 0; w < words; ++w)
        for (uint64_t rest = bits[w]; rest; rest &= rest - 1)
            out[count++] = 64 * w + __builtin_ctzll(rest);
    return count;
}

static int least_degree(const int *degree, const int *position, int n)
{
    int best = -1;
    for (int i = 0; i < n; ++i)
        if (position[i] < 0 && (best < 0 || degree[i] < degree[best]))
            best = i;
    return best;
}

typedef struct elimination {
    int n, words;
    uint64_t *near; // n x words: who is coupled with whom among what is left
    int *degree;
    int *list;  // neighbours of the block being eliminated
    int *fill;  // all columns one after the other, as block numbers
    int *start; // n + 1
    int capacity;
} elimination;

static void couple(elimination *e, const carom_qp *qp)
{
    for (int r = 0; r < qp->rows; ++r)
        for (int a = 0; a < qp->row[r].count; ++a)
            for (int b = 0; b < qp->row[r].count; ++b)
                if (a != b)
                    set_bit(e->near + (size_t)qp->row[r].block[a] * e->words, qp->row[r].block[b]);
    for (int i = 0; i < e->n; ++i)
        e->degree[i] = count_bits(e->near + (size_t)i * e->words, e->words);
}

// Eliminates block p: its neighbours become coupled with each other.
static int eliminate(elimination *e, int p)
{
    const uint64_t *mine = e->near + (size_t)p * e->words;
    int count = list_bits(mine, e->words, e->list);
    for (int k = 0; k < count; ++k) {
        int v = e->list[k];
        uint64_t *theirs = e->near + (size_t)v * e->words;
        for (int w = 0; w < e->words; ++w)
            theirs[w] |= mine[w];
        clear_bit(theirs, v);
        clear_bit(theirs, p);
        e->degree[v] = count_bits(theirs, e->words);
    }
    return count;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Eliminates everything, least degree first (ties: the lower number). How much the columns hold is
// known at the end only, hence the growing list.
static carom_status run_elimination(carom_sparse_block *s, elimination *e, carom_arena *scratch,
                                    carom_error *err)
{
    int used = 0;
    for (int step = 0; step < e->n; ++step) {
        int p = least_degree(e->degree, s->position, e->n);
        int count = eliminate(e, p);
        if (used + count > e->capacity) {
            int *wider;
            e->capacity = 2 * e->capacity + count;
            TAKE(scratch, wider, e->capacity, err);
            memcpy(wider, e->fill, (size_t)used * sizeof *wider);
            e->fill = wider;
        }
        memcpy(e->fill + used, e->list, (size_t)count * sizeof *e->fill);
        s->position[p] = step;
        e->start[step] = used;
        used += count;
    }
    e->start[e->n] = used;
    return CAROM_OK;
}

// Transposes the column pattern: which earlier columns touch row j.
static void list_left(carom_sparse_block *s)
{
    int n = s->n;
    memset(s->left_start, 0, (size_t)(n + 1) * sizeof *s->left_start);
    for (int p = 0; p < s->column_start[n]; ++p)
        ++s->left_start[s->row[p] + 1];
    for (int j = 0; j < n; ++j)
        s->left_start[j + 1] += s->left_start[j];
    memcpy(s->cursor, s->left_start, (size_t)n * sizeof *s->cursor);
    for (int k = 0; k < n; ++k)
        for (int p = s->column_start[k]; p < s->column_start[k + 1]; ++p)
            s->left[s->cursor[s->row[p]]++] = k;
}

static bool rows_inside(const carom_qp *qp)
{
    for (int r = 0; r < qp->rows; ++r)
        for (int a = 0; a < qp->row[r].count; ++a)
            if (qp->row[r].block[a] < 0 || qp->row[r].block[a] >= qp->blocks)
                return false;
    return true;
}

static carom_status order_blocks(carom_sparse_block *s, const carom_qp *qp, carom_error *err)
{
    int n = qp->blocks;
    if (!rows_inside(qp))
        return CAROM_OK; // find_places reports it
    carom_arena_rewind(s->memory, s->memory_start);
    elimination e = { .n = n, .words = (n + 63) / 64, .capacity = 16 * n };
    carom_arena *scratch = s->maps; // on top of the row maps, given back below
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    TAKE(s->memory, s->position, n, err);
    TAKE_ZEROS(scratch, e.near, (size_t)n * (size_t)e.words, err);
    TAKE(scratch, e.degree, n, err);
    TAKE(scratch, e.list, n, err);
    TAKE(scratch, e.fill, e.capacity, err);
    TAKE(scratch, e.start, n + 1, err);
    couple(&e, qp);
    for (int i = 0; i < n; ++i)
        s->position[i] = -1;
    TRY(run_elimination(s, &e, scratch, err));
    int fill = e.start[n];
    TAKE(s->memory, s->column_start, n + 1, err);
    TAKE(s->memory, s->row, fill, err);
    TAKE(s->memory, s->left_start, n + 1, err);
    TAKE(s->memory, s->left, fill, err);
    TAKE(s->memory, s->cursor, n, err);
    TAKE(s->memory, s->diagonal, n, err);
    TAKE(s->memory, s->pivots, n, err);
    TAKE(s->memory, s->lower, fill, err);
    TAKE_ZEROS(s->memory, s->work, n, err);
    memcpy(s->column_start, e.start, (size_t)(n + 1) * sizeof *e.start);
    for (int p = 0; p < fill; ++p)
        s->row[p] = s->position[e.fill[p]];
    for (int j = 0; j < n; ++j)
        qsort(s->row + s->column_start[j], (size_t)(s->column_start[j + 1] - s->column_start[j]),
              sizeof *s->row, ascending);
    s->n = n;
    list_left(s);
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}

// Where the pair of positions (i, j) is stored: -1 - i on the diagonal, an index into lower when
// i > j, and INT32_MIN when the pattern does not have it.
static int pair_place(const carom_sparse_block *s, int i, int j)
{
    if (i == j)
        return -1 - i;
    int low = s->column_start[j], high = s->column_start[j + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->column_start[j + 1] && s->row[low] == i ? low : INT32_MIN;
}

static bool find_places(carom_sparse_block *s, const carom_qp *qp)
{
    if (s->n != qp->blocks || !rows_inside(qp))
        return false;
    for (int r = 0; r < qp->rows; ++r) {
        const carom_qp_row *row = &qp->row[r];
        for (int a = 0, slot = 0; a < row->count; ++a)
            for (int b = 0; b <= a; ++b, ++slot) {
                int i = s->position[row->block[a]], j = s->position[row->block[b]];
                int place = i > j ? pair_place(s, i, j) : pair_place(s, j, i);
                if (place == INT32_MIN)
                    return false;
                s->map[r].place[slot] = place;
            }
    }
    return true;
}

// -- numeric ------------------------------------------------------------------------------------

// target += d u v^T
static void add_outer(block *target, double d, const double *u, const double *v)
{
    for (int a = 0; a < 3; ++a) {
        double du = d * u[a];
        for (int b = 0; b < 3; ++b)
            target->m[3 * a + b] += du * v[b];
    }
}

static void assemble(carom_sparse_block *s, const carom_qp *qp, const double *d)
{
    memset(s->diagonal, 0, (size_t)s->n * sizeof *s->diagonal);
    memset(s->lower, 0, (size_t)s->column_start[s->n] * sizeof *s->lower);
    for (int i = 0; i < s->n; ++i)
        for (int a = 0; a < 3; ++a)
            s->diagonal[s->position[i]].m[4 * a] = qp->weight[3 * (size_t)i + (size_t)a];
    for (int r = 0; r < qp->rows; ++r) {
        const carom_qp_row *row = &qp->row[r];
        if (d[r] == 0)
            continue;
        for (int a = 0, slot = 0; a < row->count; ++a)
            for (int b = 0; b <= a; ++b, ++slot) {
                int place = s->map[r].place[slot];
                bool swapped = s->position[row->block[a]] < s->position[row->block[b]];
                block *target = place < 0 ? &s->diagonal[-1 - place] : &s->lower[place];
                add_outer(target, d[r], row->value[swapped ? b : a], row->value[swapped ? a : b]);
            }
    }
}

// target -= x y^T
static inline void subtract_product(block *target, const block *x, const block *y)
{
    for (int a = 0; a < 3; ++a) {
        double x0 = x->m[3 * a], x1 = x->m[3 * a + 1], x2 = x->m[3 * a + 2];
        for (int b = 0; b < 3; ++b)
            target->m[3 * a + b] -= x0 * y->m[3 * b] + x1 * y->m[3 * b + 1] + x2 * y->m[3 * b + 2];
    }
}

// L(j,k) D(k): columns scaled.
static inline block scale_columns(const block *x, const pivot *p)
{
    block z;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            z.m[3 * a + b] = x->m[3 * a + b] * p->d[b];
    return z;
}

// L D L^T of a diagonal block. Down to scalars, because an explicit inverse of a block loses what
// the whole method keeps: interior point weights and penalties reach 1e11. False when not positive.
static bool split_pivot(const block *k, pivot *p)
{
    p->d[0] = k->m[0];
    p->l10 = k->m[3] / p->d[0];
    p->l20 = k->m[6] / p->d[0];
    p->d[1] = k->m[4] - p->l10 * k->m[3];
    double e = k->m[7] - p->l20 * k->m[3];
    p->l21 = e / p->d[1];
    p->d[2] = k->m[8] - p->l20 * k->m[6] - p->l21 * e;
    return p->d[0] > 0 && p->d[1] > 0 && p->d[2] > 0;
}

// Column j of K minus the updates of earlier columns, in `work`; the diagonal in place.
static void gather_column(carom_sparse_block *s, int j)
{
    for (int p = s->column_start[j]; p < s->column_start[j + 1]; ++p)
        s->work[s->row[p]] = s->lower[p];
    block corner = s->diagonal[j];
    for (int q = s->left_start[j]; q < s->left_start[j + 1]; ++q) {
        int k = s->left[q], p = s->cursor[k]++;
        block scaled = scale_columns(&s->lower[p], &s->pivots[k]);
        subtract_product(&corner, &s->lower[p], &scaled);
        for (++p; p < s->column_start[k + 1]; ++p)
            subtract_product(&s->work[s->row[p]], &s->lower[p], &scaled);
    }
    s->diagonal[j] = corner;
}

static bool finish_column(carom_sparse_block *s, int j)
{
    pivot *q = &s->pivots[j];
    if (!split_pivot(&s->diagonal[j], q))
        return false;
    for (int p = s->column_start[j]; p < s->column_start[j + 1]; ++p) {
        const double *w = s->work[s->row[p]].m;
        double *l = s->lower[p].m;
        for (int a = 0; a < 9; a += 3) {
            double v0 = w[a], v1 = w[a + 1] - q->l10 * v0,
                   v2 = w[a + 2] - q->l20 * v0 - q->l21 * v1;
            l[a] = v0 / q->d[0];
            l[a + 1] = v1 / q->d[1];
            l[a + 2] = v2 / q->d[2];
        }
    }
    return true;
}

carom_status carom_sparse_block_factor(carom_sparse_block *s, const carom_qp *qp, const double *d,
                                       carom_error *err)
{
    assemble(s, qp, d);
    memcpy(s->cursor, s->column_start, (size_t)s->n * sizeof *s->cursor);
    for (int j = 0; j < s->n; ++j) {
        gather_column(s, j);
        if (!finish_column(s, j))
            return carom_error_set(err, CAROM_NOT_CONVERGED,
                                   "the matrix lost its positive pivots at block %d of %d", j,
                                   s->n);
    }
    return CAROM_OK;
}

static inline void subtract_times(double *out, const block *l, const double *x)
{
    for (int a = 0; a < 3; ++a)
        out[a] -= l->m[3 * a] * x[0] + l->m[3 * a + 1] * x[1] + l->m[3 * a + 2] * x[2];
}

static inline void subtract_transposed(double *out, const block *l, const double *x)
{
    for (int b = 0; b < 3; ++b)
        out[b] -= l->m[b] * x[0] + l->m[3 + b] * x[1] + l->m[6 + b] * x[2];
}

void carom_sparse_block_solve(const carom_sparse_block *s, double *x)
{
    double *z = s->work[0].m; // 9 doubles per block are there, 3 are needed
    for (int i = 0; i < s->n; ++i)
        memcpy(z + 3 * (size_t)s->position[i], x + 3 * (size_t)i, 3 * sizeof *x);
    for (int j = 0; j < s->n; ++j) {
        double *y = z + 3 * (size_t)j;
        const pivot *q = &s->pivots[j];
        y[1] -= q->l10 * y[0];
        y[2] -= q->l20 * y[0] + q->l21 * y[1];
        for (int p = s->column_start[j]; p < s->column_start[j + 1]; ++p)
            subtract_times(z + 3 * (size_t)s->row[p], &s->lower[p], y);
    }
    for (int j = s->n - 1; j >= 0; --j) {
        double *y = z + 3 * (size_t)j;
        const pivot *q = &s->pivots[j];
        for (int c = 0; c < 3; ++c)
            y[c] /= q->d[c];
        for (int p = s->column_start[j]; p < s->column_start[j + 1]; ++p)
            subtract_transposed(y, &s->lower[p], z + 3 * (size_t)s->row[p]);
        y[1] -= q->l21 * y[2];
        y[0] -= q->l10 * y[1] + q->l20 * y[2];
    }
    for (int i = 0; i < s->n; ++i)
        memcpy(x + 3 * (size_t)i, z + 3 * (size_t)s->position[i], 3 * sizeof *x);
}

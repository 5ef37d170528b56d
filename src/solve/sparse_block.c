// Block L D L^T, left-looking, with minimum-degree ordering on the graph of blocks [George and Liu
// 1989]; see sparse_block.h.
//
// The ordering works on the explicit elimination graph: the neighbours a node still has when it is
// eliminated are the rows of its column of L. Ties go to the lower number.
//
// Symbols: position = place in the elimination order; column j of L holds the positions > j it
// touches. Left-looking: column j gathers the updates of all earlier columns k with L(j,k) != 0, in
// the order of k, so that the sums have one fixed order.
//
// The kernels are written once for blocks of n x n numbers and inlined with n = 3 and n = 6 as
// constants, so that the compiler unrolls both. Diagonal blocks stand row by row; blocks of L
// column by column, each column in lanes of which those beyond n stay zero: the product of two
// blocks, which is nearly all of the work, is then one multiplication of lanes per entry of the
// second one.
#include "solve/sparse_block.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/arena.h"
#include "base/memory.h"
#include "base/queue.h"
#include "math/lanes.h"

enum { ORDER_MAX = 6, ENTRIES_MAX = ORDER_MAX * ORDER_MAX, BLOCK_LANES_MAX = 12 };

#define KERNEL static inline __attribute__((always_inline))
#define WIDTH(n) (((n) + LANES - 1) / LANES) // lanes of a column of n numbers

struct carom_sparse_block {
    int size;            // of a block: n
    size_t entries;      // n^2, numbers of a block of the diagonal
    size_t block;        // lanes of a block off the diagonal
    carom_arena *memory; // all below lives here; rewound when the couplings change
    carom_arena_mark start;
    int count;
    int *position;     // of a node
    int *column_start; // count + 1, into row and lower
    int *row;          // positions, ascending in each column
    int *left_start;   // count + 1, into left: the columns k < j with L(j,k) != 0, ascending
    int *left;
    int *cursor;      // first entry of column k with row >= the current j
    double *diagonal; // by position: K before; after factor L below the diagonal and D on it
    lanes *lower;     // beside `row`: K before, L after factor
    lanes *work;      // one block per position
    double most_work; // of elimination; 0: no bound
};

carom_sparse_block *carom_sparse_block_create(int size, size_t limit_bytes)
{
    carom_sparse_block *s = carom_memory_zeros(1, sizeof *s);
    if (!s)
        return NULL;
    s->size = size;
    s->entries = (size_t)size * (size_t)size;
    s->block = (size_t)size * (size_t)WIDTH(size);
    s->memory = carom_arena_create(limit_bytes);
    if (!s->memory) {
        carom_memory_free(s);
        return NULL;
    }
    s->start = carom_arena_mark_here(s->memory);
    return s;
}

void carom_sparse_block_destroy(carom_sparse_block *s)
{
    if (!s)
        return;
    carom_arena_destroy(s->memory);
    carom_memory_free(s);
}

void carom_sparse_block_bound(carom_sparse_block *s, double most_work)
{
    s->most_work = most_work;
}

int carom_sparse_block_count(const carom_sparse_block *s)
{
    return s->count;
}

// -- order ----------------------------------------------------------------------------------------

typedef struct neighbours {
    int *list; // ascending
    int count, capacity;
} neighbours;

typedef struct elimination {
    int count;
    neighbours *near;  // per node; what is left at the end are the rows of L, as nodes
    carom_queue queue; // keyed by degree
    int *room;         // for a union of two lists
    carom_arena *scratch;
} elimination;

static int ascending(const void *a, const void *b)
{
    int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

static void sort_once(neighbours *n)
{
    int kept = 0;
    if (n->count > 0)
        qsort(n->list, (size_t)n->count, sizeof *n->list, ascending);
    for (int i = 0; i < n->count; ++i)
        if (kept == 0 || n->list[kept - 1] != n->list[i])
            n->list[kept++] = n->list[i];
    n->count = kept;
}

// All edges in both directions, each list with its share of one array.
static carom_status list_neighbours(elimination *e, const int (*edges)[2], int edge_count,
                                    carom_error *err)
{
    int *all;
    TAKE(e->scratch, all, 2 * (size_t)edge_count, err);
    for (int i = 0; i < 2 * edge_count; ++i)
        ++e->near[edges[i / 2][i % 2]].capacity;
    for (int i = 0; i < e->count; ++i) {
        e->near[i].list = all;
        all += e->near[i].capacity;
    }
    for (int i = 0; i < 2 * edge_count; ++i) {
        neighbours *mine = &e->near[edges[i / 2][i % 2]];
        mine->list[mine->count++] = edges[i / 2][1 - i % 2];
    }
    for (int i = 0; i < e->count; ++i) {
        sort_once(&e->near[i]);
        e->queue.key[i] = e->near[i].count;
    }
    carom_queue_order(&e->queue);
    return CAROM_OK;
}

// The neighbours of `node` and of `gone`, without the two themselves.
static carom_status unite(elimination *e, int node, int gone, carom_error *err)
{
    neighbours *mine = &e->near[node];
    const neighbours *more = &e->near[gone];
    int i = 0, j = 0, count = 0;
    while (i < mine->count || j < more->count) {
        int a = i < mine->count ? mine->list[i] : INT32_MAX;
        int b = j < more->count ? more->list[j] : INT32_MAX;
        int next = a < b ? a : b;
        i += a == next;
        j += b == next;
        e->room[count] = next;
        count += next != node && next != gone;
    }
    if (count > mine->capacity) {
        TAKE(e->scratch, mine->list, 2 * count, err);
        mine->capacity = 2 * count;
    }
    memcpy(mine->list, e->room, (size_t)count * sizeof *mine->list);
    mine->count = count;
    carom_queue_change(&e->queue, node, count);
    return CAROM_OK;
}

// Eliminates node after node, least degree first: the neighbours of each become coupled. False
// where that would take more than `most`.
static carom_status eliminate(elimination *e, int *position, double most, bool *within,
                              carom_error *err)
{
    double work = 0;
    *within = true;
    for (int step = 0; step < e->count; ++step) {
        int node = carom_queue_first(&e->queue);
        work += (double)e->near[node].count * e->near[node].count;
        if (most > 0 && work > most) {
            *within = false;
            return CAROM_OK;
        }
        carom_queue_change(&e->queue, node, HUGE_VAL);
        position[node] = step;
        for (int i = 0; i < e->near[node].count; ++i)
            TRY(unite(e, e->near[node].list[i], node, err));
    }
    return CAROM_OK;
}

// Transposes the column pattern: which earlier columns touch row j.
static void list_left(carom_sparse_block *s)
{
    int n = s->count;
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

static void list_columns(carom_sparse_block *s, const elimination *e)
{
    s->column_start[0] = 0;
    for (int i = 0; i < e->count; ++i)
        s->column_start[s->position[i] + 1] = e->near[i].count;
    for (int j = 0; j < e->count; ++j)
        s->column_start[j + 1] += s->column_start[j];
    for (int i = 0; i < e->count; ++i) {
        int *row = s->row + s->column_start[s->position[i]];
        for (int k = 0; k < e->near[i].count; ++k)
            row[k] = s->position[e->near[i].list[k]];
        if (e->near[i].count > 0)
            qsort(row, (size_t)e->near[i].count, sizeof *row, ascending);
    }
}

static carom_status take_blocks(carom_sparse_block *s, const elimination *e, carom_error *err)
{
    size_t n = (size_t)e->count, fill = 0;
    for (int i = 0; i < e->count; ++i)
        fill += (size_t)e->near[i].count;
    if (n + fill > INT32_MAX / 2) // places are twice that
        return carom_error_set(err, CAROM_NO_MEMORY, "a matrix of %zu blocks is too large",
                               n + fill);
    TAKE(s->memory, s->column_start, n + 1, err);
    TAKE(s->memory, s->row, fill, err);
    TAKE(s->memory, s->left_start, n + 1, err);
    TAKE(s->memory, s->left, fill, err);
    TAKE(s->memory, s->cursor, n, err);
    TAKE(s->memory, s->diagonal, n * s->entries, err);
    TAKE(s->memory, s->lower, fill * s->block, err);
    TAKE_ZEROS(s->memory, s->work, n * s->block, err);
    return CAROM_OK;
}

static carom_status order(carom_sparse_block *s, elimination *e, const int (*edges)[2],
                          int edge_count, carom_error *err)
{
    bool within;
    TAKE(s->memory, s->position, e->count, err);
    TAKE_ZEROS(e->scratch, e->near, e->count, err);
    TAKE(e->scratch, e->room, 2 * (size_t)e->count, err);
    TRY(carom_queue_init(&e->queue, e->count, e->scratch, err));
    TRY(list_neighbours(e, edges, edge_count, err));
    TRY(eliminate(e, s->position, s->most_work, &within, err));
    if (!within)
        return CAROM_OK;
    TRY(take_blocks(s, e, err));
    list_columns(s, e);
    s->count = e->count;
    list_left(s);
    return CAROM_OK;
}

carom_status carom_sparse_block_order(carom_sparse_block *s, int count, const int (*edges)[2],
                                      int edge_count, carom_arena *scratch, carom_error *err)
{
    elimination e = { .count = count, .scratch = scratch };
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    s->count = 0;
    carom_arena_rewind(s->memory, s->start);
    carom_status status = order(s, &e, edges, edge_count, err);
    carom_arena_rewind(scratch, mark);
    return status;
}

// -- filling --------------------------------------------------------------------------------------

// A place is twice the number of the block, those of the diagonal first, plus one where the block
// kept is the transpose.
int carom_sparse_block_place(const carom_sparse_block *s, int i, int j)
{
    int row = s->position[i], column = s->position[j];
    if (row == column)
        return 2 * row;
    bool turned = row < column;
    if (turned)
        row = s->position[j], column = s->position[i];
    int low = s->column_start[column], high = s->column_start[column + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    bool there = low < s->column_start[column + 1] && s->row[low] == row;
    return there ? 2 * (s->count + low) + turned : -1;
}

void carom_sparse_block_clear(carom_sparse_block *s)
{
    size_t fill = (size_t)s->column_start[s->count];
    memset(s->diagonal, 0, (size_t)s->count * s->entries * sizeof *s->diagonal);
    memset(s->lower, 0, fill * s->block * sizeof *s->lower);
}

void carom_sparse_block_add_diagonal(carom_sparse_block *s, int i, const double *weight)
{
    double *block = s->diagonal + s->entries * (size_t)s->position[i];
    for (int a = 0; a < s->size; ++a)
        block[(s->size + 1) * a] += weight[a];
}

// block += weight u w^T, of the diagonal and off it.
KERNEL void add_to_diagonal(int n, double *block, double weight, const double *u, const double *w)
{
    for (int a = 0; a < n; ++a) {
        double part = weight * u[a];
        for (int b = 0; b < n; ++b)
            block[n * a + b] += part * w[b];
    }
}
KERNEL void add_to_lower(int n, lanes *block, double weight, const double *u, const double *w)
{
    double part[ORDER_MAX + LANES] = { 0 }; // those beyond n stay zero
    for (int a = 0; a < n; ++a)
        part[a] = weight * u[a];
    for (int k = 0; k < WIDTH(n); ++k) {
        lanes column;
        memcpy(&column, part + LANES * k, sizeof column);
        for (int b = 0; b < n; ++b)
            block[WIDTH(n) * b + k] += column * lanes_all(w[b]);
    }
}

KERNEL void add_at(int n, carom_sparse_block *s, int place, double weight, const double *u,
                   const double *w)
{
    int index = place >> 1;
    bool turned = place & 1;
    if (index < s->count)
        add_to_diagonal(n, s->diagonal + s->entries * (size_t)index, weight, u, w);
    else
        add_to_lower(n, s->lower + s->block * (size_t)(index - s->count), weight, turned ? w : u,
                     turned ? u : w);
}

CAROM_LANES_WIDE static void carom_sparse_block_add_3(carom_sparse_block *s, int place,
                                                      double weight, const double *u,
                                                      const double *w)
{
    add_at(3, s, place, weight, u, w);
}
CAROM_LANES_WIDE static void carom_sparse_block_add_6(carom_sparse_block *s, int place,
                                                      double weight, const double *u,
                                                      const double *w)
{
    add_at(6, s, place, weight, u, w);
}

void carom_sparse_block_add_at(carom_sparse_block *s, int place, double weight, const double *u,
                               const double *w)
{
    if (s->size == 3)
        carom_sparse_block_add_3(s, place, weight, u, w);
    else
        carom_sparse_block_add_6(s, place, weight, u, w);
}

void carom_sparse_block_add_block(carom_sparse_block *s, int i, const double *entries)
{
    double *block = s->diagonal + s->entries * (size_t)s->position[i];
    for (size_t k = 0; k < s->entries; ++k)
        block[k] += entries[k];
}

void carom_sparse_block_add(carom_sparse_block *s, int i, int j, double weight, const double *u,
                            const double *w)
{
    carom_sparse_block_add_at(s, carom_sparse_block_place(s, i, j), weight, u, w);
}

// -- factor ---------------------------------------------------------------------------------------

// c -= a b^T, with b row by row.
KERNEL void subtract_product(int n, lanes *c, const lanes *a, const double *b)
{
    const int width = WIDTH(n);
    for (int k = 0; k < n; ++k)
        for (int w = 0; w < width; ++w) {
            lanes sum = a[w] * lanes_all(b[n * k]);
            for (int j = 1; j < n; ++j)
                sum += a[width * j + w] * lanes_all(b[n * k + j]);
            c[width * k + w] -= sum;
        }
}

// L(j,k) D(k), row by row.
KERNEL void scale_columns(int n, double *out, const lanes *x, const double *pivot)
{
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            out[n * a + b] = x[WIDTH(n) * b + a / LANES][a % LANES] * pivot[(n + 1) * b];
}

// L D L^T of a diagonal block in place. Down to scalars, because an explicit inverse of a block
// loses what the whole method keeps: interior point weights and penalties reach 1e11. False when
// not positive.
KERNEL bool split_pivot(int n, double *k)
{
    double v[ENTRIES_MAX]; // L D
    bool positive = true;
    for (int j = 0; j < n; ++j) {
        for (int i = j; i < n; ++i) {
            v[n * i + j] = k[n * i + j];
            for (int c = 0; c < j; ++c)
                v[n * i + j] -= k[n * i + c] * v[n * j + c];
        }
        double d = v[(n + 1) * j];
        positive = positive && d > 0;
        k[(n + 1) * j] = d;
        for (int i = j + 1; i < n; ++i)
            k[n * i + j] = v[n * i + j] / d;
    }
    return positive;
}

// Column j of K minus the updates of earlier columns, in `work`; the diagonal in place.
KERNEL void gather_column(int n, carom_sparse_block *s, int j)
{
    const size_t block = (size_t)(n * WIDTH(n)), entries = (size_t)(n * n);
    lanes corner[BLOCK_LANES_MAX] = { { 0 } };
    double scaled[ENTRIES_MAX], *diagonal = s->diagonal + entries * (size_t)j;
    for (int p = s->column_start[j]; p < s->column_start[j + 1]; ++p)
        memcpy(s->work + block * (size_t)s->row[p], s->lower + block * (size_t)p,
               block * sizeof *s->work);
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            corner[WIDTH(n) * b + a / LANES][a % LANES] = diagonal[n * a + b];
    for (int q = s->left_start[j]; q < s->left_start[j + 1]; ++q) {
        int k = s->left[q], p = s->cursor[k]++;
        const lanes *lower = s->lower + block * (size_t)p;
        scale_columns(n, scaled, lower, s->diagonal + entries * (size_t)k);
        subtract_product(n, corner, lower, scaled);
        for (++p; p < s->column_start[k + 1]; ++p)
            subtract_product(n, s->work + block * (size_t)s->row[p], s->lower + block * (size_t)p,
                             scaled);
    }
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            diagonal[n * a + b] = corner[WIDTH(n) * b + a / LANES][a % LANES];
}

// What was gathered times D^-1 and the inverse of the diagonal block's L.
KERNEL bool finish_column(int n, carom_sparse_block *s, int j)
{
    const size_t block = (size_t)(n * WIDTH(n));
    double *pivot = s->diagonal + (size_t)(n * n) * (size_t)j;
    if (!split_pivot(n, pivot))
        return false;
    for (int p = s->column_start[j]; p < s->column_start[j + 1]; ++p) {
        const lanes *gathered = s->work + block * (size_t)s->row[p];
        lanes *l = s->lower + block * (size_t)p, v[ORDER_MAX];
        for (int w = 0; w < WIDTH(n); ++w) {
            for (int b = 0; b < n; ++b) {
                v[b] = gathered[WIDTH(n) * b + w];
                for (int c = 0; c < b; ++c)
                    v[b] -= lanes_all(pivot[n * b + c]) * v[c];
            }
            for (int b = 0; b < n; ++b)
                l[WIDTH(n) * b + w] = v[b] / lanes_all(pivot[(n + 1) * b]);
        }
    }
    return true;
}

KERNEL bool factor(int n, carom_sparse_block *s)
{
    memcpy(s->cursor, s->column_start, (size_t)s->count * sizeof *s->cursor);
    for (int j = 0; j < s->count; ++j) {
        gather_column(n, s, j);
        if (!finish_column(n, s, j))
            return false;
    }
    return true;
}

CAROM_LANES_WIDE static bool carom_sparse_block_factor_3(carom_sparse_block *s)
{
    return factor(3, s);
}
CAROM_LANES_WIDE static bool carom_sparse_block_factor_6(carom_sparse_block *s)
{
    return factor(6, s);
}

bool carom_sparse_block_factor(carom_sparse_block *s)
{
    return s->size == 3 ? carom_sparse_block_factor_3(s) : carom_sparse_block_factor_6(s);
}

// -- solve ----------------------------------------------------------------------------------------

// out -= l x
KERNEL void subtract_times(int n, lanes *out, const lanes *l, const lanes *x)
{
    const int width = WIDTH(n);
    for (int w = 0; w < width; ++w) {
        lanes sum = l[w] * lanes_all(x[0][0]);
        for (int b = 1; b < n; ++b)
            sum += l[width * b + w] * lanes_all(x[b / LANES][b % LANES]);
        out[w] -= sum;
    }
}

// out -= l^T x
KERNEL void subtract_transposed(int n, double *out, const lanes *l, const lanes *x)
{
    for (int b = 0; b < n; ++b) {
        const lanes *column = l + WIDTH(n) * b;
        double sum = column[0][0] * x[0][0];
        for (int a = 1; a < n; ++a)
            sum += column[a / LANES][a % LANES] * x[a / LANES][a % LANES];
        out[b] -= sum;
    }
}

// y := L^-1 y of a diagonal block, whose L has a unit diagonal.
KERNEL void forward(int n, const double *pivot, double *y)
{
    for (int b = 1; b < n; ++b) {
        double sum = pivot[n * b] * y[0];
        for (int c = 1; c < b; ++c)
            sum += pivot[n * b + c] * y[c];
        y[b] -= sum;
    }
}

// y := L^-T y.
KERNEL void backward(int n, const double *pivot, double *y)
{
    for (int b = n - 2; b >= 0; --b) {
        double sum = pivot[n * (b + 1) + b] * y[b + 1];
        for (int c = b + 2; c < n; ++c)
            sum += pivot[n * c + b] * y[c];
        y[b] -= sum;
    }
}

// A node's numbers, from lanes and back.
KERNEL void take(int n, double *y, const lanes *z)
{
    for (int a = 0; a < n; ++a)
        y[a] = z[a / LANES][a % LANES];
}
KERNEL void put(int n, lanes *z, const double *y)
{
    for (int a = 0; a < n; ++a)
        z[a / LANES][a % LANES] = y[a];
}

KERNEL void solve(int n, const carom_sparse_block *s, double *x)
{
    const size_t size = (size_t)n, width = (size_t)WIDTH(n), block = size * width;
    lanes *z = s->work; // one column per node is needed
    double y[ORDER_MAX];
    for (int i = 0; i < s->count; ++i)
        put(n, z + width * (size_t)s->position[i], x + size * (size_t)i);
    for (int j = 0; j < s->count; ++j) {
        lanes *mine = z + width * (size_t)j;
        take(n, y, mine);
        forward(n, s->diagonal + s->entries * (size_t)j, y);
        put(n, mine, y);
        for (int p = s->column_start[j]; p < s->column_start[j + 1]; ++p)
            subtract_times(n, z + width * (size_t)s->row[p], s->lower + block * (size_t)p, mine);
    }
    for (int j = s->count - 1; j >= 0; --j) {
        const double *pivot = s->diagonal + s->entries * (size_t)j;
        lanes *mine = z + width * (size_t)j;
        take(n, y, mine);
        for (int c = 0; c < n; ++c)
            y[c] /= pivot[(n + 1) * c];
        for (int p = s->column_start[j]; p < s->column_start[j + 1]; ++p)
            subtract_transposed(n, y, s->lower + block * (size_t)p, z + width * (size_t)s->row[p]);
        backward(n, pivot, y);
        put(n, mine, y);
    }
    for (int i = 0; i < s->count; ++i)
        take(n, x + size * (size_t)i, z + width * (size_t)s->position[i]);
}

CAROM_LANES_WIDE static void carom_sparse_block_solve_3(const carom_sparse_block *s, double *x)
{
    solve(3, s, x);
}
CAROM_LANES_WIDE static void carom_sparse_block_solve_6(const carom_sparse_block *s, double *x)
{
    solve(6, s, x);
}

void carom_sparse_block_solve(const carom_sparse_block *s, double *x)
{
    if (s->size == 3)
        carom_sparse_block_solve_3(s, x);
    else
        carom_sparse_block_solve_6(s, x);
}

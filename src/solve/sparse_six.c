// Minimum degree on an explicit elimination graph [George and Liu 1989], then a right-looking
// factorisation column by column: the rows of a column are among those of the column of its first
// row, so that the blocks to be changed are met in one walk without searching.
#include "solve/sparse_six.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { N = CAROM_SPARSE_SIX };

typedef struct block {
    double m[N][N];
} block;

struct carom_sparse_six {
    int count;
    int *rank;               // per node: when it is eliminated
    int *start;              // per rank, and one behind: its column below the diagonal, in `row`
    int *row;                // ranks, increasing
    block *diagonal, *below; // per rank; beside `row`
    double *x;               // by rank
};

// -- order ----------------------------------------------------------------------------------------

typedef struct neighbours {
    int *list; // increasing
    int count, capacity;
} neighbours;

static int compare(const void *a, const void *b)
{
    int i = *(const int *)a, j = *(const int *)b;
    return (i > j) - (i < j);
}

static bool reserve(neighbours *n, int count)
{
    if (count <= n->capacity)
        return true;
    int *list = realloc(n->list, (size_t)count * 2 * sizeof *list);
    if (!list)
        return false;
    n->list = list;
    n->capacity = 2 * count;
    return true;
}

static bool append(neighbours *n, int value)
{
    if (!reserve(n, n->count + 1))
        return false;
    n->list[n->count++] = value;
    return true;
}

static void sort_once(neighbours *n)
{
    int kept = 0;
    if (n->count > 0)
        qsort(n->list, (size_t)n->count, sizeof *n->list, compare);
    for (int i = 0; i < n->count; ++i)
        if (kept == 0 || n->list[kept - 1] != n->list[i])
            n->list[kept++] = n->list[i];
    n->count = kept;
}

// n := n and more, without `self` and `gone`; `room` is large enough for both.
static bool unite(neighbours *n, const neighbours *more, int self, int gone, int *room)
{
    int i = 0, j = 0, count = 0;
    while (i < n->count || j < more->count) {
        int a = i < n->count ? n->list[i] : INT32_MAX,
            b = j < more->count ? more->list[j] : INT32_MAX;
        int next = a < b ? a : b;
        i += a == next;
        j += b == next;
        if (next != self && next != gone)
            room[count++] = next;
    }
    if (!reserve(n, count))
        return false;
    memcpy(n->list, room, (size_t)count * sizeof *room);
    n->count = count;
    return true;
}

// Nodes by degree: doubly linked lists, and the lowest degree that may not be empty.
typedef struct queue {
    int *head, *next, *before;
    int lowest;
} queue;

static void enter(queue *q, int node, int degree)
{
    int first = q->head[degree];
    q->next[node] = first;
    q->before[node] = -1;
    if (first >= 0)
        q->before[first] = node;
    q->head[degree] = node;
    q->lowest = degree < q->lowest ? degree : q->lowest;
}

static void leave(queue *q, int node, int degree)
{
    if (q->before[node] >= 0)
        q->next[q->before[node]] = q->next[node];
    else
        q->head[degree] = q->next[node];
    if (q->next[node] >= 0)
        q->before[q->next[node]] = q->before[node];
}

// Eliminates node after node; what is left in `around` are the rows of L, as nodes.
static bool eliminate(carom_sparse_six *s, neighbours *around, queue *q, int *room)
{
    for (int i = 0; i < s->count; ++i)
        q->head[i] = -1;
    q->lowest = s->count;
    for (int i = s->count; i-- > 0;)
        enter(q, i, around[i].count);
    for (int k = 0; k < s->count; ++k) {
        while (q->head[q->lowest] < 0)
            ++q->lowest;
        int node = q->head[q->lowest];
        const neighbours *mine = &around[node];
        leave(q, node, mine->count);
        s->rank[node] = k;
        for (int i = 0; i < mine->count; ++i) {
            int other = mine->list[i];
            leave(q, other, around[other].count);
            if (!unite(&around[other], mine, other, node, room))
                return false;
            enter(q, other, around[other].count);
        }
    }
    return true;
}

static bool place(carom_sparse_six *s, const neighbours *around)
{
    size_t total = 0;
    for (int i = 0; i < s->count; ++i)
        total += (size_t)around[i].count;
    s->row = malloc((total + 1) * sizeof *s->row);
    s->below = malloc((total + 1) * sizeof *s->below);
    if (!s->row || !s->below || total > INT32_MAX)
        return false;
    for (int i = 0; i < s->count; ++i)
        s->start[s->rank[i] + 1] = around[i].count;
    s->start[0] = 0;
    for (int k = 0; k < s->count; ++k)
        s->start[k + 1] += s->start[k];
    for (int i = 0; i < s->count; ++i) {
        int *row = s->row + s->start[s->rank[i]];
        for (int j = 0; j < around[i].count; ++j)
            row[j] = s->rank[around[i].list[j]];
        if (around[i].count > 0)
            qsort(row, (size_t)around[i].count, sizeof *row, compare);
    }
    return true;
}

static bool build(carom_sparse_six *s, const int (*edges)[2], int edge_count)
{
    size_t n = (size_t)s->count;
    neighbours *around = calloc(n + 1, sizeof *around);
    int *links = malloc((3 * n + 3) * sizeof *links), *room = malloc((2 * n + 2) * sizeof *room);
    queue q = { links, links ? links + n + 1 : NULL, links ? links + 2 * n + 2 : NULL, 0 };
    s->rank = calloc(n + 1, sizeof *s->rank);
    s->start = calloc(n + 1, sizeof *s->start);
    s->diagonal = malloc((n + 1) * sizeof *s->diagonal);
    s->x = malloc((n + 1) * N * sizeof *s->x);
    bool good = around && links && room && s->rank && s->start && s->diagonal && s->x;
    for (int i = 0; i < edge_count && good; ++i)
        good =
            append(&around[edges[i][0]], edges[i][1]) && append(&around[edges[i][1]], edges[i][0]);
    for (int i = 0; i < s->count && good; ++i)
        sort_once(&around[i]);
    good = good && eliminate(s, around, &q, room) && place(s, around);
    for (int i = 0; i < s->count && around; ++i)
        free(around[i].list);
    free(around);
    free(links);
    free(room);
    return good;
}

carom_status carom_sparse_six_create(int count, const int (*edges)[2], int edge_count,
                                     carom_sparse_six **out, carom_error *err)
{
    carom_sparse_six *s = calloc(1, sizeof *s);
    if (s)
        s->count = count;
    if (!s || !build(s, edges, edge_count)) {
        carom_sparse_six_destroy(s);
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a matrix of %d bodies", count);
    }
    *out = s;
    return CAROM_OK;
}

void carom_sparse_six_destroy(carom_sparse_six *s)
{
    if (!s)
        return;
    free(s->rank);
    free(s->start);
    free(s->row);
    free(s->diagonal);
    free(s->below);
    free(s->x);
    free(s);
}

int carom_sparse_six_blocks(const carom_sparse_six *s)
{
    return s->count + s->start[s->count];
}

// -- numbers --------------------------------------------------------------------------------------

void carom_sparse_six_clear(carom_sparse_six *s)
{
    memset(s->diagonal, 0, (size_t)s->count * sizeof *s->diagonal);
    memset(s->below, 0, (size_t)s->start[s->count] * sizeof *s->below);
}

// The block in row `row` of column `column`, both ranks, row > column.
static block *block_at(carom_sparse_six *s, int row, int column)
{
    int low = s->start[column], high = s->start[column + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return &s->below[low];
}

void carom_sparse_six_add(carom_sparse_six *s, int i, int j, double weight, const double u[6],
                          const double w[6])
{
    int ri = s->rank[i], rj = s->rank[j];
    bool turned = ri < rj; // the block of L is that of the transpose
    block *b = ri == rj ? &s->diagonal[ri] : turned ? block_at(s, rj, ri) : block_at(s, ri, rj);
    const double *rows = turned ? w : u, *columns = turned ? u : w;
    for (int r = 0; r < N; ++r) {
        double part = weight * rows[r];
        for (int c = 0; c < N; ++c)
            b->m[r][c] += part * columns[c];
    }
}

static bool factor_diagonal(block *b)
{
    for (int j = 0; j < N; ++j) {
        for (int k = 0; k < j; ++k)
            for (int i = j; i < N; ++i)
                b->m[i][j] -= b->m[i][k] * b->m[j][k];
        if (!(b->m[j][j] > 0))
            return false;
        double root = sqrt(b->m[j][j]), inverse = 1 / root;
        b->m[j][j] = root;
        for (int i = j + 1; i < N; ++i)
            b->m[i][j] *= inverse;
    }
    return true;
}

// b := b L^-T for the factor of a diagonal block.
static void divide(block *b, const block *l)
{
    for (int j = 0; j < N; ++j) {
        double inverse = 1 / l->m[j][j];
        for (int i = 0; i < N; ++i) {
            double sum = b->m[i][j];
            for (int k = 0; k < j; ++k)
                sum -= b->m[i][k] * l->m[j][k];
            b->m[i][j] = sum * inverse;
        }
    }
}

// c -= a b^T
static void subtract_product(block *c, const block *a, const block *b)
{
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < N; ++k) {
            double sum = 0;
            for (int j = 0; j < N; ++j)
                sum += a->m[i][j] * b->m[k][j];
            c->m[i][k] -= sum;
        }
}

bool carom_sparse_six_factor(carom_sparse_six *s)
{
    for (int k = 0; k < s->count; ++k) {
        int begin = s->start[k], end = s->start[k + 1];
        if (!factor_diagonal(&s->diagonal[k]))
            return false;
        for (int i = begin; i < end; ++i)
            divide(&s->below[i], &s->diagonal[k]);
        for (int j = begin; j < end; ++j) {
            int column = s->row[j], at = s->start[column];
            subtract_product(&s->diagonal[column], &s->below[j], &s->below[j]);
            for (int i = j + 1; i < end; ++i) {
                while (s->row[at] < s->row[i])
                    ++at;
                subtract_product(&s->below[at], &s->below[i], &s->below[j]);
            }
        }
    }
    return true;
}

void carom_sparse_six_solve(const carom_sparse_six *s, double *out)
{
    double *all = s->x;
    for (int i = 0; i < s->count; ++i)
        memcpy(all + (size_t)N * (size_t)s->rank[i], out + (size_t)N * (size_t)i, N * sizeof *out);
    for (int k = 0; k < s->count; ++k) {
        const block *l = &s->diagonal[k];
        double *x = all + (size_t)N * (size_t)k;
        for (int i = 0; i < N; ++i) {
            for (int j = 0; j < i; ++j)
                x[i] -= l->m[i][j] * x[j];
            x[i] /= l->m[i][i];
        }
        for (int e = s->start[k]; e < s->start[k + 1]; ++e) {
            double *y = all + (size_t)N * (size_t)s->row[e];
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < N; ++j)
                    y[i] -= s->below[e].m[i][j] * x[j];
        }
    }
    for (int k = s->count; k-- > 0;) {
        const block *l = &s->diagonal[k];
        double *x = all + (size_t)N * (size_t)k;
        for (int e = s->start[k]; e < s->start[k + 1]; ++e) {
            const double *y = all + (size_t)N * (size_t)s->row[e];
            for (int i = 0; i < N; ++i)
                for (int j = 0; j < N; ++j)
                    x[j] -= s->below[e].m[i][j] * y[i];
        }
        for (int i = N; i-- > 0;) {
            for (int j = i + 1; j < N; ++j)
                x[i] -= l->m[j][i] * x[j];
            x[i] /= l->m[i][i];
        }
    }
    for (int i = 0; i < s->count; ++i)
        memcpy(out + (size_t)N * (size_t)i, all + (size_t)N * (size_t)s->rank[i], N * sizeof *out);
}

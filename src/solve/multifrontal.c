// Assembly tree, factorisation and solves; see multifrontal.h.
#include "solve/multifrontal.h"

#include <stdlib.h>
#include <string.h>
#include "base/team.h"
#include "math/lanes.h"
#include "solve/multifrontal_kernel.h"

// One dense front. Rows: its own unknowns, then those of the border.
typedef struct part {
    int own, own_count;   // nodes, numbered in elimination order
    int border_count;     // nodes
    int *border;          // ascending
    int child, sibling;   // first child, next child of the same parent; -1: none
    int home, home_count; // cells that are assembled here
    double *panel;        // L with D on the diagonal
    double *rest;         // for the parent; freed when it has been added
} part;

struct carom_multifrontal {
    int width, part_count, node_count, largest; // largest: rows of the largest front
    int negatives;
    double bytes, work;
    part *parts;
    int *border;    // all borders
    double *panels; // all panels
};

typedef struct builder {
    const carom_multifrontal_source *source;
    const carom_nested_dissection *tree;
    carom_multifrontal *front;
    int *part_of;  // of a node
    int *home;     // cells sorted by part
    int *where;    // of a node: its place among the nodes of the front in work
    double *small; // the matrix of one cell
    carom_multifrontal_kernel kernel;
} builder;

static carom_status plan(builder *b, carom_error *err);
static carom_status factor(builder *b, const carom_progress *progress, carom_error *err);

carom_status carom_multifrontal_create(const carom_multifrontal_source *source,
                                       const carom_nested_dissection *tree,
                                       const carom_progress *progress, carom_multifrontal **out,
                                       carom_error *err)
{
    *out = NULL;
    builder b = { .source = source, .tree = tree, .front = calloc(1, sizeof *b.front) };
    carom_status status = CAROM_NO_MEMORY;
    if (b.front) {
        status = plan(&b, err);
        if (status == CAROM_OK)
            status = factor(&b, progress, err);
    } else {
        carom_error_set(err, status, "no memory for a factorisation");
    }
    free(b.part_of);
    free(b.home);
    free(b.where);
    free(b.small);
    carom_multifrontal_kernel_destroy(&b.kernel);
    if (status == CAROM_OK)
        *out = b.front;
    else
        carom_multifrontal_destroy(b.front);
    return status;
}

void carom_multifrontal_destroy(carom_multifrontal *front)
{
    if (!front)
        return;
    for (int p = 0; front->parts && p < front->part_count; ++p)
        free(front->parts[p].rest);
    free(front->parts);
    free(front->border);
    free(front->panels);
    free(front);
}

int carom_multifrontal_negatives(const carom_multifrontal *front)
{
    return front->negatives;
}

double carom_multifrontal_bytes(const carom_multifrontal *front)
{
    return front->bytes;
}

// -- plan ---------------------------------------------------------------------------------------

// Links children to parents and cells to the part that eliminates their first node.
static carom_status link_parts(builder *b, carom_error *err)
{
    const carom_nested_dissection_cells *cells = b->source->cells;
    carom_multifrontal *front = b->front;
    int nodes = cells->node_count, count = b->tree->part_count;
    front->part_count = count;
    front->node_count = nodes;
    front->width = b->source->width;
    front->parts = calloc((size_t)count + 1, sizeof *front->parts);
    b->part_of = malloc(((size_t)nodes + 1) * sizeof *b->part_of);
    b->home = malloc(((size_t)cells->cell_count + 1) * sizeof *b->home);
    b->where = malloc(((size_t)nodes + 1) * sizeof *b->where);
    if (!front->parts || !b->part_of || !b->home || !b->where)
        return carom_error_no_memory(err, "%d fronts", count);
    for (int p = 0; p < count; ++p) {
        part *one = &front->parts[p];
        one->own = b->tree->own[p];
        one->own_count = b->tree->own[p + 1] - one->own;
        one->child = one->sibling = -1;
        for (int i = 0; i < one->own_count; ++i)
            b->part_of[one->own + i] = p;
    }
    for (int p = count - 1; p >= 0; --p) // the first child comes to stand first
        if (b->tree->parent[p] >= 0) {
            part *above = &front->parts[b->tree->parent[p]];
            front->parts[p].sibling = above->child;
            above->child = p;
        }
    return CAROM_OK;
}

static int home_of(const builder *b, int cell)
{
    const carom_nested_dissection_cells *cells = b->source->cells;
    int min = cells->node[cells->first[cell]];
    for (int k = cells->first[cell]; k < cells->first[cell + 1]; ++k)
        min = cells->node[k] < min ? cells->node[k] : min;
    return b->part_of[min];
}

// Cells by the part they are assembled in, each part's in ascending order.
static void sort_cells(builder *b)
{
    int cells = b->source->cells->cell_count, at = 0;
    for (int c = 0; c < cells; ++c)
        ++b->front->parts[home_of(b, c)].home_count;
    for (int p = 0; p < b->front->part_count; ++p) {
        b->front->parts[p].home = at;
        at += b->front->parts[p].home_count;
        b->front->parts[p].home_count = 0;
    }
    for (int c = 0; c < cells; ++c) {
        part *one = &b->front->parts[home_of(b, c)];
        b->home[one->home + one->home_count++] = c;
    }
}

static int ascending(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

// Adds nodes beyond the part's own that were not met yet (mark[node] != p).
static int add_nodes(const part *one, const int *node, int count, int p, int *mark, int *to)
{
    int added = 0;
    for (int i = 0; i < count; ++i)
        if (node[i] >= one->own + one->own_count && mark[node[i]] != p) {
            mark[node[i]] = p;
            to[added++] = node[i];
        }
    return added;
}

// Who the eliminated nodes of each part are connected with, from the leaves up.
static carom_status find_borders(builder *b, carom_error *err)
{
    carom_multifrontal *front = b->front;
    const carom_nested_dissection_cells *cells = b->source->cells;
    size_t used = 0, room = 0;
    size_t *start = malloc(((size_t)front->part_count + 1) * sizeof *start);
    carom_status status = start ? CAROM_OK : CAROM_NO_MEMORY;
    for (int i = 0; i < cells->node_count; ++i)
        b->where[i] = -1; // as marks, for now
    for (int p = 0; p < front->part_count && status == CAROM_OK; ++p) {
        part *one = &front->parts[p];
        if (room - used < (size_t)cells->node_count) {
            room = 2 * room + (size_t)cells->node_count;
            int *more = realloc(front->border, room * sizeof *more);
            if (!more) {
                status = CAROM_NO_MEMORY;
                break;
            }
            front->border = more;
        }
        int *to = front->border + used, count = 0;
        for (int i = 0; i < one->home_count; ++i) {
            int cell = b->home[one->home + i], first = cells->first[cell];
            count += add_nodes(one, cells->node + first, cells->first[cell + 1] - first, p,
                               b->where, to + count);
        }
        for (int c = one->child; c >= 0; c = front->parts[c].sibling)
            count += add_nodes(one, front->border + start[c], front->parts[c].border_count, p,
                               b->where, to + count);
        qsort(to, (size_t)count, sizeof *to, ascending);
        start[p] = used;
        one->border_count = count;
        used += (size_t)count;
    }
    for (int p = 0; p < front->part_count && status == CAROM_OK; ++p)
        front->parts[p].border = front->border + start[p];
    free(start);
    return status == CAROM_OK ? status
                              : carom_error_set(err, status, "no memory for the plan of %d fronts",
                                                front->part_count);
}

// Multiplications to eliminate k of f unknowns.
static double work_of(double f, double k)
{
    return 0.5 * k * (f * (f - k) + k * k / 3);
}

static carom_status plan(builder *b, carom_error *err)
{
    TRY(link_parts(b, err));
    sort_cells(b);
    TRY(find_borders(b, err));
    carom_multifrontal *front = b->front;
    size_t entries = 0;
    int max = 0;
    for (int p = 0; p < front->part_count; ++p) {
        const part *one = &front->parts[p];
        int k = front->width * one->own_count, f = k + front->width * one->border_count;
        entries += carom_multifrontal_panel_size(f, k);
        max = f > max ? f : max;
        front->work += work_of(f, k);
    }
    int nodes = 0;
    for (int c = 0; c < b->source->cells->cell_count; ++c) {
        int count = b->source->cells->first[c + 1] - b->source->cells->first[c];
        nodes = count > nodes ? count : nodes;
    }
    size_t rows = (size_t)nodes * (size_t)front->width;
    front->largest = max;
    front->bytes = (double)entries * sizeof *front->panels;
    front->panels = malloc((entries + 1) * sizeof *front->panels);
    b->small = malloc((rows * rows + 1) * sizeof *b->small);
    if (!carom_multifrontal_kernel_create(&b->kernel, max, b->source->threads) || !front->panels ||
        !b->small) {
        carom_error_no_memory(err, "a factorisation of %.0f MB", 1e-6 * front->bytes);
        return carom_error_fix(err, "use fewer unknowns: larger cells or a coarser mesh");
    }
    double *at = front->panels;
    for (int p = 0; p < front->part_count; ++p) {
        part *one = &front->parts[p];
        int k = front->width * one->own_count;
        one->panel = at;
        at += carom_multifrontal_panel_size(k + front->width * one->border_count, k);
    }
    return CAROM_OK;
}

// -- factor -------------------------------------------------------------------------------------

// The column of a front in which node `place` (among the front's nodes), unknown k, stands.
static double *column_of(const carom_multifrontal *front, const part *one, int place, int k)
{
    int own = front->width * one->own_count, border = front->width * one->border_count;
    int column = front->width * place + k;
    if (column < own)
        return carom_multifrontal_column(one->panel, own + border, column);
    // so that rows count alike in both
    return one->rest + (size_t)(column - own) * (size_t)border - own;
}

static void add_cell(builder *b, const part *one, int cell)
{
    const carom_nested_dissection_cells *cells = b->source->cells;
    int width = b->front->width, first = cells->first[cell], count = cells->first[cell + 1] - first;
    b->source->matrix(b->source->context, cell, b->small);
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < width; ++k) {
            int place = b->where[cells->node[first + i]];
            double *column = column_of(b->front, one, place, k);
            const double *from = b->small + (size_t)(width * i + k) * (size_t)(width * count);
            for (int j = 0; j < count; ++j) {
                int other = b->where[cells->node[first + j]];
                for (int l = 0; l < width && other >= place; ++l)
                    if (width * other + l >= width * place + k)
                        column[width * other + l] += from[width * j + l];
            }
        }
}

static void add_child(builder *b, const part *one, part *child)
{
    int width = b->front->width, count = child->border_count;
    const double *from = child->rest; // so that from[row] is the entry of the column in work
    for (int j = 0; j < count; ++j)
        for (int k = 0; k < width; ++k, from += width * count - (width * j + k)) {
            double *column = column_of(b->front, one, b->where[child->border[j]], k);
            for (int l = k; l < width; ++l)
                column[width * b->where[child->border[j]] + l] += from[width * j + l];
            for (int i = j + 1; i < count; ++i) {
                double *to = column + width * b->where[child->border[i]];
                for (int l = 0; l < width; ++l)
                    to[l] += from[width * i + l];
            }
        }
    free(child->rest);
    child->rest = NULL;
}

// Keeps only the lower triangle, column after column: what waits for its parent is half as big.
static void shrink_rest(part *one, int n)
{
    size_t at = 0;
    for (int j = 0; j < n; ++j) {
        size_t count = (size_t)(n - j);
        memmove(one->rest + at, one->rest + (size_t)j * (size_t)n + (size_t)j,
                count * sizeof *one->rest);
        at += count;
    }
    double *smaller = realloc(one->rest, (at + 1) * sizeof *smaller);
    one->rest = smaller ? smaller : one->rest;
}

static carom_status factor_part(builder *b, int p, carom_error *err)
{
    carom_multifrontal *front = b->front;
    part *one = &front->parts[p];
    int k = front->width * one->own_count, border = front->width * one->border_count;
    memset(one->panel, 0, carom_multifrontal_panel_size(k + border, k) * sizeof *one->panel);
    one->rest = calloc((size_t)border * (size_t)border + 1, sizeof *one->rest);
    if (!one->rest)
        return carom_error_no_memory(err, "a front of %d rows", k + border);
    for (int i = 0; i < one->own_count; ++i)
        b->where[one->own + i] = i;
    for (int i = 0; i < one->border_count; ++i)
        b->where[one->border[i]] = one->own_count + i;
    for (int i = 0; i < one->home_count; ++i)
        add_cell(b, one, b->home[one->home + i]);
    for (int c = one->child; c >= 0; c = front->parts[c].sibling)
        add_child(b, one, &front->parts[c]);
    int bad = carom_multifrontal_kernel_eliminate(&b->kernel, one->panel, one->rest, k + border, k);
    if (bad >= 0) {
        carom_error_set(err, CAROM_NOT_CONVERGED, "the matrix is singular at node %d",
                        one->own + bad / front->width);
        return carom_error_fix(err, "check the mesh for loose nodes and collapsed elements");
    }
    for (int j = 0; j < k; ++j)
        front->negatives += carom_multifrontal_column(one->panel, k + border, j)[j] < 0;
    shrink_rest(one, border);
    return CAROM_OK;
}

static carom_status factor(builder *b, const carom_progress *progress, carom_error *err)
{
    double done = 0;
    for (int p = 0; p < b->front->part_count; ++p) {
        const part *one = &b->front->parts[p];
        TRY(factor_part(b, p, err));
        int k = b->front->width * one->own_count;
        done += work_of(k + b->front->width * one->border_count, k);
        TRY(carom_progress_report(progress, done, b->front->work, "factorisation", err));
    }
    return CAROM_OK;
}

// -- solve --------------------------------------------------------------------------------------

size_t carom_multifrontal_scratch(const carom_multifrontal *front)
{
    return (size_t)front->largest * CAROM_MULTIFRONTAL_LANES;
}

enum { GROUPS_MAX = CAROM_MULTIFRONTAL_LANES / LANES };

// A view of one front for the solves: t holds its rows, `groups` vectors of four lanes each.
typedef struct view {
    double *panel;
    lanes *t;
    int f, k, groups;
} view;

// Forward: t_i -= L(i, j) t_j for i > j, four columns in one pass over the rows, all groups at
// once.
LANES_INLINE void forward_groups(const view *v, const int g)
{
    int f = v->f;
    for (int j = 0; j < v->k; j += 4) {
        int width = v->k - j < 4 ? v->k - j : 4;
        const double *column[4];
        lanes x[4][GROUPS_MAX] = { 0 };
        for (int c = 0; c < 4; ++c)
            column[c] = carom_multifrontal_column(v->panel, f, c < width ? j + c : j);
        for (int c = 0; c < width; ++c)
            for (int i = j + c + 1; i < j + width; ++i)
                for (int h = 0; h < g; ++h)
                    v->t[i * g + h] -= column[c][i] * v->t[(j + c) * g + h];
        for (int c = 0; c < width; ++c)
            for (int h = 0; h < g; ++h)
                x[c][h] = v->t[(j + c) * g + h];
        for (int i = j + width; i < f; ++i)
            for (int h = 0; h < g; ++h)
                v->t[i * g + h] -= (column[0][i] * x[0][h] + column[1][i] * x[1][h]) +
                                   (column[2][i] * x[2][h] + column[3][i] * x[3][h]);
    }
}

// Backward: t_j = t_j / D_j - sum_i L(i, j) t_i.
LANES_INLINE void backward_groups(const view *v, const int g)
{
    int f = v->f;
    for (int j = (v->k - 1) / 4 * 4; j >= 0; j -= 4) {
        int width = v->k - j < 4 ? v->k - j : 4;
        const double *column[4];
        lanes s[4][GROUPS_MAX] = { 0 };
        for (int c = 0; c < 4; ++c)
            column[c] = carom_multifrontal_column(v->panel, f, c < width ? j + c : j);
        for (int i = j + width; i < f; ++i)
            for (int h = 0; h < g; ++h) {
                lanes x = v->t[i * g + h];
                s[0][h] += column[0][i] * x;
                s[1][h] += column[1][i] * x;
                s[2][h] += column[2][i] * x;
                s[3][h] += column[3][i] * x;
            }
        for (int c = width - 1; c >= 0; --c)
            for (int h = 0; h < g; ++h) {
                lanes x = v->t[(j + c) * g + h] / column[c][j + c] - s[c][h];
                for (int i = j + c + 1; i < j + width; ++i)
                    x -= column[c][i] * v->t[i * g + h];
                v->t[(j + c) * g + h] = x;
            }
    }
}

CAROM_LANES_WIDE static void forward(const view *v)
{
    if (v->groups == GROUPS_MAX)
        forward_groups(v, GROUPS_MAX);
    else
        forward_groups(v, 1);
}

CAROM_LANES_WIDE static void backward(const view *v)
{
    if (v->groups == GROUPS_MAX)
        backward_groups(v, GROUPS_MAX);
    else
        backward_groups(v, 1);
}

// Rows of the front between x and t.
static void load(const carom_multifrontal *front, const part *one, const double *x, int lane,
                 view *v)
{
    size_t bytes = (size_t)v->groups * sizeof(lanes);
    int width = front->width, row = 0;
    for (int i = 0; i < one->own_count + one->border_count; ++i) {
        int node = i < one->own_count ? one->own + i : one->border[i - one->own_count];
        for (int k = 0; k < width; ++k, ++row)
            memcpy(v->t + row * v->groups,
                   x + (size_t)(width * node + k) * CAROM_MULTIFRONTAL_LANES + (size_t)lane, bytes);
    }
}

static void store(const carom_multifrontal *front, const part *one, double *x, int lane,
                  const view *v, int nodes)
{
    size_t bytes = (size_t)v->groups * sizeof(lanes);
    int width = front->width, row = 0;
    for (int i = 0; i < nodes; ++i) {
        int node = i < one->own_count ? one->own + i : one->border[i - one->own_count];
        for (int k = 0; k < width; ++k, ++row)
            memcpy(x + (size_t)(width * node + k) * CAROM_MULTIFRONTAL_LANES + (size_t)lane,
                   v->t + row * v->groups, bytes);
    }
}

static void solve_lanes(const carom_multifrontal *front, double *x, lanes *t, int lane, int groups)
{
    for (int p = 0; p < front->part_count; ++p) {
        const part *one = &front->parts[p];
        int k = front->width * one->own_count;
        view v = { one->panel, t, k + front->width * one->border_count, k, groups };
        load(front, one, x, lane, &v);
        forward(&v);
        store(front, one, x, lane, &v, one->own_count + one->border_count);
    }
    for (int p = front->part_count - 1; p >= 0; --p) {
        const part *one = &front->parts[p];
        int k = front->width * one->own_count;
        view v = { one->panel, t, k + front->width * one->border_count, k, groups };
        load(front, one, x, lane, &v);
        backward(&v);
        store(front, one, x, lane, &v, one->own_count);
    }
}

// Each of two shares streams the whole factor for half of the lanes.
static void solve_half(const carom_multifrontal *front, double *x, lanes *t)
{
    int half = carom_team_share();
    solve_lanes(front, x, t + (size_t)half * (size_t)front->largest, 4 * half, 1);
}
CAROM_TEAM_SHARE3(solve_half, const carom_multifrontal *, double *, lanes *)

void carom_multifrontal_solve(const carom_multifrontal *front, double *x, double *scratch,
                              int threads)
{
    lanes *t = (lanes *)(void *)scratch; // 32-byte aligned by the caller
    if (threads < 2)
        solve_lanes(front, x, t, 0, GROUPS_MAX);
    else
        carom_team_run(2, team_solve_half(front, x, t));
}

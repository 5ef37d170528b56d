// Nested dissection by planes; see nested_dissection.h.
//
// A plane across an axis puts a cell left or right by its position. With lo and hi the least and
// greatest position of the cells of a node, the node separates exactly when lo < plane <= hi: one
// sweep over the sorted positions gives the separator of every plane of an axis. The plane taken
// has the least separator / (nodes left * nodes right).
#include "solve/nested_dissection.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAF_NODES = 8, // fronts smaller than this are not worth their bookkeeping
    DEPTH_MAX = 60
};

typedef struct key {
    double at;
    int cell;
} key;

typedef struct cutter {
    const carom_nested_dissection_cells *cells;
    carom_nested_dissection *out;
    int *cell;    // permuted so that every subset is a range
    key *keys;    // of the range in work
    int *group;   // of a cell: which distinct position it has along the axis in work
    char *side;   // of a cell
    char *taken;  // nodes that have a part
    int *seen;    // stamp of a node
    int *lo, *hi; // groups of a node
    int *loose;   // nodes of the range that have no part yet
    int *enter, *leave, *scratch; // per group
    int stamp, ordered;
} cutter;

typedef struct plane {
    int axis, group; // left: groups below this one
    double cost;     // < 0: none found
} plane;

static carom_status cutter_make(cutter *c, carom_error *err);
static void cutter_free(cutter *c);
static int cut(cutter *c, int begin, int end, int depth);

carom_status carom_nested_dissection_create(const carom_nested_dissection_cells *cells,
                                            carom_nested_dissection *out, carom_error *err)
{
    *out = (carom_nested_dissection){ 0 };
    cutter c = { .cells = cells, .out = out };
    carom_status status = cutter_make(&c, err);
    if (status == CAROM_OK && cells->cell_count > 0) {
        int root = cut(&c, 0, cells->cell_count, 0);
        out->parent[root] = -1;
        out->own[out->part_count] = c.ordered;
        if (c.ordered != cells->node_count)
            status = carom_error_set(err, CAROM_BAD_INPUT, "%d of %d nodes belong to no cell",
                                     cells->node_count - c.ordered, cells->node_count);
    }
    cutter_free(&c);
    if (status != CAROM_OK)
        carom_nested_dissection_free(out);
    return status;
}

void carom_nested_dissection_free(carom_nested_dissection *d)
{
    free(d->parent);
    free(d->own);
    free(d->order);
    *d = (carom_nested_dissection){ 0 };
}

carom_status carom_nested_dissection_renumber(const carom_nested_dissection *d,
                                              carom_nested_dissection_cells *cells, int *place,
                                              carom_error *err)
{
    int *own = place ? NULL : malloc((size_t)cells->node_count * sizeof *own);
    int *to = place ? place : own;
    if (!to)
        return carom_error_no_memory(err, "renumbering %d nodes", cells->node_count);
    for (int i = 0; i < cells->node_count; ++i)
        to[d->order[i]] = i;
    for (int i = 0; i < cells->first[cells->cell_count]; ++i)
        cells->node[i] = to[cells->node[i]];
    free(own);
    return CAROM_OK;
}

static carom_status cutter_make(cutter *c, carom_error *err)
{
    size_t cells = (size_t)c->cells->cell_count + 1, nodes = (size_t)c->cells->node_count + 1;
    c->cell = malloc(cells * sizeof *c->cell);
    c->keys = malloc(cells * sizeof *c->keys);
    c->group = malloc(cells * sizeof *c->group);
    c->side = malloc(cells);
    c->enter = malloc(cells * sizeof *c->enter);
    c->leave = malloc(cells * sizeof *c->leave);
    c->scratch = malloc(cells * sizeof *c->scratch);
    c->taken = calloc(nodes, 1);
    c->seen = calloc(nodes, sizeof *c->seen);
    c->lo = malloc(nodes * sizeof *c->lo);
    c->hi = malloc(nodes * sizeof *c->hi);
    c->loose = malloc(nodes * sizeof *c->loose);
    // a binary tree whose leaves hold a cell each at least
    c->out->parent = malloc(2 * cells * sizeof *c->out->parent);
    c->out->own = malloc((2 * cells + 1) * sizeof *c->out->own);
    c->out->order = malloc(nodes * sizeof *c->out->order);
    if (!c->cell || !c->keys || !c->group || !c->side || !c->enter || !c->leave || !c->scratch ||
        !c->taken || !c->seen || !c->lo || !c->hi || !c->loose || !c->out->parent || !c->out->own ||
        !c->out->order)
        return carom_error_no_memory(err, "an order of %d nodes", c->cells->node_count);
    for (int i = 0; i < c->cells->cell_count; ++i)
        c->cell[i] = i;
    return CAROM_OK;
}

static void cutter_free(cutter *c)
{
    free(c->cell);
    free(c->keys);
    free(c->group);
    free(c->side);
    free(c->enter);
    free(c->leave);
    free(c->scratch);
    free(c->taken);
    free(c->seen);
    free(c->lo);
    free(c->hi);
    free(c->loose);
}

// Lists the nodes of the range that are still free; returns how many.
static int gather_free(cutter *c, int begin, int end)
{
    int count = 0;
    ++c->stamp;
    for (int i = begin; i < end; ++i)
        for (int k = c->cells->first[c->cell[i]]; k < c->cells->first[c->cell[i] + 1]; ++k) {
            int node = c->cells->node[k];
            if (c->taken[node] || c->seen[node] == c->stamp)
                continue;
            c->seen[node] = c->stamp;
            c->loose[count++] = node;
        }
    return count;
}

static int by_key(const void *left, const void *right)
{
    const key *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->cell > b->cell) - (a->cell < b->cell);
}

// Numbers the distinct positions along the axis, and finds lo and hi of the free nodes.
static int make_groups(cutter *c, int begin, int end, int axis, int free_count)
{
    int count = end - begin, groups = 0;
    for (int i = 0; i < count; ++i) {
        int cell = c->cell[begin + i];
        c->keys[i] = (key){ c->cells->position[3 * (size_t)cell + (size_t)axis], cell };
    }
    qsort(c->keys, (size_t)count, sizeof *c->keys, by_key);
    for (int i = 0; i < count; ++i) {
        if (i > 0 && c->keys[i].at != c->keys[i - 1].at)
            ++groups;
        c->group[c->keys[i].cell] = groups;
    }
    for (int i = 0; i < free_count; ++i) {
        c->lo[c->loose[i]] = groups + 1;
        c->hi[c->loose[i]] = -1;
    }
    for (int i = begin; i < end; ++i)
        for (int k = c->cells->first[c->cell[i]]; k < c->cells->first[c->cell[i] + 1]; ++k) {
            int node = c->cells->node[k], group = c->group[c->cell[i]];
            if (c->taken[node])
                continue;
            c->lo[node] = group < c->lo[node] ? group : c->lo[node];
            c->hi[node] = group > c->hi[node] ? group : c->hi[node];
        }
    return groups + 1;
}

// The best plane across this axis, if it is better than the one in hand.
static void try_axis(cutter *c, int begin, int end, int axis, int free_count, plane *best)
{
    int groups = make_groups(c, begin, end, axis, free_count);
    memset(c->enter, 0, (size_t)groups * sizeof *c->enter);
    memset(c->leave, 0, (size_t)groups * sizeof *c->leave);
    for (int i = 0; i < free_count; ++i) {
        ++c->enter[c->lo[c->loose[i]]];
        ++c->leave[c->hi[c->loose[i]]];
    }
    int entered = 0, left = 0;
    for (int g = 1; g < groups; ++g) {
        entered += c->enter[g - 1];
        left += c->leave[g - 1];
        int separator = entered - left, right = free_count - entered;
        if (left == 0 || right == 0)
            continue;
        double cost = (separator + 0.01) / ((double)left * (double)right);
        if (best->cost < 0 || cost < best->cost)
            *best = (plane){ axis, g, cost };
    }
}

// Gives nodes of the range a part of their own and returns its number.
static int close_part(cutter *c, const int *node, int count)
{
    int part = c->out->part_count++;
    c->out->own[part] = c->ordered;
    for (int i = 0; i < count; ++i) {
        c->taken[node[i]] = 1;
        c->out->order[c->ordered++] = node[i];
    }
    return part;
}

// Moves the left cells of the range before the right ones, keeping their order; returns the seam.
static int divide(cutter *c, int begin, int end, int group)
{
    int seam = begin, rest = 0;
    for (int i = begin; i < end; ++i)
        if (c->group[c->cell[i]] < group)
            c->cell[seam++] = c->cell[i];
        else
            c->scratch[rest++] = c->cell[i];
    memcpy(c->cell + seam, c->scratch, (size_t)rest * sizeof *c->scratch);
    return seam;
}

// The subtree of a range of cells; returns the part at its top. Depth is at most DEPTH_MAX.
static int cut(cutter *c, int begin, int end, int depth)
{
    int count = gather_free(c, begin, end);
    plane best = { 0, 0, -1 };
    if (count > LEAF_NODES && depth < DEPTH_MAX)
        for (int axis = 0; axis < 3; ++axis)
            try_axis(c, begin, end, axis, count, &best);
    if (best.cost < 0)
        return close_part(c, c->loose, count);
    make_groups(c, begin, end, best.axis, count);
    int seam = divide(c, begin, end, best.group), separators = 0;
    // the separator is set aside before the halves are cut: it must not look free to them
    int *separator = malloc(((size_t)count + 1) * sizeof *separator);
    if (!separator)
        return close_part(c, c->loose, count); // one big part: slow, still right
    for (int i = 0; i < count; ++i) {
        int node = c->loose[i];
        if (c->lo[node] < best.group && c->hi[node] >= best.group) {
            separator[separators++] = node;
            c->taken[node] = 1;
        }
    }
    int left = cut(c, begin, seam, depth + 1), right = cut(c, seam, end, depth + 1);
    int self = close_part(c, separator, separators);
    c->out->parent[left] = c->out->parent[right] = self;
    free(separator);
    return self;
}

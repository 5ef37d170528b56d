// Lines through a closed surface; see modal_lines.h.
#include "modal/modal_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct projected {
    const carom_mesh_source *surface;
    const carom_modal_lines *lines;
    const int *corner; // of the triangle in work
    int turn;          // of the last hit
} projected;

static double coordinate(const projected *p, int vertex, int axis)
{
    return p->surface->vertices[3 * (size_t)vertex + (size_t)(axis % 3)];
}

// On which side of the edge from -> to a point lies, as twice the signed area; *sign is never 0: on
// the edge the point counts as moved by an infinitesimal (e, e^2).
static double side(const projected *p, int from, int to, const double at[2], int *sign)
{
    int low = from < to ? from : to, high = from < to ? to : from, u = p->lines->axis + 1,
        v = p->lines->axis + 2;
    double lu = coordinate(p, low, u), lv = coordinate(p, low, v);
    double du = coordinate(p, high, u) - lu, dv = coordinate(p, high, v) - lv;
    double area = du * (at[1] - lv) - dv * (at[0] - lu);
    double moved = area != 0 ? area : dv != 0 ? -dv : du;
    int flip = from < to ? 1 : -1;
    *sign = moved > 0 ? flip : -flip;
    return flip * area;
}

// Does the line meet the triangle? Then *at_axis says where.
static bool hits(projected *p, double u, double v, double *at_axis)
{
    int s[3];
    double area[3], at[2] = { u, v }, total = 0, sum = 0, mean = 0;
    const int *c = p->corner;
    for (int k = 0; k < 3; ++k) {
        area[k] = side(p, c[(k + 1) % 3], c[(k + 2) % 3], at, &s[k]);
        if (s[k] != s[0])
            return false;
    }
    for (int k = 0; k < 3; ++k) {
        double weight = fmax(0, s[0] * area[k]), x = coordinate(p, c[k], p->lines->axis);
        total += weight;
        sum += weight * x;
        mean += x / 3;
    }
    *at_axis = total > 0 ? sum / total : mean;
    p->turn = -s[0]; // counter-clockwise from +axis: the outward normal points along the axis
    return true;
}

// First index whose value is not below x.
static int lower_bound(const double *value, int count, double x)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (value[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Index range [from, to) of the lines a triangle may meet along one of the two axes.
static void range_of(const projected *p, int axis, const double *value, int count, int range[2])
{
    double a = coordinate(p, p->corner[0], axis), b = coordinate(p, p->corner[1], axis),
           c = coordinate(p, p->corner[2], axis);
    range[0] = lower_bound(value, count, fmin(a, fmin(b, c)));
    double max = fmax(a, fmax(b, c));
    range[1] = range[0];
    while (range[1] < count && value[range[1]] <= max)
        ++range[1];
}

// Visits the crossings of one triangle: counts them, or stores them.
static void visit(projected *p, int triangle, size_t *count, carom_modal_crossing *store)
{
    const carom_modal_lines *l = p->lines;
    int u[2], v[2], columns = l->group > 0 ? l->nv / l->group : 0;
    p->corner = p->surface->triangles + 3 * (size_t)triangle;
    range_of(p, l->axis + 1, l->u, l->nu, u);
    range_of(p, l->axis + 2, l->v, l->nv, v);
    for (int i = u[0]; i < u[1]; ++i)
        for (int j = v[0]; j < v[1]; ++j) {
            double at;
            if (l->wanted && !l->wanted[i / l->group * columns + j / l->group])
                continue;
            if (!hits(p, l->u[i], l->v[j], &at))
                continue;
            size_t line = (size_t)i * (size_t)l->nv + (size_t)j;
            if (store)
                store[count[line]] = (carom_modal_crossing){ at, triangle, p->turn };
            ++count[line];
        }
}

// Along the axis; at one place first in, then out: a touch is no gap.
static int by_place(const void *left, const void *right)
{
    const carom_modal_crossing *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->turn != b->turn)
        return a->turn > b->turn ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

// Sorts one line; false when it does not end outside.
static bool settle(carom_modal_lines *l, size_t line)
{
    carom_modal_crossing *c = l->crossing + l->first[line];
    size_t count = l->last[line] - l->first[line];
    int depth = 0;
    bool overlapping = false;
    if (count > 1)
        qsort(c, count, sizeof *c, by_place);
    for (size_t i = 0; i < count; ++i) {
        depth += c[i].turn;
        bool stretch = i + 1 < count && c[i + 1].at > c[i].at + 1e-9;
        overlapping = overlapping || (stretch && (depth > 1 || depth < 0));
    }
    l->overlapping += overlapping;
    return depth == 0;
}

// A line that round-off broke takes the crossings of the nearest sound one in its row.
static void borrow(carom_modal_lines *l, size_t line, const unsigned char *broken)
{
    size_t row = line / (size_t)l->nv * (size_t)l->nv;
    size_t end = row + (size_t)l->nv;
    for (size_t away = 1; away < (size_t)l->nv; ++away)
        for (int way = 0; way < 2; ++way) {
            size_t other = way ? line + away : line - away;
            if (other < row || other >= end || broken[other])
                continue;
            l->first[line] = l->first[other];
            l->last[line] = l->last[other];
            return;
        }
    l->last[line] = l->first[line];
}

carom_status carom_modal_lines_cast(const carom_mesh_source *surface, carom_modal_lines *lines,
                                    carom_error *err)
{
    size_t count = (size_t)lines->nu * (size_t)lines->nv, total = 0;
    projected p = { .surface = surface, .lines = lines };
    lines->first = calloc(count + 1, sizeof *lines->first);
    lines->last = calloc(count + 1, sizeof *lines->last);
    unsigned char *broken = calloc(count + 1, 1);
    bool ok = lines->first && lines->last && broken;
    if (ok) {
        for (int t = 0; t < surface->triangle_count; ++t)
            visit(&p, t, lines->last, NULL);
        for (size_t i = 0; i < count; ++i) {
            size_t here = lines->last[i];
            lines->first[i] = lines->last[i] = total;
            total += here;
        }
        lines->crossing = malloc((total + 1) * sizeof *lines->crossing);
        ok = lines->crossing != NULL;
    }
    if (ok) {
        for (int t = 0; t < surface->triangle_count; ++t)
            visit(&p, t, lines->last, lines->crossing);
        for (size_t i = 0; i < count; ++i)
            lines->bad += broken[i] = !settle(lines, i);
        for (size_t i = 0; i < count && lines->bad; ++i)
            if (broken[i])
                borrow(lines, i, broken);
    }
    free(broken);
    if (ok)
        return CAROM_OK;
    carom_modal_lines_free(lines);
    return carom_error_no_memory(err, "%zu lines through the surface", count);
}

void carom_modal_lines_free(carom_modal_lines *lines)
{
    free(lines->first);
    free(lines->last);
    free(lines->crossing);
    lines->first = lines->last = NULL;
    lines->crossing = NULL;
}

bool carom_modal_lines_next(carom_modal_walk *walk)
{
    int depth = 0;
    for (; walk->next < walk->end; ++walk->next) {
        int before = depth;
        depth += walk->next->turn;
        if (before == 0 && depth == 1)
            walk->in = walk->next;
        if (before == 1 && depth == 0) {
            walk->out = walk->next++;
            return true;
        }
    }
    return false;
}

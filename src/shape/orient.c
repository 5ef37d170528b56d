// Orientation: within each piece by walking over edges, between pieces by volume and nesting.
#include "shape/orient.h"
#include "base/memory.h"
#include "math/constants.h"
#include "math/trig.h"

#include <stdlib.h>
#include <string.h>

typedef struct side {
    int low, high, triangle;
    bool forward; // the triangle runs from low to high
} side;

typedef struct walk {
    carom_mesh *mesh;
    side *side; // sorted by ends
    int side_count;
    int (*across)[3];   // per triangle and side: the neighbour, or -1
    bool (*against)[3]; // ... and whether it runs the edge the same way, which is a conflict
    int *piece;         // per triangle
    bool *turned;       // per triangle
    int *stack;
} walk;

static int by_ends(const void *left, const void *right)
{
    const side *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static int side_of(const carom_mesh *mesh, const side *s)
{
    for (int k = 0; k < 3; ++k) {
        int a = mesh->triangle[s->triangle][k], b = mesh->triangle[s->triangle][(k + 1) % 3];
        if ((a == s->low && b == s->high) || (a == s->high && b == s->low))
            return k;
    }
    return 0;
}

static void sort_sides(const carom_mesh *mesh, side *sides)
{
    int count = 3 * mesh->triangle_count;
    for (int i = 0; i < count; ++i) {
        int a = mesh->triangle[i / 3][i % 3], b = mesh->triangle[i / 3][(i + 1) % 3];
        sides[i] = (side){ a < b ? a : b, a < b ? b : a, i / 3, a < b };
    }
    qsort(sides, (size_t)count, sizeof *sides, by_ends);
}

// The first of the next edge's sides, after counting the edge.
static int count_edge(const carom_mesh *mesh, const side *sides, int first,
                      carom_mesh_report *report)
{
    int next = first + 1, count = 3 * mesh->triangle_count;
    while (next < count && sides[next].low == sides[first].low &&
           sides[next].high == sides[first].high)
        ++next;
    if (next - first != 2 && report->open_edges + report->nonmanifold_edges == 0)
        vec3_store(vec3_scale(0.5, vec3_add(mesh->vertex[sides[first].low],
                                            mesh->vertex[sides[first].high])),
                   report->place);
    report->open_edges += next - first == 1;
    report->nonmanifold_edges += next - first > 2;
    return next;
}

static void pair_sides(walk *w, carom_mesh_report *report)
{
    const carom_mesh *mesh = w->mesh;
    for (int i = 0; i < w->side_count; ++i)
        w->across[i / 3][i % 3] = -1;
    sort_sides(mesh, w->side);
    for (int i = 0, next; i < w->side_count; i = next) {
        next = count_edge(mesh, w->side, i, report);
        if (next - i != 2)
            continue;
        const side *s = &w->side[i], *t = &w->side[i + 1];
        int ks = side_of(mesh, s), kt = side_of(mesh, t);
        w->across[s->triangle][ks] = t->triangle;
        w->across[t->triangle][kt] = s->triangle;
        w->against[s->triangle][ks] = w->against[t->triangle][kt] = s->forward == t->forward;
    }
}

// Walks one piece from its first triangle. Of the two ways to make it agree, the one that turns
// fewer.
static void walk_piece(walk *w, int start, int number, carom_mesh_report *report)
{
    int depth = 0, members = 0, turned = 0;
    w->piece[start] = number;
    w->stack[depth++] = start;
    while (depth > 0) {
        int t = w->stack[--depth];
        ++members;
        turned += w->turned[t];
        for (int k = 0; k < 3; ++k) {
            int u = w->across[t][k];
            if (u < 0 || w->piece[u] >= 0)
                continue;
            w->piece[u] = number;
            w->turned[u] = w->turned[t] != w->against[t][k];
            w->stack[depth++] = u;
        }
    }
    if (2 * turned > members)
        for (int t = 0; t < w->mesh->triangle_count; ++t)
            if (w->piece[t] == number)
                w->turned[t] = !w->turned[t];
    report->flipped += 2 * turned > members ? members - turned : turned;
}

static void turn(int *corner)
{
    int swap = corner[1];
    corner[1] = corner[2];
    corner[2] = swap;
}

static double volume_of(const walk *w, int piece)
{
    const carom_mesh *mesh = w->mesh;
    double volume = 0;
    vec3 origin = mesh->vertex[0];
    for (int t = 0; t < mesh->triangle_count; ++t) {
        if (w->piece[t] != piece)
            continue;
        const int *c = mesh->triangle[t];
        vec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = vec3_sub(mesh->vertex[c[k]], origin);
        volume += vec3_dot(p[0], vec3_cross(p[1], p[2])) / 6;
    }
    return volume;
}

// Winding number of a piece about a point, by solid angles (van Oosterom, Strackee 1983): about 0
// outside and 1 or -1 inside, and no ray to hit an edge by accident.
static bool contains(const walk *w, int piece, vec3 point)
{
    const carom_mesh *mesh = w->mesh;
    double sum = 0;
    for (int t = 0; t < mesh->triangle_count; ++t) {
        if (w->piece[t] != piece)
            continue;
        vec3 p[3];
        double r[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = vec3_sub(mesh->vertex[mesh->triangle[t][k]], point);
            r[k] = vec3_length(p[k]);
        }
        double top = vec3_dot(p[0], vec3_cross(p[1], p[2]));
        double bottom = r[0] * r[1] * r[2] + vec3_dot(p[0], p[1]) * r[2] +
                        vec3_dot(p[1], p[2]) * r[0] + vec3_dot(p[2], p[0]) * r[1];
        sum += 2 * carom_trig_atan2(top, bottom);
    }
    return fabs(sum) > 2 * CAROM_PI;
}

static void orient_pieces(walk *w, int pieces, carom_mesh_report *report)
{
    for (int p = 0; p < pieces; ++p) {
        int first = 0, depth = 0;
        while (w->piece[first] != p)
            ++first;
        for (int q = 0; q < pieces; ++q)
            depth += q != p && contains(w, q, w->mesh->vertex[w->mesh->triangle[first][0]]);
        bool cavity = depth % 2 == 1;
        if ((volume_of(w, p) < 0) == cavity)
            continue;
        if (report->degenerate + report->duplicate + report->flipped + report->inverted == 0)
            vec3_store(w->mesh->vertex[w->mesh->triangle[first][0]], report->place);
        ++report->inverted;
        for (int t = first; t < w->mesh->triangle_count; ++t)
            if (w->piece[t] == p)
                turn(w->mesh->triangle[t]);
    }
}

static void run(walk *w, carom_mesh_report *report)
{
    pair_sides(w, report);
    memset(w->piece, -1, (size_t)w->mesh->triangle_count * sizeof *w->piece);
    for (int t = 0; t < w->mesh->triangle_count; ++t)
        if (w->piece[t] < 0)
            walk_piece(w, t, report->pieces++, report);
    bool told =
        report->degenerate + report->duplicate + report->open_edges + report->nonmanifold_edges > 0;
    for (int t = 0; t < w->mesh->triangle_count; ++t) {
        if (!w->turned[t])
            continue;
        if (!told)
            vec3_store(w->mesh->vertex[w->mesh->triangle[t][0]], report->place);
        told = true;
        turn(w->mesh->triangle[t]);
    }
    if (report->open_edges == 0 && report->nonmanifold_edges == 0)
        orient_pieces(w, report->pieces, report);
}

carom_status carom_orient_edges(const carom_mesh *mesh, carom_mesh_report *report, int *against,
                                carom_error *err)
{
    int count = 3 * mesh->triangle_count;
    side *sides = carom_memory_get((size_t)count * sizeof *sides);
    if (!sides)
        return carom_error_no_memory(err, "%d edges", count);
    sort_sides(mesh, sides);
    *against = 0;
    for (int i = 0, next; i < count; i = next) {
        next = count_edge(mesh, sides, i, report);
        *against += next - i == 2 && sides[i].forward == sides[i + 1].forward;
    }
    carom_memory_free(sides);
    return CAROM_OK;
}

carom_status carom_orient_mesh(carom_mesh *mesh, carom_mesh_report *report, carom_error *err)
{
    size_t n = (size_t)mesh->triangle_count;
    walk w = { .mesh = mesh, .side_count = 3 * mesh->triangle_count };
    w.side = carom_memory_get(3 * n * sizeof *w.side);
    w.across = carom_memory_get(n * sizeof *w.across);
    w.against = carom_memory_zeros(n, sizeof *w.against);
    w.piece = carom_memory_get(n * sizeof *w.piece);
    w.turned = carom_memory_zeros(n, sizeof *w.turned);
    w.stack = carom_memory_get(n * sizeof *w.stack);
    bool ready = w.side && w.across && w.against && w.piece && w.turned && w.stack;
    if (ready)
        run(&w, report);
    carom_memory_free(w.side);
    carom_memory_free(w.across);
    carom_memory_free(w.against);
    carom_memory_free(w.piece);
    carom_memory_free(w.turned);
    carom_memory_free(w.stack);
    return ready ? CAROM_OK : carom_error_no_memory(err, "a mesh of %zu triangles", n);
}

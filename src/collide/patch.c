// Patches of contact points and their extreme points.
//
// Points belong to one patch when their normals agree within about 25 degrees and they hang
// together through neighbours nearer than `reach`. A patch keeps its deepest point and the corners
// of the convex outline of its points, seen along the mean normal; while there are too many
// corners, the one whose removal loses the least area goes. Nothing refers to coordinate axes, so a
// rotated scene gives the rotated corners.
#include "collide/patch.h"

#include <string.h>

#define LIKE_NORMALS 0.9

void carom_patch_open(carom_patch_set *set, double size, double margin)
{
    set->reach = size;
    set->margin = margin;
    set->count = 0;
}

// A full set gives up its shallowest point, unless that is the newcomer.
void carom_patch_add(carom_patch_set *set, carom_manifold_point point)
{
    if (set->count < CAROM_PATCH_POINTS) {
        set->point[set->count++] = point;
        return;
    }
    int shallowest = 0;
    for (int i = 1; i < set->count; ++i)
        if (set->point[i].gap > set->point[shallowest].gap)
            shallowest = i;
    if (point.gap < set->point[shallowest].gap)
        set->point[shallowest] = point;
}

static bool together(const carom_patch_set *set, int i, int j)
{
    const carom_manifold_point *p = &set->point[i], *q = &set->point[j];
    vec3 d = vec3_sub(p->point, q->point);
    return vec3_dot(p->normal, q->normal) > LIKE_NORMALS &&
           vec3_dot(d, d) <= set->reach * set->reach;
}

// Connected components by repeated spreading from the first point without a patch.
static int find_patches(carom_patch_set *set)
{
    int patches = 0, stack[CAROM_PATCH_POINTS];
    for (int i = 0; i < set->count; ++i)
        set->patch[i] = -1;
    for (int i = 0; i < set->count; ++i) {
        if (set->patch[i] >= 0)
            continue;
        int depth = 0;
        stack[depth++] = i;
        set->patch[i] = patches;
        while (depth > 0) {
            int at = stack[--depth];
            for (int j = 0; j < set->count; ++j)
                if (set->patch[j] < 0 && together(set, at, j)) {
                    set->patch[j] = patches;
                    stack[depth++] = j;
                }
        }
        ++patches;
    }
    return patches;
}

typedef struct flat {
    double u, v;
    int point;
} flat;

static double turn(const flat *a, const flat *b, const flat *c)
{
    return (b->u - a->u) * (c->v - a->v) - (b->v - a->v) * (c->u - a->u);
}

static bool before(const flat *a, const flat *b)
{
    return a->u != b->u ? a->u < b->u : a->v != b->v ? a->v < b->v : a->point < b->point;
}

// Shell sort: no memory, and a few hundred points at most.
static void sort_flat(flat *f, int count)
{
    for (int step = count / 2; step > 0; step /= 2)
        for (int i = step; i < count; ++i) {
            flat moving = f[i];
            int j = i;
            for (; j >= step && before(&moving, &f[j - step]); j -= step)
                f[j] = f[j - step];
            f[j] = moving;
        }
}

// Convex outline (Andrew 1979, monotone chain), counter-clockwise; points within `tiny` of a side
// are not corners.
static int outline(flat *f, int count, double tiny, flat *out)
{
    sort_flat(f, count);
    int kept = 0;
    for (int pass = 0; pass < 2; ++pass) {
        int base = kept;
        for (int i = 0; i < count; ++i) {
            const flat *next = &f[pass ? count - 1 - i : i];
            while (kept - base >= 2 && turn(&out[kept - 2], &out[kept - 1], next) <= tiny)
                --kept;
            out[kept++] = *next;
        }
        --kept; // the last point of a chain starts the other one
    }
    return kept;
}

static int thin_out(flat *corner, int count, int max)
{
    while (count > max) {
        int min = 0;
        double area = HUGE_VAL;
        for (int i = 0; i < count; ++i) {
            double lost =
                turn(&corner[(i + count - 1) % count], &corner[i], &corner[(i + 1) % count]);
            if (lost < area) {
                area = lost;
                min = i;
            }
        }
        memmove(corner + min, corner + min + 1, (size_t)(count - 1 - min) * sizeof *corner);
        --count;
    }
    return count;
}

// Outline of the points of one patch whose gaps lie in (above, most].
static void add_outline(const carom_patch_set *set, int patch, double above, double max,
                        carom_manifold *out)
{
    flat f[CAROM_PATCH_POINTS], corner[2 * CAROM_PATCH_POINTS];
    vec3 mean = { 0, 0, 0 }, t1, t2;
    int count = 0;
    for (int i = 0; i < set->count; ++i) {
        const carom_manifold_point *p = &set->point[i];
        if (set->patch[i] != patch || !(p->gap > above) || p->gap > max)
            continue;
        mean = vec3_add(mean, p->normal);
        f[count++].point = i;
    }
    if (count == 0)
        return;
    vec3_tangents(vec3_unit(mean), &t1, &t2);
    for (int i = 0; i < count; ++i) {
        vec3 d = vec3_sub(set->point[f[i].point].point, set->point[f[0].point].point);
        f[i].u = vec3_dot(d, t1);
        f[i].v = vec3_dot(d, t2);
    }
    double tiny = 1e-6 * set->reach * set->reach;
    int corners = count > 1 ? outline(f, count, tiny, corner) : count;
    if (count == 1)
        corner[0] = f[0];
    corners = thin_out(corner, corners, CAROM_PATCH_CORNERS);
    for (int i = 0; i < corners; ++i)
        carom_manifold_add(out, set->point[corner[i].point]);
}

static void close_patch(const carom_patch_set *set, int patch, carom_manifold *out)
{
    int deepest = -1, first = out->count;
    for (int i = 0; i < set->count; ++i)
        if (set->patch[i] == patch && (deepest < 0 || set->point[i].gap < set->point[deepest].gap))
            deepest = i;
    double min = set->point[deepest].gap, layer = min + 0.2 * fmax(0, set->margin - min);
    add_outline(set, patch, -HUGE_VAL, layer, out);
    for (int i = first; i < out->count; ++i)
        if (out->points[i].gap - min <= 1e-9 * set->reach)
            first = out->count; // the deepest, or one as deep, is among the corners
    if (first < out->count || out->count == 0)
        carom_manifold_add(out, set->point[deepest]);
    add_outline(set, patch, layer, HUGE_VAL, out);
}

void carom_patch_close(carom_patch_set *set, carom_manifold *out)
{
    int patches = find_patches(set);
    for (int patch = 0; patch < patches; ++patch)
        close_patch(set, patch, out);
}

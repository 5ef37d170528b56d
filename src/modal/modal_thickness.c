// Thickness by lines along the three axes.
//
// A line that enters at X with the outward normal n and leaves at E with n' sees two planes; a ray
// from X straight inwards meets the plane of E after t = (chord n'_axis) / (-n . n'). For slabs
// that is exact however oblique they stand, for round bodies it is exact along the normal and too
// long elsewhere, which a low quantile does not mind. Sides that do not face each other (n . n' >
// -1/2) say nothing. A crossing stands for the area du dv / |n_axis|, and three families of lines
// share it by n_axis^2: its weight is du dv |n_axis|.
#include "modal/modal_thickness.h"

#include <stdlib.h>
#include "math/vec.h"
#include "modal/modal_lines.h"

enum { ALONG_LONGEST = 192, ACROSS_MIN = 24 };
static const double QUANTILE = 0.05, FACING = 0.5;
static const double GAP_SHARE = 0.005; // gaps that concern less of the surface are creases

typedef struct sample {
    double length, weight;
} sample;

typedef struct samples {
    sample *one;
    size_t count, room;
    double weight;
} samples;

static bool add(samples *s, double length, double weight)
{
    if (s->count == s->room) {
        size_t room = s->room ? 2 * s->room : 4096;
        sample *more = realloc(s->one, room * sizeof *more);
        if (!more)
            return false;
        s->one = more;
        s->room = room;
    }
    s->one[s->count++] = (sample){ length, weight };
    s->weight += weight;
    return true;
}

static int by_length(const void *left, const void *right)
{
    const sample *a = left, *b = right;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return (a->weight > b->weight) - (a->weight < b->weight);
}

static double quantile(samples *s, double none)
{
    double sum = 0;
    if (s->count == 0)
        return none;
    qsort(s->one, s->count, sizeof *s->one, by_length);
    for (size_t i = 0; i < s->count; ++i) {
        sum += s->one[i].weight;
        if (sum >= QUANTILE * s->weight)
            return s->one[i].length;
    }
    return s->one[s->count - 1].length;
}

static vec3 normal_of(const carom_mesh_source *surface, int triangle)
{
    const int *c = surface->triangles + 3 * (size_t)triangle;
    vec3 a = vec3_from(surface->vertices + 3 * (size_t)c[0]);
    vec3 b = vec3_from(surface->vertices + 3 * (size_t)c[1]);
    vec3 d = vec3_from(surface->vertices + 3 * (size_t)c[2]);
    return vec3_unit(vec3_cross(vec3_sub(b, a), vec3_sub(d, a)));
}

// Two crossings one behind the other, with wall or free space between them.
static bool measure(const carom_mesh_source *surface, int axis, const carom_modal_crossing *from,
                    const carom_modal_crossing *to, double area, samples *s)
{
    vec3 n = normal_of(surface, from->triangle), m = normal_of(surface, to->triangle);
    double a[3], b[3], facing = -vec3_dot(n, m), chord = to->at - from->at;
    vec3_store(n, a);
    vec3_store(m, b);
    double slant = fmin(fabs(a[axis]), fabs(b[axis]));
    if (facing < FACING || slant < FACING || chord <= 0)
        return true;
    return add(s, chord * slant / facing, area * slant);
}

static bool measure_line(const carom_mesh_source *surface, const carom_modal_lines *l, size_t line,
                         double area, samples s[2])
{
    carom_modal_walk walk = carom_modal_walk_make(l, line);
    const carom_modal_crossing *left = NULL;
    bool ok = true;
    while (ok && carom_modal_lines_next(&walk)) {
        if (left)
            ok = measure(surface, l->axis, left, walk.in, area, &s[1]);
        ok = ok && measure(surface, l->axis, walk.in, walk.out, area, &s[0]);
        left = walk.out;
    }
    return ok;
}

static int fill_places(double extent, double *at)
{
    int count = (int)(extent * ALONG_LONGEST) + 1;
    count = count < ACROSS_MIN ? ACROSS_MIN : count;
    for (int i = 0; i < count; ++i)
        at[i] = extent * (i + 0.5) / count;
    return count;
}

carom_status carom_modal_thickness_measure(const carom_mesh_source *surface, const double extent[3],
                                           carom_modal_thickness *out, carom_error *err)
{
    double place[3][ALONG_LONGEST + 2], lines_cast = 0;
    int count[3];
    samples s[2] = { { 0 }, { 0 } };
    *out = (carom_modal_thickness){ 0 };
    carom_status status = CAROM_OK;
    for (int i = 0; i < 3; ++i)
        count[i] = fill_places(extent[i], place[i]);
    for (int axis = 0; axis < 3 && status == CAROM_OK; ++axis) {
        int u = (axis + 1) % 3, v = (axis + 2) % 3;
        carom_modal_lines l = {
            .axis = axis, .nu = count[u], .nv = count[v], .u = place[u], .v = place[v]
        };
        double area = extent[u] / count[u] * extent[v] / count[v];
        status = carom_modal_lines_cast(surface, &l, err);
        bool ok = true;
        for (size_t i = 0; status == CAROM_OK && ok && i < (size_t)l.nu * (size_t)l.nv; ++i)
            ok = measure_line(surface, &l, i, area, s);
        if (!ok)
            status = carom_error_no_memory(err, "measuring the thickness");
        lines_cast += (double)l.nu * (double)l.nv;
        out->overlapping += (double)l.overlapping;
        out->broken += (double)l.bad;
        carom_modal_lines_free(&l);
    }
    out->overlapping /= lines_cast;
    out->broken /= lines_cast;
    out->wall = quantile(&s[0], fmin(extent[0], fmin(extent[1], extent[2])));
    out->gap = s[1].weight > GAP_SHARE * s[0].weight ? quantile(&s[1], HUGE_VAL) : HUGE_VAL;
    free(s[0].one);
    free(s[1].one);
    return status;
}

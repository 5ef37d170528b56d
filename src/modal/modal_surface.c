// Checks that a surface bounds a solid, scales it, and integrates over it exactly.
#include "modal/modal_surface.h"
#include "math/moments.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static carom_status check_numbers(const carom_mesh_source *s, carom_error *err)
{
    if (s->vertex_count < 4 || s->triangle_count < 4) {
        carom_error_set(err, CAROM_BAD_INPUT, "%d triangles on %d vertices cannot bound a solid",
                        s->triangle_count, s->vertex_count);
        return carom_error_fix(err, "give a closed triangle mesh");
    }
    for (int i = 0; i < 3 * s->triangle_count; ++i)
        if (s->triangles[i] < 0 || s->triangles[i] >= s->vertex_count) {
            carom_error_set(err, CAROM_BAD_INPUT, "triangle %d names vertex %d of %d", i / 3,
                            s->triangles[i], s->vertex_count);
            return carom_error_fix(err, "count vertices from 0");
        }
    for (int i = 0; i < 3 * s->triangle_count; ++i)
        for (int k = 0; k < 3; ++k)
            if (!(fabs(s->vertices[3 * (size_t)s->triangles[i] + (size_t)k]) < 1e100)) {
                carom_error_set(err, CAROM_BAD_INPUT, "vertex %d is at %g", s->triangles[i],
                                s->vertices[3 * (size_t)s->triangles[i] + (size_t)k]);
                return carom_error_fix(err, "use finite coordinates in metres");
            }
    return CAROM_OK;
}

typedef struct edge {
    int low, high, way; // way: +1 from low to high
} edge;

static int by_ends(const void *left, const void *right)
{
    const edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return (a->high > b->high) - (a->high < b->high);
}

// Every edge belongs to two triangles that run along it in opposite directions.
static carom_status check_edges(const carom_mesh_source *s, carom_error *err)
{
    size_t count = 3 * (size_t)s->triangle_count;
    edge *all = malloc(count * sizeof *all);
    if (!all)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %zu edges", count);
    for (size_t i = 0; i < count; ++i) {
        int a = s->triangles[i], b = s->triangles[i % 3 == 2 ? i - 2 : i + 1];
        all[i] = a < b ? (edge){ a, b, 1 } : (edge){ b, a, -1 };
    }
    qsort(all, count, sizeof *all, by_ends);
    int open = 0, crowded = 0, disagree = 0;
    for (size_t i = 0, next; i < count; i = next) {
        int ways = 0;
        for (next = i; next < count && by_ends(&all[next], &all[i]) == 0; ++next)
            ways += all[next].way;
        open += next - i == 1;
        crowded += next - i > 2;
        disagree += next - i == 2 && ways != 0;
    }
    free(all);
    if (open || crowded) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the surface is not closed: %d edges with one triangle, %d with more than "
                        "two",
                        open, crowded);
        return carom_error_fix(err, "weld equal vertices, close holes and remove inner walls");
    }
    if (disagree) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "%d edges lie between triangles that face opposite ways", disagree);
        return carom_error_fix(err, "orient all triangles counter-clockwise seen from outside");
    }
    return CAROM_OK;
}

static carom_status weigh(carom_modal_surface *out, vec3 middle, carom_error *err)
{
    const carom_mesh_source *s = &out->source;
    carom_moments m = { 0 };
    for (int t = 0; t < s->triangle_count; ++t) {
        vec3 p[3];
        for (int k = 0; k < 3; ++k)
            p[k] = vec3_sub(vec3_from(s->vertices + 3 * (size_t)s->triangles[3 * t + k]), middle);
        carom_moments_add_triangle(&m, p[0], p[1], p[2]);
    }
    out->volume = m.volume;
    if (m.volume < 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "the surface is inside out: its volume is %g m^3",
                        m.volume * out->unit * out->unit * out->unit);
        return carom_error_fix(err, "turn all triangles around");
    }
    if (!(m.volume > 1e-12)) {
        carom_error_set(err, CAROM_BAD_INPUT, "the surface holds no volume (%g of its box' cube)",
                        m.volume);
        return carom_error_fix(err, "give a solid body, not a sheet");
    }
    carom_moments_inertia(&m, out->inertia);
    vec3_store(vec3_add(carom_moments_centre(&m), middle), out->centre);
    return CAROM_OK;
}

carom_status carom_modal_surface_make(const carom_mesh_source *given, carom_modal_surface *out,
                                      carom_error *err)
{
    *out = (carom_modal_surface){ .source = *given };
    TRY(check_numbers(given, err));
    TRY(check_edges(given, err));
    const double *first = given->vertices + 3 * (size_t)given->triangles[0];
    double most[3];
    memcpy(out->corner, first, sizeof out->corner);
    memcpy(most, first, sizeof most);
    for (int i = 0; i < 3 * given->triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double x = given->vertices[3 * (size_t)given->triangles[i] + (size_t)k];
            out->corner[k] = fmin(out->corner[k], x);
            most[k] = fmax(most[k], x);
        }
    for (int k = 0; k < 3; ++k)
        out->unit = fmax(out->unit, most[k] - out->corner[k]);
    if (!(out->unit > 0))
        return carom_error_set(err, CAROM_BAD_INPUT, "all vertices lie in one point");
    out->vertices = malloc(3 * (size_t)given->vertex_count * sizeof *out->vertices);
    if (!out->vertices)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d vertices",
                               given->vertex_count);
    for (int i = 0; i < 3 * given->vertex_count; ++i)
        out->vertices[i] = (given->vertices[i] - out->corner[i % 3]) / out->unit;
    out->source.vertices = out->vertices;
    vec3 middle = vec3_make(.5 * (most[0] - out->corner[0]) / out->unit,
                            .5 * (most[1] - out->corner[1]) / out->unit,
                            .5 * (most[2] - out->corner[2]) / out->unit);
    return weigh(out, middle, err);
}

void carom_modal_surface_free(carom_modal_surface *surface)
{
    free(surface->vertices);
    *surface = (carom_modal_surface){ 0 };
}

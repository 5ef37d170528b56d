// Scales a surface that bounds a solid to lattice units and integrates over it exactly. Whether it
// does is judged by shape/examine.c.
#include "modal/modal_surface.h"

#include <stdlib.h>
#include <string.h>
#include "math/moments.h"
#include "shape/examine.h"

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
    TRY(carom_examine_closed(given, err));
    const double *first = given->vertices + 3 * (size_t)given->triangles[0];
    double max[3];
    memcpy(out->corner, first, sizeof out->corner);
    memcpy(max, first, sizeof max);
    for (int i = 0; i < 3 * given->triangle_count; ++i)
        for (int k = 0; k < 3; ++k) {
            double x = given->vertices[3 * (size_t)given->triangles[i] + (size_t)k];
            out->corner[k] = fmin(out->corner[k], x);
            max[k] = fmax(max[k], x);
        }
    for (int k = 0; k < 3; ++k)
        out->unit = fmax(out->unit, max[k] - out->corner[k]);
    if (!(out->unit > 0))
        return carom_error_set(err, CAROM_BAD_INPUT, "all vertices lie in one point");
    out->vertices = malloc(3 * (size_t)given->vertex_count * sizeof *out->vertices);
    if (!out->vertices)
        return carom_error_no_memory(err, "%d vertices", given->vertex_count);
    for (int i = 0; i < 3 * given->vertex_count; ++i)
        out->vertices[i] = (given->vertices[i] - out->corner[i % 3]) / out->unit;
    out->source.vertices = out->vertices;
    vec3 middle = vec3_make(0.5 * (max[0] - out->corner[0]) / out->unit,
                            0.5 * (max[1] - out->corner[1]) / out->unit,
                            0.5 * (max[2] - out->corner[2]) / out->unit);
    return weigh(out, middle, err);
}

void carom_modal_surface_free(carom_modal_surface *surface)
{
    free(surface->vertices);
    *surface = (carom_modal_surface){ 0 };
}

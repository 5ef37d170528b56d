// Solids from outlines: turned about an axis, extruded, or carried along a path.
#include "base/memory.h"
#include "shape/shape.h"
#include "math/trig.h"
#include "shape/earcut.h"

typedef struct builder {
    double *vertex;
    int *triangle;
    int vertex_count, triangle_count;
} builder;

static carom_status open_builder(builder *b, long vertices, long triangles, carom_error *err)
{
    *b = (builder){ 0 };
    if (vertices > 10000000 || triangles > 20000000) {
        carom_error_set(err, CAROM_NO_MEMORY, "a generated surface of %ld vertices is too large",
                        vertices);
        return carom_error_fix(err, "use fewer segments or stations");
    }
    b->vertex = carom_memory_get(3 * (size_t)vertices * sizeof *b->vertex);
    b->triangle = carom_memory_get(3 * (size_t)triangles * sizeof *b->triangle);
    if (b->vertex && b->triangle)
        return CAROM_OK;
    carom_memory_free(b->vertex);
    carom_memory_free(b->triangle);
    return carom_error_no_memory(err, "%ld vertices", vertices);
}

static int add_vertex(builder *b, vec3 p)
{
    vec3_store(p, b->vertex + 3 * (size_t)b->vertex_count);
    return b->vertex_count++;
}

static void add_triangle(builder *b, int i, int j, int k)
{
    int *t = b->triangle + 3 * (size_t)b->triangle_count++;
    t[0] = i;
    t[1] = j;
    t[2] = k;
}

static carom_status close_builder(builder *b, carom_shape **out, carom_error *err)
{
    carom_mesh_source source = { b->vertex, b->triangle, b->vertex_count, b->triangle_count };
    carom_status status = carom_mesh_create(&source, CAROM_MESH_REPAIR, NULL, out, err);
    carom_memory_free(b->vertex);
    carom_memory_free(b->triangle);
    return status;
}

static carom_status check_outline(const double *outline, int count, int min, carom_error *err)
{
    if (count < min || count > 100000) {
        carom_error_set(err, CAROM_BAD_INPUT, "an outline of %d points", count);
        return carom_error_fix(err, "give at least %d points", min);
    }
    for (int i = 0; i < 2 * count; ++i)
        if (!(fabs(outline[i]) < 1e100)) {
            carom_error_set(err, CAROM_BAD_INPUT, "point %d of the outline has the coordinate %g",
                            i / 2, outline[i]);
            return carom_error_fix(err, "give finite coordinates in metres");
        }
    return CAROM_OK;
}

carom_status carom_profile_revolve(const double *profile, int count, int segments,
                                   carom_shape **out, carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    TRY(check_outline(profile, count, 3, err));
    for (int i = 0; i < count; ++i) {
        bool tip = i == 0 || i == count - 1;
        if (tip ? profile[2 * i] != 0 : !(profile[2 * i] > 0)) {
            carom_error_set(err, CAROM_BAD_INPUT, "radius %d of the profile is %g m", i,
                            profile[2 * i]);
            return carom_error_fix(err,
                                   "start and end on the axis (radius 0) and stay off it between");
        }
    }
    if (segments < 3 || segments > 4096) {
        carom_error_set(err, CAROM_BAD_INPUT, "a solid of revolution with %d sides", segments);
        return carom_error_fix(err, "use 3 to 4096");
    }
    builder b;
    long rings = count - 2;
    TRY(open_builder(&b, rings * segments + 2, 2 * rings * segments, err));
    int bottom = add_vertex(&b, vec3_make(0, 0, profile[1]));
    for (int i = 1; i + 1 < count; ++i)
        for (int k = 0; k < segments; ++k) {
            double c, s, r = profile[2 * i];
            carom_trig_circle(k, segments, &c, &s);
            add_vertex(&b, vec3_make(r * c, r * s, profile[2 * i + 1]));
        }
    int top = add_vertex(&b, vec3_make(0, 0, profile[2 * count - 1]));
    int last = (int)(1 + (rings - 1) * segments);
    for (int k = 0; k < segments; ++k) {
        int next = (k + 1) % segments;
        add_triangle(&b, bottom, 1 + next, 1 + k);
        for (int i = 0; i + 1 < rings; ++i) {
            int low = 1 + i * segments, high = low + segments;
            add_triangle(&b, low + k, low + next, high + next);
            add_triangle(&b, low + k, high + next, high + k);
        }
        add_triangle(&b, top, last + k, last + next);
    }
    return close_builder(&b, out, err);
}

// Side walls between consecutive copies of the polygon, and the two ends.
static carom_status fill_walls(builder *b, const double *polygon, int count, int stations,
                               carom_error *err)
{
    int *cap = carom_memory_get(3 * (size_t)count * sizeof *cap);
    if (!cap)
        return carom_error_no_memory(err, "a polygon of %d corners", count);
    carom_status status = carom_earcut_polygon(polygon, count, cap, err);
    for (int s = 0; status == CAROM_OK && s + 1 < stations; ++s)
        for (int k = 0; k < count; ++k) {
            int next = (k + 1) % count, low = s * count, high = low + count;
            add_triangle(b, low + k, low + next, high + next);
            add_triangle(b, low + k, high + next, high + k);
        }
    int end = (stations - 1) * count;
    for (int t = 0; status == CAROM_OK && t < count - 2; ++t) {
        add_triangle(b, cap[3 * t], cap[3 * t + 2], cap[3 * t + 1]);
        add_triangle(b, end + cap[3 * t], end + cap[3 * t + 1], end + cap[3 * t + 2]);
    }
    carom_memory_free(cap);
    return status;
}

static carom_status finish_walls(builder *b, const double *polygon, int count, int stations,
                                 carom_shape **out, carom_error *err)
{
    carom_status status = fill_walls(b, polygon, count, stations, err);
    if (status == CAROM_OK)
        return close_builder(b, out, err);
    carom_memory_free(b->vertex);
    carom_memory_free(b->triangle);
    return status;
}

carom_status carom_profile_extrude(const double *polygon, int count, double half_height,
                                   carom_shape **out, carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    TRY(check_outline(polygon, count, 3, err));
    TRY(carom_shape_positive(half_height, "the half height of a prism", err));
    builder b;
    TRY(open_builder(&b, 2L * count, 4L * count, err));
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < count; ++k)
            add_vertex(
                &b, vec3_make(polygon[2 * k], polygon[2 * k + 1], s ? half_height : -half_height));
    return finish_walls(&b, polygon, count, 2, out, err);
}

// Direction of the path at a station: the mean of the directions before and after it.
static vec3 direction_at(const double *path, int stations, int s)
{
    vec3 here = vec3_from(path + 3 * s), sum = { 0, 0, 0 };
    if (s > 0)
        sum = vec3_add(sum, vec3_unit(vec3_sub(here, vec3_from(path + 3 * (s - 1)))));
    if (s + 1 < stations)
        sum = vec3_add(sum, vec3_unit(vec3_sub(vec3_from(path + 3 * (s + 1)), here)));
    return vec3_unit(sum);
}

carom_status carom_profile_sweep(const double *polygon, int count, const double *path, int stations,
                                 carom_shape **out, carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    TRY(check_outline(polygon, count, 3, err));
    if (stations < 2 || stations > 1000000)
        return carom_error_set(err, CAROM_BAD_INPUT, "a path of %d stations", stations);
    builder b;
    TRY(open_builder(&b, (long)stations * count, 2L * stations * count + 2L * count, err));
    for (int s = 0; s < stations; ++s) {
        vec3 along = direction_at(path, stations, s);
        vec3 left = vec3_cross(vec3_make(0, 0, 1), along);
        if (!(vec3_length(left) > 1e-6)) {
            carom_memory_free(b.vertex);
            carom_memory_free(b.triangle);
            carom_error_set(err, CAROM_BAD_INPUT,
                            "the path runs straight up, or stands still, at station %d", s);
            return carom_error_fix(err, "keep stations apart and the path less steep");
        }
        left = vec3_unit(left);
        vec3 up = vec3_cross(along, left), here = vec3_from(path + 3 * s);
        // (left, up, along) is right-handed, as (x, y, z) of an extrusion.
        for (int k = 0; k < count; ++k)
            add_vertex(&b,
                       vec3_axpy(vec3_axpy(here, polygon[2 * k], left), polygon[2 * k + 1], up));
    }
    return finish_walls(&b, polygon, count, stations, out, err);
}

// Triangles as they come out of a file: polygons are cut into triangles here, once for all forms.
#include "scene/import_source.h"

#include <math.h>
#include <stdlib.h>
#include "math/vec.h"
#include "shape/earcut.h"

// Room for one more of `count` things of `size` bytes.
static carom_status grow(void **list, int count, int *room, size_t size, carom_error *err)
{
    if (count < *room)
        return CAROM_OK;
    if (count >= CAROM_IMPORT_MAX) {
        carom_error_set(err, CAROM_NO_MEMORY, "the file holds more than %d vertices or triangles",
                        CAROM_IMPORT_MAX);
        return carom_error_fix(err, "simplify the model");
    }
    int larger = *room ? 2 * *room : 1024;
    void *moved = realloc(*list, (size_t)larger * size);
    if (!moved)
        return carom_error_no_memory(err, "the triangles of a mesh");
    *list = moved;
    *room = larger;
    return CAROM_OK;
}

carom_status carom_import_source_vertex(carom_import_source *s, const double at[3],
                                        carom_error *err)
{
    TRY(grow((void **)&s->vertex, s->vertex_count, &s->vertex_room, 3 * sizeof *s->vertex, err));
    for (int k = 0; k < 3; ++k)
        s->vertex[3 * (size_t)s->vertex_count + (size_t)k] = s->scale * at[k];
    ++s->vertex_count;
    return CAROM_OK;
}

carom_status carom_import_source_corner(carom_import_source *s, carom_cursor *c, long long vertex,
                                        carom_error *err)
{
    if (vertex < 0 || vertex >= s->vertex_count)
        return carom_cursor_damaged(c, err, "a face names vertex %lld of %d (counted from 0)",
                                    vertex, s->vertex_count);
    TRY(grow((void **)&s->corner, s->corner_count, &s->corner_room, sizeof *s->corner, err));
    s->corner[s->corner_count++] = (int)vertex;
    return CAROM_OK;
}

static carom_status add_triangle(carom_import_source *s, int a, int b, int c, carom_error *err)
{
    TRY(grow((void **)&s->triangle, s->triangle_count, &s->triangle_room, 3 * sizeof *s->triangle,
             err));
    int *corner = s->triangle + 3 * (size_t)s->triangle_count++;
    corner[0] = a, corner[1] = b, corner[2] = c;
    return CAROM_OK;
}

static vec3 corner_at(const carom_import_source *s, int i)
{
    return vec3_from(s->vertex + 3 * (size_t)s->corner[i]);
}

// The polygon in the plane of its vector area (Newell), counter-clockwise there.
static void flatten(const carom_import_source *s, double *flat)
{
    vec3 area = { 0 }, base = corner_at(s, 0);
    for (int i = 1; i + 1 < s->corner_count; ++i)
        area = vec3_add(
            area, vec3_cross(vec3_sub(corner_at(s, i), base), vec3_sub(corner_at(s, i + 1), base)));
    vec3 first, second;
    vec3_tangents(vec3_unit(area), &first, &second);
    for (int i = 0; i < s->corner_count; ++i) {
        vec3 way = vec3_sub(corner_at(s, i), base);
        flat[2 * i] = vec3_dot(first, way);
        flat[2 * i + 1] = vec3_dot(second, way);
    }
}

// Ears where the polygon is simple in its plane; a fan about its first corner where not, which
// whoever examines the mesh will find fault with.
static carom_status cut_polygon(carom_import_source *s, carom_error *err)
{
    int n = s->corner_count;
    double *flat = malloc(2 * (size_t)n * sizeof *flat);
    int *cut = malloc(3 * (size_t)n * sizeof *cut);
    carom_status status = flat && cut ? CAROM_OK : carom_error_no_memory(err, "a polygon");
    if (status == CAROM_OK) {
        carom_error ignored = { 0 };
        flatten(s, flat);
        bool simple = carom_earcut_polygon(flat, n, cut, &ignored) == CAROM_OK;
        for (int i = 0; i < n - 2 && status == CAROM_OK; ++i) {
            const int fan[3] = { 0, i + 1, i + 2 }, *t = simple ? cut + 3 * (size_t)i : fan;
            status = add_triangle(s, s->corner[t[0]], s->corner[t[1]], s->corner[t[2]], err);
        }
    }
    free(flat);
    free(cut);
    return status;
}

carom_status carom_import_source_polygon(carom_import_source *s, carom_error *err)
{
    carom_status status = CAROM_OK;
    if (s->corner_count == 3)
        status = add_triangle(s, s->corner[0], s->corner[1], s->corner[2], err);
    else if (s->corner_count > 3)
        status = cut_polygon(s, err);
    s->corner_count = 0;
    return status;
}

carom_status carom_import_source_triangle(carom_import_source *s, const double corner[3][3],
                                          carom_error *err)
{
    int first = s->vertex_count;
    for (int k = 0; k < 3; ++k)
        TRY(carom_import_source_vertex(s, corner[k], err));
    return add_triangle(s, first, first + 1, first + 2, err);
}

void carom_import_source_free(carom_import_source *s)
{
    free(s->vertex);
    free(s->triangle);
    free(s->corner);
    *s = (carom_import_source){ 0 };
}

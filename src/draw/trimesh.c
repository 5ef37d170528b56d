// Ray and triangle: Moeller and Trumbore's test, both sides.
#include "draw/trimesh.h"

#include <string.h>
#include "base/hash.h"

// Edges that bend by less than 35 degrees are drawn smooth: a turned surface of 24 sides bends by
// 15, a box by 90.
static const double smooth_cosine = 0.8191520442889918;

static int weld(carom_trimesh *mesh, const double *point, int *table, size_t mask)
{
    uint64_t slot = carom_hash_bytes(CAROM_HASH_START, point, 3 * sizeof *point) & mask;
    for (;; slot = (slot + 1) & mask) { // ends: the table is at most half full
        int found = table[slot] - 1;
        if (found < 0) {
            mesh->vertex[mesh->vertex_count] = vec3_from(point);
            table[slot] = ++mesh->vertex_count;
            return mesh->vertex_count - 1;
        }
        vec3 v = mesh->vertex[found];
        if (v.x == point[0] && v.y == point[1] && v.z == point[2])
            return found;
    }
}

static vec3 area_normal(const carom_trimesh *mesh, int t)
{
    const int *c = mesh->triangle[t];
    vec3 a = mesh->vertex[c[0]];
    return vec3_cross(vec3_sub(mesh->vertex[c[1]], a), vec3_sub(mesh->vertex[c[2]], a));
}

// Triangles at each vertex in compressed rows, then a mean over those that bend little, weighted by
// area.
static carom_status make_normals(carom_trimesh *mesh, carom_arena *arena, carom_error *err)
{
    int *first, *around;
    vec3 *flat;
    size_t corners = 3 * (size_t)mesh->triangle_count;
    TAKE(arena, mesh->normal, corners, err);
    carom_arena_mark mark = carom_arena_mark_here(arena);
    TAKE_ZEROS(arena, first, mesh->vertex_count + 2, err);
    TAKE(arena, around, corners, err);
    TAKE(arena, flat, mesh->triangle_count, err);
    for (int t = 0; t < mesh->triangle_count; ++t) {
        flat[t] = area_normal(mesh, t);
        for (int k = 0; k < 3; ++k)
            ++first[mesh->triangle[t][k] + 2];
    }
    for (int v = 0; v < mesh->vertex_count; ++v)
        first[v + 2] += first[v + 1];
    for (int t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            around[first[mesh->triangle[t][k] + 1]++] = t;
    for (int t = 0; t < mesh->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int v = mesh->triangle[t][k];
            vec3 own = vec3_unit(flat[t]), sum = { 0, 0, 0 };
            for (int i = first[v]; i < first[v + 1]; ++i)
                if (vec3_dot(own, vec3_unit(flat[around[i]])) > smooth_cosine)
                    sum = vec3_add(sum, flat[around[i]]);
            sum = vec3_unit(sum);
            mesh->normal[3 * t + k] = vec3_dot(sum, sum) > 0.5 ? sum : vec3_make(0, 0, 1);
        }
    carom_arena_rewind(arena, mark);
    return CAROM_OK;
}

static void bound(const carom_trimesh *mesh, int t, carom_bvh_box *box)
{
    for (int k = 0; k < 3; ++k) {
        double p[3];
        vec3_store(mesh->vertex[mesh->triangle[t][k]], p);
        for (int axis = 0; axis < 3; ++axis) {
            box->min[axis] = k && box->min[axis] < p[axis] ? box->min[axis] : p[axis];
            box->max[axis] = k && box->max[axis] > p[axis] ? box->max[axis] : p[axis];
        }
    }
}

carom_status carom_trimesh_build(const double *corners, int count, carom_arena *arena,
                                 carom_trimesh *out, carom_error *err)
{
    *out = (carom_trimesh){ .triangle_count = count };
    size_t size = 16;
    while (size < 6 * (size_t)count) // ends: doubles
        size *= 2;
    TAKE(arena, out->vertex, 3 * (size_t)count, err);
    TAKE(arena, out->triangle, count, err);
    carom_arena_mark mark = carom_arena_mark_here(arena);
    int *table;
    TAKE_ZEROS(arena, table, size, err);
    for (int t = 0; t < count; ++t)
        for (int k = 0; k < 3; ++k) {
            double point[3];
            for (int axis = 0; axis < 3; ++axis) // + 0 turns -0 into 0: both must weld
                point[axis] = corners[9 * (size_t)t + 3 * (size_t)k + (size_t)axis] + 0.0;
            out->triangle[t][k] = weld(out, point, table, size - 1);
        }
    carom_arena_rewind(arena, mark);
    TRY(make_normals(out, arena, err));
    carom_bvh_box *boxes;
    TAKE(arena, boxes, count, err);
    for (int t = 0; t < count; ++t)
        bound(out, t, &boxes[t]);
    return carom_bvh_build(boxes, count, arena, &out->bvh, err);
}

typedef struct aim {
    const carom_trimesh *mesh;
    vec3 normal;
    bool found;
} aim;

static bool meet_triangle(void *context, int t, carom_ray *ray)
{
    aim *a = context;
    const int *c = a->mesh->triangle[t];
    vec3 origin = a->mesh->vertex[c[0]];
    vec3 e1 = vec3_sub(a->mesh->vertex[c[1]], origin), e2 = vec3_sub(a->mesh->vertex[c[2]], origin);
    double u, v;
    if (!carom_ray_triangle(origin, e1, e2, ray, &u, &v))
        return false;
    const vec3 *n = a->mesh->normal + 3 * (size_t)t;
    a->found = true;
    a->normal = vec3_axpy(vec3_axpy(vec3_scale(1 - u - v, n[0]), u, n[1]), v, n[2]);
    return false;
}

bool carom_trimesh_meet(const carom_trimesh *mesh, carom_ray *ray, vec3 *normal)
{
    aim a = { .mesh = mesh };
    carom_bvh_visit(&mesh->bvh, ray, meet_triangle, &a);
    *normal = a.found ? vec3_unit(a.normal) : *normal;
    return a.found;
}

// Convex polytopes: building, support point, nearest point.
#include "shape/polytope.h"

#include <string.h>
#include "base/memory.h"

static carom_status allocate(carom_polytope *p, int corners, carom_error *err);
static void fill_planes(carom_polytope *p);
static carom_status pair_edges(carom_polytope *p, carom_error *err);

carom_status carom_polytope_create(const vec3 *vertex, int vertex_count, const int *first,
                                   const int *loop, int face_count, carom_polytope **out,
                                   carom_error *err)
{
    *out = NULL;
    for (int f = 0; f < face_count; ++f)
        if (first[f + 1] - first[f] > CAROM_POLYTOPE_LOOP) {
            carom_error_set(err, CAROM_BAD_INPUT, "a face of the hull has %d corners, at most %d",
                            first[f + 1] - first[f], CAROM_POLYTOPE_LOOP);
            return carom_error_fix(err, "use fewer points on that face, or a cylinder");
        }
    carom_polytope *p = carom_memory_zeros(1, sizeof *p);
    if (!p)
        return carom_error_no_memory(err, "a polytope");
    p->vertex_count = vertex_count;
    p->face_count = face_count;
    p->edge_count = first[face_count] / 2;
    carom_status status = allocate(p, first[face_count], err);
    if (status == CAROM_OK) {
        memcpy(p->vertex, vertex, (size_t)vertex_count * sizeof *vertex);
        memcpy(p->first, first, ((size_t)face_count + 1) * sizeof *first);
        memcpy(p->loop, loop, (size_t)first[face_count] * sizeof *loop);
        fill_planes(p);
        status = pair_edges(p, err);
    }
    if (status != CAROM_OK) {
        carom_polytope_destroy(p);
        return status;
    }
    *out = p;
    return CAROM_OK;
}

void carom_polytope_destroy(carom_polytope *p)
{
    if (!p)
        return;
    carom_memory_free(p->vertex);
    carom_memory_free(p->normal);
    carom_memory_free(p->offset);
    carom_memory_free(p->first);
    carom_memory_free(p->loop);
    carom_memory_free(p->loop_edge);
    carom_memory_free(p->edge);
    carom_memory_free(p);
}

static carom_status allocate(carom_polytope *p, int corners, carom_error *err)
{
    p->vertex = carom_memory_zeros((size_t)p->vertex_count, sizeof *p->vertex);
    p->normal = carom_memory_zeros((size_t)p->face_count, sizeof *p->normal);
    p->offset = carom_memory_zeros((size_t)p->face_count, sizeof *p->offset);
    p->first = carom_memory_zeros((size_t)p->face_count + 1, sizeof *p->first);
    p->loop = carom_memory_zeros((size_t)corners, sizeof *p->loop);
    p->loop_edge = carom_memory_zeros((size_t)corners, sizeof *p->loop_edge);
    p->edge = carom_memory_zeros((size_t)p->edge_count + 1, sizeof *p->edge);
    if (!p->vertex || !p->normal || !p->offset || !p->first || !p->loop || !p->loop_edge ||
        !p->edge)
        return carom_error_no_memory(err, "a polytope of %d vertices", p->vertex_count);
    return CAROM_OK;
}

// Newell's normal (the vector area) is the best fit for a loop that is flat only to round-off.
static void fill_planes(carom_polytope *p)
{
    for (int f = 0; f < p->face_count; ++f) {
        vec3 area = { 0, 0, 0 }, pivot = p->vertex[p->loop[p->first[f]]];
        for (int i = p->first[f] + 1; i + 1 < p->first[f + 1]; ++i)
            area = vec3_add(area, vec3_cross(vec3_sub(p->vertex[p->loop[i]], pivot),
                                             vec3_sub(p->vertex[p->loop[i + 1]], pivot)));
        p->normal[f] = vec3_unit(area);
        double offset = -HUGE_VAL;
        for (int i = p->first[f]; i < p->first[f + 1]; ++i)
            offset = fmax(offset, vec3_dot(p->normal[f], p->vertex[p->loop[i]]));
        p->offset[f] = offset;
    }
}

static int find_edge(const carom_polytope *p, int count, int from, int to)
{
    for (int e = 0; e < count; ++e)
        if (p->edge[e].vertex[0] == from && p->edge[e].vertex[1] == to)
            return e;
    return -1;
}

static carom_status pair_edges(carom_polytope *p, carom_error *err)
{
    int count = 0, paired = 0;
    for (int f = 0; f < p->face_count; ++f) {
        int begin = p->first[f], end = p->first[f + 1];
        for (int i = begin; i < end; ++i) {
            int from = p->loop[i], to = p->loop[i + 1 < end ? i + 1 : begin];
            int e = find_edge(p, count, to, from);
            if (e >= 0 && p->edge[e].face[1] < 0) {
                p->edge[e].face[1] = f;
                ++paired;
            } else if (e < 0 && count < p->edge_count) {
                e = count++;
                p->edge[e] = (carom_polytope_edge){ { from, to }, { f, -1 } };
            } else {
                return carom_error_set(err, CAROM_BAD_INPUT,
                                       "the faces of a polytope do not close up");
            }
            p->loop_edge[i] = e;
        }
    }
    if (paired != count || count != p->edge_count)
        return carom_error_set(err, CAROM_BAD_INPUT, "the faces of a polytope do not close up");
    return CAROM_OK;
}

int carom_polytope_support(const carom_polytope *p, vec3 direction)
{
    int best = 0;
    double max = vec3_dot(p->vertex[0], direction);
    for (int v = 1; v < p->vertex_count; ++v) {
        double reach = vec3_dot(p->vertex[v], direction);
        if (reach > max) {
            max = reach;
            best = v;
        }
    }
    return best;
}

static vec3 nearest_on_edge(vec3 a, vec3 b, vec3 point, double *along)
{
    vec3 ab = vec3_sub(b, a);
    double t = vec3_dot(vec3_sub(point, a), ab) / vec3_dot(ab, ab);
    *along = t < 0 ? 0 : t > 1 ? 1 : t;
    return vec3_axpy(a, *along, ab);
}

// Nearest point of one face to a point above it, if it is nearer than *best.
static void nearest_on_face(const carom_polytope *p, int f, vec3 point, carom_nearest *best)
{
    int begin = p->first[f], end = p->first[f + 1];
    double height = vec3_dot(p->normal[f], point) - p->offset[f];
    bool inside = true;
    for (int i = begin; i < end; ++i) {
        vec3 a = p->vertex[p->loop[i]], b = p->vertex[p->loop[i + 1 < end ? i + 1 : begin]];
        vec3 outward = vec3_cross(vec3_sub(b, a), p->normal[f]);
        if (vec3_dot(outward, vec3_sub(point, a)) <= 0)
            continue;
        inside = false;
        double along;
        vec3 q = nearest_on_edge(a, b, point, &along);
        double distance = vec3_length(vec3_sub(point, q));
        if (distance < best->distance) {
            best->distance = distance;
            best->point = q;
            best->normal = vec3_scale(1 / distance, vec3_sub(point, q));
            best->feature = along == 0 ? 0x80000000u | (uint32_t)p->loop[i]
                            : along == 1
                                ? 0x80000000u | (uint32_t)p->loop[i + 1 < end ? i + 1 : begin]
                                : 0x40000000u | (uint32_t)p->loop_edge[i];
        }
    }
    if (inside && height < best->distance)
        *best = (carom_nearest){ vec3_axpy(point, -height, p->normal[f]), p->normal[f], height,
                                 (uint32_t)f };
}

carom_nearest carom_polytope_nearest(const carom_polytope *p, vec3 point)
{
    int highest = 0;
    double max = -HUGE_VAL;
    carom_nearest best = { .distance = HUGE_VAL };
    for (int f = 0; f < p->face_count; ++f) {
        double height = vec3_dot(p->normal[f], point) - p->offset[f];
        if (height > max) {
            max = height;
            highest = f;
        }
        if (height > 0)
            nearest_on_face(p, f, point, &best);
    }
    if (max <= 0 || best.distance == HUGE_VAL)
        best = (carom_nearest){ vec3_axpy(point, -max, p->normal[highest]), p->normal[highest], max,
                                (uint32_t)highest };
    return best;
}

// What follows from vertices and triangles: edges, pseudonormals, probes, trees.
//
// Pseudonormals (Baerentzen, Aanaes 2005, "Signed distance computation using the angle weighted
// pseudonormal") tell inside from outside by one dot product wherever the nearest point lies: on a
// face, an edge (sum of two normals) or a vertex (normals weighted by the angle at it). The angles
// come from our own series: the C library's acos may differ between machines.
#include "shape/topology.h"

#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

typedef struct half_edge {
    int low, high, triangle, side;
} half_edge;

static carom_status allocate(carom_mesh *mesh, carom_error *err);
static void fill_normals(carom_mesh *mesh);
static carom_status fill_edges(carom_mesh *mesh, carom_error *err);
static void fill_spokes(carom_mesh *mesh);
static void fill_probes(carom_mesh *mesh);
static carom_status fill_facets(carom_mesh *mesh, carom_error *err)
{
    mesh->facet = carom_memory_get((size_t)mesh->triangle_count * sizeof *mesh->facet);
    if (!mesh->facet)
        return carom_error_no_memory(err, "%d facets", mesh->triangle_count);
    for (int i = 0; i < mesh->triangle_count; ++i) {
        int t = mesh->faces.order[i];
        const int *c = mesh->triangle[t];
        vec3 a = mesh->vertex[c[0]];
        mesh->facet[i] = (carom_mesh_facet){ .corner = a,
                                             .side = { vec3_sub(mesh->vertex[c[1]], a),
                                                       vec3_sub(mesh->vertex[c[2]], a) },
                                             .normal = mesh->face_normal[t],
                                             .triangle = t };
    }
    return CAROM_OK;
}

static carom_status fill_trees(carom_mesh *mesh, carom_error *err);

carom_status carom_topology_build(carom_mesh *mesh, carom_error *err)
{
    mesh->edge_count = mesh->triangle_count * 3 / 2;
    TRY(allocate(mesh, err));
    TRY(fill_edges(mesh, err));
    fill_normals(mesh);
    fill_spokes(mesh);
    fill_probes(mesh);
    return fill_trees(mesh, err);
}

static carom_status allocate(carom_mesh *mesh, carom_error *err)
{
    size_t v = (size_t)mesh->vertex_count, t = (size_t)mesh->triangle_count;
    size_t e = (size_t)mesh->edge_count;
    mesh->face_normal = carom_memory_zeros(t, sizeof *mesh->face_normal);
    mesh->vertex_normal = carom_memory_zeros(v, sizeof *mesh->vertex_normal);
    mesh->edge_normal = carom_memory_zeros(e, sizeof *mesh->edge_normal);
    mesh->edge = carom_memory_zeros(e, sizeof *mesh->edge);
    mesh->edge_face = carom_memory_zeros(e, sizeof *mesh->edge_face);
    mesh->face_edge = carom_memory_zeros(t, sizeof *mesh->face_edge);
    mesh->spoke_first = carom_memory_zeros(v + 1, sizeof *mesh->spoke_first);
    mesh->spoke = carom_memory_zeros(2 * e, sizeof *mesh->spoke);
    mesh->probe = carom_memory_zeros(v + e, sizeof *mesh->probe);
    if (!mesh->face_normal || !mesh->vertex_normal || !mesh->edge_normal || !mesh->edge ||
        !mesh->edge_face || !mesh->face_edge || !mesh->spoke_first || !mesh->spoke || !mesh->probe)
        return carom_error_no_memory(err, "a mesh of %zu triangles", t);
    return CAROM_OK;
}

static int by_ends(const void *left, const void *right)
{
    const half_edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static carom_status fill_edges(carom_mesh *mesh, carom_error *err)
{
    int count = 3 * mesh->triangle_count;
    half_edge *half = carom_memory_get((size_t)count * sizeof *half);
    if (!half)
        return carom_error_no_memory(err, "%d edges", count);
    for (int i = 0; i < count; ++i) {
        int a = mesh->triangle[i / 3][i % 3], b = mesh->triangle[i / 3][(i + 1) % 3];
        half[i] = (half_edge){ a < b ? a : b, a < b ? b : a, i / 3, i % 3 };
    }
    qsort(half, (size_t)count, sizeof *half, by_ends);
    bool paired = count == 2 * mesh->edge_count;
    for (int e = 0; e < mesh->edge_count && paired; ++e) {
        const half_edge *one = &half[2 * e], *two = one + 1;
        paired = one->low == two->low && one->high == two->high;
        mesh->edge[e][0] = one->low;
        mesh->edge[e][1] = one->high;
        mesh->edge_face[e][0] = one->triangle;
        mesh->edge_face[e][1] = two->triangle;
        mesh->face_edge[one->triangle][one->side] = e;
        mesh->face_edge[two->triangle][two->side] = e;
    }
    carom_memory_free(half);
    return paired ? CAROM_OK
                  : carom_error_set(err, CAROM_BAD_INPUT,
                                    "the mesh has an edge without two triangles");
}

// The angle between two unit vectors, by halving it until the arc tangent's series converges at
// once.
static double angle_between(vec3 a, vec3 b)
{
    double s = vec3_length(vec3_cross(a, b)), c = vec3_dot(a, b), scale = 2;
    // tan(x/2) = sin x / (1 + cos x) = (1 - cos x) / sin x; then tan(x/2) = t / (1 + sqrt(1 +
    // t^2)).
    double t = c > 0 ? s / (1 + c) : s > 0 ? (1 - c) / s : 0;
    for (int i = 0; i < 4; ++i) {
        t = t / (1 + sqrt(1 + t * t));
        scale *= 2;
    }
    double tt = t * t, sum = 0;
    for (int k = 21; k >= 1; k -= 2) // arc tangent, |t| < 0.2: the next term is below 1e-16
        sum = 1.0 / k - tt * sum;
    return scale * t * sum;
}

static void fill_normals(carom_mesh *mesh)
{
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const int *corner = mesh->triangle[t];
        vec3 p[3] = { mesh->vertex[corner[0]], mesh->vertex[corner[1]], mesh->vertex[corner[2]] };
        vec3 normal = vec3_unit(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
        mesh->face_normal[t] = normal;
        for (int k = 0; k < 3; ++k) {
            vec3 e = vec3_unit(vec3_sub(p[(k + 1) % 3], p[k]));
            vec3 f = vec3_unit(vec3_sub(p[(k + 2) % 3], p[k]));
            mesh->vertex_normal[corner[k]] =
                vec3_axpy(mesh->vertex_normal[corner[k]], angle_between(e, f), normal);
        }
    }
    for (int v = 0; v < mesh->vertex_count; ++v)
        mesh->vertex_normal[v] = vec3_unit(mesh->vertex_normal[v]);
    for (int e = 0; e < mesh->edge_count; ++e)
        mesh->edge_normal[e] = vec3_unit(vec3_add(mesh->face_normal[mesh->edge_face[e][0]],
                                                  mesh->face_normal[mesh->edge_face[e][1]]));
}

static void fill_spokes(carom_mesh *mesh)
{
    for (int e = 0; e < mesh->edge_count; ++e)
        for (int k = 0; k < 2; ++k)
            ++mesh->spoke_first[mesh->edge[e][k] + 1];
    for (int v = 0; v < mesh->vertex_count; ++v)
        mesh->spoke_first[v + 1] += mesh->spoke_first[v];
    for (int e = 0; e < mesh->edge_count; ++e)
        for (int k = 0; k < 2; ++k)
            mesh->spoke[mesh->spoke_first[mesh->edge[e][k]]++] = e;
    for (int v = mesh->vertex_count; v > 0; --v)
        mesh->spoke_first[v] = mesh->spoke_first[v - 1];
    mesh->spoke_first[0] = 0;
}

// Convex (the far corner of one triangle lies below the other's plane) by more than about 8
// degrees; a long edge, whose ends are no substitute for its middle, by more than a quarter of a
// degree.
static bool is_sharp(const carom_mesh *mesh, int e)
{
    int t = mesh->edge_face[e][0], u = mesh->edge_face[e][1];
    vec3 along = vec3_sub(mesh->vertex[mesh->edge[e][1]], mesh->vertex[mesh->edge[e][0]]);
    double length = vec3_length(along), flat = length > 0.5 * mesh->spacing ? 0.99999 : 0.99;
    if (length < mesh->spacing / 8)
        return false; // its ends say enough
    if (vec3_dot(mesh->face_normal[t], mesh->face_normal[u]) > flat)
        return false;
    for (int k = 0; k < 3; ++k) {
        int v = mesh->triangle[u][k];
        if (v != mesh->edge[e][0] && v != mesh->edge[e][1])
            return vec3_dot(mesh->face_normal[t],
                            vec3_sub(mesh->vertex[v], mesh->vertex[mesh->edge[e][0]])) < 0;
    }
    return false;
}

// A vertex that is not at the bottom of a valley: some spoke lies below its pseudonormal.
static bool sticks_out(const carom_mesh *mesh, int v)
{
    for (int i = mesh->spoke_first[v]; i < mesh->spoke_first[v + 1]; ++i) {
        const int *ends = mesh->edge[mesh->spoke[i]];
        vec3 along = vec3_sub(mesh->vertex[ends[ends[0] == v]], mesh->vertex[v]);
        if (vec3_dot(mesh->vertex_normal[v], along) < -1e-9 * vec3_length(along))
            return true;
    }
    return false;
}

static void fill_probes(carom_mesh *mesh)
{
    int count = 0;
    for (int v = 0; v < mesh->vertex_count; ++v)
        if (sticks_out(mesh, v))
            mesh->probe[count++] = (carom_mesh_probe){ v, v, 0x80000000u | (uint32_t)v };
    for (int e = 0; e < mesh->edge_count; ++e)
        if (is_sharp(mesh, e))
            mesh->probe[count++] =
                (carom_mesh_probe){ mesh->edge[e][0], mesh->edge[e][1], 0x40000000u | (uint32_t)e };
    mesh->probe_count = count;
}

static carom_bounds bounds_of(const vec3 *vertex, const int *which, int count)
{
    carom_bounds b = { vertex[which[0]], vertex[which[0]] };
    for (int i = 1; i < count; ++i) {
        vec3 p = vertex[which[i]];
        b.min = vec3_make(fmin(b.min.x, p.x), fmin(b.min.y, p.y), fmin(b.min.z, p.z));
        b.max = vec3_make(fmax(b.max.x, p.x), fmax(b.max.y, p.y), fmax(b.max.z, p.z));
    }
    return b;
}

static carom_status fill_trees(carom_mesh *mesh, carom_error *err)
{
    int max = mesh->triangle_count > mesh->probe_count ? mesh->triangle_count : mesh->probe_count;
    carom_bounds *box = carom_memory_get((size_t)max * sizeof *box);
    if (!box)
        return carom_error_no_memory(err, "%d boxes", max);
    for (int t = 0; t < mesh->triangle_count; ++t)
        box[t] = bounds_of(mesh->vertex, mesh->triangle[t], 3);
    carom_status status = carom_tree_build(&mesh->faces, box, mesh->triangle_count, err);
    for (int p = 0; p < mesh->probe_count; ++p)
        box[p] = bounds_of(mesh->vertex, (int[2]){ mesh->probe[p].from, mesh->probe[p].to }, 2);
    if (status == CAROM_OK)
        status = carom_tree_build(&mesh->probes, box, mesh->probe_count, err);
    if (status == CAROM_OK)
        status = fill_facets(mesh, err);
    carom_memory_free(box);
    return status;
}

// Closed triangle meshes: creation and distance queries.
#include "shape/mesh.h"
#include "base/memory.h"
#include "shape/examine.h"
#include "shape/mass.h"
#include "shape/topology.h"

#include <string.h>

// Sides of a circle: a sphere has a million triangles then.
enum { SEGMENTS_MAX = 1024 };

static carom_status finish(carom_mesh *mesh, carom_shape *shape, carom_error *err);

carom_status carom_mesh_create(const carom_mesh_source *source, carom_mesh_policy policy,
                               carom_mesh_report *report, carom_shape **out, carom_error *err)
{
    NEED(err, source, out);
    *out = NULL;
    carom_mesh_report own;
    carom_mesh *mesh = carom_memory_zeros(1, sizeof *mesh);
    if (!mesh)
        return carom_error_no_memory(err, "a mesh");
    carom_shape *shape = NULL;
    carom_status status = carom_examine_mesh(source, policy, report ? report : &own, mesh, err);
    if (status == CAROM_OK)
        status = carom_shape_new(CAROM_SHAPE_MESH, &shape, err);
    if (status == CAROM_OK) {
        shape->mesh = mesh;
        status = finish(mesh, shape, err);
    } else {
        carom_mesh_destroy(mesh);
    }
    if (status != CAROM_OK)
        carom_shape_release(shape);
    else
        *out = shape;
    return status;
}

carom_mesh_source carom_mesh_surface(const carom_shape *shape)
{
    if (!shape)
        return (carom_mesh_source){ 0 };
    const carom_mesh *mesh = shape->mesh;
    if (!mesh)
        return (carom_mesh_source){ 0 };
    return (carom_mesh_source){ &mesh->vertex[0].x, mesh->triangle[0], mesh->vertex_count,
                                mesh->triangle_count };
}

// Triangles one after the other, each with corners of its own; examining welds them.
typedef struct soup {
    double *corner;
    int count, room;
    bool failed;
} soup;

static void add_to_soup(void *context, const double corners[9])
{
    soup *s = context;
    if (s->count == s->room && !s->failed) {
        int room = s->room ? 2 * s->room : 256;
        double *more = carom_memory_resize(s->corner, 9 * (size_t)room * sizeof *more);
        s->failed = !more;
        if (more) {
            s->corner = more;
            s->room = room;
        }
    }
    if (!s->failed)
        memcpy(s->corner + 9 * (size_t)s->count++, corners, 9 * sizeof *corners);
}

carom_status carom_mesh_from(const carom_shape *shape, int segments, carom_shape **out,
                             carom_error *err)
{
    NEED(err, shape, out);
    *out = NULL;
    if (shape->kind == CAROM_SHAPE_PLANE)
        return carom_error_set(err, CAROM_BAD_INPUT, "a plane has no closed surface");
    if (segments < 3 || segments > SEGMENTS_MAX) {
        carom_error_set(err, CAROM_BAD_INPUT, "%d sides of a circle", segments);
        return carom_error_fix(err, "use 3 to %d", SEGMENTS_MAX);
    }
    soup s = { 0 };
    carom_shape_triangles(shape, segments, 0, add_to_soup, &s);
    int *corner = carom_memory_get(3 * ((size_t)s.count + 1) * sizeof *corner);
    carom_status status = CAROM_NO_MEMORY;
    if (!corner || s.failed) {
        carom_error_set(err, status, "no memory for the triangles of a shape");
    } else {
        for (int i = 0; i < 3 * s.count; ++i)
            corner[i] = i;
        carom_mesh_source source = { s.corner, corner, 3 * s.count, s.count };
        status = carom_mesh_create(&source, CAROM_MESH_STRICT, NULL, out, err);
    }
    carom_memory_free(corner);
    carom_memory_free(s.corner);
    return status;
}

// Mass about the centre, which becomes the origin; then everything for queries.
static carom_status finish(carom_mesh *mesh, carom_shape *shape, carom_error *err)
{
    carom_bounds box = { mesh->vertex[0], mesh->vertex[0] };
    for (int v = 1; v < mesh->vertex_count; ++v) {
        vec3 p = mesh->vertex[v];
        box.min = vec3_make(fmin(box.min.x, p.x), fmin(box.min.y, p.y), fmin(box.min.z, p.z));
        box.max = vec3_make(fmax(box.max.x, p.x), fmax(box.max.y, p.y), fmax(box.max.z, p.z));
    }
    // Integrate about the middle of the box: far from the origin the tetrahedra would cancel badly.
    vec3 middle = vec3_scale(0.5, vec3_add(box.min, box.max));
    carom_moments moments = { 0 };
    for (int t = 0; t < mesh->triangle_count; ++t) {
        const int *c = mesh->triangle[t];
        carom_moments_add_triangle(&moments, vec3_sub(mesh->vertex[c[0]], middle),
                                   vec3_sub(mesh->vertex[c[1]], middle),
                                   vec3_sub(mesh->vertex[c[2]], middle));
    }
    shape->mass = carom_mass_about_centre(&moments);
    shape->shift = vec3_add(middle, carom_moments_centre(&moments));
    for (int v = 0; v < mesh->vertex_count; ++v) {
        mesh->vertex[v] = vec3_sub(mesh->vertex[v], shape->shift);
        shape->bounding_radius = fmax(shape->bounding_radius, vec3_length(mesh->vertex[v]));
    }
    shape->bounds =
        (carom_bounds){ vec3_sub(box.min, shape->shift), vec3_sub(box.max, shape->shift) };
    mesh->spacing = shape->bounding_radius / 16;
    return carom_topology_build(mesh, err);
}

void carom_mesh_destroy(carom_mesh *mesh)
{
    if (!mesh)
        return;
    carom_tree_free(&mesh->faces);
    carom_tree_free(&mesh->probes);
    carom_memory_free(mesh->vertex);
    carom_memory_free(mesh->triangle);
    carom_memory_free(mesh->facet);
    carom_memory_free(mesh->face_normal);
    carom_memory_free(mesh->vertex_normal);
    carom_memory_free(mesh->edge_normal);
    carom_memory_free(mesh->edge);
    carom_memory_free(mesh->edge_face);
    carom_memory_free(mesh->face_edge);
    carom_memory_free(mesh->spoke_first);
    carom_memory_free(mesh->spoke);
    carom_memory_free(mesh->probe);
    carom_memory_free(mesh);
}

// Where on a triangle: its inside, side k (from corner k to k + 1) or corner k.
typedef enum region { INSIDE, SIDE_0, SIDE_1, SIDE_2, CORNER_0, CORNER_1, CORNER_2 } region;

typedef struct spot {
    vec3 point;
    double squared;
    int triangle;
    region where;
} spot;

// Nearest point of a triangle (Ericson 2004, 5.1.5) with the corners a, b, c.
static inline vec3 nearest_on_triangle(const carom_mesh *mesh, const carom_mesh_facet *f, vec3 p,
                                       region *where)
{
    vec3 a = f->corner, ab = f->side[0], ac = f->side[1], ap = vec3_sub(p, a);
    double d1 = vec3_dot(ab, ap), d2 = vec3_dot(ac, ap);
    if (d1 <= 0 && d2 <= 0)
        return *where = CORNER_0, a;
    const int *corner = mesh->triangle[f->triangle];
    vec3 b = mesh->vertex[corner[1]], c = mesh->vertex[corner[2]], bp = vec3_sub(p, b);
    double d3 = vec3_dot(ab, bp), d4 = vec3_dot(ac, bp);
    if (d3 >= 0 && d4 <= d3)
        return *where = CORNER_1, b;
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return *where = SIDE_0, vec3_axpy(a, d1 / (d1 - d3), ab);
    vec3 cp = vec3_sub(p, c);
    double d5 = vec3_dot(ab, cp), d6 = vec3_dot(ac, cp);
    if (d6 >= 0 && d5 <= d6)
        return *where = CORNER_2, c;
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return *where = SIDE_2, vec3_axpy(a, d2 / (d2 - d6), ac);
    double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
        return *where = SIDE_1, vec3_axpy(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), vec3_sub(c, b));
    double scale = 1 / (va + vb + vc);
    return *where = INSIDE, vec3_axpy(vec3_axpy(a, vb * scale, ab), vc * scale, ac);
}

static inline spot spot_on(const carom_mesh *mesh, const carom_mesh_facet *f, vec3 point)
{
    spot s = { .triangle = f->triangle };
    s.point = nearest_on_triangle(mesh, f, point, &s.where);
    vec3 away = vec3_sub(point, s.point);
    s.squared = vec3_dot(away, away);
    return s;
}

static carom_nearest describe(const carom_mesh *mesh, const spot *s, vec3 point)
{
    vec3 pseudonormal = mesh->face_normal[s->triangle];
    carom_nearest n = { .point = s->point, .feature = (uint32_t)s->triangle };
    if (s->where >= CORNER_0) {
        int v = mesh->triangle[s->triangle][s->where - CORNER_0];
        pseudonormal = mesh->vertex_normal[v];
        n.feature = 0x80000000u | (uint32_t)v;
    } else if (s->where >= SIDE_0) {
        int e = mesh->face_edge[s->triangle][s->where - SIDE_0];
        pseudonormal = mesh->edge_normal[e];
        n.feature = 0x40000000u | (uint32_t)e;
    }
    vec3 away = vec3_sub(point, s->point);
    double distance = sqrt(s->squared), sign = vec3_dot(away, pseudonormal) < 0 ? -1 : 1;
    n.distance = sign * distance;
    // On the surface to round-off, the direction to the point means nothing.
    n.normal = distance > 1e-12 * mesh->spacing ? vec3_scale(sign / distance, away) : pseudonormal;
    if (s->where == INSIDE)
        n.normal = mesh->face_normal[s->triangle];
    return n;
}

typedef struct search {
    int node;
    double squared;
} search;

carom_nearest carom_mesh_nearest(const carom_mesh *mesh, vec3 point, double max)
{
    const carom_tree *tree = &mesh->faces;
    spot best = { .squared = max * max * (1 + 1e-12), .triangle = -1 };
    search stack[CAROM_TREE_DEPTH];
    int depth = 0;
    stack[depth++] = (search){ 0, carom_tree_squared(&tree->node[0].bounds, point) };
    while (depth > 0) {
        search at = stack[--depth];
        if (at.squared > best.squared)
            continue;
        const carom_tree_node *node = &tree->node[at.node];
        for (int i = 0; i < node->count; ++i) {
            const carom_mesh_facet *f = &mesh->facet[node->first + i];
            double height = vec3_dot(vec3_sub(point, f->corner), f->normal); // above its plane
            if (height * height > best.squared * (1 + 1e-9))
                continue;
            spot s = spot_on(mesh, f, point);
            if (s.squared < best.squared)
                best = s;
        }
        if (node->count > 0)
            continue;
        search left = { at.node + 1, carom_tree_squared(&tree->node[at.node + 1].bounds, point) };
        search right = { node->first, carom_tree_squared(&tree->node[node->first].bounds, point) };
        // The nearer child on top of the stack, the farther one only if it can matter.
        bool swap = left.squared > right.squared;
        search near = swap ? right : left, far = swap ? left : right;
        if (far.squared <= best.squared)
            stack[depth++] = far;
        if (near.squared <= best.squared)
            stack[depth++] = near;
    }
    if (best.triangle < 0)
        return (carom_nearest){ .distance = HUGE_VAL };
    return describe(mesh, &best, point);
}

// Is the distance at this spot a local minimum over the whole surface, not only over its triangle?
static bool is_local_minimum(const carom_mesh *mesh, const spot *s, vec3 point)
{
    vec3 away = vec3_sub(point, s->point);
    if (s->where == INSIDE)
        return vec3_dot(away, mesh->face_normal[s->triangle]) >= 0;
    if (s->where >= CORNER_0) {
        int v = mesh->triangle[s->triangle][s->where - CORNER_0];
        for (int i = mesh->spoke_first[v]; i < mesh->spoke_first[v + 1]; ++i) {
            const int *ends = mesh->edge[mesh->spoke[i]];
            if (vec3_dot(away, vec3_sub(mesh->vertex[ends[ends[0] == v]], s->point)) > 0)
                return false;
        }
        return vec3_dot(away, mesh->vertex_normal[v]) >= 0;
    }
    int e = mesh->face_edge[s->triangle][s->where - SIDE_0];
    int other = mesh->edge_face[e][mesh->edge_face[e][0] == s->triangle];
    const int *c = mesh->triangle[other];
    vec3 a = mesh->vertex[c[0]];
    carom_mesh_facet f = { .corner = a,
                           .side = { vec3_sub(mesh->vertex[c[1]], a),
                                     vec3_sub(mesh->vertex[c[2]], a) },
                           .triangle = other };
    spot beyond = spot_on(mesh, &f, point);
    return beyond.squared >= s->squared * (1 - 1e-12) && vec3_dot(away, mesh->edge_normal[e]) >= 0;
}

static bool is_new(const carom_nearest *found, int count, vec3 point, double near)
{
    for (int i = 0; i < count; ++i)
        if (vec3_length(vec3_sub(found[i].point, point)) <= near)
            return false;
    return true;
}

static int collect(const carom_mesh *mesh, const carom_tree_node *leaf, vec3 point, double squared,
                   carom_nearest *out, int count, int room)
{
    for (int i = 0; i < leaf->count && count < room; ++i) {
        spot s = spot_on(mesh, &mesh->facet[leaf->first + i], point);
        if (s.squared <= squared && is_local_minimum(mesh, &s, point) &&
            is_new(out, count, s.point, 1e-9 * mesh->spacing))
            out[count++] = describe(mesh, &s, point);
    }
    return count;
}

int carom_mesh_local_nearest(const carom_mesh *mesh, vec3 point, double max, carom_nearest *out,
                             int room)
{
    carom_nearest nearest = carom_mesh_nearest(mesh, point, HUGE_VAL);
    if (nearest.distance > max)
        return 0;
    out[0] = nearest;
    int count = 1, depth = 0, stack[CAROM_TREE_DEPTH];
    if (nearest.distance <= 0)
        return count;
    stack[depth++] = 0;
    while (depth > 0) {
        int at = stack[--depth];
        const carom_tree_node *node = &mesh->faces.node[at];
        if (carom_tree_squared(&node->bounds, point) > max * max)
            continue;
        count = collect(mesh, node, point, max * max, out, count, room);
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = at + 1;
        }
    }
    return count;
}

// Finer meshes: edges longer than wanted are halved, everywhere alike, until none is left.
//
// In each pass every edge above the limit gets a middle point, and a triangle is cut by how many of
// its edges have one: into two, three or four. Neighbours see the same middle points, so the
// surface stays closed; new points lie on the old surface. Before each pass, flat parts are made
// Delaunay by flips, so that the slivers of a triangulated polygon do not multiply.
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "shape/mesh.h"

enum { PASSES = 64, TRIANGLES_MAX = 8000000 };

typedef struct net {
    double *vertex;
    int *triangle;
    int vertex_count, triangle_count;
} net;

typedef struct side {
    int low, high; // vertices
    int slot;      // 3 * triangle + k, the edge from corner k to corner k + 1
} side;

static int by_ends(const void *left, const void *right)
{
    const side *a = left, *b = right;
    int order = (a->low > b->low) - (a->low < b->low);
    if (order == 0)
        order = (a->high > b->high) - (a->high < b->high);
    return order ? order : (a->slot > b->slot) - (a->slot < b->slot);
}

static double square_length(const net *n, int i, int j)
{
    vec3 d = vec3_sub(vec3_from(n->vertex + 3 * (size_t)i), vec3_from(n->vertex + 3 * (size_t)j));
    return vec3_dot(d, d);
}

// middle[slot] is the new vertex on that edge, or -1. Returns how many were made, or -1 without
// memory.
static int make_middles(net *n, double limit, int *middle)
{
    size_t slots = 3 * (size_t)n->triangle_count;
    side *sides = carom_memory_get(slots * sizeof *sides);
    if (!sides)
        return -1;
    for (size_t s = 0; s < slots; ++s) {
        int a = n->triangle[s], b = n->triangle[s - s % 3 + (s + 1) % 3];
        sides[s] = (side){ a < b ? a : b, a < b ? b : a, (int)s };
    }
    qsort(sides, slots, sizeof *sides, by_ends);
    int made = 0;
    for (size_t s = 0; s < slots; ++s) {
        bool twin = s > 0 && sides[s].low == sides[s - 1].low && sides[s].high == sides[s - 1].high;
        if (twin)
            middle[sides[s].slot] = middle[sides[s - 1].slot];
        else if (square_length(n, sides[s].low, sides[s].high) > limit * limit)
            middle[sides[s].slot] = n->vertex_count + made++;
        else
            middle[sides[s].slot] = -1;
    }
    double *vertex =
        carom_memory_resize(n->vertex, 3 * (size_t)(n->vertex_count + made) * sizeof *vertex);
    if (vertex) {
        n->vertex = vertex;
        for (size_t s = 0; s < slots; ++s)
            if (middle[sides[s].slot] >= 0)
                vec3_store(vec3_scale(0.5, vec3_add(vec3_from(vertex + 3 * (size_t)sides[s].low),
                                                    vec3_from(vertex + 3 * (size_t)sides[s].high))),
                           vertex + 3 * (size_t)middle[sides[s].slot]);
        n->vertex_count += made;
    }
    carom_memory_free(sides);
    return vertex ? made : -1;
}

static void put(net *to, int a, int b, int c)
{
    int *t = to->triangle + 3 * (size_t)to->triangle_count++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

// Cuts triangle (a, b, c) with middles (ab, bc, ca); -1 where an edge has none.
static void cut(const net *n, net *to, const int corner[3], const int middle[3])
{
    int marked = (middle[0] >= 0) + (middle[1] >= 0) + (middle[2] >= 0);
    if (marked == 0) {
        put(to, corner[0], corner[1], corner[2]);
        return;
    }
    if (marked == 3) {
        put(to, corner[0], middle[0], middle[2]);
        put(to, middle[0], corner[1], middle[1]);
        put(to, middle[2], middle[1], corner[2]);
        put(to, middle[0], middle[1], middle[2]);
        return;
    }
    // turned so that the marked edge is the first, or the unmarked one the last
    int k = 0;
    while (marked == 1 ? middle[k] < 0 : middle[(k + 2) % 3] >= 0)
        ++k;
    int a = corner[k], b = corner[(k + 1) % 3], c = corner[(k + 2) % 3], ab = middle[k],
        bc = middle[(k + 1) % 3];
    if (marked == 1) {
        put(to, a, ab, c);
        put(to, ab, b, c);
        return;
    }
    put(to, ab, b, bc);
    if (square_length(n, ab, c) <= square_length(n, a, bc)) { // the shorter diagonal
        put(to, a, ab, c);
        put(to, ab, bc, c);
    } else {
        put(to, a, ab, bc);
        put(to, a, bc, c);
    }
}

// -- flat parts: Delaunay by flips (Lawson 1977) ---------------------------------------------

// across[slot] is the slot of the same edge in the triangle beyond.
static bool find_across(const net *n, int *across)
{
    size_t slots = 3 * (size_t)n->triangle_count;
    side *sides = carom_memory_get(slots * sizeof *sides);
    if (!sides)
        return false;
    for (size_t s = 0; s < slots; ++s) {
        int a = n->triangle[s], b = n->triangle[s - s % 3 + (s + 1) % 3];
        sides[s] = (side){ a < b ? a : b, a < b ? b : a, (int)s };
    }
    qsort(sides, slots, sizeof *sides, by_ends);
    for (size_t s = 0; s + 1 < slots; s += 2) { // closed: every edge has two triangles
        across[sides[s].slot] = sides[s + 1].slot;
        across[sides[s + 1].slot] = sides[s].slot;
    }
    carom_memory_free(sides);
    return true;
}

static vec3 corner(const net *n, int slot)
{
    return vec3_from(n->vertex + 3 * (size_t)n->triangle[slot]);
}

// Cosine of the angle at q between the directions to p and r, times their lengths' product, and the
// sine likewise, with sign about the normal.
static void angle_at(vec3 p, vec3 q, vec3 r, vec3 normal, double out[2])
{
    vec3 a = vec3_sub(p, q), b = vec3_sub(r, q);
    out[0] = vec3_dot(a, b);
    out[1] = vec3_dot(vec3_cross(a, b), normal);
}

// Is the edge in a flat place, its quadrilateral convex, and do the two angles opposite to it add
// up to more than a half turn?
static bool wants_flip(const net *n, int slot, int beyond)
{
    int base = slot - slot % 3, other = beyond - beyond % 3;
    int next = base + (slot + 1) % 3, apex = base + (slot + 2) % 3, far = other + (beyond + 2) % 3;
    vec3 a = corner(n, slot), b = corner(n, next), c = corner(n, apex), d = corner(n, far);
    vec3 u = vec3_cross(vec3_sub(b, a), vec3_sub(c, a)),
         v = vec3_cross(vec3_sub(a, b), vec3_sub(d, b));
    double lu = vec3_length(u), lv = vec3_length(v);
    if (!(vec3_dot(u, v) > (1 - 1e-10) * lu * lv))
        return false;
    vec3 normal = vec3_scale(1 / (lu + lv), vec3_add(u, v));
    double at_c[2], at_d[2], at_a[2], at_b[2];
    angle_at(a, c, b, normal, at_c);
    angle_at(b, d, a, normal, at_d);
    angle_at(d, a, c, normal, at_a);
    angle_at(c, b, d, normal, at_b);
    double room = 1e-9 * (lu + lv);
    return at_a[1] > room && at_b[1] > room &&
           at_c[1] * at_d[0] + at_c[0] * at_d[1] < -1e-9 * (lu + lv) * (lu + lv);
}

// (a, b, c) and (b, a, d) become (a, d, c) and (d, b, c).
static void flip(net *n, int *across, int slot)
{
    int beyond = across[slot], base = slot - slot % 3, other = beyond - beyond % 3;
    int bc = base + (slot + 1) % 3, ca = base + (slot + 2) % 3;
    int ad = other + (beyond + 1) % 3, db = other + (beyond + 2) % 3;
    int past_bc = across[bc], past_ad = across[ad], c = n->triangle[ca], d = n->triangle[db];
    n->triangle[bc] = d; // base: a, d, c
    n->triangle[ad] = c; // other: b, c, d
    across[slot] = past_ad;
    across[past_ad] = slot;
    across[beyond] = past_bc;
    across[past_bc] = beyond;
    across[bc] = ad;
    across[ad] = bc;
}

static bool has_edge(const net *n, const int *across, int slot, int c, int d)
{
    // walks round c, looking for a triangle that also holds d
    int start = slot, s = slot;
    for (int k = 0; k < 1000; ++k) {
        int base = s - s % 3;
        for (int i = 0; i < 3; ++i)
            if (n->triangle[base + i] == d)
                return true;
        s = across[base + (s + 2) % 3]; // the edge that ends at c; beyond, it starts there
        if (n->triangle[s] != c || s == start)
            break;
    }
    return false;
}

static bool flip_all(net *n)
{
    size_t slots = 3 * (size_t)n->triangle_count;
    int *across = carom_memory_get(slots * sizeof *across);
    bool good = across && find_across(n, across);
    for (int sweep = 0, flips = 1; good && flips > 0 && sweep < PASSES; ++sweep) {
        flips = 0;
        for (int s = 0; s < (int)slots; ++s) {
            int ca = s - s % 3 + (s + 2) % 3, far = across[s] - across[s] % 3 + (across[s] + 2) % 3;
            if (s < across[s] && wants_flip(n, s, across[s]) &&
                !has_edge(n, across, ca, n->triangle[ca], n->triangle[far])) {
                flip(n, across, s);
                ++flips;
            }
        }
    }
    carom_memory_free(across);
    return good;
}

// One pass; returns how many edges were halved, or -1 without memory.
static int refine_once(net *n, double limit)
{
    int *middle = carom_memory_get(3 * (size_t)n->triangle_count * sizeof *middle);
    int made = middle ? make_middles(n, limit, middle) : -1;
    net next = { .triangle = NULL };
    if (made > 0) {
        // every halved edge adds one triangle on either side
        next.triangle =
            carom_memory_get(3 * (size_t)(n->triangle_count + 2 * made) * sizeof *next.triangle);
        if (!next.triangle)
            made = -1;
    }
    if (made > 0) {
        for (int t = 0; t < n->triangle_count; ++t)
            cut(n, &next, n->triangle + 3 * (size_t)t, middle + 3 * (size_t)t);
        carom_memory_free(n->triangle);
        n->triangle = next.triangle;
        n->triangle_count = next.triangle_count;
    }
    carom_memory_free(middle);
    return made;
}

static carom_status copy_of(const carom_shape *mesh, net *n, carom_error *err)
{
    carom_mesh_source s = carom_mesh_surface(mesh);
    *n = (net){ 0 };
    if (s.triangle_count == 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "a %s has no triangles to refine",
                        carom_shape_kind_name(carom_shape_kind_of(mesh)));
        return carom_error_fix(err, "make a mesh of it first (carom_mesh_from)");
    }
    size_t vertices = 3 * (size_t)s.vertex_count, corners = 3 * (size_t)s.triangle_count;
    n->vertex = carom_memory_get(vertices * sizeof *n->vertex);
    n->triangle = carom_memory_get(corners * sizeof *n->triangle);
    if (!n->vertex || !n->triangle)
        return carom_error_no_memory(err, "%d triangles", s.triangle_count);
    memcpy(n->vertex, s.vertices, vertices * sizeof *n->vertex);
    memcpy(n->triangle, s.triangles, corners * sizeof *n->triangle);
    n->vertex_count = s.vertex_count;
    n->triangle_count = s.triangle_count;
    return CAROM_OK;
}

static void destroy(net *n)
{
    carom_memory_free(n->vertex);
    carom_memory_free(n->triangle);
}

static carom_status refine(const carom_shape *mesh, double limit, net *n, carom_error *err)
{
    TRY(copy_of(mesh, n, err));
    for (int pass = 0; pass < PASSES; ++pass) {
        int made = flip_all(n) ? refine_once(n, limit) : -1;
        if (made < 0 || n->triangle_count > TRIANGLES_MAX) {
            carom_error_set(err, CAROM_NO_MEMORY, "edges of %g m need more than %d triangles",
                            limit, n->triangle_count);
            return carom_error_fix(err, "allow longer edges");
        }
        if (made == 0)
            break;
    }
    return CAROM_OK;
}

static carom_status finish(net *n, carom_status status, carom_shape **out, carom_error *err)
{
    if (status == CAROM_OK) {
        carom_mesh_source source = { n->vertex, n->triangle, n->vertex_count, n->triangle_count };
        status = carom_mesh_create(&source, CAROM_MESH_REPAIR, NULL, out, err);
    }
    destroy(n);
    return status;
}

carom_status carom_refine_mesh(const carom_shape *mesh, double longest, carom_shape **out,
                               carom_error *err)
{
    NEED(err, out);
    net n = { 0 };
    *out = NULL;
    TRY(carom_shape_positive(longest, "the longest edge of a mesh", err));
    carom_status status = refine(mesh, longest, &n, err);
    return finish(&n, status, out, err);
}

carom_status carom_refine_count(const carom_shape *mesh, int faces, carom_shape **out,
                                carom_error *err)
{
    NEED(err, out);
    net n = { 0 };
    *out = NULL;
    if (faces < 1 || faces > TRIANGLES_MAX / 4) {
        carom_error_set(err, CAROM_BAD_INPUT, "a mesh of %d faces", faces);
        return carom_error_fix(err, "use 1 to %d", TRIANGLES_MAX / 4);
    }
    carom_mesh_source s = carom_mesh_surface(mesh);
    double area = 0, limit;
    for (int t = 0; t < s.triangle_count; ++t) {
        vec3 a = vec3_from(s.vertices + 3 * (size_t)s.triangles[3 * t]);
        vec3 b = vec3_from(s.vertices + 3 * (size_t)s.triangles[3 * t + 1]);
        vec3 c = vec3_from(s.vertices + 3 * (size_t)s.triangles[3 * t + 2]);
        area += 0.5 * vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    }
    carom_status status = CAROM_OK;
    limit = 2.5 * sqrt(area / faces); // of an even mesh whose longest edges are halved at most once
    for (int round = 0; round < PASSES && status == CAROM_OK; ++round, limit *= 0.85) {
        destroy(&n);
        status = refine(mesh, limit, &n, err);
        if (status == CAROM_OK && n.triangle_count >= faces)
            break;
    }
    return finish(&n, status, out, err);
}

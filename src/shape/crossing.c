// Self-contact of a surface: every triangle against the tree of all others.
#include "shape/crossing.h"
#include "base/memory.h"

static bool boxes_meet(const carom_bounds *a, const carom_bounds *b)
{
    return a->min.x <= b->max.x && b->min.x <= a->max.x && a->min.y <= b->max.y &&
           b->min.y <= a->max.y && a->min.z <= b->max.z && b->min.z <= a->max.z;
}

// Does the segment pq meet the triangle? Lying in its plane counts when an end is on the triangle;
// sides that cross in one plane show up through the other triangles at those sides.
static bool segment_meets(vec3 p, vec3 q, const vec3 t[3])
{
    vec3 e1 = vec3_sub(t[1], t[0]), e2 = vec3_sub(t[2], t[0]), n = vec3_cross(e1, e2);
    double hp = vec3_dot(n, vec3_sub(p, t[0])), hq = vec3_dot(n, vec3_sub(q, t[0]));
    double size = vec3_length(n) * sqrt(fmax(vec3_dot(e1, e1), vec3_dot(e2, e2)));
    double tiny = 1e-12 * size;
    if ((hp > tiny && hq > tiny) || (hp < -tiny && hq < -tiny))
        return false;
    double s = fabs(hp - hq) > 2 * tiny ? hp / (hp - hq) : 0;
    vec3 x = vec3_axpy(p, s < 0 ? 0 : s > 1 ? 1 : s, vec3_sub(q, p));
    for (int k = 0; k < 3; ++k) {
        vec3 side = vec3_sub(t[(k + 1) % 3], t[k]);
        if (vec3_dot(vec3_cross(n, side), vec3_sub(x, t[k])) < -1e-9 * size * vec3_length(side))
            return false;
    }
    return true;
}

static void corners(const carom_mesh *mesh, int t, vec3 p[3])
{
    for (int k = 0; k < 3; ++k)
        p[k] = mesh->vertex[mesh->triangle[t][k]];
}

// Sides of triangle t that do not touch the shared vertex, against triangle u.
static bool sides_meet(const carom_mesh *mesh, int t, int u, int shared)
{
    vec3 p[3], q[3];
    corners(mesh, t, p);
    corners(mesh, u, q);
    for (int k = 0; k < 3; ++k) {
        int a = mesh->triangle[t][k], b = mesh->triangle[t][(k + 1) % 3];
        if (a != shared && b != shared && segment_meets(p[k], p[(k + 1) % 3], q))
            return true;
    }
    return false;
}

static bool triangles_meet(const carom_mesh *mesh, int t, int u)
{
    int common = 0, shared = -1;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (mesh->triangle[t][i] == mesh->triangle[u][j]) {
                ++common;
                shared = mesh->triangle[t][i];
            }
    if (common >= 2)
        return false;
    return sides_meet(mesh, t, u, shared) || sides_meet(mesh, u, t, shared);
}

static carom_bounds box_of(const carom_mesh *mesh, int t)
{
    vec3 p[3];
    corners(mesh, t, p);
    carom_bounds b = { p[0], p[0] };
    for (int k = 1; k < 3; ++k) {
        b.min = vec3_make(fmin(b.min.x, p[k].x), fmin(b.min.y, p[k].y), fmin(b.min.z, p[k].z));
        b.max = vec3_make(fmax(b.max.x, p[k].x), fmax(b.max.y, p[k].y), fmax(b.max.z, p[k].z));
    }
    return b;
}

static int count_for(const carom_mesh *mesh, const carom_tree *tree, const carom_bounds *box, int t,
                     int *other)
{
    int stack[CAROM_TREE_DEPTH], depth = 0, count = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        int at = stack[--depth];
        const carom_tree_node *node = &tree->node[at];
        if (!boxes_meet(&node->bounds, &box[t]))
            continue;
        for (int i = 0; i < node->count; ++i) {
            int u = tree->order[node->first + i];
            if (u <= t || !boxes_meet(&box[u], &box[t]) || !triangles_meet(mesh, t, u))
                continue;
            ++count;
            *other = u;
        }
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = at + 1;
        }
    }
    return count;
}

// Within both boxes: near where two triangles meet.
static vec3 between(const carom_bounds *a, const carom_bounds *b)
{
    return vec3_make(0.5 * (fmax(a->min.x, b->min.x) + fmin(a->max.x, b->max.x)),
                     0.5 * (fmax(a->min.y, b->min.y) + fmin(a->max.y, b->max.y)),
                     0.5 * (fmax(a->min.z, b->min.z) + fmin(a->max.z, b->max.z)));
}

carom_status carom_crossing_count(const carom_mesh *mesh, int *count, vec3 *place, carom_error *err)
{
    carom_tree tree;
    carom_bounds *box = carom_memory_get((size_t)mesh->triangle_count * sizeof *box);
    if (!box)
        return carom_error_no_memory(err, "%d triangles", mesh->triangle_count);
    for (int t = 0; t < mesh->triangle_count; ++t)
        box[t] = box_of(mesh, t);
    carom_status status = carom_tree_build(&tree, box, mesh->triangle_count, err);
    *count = 0;
    for (int t = 0, other; status == CAROM_OK && t < mesh->triangle_count; ++t) {
        int more = count_for(mesh, &tree, box, t, &other);
        if (more > 0 && *count == 0)
            *place = between(&box[t], &box[other]);
        *count += more;
    }
    carom_tree_free(&tree);
    carom_memory_free(box);
    return status;
}

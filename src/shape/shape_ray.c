// Where rays meet shapes, in the shape's own frame.
//
// A solid that the ray begins in is met where it begins. Meshes go by their tree, hulls by their
// faces, compounds part by part.
#include "shape/shape_ray.h"

#include "shape/mesh.h"
#include "shape/polytope.h"

// The half-spaces of the faces cut the ray: in through the last one entered.
static bool meet_polytope(const carom_polytope *polytope, carom_ray *ray, vec3 *normal)
{
    double in = -HUGE_VAL, out = ray->max;
    for (int f = 0; f < polytope->face_count; ++f) {
        vec3 n = polytope->normal[f];
        double above = vec3_dot(n, ray->origin) - polytope->offset[f];
        double down = -vec3_dot(n, ray->direction);
        if (down <= 0 && above > 0)
            return false;
        if (down > 0 && above / down > in) {
            in = above / down;
            *normal = n;
        }
        if (down < 0)
            out = fmin(out, above / down);
    }
    if (!(in >= 0) || in > out || in >= ray->max)
        return false;
    ray->max = in;
    return true;
}

// Whether the ray crosses a box before its end.
static bool crosses(const carom_bounds *b, const carom_ray *ray)
{
    const double low[3] = { b->min.x, b->min.y, b->min.z },
                 high[3] = { b->max.x, b->max.y, b->max.z };
    double origin[3], in = 0, out = ray->max;
    vec3_store(ray->origin, origin);
    for (int k = 0; k < 3; ++k) {
        double one = (low[k] - origin[k]) * ray->inverse[k];
        double two = (high[k] - origin[k]) * ray->inverse[k];
        in = fmax(in, fmin(one, two));
        out = fmin(out, fmax(one, two));
    }
    return in <= out * (1 + 1e-12) + 1e-300;
}

bool carom_shape_ray_tree(const carom_tree *tree, carom_ray *ray, carom_shape_ray_item *meet,
                          void *context)
{
    int stack[CAROM_TREE_DEPTH + 2], depth = 0;
    bool met = false;
    if (tree->node_count == 0)
        return false;
    stack[depth++] = 0;
    while (depth > 0) {
        int number = stack[--depth];
        const carom_tree_node *node = &tree->node[number];
        if (!crosses(&node->bounds, ray))
            continue;
        for (int i = node->first; node->count > 0 && i < node->first + node->count; ++i)
            met = meet(context, i, ray) || met;
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = number + 1;
        }
    }
    return met;
}

typedef struct aim {
    const carom_mesh *mesh;
    vec3 normal;
} aim;

static bool meet_facet(void *context, int i, carom_ray *ray)
{
    aim *a = context;
    const carom_mesh_facet *facet = &a->mesh->facet[i];
    double u, v;
    if (!carom_ray_triangle(facet->corner, facet->side[0], facet->side[1], ray, &u, &v))
        return false;
    a->normal = facet->normal;
    return true;
}

static bool meet_plane(const carom_shape *plane, carom_ray *ray, vec3 *normal)
{
    (void)plane;
    double down = -ray->direction.z, t = ray->origin.z / down;
    if (!(down > 0) || !(t < ray->max))
        return false;
    ray->max = t;
    *normal = vec3_make(0, 0, 1);
    return true;
}

static bool meet_parts(const carom_shape *shape, carom_ray *ray, vec3 *normal)
{
    bool met = false;
    for (int i = 0; i < shape->part_count; ++i) {
        const carom_shape_part *part = &shape->parts[i];
        carom_ray in = carom_ray_make(carom_pose_in(&part->pose, ray->origin),
                                      mat3_tmul(part->pose.rotation, ray->direction), ray->max);
        vec3 n;
        if (!carom_shape_ray(part->shape, &in, &n))
            continue;
        ray->max = in.max;
        *normal = mat3_mul(part->pose.rotation, n);
        met = true;
    }
    return met;
}

static bool meet(const carom_shape *shape, carom_ray *ray, vec3 *normal)
{
    aim a = { .mesh = shape->mesh };
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return carom_ray_ball(vec3_make(0, 0, 0), shape->radius, ray, normal);
    case CAROM_SHAPE_CAPSULE:
        return carom_ray_capsule(shape->radius, shape->half_length, ray, normal);
    case CAROM_SHAPE_CYLINDER:
        return carom_ray_cylinder(shape->radius, shape->half_length, ray, normal);
    case CAROM_SHAPE_BOX:
        return carom_ray_box(shape->half, ray, normal);
    case CAROM_SHAPE_HULL:
        return meet_polytope(shape->polytope, ray, normal);
    case CAROM_SHAPE_MESH:
        if (!carom_shape_ray_tree(&shape->mesh->faces, ray, meet_facet, &a))
            return false;
        *normal = a.normal;
        return true;
    case CAROM_SHAPE_PLANE:
        return meet_plane(shape, ray, normal);
    case CAROM_SHAPE_COMPOUND:
        return meet_parts(shape, ray, normal);
    }
    return false;
}

bool carom_shape_ray(const carom_shape *shape, carom_ray *ray, vec3 *normal)
{
    if (shape->kind == CAROM_SHAPE_COMPOUND)
        return meet_parts(shape, ray, normal);
    if (!(ray->max > 0) || !(carom_shape_nearest(shape, ray->origin).distance < 0))
        return meet(shape, ray, normal);
    ray->max = 0; // it begins inside
    *normal = vec3_unit(vec3_neg(ray->direction));
    return true;
}

// A half-space against everything: whichever corners, ends or rim points reach down to it.
#include "collide/pairs.h"
#include "collide/face.h"
#include "collide/patch.h"
#include "shape/mesh.h"
#include "shape/plane.h"

typedef struct floor_plane {
    vec3 origin, normal;
    double margin;
} floor_plane;

// A point of the shape above the plane, thickened by `round`. The normal runs from the shape to the
// plane.
static void add_point(const floor_plane *floor, vec3 point, double round, uint32_t feature,
                      carom_manifold *out)
{
    double height = vec3_dot(floor->normal, vec3_sub(point, floor->origin)), gap = height - round;
    if (gap > floor->margin)
        return;
    vec3 middle = vec3_axpy(point, -0.5 * (height + round), floor->normal);
    carom_manifold_add(out,
                       (carom_manifold_point){ middle, vec3_neg(floor->normal), gap, feature, 0 });
}

static void add_polytope(const floor_plane *floor, const carom_shape *shape, const carom_pose *pose,
                         carom_manifold *out)
{
    for (int v = 0; v < shape->polytope->vertex_count; ++v)
        add_point(floor, carom_pose_out(pose, shape->polytope->vertex[v]), 0,
                  CAROM_FEATURE_VERTEX | (uint32_t)v, out);
}

// Fixed points round the lower rim when a cap lies nearly flat, and always the lowest point of each
// rim.
static void add_cylinder(const floor_plane *floor, const carom_shape *shape, const carom_pose *pose,
                         carom_manifold *out)
{
    carom_core core = { .shape = shape, .pose = *pose };
    vec3 down = mat3_tmul(pose->rotation, vec3_neg(floor->normal));
    double rho = sqrt(down.x * down.x + down.y * down.y), h = shape->half_length;
    if (fabs(down.z) > 0.99) {
        carom_face cap;
        carom_face_towards(&core, vec3_neg(floor->normal), &cap);
        for (int k = 0; k < cap.count; ++k)
            add_point(floor, cap.corner[k], 0, cap.corner_name[k], out);
    }
    if (rho < 1e-9)
        return; // flat to round-off: no rim point is lower than the others
    double x = shape->radius * down.x / rho, y = shape->radius * down.y / rho;
    add_point(floor, carom_pose_out(pose, vec3_make(x, y, h)), 0, CAROM_FEATURE_EDGE | 0, out);
    add_point(floor, carom_pose_out(pose, vec3_make(x, y, -h)), 0, CAROM_FEATURE_EDGE | 1, out);
}

static void add_mesh(const floor_plane *floor, const carom_shape *shape, const carom_pose *pose,
                     carom_manifold *out)
{
    const carom_mesh *mesh = shape->mesh;
    carom_patch_set patches;
    carom_patch_open(&patches, shape->bounding_radius, floor->margin);
    vec3 normal = mat3_tmul(pose->rotation, floor->normal);
    double offset = vec3_dot(floor->normal, vec3_sub(pose->position, floor->origin));
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double height = vec3_dot(normal, mesh->vertex[v]) + offset;
        if (height > floor->margin)
            continue;
        vec3 middle =
            vec3_axpy(carom_pose_out(pose, mesh->vertex[v]), -0.5 * height, floor->normal);
        carom_patch_add(&patches, (carom_manifold_point){ middle, vec3_neg(floor->normal), height,
                                                          CAROM_FEATURE_VERTEX | (uint32_t)v, 0 });
    }
    carom_patch_close(&patches, out);
}

void carom_half_space_touch(const carom_shape *shape, const carom_pose *pose,
                            const carom_shape *plane, const carom_pose *at, double margin,
                            carom_manifold *out)
{
    vec3 normal = carom_plane_normal(plane, carom_pose_column(at, 2));
    floor_plane floor = { at->position, normal, margin };
    if (shape->kind == CAROM_SHAPE_SPHERE)
        add_point(&floor, pose->position, shape->radius, 0, out);
    else if (shape->kind == CAROM_SHAPE_CAPSULE)
        for (int k = 0; k < 2; ++k) {
            vec3 end = vec3_make(0, 0, k ? shape->half_length : -shape->half_length);
            add_point(&floor, carom_pose_out(pose, end), shape->radius, (uint32_t)k, out);
        }
    else if (shape->kind == CAROM_SHAPE_CYLINDER)
        add_cylinder(&floor, shape, pose, out);
    else if (shape->kind == CAROM_SHAPE_MESH)
        add_mesh(&floor, shape, pose, out);
    else
        add_polytope(&floor, shape, pose, out);
}

// What all shapes have in common: owners, accessors, and dispatch by kind.
#include "shape/shape.h"
#include "base/memory.h"
#include "shape/kinds.h"
#include "shape/mesh.h"
#include "shape/polytope.h"
#include "shape/surface.h"

// Sides of a circle drawn as a polygon: a sphere of SEGMENTS_MAX has about ten million triangles.
enum { SEGMENTS_MIN = 3, SEGMENTS_MAX = 4096 };

carom_status carom_shape_new(carom_shape_kind kind, carom_shape **out, carom_error *err)
{
    carom_shape *shape = carom_memory_zeros(1, sizeof *shape);
    *out = shape;
    if (!shape)
        return carom_error_no_memory(err, "a shape");
    shape->kind = kind;
    atomic_init(&shape->owners, 1);
    return CAROM_OK;
}

carom_status carom_shape_positive(double value, const char *name, carom_error *err)
{
    if (value > 0 && value < HUGE_VAL)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "%s is %g m", name, value);
    return carom_error_fix(err, "give a positive finite length in metres");
}

// Owners are counted atomically and the shape itself is never written, so const is cast away only
// here.
const carom_shape *carom_shape_retain(const carom_shape *shape)
{
    if (!shape)
        return NULL;
    atomic_fetch_add(&((carom_shape *)(uintptr_t)shape)->owners, 1);
    return shape;
}

void carom_shape_release(const carom_shape *constant)
{
    carom_shape *shape = (carom_shape *)(uintptr_t)constant;
    if (!shape || atomic_fetch_sub(&shape->owners, 1) > 1)
        return;
    for (int i = 0; i < shape->part_count; ++i)
        carom_shape_release(shape->parts[i].shape);
    carom_memory_free(shape->parts);
    carom_polytope_destroy(shape->polytope);
    carom_mesh_destroy(shape->mesh);
    carom_memory_free(shape);
}

carom_shape_kind carom_shape_kind_of(const carom_shape *shape)
{
    if (!shape)
        return (carom_shape_kind)0;
    return shape->kind;
}

const char *carom_shape_kind_name(carom_shape_kind kind)
{
    static const char *const names[] = {
#define CAROM_SHAPE_WORD(name, word) word,
        CAROM_SHAPE_LIST(CAROM_SHAPE_WORD)
#undef CAROM_SHAPE_WORD
    };
    size_t count = sizeof names / sizeof *names;
    return (size_t)kind < count ? names[kind] : "unknown";
}

carom_mass carom_shape_mass(const carom_shape *shape)
{
    if (!shape)
        return (carom_mass){ 0 };
    return shape->mass;
}

void carom_shape_shift(const carom_shape *shape, double shift[3])
{
    if (!shape || !shift)
        return;
    vec3_store(shape->shift, shift);
}

double carom_shape_radius(const carom_shape *shape)
{
    if (!shape)
        return 0;
    return shape->bounding_radius;
}

double carom_shape_distance(const carom_shape *shape, const double point[3])
{
    if (!shape || !point)
        return 0;
    return carom_shape_nearest(shape, vec3_from(point)).distance;
}

void carom_shape_triangles(const carom_shape *shape, int segments, double extent,
                           void (*triangle)(void *context, const double corners[9]), void *context)
{
    if (!shape || !triangle)
        return;
    if (segments < SEGMENTS_MIN || segments > SEGMENTS_MAX)
        segments = segments < SEGMENTS_MIN ? SEGMENTS_MIN : SEGMENTS_MAX;
    carom_pose here = carom_pose_identity();
    carom_surface_visit(shape, &here,
                        &(carom_surface_visitor){ segments, extent, triangle, context });
}

carom_nearest carom_shape_nearest(const carom_shape *shape, vec3 point)
{
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return carom_sphere_nearest(shape, point);
    case CAROM_SHAPE_CAPSULE:
        return carom_capsule_nearest(shape, point);
    case CAROM_SHAPE_CYLINDER:
        return carom_cylinder_nearest(shape, point);
    case CAROM_SHAPE_BOX:
        return carom_box_nearest(shape, point);
    case CAROM_SHAPE_HULL:
        return carom_polytope_nearest(shape->polytope, point);
    case CAROM_SHAPE_MESH:
        return carom_mesh_nearest(shape->mesh, point, HUGE_VAL);
    case CAROM_SHAPE_PLANE:
        return carom_plane_nearest(shape, point);
    case CAROM_SHAPE_COMPOUND:
        return carom_compound_nearest(shape, point);
    }
    return (carom_nearest){ .distance = HUGE_VAL };
}

carom_nearest carom_shape_nearest_within(const carom_shape *shape, vec3 point, double bound)
{
    if (shape->kind != CAROM_SHAPE_MESH)
        return carom_shape_nearest(shape, point);
    return carom_mesh_nearest(shape->mesh, point, bound);
}

static vec3 support_box(vec3 half, vec3 d)
{
    return vec3_make(d.x < 0 ? -half.x : half.x, d.y < 0 ? -half.y : half.y,
                     d.z < 0 ? -half.z : half.z);
}

static vec3 support_cylinder(const carom_shape *shape, vec3 d)
{
    double rho = sqrt(d.x * d.x + d.y * d.y), s = rho > 0 ? shape->radius / rho : 0;
    return vec3_make(s * d.x, s * d.y, d.z < 0 ? -shape->half_length : shape->half_length);
}

vec3 carom_shape_support(const carom_shape *shape, vec3 d)
{
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return vec3_scale(shape->radius, vec3_unit(d));
    case CAROM_SHAPE_CAPSULE:
        return vec3_axpy(vec3_make(0, 0, d.z < 0 ? -shape->half_length : shape->half_length),
                         shape->radius, vec3_unit(d));
    case CAROM_SHAPE_CYLINDER:
        return support_cylinder(shape, d);
    case CAROM_SHAPE_BOX:
        return support_box(shape->half, d);
    case CAROM_SHAPE_HULL:
        return shape->polytope->vertex[carom_polytope_support(shape->polytope, d)];
    case CAROM_SHAPE_MESH:
    case CAROM_SHAPE_PLANE:
    case CAROM_SHAPE_COMPOUND:
        break;
    }
    return vec3_make(0, 0, 0);
}

static carom_bounds bounds_by_support(const carom_shape *shape, const carom_pose *pose)
{
    double min[3], max[3];
    for (int k = 0; k < 3; ++k) {
        vec3 row = vec3_from(pose->rotation.m[k]);
        max[k] = vec3_dot(row, carom_shape_support(shape, row));
        min[k] = vec3_dot(row, carom_shape_support(shape, vec3_neg(row)));
    }
    return (carom_bounds){ vec3_add(pose->position, vec3_from(min)),
                           vec3_add(pose->position, vec3_from(max)) };
}

carom_bounds carom_shape_bounds(const carom_shape *shape, const carom_pose *pose)
{
    double r = shape->radius, far = HUGE_VAL;
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return (carom_bounds){ vec3_sub(pose->position, vec3_make(r, r, r)),
                               vec3_add(pose->position, vec3_make(r, r, r)) };
    case CAROM_SHAPE_CAPSULE:
    case CAROM_SHAPE_CYLINDER:
    case CAROM_SHAPE_HULL:
        return bounds_by_support(shape, pose);
    case CAROM_SHAPE_PLANE:
        return (carom_bounds){ { -far, -far, -far }, { far, far, far } };
    case CAROM_SHAPE_BOX:
    case CAROM_SHAPE_MESH:
    case CAROM_SHAPE_COMPOUND:
        break;
    }
    // exact for boxes, safe for what lies inside of one
    return carom_bounds_out(pose, carom_bounds_stretch(pose->rotation), shape->bounds);
}

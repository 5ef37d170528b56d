// A shape once more, larger or smaller: for grains of many sizes and one form.
#include "base/memory.h"
#include "shape/kinds.h"
#include "shape/mass.h"
#include "shape/polytope.h"

static carom_status scale_points(const carom_shape *shape, double factor, carom_shape **out,
                                 carom_error *err)
{
    bool hull = shape->kind == CAROM_SHAPE_HULL;
    carom_mesh_source surface = carom_mesh_surface(shape);
    size_t count = (size_t)(hull ? shape->polytope->vertex_count : surface.vertex_count);
    double *points = carom_memory_get((3 * count + 1) * sizeof *points);
    if (!points)
        return carom_error_no_memory(err, "a shape");
    for (size_t i = 0; i < count; ++i) {
        vec3 p = hull ? shape->polytope->vertex[i] : vec3_from(surface.vertices + 3 * i);
        vec3_store(vec3_scale(factor, p), points + 3 * i);
    }
    surface.vertices = points;
    carom_status status = hull ? carom_hull_create(points, (int)count, out, err)
                               : carom_mesh_create(&surface, CAROM_MESH_REPAIR, NULL, out, err);
    carom_memory_free(points);
    return status;
}

// The unit quaternion of a rotation matrix, from its largest component [Shepperd 1978].
static void quaternion_of(mat3 r, double q[4])
{
    const double(*m)[3] = r.m;
    double trace = m[0][0] + m[1][1] + m[2][2];
    const double square[] = { trace, m[0][0], m[1][1], m[2][2] };
    int large = 0;
    for (int k = 1; k < 4; ++k)
        large = square[k] > square[large] ? k : large;
    if (large == 0) {
        q[0] = 1 + trace;
        for (int k = 0; k < 3; ++k)
            q[k + 1] = m[(k + 2) % 3][(k + 1) % 3] - m[(k + 1) % 3][(k + 2) % 3];
    } else {
        int i = large - 1, j = (i + 1) % 3, k = (i + 2) % 3;
        q[0] = m[k][j] - m[j][k];
        q[i + 1] = 1 + 2 * m[i][i] - trace;
        q[j + 1] = m[i][j] + m[j][i];
        q[k + 1] = m[i][k] + m[k][i];
    }
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k)
        q[k] /= length;
}

static carom_status scale_parts(const carom_shape *shape, double factor, carom_shape **out,
                                carom_error *err)
{
    carom_part *parts = carom_memory_zeros((size_t)shape->part_count, sizeof *parts);
    carom_status status = parts ? CAROM_OK : carom_error_no_memory(err, "a shape");
    int made = 0;
    for (; status == CAROM_OK && made < shape->part_count; ++made) {
        const carom_shape_part *from = &shape->parts[made];
        carom_shape *part = NULL;
        status = carom_shape_scale(from->shape, factor, &part, err);
        parts[made].shape = part;
        vec3_store(vec3_scale(factor, from->pose.position), parts[made].position);
        quaternion_of(from->pose.rotation, parts[made].rotation);
    }
    if (status == CAROM_OK)
        status = carom_compound_create(parts, shape->part_count, out, err);
    for (int i = 0; i < made; ++i)
        carom_shape_release(parts[i].shape);
    carom_memory_free(parts);
    return status;
}

carom_status carom_shape_scale(const carom_shape *shape, double factor, carom_shape **out,
                               carom_error *err)
{
    NEED(err, shape, out);
    *out = NULL;
    TRY(carom_shape_positive(factor, "factor", err));
    double half[3];
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        return carom_sphere_create(factor * shape->radius, out, err);
    case CAROM_SHAPE_CAPSULE:
        return carom_capsule_create(factor * shape->radius, factor * shape->half_length, out, err);
    case CAROM_SHAPE_CYLINDER:
        return carom_cylinder_create(factor * shape->radius, factor * shape->half_length, out, err);
    case CAROM_SHAPE_BOX:
        vec3_store(vec3_scale(factor, shape->half), half);
        return carom_box_create(half, out, err);
    case CAROM_SHAPE_HULL:
    case CAROM_SHAPE_MESH:
        return scale_points(shape, factor, out, err);
    case CAROM_SHAPE_COMPOUND:
        return scale_parts(shape, factor, out, err);
    case CAROM_SHAPE_PLANE:
        break;
    }
    *out = (carom_shape *)carom_shape_retain(shape); // a half space of any size is the same
    return CAROM_OK;
}

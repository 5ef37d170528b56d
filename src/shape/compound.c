// Compounds: parts that move as one.
#include "base/memory.h"
#include "shape/kinds.h"
#include "shape/mass.h"
#include "shape/polytope.h"

static carom_status place_parts(carom_shape *shape, const carom_part *parts, carom_error *err);
static void gather_bounds(carom_shape *shape);

carom_status carom_compound_create(const carom_part *parts, int count, carom_shape **out,
                                   carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    if (count < 1)
        return carom_error_set(err, CAROM_BAD_INPUT, "a compound has %d parts", count);
    carom_shape *shape;
    TRY(carom_shape_new(CAROM_SHAPE_COMPOUND, &shape, err));
    shape->parts = carom_memory_zeros((size_t)count, sizeof *shape->parts);
    shape->part_count = shape->parts ? count : 0;
    carom_status status = shape->parts ? place_parts(shape, parts, err)
                                       : carom_error_no_memory(err, "%d parts", count);
    if (status != CAROM_OK) {
        carom_shape_release(shape);
        return status;
    }
    carom_moments moments = { 0 };
    for (int i = 0; i < count; ++i)
        carom_mass_add_solid(&moments, &shape->parts[i].shape->mass, &shape->parts[i].pose);
    shape->mass = carom_mass_about_centre(&moments);
    shape->shift = carom_moments_centre(&moments);
    for (int i = 0; i < count; ++i)
        shape->parts[i].pose.position = vec3_sub(shape->parts[i].pose.position, shape->shift);
    gather_bounds(shape);
    *out = shape;
    return CAROM_OK;
}

static int parts_of(const carom_shape *shape)
{
    return shape->kind == CAROM_SHAPE_COMPOUND ? shape->part_count : 1;
}

carom_status carom_compound_about(const carom_shape *from, vec3 centre, carom_shape **out,
                                  carom_error *err)
{
    carom_shape *shape;
    int count = parts_of(from);
    TRY(carom_shape_new(CAROM_SHAPE_COMPOUND, &shape, err));
    shape->parts = carom_memory_zeros((size_t)count, sizeof *shape->parts);
    if (!shape->parts) {
        carom_shape_release(shape);
        return carom_error_no_memory(err, "%d parts", count);
    }
    shape->part_count = count;
    for (int i = 0; i < count; ++i) {
        bool whole = from->kind != CAROM_SHAPE_COMPOUND;
        shape->parts[i].shape = carom_shape_retain(whole ? from : from->parts[i].shape);
        shape->parts[i].pose =
            whole ? carom_pose_make(vec3_make(0, 0, 0), quat_identity()) : from->parts[i].pose;
        shape->parts[i].pose.position = vec3_sub(shape->parts[i].pose.position, centre);
    }
    shape->mass = from->mass;
    shape->shift = vec3_add(from->shift, centre);
    gather_bounds(shape);
    *out = shape;
    return CAROM_OK;
}

static carom_status place_parts(carom_shape *shape, const carom_part *parts, carom_error *err)
{
    for (int i = 0; i < shape->part_count; ++i) {
        const carom_part *part = &parts[i];
        const double *r = part->rotation, *p = part->position;
        double norm = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
        if (part->shape->kind == CAROM_SHAPE_PLANE || part->shape->kind == CAROM_SHAPE_COMPOUND) {
            carom_error_set(err, CAROM_BAD_INPUT, "part %d of a compound is a %s", i,
                            carom_shape_kind_name(part->shape->kind));
            return carom_error_fix(
                err, "use solid shapes; list the parts of an inner compound one by one");
        }
        if (!(fabs(norm - 1) < 1e-6) || !(fabs(p[0]) + fabs(p[1]) + fabs(p[2]) < HUGE_VAL)) {
            carom_error_set(err, CAROM_BAD_INPUT, "part %d of a compound has no usable place", i);
            return carom_error_fix(err, "give a finite position and a unit quaternion (w x y z)");
        }
        shape->parts[i].shape = carom_shape_retain(part->shape);
        shape->parts[i].pose =
            carom_pose_make(vec3_from(p), quat_unit((quat){ r[0], r[1], r[2], r[3] }));
    }
    return CAROM_OK;
}

static vec3 least_of(vec3 a, vec3 b)
{
    return vec3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static vec3 most_of(vec3 a, vec3 b)
{
    return vec3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

// How far a part reaches from the origin: by its corners, else by the ball around it.
static double farthest(const carom_shape_part *part)
{
    const carom_polytope *corners = part->shape->polytope;
    if (!corners)
        return vec3_length(part->pose.position) + part->shape->bounding_radius;
    double far = 0;
    for (int v = 0; v < corners->vertex_count; ++v)
        far = fmax(far, vec3_length(carom_pose_out(&part->pose, corners->vertex[v])));
    return far;
}

static void gather_bounds(carom_shape *shape)
{
    double far = HUGE_VAL;
    carom_bounds all = { { far, far, far }, { -far, -far, -far } };
    for (int i = 0; i < shape->part_count; ++i) {
        const carom_shape_part *part = &shape->parts[i];
        carom_bounds b = carom_shape_bounds(part->shape, &part->pose);
        all.min = least_of(all.min, b.min);
        all.max = most_of(all.max, b.max);
        shape->bounding_radius = fmax(shape->bounding_radius, farthest(part));
    }
    shape->bounds = all;
}

// The union's distance is the least of its parts' (exact outside, a bound inside where parts
// overlap).
carom_nearest carom_compound_nearest(const carom_shape *shape, vec3 point)
{
    carom_nearest best = { .distance = HUGE_VAL };
    for (int i = 0; i < shape->part_count; ++i) {
        const carom_shape_part *part = &shape->parts[i];
        carom_nearest n = carom_shape_nearest(part->shape, carom_pose_in(&part->pose, point));
        if (n.distance >= best.distance)
            continue;
        best = n;
        best.point = carom_pose_out(&part->pose, n.point);
        best.normal = mat3_mul(part->pose.rotation, n.normal);
        best.feature = n.feature ^ ((uint32_t)(i + 1) * 0x9E3779B1u);
    }
    return best;
}

// Contacts of two convex shapes.
//
// First the axis: separating axes where both are polytopes (exact for overlap, a lower bound when
// apart), support points (distance, else expanding polytope) where one is curved or where the bound
// was not attained. Then the manifold: the two faces that look along the axis, overlapped.
#include "collide/convex.h"
#include "collide/face.h"
#include "collide/gjk.h"

static bool is_polytope(const carom_core *core)
{
    return core->shape->polytope != NULL;
}

vec3 carom_convex_support(const carom_core *core, vec3 direction)
{
    vec3 local = mat3_tmul(core->pose.rotation, direction);
    if (core->shape->kind == CAROM_SHAPE_CAPSULE) {
        double h = core->shape->half_length;
        return carom_pose_out(&core->pose, vec3_make(0, 0, local.z < 0 ? -h : h));
    }
    return carom_pose_out(&core->pose, carom_shape_support(core->shape, local));
}

static double clamped(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

// Nearest points of two segments p + s d, q + t e (Ericson 2004, 5.1.9). Crossing axes give the
// common perpendicular, identical ones any.
static carom_axis rods_axis(const carom_core *a, const carom_core *b)
{
    double ha = a->shape->half_length, hb = b->shape->half_length;
    vec3 za = carom_pose_column(&a->pose, 2), zb = carom_pose_column(&b->pose, 2);
    vec3 p = vec3_axpy(a->pose.position, -ha, za), q = vec3_axpy(b->pose.position, -hb, zb);
    vec3 d = vec3_scale(2 * ha, za), e = vec3_scale(2 * hb, zb), r = vec3_sub(p, q);
    double dd = vec3_dot(d, d), ee = vec3_dot(e, e), de = vec3_dot(d, e);
    double dr = vec3_dot(d, r), er = vec3_dot(e, r), det = dd * ee - de * de;
    double s = det > 1e-14 * dd * ee ? clamped((de * er - dr * ee) / det) : .5;
    double t = (de * s + er) / ee;
    if (t < 0 || t > 1) {
        t = clamped(t);
        s = clamped((de * t - dr) / dd);
    }
    carom_axis axis = {
        .on_a = vec3_axpy(p, s, d), .on_b = vec3_axpy(q, t, e), .exact = true, .witness = true
    };
    vec3 v = vec3_sub(axis.on_b, axis.on_a);
    axis.gap = vec3_length(v);
    axis.normal =
        axis.gap > 1e-14 * (ha + hb) ? vec3_scale(1 / axis.gap, v) : vec3_unit(vec3_cross(za, zb));
    if (vec3_dot(axis.normal, axis.normal) == 0) {
        vec3 other;
        vec3_tangents(za, &axis.normal, &other);
    }
    return axis;
}

static carom_axis support_axis(const carom_core *a, const carom_core *b)
{
    carom_axis axis;
    carom_gjk_simplex simplex;
    if (!carom_gjk_distance(a, b, &simplex, &axis))
        carom_epa_depth(a, b, &simplex, &axis);
    return axis;
}

static carom_axis find_axis(const carom_core *a, const carom_core *b, double margin)
{
    if (a->shape->kind == CAROM_SHAPE_BOX && b->shape->kind == CAROM_SHAPE_BOX)
        return carom_boxes_axis(a, b, margin);
    if (is_polytope(a) && is_polytope(b))
        return carom_polytopes_axis(a, b, margin);
    if (a->shape->kind == CAROM_SHAPE_CAPSULE && b->shape->kind == CAROM_SHAPE_CAPSULE)
        return rods_axis(a, b);
    return support_axis(a, b);
}

static double add_overlap(const carom_core *a, const carom_core *b, const carom_axis *axis,
                          double margin, carom_manifold *out)
{
    carom_face face_a, face_b;
    carom_face_towards(a, axis->normal, &face_a);
    carom_face_towards(b, vec3_neg(axis->normal), &face_b);
    return carom_overlap_faces(&face_a, &face_b, axis, (double[2]){ a->round, b->round }, margin,
                               out);
}

static void add_witness(const carom_core *a, const carom_core *b, const carom_axis *axis,
                        carom_manifold *out)
{
    vec3 on_a = axis->witness ? axis->on_a : carom_convex_support(a, axis->normal);
    vec3 on_b = axis->witness ? axis->on_b : carom_convex_support(b, vec3_neg(axis->normal));
    vec3 middle = vec3_scale(.5, vec3_add(vec3_axpy(on_a, a->round, axis->normal),
                                          vec3_axpy(on_b, -b->round, axis->normal)));
    carom_manifold_add(out, (carom_manifold_point){ .point = middle,
                                                    .normal = axis->normal,
                                                    .gap = axis->gap - a->round - b->round,
                                                    .feature_a = UINT32_MAX,
                                                    .feature_b = UINT32_MAX });
}

void carom_convex_touch(const carom_core *a, const carom_core *b, double margin,
                        carom_manifold *out)
{
    double round = a->round + b->round,
           size = a->shape->bounding_radius + b->shape->bounding_radius;
    carom_axis axis = find_axis(a, b, margin + round);
    if (axis.gap - round > margin)
        return;
    int before = out->count;
    double least = add_overlap(a, b, &axis, margin, out);
    if (!axis.exact && least > axis.gap + 1e-9 * size) {
        // No corner attains the bound: the nearest features are an edge or a corner on either side.
        out->count = before;
        axis = support_axis(a, b);
        if (axis.gap > margin)
            return;
        least = add_overlap(a, b, &axis, margin, out);
    }
    if (least > axis.gap - round + 1e-8 * size)
        add_witness(a, b, &axis, out);
}

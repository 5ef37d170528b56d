// Contacts of two convex shapes.
//
// First the axis: separating axes where both are polytopes (exact for overlap, a lower bound when
// apart), support points (distance, else expanding polytope) where one is curved or where the bound
// was not attained. Then the manifold: the two faces that look along the axis, overlapped.
#include "collide/convex.h"
#include "collide/face.h"
#include "collide/gjk.h"
#include "collide/axis_refine.h"

static bool is_moderate(const carom_core *core)
{
    const carom_polytope *p = core->shape->polytope;
    return p && p->face_count <= CAROM_POLYTOPES_FACES && p->edge_count <= CAROM_POLYTOPES_EDGES;
}

static vec3 support_of_triangle(const vec3 corner[3], vec3 direction)
{
    double d[3];
    for (int k = 0; k < 3; ++k)
        d[k] = vec3_dot(corner[k], direction);
    return corner[d[1] > d[0] ? d[2] > d[1] ? 2 : 1 : d[2] > d[0] ? 2 : 0];
}

vec3 carom_convex_support(const carom_core *core, vec3 direction)
{
    if (core->corner)
        return support_of_triangle(core->corner, direction);
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
    double s = det > 1e-14 * dd * ee ? clamped((de * er - dr * ee) / det) : 0.5;
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

// The gap of the cores along a unit direction, by definition.
static double gap_along(const carom_core *a, const carom_core *b, vec3 n)
{
    return vec3_dot(n, vec3_sub(carom_convex_support(b, vec3_neg(n)), carom_convex_support(a, n)));
}

typedef struct climb {
    const carom_core *a, *b;
    vec3 normal;
    double gap;
} climb;

static void try_direction(climb *c, vec3 direction)
{
    vec3 n = vec3_unit(direction);
    double gap = gap_along(c->a, c->b, n);
    if (gap > c->gap) {
        c->gap = gap;
        c->normal = n;
    }
}

static void try_own_axes(climb *c, const carom_core *core)
{
    if (core->shape->polytope) {
        for (int f = 0; f < core->shape->polytope->face_count; ++f) {
            vec3 n = mat3_mul(core->pose.rotation, core->shape->polytope->normal[f]);
            try_direction(c, core == c->a ? n : vec3_neg(n));
        }
        return;
    }
    vec3 z = carom_pose_column(&core->pose, 2),
         d = vec3_sub(c->b->pose.position, c->a->pose.position);
    try_direction(c, z);
    try_direction(c, vec3_neg(z));
    try_direction(c, vec3_axpy(d, -vec3_dot(d, z), z));
}

// Curved shapes where the iteration ended before its bounds met: the gap is the largest value of
// gap_along over all directions, so climb from the best of what was found and the shapes' own axes.
// Six neighbours on the sphere, turned by the golden angle each time so that narrow ridges are met
// sooner or later; a smaller step when none is higher.
static void improve(const carom_core *a, const carom_core *b, carom_axis *axis)
{
    const double golden_cos = -0.73736887807831985, golden_sin = 0.67549029426152362;
    const double sixth_cos = 0.5, sixth_sin = 0.86602540378443865;
    climb c = { a, b, axis->normal, gap_along(a, b, axis->normal) };
    try_own_axes(&c, a);
    try_own_axes(&c, b);
    double step = 0.1, u = 1, v = 0;
    for (int i = 0; i < 500 && step > 1e-10; ++i) {
        vec3 t1, t2, here = c.normal;
        double before = c.gap, turned = u * golden_cos - v * golden_sin;
        v = u * golden_sin + v * golden_cos;
        u = turned;
        vec3_tangents(here, &t1, &t2);
        double x = step * u, y = step * v;
        for (int k = 0; k < 6; ++k) {
            try_direction(&c, vec3_axpy(vec3_axpy(here, x, t1), y, t2));
            turned = x * sixth_cos - y * sixth_sin;
            y = x * sixth_sin + y * sixth_cos;
            x = turned;
        }
        if (c.gap <= before)
            step *= 0.75;
    }
    axis->normal = c.normal;
    axis->gap = c.gap;
    axis->on_a = carom_convex_support(a, c.normal);
    axis->on_b = carom_convex_support(b, vec3_neg(c.normal));
}

static carom_axis support_axis(const carom_core *a, const carom_core *b)
{
    carom_axis axis;
    carom_gjk_simplex simplex;
    double size = a->shape->bounding_radius + b->shape->bounding_radius;
    if (!carom_gjk_distance(a, b, HUGE_VAL, &simplex, &axis))
        carom_epa_depth(a, b, &simplex, &axis);
    if (fabs(gap_along(a, b, axis.normal) - axis.gap) > 1e-10 * size)
        improve(a, b, &axis);
    if (a->shape->kind == CAROM_SHAPE_CYLINDER || b->shape->kind == CAROM_SHAPE_CYLINDER)
        carom_axis_refine(a, b, &axis);
    return axis;
}

static carom_axis find_axis(const carom_core *a, const carom_core *b, double margin)
{
    if (a->shape->kind == CAROM_SHAPE_BOX && b->shape->kind == CAROM_SHAPE_BOX)
        return carom_boxes_axis(a, b, margin);
    if (is_moderate(a) && is_moderate(b))
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
    vec3 middle = vec3_scale(0.5, vec3_add(vec3_axpy(on_a, a->round, axis->normal),
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
    carom_axis axis = find_axis(a, b, margin + a->round + b->round);
    carom_convex_touch_along(a, b, axis, margin, out);
}

void carom_convex_touch_along(const carom_core *a, const carom_core *b, carom_axis axis,
                              double margin, carom_manifold *out)
{
    double radius_a = a->shape->bounding_radius, radius_b = b->shape->bounding_radius;
    double round = a->round + b->round, size = radius_a + radius_b,
           small = 2 * fmin(radius_a, radius_b);
    if (axis.gap - round > margin)
        return;
    if (axis.single) {
        add_witness(a, b, &axis, out);
        return;
    }
    int before = out->count;
    double min = add_overlap(a, b, &axis, margin, out);
    if (min == -HUGE_VAL)
        return;
    if (!axis.exact && min > axis.gap + 1e-9 * size) {
        // No corner attains the bound: the nearest features are an edge or a corner on either side.
        out->count = before;
        bool flat = carom_overlap_flat(a, b, &axis);
        axis = support_axis(a, b);
        if (axis.gap > margin || (flat && axis.gap <= CAROM_OVERLAP_SLIVER * small))
            return;
        min = add_overlap(a, b, &axis, margin, out);
        if (min == -HUGE_VAL)
            return;
    }
    if (min > axis.gap - round + 1e-9 * size)
        add_witness(a, b, &axis, out);
}

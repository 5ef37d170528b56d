// Choosing the method for a pair of shapes.
//
// The pair is first put into an order that depends on the shapes alone (kind, then place, then
// attitude), so that the caller's order never shows. Compounds are taken apart here.
#include "collide/narrow.h"
#include "collide/convex.h"
#include "collide/pairs.h"

typedef carom_narrow_part placed;

static int compare(placed a, placed b)
{
    if (a.shape->kind != b.shape->kind)
        return a.shape->kind < b.shape->kind ? -1 : 1;
    int order = vec3_compare(a.pose->position, b.pose->position);
    for (int r = 0; r < 3 && order == 0; ++r)
        order = vec3_compare(vec3_from(a.pose->rotation.m[r]), vec3_from(b.pose->rotation.m[r]));
    if (order == 0 && a.shape->bounding_radius != b.shape->bounding_radius)
        order = a.shape->bounding_radius < b.shape->bounding_radius ? -1 : 1;
    return order;
}

// Convex pairs work relative to a's position and are moved back.
static void touch_convex(placed a, placed b, double margin, carom_manifold *out)
{
    int before = out->count;
    vec3 origin = a.pose->position;
    carom_core core_a = { .shape = a.shape, .pose = *a.pose },
               core_b = { .shape = b.shape, .pose = *b.pose };
    core_a.pose.position = vec3_make(0, 0, 0);
    core_b.pose.position = vec3_sub(b.pose->position, origin);
    core_a.round = a.shape->kind == CAROM_SHAPE_CAPSULE ? a.shape->radius : 0;
    core_b.round = b.shape->kind == CAROM_SHAPE_CAPSULE ? b.shape->radius : 0;
    carom_convex_touch(&core_a, &core_b, margin, out);
    for (int i = before; i < out->count; ++i)
        out->points[i].point = vec3_add(out->points[i].point, origin);
}

// Simple shapes, kinds in order.
static void touch_simple(placed a, placed b, double margin, carom_manifold *out)
{
    if (b.shape->kind == CAROM_SHAPE_PLANE) {
        if (a.shape->kind != CAROM_SHAPE_PLANE)
            carom_half_space_touch(a.shape, a.pose, b.shape, b.pose, margin, out);
    } else if (a.shape->kind == CAROM_SHAPE_SPHERE) {
        carom_sphere_touch(a.shape, a.pose->position, b.shape, b.pose, margin, out);
    } else if (b.shape->kind == CAROM_SHAPE_MESH) {
        carom_sdf_touch(a.shape, a.pose, b.shape, b.pose, margin, out);
    } else {
        touch_convex(a, b, margin, out);
    }
}

static bool spheres_apart(placed a, placed b, double margin)
{
    if (a.shape->kind == CAROM_SHAPE_PLANE || b.shape->kind == CAROM_SHAPE_PLANE)
        return false;
    vec3 d = vec3_sub(b.pose->position, a.pose->position);
    double reach = a.shape->bounding_radius + b.shape->bounding_radius + margin;
    return vec3_dot(d, d) > reach * reach * (1 + 1e-12);
}

// Bounds of `b` in a's frame against a's bounds: cheap, and worth it for thin parts.
static bool boxes_apart(placed a, placed b, double margin)
{
    carom_pose between = carom_pose_between(a.pose, b.pose);
    carom_bounds x = a.shape->bounds, y = carom_shape_bounds(b.shape, &between);
    return y.min.x > x.max.x + margin || y.max.x < x.min.x - margin || y.min.y > x.max.y + margin ||
           y.max.y < x.min.y - margin || y.min.z > x.max.z + margin || y.max.z < x.min.z - margin;
}

static bool bounds_apart(placed a, placed b, double margin)
{
    return spheres_apart(a, b, margin) ||
           (b.shape->kind != CAROM_SHAPE_PLANE && boxes_apart(a, b, margin));
}

// Marks features with the part they belong to; the mixing is a bijection for each part.
static uint32_t feature_of_part(uint32_t feature, int part)
{
    return feature ^ ((uint32_t)(part + 1) * 0x9E3779B1u);
}

static void touch(placed a, placed b, double margin, carom_manifold *out);

// a is a compound: its parts one by one against b.
static void touch_parts(placed a, placed b, double margin, carom_manifold *out)
{
    for (int i = 0; i < a.shape->part_count; ++i) {
        carom_pose pose = carom_pose_chain(a.pose, &a.shape->parts[i].pose);
        placed part = { a.shape->parts[i].shape, &pose };
        if (bounds_apart(part, b, margin))
            continue;
        int before = out->count;
        touch(part, b, margin, out);
        for (int k = before; k < out->count; ++k)
            out->points[k].feature_a = feature_of_part(out->points[k].feature_a, i);
    }
}

static void turn_from(carom_manifold *out, int first)
{
    for (int i = first; i < out->count; ++i) {
        carom_manifold_point *p = &out->points[i];
        uint32_t feature = p->feature_a;
        p->feature_a = p->feature_b;
        p->feature_b = feature;
        p->normal = vec3_neg(p->normal);
    }
}

// Appends the contacts of the pair, normals from a to b.
static void touch(placed a, placed b, double margin, carom_manifold *out)
{
    int first = out->count;
    bool turned = compare(a, b) > 0;
    placed low = turned ? b : a, high = turned ? a : b;
    if (high.shape->kind == CAROM_SHAPE_COMPOUND) { // compounds sort last
        touch_parts(high, low, margin, out);
        turn_from(out, first);
    } else {
        touch_simple(low, high, margin, out);
    }
    if (turned)
        turn_from(out, first);
}

static void find(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                 const carom_pose *pose_b, double margin, carom_manifold *out);

void carom_narrow_touch(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                        const carom_pose *pose_b, double margin, double turning,
                        carom_progress_meter *meter, carom_manifold *out)
{
    out->min = false;
    out->meter = meter;
    out->turning = turning;
    find(a, pose_a, b, pose_b, margin, out);
}

static void find(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                 const carom_pose *pose_b, double margin, carom_manifold *out)
{
    placed first = { a, pose_a }, second = { b, pose_b };
    out->count = 0;
    if (!spheres_apart(first, second, margin))
        touch(first, second, margin, out);
}

void carom_narrow_nearest(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                          const carom_pose *pose_b, double margin, carom_manifold *out)
{
    out->min = true;
    out->meter = NULL;
    out->turning = 0;
    find(a, pose_a, b, pose_b, margin, out);
}

carom_contact carom_narrow_gap(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                               const carom_pose *pose_b, double max)
{
    carom_manifold manifold;
    carom_narrow_nearest(a, pose_a, b, pose_b, max, &manifold);
    carom_contact best = { .a = -1, .b = -1, .gap = HUGE_VAL };
    for (int i = 0; i < manifold.count; ++i) {
        const carom_manifold_point *p = &manifold.points[i];
        if (p->gap < best.gap)
            best =
                (carom_contact){ -1,        -1,     p->point,
                                 p->normal, p->gap, (uint64_t)p->feature_a << 32 | p->feature_b };
    }
    return best;
}

static void look_at(placed a, placed b, bool turned, double margin, carom_narrow_look *look,
                    void *context)
{
    bool swap = compare(a, b) > 0;
    placed low = swap ? b : a, high = swap ? a : b;
    if (high.shape->kind != CAROM_SHAPE_COMPOUND) {
        look(context, &low, &high, turned != swap);
        return;
    }
    for (int i = 0; i < high.shape->part_count; ++i) {
        carom_pose pose = carom_pose_chain(high.pose, &high.shape->parts[i].pose);
        placed part = { high.shape->parts[i].shape, &pose };
        if (!bounds_apart(part, low, margin))
            look_at(low, part, turned != swap, margin, look, context);
    }
}

void carom_narrow_parts(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                        const carom_pose *pose_b, double margin, carom_narrow_look *look,
                        void *context)
{
    placed first = { a, pose_a }, second = { b, pose_b };
    if (!spheres_apart(first, second, margin))
        look_at(first, second, false, margin, look, context);
}

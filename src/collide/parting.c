// The next nearest features of a shape and a mesh that no known plane parts: both trees at once,
// branch and bound, the nearer halves first. Everything is in the mesh's frame.
#include "collide/parting.h"
#include "collide/gjk.h"
#include "collide/triangles.h"
#include "shape/mesh.h"

// Of both sizes: planes and features that differ by less are the same.
#define SAME 1e-12
enum { ALL = -1, PENDING = 4 * CAROM_TREE_DEPTH };

typedef struct plane {
    vec3 normal;
    double low, high; // a is at or below the one, b at or above the other
} plane;

typedef struct search {
    const carom_shape *a, *b;
    const carom_mesh *mesh_a, *mesh_b; // a may be no mesh
    carom_pose pose;                   // of a
    mat3 stretch;                      // absolute values of its rotation
    carom_core core;                   // of a convex a
    double round;                      // thickness about it
    carom_bounds bounds, own;          // of a convex a, without that; in its own frame
    int planes;
    plane plane[CAROM_PARTING_MAX];
    double min, max; // of the distance from a's core
    carom_triangle_gap best;
    double low, high;     // of the two features along its normal
    int found_a, found_b; // triangles
} search;

// A part of each shape: nodes of the trees, and which planes they lie behind.
typedef struct pending {
    int a, b; // node of a: ALL where it is convex
    uint32_t behind_a, behind_b;
    carom_bounds bounds_a;
    double squared;
} pending;

static carom_bounds bounds_of(const search *s, int node)
{
    if (node == ALL)
        return s->bounds;
    return carom_bounds_out(&s->pose, s->stretch, s->mesh_a->faces.node[node].bounds);
}

static carom_bounds grown(carom_bounds box, double by)
{
    vec3 all = vec3_make(by, by, by);
    return (carom_bounds){ vec3_sub(box.min, all), vec3_add(box.max, all) };
}

static double between(const carom_bounds *a, const carom_bounds *b)
{
    double x = carom_tree_beyond(a->min.x - b->max.x, a->max.x - b->min.x, 0);
    double y = carom_tree_beyond(a->min.y - b->max.y, a->max.y - b->min.y, 0);
    double z = carom_tree_beyond(a->min.z - b->max.z, a->max.z - b->min.z, 0);
    return x * x + y * y + z * z;
}

// The farthest point of a box along a direction.
static double top_of(const carom_bounds *box, vec3 n)
{
    return n.x * (n.x < 0 ? box->min.x : box->max.x) + n.y * (n.y < 0 ? box->min.y : box->max.y) +
           n.z * (n.z < 0 ? box->min.z : box->max.z);
}

static uint32_t planes_above(const search *s, const carom_bounds *box, uint32_t known)
{
    for (int k = 0; k < s->planes; ++k)
        if (!(known >> k & 1) && top_of(box, s->plane[k].normal) <= s->plane[k].low)
            known |= UINT32_C(1) << k;
    return known;
}

static uint32_t planes_below(const search *s, const carom_bounds *box, uint32_t known)
{
    for (int k = 0; k < s->planes; ++k)
        if (!(known >> k & 1) && -top_of(box, vec3_neg(s->plane[k].normal)) >= s->plane[k].high)
            known |= UINT32_C(1) << k;
    return known;
}

static uint32_t planes_above_triangle(const search *s, const carom_triangle *t, uint32_t known)
{
    for (int k = 0; k < s->planes; ++k) {
        const plane *p = &s->plane[k];
        if (!(known >> k & 1) && vec3_dot(p->normal, t->corner[0]) <= p->low &&
            vec3_dot(p->normal, t->corner[1]) <= p->low &&
            vec3_dot(p->normal, t->corner[2]) <= p->low)
            known |= UINT32_C(1) << k;
    }
    return known;
}

static uint32_t planes_below_triangle(const search *s, const carom_triangle *t, uint32_t known)
{
    for (int k = 0; k < s->planes; ++k) {
        const plane *p = &s->plane[k];
        if (!(known >> k & 1) && vec3_dot(p->normal, t->corner[0]) >= p->high &&
            vec3_dot(p->normal, t->corner[1]) >= p->high &&
            vec3_dot(p->normal, t->corner[2]) >= p->high)
            known |= UINT32_C(1) << k;
    }
    return known;
}

static carom_triangle triangle_of(const carom_mesh_facet *f)
{
    return (carom_triangle){
        { f->corner, vec3_add(f->corner, f->side[0]), vec3_add(f->corner, f->side[1]) }, f->normal
    };
}

static carom_triangle moved(const carom_pose *pose, carom_triangle t)
{
    for (int k = 0; k < 3; ++k)
        t.corner[k] = carom_pose_out(pose, t.corner[k]);
    t.normal = mat3_mul(pose->rotation, t.normal);
    return t;
}

static double least(double a, double b, double c)
{
    double less = a < b ? a : b;
    return c < less ? c : less;
}

// Both features along the direction between them.
static void keep(search *s, const carom_triangle_gap *gap, const carom_triangle *a,
                 const carom_triangle *b, int found_a, int found_b)
{
    if (!(gap->distance < s->max) || gap->distance < s->min)
        return;
    s->found_a = found_a;
    s->found_b = found_b;
    vec3 n = gap->normal;
    s->max = gap->distance;
    s->best = *gap;
    if (a)
        s->low = -least(-vec3_dot(n, a->corner[0]), -vec3_dot(n, a->corner[1]),
                        -vec3_dot(n, a->corner[2]));
    else
        s->low = s->round + vec3_dot(n, s->a->kind == CAROM_SHAPE_SPHERE
                                            ? s->core.pose.position
                                            : carom_convex_support(&s->core, n));
    s->high =
        least(vec3_dot(n, b->corner[0]), vec3_dot(n, b->corner[1]), vec3_dot(n, b->corner[2]));
}

static carom_bounds box_of(vec3 p, vec3 q, vec3 r)
{
    vec3 high =
        vec3_make(-least(-p.x, -q.x, -r.x), -least(-p.y, -q.y, -r.y), -least(-p.z, -q.z, -r.z));
    return (carom_bounds){ { least(p.x, q.x, r.x), least(p.y, q.y, r.y), least(p.z, q.z, r.z) },
                           high };
}

// From a convex a, in its own frame, to the box about a triangle.
static double own_distance_of(const search *s, const carom_triangle *t)
{
    carom_bounds box =
        box_of(carom_pose_in(&s->pose, t->corner[0]), carom_pose_in(&s->pose, t->corner[1]),
               carom_pose_in(&s->pose, t->corner[2]));
    return between(&s->own, &box);
}

// A convex a and a triangle.
static void try_convex(search *s, const carom_triangle *t, int b)
{
    carom_triangle_gap gap;
    if (s->a->kind == CAROM_SHAPE_SPHERE) {
        gap = carom_triangles_point(s->core.pose.position, t, s->max);
        keep(s, &gap, NULL, t, 0, b);
        return;
    }
    if (own_distance_of(s, t) >= s->max * s->max)
        return;
    vec3 up = t->normal;
    double height =
        vec3_dot(up, vec3_sub(carom_convex_support(&s->core, vec3_neg(up)), t->corner[0]));
    if (height >= s->max)
        return;
    carom_core face = { .shape = s->b, .corner = t->corner };
    face.pose.position =
        vec3_scale(1.0 / 3, vec3_add(vec3_add(t->corner[0], t->corner[1]), t->corner[2]));
    carom_gjk_simplex simplex;
    carom_axis axis;
    if (carom_gjk_distance(&s->core, &face, s->max, &simplex, &axis))
        gap = (carom_triangle_gap){ axis.on_a, axis.on_b, axis.normal, axis.gap };
    else
        gap = (carom_triangle_gap){ face.pose.position, face.pose.position, vec3_neg(up), 0 };
    // where the triangle's face is the feature its normal is right at any distance
    if (height > 0 && gap.distance <= height * (1 + 1e-9))
        gap.normal = vec3_neg(up);
    keep(s, &gap, NULL, t, 0, b);
}

static void try_leaves(search *s, const pending *p)
{
    const carom_tree_node *leaf_b = &s->mesh_b->faces.node[p->b];
    const carom_tree_node *leaf_a = p->a == ALL ? NULL : &s->mesh_a->faces.node[p->a];
    carom_triangle own[CAROM_TREE_LEAF];
    carom_bounds box[CAROM_TREE_LEAF];
    uint32_t behind[CAROM_TREE_LEAF];
    for (int i = 0; leaf_a && i < leaf_a->count; ++i) {
        own[i] = moved(&s->pose, triangle_of(&s->mesh_a->facet[leaf_a->first + i]));
        behind[i] = planes_above_triangle(s, &own[i], p->behind_a);
        box[i] = box_of(own[i].corner[0], own[i].corner[1], own[i].corner[2]);
    }
    for (int k = 0; k < leaf_b->count; ++k) {
        carom_triangle other = triangle_of(&s->mesh_b->facet[leaf_b->first + k]);
        uint32_t below = planes_below_triangle(s, &other, p->behind_b);
        int b = s->mesh_b->facet[leaf_b->first + k].triangle;
        if (!leaf_a && !(p->behind_a & below))
            try_convex(s, &other, b);
        carom_bounds about = box_of(other.corner[0], other.corner[1], other.corner[2]);
        for (int i = 0; leaf_a && i < leaf_a->count; ++i)
            if (!(behind[i] & below) && between(&box[i], &about) < s->max * s->max) {
                carom_triangle_gap gap = carom_triangles_gap(&own[i], &other, s->max);
                keep(s, &gap, &own[i], &other, s->mesh_a->facet[leaf_a->first + i].triangle, b);
            }
    }
}

// From a convex a, in its own frame, to a box.
static double own_distance(const search *s, const carom_bounds *box)
{
    carom_bounds moved_box = carom_bounds_in(&s->pose, s->stretch, *box);
    return between(&s->own, &moved_box);
}

// Whether anything of the two nodes may be what is looked for; fills the rest of `p`.
static bool is_due(const search *s, pending *p)
{
    const carom_bounds *box = &s->mesh_b->faces.node[p->b].bounds;
    p->squared = between(&p->bounds_a, box);
    if (p->a == ALL && p->squared < s->max * s->max)
        p->squared = fmax(p->squared, own_distance(s, box));
    if (p->squared >= s->max * s->max)
        return false;
    if (p->a != ALL)
        p->behind_a = planes_above(s, &p->bounds_a, p->behind_a);
    p->behind_b = planes_below(s, box, p->behind_b);
    return !(p->behind_a & p->behind_b);
}

static double spread(const carom_bounds *box)
{
    vec3 d = vec3_sub(box->max, box->min);
    return vec3_dot(d, d);
}

// The two halves of the larger node.
static void split(const search *s, const pending *p, pending half[2])
{
    const carom_tree_node *b = &s->mesh_b->faces.node[p->b];
    const carom_tree_node *a = p->a == ALL ? NULL : &s->mesh_a->faces.node[p->a];
    bool splits_a =
        a && a->count == 0 && (b->count > 0 || spread(&p->bounds_a) > spread(&b->bounds));
    for (int k = 0; k < 2; ++k) {
        half[k] = *p;
        if (splits_a) {
            half[k].a = k == 0 ? p->a + 1 : a->first;
            half[k].bounds_a = bounds_of(s, half[k].a);
        } else {
            half[k].b = k == 0 ? p->b + 1 : b->first;
        }
    }
}

static bool is_leaf(const search *s, const pending *p)
{
    return s->mesh_b->faces.node[p->b].count > 0 &&
           (p->a == ALL || s->mesh_a->faces.node[p->a].count > 0);
}

// False where it was stopped.
static bool descend(search *s, pending *stack, int depth, carom_progress_meter *meter)
{
    enum { NODE = 3, LEAVES = 30 }; // what they cost, see the meter
    while (depth > 0) {
        pending top = stack[--depth], half[2];
        if (top.squared >= s->max * s->max)
            continue;
        if (is_leaf(s, &top)) {
            if (!carom_progress_meter_runs(meter, LEAVES))
                return false;
            try_leaves(s, &top);
            continue;
        }
        if (!carom_progress_meter_runs(meter, NODE))
            return false;
        split(s, &top, half);
        bool due[2] = { is_due(s, &half[0]), is_due(s, &half[1]) };
        int far = half[1].squared < half[0].squared ? 0 : 1;
        if (due[far])
            stack[depth++] = half[far];
        if (due[1 - far])
            stack[depth++] = half[1 - far];
    }
    return true;
}

static void set_planes(search *s, const carom_pose *pose_b, const carom_partings *known)
{
    double same = SAME * (s->a->bounding_radius + s->b->bounding_radius) + known->loose;
    s->planes = known->count;
    for (int k = 0; k < known->count; ++k) {
        const carom_parting *p = &known->list[k];
        double origin = vec3_dot(p->normal, pose_b->position);
        s->plane[k] = (plane){ mat3_tmul(pose_b->rotation, p->normal), p->low - origin + same,
                               p->high - origin - same };
    }
}

static void set_moving(search *s)
{
    s->stretch = carom_bounds_stretch(s->pose.rotation);
    if (s->mesh_a)
        return;
    bool is_round = s->a->kind == CAROM_SHAPE_SPHERE || s->a->kind == CAROM_SHAPE_CAPSULE;
    s->core = (carom_core){ .shape = s->a, .pose = s->pose };
    s->round = is_round ? s->a->radius : 0;
    s->bounds = grown(carom_shape_bounds(s->a, &s->pose), -s->round);
    s->own = grown(s->a->bounds, -s->round);
}

// The planes that all of a convex a lies behind.
static uint32_t planes_above_convex(const search *s)
{
    uint32_t known = 0;
    for (int k = 0; k < s->planes; ++k) {
        vec3 n = s->plane[k].normal;
        vec3 top = s->a->kind == CAROM_SHAPE_SPHERE ? s->core.pose.position
                                                    : carom_convex_support(&s->core, n);
        if (vec3_dot(n, top) + s->round <= s->plane[k].low)
            known |= UINT32_C(1) << k;
    }
    return known;
}

// Whether any corner of a mesh is farther than `low` along a direction of its own frame.
static bool any_beyond(const carom_mesh *mesh, vec3 n, double low)
{
    int stack[CAROM_TREE_DEPTH], depth = 1;
    stack[0] = 0;
    while (depth > 0) {
        int at = stack[--depth];
        const carom_tree_node *node = &mesh->faces.node[at];
        if (top_of(&node->bounds, n) <= low)
            continue;
        for (int i = 0; i < node->count; ++i) {
            carom_triangle t = triangle_of(&mesh->facet[node->first + i]);
            for (int k = 0; k < 3; ++k)
                if (vec3_dot(n, t.corner[k]) > low)
                    return true;
        }
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = at + 1;
        }
    }
    return false;
}

// Whether one plane parts all of a from all of b.
static bool are_parted(const search *s, uint32_t above_convex)
{
    for (int k = 0; k < s->planes; ++k) {
        const plane *p = &s->plane[k];
        bool below = s->mesh_a ? !any_beyond(s->mesh_a, mat3_tmul(s->pose.rotation, p->normal),
                                             p->low - vec3_dot(p->normal, s->pose.position))
                               : above_convex >> k & 1;
        if (below && !any_beyond(s->mesh_b, vec3_neg(p->normal), -p->high))
            return true;
    }
    return false;
}

bool carom_parting_next(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                        const carom_pose *pose_b, double min, double max, carom_partings *known)
{
    if (known->count == CAROM_PARTING_MAX)
        return false;
    search s = { .a = a, .b = b, .mesh_a = a->mesh, .mesh_b = b->mesh };
    s.pose = carom_pose_between(pose_b, pose_a);
    set_planes(&s, pose_b, known);
    set_moving(&s);
    s.min = min + s.round;
    s.max = max + s.round;
    s.best.distance = HUGE_VAL;
    pending stack[PENDING];
    stack[0] = (pending){ .a = s.mesh_a ? 0 : ALL };
    stack[0].bounds_a = bounds_of(&s, stack[0].a);
    stack[0].behind_a = s.mesh_a ? 0 : planes_above_convex(&s);
    if (are_parted(&s, stack[0].behind_a))
        return false;
    if (!descend(&s, stack, is_due(&s, &stack[0]), known->meter) || isinf(s.best.distance))
        return false;
    carom_parting *p = &known->list[known->count++];
    vec3 on_a = carom_pose_out(pose_b, s.best.on_a), n = mat3_mul(pose_b->rotation, s.best.normal);
    double gap = s.best.distance - s.round, origin = vec3_dot(n, pose_b->position);
    *p = carom_parting_of(vec3_axpy(on_a, s.round + 0.5 * gap, n), n, gap);
    // round-off in the direction must not leave out the pair itself, or it would be found for ever
    p->low = fmax(p->low, origin + s.low);
    p->high = fmin(p->high, origin + s.high);
    p->feature_a = (uint32_t)s.found_a;
    p->feature_b = (uint32_t)s.found_b;
    return true;
}

carom_parting carom_parting_of(vec3 point, vec3 normal, double gap)
{
    double middle = vec3_dot(normal, point);
    return (carom_parting){ .normal = normal,
                            .point = point,
                            .gap = gap,
                            .low = middle - 0.5 * gap,
                            .high = middle + 0.5 * gap };
}

carom_parting carom_parting_turned(const carom_parting *parting)
{
    carom_parting turned = *parting;
    turned.normal = vec3_neg(parting->normal);
    turned.low = -parting->high;
    turned.high = -parting->low;
    turned.feature_a = parting->feature_b;
    turned.feature_b = parting->feature_a;
    return turned;
}

void carom_parting_add(carom_partings *known, const carom_parting *parting, double near)
{
    const double like = 1e-6; // rad
    for (int k = 0; k < known->count; ++k) {
        vec3 d = vec3_sub(known->list[k].normal, parting->normal);
        if (vec3_dot(d, d) < like * like && fabs(known->list[k].low - parting->low) <= near)
            return;
    }
    if (known->count < CAROM_PARTING_MAX)
        known->list[known->count++] = *parting;
}

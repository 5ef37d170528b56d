// Contacts with meshes: the edges and corners of each shape in the distance field of the other.
//
// A probe is a corner or a sharp edge of one shape; the signed distance to the other shape along it
// has slope at most one, which prunes whole subtrees by one query at their middle. Along an edge
// the stretches within reach are found by sampling, their lowest points and ends by bisection. Both
// directions together see corner-face, edge-edge and corner-edge contacts; face-face contacts
// appear through corners and crossings. The points are gathered into patches and reduced (patch.h).
#include "collide/pairs.h"
#include "collide/patch.h"
#include "shape/circle.h"
#include "shape/mesh.h"
#include "shape/polytope.h"

// Normals that differ by more than this along an edge belong to different faces of the other shape.
#define SAME_FACE .98
enum { SAMPLES_MOST = 33, REFINE = 30, RIM = 32 };

typedef struct probe {
    vec3 from, to;  // in the other shape's frame
    vec3 axis, hub; // of an arc: unit axis and centre
    double arc;     // radius of the arc, 0 for a straight probe
    double round;   // thickness around the probe
    uint32_t feature;
    vec3 known;       // a point whose distance from the surface is known ...
    double clearance; // ... to be this, without sign; infinite when nothing is known
} probe;

typedef struct field {
    const carom_shape *shape; // whose distance field it is
    const carom_pose *pose;
    double margin, spacing;
    bool probes_first; // the probes belong to shape a of the pair
    carom_patch_set *set;
} field;

typedef struct sample {
    double t;
    carom_nearest near; // distance is already reduced by `round`
} sample;

static vec3 place(const probe *p, double t)
{
    vec3 x = vec3_axpy(p->from, t, vec3_sub(p->to, p->from));
    if (p->arc == 0)
        return x;
    vec3 d = vec3_sub(x, p->hub);
    vec3 along = vec3_scale(vec3_dot(d, p->axis), p->axis), across = vec3_sub(d, along);
    return vec3_add(p->hub, vec3_axpy(along, p->arc / vec3_length(across), across));
}

static sample sample_at(const field *f, const probe *p, double t)
{
    vec3 x = place(p, t);
    // The distance changes by no more than the way from the known point.
    double bound = (p->clearance + vec3_length(vec3_sub(x, p->known))) * (1 + 1e-9);
    sample s = { t, carom_shape_nearest_within(f->shape, x, bound) };
    s.near.distance -= p->round;
    return s;
}

static void keep(const field *f, const probe *p, const sample *s)
{
    if (s->near.distance > f->margin)
        return;
    vec3 outward = mat3_mul(f->pose->rotation, s->near.normal);
    vec3 at = carom_pose_out(f->pose, place(p, s->t));
    carom_manifold_point point = {
        .point = vec3_axpy(at, -p->round - .5 * s->near.distance, outward),
        .normal = f->probes_first ? vec3_neg(outward) : outward,
        .gap = s->near.distance,
        .feature_a = f->probes_first ? p->feature : s->near.feature,
        .feature_b = f->probes_first ? s->near.feature : p->feature,
    };
    carom_patch_add(f->set, point);
}

// How fast the distance grows along the probe: the surface normal is its gradient.
static double slope_at(const probe *p, const sample *s)
{
    vec3 along = vec3_sub(p->to, p->from);
    if (p->arc > 0) {
        vec3 tangent = vec3_cross(p->axis, vec3_sub(place(p, s->t), p->hub));
        along = vec3_dot(tangent, along) < 0 ? vec3_neg(tangent) : tangent;
    }
    return vec3_dot(s->near.normal, along);
}

// The lowest point near the sample s[low]: between it and the neighbour towards which the distance
// falls, by bisection on the slope.
static sample lowest(const field *f, const probe *p, const sample *s, int count, int low)
{
    int other = slope_at(p, &s[low]) > 0 ? low - 1 : low + 1;
    sample best = s[low];
    if (other < 0 || other >= count)
        return best;
    sample side[2] = { s[other < low ? other : low], s[other < low ? low : other] };
    for (int i = 0; i < REFINE; ++i) {
        sample middle = sample_at(f, p, .5 * (side[0].t + side[1].t));
        if (middle.near.distance < best.near.distance)
            best = middle;
        side[slope_at(p, &middle) > 0] = middle;
    }
    return best;
}

static bool same_stretch(const field *f, const sample *a, const sample *b)
{
    return b->near.distance <= f->margin && vec3_dot(a->near.normal, b->near.normal) > SAME_FACE;
}

// The end of the stretch that holds at `inside` and no longer at `outside`.
static sample last_of_stretch(const field *f, const probe *p, sample inside, double outside)
{
    for (int i = 0; i < REFINE; ++i) {
        sample middle = sample_at(f, p, .5 * (inside.t + outside));
        if (same_stretch(f, &inside, &middle))
            inside = middle;
        else
            outside = middle.t;
    }
    return inside;
}

// One stretch of samples from first to last: its lowest point and its two ends.
static void keep_stretch(const field *f, const probe *p, const sample *s, int count, int first,
                         int last)
{
    int low = first;
    for (int i = first + 1; i <= last; ++i)
        if (s[i].near.distance < s[low].near.distance)
            low = i;
    sample bottom = lowest(f, p, s, count, low);
    if (bottom.t > 1e-9 && bottom.t < 1 - 1e-9)
        keep(f, p, &bottom);
    // Ends of the probe are corners, which are probes of their own unless they carry a thickness.
    if (first > 0) {
        sample end = last_of_stretch(f, p, s[first], s[first - 1].t);
        keep(f, p, &end);
    } else if (p->round > 0) {
        keep(f, p, &s[0]);
    }
    if (last < count - 1) {
        sample end = last_of_stretch(f, p, s[last], s[last + 1].t);
        keep(f, p, &end);
    } else if (p->round > 0) {
        keep(f, p, &s[count - 1]);
    }
}

// No sample is within reach, but between two samples the distance may dip by half their spacing.
static void keep_dips(const field *f, const probe *p, const sample *s, int count, double step)
{
    for (int i = 0; i < count; ++i) {
        bool dip = (i == 0 || s[i].near.distance <= s[i - 1].near.distance) &&
                   (i == count - 1 || s[i].near.distance < s[i + 1].near.distance);
        if (!dip || s[i].near.distance <= f->margin || s[i].near.distance > f->margin + step)
            continue;
        sample bottom = lowest(f, p, s, count, i);
        if (bottom.t > 1e-9 && bottom.t < 1 - 1e-9)
            keep(f, p, &bottom);
    }
}

static void try_edge(const field *f, const probe *p)
{
    double length = vec3_length(vec3_sub(p->to, p->from)) * (p->arc > 0 ? 1.1 : 1);
    sample middle = sample_at(f, p, .5);
    if (middle.near.distance > .5 * length + f->margin)
        return;
    int count = 3 + (int)fmin(length / f->spacing, SAMPLES_MOST - 3);
    sample s[SAMPLES_MOST];
    if (count == 3 && p->round == 0) { // short: only a dip in the middle tells more than the ends
        s[0] = sample_at(f, p, 0);
        s[1] = middle;
        s[2] = sample_at(f, p, 1);
        double least = fmin(s[0].near.distance, s[2].near.distance);
        if (middle.near.distance <= least && middle.near.distance <= f->margin + .5 * length) {
            sample bottom = lowest(f, p, s, 3, 1);
            keep(f, p, &bottom);
        }
        return;
    }
    for (int i = 0; i < count; ++i)
        s[i] = sample_at(f, p, (double)i / (count - 1));
    for (int first = 0, last; first < count; first = last + 1) {
        last = first;
        if (s[first].near.distance > f->margin)
            continue;
        while (last + 1 < count && same_stretch(f, &s[first], &s[last + 1]))
            ++last;
        keep_stretch(f, p, s, count, first, last);
    }
    keep_dips(f, p, s, count, length / (count - 1));
}

static void try_probe(const field *f, const probe *p)
{
    vec3 d = vec3_sub(p->to, p->from);
    if (vec3_dot(d, d) > 0) {
        try_edge(f, p);
        return;
    }
    sample s = sample_at(f, p, 0);
    keep(f, p, &s);
}

// -- the probes of each kind, in the field's frame by `pose` -------------------------------------

typedef struct visit {
    int node;
    vec3 known; // as in probe
    double clearance;
} visit;

static void mesh_probes(const field *f, const carom_mesh *mesh, const carom_pose *pose)
{
    visit stack[CAROM_TREE_DEPTH];
    int depth = 0;
    if (mesh->probe_count > 0)
        stack[depth++] = (visit){ 0, { 0, 0, 0 }, HUGE_VAL };
    while (depth > 0) {
        visit top = stack[--depth];
        int at = top.node;
        const carom_tree_node *node = &mesh->probes.node[at];
        vec3 middle = vec3_scale(.5, vec3_add(node->bounds.least, node->bounds.most));
        double radius = .5 * vec3_length(vec3_sub(node->bounds.most, node->bounds.least));
        vec3 there = carom_pose_out(pose, middle);
        // The box first: it costs nothing, and far away the exact distance costs the most.
        double reach = radius + f->margin;
        if (carom_tree_squared(&f->shape->bounds, there) > reach * reach)
            continue;
        double bound = (top.clearance + vec3_length(vec3_sub(there, top.known))) * (1 + 1e-9);
        double distance = carom_shape_nearest_within(f->shape, there, bound).distance;
        if (distance > reach)
            continue;
        for (int i = 0; i < node->count; ++i) {
            const carom_mesh_probe *q = &mesh->probe[mesh->probes.order[node->first + i]];
            probe p = { .from = carom_pose_out(pose, mesh->vertex[q->from]),
                        .to = carom_pose_out(pose, mesh->vertex[q->to]),
                        .feature = q->feature,
                        .known = there,
                        .clearance = fabs(distance) };
            try_probe(f, &p);
        }
        if (node->count == 0) {
            stack[depth++] = (visit){ node->first, there, fabs(distance) };
            stack[depth++] = (visit){ at + 1, there, fabs(distance) };
        }
    }
}

static void polytope_probes(const field *f, const carom_polytope *q, const carom_pose *pose)
{
    for (int v = 0; v < q->vertex_count; ++v) {
        vec3 x = carom_pose_out(pose, q->vertex[v]);
        try_probe(f, &(probe){ .clearance = HUGE_VAL,
                               .from = x,
                               .to = x,
                               .feature = CAROM_FEATURE_VERTEX | (uint32_t)v });
    }
    for (int e = 0; e < q->edge_count; ++e)
        try_probe(f, &(probe){ .clearance = HUGE_VAL,
                               .from = carom_pose_out(pose, q->vertex[q->edge[e].vertex[0]]),
                               .to = carom_pose_out(pose, q->vertex[q->edge[e].vertex[1]]),
                               .feature = CAROM_FEATURE_EDGE | (uint32_t)e });
}

static void capsule_probes(const field *f, const carom_shape *shape, const carom_pose *pose)
{
    try_probe(f, &(probe){ .clearance = HUGE_VAL,
                           .from = carom_pose_out(pose, vec3_make(0, 0, -shape->half_length)),
                           .to = carom_pose_out(pose, vec3_make(0, 0, shape->half_length)),
                           .round = shape->radius });
}

// Rims as arcs with their dividing points as corners; the barrel as lines between the rims.
static void cylinder_probes(const field *f, const carom_shape *shape, const carom_pose *pose)
{
    double r = shape->radius, h = shape->half_length;
    for (int k = 0; k < RIM; ++k) {
        double c[2], s[2];
        carom_circle_point(k, RIM, &c[0], &s[0]);
        carom_circle_point((k + 1) % RIM, RIM, &c[1], &s[1]);
        vec3 end[2];
        for (int cap = 0; cap < 2; ++cap) {
            double z = cap ? -h : h;
            uint32_t name = (uint32_t)(k + RIM * cap);
            end[cap] = carom_pose_out(pose, vec3_make(r * c[0], r * s[0], z));
            try_probe(f, &(probe){ .clearance = HUGE_VAL,
                                   .from = end[cap],
                                   .to = end[cap],
                                   .feature = CAROM_FEATURE_VERTEX | name });
            try_probe(f, &(probe){ .clearance = HUGE_VAL,
                                   .from = end[cap],
                                   .to = carom_pose_out(pose, vec3_make(r * c[1], r * s[1], z)),
                                   .axis = carom_pose_column(pose, 2),
                                   .hub = carom_pose_out(pose, vec3_make(0, 0, z)),
                                   .arc = r,
                                   .feature = CAROM_FEATURE_EDGE | name });
        }
        try_probe(f, &(probe){ .clearance = HUGE_VAL,
                               .from = end[0],
                               .to = end[1],
                               .feature = CAROM_FEATURE_EDGE | (uint32_t)(k + 2 * RIM) });
    }
}

static void all_probes(const field *f, const carom_shape *shape, const carom_pose *pose)
{
    if (shape->kind == CAROM_SHAPE_MESH)
        mesh_probes(f, shape->mesh, pose);
    else if (shape->kind == CAROM_SHAPE_CAPSULE)
        capsule_probes(f, shape, pose);
    else if (shape->kind == CAROM_SHAPE_CYLINDER)
        cylinder_probes(f, shape, pose);
    else
        polytope_probes(f, shape->polytope, pose);
}

void carom_field_touch(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                       const carom_pose *pose_b, double margin, carom_manifold *out)
{
    carom_patch_set set;
    double size = fmin(a->bounding_radius, b->bounding_radius);
    carom_patch_open(&set, size, margin);
    carom_pose a_in_b = carom_pose_between(pose_b, pose_a);
    carom_pose b_in_a = carom_pose_between(pose_a, pose_b);
    field of_b = { b, pose_b, margin, size / 16, true, &set };
    field of_a = { a, pose_a, margin, size / 16, false, &set };
    all_probes(&of_b, a, &a_in_b);
    all_probes(&of_a, b, &b_in_a);
    carom_patch_close(&set, out);
}

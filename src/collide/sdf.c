// Contacts with meshes: the edges and corners of each shape in the signed distance field (SDF) of
// the other.
//
// A probe is a corner or a sharp edge of one shape; the signed distance to the other shape along it
// has slope at most one, which prunes whole subtrees by one query at their middle. Along an edge
// the stretches within reach are found by sampling, their lowest points and ends by bisection. Both
// directions together see corner-face, edge-edge and corner-edge contacts; face-face contacts
// appear through corners and crossings. The points are gathered into patches and reduced (patch.h).
#include "collide/narrow.h"
#include "collide/pairs.h"
#include "collide/parting.h"
#include "collide/patch.h"
#include "math/trig.h"
#include "shape/mesh.h"
#include "shape/polytope.h"

// Normals that differ by more than this along an edge belong to different faces of the other shape.
#define SAME_FACE 0.98
// Between bodies that move fast the margin is wide, but what touches first is at the least gap:
// only points up to this share of the smaller shape's radius above it are gathered.
#define BAND 0.05
#define FLAT 0.01   // rise over run
#define RISE 0.1    // over what was found, of the smaller shape's radius: less is no other place
#define INSIDE 1e-7 // of the spacing: how far from a tie between faces
enum { NODE = 20, PROBE = 40 }; // what they cost, see the meter
enum { SAMPLES_MAX = 33, REFINE = 30, ROUGH = 6, RIM = 32, PLACES = 16, MINIMA = 8 };

typedef struct probe {
    vec3 from, to;  // in the other shape's frame
    vec3 axis, hub; // of an arc: unit axis and centre
    double arc;     // radius of the arc, 0 for a straight probe
    double round;   // thickness around the probe
    bool corner; // of a convex shape: its ends touch every wall of a hollow, not the nearest alone
    uint32_t feature;
    vec3 known;      // a point whose signed distance from the surface is known ...
    double distance; // ... to be this; infinite when nothing is known
} probe;

typedef struct field {
    const carom_shape *shape; // whose distance field it is
    const carom_pose *pose;
    double margin, spacing;
    bool probes_first; // the probes belong to shape a of the pair
    carom_patch_set *set;
    carom_progress_meter *meter;
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

// How far to look for the surface from x, where distances above `max` do not matter. The distance
// changes by no more than the way from a known point: without its sign it is at most |distance| +
// way, and inside no deeper than way - distance.
static double bound_at(const field *f, const probe *p, vec3 x, double max)
{
    if (isinf(p->distance))
        return HUGE_VAL;
    double way = vec3_length(vec3_sub(x, p->known));
    double bound = fmin(fabs(p->distance) + way, fmax(max, way - p->distance));
    return bound * (1 + 1e-9) + 1e-9 * f->spacing;
}

// A distance above `max` may come out as infinite.
static sample sample_at(const field *f, const probe *p, double t, double max)
{
    vec3 x = place(p, t);
    double bound = bound_at(f, p, x, max + p->round);
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
        .point = vec3_axpy(at, -p->round - 0.5 * s->near.distance, outward),
        .normal = f->probes_first ? vec3_neg(outward) : outward,
        .gap = s->near.distance,
        .feature_a = f->probes_first ? p->feature : s->near.feature,
        .feature_b = f->probes_first ? s->near.feature : p->feature,
    };
    carom_patch_add(f->set, point);
}

// An end of the probe: every local minimum of the distance where it is a corner.
static void keep_end_of_probe(const field *f, const probe *p, const sample *s)
{
    carom_nearest found[MINIMA];
    if (!p->corner || f->shape->kind != CAROM_SHAPE_MESH) {
        keep(f, p, s);
        return;
    }
    int count = carom_mesh_local_nearest(f->shape->mesh, place(p, s->t), f->margin + p->round,
                                         found, MINIMA);
    for (int i = 0; i < count; ++i) {
        sample each = { s->t, found[i] };
        each.near.distance -= p->round;
        keep(f, p, &each);
    }
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

// Where to look next for the lowest point between two samples: in turn where the tangents at both
// meet (exact between two faces), where the slope would vanish (exact along a curve), and halfway.
// `depth` becomes the distance where the tangents meet: less is not to be expected.
static double guess_lowest(const probe *p, const sample side[2], int turn, double *depth)
{
    double t0 = side[0].t, t1 = side[1].t, d0 = side[0].near.distance, d1 = side[1].near.distance;
    double middle = 0.5 * (t0 + t1);
    *depth = -HUGE_VAL;
    if (p->arc > 0 || isinf(d0) || isinf(d1))
        return middle;
    double g0 = slope_at(p, &side[0]), g1 = slope_at(p, &side[1]);
    if (!(g0 < 0 && g1 > 0))
        return middle;
    double meet = (d1 - d0 + g0 * t0 - g1 * t1) / (g0 - g1),
           level = t0 - g0 * (t1 - t0) / (g1 - g0);
    double t = turn % 3 == 0 ? meet : turn % 3 == 1 ? level : middle, edge = 1e-3 * (t1 - t0);
    *depth = d0 + g0 * (meet - t0);
    return fmin(fmax(t, t0 + edge), t1 - edge);
}

// The lowest point near the sample s[low]: between it and the neighbour towards which the distance
// falls.
static sample lowest(const field *f, const probe *p, const sample *s, int count, int low)
{
    int other = slope_at(p, &s[low]) > 0 ? low - 1 : low + 1;
    sample best = s[low];
    if (other < 0 || other >= count)
        return best;
    double length = vec3_length(vec3_sub(p->to, p->from)) * (p->arc > 0 ? 1.1 : 1);
    sample side[2] = { s[other < low ? other : low], s[other < low ? low : other] };
    for (int i = 0; i < REFINE; ++i) {
        double width = (side[1].t - side[0].t) * length, depth;
        double t = guess_lowest(p, side, i, &depth);
        // Inside, the lowest point lies where two faces are equally near, and there round-off would
        // choose between them: a little before it, it is always the same one.
        double before = best.near.distance < 0 || (depth < 0 && isfinite(depth)) ? INSIDE : 0;
        // Out of reach (the slope is at most one), or nothing left to gain.
        if (best.near.distance - width > f->margin || width < 1e-10 * f->spacing ||
            best.near.distance - depth < (2 * before + 1e-9) * f->spacing)
            break;
        t = fmax(t - before * f->spacing / length, side[0].t);
        sample middle = sample_at(f, p, t, best.near.distance + width);
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

// The end of the stretch that holds at `inside` and no longer at `outside`: to round-off where it
// leaves a face, roughly where it only leaves the margin.
static sample last_of_stretch(const field *f, const probe *p, sample inside, const sample *outside)
{
    int halvings = outside->near.distance > f->margin ? ROUGH : REFINE;
    double end = outside->t;
    for (int i = 0; i < halvings; ++i) {
        sample middle = sample_at(f, p, 0.5 * (inside.t + end), f->margin);
        if (same_stretch(f, &inside, &middle))
            inside = middle;
        else
            end = middle.t;
    }
    return inside;
}

// The end of a stretch whose last sample is s[at], before s[at + way]. Exact where the edge lies
// flat on a face, within half a degree: there the end carries load. Else the sample is near enough.
static void keep_end(const field *f, const probe *p, const sample *s, int at, int way,
                     const sample *bottom)
{
    sample end = s[at];
    double length = vec3_length(vec3_sub(p->to, p->from));
    double rise = end.near.distance - bottom->near.distance, run = fabs(s[at + way].t - bottom->t);
    if (rise <= FLAT * run * length)
        end = last_of_stretch(f, p, end, &s[at + way]);
    keep(f, p, &end);
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
    // Ends of the probe are corners, which are probes of their own.
    if (first > 0)
        keep_end(f, p, s, first, -1, &bottom);
    if (last < count - 1)
        keep_end(f, p, s, last, 1, &bottom);
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

// Short: only a dip in the middle tells more than the ends.
static void try_short(const field *f, const probe *p, sample middle, double length)
{
    double max = f->margin + 0.5 * length;
    if (middle.near.distance > max)
        return;
    sample s[3] = { sample_at(f, p, 0, max), middle, sample_at(f, p, 1, max) };
    if (middle.near.distance > fmin(s[0].near.distance, s[2].near.distance))
        return;
    sample bottom = lowest(f, p, s, 3, 1);
    keep(f, p, &bottom);
}

static void try_edge(const field *f, const probe *given)
{
    double length = vec3_length(vec3_sub(given->to, given->from)) * (given->arc > 0 ? 1.1 : 1);
    sample middle = sample_at(f, given, 0.5, 0.5 * length + f->margin);
    if (middle.near.distance > 0.5 * length + f->margin)
        return;
    probe nearer = *given, *p = &nearer; // the middle is near to every point of the edge
    p->known = place(given, 0.5);
    p->distance = middle.near.distance + given->round;
    int count = 3 + (int)fmin(length / f->spacing, SAMPLES_MAX - 3);
    if (count == 3 && p->round == 0) {
        try_short(f, p, middle, length);
        return;
    }
    sample s[SAMPLES_MAX];
    double step = length / (count - 1);
    for (int i = 0; i < count; ++i)
        s[i] = sample_at(f, p, (double)i / (count - 1), f->margin + step);
    for (int first = 0, last; first < count; first = last + 1) {
        last = first;
        if (s[first].near.distance > f->margin)
            continue;
        while (last + 1 < count && same_stretch(f, &s[first], &s[last + 1]))
            ++last;
        keep_stretch(f, p, s, count, first, last);
    }
    keep_dips(f, p, s, count, step);
}

static void try_probe(const field *f, const probe *p)
{
    vec3 d = vec3_sub(p->to, p->from);
    if (vec3_dot(d, d) > 0) {
        try_edge(f, p);
        return;
    }
    sample s = sample_at(f, p, 0, f->margin);
    if (s.near.distance <= f->margin)
        keep_end_of_probe(f, p, &s);
}

// -- the probes of each kind, in the field's frame by `pose` -------------------------------------

typedef struct visit {
    int node;
    vec3 known; // the middle of its box; with the distance as in probe
    double distance, radius;
    double outside; // squared, from the box around the field's shape
} visit;

// A node of the probes' tree in the field: its middle, and how far its probes lie from there.
static visit visit_of(const field *f, const carom_mesh *mesh, const carom_pose *pose, int node)
{
    const carom_bounds *b = &mesh->probes.node[node].bounds;
    visit v = { .node = node, .radius = 0.5 * vec3_length(vec3_sub(b->max, b->min)) };
    v.known = carom_pose_out(pose, vec3_scale(0.5, vec3_add(b->min, b->max)));
    v.outside = carom_tree_squared(&f->shape->bounds, v.known);
    return v;
}

// Fills the distance of a node's middle, if any of its probes can be nearer than `max`.
static bool within(const field *f, const visit *parent, visit *v, double max)
{
    // The box first: it costs nothing, and far away the exact distance costs the most.
    double reach = v->radius + max;
    if (reach <= 0 || v->outside > reach * reach)
        return false;
    probe above = { .known = parent->known, .distance = parent->distance };
    double bound = bound_at(f, &above, v->known, reach);
    v->distance = carom_shape_nearest_within(f->shape, v->known, bound).distance;
    return v->distance <= reach;
}

static probe probe_of(const carom_mesh *mesh, const carom_pose *pose, const visit *leaf, int i)
{
    const carom_tree_node *node = &mesh->probes.node[leaf->node];
    const carom_mesh_probe *q = &mesh->probe[mesh->probes.order[node->first + i]];
    return (probe){ .from = carom_pose_out(pose, mesh->vertex[q->from]),
                    .to = carom_pose_out(pose, mesh->vertex[q->to]),
                    .feature = q->feature,
                    .known = leaf->known,
                    .distance = leaf->distance };
}

static void mesh_probes(const field *f, const carom_mesh *mesh, const carom_pose *pose)
{
    visit stack[CAROM_TREE_DEPTH], unknown = { .distance = HUGE_VAL };
    int depth = 0;
    stack[0] = visit_of(f, mesh, pose, 0);
    depth += mesh->probe_count > 0 && within(f, &unknown, &stack[0], f->margin);
    while (depth > 0) {
        visit top = stack[--depth], child[2];
        const carom_tree_node *node = &mesh->probes.node[top.node];
        if (!carom_progress_meter_runs(f->meter, NODE + PROBE * node->count))
            return;
        for (int i = 0; i < node->count; ++i) {
            probe p = probe_of(mesh, pose, &top, i);
            try_probe(f, &p);
        }
        if (node->count > 0)
            continue;
        child[0] = visit_of(f, mesh, pose, node->first);
        child[1] = visit_of(f, mesh, pose, top.node + 1);
        for (int k = 0; k < 2; ++k)
            if (within(f, &top, &child[k], f->margin))
                stack[depth++] = child[k];
    }
}

static void polytope_probes(const field *f, const carom_polytope *q, const carom_pose *pose)
{
    for (int v = 0; v < q->vertex_count; ++v) {
        vec3 x = carom_pose_out(pose, q->vertex[v]);
        try_probe(f, &(probe){ .distance = HUGE_VAL,
                               .from = x,
                               .to = x,
                               .corner = true,
                               .feature = CAROM_FEATURE_VERTEX | (uint32_t)v });
    }
    for (int e = 0; e < q->edge_count; ++e)
        try_probe(f, &(probe){ .distance = HUGE_VAL,
                               .from = carom_pose_out(pose, q->vertex[q->edge[e].vertex[0]]),
                               .to = carom_pose_out(pose, q->vertex[q->edge[e].vertex[1]]),
                               .feature = CAROM_FEATURE_EDGE | (uint32_t)e });
}

static void capsule_probes(const field *f, const carom_shape *shape, const carom_pose *pose)
{
    vec3 end[2];
    for (int k = 0; k < 2; ++k) {
        double z = k ? shape->half_length : -shape->half_length;
        end[k] = carom_pose_out(pose, vec3_make(0, 0, z));
        try_probe(f, &(probe){ .distance = HUGE_VAL,
                               .from = end[k],
                               .to = end[k],
                               .round = shape->radius,
                               .corner = true,
                               .feature = CAROM_FEATURE_VERTEX | (uint32_t)k });
    }
    try_probe(
        f, &(probe){ .distance = HUGE_VAL, .from = end[0], .to = end[1], .round = shape->radius });
}

// Rims as arcs with their dividing points as corners; the barrel as lines between the rims.
static void cylinder_probes(const field *f, const carom_shape *shape, const carom_pose *pose)
{
    double r = shape->radius, h = shape->half_length;
    for (int k = 0; k < RIM; ++k) {
        double c[2], s[2];
        carom_trig_circle(k, RIM, &c[0], &s[0]);
        carom_trig_circle((k + 1) % RIM, RIM, &c[1], &s[1]);
        vec3 end[2];
        for (int cap = 0; cap < 2; ++cap) {
            double z = cap ? -h : h;
            uint32_t name = (uint32_t)(k + RIM * cap);
            end[cap] = carom_pose_out(pose, vec3_make(r * c[0], r * s[0], z));
            try_probe(f, &(probe){ .distance = HUGE_VAL,
                                   .from = end[cap],
                                   .to = end[cap],
                                   .feature = CAROM_FEATURE_VERTEX | name });
            try_probe(f, &(probe){ .distance = HUGE_VAL,
                                   .from = end[cap],
                                   .to = carom_pose_out(pose, vec3_make(r * c[1], r * s[1], z)),
                                   .axis = carom_pose_column(pose, 2),
                                   .hub = carom_pose_out(pose, vec3_make(0, 0, z)),
                                   .arc = r,
                                   .feature = CAROM_FEATURE_EDGE | name });
        }
        try_probe(f, &(probe){ .distance = HUGE_VAL,
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

// Whether a surface that crosses no other is inside of it: told by any one point.
static bool is_inside(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                      const carom_pose *pose_b)
{
    vec3 of_a = a->mesh ? a->mesh->vertex[0] : vec3_make(0, 0, 0), of_b = b->mesh->vertex[0];
    vec3 a_in_b = carom_pose_in(pose_b, carom_pose_out(pose_a, of_a));
    vec3 b_in_a = carom_pose_in(pose_a, carom_pose_out(pose_b, of_b));
    return (carom_tree_squared(&b->bounds, a_in_b) <= 0 &&
            carom_shape_nearest(b, a_in_b).distance < 0) ||
           (carom_tree_squared(&a->bounds, b_in_a) <= 0 &&
            carom_shape_nearest(a, b_in_a).distance < 0);
}

static void add_parting(const carom_parting *p, carom_manifold *out)
{
    carom_manifold_add(out, (carom_manifold_point){ .point = p->point,
                                                    .normal = p->normal,
                                                    .gap = p->gap,
                                                    .feature_a = p->feature_a,
                                                    .feature_b = p->feature_b });
}

// What rises in front of all that was found (a wall, while the floor is nearer) is the nearest
// thing to no probe, and may still be met first: the nearest pair of features of each such place.
static void add_partings(carom_narrow_part a, carom_narrow_part b, double size, double margin,
                         carom_manifold *out, int first)
{
    carom_partings known = { .count = 0, .loose = RISE * size, .meter = out->meter };
    for (int i = first; i < out->count && known.count < PLACES; ++i) {
        const carom_manifold_point *found = &out->points[i];
        carom_parting p = carom_parting_of(found->point, found->normal, found->gap);
        carom_parting_add(&known, &p, known.loose);
    }
    while (carom_parting_next(a.shape, a.pose, b.shape, b.pose, INSIDE * size, margin, &known))
        add_parting(&known.list[known.count - 1], out);
}

// Whether a contact as near as that was found.
static bool has_gap(const carom_manifold *out, int first, double gap)
{
    bool any = false;
    for (int i = first; i < out->count && !any; ++i)
        any = out->points[i].gap <= gap;
    return any;
}

static void gather(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                   const carom_pose *pose_b, double margin, carom_manifold *out)
{
    carom_patch_set set;
    double size = fmin(a->bounding_radius, b->bounding_radius);
    carom_patch_open(&set, size, margin);
    carom_pose a_in_b = carom_pose_between(pose_b, pose_a);
    carom_pose b_in_a = carom_pose_between(pose_a, pose_b);
    field of_b = { b, pose_b, margin, size / 16, true, &set, out->meter };
    field of_a = { a, pose_a, margin, size / 16, false, &set, out->meter };
    all_probes(&of_b, a, &a_in_b);
    all_probes(&of_a, b, &b_in_a);
    carom_patch_close(&set, out);
}

void carom_sdf_touch(const carom_shape *a, const carom_pose *pose_a, const carom_shape *b,
                     const carom_pose *pose_b, double margin, carom_manifold *out)
{
    double size = fmin(a->bounding_radius, b->bounding_radius);
    if (margin <= BAND * size && !out->min) {
        gather(a, pose_a, b, pose_b, margin, out);
        return;
    }
    carom_narrow_part pair[2] = { { a, pose_a }, { b, pose_b } };
    carom_partings nearest = { .count = 0, .meter = out->meter };
    const carom_parting *p = &nearest.list[0];
    double far = fmax(margin, INSIDE * size); // so that surfaces that meet are found
    bool near = carom_parting_next(a, pose_a, b, pose_b, -HUGE_VAL, far, &nearest);
    bool apart = (!near || p->gap > 0) && !is_inside(a, pose_a, b, pose_b);
    if (apart && (!near || p->gap > margin))
        return;
    if (apart && out->min) {
        add_parting(p, out);
        return;
    }
    int first = out->count;
    double band = out->min ? 0 : BAND * size + out->turning;
    gather(a, pose_a, b, pose_b, near ? fmin(margin, fmax(p->gap, 0) + band) : margin, out);
    if (apart && !has_gap(out, first, p->gap + INSIDE * size)) // short edges are no probes
        add_parting(p, out);
    if (!out->min)
        add_partings(pair[0], pair[1], size, margin, out, first);
}

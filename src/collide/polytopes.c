// Separating axes of two polytopes: face normals, and cross products of edges.
//
// Only edge pairs whose arcs cross on the Gauss map make a face of the Minkowski difference and can
// be the best axis (Gregorius 2013, "The separating axis test between convex polyhedra"); the rest
// is skipped. Everything happens in a's frame.
#include "collide/convex.h"

typedef struct pair {
    const carom_polytope *a, *b;
    carom_pose between; // b's frame to a's
    double size;
} pair;

typedef struct candidate {
    double gap;
    vec3 direction; // from a to b, a's frame
} candidate;

// Faces of `p` against the corners of `q` (both in p's frame by `pose`). Returns the number of the
// best face.
static double best_face(const carom_polytope *p, const carom_polytope *q, const carom_pose *pose,
                        double margin, int *face)
{
    double most = -HUGE_VAL;
    *face = 0;
    for (int f = 0; f < p->face_count && most <= margin; ++f) {
        vec3 inward = mat3_tmul(pose->rotation, vec3_neg(p->normal[f]));
        vec3 deepest = carom_pose_out(pose, q->vertex[carom_polytope_support(q, inward)]);
        double gap = vec3_dot(p->normal[f], deepest) - p->offset[f];
        if (gap > most) {
            most = gap;
            *face = f;
        }
    }
    return most;
}

// a, b: normals beside one edge; c, d: negated normals beside the other. Do the arcs ab and cd
// cross?
static bool arcs_cross(vec3 a, vec3 b, vec3 b_x_a, vec3 c, vec3 d, vec3 d_x_c)
{
    double cba = vec3_dot(c, b_x_a), dba = vec3_dot(d, b_x_a);
    double adc = vec3_dot(a, d_x_c), bdc = vec3_dot(b, d_x_c);
    return cba * dba < 0 && adc * bdc < 0 && cba * bdc > 0;
}

static void try_edges(const pair *p, const carom_polytope_edge *ea, const carom_polytope_edge *eb,
                      candidate *best)
{
    const mat3 *r = &p->between.rotation;
    vec3 na = p->a->normal[ea->face[0]], nb = p->a->normal[ea->face[1]];
    vec3 nc = vec3_neg(mat3_mul(*r, p->b->normal[eb->face[0]]));
    vec3 nd = vec3_neg(mat3_mul(*r, p->b->normal[eb->face[1]]));
    vec3 a0 = p->a->vertex[ea->vertex[0]], a1 = p->a->vertex[ea->vertex[1]];
    vec3 da = vec3_sub(a1, a0);
    vec3 b0 = p->b->vertex[eb->vertex[0]], b1 = p->b->vertex[eb->vertex[1]];
    vec3 db = mat3_mul(*r, vec3_sub(b1, b0));
    // The edge itself is parallel to the cross product of the normals beside it, and better
    // conditioned.
    if (!arcs_cross(na, nb, vec3_neg(da), nc, nd, vec3_neg(db)))
        return;
    vec3 axis = vec3_cross(da, db);
    double length = vec3_length(axis), scale = vec3_length(da) * vec3_length(db);
    if (length < 1e-5 * scale)
        return;
    axis = vec3_scale(1 / length, axis);
    if (vec3_dot(axis, vec3_add(na, nb)) < 0)
        axis = vec3_neg(axis);
    double gap = vec3_dot(axis, vec3_sub(carom_pose_out(&p->between, b0), a0));
    if (gap > best->gap + 1e-14 * p->size * scale / length) {
        best->gap = gap;
        best->direction = axis;
    }
}

carom_axis carom_polytopes_axis(const carom_core *a, const carom_core *b, double margin)
{
    pair p = { a->shape->polytope, b->shape->polytope, carom_pose_between(&a->pose, &b->pose),
               a->shape->bounding_radius + b->shape->bounding_radius };
    carom_pose back = carom_pose_between(&b->pose, &a->pose);
    int face_a, face_b;
    double gap_a = best_face(p.a, p.b, &p.between, margin, &face_a);
    if (gap_a > margin)
        return (carom_axis){ .gap = gap_a };
    double gap_b = best_face(p.b, p.a, &back, margin, &face_b);
    if (gap_b > margin)
        return (carom_axis){ .gap = gap_b };
    candidate best = { gap_a, p.a->normal[face_a] };
    if (gap_b > gap_a)
        best = (candidate){ gap_b, vec3_neg(mat3_mul(p.between.rotation, p.b->normal[face_b])) };
    for (int i = 0; i < p.a->edge_count; ++i)
        for (int j = 0; j < p.b->edge_count; ++j)
            try_edges(&p, &p.a->edge[i], &p.b->edge[j], &best);
    return (carom_axis){ .normal = mat3_mul(a->pose.rotation, best.direction),
                         .gap = best.gap,
                         .exact = best.gap <= 0 };
}

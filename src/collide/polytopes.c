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
    vec3 normal_b[CAROM_POLYTOPES_FACES];       // of b's faces in a's frame, turned inward
    double normals_b[3][CAROM_POLYTOPES_FACES]; // the same by coordinate
    int near_b[CAROM_POLYTOPES_EDGES];          // b's edges that may hold the best axis
    int near_count;
    double needed; // m, of the way between the origins that a better axis must see
    vec3 along_b[CAROM_POLYTOPES_EDGES]; // those edges in a's frame
} pair;

typedef struct candidate {
    double gap;
    vec3 direction; // from a to b, a's frame
} candidate;

static double inner_radius(const carom_polytope *p)
{
    double min = HUGE_VAL;
    for (int f = 0; f < p->face_count; ++f)
        min = p->offset[f] < min ? p->offset[f] : min;
    return min;
}

// The gap between face f of `p` and the corner of `q` (in p's frame by `pose`) that is deepest
// below it.
static double gap_of_face(const carom_polytope *p, int f, const carom_polytope *q,
                          const carom_pose *pose)
{
    vec3 inward = mat3_tmul(pose->rotation, vec3_neg(p->normal[f]));
    vec3 deepest = carom_pose_out(pose, q->vertex[carom_polytope_support(q, inward)]);
    return vec3_dot(p->normal[f], deepest) - p->offset[f];
}

// The face of `p` from which `q` is farthest, the first of equals. The deepest corner is at least
// as deep as the ball inside `q`: faces that this bound leaves behind the best one need no search,
// and that which looks at q's middle is the one to begin with. Returns its gap, or any above the
// margin.
static double best_face(const carom_polytope *p, const carom_polytope *q, const carom_pose *pose,
                        double margin, int *face)
{
    double bound[CAROM_POLYTOPES_FACES], most = -HUGE_VAL, ball = inner_radius(q);
    double safe = 1e-9 * (fabs(ball) + vec3_length(pose->position)); // above any round-off
    *face = 0;
    for (int f = 0; f < p->face_count; ++f) {
        bound[f] = vec3_dot(p->normal[f], pose->position) - p->offset[f];
        if (bound[f] > most) {
            most = bound[f];
            *face = f;
        }
    }
    int first = *face;
    double max = gap_of_face(p, first, q, pose);
    for (int f = 0; f < p->face_count && max <= margin; ++f) {
        if (f == first || bound[f] - ball + safe < max)
            continue;
        double gap = gap_of_face(p, f, q, pose);
        if (gap > max || (gap == max && f < *face)) {
            max = gap;
            *face = f;
        }
    }
    return max;
}

// On which side of the plane across `along` each of b's inward normals points. Every edge of b asks
// for two of them: once per normal instead of twice per edge.
static void take_sides(const pair *p, vec3 along, double *side)
{
    const double *x = p->normals_b[0], *y = p->normals_b[1], *z = p->normals_b[2];
    for (int f = 0; f < p->b->face_count; ++f)
        side[f] = x[f] * along.x + y[f] * along.y + z[f] * along.z;
}

// Edge e of a (between faces with the normals a, b, running along `da`) against every edge of b.
// The arcs ab and cd (c, d: inward normals beside b's edge) cross when each separates the ends of
// the other and both lie in one hemisphere. The edge itself is parallel to the cross product of the
// normals beside it, and better conditioned.
static void try_edge(const pair *p, const carom_polytope_edge *ea, candidate *best)
{
    vec3 a = p->a->normal[ea->face[0]], b = p->a->normal[ea->face[1]];
    vec3 a0 = p->a->vertex[ea->vertex[0]], da = vec3_sub(p->a->vertex[ea->vertex[1]], a0);
    double aa = vec3_dot(da, da), side[CAROM_POLYTOPES_FACES];
    take_sides(p, da, side);
    for (int k = 0; k < p->near_count; ++k) {
        int j = p->near_b[k];
        const carom_polytope_edge *eb = &p->b->edge[j];
        double cba = side[eb->face[0]], dba = side[eb->face[1]];
        if (cba * dba >= 0)
            continue;
        vec3 db = p->along_b[k];
        double adc = vec3_dot(a, db), bdc = vec3_dot(b, db);
        if (adc * bdc >= 0 || cba * bdc <= 0)
            continue;
        vec3 axis = vec3_cross(da, db);
        double squared = vec3_dot(axis, axis), scale = aa * vec3_dot(db, db);
        if (squared < 1e-10 * scale)
            continue;
        double length = sqrt(squared);
        axis = vec3_scale((vec3_dot(axis, a) + vec3_dot(axis, b) < 0 ? -1 : 1) / length, axis);
        vec3 b0 = carom_pose_out(&p->between, p->b->vertex[eb->vertex[0]]);
        double gap = vec3_dot(axis, vec3_sub(b0, a0));
        // Faces win ties: round-off must not decide.
        if (gap > best->gap + 1e-14 * p->size * sqrt(scale) / length) {
            best->gap = gap;
            best->direction = axis;
        }
    }
}

static void turn_b(pair *p)
{
    for (int f = 0; f < p->b->face_count; ++f) {
        vec3 n = p->normal_b[f] = vec3_neg(mat3_mul(p->between.rotation, p->b->normal[f]));
        p->normals_b[0][f] = n.x;
        p->normals_b[1][f] = n.y;
        p->normals_b[2][f] = n.z;
    }
}

// An axis n of gap g has n . c = g + (reach of a along n) + (reach of b against it), where c leads
// from a's origin to b's, and each reach is at least the radius of the sphere inside. On the arc
// between two normals n . c is at most the larger of theirs over the cosine of half the arc. Edges
// whose arcs stay below what the best face needs cannot be better than that.
static bool is_near(const pair *p, vec3 first, vec3 second)
{
    vec3 c = p->between.position, sum = vec3_add(first, second);
    double one = vec3_dot(first, c), other = vec3_dot(second, c), max = one > other ? one : other;
    return max > 0 && max * max >= p->needed * p->needed * 0.25 * vec3_dot(sum, sum);
}

static void choose_edges(pair *p, double best)
{
    p->needed = best + inner_radius(p->a) + inner_radius(p->b) - 1e-9 * p->size;
    p->near_count = 0;
    for (int j = 0; j < p->b->edge_count; ++j) {
        const int *face = p->b->edge[j].face, *v = p->b->edge[j].vertex;
        if (p->needed > 0 && !is_near(p, p->normal_b[face[0]], p->normal_b[face[1]]))
            continue;
        p->along_b[p->near_count] =
            mat3_mul(p->between.rotation, vec3_sub(p->b->vertex[v[1]], p->b->vertex[v[0]]));
        p->near_b[p->near_count++] = j;
    }
}

carom_axis carom_polytopes_axis(const carom_core *a, const carom_core *b, double margin)
{
    pair p;
    p.a = a->shape->polytope;
    p.b = b->shape->polytope;
    p.between = carom_pose_between(&a->pose, &b->pose);
    p.size = a->shape->bounding_radius + b->shape->bounding_radius;
    carom_pose back = carom_pose_between(&b->pose, &a->pose);
    int face_a, face_b;
    double gap_a = best_face(p.a, p.b, &p.between, margin, &face_a);
    if (gap_a > margin)
        return (carom_axis){ .gap = gap_a };
    double gap_b = best_face(p.b, p.a, &back, margin, &face_b);
    if (gap_b > margin)
        return (carom_axis){ .gap = gap_b };
    turn_b(&p);
    candidate best = { gap_a, p.a->normal[face_a] };
    if (gap_b > gap_a)
        best = (candidate){ gap_b, p.normal_b[face_b] };
    choose_edges(&p, best.gap);
    for (int i = 0; i < p.a->edge_count; ++i) {
        const int *face = p.a->edge[i].face;
        if (!(p.needed > 0) || is_near(&p, p.a->normal[face[0]], p.a->normal[face[1]]))
            try_edge(&p, &p.a->edge[i], &best);
    }
    return (carom_axis){ .normal = mat3_mul(a->pose.rotation, best.direction),
                         .gap = best.gap,
                         .exact = best.gap <= 0 };
}

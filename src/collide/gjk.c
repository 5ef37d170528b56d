// Distance of convex shapes by support points.
//
// The nearest point v of b - a to the origin is approached through simplices of support points; the
// bound |v|^2 - v.w, w the support point against v, says how far the distance can still fall. In
// double precision the loop ends by that bound, by a support point that is already in the simplex,
// or by lack of progress, all of which leave v correct to round-off.
#include "collide/gjk.h"

enum { ITERATIONS = 128 };

static void nearest_in_simplex(carom_gjk_simplex *s);

carom_gjk_vertex carom_gjk_support(const carom_core *a, const carom_core *b, vec3 direction)
{
    carom_gjk_vertex v = { carom_convex_support(a, vec3_neg(direction)),
                           carom_convex_support(b, direction),
                           { 0, 0, 0 } };
    v.w = vec3_sub(v.b, v.a);
    return v;
}

static vec3 combine(const carom_gjk_simplex *s, int which)
{
    vec3 sum = { 0, 0, 0 };
    for (int i = 0; i < s->count; ++i)
        sum = vec3_axpy(sum, s->weight[i],
                        which == 0   ? s->vertex[i].a
                        : which == 1 ? s->vertex[i].b
                                     : s->vertex[i].w);
    return sum;
}

static bool holds(const carom_gjk_simplex *s, vec3 w)
{
    for (int i = 0; i < s->count; ++i)
        if (s->vertex[i].w.x == w.x && s->vertex[i].w.y == w.y && s->vertex[i].w.z == w.z)
            return true;
    return false;
}

bool carom_gjk_distance(const carom_core *a, const carom_core *b, double bound,
                        carom_gjk_simplex *s, carom_axis *axis)
{
    vec3 v = vec3_sub(b->pose.position, a->pose.position);
    double size = a->shape->bounding_radius + b->shape->bounding_radius;
    double touching = 1e-14 * size, squared = HUGE_VAL;
    if (vec3_dot(v, v) == 0)
        v = vec3_make(1, 0, 0);
    s->count = 0;
    bool separated = false;
    for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
        carom_gjk_vertex next = carom_gjk_support(a, b, vec3_neg(v));
        // |v|^2 - v.w bounds |v|^2 minus the squared distance; v.w > 0 proves that the cores are
        // apart.
        double along = vec3_dot(v, next.w);
        if (s->count > 0 && (holds(s, next.w) || squared - along <= 1e-13 * squared))
            break;
        separated = separated || (s->count > 0 && along > 0);
        if (s->count > 0 && along > 0 && along * along >= bound * bound * squared) {
            *axis = (carom_axis){ .gap = HUGE_VAL };
            return true;
        }
        carom_gjk_simplex before = *s;
        s->vertex[s->count++] = next;
        nearest_in_simplex(s);
        vec3 nearer = combine(s, 2);
        double now = vec3_dot(nearer, nearer);
        bool inside = s->count == 4 || now <= touching * touching;
        if (inside && !separated)
            return false;
        if (inside || now >= squared) { // round-off: the simplex before was as good as it gets
            *s = before;
            break;
        }
        v = nearer;
        squared = now;
    }
    double distance = vec3_length(v);
    *axis = (carom_axis){ .normal = vec3_scale(1 / distance, v),
                          .gap = distance,
                          .on_a = combine(s, 0),
                          .on_b = combine(s, 1),
                          .exact = true,
                          .witness = true };
    return true;
}

static void keep(carom_gjk_simplex *s, const int *which, const double *weight, int count)
{
    carom_gjk_simplex kept = { .count = 0 };
    for (int i = 0; i < count; ++i)
        if (weight[i] > 0) {
            kept.vertex[kept.count] = s->vertex[which[i]];
            kept.weight[kept.count++] = weight[i];
        }
    double sum = 0;
    for (int i = 0; i < kept.count; ++i)
        sum += kept.weight[i];
    for (int i = 0; i < kept.count; ++i)
        kept.weight[i] /= sum;
    *s = kept;
}

// Weights of the nearest point on the segment (p, q).
static void weigh_segment(vec3 p, vec3 q, double weight[2])
{
    vec3 e = vec3_sub(q, p);
    double ee = vec3_dot(e, e), t = ee > 0 ? -vec3_dot(p, e) / ee : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    weight[0] = 1 - t;
    weight[1] = t;
}

static double squared_at(const vec3 *p, const double *weight, int count)
{
    vec3 sum = { 0, 0, 0 };
    for (int i = 0; i < count; ++i)
        sum = vec3_axpy(sum, weight[i], p[i]);
    return vec3_dot(sum, sum);
}

// Nearest point of a triangle: inside if all barycentric coordinates of the projection are
// positive, else on the best side.
static void weigh_triangle(const vec3 p[3], double weight[3])
{
    vec3 n = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
    double nn = vec3_dot(n, n);
    if (nn > 0) {
        for (int i = 0; i < 3; ++i)
            weight[i] = vec3_dot(n, vec3_cross(p[(i + 1) % 3], p[(i + 2) % 3])) / nn;
        if (weight[0] > 0 && weight[1] > 0 && weight[2] > 0)
            return;
    }
    double best = HUGE_VAL;
    for (int i = 0; i < 3; ++i) {
        vec3 side[2] = { p[i], p[(i + 1) % 3] };
        double w[2];
        weigh_segment(side[0], side[1], w);
        double squared = squared_at(side, w, 2);
        if (squared < best) {
            best = squared;
            weight[i] = w[0];
            weight[(i + 1) % 3] = w[1];
            weight[(i + 2) % 3] = 0;
        }
    }
}

static void solve_tetrahedron(carom_gjk_simplex *s)
{
    static const int face[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
    vec3 p[4];
    for (int i = 0; i < 4; ++i)
        p[i] = s->vertex[i].w;
    double best = HUGE_VAL, best_weight[3] = { 1, 0, 0 };
    int best_face = -1;
    double volume =
        vec3_dot(vec3_sub(p[1], p[0]), vec3_cross(vec3_sub(p[2], p[0]), vec3_sub(p[3], p[0])));
    bool inside = volume != 0;
    for (int f = 0; f < 4; ++f) {
        vec3 t[3] = { p[face[f][0]], p[face[f][1]], p[face[f][2]] };
        vec3 n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
        // The origin and the fourth corner on the same side of this face?
        double own = vec3_dot(n, vec3_sub(p[f], t[0])), origin = -vec3_dot(n, t[0]);
        if (own * origin > 0 && volume != 0)
            continue;
        inside = false;
        double w[3];
        weigh_triangle(t, w);
        double squared = squared_at(t, w, 3);
        if (squared < best) {
            best = squared;
            best_face = f;
            for (int i = 0; i < 3; ++i)
                best_weight[i] = w[i];
        }
    }
    if (!inside && best_face >= 0)
        keep(s, face[best_face], best_weight, 3);
}

static void nearest_in_simplex(carom_gjk_simplex *s)
{
    static const int all[3] = { 0, 1, 2 };
    double weight[3] = { 1, 0, 0 };
    if (s->count == 4) {
        solve_tetrahedron(s);
        return;
    }
    if (s->count == 2)
        weigh_segment(s->vertex[0].w, s->vertex[1].w, weight);
    if (s->count == 3)
        weigh_triangle((vec3[3]){ s->vertex[0].w, s->vertex[1].w, s->vertex[2].w }, weight);
    keep(s, all, weight, s->count);
}

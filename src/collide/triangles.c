// The distance of two triangles: of corners from faces and of edges from edges; 0 where an edge
// passes through a face.
#include "collide/triangles.h"

#include <stdbool.h>

static double clamped(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

// Whether a point in the triangle's plane, or above or below it, projects into it.
static bool is_over(const carom_triangle *t, vec3 p)
{
    for (int k = 0; k < 3; ++k) {
        vec3 side = vec3_sub(t->corner[(k + 1) % 3], t->corner[k]);
        if (vec3_dot(vec3_cross(side, vec3_sub(p, t->corner[k])), t->normal) < 0)
            return false;
    }
    return true;
}

// Two points; `normal` is the direction where they coincide.
static void try_points(carom_triangle_gap *best, vec3 on_a, vec3 on_b, vec3 normal)
{
    vec3 way = vec3_sub(on_b, on_a);
    double distance = vec3_length(way);
    if (distance >= best->distance)
        return;
    *best = (carom_triangle_gap){ on_a, on_b, distance > 0 ? vec3_scale(1 / distance, way) : normal,
                                  distance };
}

// A corner of one triangle over the face of the other, at this height.
static void try_face(carom_triangle_gap *best, vec3 corner, const carom_triangle *face,
                     double height, bool face_is_b)
{
    if (!(fabs(height) < best->distance) || !is_over(face, corner))
        return;
    vec3 foot = vec3_axpy(corner, -height, face->normal);
    vec3 up = height < 0 ? vec3_neg(face->normal) : face->normal;
    *best = face_is_b ? (carom_triangle_gap){ corner, foot, vec3_neg(up), fabs(height) }
                      : (carom_triangle_gap){ foot, corner, up, fabs(height) };
}

// Nearest points of the segments from p along d and from q along e [Ericson 2004, 5.1.9]. Between
// two insides the common perpendicular.
static void try_edges(carom_triangle_gap *best, vec3 p, vec3 d, vec3 q, vec3 e)
{
    vec3 r = vec3_sub(p, q);
    double dd = vec3_dot(d, d), ee = vec3_dot(e, e), de = vec3_dot(d, e);
    double dr = vec3_dot(d, r), er = vec3_dot(e, r), det = dd * ee - de * de;
    double s = det > 1e-14 * dd * ee ? clamped((de * er - dr * ee) / det) : 0;
    double t = (de * s + er) / ee;
    bool inside = det > 1e-14 * dd * ee && t > 0 && t < 1;
    if (t < 0 || t > 1) {
        t = clamped(t);
        s = clamped((de * t - dr) / dd);
    }
    vec3 on_a = vec3_axpy(p, s, d), on_b = vec3_axpy(q, t, e), across = vec3_cross(d, e);
    vec3 way = vec3_sub(on_b, on_a);
    double squared = vec3_dot(way, way);
    if (squared >= best->distance * best->distance)
        return;
    if (inside && s > 0 && s < 1) {
        vec3 n = vec3_unit(across);
        double along = vec3_dot(n, vec3_sub(q, p));
        *best = (carom_triangle_gap){ on_a, on_b, along < 0 ? vec3_neg(n) : n, fabs(along) };
        return;
    }
    try_points(best, on_a, on_b, vec3_unit(across));
}

// Whether an edge, its ends at these heights above the face, passes through it.
static bool crosses(const carom_triangle *face, vec3 p, vec3 q, double at_p, double at_q)
{
    if ((at_p > 0 && at_q > 0) || (at_p < 0 && at_q < 0) || at_p == at_q)
        return false;
    return is_over(face, vec3_axpy(p, at_p / (at_p - at_q), vec3_sub(q, p)));
}

static void heights(const carom_triangle *of, const carom_triangle *over, double h[3])
{
    for (int k = 0; k < 3; ++k)
        h[k] = vec3_dot(over->normal, vec3_sub(of->corner[k], over->corner[0]));
}

// Whether an edge with its ends at these heights over the other's plane is out of reach.
static bool above(double p, double q, double bound)
{
    return (p >= bound && q >= bound) || (p <= -bound && q <= -bound);
}

static bool beyond(const double h[3], double bound)
{
    return (h[0] >= bound && h[1] >= bound && h[2] >= bound) ||
           (h[0] <= -bound && h[1] <= -bound && h[2] <= -bound);
}

carom_triangle_gap carom_triangles_gap(const carom_triangle *a, const carom_triangle *b,
                                       double bound)
{
    carom_triangle_gap best = { .normal = vec3_neg(b->normal), .distance = HUGE_VAL };
    double ha[3], hb[3];
    heights(a, b, ha);
    if (beyond(ha, bound))
        return best;
    heights(b, a, hb);
    if (beyond(hb, bound))
        return best;
    best.distance = bound;
    for (int k = 0; k < 3; ++k) {
        try_face(&best, a->corner[k], b, ha[k], true);
        try_face(&best, b->corner[k], a, hb[k], false);
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        vec3 p = a->corner[i], d = vec3_sub(a->corner[j], p);
        for (int k = 0; k < 3 && !above(ha[i], ha[j], best.distance); ++k) {
            int l = (k + 1) % 3;
            vec3 q = b->corner[k];
            if (!above(hb[k], hb[l], best.distance))
                try_edges(&best, p, d, q, vec3_sub(b->corner[l], q));
        }
    }
    for (int k = 0; k < 3; ++k) {
        int l = (k + 1) % 3;
        if (crosses(b, a->corner[k], a->corner[l], ha[k], ha[l]) ||
            crosses(a, b->corner[k], b->corner[l], hb[k], hb[l]))
            best.distance = 0;
    }
    if (best.distance >= bound && bound > 0)
        best.distance = HUGE_VAL;
    return best;
}

carom_triangle_gap carom_triangles_point(vec3 a, const carom_triangle *b, double bound)
{
    carom_triangle_gap best = { .normal = vec3_neg(b->normal), .distance = HUGE_VAL };
    double height = vec3_dot(b->normal, vec3_sub(a, b->corner[0]));
    if (fabs(height) >= bound)
        return best;
    best.distance = bound;
    try_face(&best, a, b, height, true);
    for (int k = 0; k < 3; ++k) {
        vec3 p = b->corner[k], side = vec3_sub(b->corner[(k + 1) % 3], p), way = vec3_sub(a, p);
        if (vec3_dot(vec3_cross(side, way), b->normal) < 0)
            try_points(&best, a,
                       vec3_axpy(p, clamped(vec3_dot(side, way) / vec3_dot(side, side)), side),
                       best.normal);
    }
    if (best.distance >= bound)
        best.distance = HUGE_VAL;
    return best;
}

// The overlap of two faces seen along the contact normal.
//
// Both faces are projected along the normal; one polygon is clipped by the sides of the other
// (Sutherland, Hodgman 1974). Every corner of the result is a corner of one face over the other
// face or a crossing of two sides, and is named so: the same corner keeps its name from step to
// step, whichever polygon was clipped. The gap at a corner is the distance of the two planes along
// the normal.
#include "collide/face.h"
#include "math/lanes.h"

enum { CORNERS_MAX = 2 * CAROM_FACE_MAX };

typedef struct corner {
    double u, v;
    uint32_t subject, clip; // names of what meets here
    uint32_t side;          // name of the side that leaves this corner
    bool side_is_clip;      // ... which belongs to the clipping polygon
} corner;

typedef struct projection {
    vec3 normal, t1, t2;
    const carom_face *face[2]; // a, b
    double steep[2];           // how they look along the normal
    double scale;              // size of the larger face: round-off is measured by it
    double small;              // size of the smaller one: what they share is measured by that
} projection;

static int load(projection *p, const carom_face *face, corner *corners);
static int clip_polygon(const corner *sides, int side_count, corner *subject, int count,
                        uint32_t subject_face, double tolerance);
static bool is_sliver(const corner *c, int count, double scale);
static bool is_level(const carom_face *a, const carom_face *b, vec3 normal);
static int meet_segments(const corner *first, corner *second);
static int drop_repeated(corner *corners, int count, double tolerance);
static void finish(const projection *p, const corner *c, bool swapped, const double round[2],
                   carom_manifold_point *point);

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

double carom_overlap_faces(const carom_face *a, const carom_face *b, const carom_axis *axis,
                           const double round[2], double margin, carom_manifold *out)
{
    projection p = { .normal = axis->normal, .face = { a, b }, .small = HUGE_VAL };
    vec3_tangents(axis->normal, &p.t1, &p.t2);
    // The clipping polygon is a's unless only b's is one.
    bool swapped = a->count < 3 && b->count >= 3;
    const carom_face *clip = swapped ? b : a, *subject = swapped ? a : b;
    corner sides[CAROM_FACE_MAX], corners[CORNERS_MAX];
    int side_count = load(&p, clip, sides), count = load(&p, subject, corners);
    for (int i = 0; i < count; ++i)
        corners[i].clip = clip->name; // a corner of the subject meets the clipping face as a whole
    // Faces that lie flat on each other hardly change height along the tolerance.
    bool flat = is_level(a, b, p.normal);
    double round_off = 1e-13 * p.scale,
           tolerance = flat ? larger(1e-6 * p.small, round_off) : round_off;
    if (side_count >= 3)
        count = clip_polygon(sides, side_count, corners, count, subject->name, tolerance);
    else
        count = side_count == 2 && count == 2 ? meet_segments(sides, corners) : 0;
    if (flat && is_sliver(corners, count, p.small))
        return -HUGE_VAL;
    count = drop_repeated(corners, count, flat ? tolerance : 1e-9 * p.scale);
    double min = HUGE_VAL;
    for (int k = 0; k < 2; ++k)
        p.steep[k] = vec3_dot(p.face[k]->normal, p.normal);
    if (fabs(p.steep[0]) < 0.05 || fabs(p.steep[1]) < 0.05) // nearly edge-on: there are no heights
        return min;
    for (int i = 0; i < count; ++i) {
        carom_manifold_point point;
        finish(&p, &corners[i], swapped, round, &point);
        min = point.gap < min ? point.gap : min;
        if (point.gap <= margin)
            carom_manifold_add(out, point);
    }
    return min;
}

// Narrower than CAROM_OVERLAP_SLIVER of the smaller face, by area over length.
static bool is_sliver(const corner *c, int count, double scale)
{
    double area = 0, length = 0;
    for (int i = 2; i < count; ++i)
        area +=
            (c[i - 1].u - c[0].u) * (c[i].v - c[0].v) - (c[i].u - c[0].u) * (c[i - 1].v - c[0].v);
    for (int i = 1; i < count; ++i) {
        double u = c[i].u - c[0].u, v = c[i].v - c[0].v;
        length = u * u + v * v > length ? u * u + v * v : length;
    }
    return count > 0 && 0.5 * area <= CAROM_OVERLAP_SLIVER * scale * sqrt(length);
}

static bool is_level(const carom_face *a, const carom_face *b, vec3 normal)
{
    return a->count >= 3 && b->count >= 3 &&
           smaller(fabs(vec3_dot(a->normal, normal)), fabs(vec3_dot(b->normal, normal))) > 1 - 1e-6;
}

bool carom_overlap_flat(const carom_core *a, const carom_core *b, const carom_axis *axis)
{
    carom_face face_a, face_b;
    carom_face_towards(a, axis->normal, &face_a);
    carom_face_towards(b, vec3_neg(axis->normal), &face_b);
    return is_level(&face_a, &face_b, axis->normal);
}

// Projects; polygons come out counter-clockwise about the contact normal.
static int load(projection *p, const carom_face *face, corner *corners)
{
    bool turned = vec3_dot(face->normal, p->normal) < 0;
    int n = face->count;
    double least_u = HUGE_VAL, most_u = -HUGE_VAL, least_v = HUGE_VAL, most_v = -HUGE_VAL;
    for (int k = 0; k < n; ++k) {
        int at = turned ? n - 1 - k : k;
        // Reversed, the side that leaves a corner is the one that used to arrive.
        int side = !turned ? at : at > 0 ? at - 1 : n - 1;
        corners[k] = (corner){ vec3_dot(face->corner[at], p->t1),
                               vec3_dot(face->corner[at], p->t2),
                               face->corner_name[at],
                               face->corner_name[at],
                               face->side_name[side],
                               false };
        least_u = corners[k].u < least_u ? corners[k].u : least_u;
        most_u = corners[k].u > most_u ? corners[k].u : most_u;
        least_v = corners[k].v < least_v ? corners[k].v : least_v;
        most_v = corners[k].v > most_v ? corners[k].v : most_v;
    }
    double wide = most_u - least_u, high = most_v - least_v;
    double size = larger(wide, high);
    p->scale = larger(p->scale, size);
    p->small = smaller(p->small, size);
    return n;
}

// A side of the clipping polygon.
typedef struct line {
    const corner *from, *to;
    double eu, ev, length;
} line;

static line line_of(const corner *from, const corner *to)
{
    double eu = to->u - from->u, ev = to->v - from->v;
    return (line){ from, to, eu, ev, sqrt(eu * eu + ev * ev) };
}

// How far to the right of the side each corner lies (positive = outside), four at a time; the most.
static double most_outside(const line *l, const corner *in, int count, double *d)
{
    const lanes u0 = lanes_all(l->from->u), v0 = lanes_all(l->from->v);
    const lanes eu = lanes_all(l->eu), ev = lanes_all(l->ev), length = lanes_all(l->length);
    double most = -HUGE_VAL;
    for (int i = 0; i < count; i += LANES) {
        const corner *c[LANES];
        for (int k = 0; k < LANES; ++k)
            c[k] = &in[i + k < count ? i + k : i];
        lanes u = { c[0]->u, c[1]->u, c[2]->u, c[3]->u };
        lanes v = { c[0]->v, c[1]->v, c[2]->v, c[3]->v };
        lanes away = ((u - u0) * ev - (v - v0) * eu) / length;
        lanes_store(d + i, away);
        for (int k = 0; k < LANES; ++k)
            most = larger(away[k], most);
    }
    return most;
}

// Where the subject's side from -> to meets a side of the clipping polygon.
static corner crossing(const corner *from, const corner *to, double t, const corner *side,
                       uint32_t clip_corner, uint32_t subject_face)
{
    corner c = { from->u + t * (to->u - from->u),
                 from->v + t * (to->v - from->v),
                 from->side,
                 side->side,
                 from->side,
                 from->side_is_clip };
    if (from->side_is_clip) { // along the clipping polygon already: this is one of its own corners
        c.subject = subject_face;
        c.clip = clip_corner;
    }
    return c;
}

// A corner that is outside by less than the tolerance comes onto the side.
static corner put_on(const line *l, corner c, double distance)
{
    c.u -= distance * l->ev / l->length;
    c.v += distance * l->eu / l->length;
    return c;
}

// One side of the clipping polygon. Sides that lie on each other up to the tolerance have no
// crossing of their own: round-off would decide where it is. An open segment (count 2) has one
// side, not two. `d`: how far outside each corner lies.
static int clip_side(const line *l, const double *d, const corner *in, int count, corner *out,
                     uint32_t subject_face, double tolerance)
{
    int kept = 0, last = count == 2 ? 1 : count;
    const corner *side = l->from, *next = l->to;
    for (int i = 0; i < count; ++i) {
        int other = i + 1 < count ? i + 1 : 0;
        const corner *from = &in[i], *to = &in[other];
        double d0 = d[i], d1 = d[other];
        bool inside0 = d0 <= tolerance, inside1 = d1 <= tolerance;
        if (inside0)
            out[kept++] = d0 > 0 ? put_on(l, *from, d0) : *from;
        if (i >= last || inside0 == inside1)
            continue;
        // Both ends may lie outside, one of them by less than the tolerance: it is the crossing
        // then. The quotient would be anywhere on the line.
        double t = d0 / (d0 - d1);
        t = t > 0 ? t : 0;
        t = t < 1 ? t : 1;
        corner c = crossing(from, to, t, side, inside0 ? side->clip : next->clip, subject_face);
        if (inside0) { // leaving: the result now runs along the clipping side
            c.side = side->side;
            c.side_is_clip = true;
        }
        if (kept < CORNERS_MAX)
            out[kept++] = c;
    }
    return kept;
}

// Sides that cut nothing off leave the polygon where it is.
static int clip_polygon(const corner *sides, int side_count, corner *subject, int count,
                        uint32_t subject_face, double tolerance)
{
    corner buffer[CORNERS_MAX];
    corner *in = subject, *out = buffer;
    double d[CORNERS_MAX + LANES];
    for (int k = 0; k < side_count && count > 0; ++k) {
        line side = line_of(&sides[k], &sides[k + 1 < side_count ? k + 1 : 0]);
        if (!(side.length > 0) || !(most_outside(&side, in, count, d) > 0))
            continue; // a side of no length cuts nothing off either
        count = clip_side(&side, d, in, count, out, subject_face, tolerance);
        corner *swap = in;
        in = out;
        out = swap;
    }
    if (in != subject)
        for (int i = 0; i < count; ++i)
            subject[i] = in[i];
    return count;
}

// Two segments that run nearly the same way: the ends of their common stretch, on the second.
static int meet_segments(const corner *first, corner *second)
{
    double eu = first[1].u - first[0].u, ev = first[1].v - first[0].v;
    double fu = second[1].u - second[0].u, fv = second[1].v - second[0].v;
    double e2 = eu * eu + ev * ev, f2 = fu * fu + fv * fv, cross = eu * fv - ev * fu;
    if (e2 == 0 || f2 == 0 || cross * cross > 0.01 * e2 * f2)
        return 0;
    corner end[2] = { second[0], second[1] };
    double t[2];
    for (int k = 0; k < 2; ++k)
        t[k] = ((second[k].u - first[0].u) * eu + (second[k].v - first[0].v) * ev) / e2;
    if (fmax(t[0], t[1]) < 0 || fmin(t[0], t[1]) > 1 || t[0] == t[1])
        return 0;
    for (int k = 0; k < 2; ++k) {
        double clamped = t[k] < 0 ? 0 : t[k] > 1 ? 1 : t[k];
        double s = (clamped - t[0]) / (t[1] - t[0]);
        second[k].u = end[0].u + s * (end[1].u - end[0].u);
        second[k].v = end[0].v + s * (end[1].v - end[0].v);
        second[k].subject = clamped == t[k] ? end[k].subject : end[k].side;
        second[k].clip = clamped == t[k] ? first[0].side : first[clamped > 0.5].clip;
    }
    return 2;
}

static int drop_repeated(corner *corners, int count, double tolerance)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        bool repeated = false;
        for (int j = 0; j < kept && !repeated; ++j)
            repeated = fabs(corners[i].u - corners[j].u) <= tolerance &&
                       fabs(corners[i].v - corners[j].v) <= tolerance;
        if (!repeated && kept != i)
            corners[kept] = corners[i];
        kept += !repeated;
    }
    return kept;
}

// A corner of the overlap, at the height of either face's plane.
static void finish(const projection *p, const corner *c, bool swapped, const double round[2],
                   carom_manifold_point *point)
{
    double height[2];
    vec3 base = vec3_axpy(vec3_scale(c->u, p->t1), c->v, p->t2);
    for (int k = 0; k < 2; ++k)
        height[k] = (p->face[k]->offset - vec3_dot(p->face[k]->normal, base)) / p->steep[k];
    double ha = height[0] + round[0], hb = height[1] - round[1];
    *point = (carom_manifold_point){ .point = vec3_axpy(base, 0.5 * (ha + hb), p->normal),
                                     .normal = p->normal,
                                     .gap = hb - ha,
                                     .feature_a = swapped ? c->subject : c->clip,
                                     .feature_b = swapped ? c->clip : c->subject };
}

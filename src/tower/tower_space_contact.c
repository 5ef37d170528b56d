// Where polyhedra touch.
//
// Two convex polyhedra that touch without overlapping meet in a polygon, a segment or a point, in a
// plane that separates them. The contacts are the corners of that set with the normal of the plane,
// where the normal is certain: the set reaches into the inside of a face of one of them (its normal
// counts), or it is the point where two edges cross (their cross product). Sets that lie in the
// boundary of faces on both sides (edge along edge, corner on corner, corner on edge) have no
// certain normal; as in the plane they carry nothing. For a force anywhere in a convex set its
// corners are enough, and so they are for a motion that opens it.
//
// Separation is measured along all face normals and all cross products of edges (separating axes):
// a pair that overlaps along each of them by more than the tolerance is refused.
#include "tower/tower_space.h"

#include <math.h>
#include <stdlib.h>

enum { POLYGON_MAX = 2 * CAROM_TOWER_SPACE_CORNERS_MAX };

typedef struct point2 {
    double x, y;
    int corner; // of the polyhedron it came from, or -1 where clipping made it
} point2;

typedef struct search {
    const carom_tower_space *tower;
    space_contacts *out;
    double near; // gap that counts as touching
    point2 *polygon, *other;
    carom_error *err;
} search;

// A face as a frame for plane coordinates.
typedef struct face_frame {
    vec3 origin, normal, u, v;
} face_frame;

static face_frame frame_of(const space_piece *p, int face)
{
    face_frame f = { .origin = p->corners[p->loop[p->first[face]]], .normal = p->normals[face] };
    vec3_tangents(f.normal, &f.u, &f.v);
    if (vec3_dot(vec3_cross(f.u, f.v), f.normal) < 0)
        f.v = vec3_neg(f.v);
    return f;
}

static point2 into(const face_frame *f, vec3 p, int corner)
{
    vec3 d = vec3_sub(p, f->origin);
    return (point2){ vec3_dot(d, f->u), vec3_dot(d, f->v), corner };
}

static double cross2(point2 a, point2 b, point2 c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static double apart2(point2 a, point2 b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

static int by_x_then_y(const void *a, const void *b)
{
    const point2 *p = a, *q = b;
    return p->x != q->x ? (p->x < q->x ? -1 : 1) : p->y != q->y ? (p->y < q->y ? -1 : 1) : 0;
}

// Convex hull (monotone chain), counter-clockwise; `near` is the width below which a bend is none.
static int hull2(point2 *p, int count, double near, point2 *out)
{
    int n = 0;
    qsort(p, (size_t)count, sizeof *p, by_x_then_y);
    for (int side = 0; side < 2; ++side) {
        int start = n + 1;
        for (int k = 0; k < count; ++k) {
            point2 next = p[side ? count - 1 - k : k];
            while (n >= start + 1 &&
                   cross2(out[n - 2], out[n - 1], next) <= near * apart2(out[n - 2], next))
                --n;
            out[n++] = next;
        }
        --n; // the last is the first of the other side
    }
    return n ? n : 1;
}

// Cuts a polygon (or segment, or point) to the left side of the line from a to b.
// What is out by no more than the tolerance stays as it is.
static int cut(const point2 *in, int count, point2 a, point2 b, double near, point2 *out)
{
    int n = 0;
    double length = apart2(a, b);
    for (int k = 0; k < count; ++k) {
        point2 p = in[k], q = in[(k + 1) % count];
        double dp = cross2(a, b, p) / length, dq = cross2(a, b, q) / length;
        if (dp >= -near)
            out[n++] = p;
        if (((dp < -near && dq > near) || (dp > near && dq < -near)) && n < POLYGON_MAX) {
            double s = dp / (dp - dq);
            out[n++] = (point2){ p.x + s * (q.x - p.x), p.y + s * (q.y - p.y), -1 };
        }
        if (count == 1 || n >= POLYGON_MAX)
            break;
        if (count == 2 && k == 1) // there and back: a segment has one crossing
            break;
    }
    if (count == 2 && n == 3) // inside corner and the crossing, which was met both ways
        n = 2;
    return n;
}

// The least distance of a point from the edges of a face, inward.
static double depth_in_face(const space_piece *p, int face, const face_frame *f, point2 at)
{
    double min = HUGE_VAL;
    int from = p->first[face], count = p->first[face + 1] - from;
    for (int k = 0; k < count; ++k) {
        point2 a = into(f, p->corners[p->loop[from + k]], -1),
               b = into(f, p->corners[p->loop[from + (k + 1) % count]], -1);
        min = fmin(min, cross2(a, b, at) / apart2(a, b));
    }
    return min;
}

static int cut_to_face(search *s, const space_piece *p, int face, const face_frame *f, int count)
{
    int from = p->first[face], corners = p->first[face + 1] - from;
    for (int k = 0; k < corners && count > 0; ++k) {
        point2 a = into(f, p->corners[p->loop[from + k]], -1),
               b = into(f, p->corners[p->loop[from + (k + 1) % corners]], -1);
        count = cut(s->polygon, count, a, b, s->near, s->other);
        point2 *keep = s->polygon;
        s->polygon = s->other;
        s->other = keep;
    }
    return count;
}

// Drops corners that coincide with the one before.
static int thin_out(point2 *p, int count, double near)
{
    int n = 0;
    for (int k = 0; k < count; ++k)
        if (n == 0 || apart2(p[k], p[n - 1]) > near)
            p[n++] = p[k];
    while (n > 1 && apart2(p[0], p[n - 1]) <= near)
        --n;
    return n;
}

// Whether the set reaches into the inside of the face: the middle of it does.
static bool certain(const space_piece *p, int face, const face_frame *f, const point2 *set,
                    int count, double near)
{
    point2 middle = { 0, 0, -1 };
    for (int k = 0; k < count; ++k) {
        middle.x += set[k].x / count;
        middle.y += set[k].y / count;
    }
    return depth_in_face(p, face, f, middle) > near;
}

// A polygon narrower than the tolerance is a segment, or less.
static int flatten(point2 *p, int count, double near)
{
    if (count < 3)
        return count;
    double area = 0;
    int far = 1;
    for (int k = 1; k + 1 < count; ++k)
        area += cross2(p[0], p[k], p[k + 1]) / 2;
    for (int k = 2; k < count; ++k)
        if (apart2(p[0], p[k]) > apart2(p[0], p[far]))
            far = k;
    if (area > near * apart2(p[0], p[far]))
        return count;
    // Ends of the segment: the two corners farthest from each other, found from the far one.
    int end = 0;
    for (int k = 0; k < count; ++k)
        if (apart2(p[far], p[k]) > apart2(p[far], p[end]))
            end = k;
    point2 ends[2] = { p[end], p[far] };
    p[0] = ends[0];
    p[1] = ends[1];
    return 2;
}

// Adds the corners of the set as contacts. Corners of the other polyhedron keep their exact place;
// the force acts from the face's body to the other.
static carom_status keep_set(search *s, const space_piece *face_owner, const space_piece *other,
                             const face_frame *f, const point2 *set, int count)
{
    for (int k = 0; k < count; ++k) {
        vec3 at = vec3_axpy(vec3_axpy(f->origin, set[k].x, f->u), set[k].y, f->v);
        if (set[k].corner >= 0)
            at = other->corners[set[k].corner];
        bool swap = face_owner->body > other->body;
        space_contact c = { face_owner->body, other->body, at, f->normal };
        if (swap)
            c = (space_contact){ other->body, face_owner->body, at, vec3_neg(f->normal) };
        TRY(carom_tower_space_append(s->out, c, s->err));
    }
    return CAROM_OK;
}

// Corners of q on the plane of a face of p; -1 where q reaches behind it by more than the
// tolerance.
static int corners_on(search *s, const space_piece *p, int face, const space_piece *q,
                      const face_frame *f, double *gap)
{
    int count = 0;
    *gap = HUGE_VAL;
    for (int v = 0; v < q->corner_count; ++v) {
        double d = vec3_dot(p->normals[face], q->corners[v]) - p->offsets[face];
        *gap = fmin(*gap, d);
        if (d <= s->near)
            s->other[count++] = into(f, q->corners[v], v);
    }
    return *gap < -s->near ? -1 : count;
}

// Contacts in a face of p. `polygons` says whether sets of positive area count: they are found from
// both sides. *gap becomes the largest separation along a face normal.
static carom_status face_contacts(search *s, const space_piece *p, const space_piece *q,
                                  bool polygons, double *gap, bool *found)
{
    for (int face = 0; face < p->face_count; ++face) {
        face_frame f = frame_of(p, face);
        double d;
        int count = corners_on(s, p, face, q, &f, &d);
        *gap = fmax(*gap, d);
        if (count <= 0)
            continue;
        count = hull2(s->other, count, s->near, s->polygon);
        count = cut_to_face(s, p, face, &f, count);
        count = flatten(s->polygon, thin_out(s->polygon, count, s->near), s->near);
        if (count == 0 || !certain(p, face, &f, s->polygon, count, s->near))
            continue;
        *found = true;
        if (count < 3 || polygons)
            TRY(keep_set(s, p, q, &f, s->polygon, count));
    }
    return CAROM_OK;
}

// -- edges --------------------------------------------------------------------------------------

typedef struct span {
    double low, high;
} span;

static span shadow(const space_piece *p, vec3 axis)
{
    span s = { HUGE_VAL, -HUGE_VAL };
    for (int v = 0; v < p->corner_count; ++v) {
        double d = vec3_dot(axis, p->corners[v]);
        s.low = fmin(s.low, d);
        s.high = fmax(s.high, d);
    }
    return s;
}

// Where two lines come closest: a + x da, b + y db; false when parallel.
static bool closest(vec3 a, vec3 da, vec3 b, vec3 db, double *x, double *y)
{
    vec3 n = vec3_cross(da, db), between = vec3_sub(b, a);
    double square = vec3_dot(n, n);
    if (square <= 1e-12 * vec3_dot(da, da) * vec3_dot(db, db))
        return false;
    *x = vec3_dot(vec3_cross(between, db), n) / square;
    *y = vec3_dot(vec3_cross(between, da), n) / square;
    return true;
}

static carom_status edge_pair(search *s, const space_piece *p, const space_piece *q,
                              const vec3 ends[4], double *gap)
{
    vec3 da = vec3_sub(ends[1], ends[0]), db = vec3_sub(ends[3], ends[2]);
    double x, y;
    if (!closest(ends[0], da, ends[2], db, &x, &y))
        return CAROM_OK;
    vec3 n = vec3_unit(vec3_cross(da, db));
    span a = shadow(p, n), b = shadow(q, n);
    if (b.low + b.high < a.low + a.high) { // n points from p to q
        n = vec3_neg(n);
        span keep = a;
        a = (span){ -keep.high, -keep.low };
        b = (span){ -b.high, -b.low };
    }
    double d = b.low - a.high;
    *gap = fmax(*gap, d);
    double ax = s->near / vec3_length(da), by = s->near / vec3_length(db);
    if (fabs(d) > s->near || !(x > ax && x < 1 - ax && y > by && y < 1 - by))
        return CAROM_OK;
    vec3 at = vec3_axpy(ends[0], x, da);
    if (fabs(vec3_dot(n, vec3_sub(vec3_axpy(ends[2], y, db), at))) > s->near ||
        fabs(vec3_dot(n, at) - a.high) > s->near) // edges that are not the ones that meet
        return CAROM_OK;
    bool swap = p->body > q->body;
    space_contact c = { p->body, q->body, at, n };
    if (swap)
        c = (space_contact){ q->body, p->body, at, vec3_neg(n) };
    return carom_tower_space_append(s->out, c, s->err);
}

// Edge number k of a face, once for both its faces.
static bool edge_of(const space_piece *p, int face, int k, vec3 *from, vec3 *to)
{
    int first = p->first[face], count = p->first[face + 1] - first;
    int i = p->loop[first + k], j = p->loop[first + (k + 1) % count];
    *from = p->corners[i];
    *to = p->corners[j];
    return i < j;
}

static carom_status edge_contacts(search *s, const space_piece *p, const space_piece *q,
                                  double *gap)
{
    vec3 ends[4];
    for (int f = 0; f < p->face_count; ++f)
        for (int k = 0; k < p->first[f + 1] - p->first[f]; ++k) {
            if (!edge_of(p, f, k, &ends[0], &ends[1]))
                continue;
            for (int g = 0; g < q->face_count; ++g)
                for (int l = 0; l < q->first[g + 1] - q->first[g]; ++l)
                    if (edge_of(q, g, l, &ends[2], &ends[3]))
                        TRY(edge_pair(s, p, q, ends, gap));
        }
    return CAROM_OK;
}

// -- pairs --------------------------------------------------------------------------------------

static carom_status overlap(const search *s, int a, int b, double depth)
{
    carom_error_set(s->err, CAROM_BAD_INPUT, "\"%.40s\" and \"%.40s\" overlap by %.3g",
                    s->tower->bodies[a].name, s->tower->bodies[b].name, depth);
    return carom_error_fix(
        s->err, "move them apart; gaps and overlaps up to %.1e count as touching", s->near);
}

static bool bounds_meet(const space_piece *p, const space_piece *q, double near)
{
    return p->low.x <= q->high.x + near && q->low.x <= p->high.x + near &&
           p->low.y <= q->high.y + near && q->low.y <= p->high.y + near &&
           p->low.z <= q->high.z + near && q->low.z <= p->high.z + near;
}

static bool may_touch(const carom_tower_space *t, int a, int b)
{
    const space_body *p = &t->bodies[a], *q = &t->bodies[b];
    return a != b && !(p->fixed && q->fixed) && !(p->group > 0 && p->group == q->group);
}

static carom_status pieces(search *s, const space_piece *p, const space_piece *q)
{
    double gap = -HUGE_VAL;
    bool found = false;
    int before = s->out->count;
    TRY(face_contacts(s, p, q, true, &gap, &found));
    TRY(face_contacts(s, q, p, false, &gap, &found));
    if (found || gap > s->near)
        return CAROM_OK;
    s->out->count = before;
    TRY(edge_contacts(s, p, q, &gap));
    if (gap < -s->near)
        return overlap(s, p->body, q->body, -gap);
    return CAROM_OK;
}

// Corners of a polyhedron on a plane: those of the hull of what touches it.
static carom_status half_contacts(search *s, const space_half *h, const space_piece *q)
{
    face_frame f = { .origin = h->point, .normal = h->normal };
    int count = 0;
    vec3_tangents(f.normal, &f.u, &f.v);
    if (vec3_dot(vec3_cross(f.u, f.v), f.normal) < 0)
        f.v = vec3_neg(f.v);
    for (int v = 0; v < q->corner_count; ++v) {
        double d = vec3_dot(h->normal, vec3_sub(q->corners[v], h->point));
        if (d < -s->near)
            return overlap(s, h->body, q->body, -d);
        if (d <= s->near)
            s->other[count++] = into(&f, q->corners[v], v);
    }
    if (count == 0)
        return CAROM_OK;
    count = hull2(s->other, count, s->near, s->polygon);
    space_piece plane = { .body = h->body };
    return keep_set(s, &plane, q, &f, s->polygon, count);
}

static carom_status find(search *s)
{
    const carom_tower_space *t = s->tower;
    for (int n = 0; n < t->given.count; ++n)
        if (may_touch(t, t->given.item[n].a, t->given.item[n].b))
            TRY(carom_tower_space_append(s->out, t->given.item[n], s->err));
    for (int h = 0; h < t->half_count; ++h)
        for (int p = 0; p < t->piece_count; ++p)
            if (may_touch(t, t->halves[h].body, t->pieces[p].body))
                TRY(half_contacts(s, &t->halves[h], &t->pieces[p]));
    for (int p = 0; p < t->piece_count; ++p)
        for (int q = p + 1; q < t->piece_count; ++q)
            if (may_touch(t, t->pieces[p].body, t->pieces[q].body) &&
                bounds_meet(&t->pieces[p], &t->pieces[q], s->near))
                TRY(pieces(s, &t->pieces[p], &t->pieces[q]));
    return CAROM_OK;
}

carom_status carom_tower_space_contact_find(const carom_tower_space *t, space_contacts *out,
                                            carom_error *err)
{
    search s = { .tower = t, .out = out, .near = TOWER_SPACE_TOUCHING * t->size, .err = err };
    *out = (space_contacts){ 0 };
    point2 *first = malloc((POLYGON_MAX + 8) * sizeof *first),
           *second = malloc((POLYGON_MAX + 8) * sizeof *second);
    s.polygon = first;
    s.other = second;
    carom_status status = first && second ? find(&s) : carom_error_no_memory(err, "the contacts");
    free(first);
    free(second);
    return status;
}

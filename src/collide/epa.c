// Depth of overlap by expanding a polytope inside b - a (van den Bergen 2001, "Proximity queries
// and penetration depth computation on 3D game objects").
//
// The polytope always holds the origin; its nearest face bounds the depth from below, the support
// point beyond that face from above. Flat-sided shapes end exactly, curved ones when the bounds
// meet.
#include "collide/gjk.h"

enum { VERTICES = 132, FACES = 264, ITERATIONS = 128 };

typedef struct face {
    int v[3];
    vec3 normal; // outward, unit
    double distance;
    bool alive;
} face;

typedef struct hull {
    carom_gjk_vertex vertex[VERTICES];
    face face[FACES];
    int vertex_count, face_count;
} hull;

// How far w is from the affine span of the simplex: the new corner must add a dimension.
static double height_over(const carom_gjk_simplex *s, vec3 w)
{
    vec3 d = vec3_sub(w, s->vertex[0].w);
    if (s->count == 1)
        return vec3_length(d);
    vec3 e = vec3_unit(vec3_sub(s->vertex[1].w, s->vertex[0].w));
    if (s->count == 2)
        return vec3_length(vec3_cross(e, d));
    vec3 f = vec3_sub(s->vertex[2].w, s->vertex[0].w);
    return fabs(vec3_dot(vec3_unit(vec3_cross(e, f)), d));
}

// Brings the simplex to four corners that span a volume. Directions: the normal of what is there,
// then the coordinate axes, both ways; whichever support point is farthest from the present span.
static bool complete(const carom_core *a, const carom_core *b, carom_gjk_simplex *s, double tiny)
{
    if (s->count == 0)
        s->vertex[s->count++] = carom_gjk_support(a, b, vec3_make(1, 0, 0));
    while (s->count < 4) {
        vec3 tries[8] = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
                          { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };
        int count = 6;
        if (s->count == 3) {
            tries[6] = vec3_unit(vec3_cross(vec3_sub(s->vertex[1].w, s->vertex[0].w),
                                            vec3_sub(s->vertex[2].w, s->vertex[0].w)));
            tries[7] = vec3_neg(tries[6]);
            count = 8;
        }
        double max = tiny;
        carom_gjk_vertex best = s->vertex[0];
        for (int i = 0; i < count; ++i) {
            carom_gjk_vertex v = carom_gjk_support(a, b, tries[i]);
            double height = height_over(s, v.w);
            if (height > max) {
                max = height;
                best = v;
            }
        }
        if (max <= tiny)
            return false;
        s->vertex[s->count++] = best;
    }
    return true;
}

// A face with its corners counter-clockwise from outside.
static bool add_face(hull *h, int i, int j, int k)
{
    if (h->face_count == FACES)
        return false;
    vec3 p = h->vertex[i].w;
    vec3 n = vec3_cross(vec3_sub(h->vertex[j].w, p), vec3_sub(h->vertex[k].w, p));
    double length = vec3_length(n);
    face f = { { i, j, k }, { 0, 0, 0 }, HUGE_VAL, true };
    if (length > 0) {
        f.normal = vec3_scale(1 / length, n);
        f.distance = vec3_dot(f.normal, p);
    }
    h->face[h->face_count++] = f;
    return true;
}

// The four faces of the first tetrahedron.
static void start(hull *h)
{
    vec3 p[4];
    for (int i = 0; i < 4; ++i)
        p[i] = h->vertex[i].w;
    vec3 n = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
    if (vec3_dot(n, vec3_sub(p[3], p[0])) > 0) { // the fourth corner must be below 0 1 2
        carom_gjk_vertex swap = h->vertex[1];
        h->vertex[1] = h->vertex[2];
        h->vertex[2] = swap;
    }
    add_face(h, 0, 1, 2);
    add_face(h, 0, 3, 1);
    add_face(h, 1, 3, 2);
    add_face(h, 2, 3, 0);
}

static bool share_side(const face *f, const face *g)
{
    int common = 0;
    for (int i = 0; i < 3; ++i)
        common += f->v[i] == g->v[0] || f->v[i] == g->v[1] || f->v[i] == g->v[2];
    return common == 2;
}

// Takes out the faces that see vertex `top`, beginning at `seed` and going over sides only:
// round-off on coplanar faces must not tear the region apart.
static void hide_seen(hull *h, int seed, int top, double tiny)
{
    int stack[FACES], depth = 0;
    h->face[seed].alive = false;
    stack[depth++] = seed;
    while (depth > 0) {
        const face *from = &h->face[stack[--depth]];
        for (int f = 0; f < h->face_count; ++f) {
            face *g = &h->face[f];
            if (!g->alive || !share_side(from, g) ||
                vec3_dot(g->normal, vec3_sub(h->vertex[top].w, h->vertex[g->v[0]].w)) <= tiny)
                continue;
            g->alive = false;
            stack[depth++] = f;
        }
    }
}

// Replaces the faces that see vertex `top` by a cone over their outline.
static bool cover(hull *h, int seed, int top, double tiny)
{
    int outline[FACES][2], count = 0, kept = 0;
    hide_seen(h, seed, top, tiny);
    for (int f = 0; f < h->face_count; ++f) {
        face old = h->face[f];
        if (old.alive) {
            h->face[kept++] = old;
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            int from = old.v[k], to = old.v[(k + 1) % 3], at = 0;
            while (at < count && !(outline[at][0] == to && outline[at][1] == from))
                ++at;
            if (at < count) { // seen from both sides: not on the outline
                --count;
                outline[at][0] = outline[count][0];
                outline[at][1] = outline[count][1];
            } else if (count < FACES) {
                outline[count][0] = from;
                outline[count++][1] = to;
            }
        }
    }
    h->face_count = kept;
    for (int i = 0; i < count; ++i)
        if (!add_face(h, outline[i][0], outline[i][1], top))
            return false;
    return count > 0;
}

static int nearest_face(const hull *h)
{
    int best = 0;
    for (int f = 1; f < h->face_count; ++f)
        if (h->face[f].distance < h->face[best].distance)
            best = f;
    return best;
}

static carom_axis axis_from(const hull *h, const face *f)
{
    const carom_gjk_vertex *v[3];
    double weight[3];
    for (int i = 0; i < 3; ++i)
        v[i] = &h->vertex[f->v[i]];
    vec3 q = vec3_scale(f->distance, f->normal);
    vec3 n = vec3_cross(vec3_sub(v[1]->w, v[0]->w), vec3_sub(v[2]->w, v[0]->w));
    double nn = vec3_dot(n, n);
    for (int i = 0; i < 3; ++i)
        weight[i] = vec3_dot(n, vec3_cross(vec3_sub(v[(i + 1) % 3]->w, q),
                                           vec3_sub(v[(i + 2) % 3]->w, q))) /
                    nn;
    carom_axis axis = {
        .normal = vec3_neg(f->normal), .gap = -f->distance, .exact = true, .witness = true
    };
    for (int i = 0; i < 3; ++i) {
        axis.on_a = vec3_axpy(axis.on_a, weight[i], v[i]->a);
        axis.on_b = vec3_axpy(axis.on_b, weight[i], v[i]->b);
    }
    return axis;
}

// Shapes that touch without a common volume: any direction in which neither reaches past the other.
static carom_axis touching_axis(const carom_core *a, const carom_core *b)
{
    vec3 n = vec3_unit(vec3_sub(b->pose.position, a->pose.position));
    if (vec3_dot(n, n) == 0)
        n = vec3_make(0, 0, 1);
    return (carom_axis){ .normal = n,
                         .on_a = carom_convex_support(a, n),
                         .on_b = carom_convex_support(b, vec3_neg(n)),
                         .exact = true,
                         .witness = true };
}

void carom_epa_depth(const carom_core *a, const carom_core *b, carom_gjk_simplex *simplex,
                     carom_axis *axis)
{
    double size = a->shape->bounding_radius + b->shape->bounding_radius;
    hull h = { .vertex_count = 4 };
    *axis = touching_axis(a, b);
    if (!complete(a, b, simplex, 1e-12 * size))
        return;
    for (int i = 0; i < 4; ++i)
        h.vertex[i] = simplex->vertex[i];
    start(&h);
    for (int iteration = 0; iteration < ITERATIONS; ++iteration) {
        int seed = nearest_face(&h);
        face nearest = h.face[seed];
        if (nearest.distance == HUGE_VAL)
            return;
        *axis = axis_from(&h, &nearest);
        carom_gjk_vertex next = carom_gjk_support(a, b, nearest.normal);
        if (vec3_dot(next.w, nearest.normal) - nearest.distance <= 5e-11 * size)
            return;
        if (h.vertex_count == VERTICES)
            return;
        h.vertex[h.vertex_count++] = next;
        if (!cover(&h, seed, h.vertex_count - 1, 1e-13 * size))
            return;
    }
}

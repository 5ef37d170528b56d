// A mesh with fewer triangles: edges are collapsed one by one, the least harmful first.
//
// Method: quadric error (Garland and Heckbert 1997): every vertex carries the sum of squared
// distances to the planes of the triangles it stands for, weighted by their areas; collapsing an
// edge puts one vertex where the sum of both is least. Deviations: the new vertex lies on the plane
// that keeps the enclosed volume (Lindstrom and Turk 1998, eq 6), so that mass stays what it was;
// and a weak pull to the middle of the edge decides where the quadric leaves a direction open.
//
// An edge may go only where the surface stays a closed manifold (its ends have exactly two common
// neighbours, and no vertex is left with fewer than three), no triangle turns over and none becomes
// a splinter. Whether distant sheets meet afterwards is examined with the result.
//
// Symbols: Q(x) = x.A x - 2 b.x + c; g.x = h the plane of equal volume.
#include <string.h>
#include "base/memory.h"
#include "shape/mesh.h"

#define PULL 1e-6     // to the middle of the edge, of the mean eigenvalue of A
#define SPLINTER 0.02 // least 2 area / longest side^2 of a new triangle, unless its own was less
#define TURNED 0.2    // least cosine between old and new normal
#define LEVEL 1e-6    // of the summed areas: below it the volume says nothing about the place
enum { RING = 64 };   // most neighbours of a vertex

typedef struct quadric {
    sym3 a;
    vec3 b;
    double c;
} quadric;

// An edge to collapse, as it was when its cost was found.
typedef struct candidate {
    double cost;
    int from, to; // from < to
    int age;      // sum of the changes of both ends
    vec3 place;
} candidate;

typedef struct work {
    int vertex_count, triangle_count;
    vec3 *vertex;
    int (*triangle)[3]; // first corner -1: gone
    quadric *error;
    int *first, *next; // corners 3 t + k of each vertex, linked; -1 ends
    int *age;          // how often a vertex has changed
    candidate *heap;
    int count, room;
} work;

// -- heap ---------------------------------------------------------------------------------------

// Candidates grow in number and go stale in place; base/queue.h is for a fixed set of items whose
// keys change.

static bool before(const candidate *a, const candidate *b)
{
    if (a->cost != b->cost)
        return a->cost < b->cost;
    return a->from != b->from ? a->from < b->from : a->to < b->to;
}

static bool push(work *w, candidate new)
{
    if (w->count == w->room) {
        int room = 2 * w->room + 1024;
        candidate *more = carom_memory_resize(w->heap, (size_t)room * sizeof *more);
        if (!more)
            return false;
        w->heap = more;
        w->room = room;
    }
    int at = w->count++;
    for (; at > 0 && before(&new, &w->heap[(at - 1) / 2]); at = (at - 1) / 2)
        w->heap[at] = w->heap[(at - 1) / 2];
    w->heap[at] = new;
    return true;
}

static candidate pop(work *w)
{
    candidate top = w->heap[0], last = w->heap[--w->count];
    int at = 0;
    for (int child; (child = 2 * at + 1) < w->count; at = child) {
        if (child + 1 < w->count && before(&w->heap[child + 1], &w->heap[child]))
            ++child;
        if (!before(&w->heap[child], &last))
            break;
        w->heap[at] = w->heap[child];
    }
    w->heap[at] = last;
    return top;
}

// -- quadrics -----------------------------------------------------------------------------------

static vec3 twice_area(const work *w, const int *c)
{
    vec3 p = w->vertex[c[0]];
    return vec3_cross(vec3_sub(w->vertex[c[1]], p), vec3_sub(w->vertex[c[2]], p));
}

static void add_plane(quadric *q, vec3 n, double offset, double weight)
{
    q->a.xx += weight * n.x * n.x;
    q->a.yy += weight * n.y * n.y;
    q->a.zz += weight * n.z * n.z;
    q->a.xy += weight * n.x * n.y;
    q->a.xz += weight * n.x * n.z;
    q->a.yz += weight * n.y * n.z;
    q->b = vec3_axpy(q->b, weight * offset, n);
    q->c += weight * offset * offset;
}

static quadric sum(const quadric *p, const quadric *q)
{
    sym3 a = { p->a.xx + q->a.xx, p->a.yy + q->a.yy, p->a.zz + q->a.zz,
               p->a.xy + q->a.xy, p->a.xz + q->a.xz, p->a.yz + q->a.yz };
    return (quadric){ a, vec3_add(p->b, q->b), p->c + q->c };
}

static double value(const quadric *q, vec3 x)
{
    return vec3_dot(x, sym3_mul(q->a, x)) - 2 * vec3_dot(q->b, x) + q->c;
}

// x of m x = r, by Cramer's rule; the pull keeps m away from singular.
static vec3 solve(const sym3 *m, vec3 r)
{
    vec3 c0 = { m->xx, m->xy, m->xz }, c1 = { m->xy, m->yy, m->yz }, c2 = { m->xz, m->yz, m->zz };
    double det = vec3_dot(c0, vec3_cross(c1, c2));
    return vec3_make(vec3_dot(r, vec3_cross(c1, c2)) / det, vec3_dot(c0, vec3_cross(r, c2)) / det,
                     vec3_dot(c0, vec3_cross(c1, r)) / det);
}

// Where the collapsed edge goes: least Q on the plane that keeps the volume.
static vec3 best_place(const work *w, int from, int to, const quadric *q)
{
    vec3 middle = vec3_scale(0.5, vec3_add(w->vertex[from], w->vertex[to]));
    double pull = PULL * (q->a.xx + q->a.yy + q->a.zz) / 3, h = 0, areas = 0;
    vec3 g = { 0, 0, 0 };
    if (!(pull > 0))
        return middle;
    sym3 a = q->a;
    a.xx += pull;
    a.yy += pull;
    a.zz += pull;
    vec3 x = solve(&a, vec3_axpy(q->b, pull, middle));
    for (int end = 0; end < 2; ++end)
        for (int c = w->first[end ? to : from]; c >= 0; c = w->next[c]) {
            const int *t = w->triangle[c / 3];
            if (end && (t[0] == from || t[1] == from || t[2] == from))
                continue; // counted with the other end
            vec3 n = twice_area(w, t);
            g = vec3_add(g, n);
            h += vec3_dot(n, vec3_sub(w->vertex[t[0]], middle));
            areas += vec3_length(n);
        }
    if (vec3_length(g) <= LEVEL * areas)
        return x;
    vec3 turn = solve(&a, g);
    double off = vec3_dot(g, vec3_sub(x, middle)) - h;
    return vec3_axpy(x, -off / vec3_dot(g, turn), turn);
}

// -- what may go --------------------------------------------------------------------------------

// Neighbours of a vertex, each once; -1 where there are too many.
static int ring_of(const work *w, int v, int *ring)
{
    int count = 0;
    for (int c = w->first[v]; c >= 0; c = w->next[c]) {
        if (count == RING)
            return -1;
        ring[count++] = w->triangle[c / 3][(c % 3 + 1) % 3]; // each edge leaves once
    }
    return count;
}

static bool keeps_manifold(const work *w, int from, int to)
{
    int a[RING], b[RING], na = ring_of(w, from, a), nb = ring_of(w, to, b), common = 0;
    if (na < 0 || nb < 0 || na + nb - 4 > RING)
        return false;
    for (int i = 0; i < na; ++i)
        for (int j = 0; j < nb; ++j)
            if (a[i] == b[j]) {
                int third[RING];
                ++common;
                if (ring_of(w, a[i], third) <= 3)
                    return false;
            }
    return common == 2 && na + nb - 4 >= 3;
}

// No triangle that stays turns over or becomes a splinter when v moves to `place`.
static bool keeps_triangles(const work *w, int v, int other, vec3 place)
{
    for (int c = w->first[v]; c >= 0; c = w->next[c]) {
        const int *t = w->triangle[c / 3];
        if (t[0] == other || t[1] == other || t[2] == other)
            continue;
        vec3 p = w->vertex[t[(c % 3 + 1) % 3]], q = w->vertex[t[(c % 3 + 2) % 3]];
        vec3 was = twice_area(w, t), side = vec3_sub(q, p), e = vec3_sub(p, place);
        vec3 is = vec3_cross(e, vec3_sub(q, place)), f = vec3_sub(q, place);
        double area = vec3_length(is), old = vec3_length(was);
        double longest = fmax(vec3_dot(side, side), fmax(vec3_dot(e, e), vec3_dot(f, f)));
        if (vec3_dot(is, was) < TURNED * area * old || (area < SPLINTER * longest && area < old))
            return false;
    }
    return true;
}

static bool offer(work *w, int v, int u)
{
    int from = v < u ? v : u, to = v < u ? u : v;
    quadric q = sum(&w->error[from], &w->error[to]);
    candidate c = { .from = from, .to = to, .age = w->age[from] + w->age[to] };
    c.place = best_place(w, from, to, &q);
    c.cost = fmax(0, value(&q, c.place));
    return push(w, c);
}

static void drop_corner(work *w, int v, int corner)
{
    int *at = &w->first[v];
    while (*at != corner)
        at = &w->next[*at];
    *at = w->next[corner];
}

// `to` becomes part of `from`: two triangles go, the others of `to` change hands.
static bool collapse(work *w, const candidate *c)
{
    int from = c->from, to = c->to, ring[RING], count;
    w->error[from] = sum(&w->error[from], &w->error[to]);
    w->vertex[from] = c->place;
    for (int corner = w->first[to], next; corner >= 0; corner = next) {
        int *t = w->triangle[corner / 3];
        next = w->next[corner];
        if (t[0] == from || t[1] == from || t[2] == from) {
            for (int k = 0; k < 3; ++k)
                if (t[k] != to)
                    drop_corner(w, t[k], corner - corner % 3 + k);
            t[0] = -1;
            --w->triangle_count;
            continue;
        }
        t[corner % 3] = from;
        w->next[corner] = w->first[from];
        w->first[from] = corner;
    }
    w->first[to] = -1;
    ++w->age[to];
    // Quadrics of the neighbours stay, but what their edges cost depends on the moved triangles.
    ++w->age[from];
    count = ring_of(w, from, ring);
    for (int i = 0; i < count; ++i)
        if (!offer(w, from, ring[i]))
            return false;
    return true;
}

// -- from start to end --------------------------------------------------------------------------

static bool take(work *w, const carom_mesh_source *s)
{
    size_t n = (size_t)s->vertex_count, t = (size_t)s->triangle_count;
    w->vertex_count = s->vertex_count;
    w->triangle_count = s->triangle_count;
    w->vertex = carom_memory_get(n * sizeof *w->vertex);
    w->triangle = carom_memory_get(t * sizeof *w->triangle);
    w->error = carom_memory_zeros(n, sizeof *w->error);
    w->first = carom_memory_get(n * sizeof *w->first);
    w->next = carom_memory_get(3 * t * sizeof *w->next);
    w->age = carom_memory_zeros(n, sizeof *w->age);
    if (!w->vertex || !w->triangle || !w->error || !w->first || !w->next || !w->age)
        return false;
    memset(w->first, -1, n * sizeof *w->first);
    for (int v = 0; v < s->vertex_count; ++v)
        w->vertex[v] = vec3_from(s->vertices + 3 * (size_t)v);
    for (int c = 0; c < 3 * s->triangle_count; ++c) {
        int v = s->triangles[c];
        w->triangle[c / 3][c % 3] = v;
        w->next[c] = w->first[v];
        w->first[v] = c;
    }
    for (int i = 0; i < s->triangle_count; ++i) {
        vec3 n2 = twice_area(w, w->triangle[i]), normal = vec3_unit(n2);
        double offset = vec3_dot(normal, w->vertex[w->triangle[i][0]]);
        for (int k = 0; k < 3; ++k)
            add_plane(&w->error[w->triangle[i][k]], normal, offset, vec3_length(n2));
    }
    for (int c = 0; c < 3 * s->triangle_count; ++c) {
        int a = w->triangle[c / 3][c % 3], b = w->triangle[c / 3][(c % 3 + 1) % 3];
        if (a < b && !offer(w, a, b)) // every edge runs once each way
            return false;
    }
    return true;
}

// Until few enough are left, or no edge may go any more.
static bool reduce(work *w, int triangles)
{
    while (w->triangle_count > triangles && w->count > 0) {
        candidate c = pop(w);
        if (c.age != w->age[c.from] + w->age[c.to] || w->first[c.from] < 0 || w->first[c.to] < 0)
            continue;
        // Neighbours may have moved since: the volume must be kept as it is now.
        quadric q = sum(&w->error[c.from], &w->error[c.to]);
        c.place = best_place(w, c.from, c.to, &q);
        if (!keeps_manifold(w, c.from, c.to) || !keeps_triangles(w, c.from, c.to, c.place) ||
            !keeps_triangles(w, c.to, c.from, c.place))
            continue;
        if (!collapse(w, &c))
            return false;
    }
    return true;
}

// What is left, close-packed, in the arrays it was in.
static carom_mesh_source pack(work *w, int all)
{
    int kept = 0, vertices = 0, *number = w->age;
    for (int v = 0; v < w->vertex_count; ++v) {
        number[v] = w->first[v] >= 0 ? vertices : -1;
        if (w->first[v] >= 0)
            w->vertex[vertices++] = w->vertex[v];
    }
    for (int t = 0; t < all; ++t) {
        if (w->triangle[t][0] < 0)
            continue;
        for (int k = 0; k < 3; ++k)
            w->triangle[kept][k] = number[w->triangle[t][k]];
        ++kept;
    }
    return (carom_mesh_source){ &w->vertex[0].x, w->triangle[0], vertices, kept };
}

static void destroy(work *w)
{
    carom_memory_free(w->vertex);
    carom_memory_free(w->triangle);
    carom_memory_free(w->error);
    carom_memory_free(w->first);
    carom_memory_free(w->next);
    carom_memory_free(w->age);
    carom_memory_free(w->heap);
}

carom_status carom_decimate_mesh(const carom_shape *mesh, int triangles, carom_shape **out,
                                 carom_error *err)
{
    NEED(err, mesh, out);
    carom_mesh_source s = carom_mesh_surface(mesh);
    work w = { 0 };
    *out = NULL;
    if (triangles < 4 || s.triangle_count < 4) {
        carom_error_set(err, CAROM_BAD_INPUT, "a mesh of %d triangles cannot be brought to %d",
                        s.triangle_count, triangles);
        return carom_error_fix(err, "a closed surface has at least four");
    }
    carom_status status = CAROM_OK;
    if (!take(&w, &s) || !reduce(&w, triangles))
        status = carom_error_no_memory(err, "decimating %d triangles", s.triangle_count);
    if (status == CAROM_OK && w.triangle_count > triangles) {
        carom_error_set(err, CAROM_BAD_INPUT, "the mesh keeps %d triangles, more than %d",
                        w.triangle_count, triangles);
        status = carom_error_fix(err, "ask for more: fewer would tear or fold the surface");
    }
    if (status == CAROM_OK) {
        carom_mesh_source fewer = pack(&w, s.triangle_count);
        status = carom_mesh_create(&fewer, CAROM_MESH_REPAIR, NULL, out, err);
    }
    if (status == CAROM_OK) // in the coordinates of the original
        (*out)->shift = vec3_add((*out)->shift, mesh->shift);
    destroy(&w);
    return status;
}

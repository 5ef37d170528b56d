// Prisms over outlines with holes.
//
// The two ends are triangulated by cutting ears from one loop into which every hole is spliced by a
// bridge that is run along both ways; the walls stand on the real edges only. Both sides of a
// bridge have the same vertices, so the surface is closed.
#include "shape/outline.h"

#include <string.h>
#include "base/memory.h"
#include "math/trig.h"
#include "shape/earcut.h"

void carom_outline_add(carom_outline *o, double x, double y)
{
    if (o->count < CAROM_OUTLINE_POINTS) {
        o->point[o->count][0] = x;
        o->point[o->count][1] = y;
        ++o->count;
    }
}

void carom_outline_arc(carom_outline *o, const double centre[2], double radius, double from,
                       double to, int pieces)
{
    double span = to - from;
    int last = span >= 360 || span <= -360 ? pieces - 1 : pieces;
    for (int k = 0; k <= last; ++k) {
        double turn[2];
        carom_trig_degrees(from + span * k / pieces, turn);
        carom_outline_add(o, centre[0] + radius * turn[1], centre[1] + radius * turn[0]);
    }
}

void carom_outline_close(carom_outline *o)
{
    o->first[++o->loops] = o->count;
}

// The loop of vertices with all holes spliced in.
typedef struct splice {
    int index[CAROM_OUTLINE_POINTS + 2 * CAROM_OUTLINE_HOLES];
    int count;
} splice;

static double turn_of(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool crosses(const double *a, const double *b, const double *c, const double *d)
{
    return turn_of(a, b, c) * turn_of(a, b, d) < 0 && turn_of(c, d, a) * turn_of(c, d, b) < 0;
}

// Does the bridge from one point to another run clear of every edge?
static bool clear(const carom_outline *o, int from, int to)
{
    for (int loop = 0; loop < o->loops; ++loop)
        for (int i = o->first[loop]; i < o->first[loop + 1]; ++i) {
            int j = i + 1 < o->first[loop + 1] ? i + 1 : o->first[loop];
            if (i != from && i != to && j != from && j != to &&
                crosses(o->point[from], o->point[to], o->point[i], o->point[j]))
                return false;
        }
    return true;
}

// A point that carries a bridge already stands in the loop twice, and only one of the two would do.
static bool taken(const splice *s, int k)
{
    for (int i = 0; i < s->count; ++i)
        if (i != k && s->index[i] == s->index[k])
            return true;
    return false;
}

// The shortest clear bridge from a hole to the spliced loop.
static bool find_bridge(const carom_outline *o, const splice *s, int hole, int bridge[2])
{
    double best = HUGE_VAL;
    for (int i = o->first[hole]; i < o->first[hole + 1]; ++i)
        for (int k = 0; k < s->count; ++k) {
            double x = o->point[i][0] - o->point[s->index[k]][0],
                   y = o->point[i][1] - o->point[s->index[k]][1], length = x * x + y * y;
            if (length < best && !taken(s, k) && clear(o, i, s->index[k])) {
                best = length;
                bridge[0] = i;
                bridge[1] = k;
            }
        }
    return best < HUGE_VAL;
}

static bool splice_all(const carom_outline *o, splice *s)
{
    for (int i = 0; i < o->first[1]; ++i)
        s->index[s->count++] = i;
    for (int hole = 1; hole < o->loops; ++hole) {
        int bridge[2], n = o->first[hole + 1] - o->first[hole];
        if (!find_bridge(o, s, hole, bridge))
            return false;
        int at = bridge[1] + 1, room = n + 2;
        memmove(s->index + at + room, s->index + at, (size_t)(s->count - at) * sizeof *s->index);
        for (int k = 0; k <= n; ++k)
            s->index[at + k] = o->first[hole] + (bridge[0] - o->first[hole] + k) % n;
        s->index[at + n + 1] = s->index[bridge[1]];
        s->count += room;
    }
    return true;
}

static carom_status triangulate(const carom_outline *o, int *cap, int *caps, carom_error *err)
{
    splice *s = carom_memory_zeros(1, sizeof *s);
    double *loop =
        carom_memory_get(2 * sizeof *loop * (CAROM_OUTLINE_POINTS + 2 * CAROM_OUTLINE_HOLES));
    carom_status status = CAROM_OK;
    if (!s || !loop)
        status = carom_error_no_memory(err, "an outline");
    else if (!splice_all(o, s))
        status = carom_error_set(err, CAROM_BAD_INPUT, "a hole lies outside its outline");
    if (status == CAROM_OK) {
        for (int k = 0; k < s->count; ++k)
            memcpy(loop + 2 * k, o->point[s->index[k]], 2 * sizeof *loop);
        status = carom_earcut_polygon(loop, s->count, cap, err);
        *caps = s->count - 2;
        for (int k = 0; status == CAROM_OK && k < 3 * *caps; ++k)
            cap[k] = s->index[cap[k]];
    }
    carom_memory_free(s);
    carom_memory_free(loop);
    return status;
}

carom_status carom_outline_extrude(const carom_outline *o, double half_height, carom_shape **out,
                                   carom_error *err)
{
    *out = NULL;
    int n = o->count, caps = 0, count = 0;
    if (n < 3 || n >= CAROM_OUTLINE_POINTS)
        return carom_error_set(err, CAROM_BAD_INPUT, "an outline of %d points", n);
    size_t max = CAROM_OUTLINE_POINTS + 2 * CAROM_OUTLINE_HOLES;
    int *cap = carom_memory_get(3 * max * sizeof *cap),
        *triangle = carom_memory_get(12 * max * sizeof *triangle);
    double *vertex = carom_memory_get(6 * (size_t)n * sizeof *vertex);
    carom_status status = CAROM_OK;
    if (!cap || !triangle || !vertex)
        status = carom_error_no_memory(err, "%d points", n);
    if (status == CAROM_OK)
        status = triangulate(o, cap, &caps, err);
    for (int k = 0; status == CAROM_OK && k < 2 * n; ++k) {
        vertex[3 * k] = o->point[k % n][0];
        vertex[3 * k + 1] = o->point[k % n][1];
        vertex[3 * k + 2] = k < n ? -half_height : half_height;
    }
    for (int t = 0; status == CAROM_OK && t < caps; ++t) {
        const int *c = cap + 3 * t, both[6] = { c[0], c[2], c[1], n + c[0], n + c[1], n + c[2] };
        memcpy(triangle + 3 * count, both, sizeof both);
        count += 2;
    }
    for (int loop = 0; status == CAROM_OK && loop < o->loops; ++loop)
        for (int i = o->first[loop]; i < o->first[loop + 1]; ++i) {
            int j = i + 1 < o->first[loop + 1] ? i + 1 : o->first[loop];
            const int both[6] = { i, j, n + j, i, n + j, n + i };
            memcpy(triangle + 3 * count, both, sizeof both);
            count += 2;
        }
    carom_mesh_source source = { vertex, triangle, 2 * n, count };
    if (status == CAROM_OK)
        status = carom_mesh_create(&source, CAROM_MESH_STRICT, NULL, out, err);
    carom_memory_free(cap);
    carom_memory_free(triangle);
    carom_memory_free(vertex);
    return status;
}

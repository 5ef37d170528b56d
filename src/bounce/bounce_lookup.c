// Reading a map: nearest sample in position and normal [Bounce, eq 10], or clamped linear moving
// least squares over the neighbours.
//
// dist^2 = |X - X'|^2 + gamma^2 |N - N'|^2. The face is found in a hashed grid whose cells know all
// faces near them; where the normal is that face's, this is all. Else the sharp edges and vertices
// of the faces around it compete. Neighbours are walked along the surface, so a value never comes
// from the other side of a thin wall: there the normals differ by 2, which costs 2 gamma.
#include <stdlib.h>
#include <string.h>
#include "bounce/bounce_map.h"

enum { RING = 48, PER_FACE_MAX = 64 };

// -- grid -----------------------------------------------------------------------------------------

static unsigned slot_of(const carom_bounce_grid *g, int x, int y, int z)
{
    unsigned h = (unsigned)x * 73856093u ^ (unsigned)y * 19349663u ^ (unsigned)z * 83492791u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    unsigned slot = h & (unsigned)(g->slots - 1);
    while (g->used[slot] &&
           (g->key[3 * slot] != x || g->key[3 * slot + 1] != y || g->key[3 * slot + 2] != z))
        slot = (slot + 1) & (unsigned)(g->slots - 1);
    return slot;
}

// Far outside there is nothing: any place there is as good as another.
static int cell_of(double x, double size)
{
    const double far = 1e9;
    return (int)fmax(-far, fmin(far, floor(x / size)));
}

// The cells that a face widened by `reach` may touch.
static void span_of(const carom_mesh *mesh, int face, const double size_reach[2], int low[3],
                    int high[3])
{
    double p[3][3], size = size_reach[0], reach = size_reach[1];
    for (int k = 0; k < 3; ++k)
        vec3_store(mesh->vertex[mesh->triangle[face][k]], p[k]);
    for (int d = 0; d < 3; ++d) {
        low[d] = cell_of(fmin(fmin(p[0][d], p[1][d]), p[2][d]) - reach, size);
        high[d] = cell_of(fmax(fmax(p[0][d], p[1][d]), p[2][d]) + reach, size);
    }
}

static double entries_at(const carom_mesh *mesh, double size, double reach)
{
    double total = 0;
    for (int f = 0; f < mesh->triangle_count; ++f) {
        int low[3], high[3];
        span_of(mesh, f, (double[2]){ size, reach }, low, high);
        total += (high[0] - low[0] + 1.0) * (high[1] - low[1] + 1.0) * (high[2] - low[2] + 1.0);
    }
    return total;
}

static void fill(carom_bounce_map *map, double reach, bool count_only)
{
    carom_bounce_grid *g = &map->grid;
    for (int f = 0; f < map->mesh->triangle_count; ++f) {
        int low[3], high[3];
        span_of(map->mesh, f, (double[2]){ g->size, reach }, low, high);
        for (int x = low[0]; x <= high[0]; ++x)
            for (int y = low[1]; y <= high[1]; ++y)
                for (int z = low[2]; z <= high[2]; ++z) {
                    unsigned slot = slot_of(g, x, y, z);
                    if (count_only) {
                        g->used[slot] = 1;
                        g->key[3 * slot] = x;
                        g->key[3 * slot + 1] = y;
                        g->key[3 * slot + 2] = z;
                        ++g->first[slot + 1];
                    } else {
                        g->face[g->first[slot]++] = f;
                    }
                }
    }
}

static carom_status make_grid(carom_bounce_map *map, carom_error *err)
{
    carom_bounce_grid *g = &map->grid;
    double reach = 0.7 * map->info.spacing;
    g->size = 1.5 * map->info.spacing;
    while (entries_at(map->mesh, g->size, reach) > PER_FACE_MAX * (double)map->mesh->triangle_count)
        g->size *= 1.5; // ends: one cell holds everything at last
    double entries = entries_at(map->mesh, g->size, reach);
    g->slots = 1024;
    while (g->slots < entries / 4 || g->slots < 4 * map->mesh->triangle_count)
        g->slots *= 2;
    size_t slots = (size_t)g->slots;
    g->key = malloc(3 * slots * sizeof *g->key);
    g->used = calloc(slots, 1);
    g->first = calloc(slots + 2, sizeof *g->first);
    g->face = malloc(((size_t)entries + 1) * sizeof *g->face);
    if (!g->key || !g->used || !g->first || !g->face)
        return carom_error_no_memory(err, "a search among %d faces", map->mesh->triangle_count);
    fill(map, reach, true);
    for (size_t s = 0; s < slots; ++s)
        g->first[s + 1] += g->first[s];
    fill(map, reach, false);
    memmove(g->first + 1, g->first, slots * sizeof *g->first); // filling moved every start on
    g->first[0] = 0;
    return CAROM_OK;
}

// The faces around every vertex.
static carom_status find_around(carom_bounce_map *map, carom_error *err)
{
    const carom_mesh *mesh = map->mesh;
    size_t corners = 3 * (size_t)mesh->triangle_count, vertices = (size_t)mesh->vertex_count;
    map->around_first = calloc(vertices + 2, sizeof *map->around_first);
    map->around = malloc(corners * sizeof *map->around);
    if (!map->around_first || !map->around)
        return carom_error_no_memory(err, "%zu vertices", vertices);
    const int *corner = mesh->triangle[0];
    for (size_t k = 0; k < corners; ++k)
        ++map->around_first[corner[k] + 2];
    for (size_t v = 0; v < vertices; ++v)
        map->around_first[v + 2] += map->around_first[v + 1];
    for (size_t k = 0; k < corners; ++k) // starts move on by one place each: they end where wanted
        map->around[map->around_first[corner[k] + 1]++] = (int)(k / 3);
    return CAROM_OK;
}

// The faces that share a vertex with the face, the face itself first; returns how many. Each is
// counted at the first vertex it shares.
static int ring_of(const carom_bounce_map *map, int face, int ring[RING])
{
    const int *home = map->mesh->triangle[face];
    int count = 0;
    ring[count++] = face;
    for (int k = 0; k < 3; ++k)
        for (int s = map->around_first[home[k]]; s < map->around_first[home[k] + 1]; ++s) {
            int f = map->around[s];
            const int *t = map->mesh->triangle[f];
            bool known = f == face || count == RING;
            for (int j = 0; j < k; ++j)
                known |= t[0] == home[j] || t[1] == home[j] || t[2] == home[j];
            if (!known)
                ring[count++] = f;
        }
    return count;
}

// All rings, one after the other.
static carom_status find_rings(carom_bounce_map *map, carom_error *err)
{
    int faces = map->mesh->triangle_count, ring[RING];
    map->ring_first = malloc(((size_t)faces + 1) * sizeof *map->ring_first);
    size_t room = 16 * (size_t)faces + RING, used = 0;
    map->ring = malloc(room * sizeof *map->ring);
    for (int f = 0; f < faces && map->ring && map->ring_first; ++f) {
        int count = ring_of(map, f, ring);
        if (used + (size_t)count > room) {
            room = 2 * room + RING;
            int *more = realloc(map->ring, room * sizeof *more);
            if (!more)
                return carom_error_no_memory(err, "%d faces", faces);
            map->ring = more;
        }
        memcpy(map->ring + used, ring, (size_t)count * sizeof *ring);
        map->ring_first[f] = (int)used;
        map->ring_first[f + 1] = (int)(used += (size_t)count);
    }
    return map->ring && map->ring_first ? CAROM_OK : carom_error_no_memory(err, "%d faces", faces);
}

carom_status carom_bounce_lookup_prepare(carom_bounce_map *map, carom_error *err)
{
    int faces = map->mesh->triangle_count;
    map->face = malloc((size_t)faces * sizeof *map->face);
    if (!map->face)
        return carom_error_no_memory(err, "%d faces", faces);
    for (int f = 0; f < faces; ++f) {
        vec3 p, n;
        carom_bounce_samples_at(map, f, &p, &n);
        const double all[6] = { p.x, p.y, p.z, n.x, n.y, n.z };
        for (int k = 0; k < 6; ++k)
            map->face[f][k] = (float)all[k];
    }
    TRY(find_around(map, err));
    TRY(find_rings(map, err));
    return make_grid(map, err);
}

void carom_bounce_lookup_free(carom_bounce_map *map)
{
    free(map->face);
    free(map->around);
    free(map->around_first);
    free(map->ring);
    free(map->ring_first);
    free(map->grid.key);
    free(map->grid.first);
    free(map->grid.face);
    free(map->grid.used);
}

// -- nearest face ---------------------------------------------------------------------------------

static int nearest_face(const carom_bounce_map *map, vec3 point, vec3 normal)
{
    const carom_bounce_grid *g = &map->grid;
    double limit = 1e9 * g->size;
    if (!(fabs(point.x) < limit && fabs(point.y) < limit && fabs(point.z) < limit))
        return 0;
    unsigned slot =
        slot_of(g, cell_of(point.x, g->size), cell_of(point.y, g->size), cell_of(point.z, g->size));
    float x = (float)point.x, y = (float)point.y, z = (float)point.z;
    float nx = (float)normal.x, ny = (float)normal.y, nz = (float)normal.z;
    float gamma2 = (float)(map->info.gamma * map->info.gamma), best = HUGE_VALF;
    int found = -1;
    for (int k = g->first[slot]; k < g->first[slot + 1]; ++k) {
        const float *f = map->face[g->face[k]];
        float dx = x - f[0], dy = y - f[1], dz = z - f[2];
        float turn = 2 - 2 * (nx * f[3] + ny * f[4] + nz * f[5]);
        float distance = dx * dx + dy * dy + dz * dz + gamma2 * turn;
        if (distance < best) {
            best = distance;
            found = g->face[k];
        }
    }
    if (found >= 0)
        return found;
    // off the surface: the nearest point of it
    return carom_bounce_samples_face_of(map->mesh,
                                        carom_mesh_nearest(map->mesh, point, HUGE_VAL).feature);
}

// -- sharp edges and vertices ---------------------------------------------------------------------

typedef struct query {
    const carom_bounce_map *map;
    vec3 point, normal;
    double best; // squared distance of eq 10
    carom_bounce_value value;
    int first, second; // samples of an edge on either side of the angle
    double share;      // of the second
} query;

static double distance_of(const query *q, vec3 point, vec3 normal)
{
    vec3 d = vec3_sub(q->point, point), n = vec3_sub(q->normal, normal);
    return vec3_dot(d, d) + q->map->info.gamma * q->map->info.gamma * vec3_dot(n, n);
}

// Between which two angle samples of the edge does the normal lie? u is clamped to [0, 1].
static double angle_along(const carom_mesh *mesh, int edge, vec3 normal)
{
    vec3 n0 = mesh->face_normal[mesh->edge_face[edge][0]];
    vec3 n1 = mesh->face_normal[mesh->edge_face[edge][1]];
    double c = vec3_dot(n0, n1), p = vec3_dot(normal, n0), r = vec3_dot(normal, n1);
    double b0 = p - c * r, b1 = r - c * p; // normal ~ b0 n0 + b1 n1, up to a common factor
    b0 = b0 > 0 ? b0 : 0;
    b1 = b1 > 0 ? b1 : 0;
    return b0 + b1 > 0 ? b1 / (b0 + b1) : (p >= r ? 0 : 1);
}

static void try_seam(query *q, int which)
{
    const carom_mesh *mesh = q->map->mesh;
    const carom_bounce_seam *s = &q->map->seams[which];
    vec3 a = mesh->vertex[mesh->edge[s->edge][0]], b = mesh->vertex[mesh->edge[s->edge][1]];
    vec3 along = vec3_sub(b, a);
    double t = vec3_dot(vec3_sub(q->point, a), along) / vec3_dot(along, along);
    double u = angle_along(mesh, s->edge, q->normal) * s->angles;
    int position = (int)(fmin(1, fmax(0, t)) * s->positions), angle = (int)u;
    position = position < s->positions ? position : s->positions - 1;
    angle = angle < s->angles ? angle : s->angles - 1;
    int first = s->first + position * (s->angles + 1) + angle;
    vec3 point, normal;
    int nearest = first + (u - angle > 0.5);
    carom_bounce_samples_at(q->map, nearest, &point, &normal);
    double distance = distance_of(q, point, normal);
    if (distance >= q->best)
        return;
    q->best = distance;
    q->value.place = CAROM_BOUNCE_EDGE;
    q->value.index = which;
    q->first = first;
    q->second = first + 1;
    q->share = u - angle;
}

static void try_corner(query *q, int which)
{
    const carom_bounce_corner *c = &q->map->corners[which];
    vec3 d = vec3_sub(q->point, q->map->mesh->vertex[c->vertex]);
    if (vec3_dot(d, d) >= q->best)
        return;
    for (int k = 0; k < c->count; ++k) {
        vec3 point, normal;
        carom_bounce_samples_at(q->map, c->first + k, &point, &normal);
        double distance = distance_of(q, point, normal);
        if (distance < q->best) {
            q->best = distance;
            q->value.place = CAROM_BOUNCE_VERTEX;
            q->value.index = which;
            q->first = q->second = c->first + k;
            q->share = 0;
        }
    }
}

// Everything sharp on the faces around.
static void try_sharp(query *q, const int *ring, int count)
{
    const carom_mesh *mesh = q->map->mesh;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            int seam = q->map->seam_of[mesh->face_edge[ring[i]][k]];
            int corner = q->map->corner_of[mesh->triangle[ring[i]][k]];
            if (seam >= 0)
                try_seam(q, seam);
            if (corner >= 0 && (q->value.place != CAROM_BOUNCE_VERTEX || q->value.index != corner))
                try_corner(q, corner);
        }
}

// -- linear moving least squares ------------------------------------------------------------------

// Fits c0 + c1 x + c2 y over the faces around, in the plane of the face, weighted by nearness, and
// clamps to what they hold; c0 is the value at the point. Faces beyond a sharp edge do not count.
static double linear_epsilon(const query *q, const int *ring, int count, int face)
{
    const carom_bounce_map *map = q->map;
    vec3 t1, t2, home = map->mesh->face_normal[face];
    double floor = 0.04 * map->info.spacing * map->info.spacing, low = 1, high = 0;
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0, v = 0, vx = 0, vy = 0;
    vec3_tangents(home, &t1, &t2);
    for (int i = 0; i < count; ++i) {
        const float *f = map->face[ring[i]];
        if ((double)f[3] * home.x + (double)f[4] * home.y + (double)f[5] * home.z < 0.9)
            continue;
        vec3 d = vec3_sub(vec3_make((double)f[0], (double)f[1], (double)f[2]), q->point);
        double x = vec3_dot(d, t1), y = vec3_dot(d, t2), value = map->epsilon[ring[i]] / 65535.0;
        double w = 1 / (vec3_dot(d, d) + floor), wx = w * x, wy = w * y;
        s += w;
        sx += wx;
        sy += wy;
        sxx += wx * x;
        sxy += wx * y;
        syy += wy * y;
        v += w * value;
        vx += wx * value;
        vy += wy * value;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    // the first row of the inverse of the symmetric matrix, times det
    double a = sxx * syy - sxy * sxy, b = sy * sxy - sx * syy, c = sx * sxy - sy * sxx;
    double det = s * a + sx * b + sy * c, nearest = map->epsilon[face] / 65535.0;
    if (!(fabs(det) > 1e-9 * fabs(s * sxx * syy))) // faces in a row: no plane through them
        return nearest;
    double fit = (v * a + vx * b + vy * c) / det;
    return fit < low ? low : fit > high ? high : fit;
}

// -- the value ------------------------------------------------------------------------------------

carom_bounce_value carom_bounce_map_lookup(const carom_bounce_map *map, const double point[3],
                                           const double normal[3])
{
    if (!map || !point || !normal)
        return (carom_bounce_value){ 0 };
    query q = { .map = map, .point = vec3_from(point), .normal = vec3_unit(vec3_from(normal)) };
    carom_bounce_symmetry_fold(&map->symmetry, &q.point, &q.normal);
    int face = nearest_face(map, q.point, q.normal);
    const int *ring = map->ring + map->ring_first[face];
    int count = map->ring_first[face + 1] - map->ring_first[face];
    const carom_mesh *mesh = map->mesh;
    bool smooth = map->info.sharp_edges == 0 && map->info.sharp_vertices == 0;
    // within half a step of the face's normal the face is meant
    bool flat = smooth || vec3_dot(q.normal, mesh->face_normal[face]) >
                              1 - 0.125 * map->info.angle * map->info.angle * 3.0461741978670857e-4;
    if (!flat) {
        vec3 p, n;
        carom_bounce_samples_at(map, face, &p, &n);
        q.best = distance_of(&q, p, n);
        try_sharp(&q, ring, count);
    }
    bool linear = map->info.reading == CAROM_BOUNCE_LINEAR;
    if (q.value.place == CAROM_BOUNCE_FACE) {
        q.value = carom_bounce_map_read(map, face);
        if (linear)
            q.value.epsilon = linear_epsilon(&q, ring, count, face);
    } else {
        carom_bounce_place place = q.value.place;
        int index = q.value.index;
        q.value = carom_bounce_map_read(map, q.share > 0.5 ? q.second : q.first);
        if (linear)
            q.value.epsilon =
                ((1 - q.share) * map->epsilon[q.first] + q.share * map->epsilon[q.second]) /
                65535.0;
        q.value.place = place;
        q.value.index = index;
    }
    q.value.epsilon *= map->info.alpha;
    return q.value;
}

double carom_bounce_map_response(const carom_bounce_map *map, const double point[3],
                                 const double normal[3])
{
    if (!map || !point || !normal)
        return 0;
    vec3 turn = vec3_cross(vec3_from(point), vec3_unit(vec3_from(normal)));
    return 1 / map->info.mass + vec3_dot(turn, sym3_mul(map->inverse_inertia, turn));
}

// Where a map is sampled [Bounce, section 4, fig 12]: faces at their centroids, sharp edges over
// the normals between those of their two faces, sharp vertices over the directions in the cone of
// possible contact normals.
//
// Between two normals n0, n1 sample k of n looks along (1 - u) n0 + u n1, u = k/n: nearly even
// steps of angle, and looking up inverts it without trigonometry. Directions of a vertex come from
// a geodesic sphere of 2562 points, stored in two 16-bit octahedral coordinates.
#include <stdlib.h>
#include <string.h>
#include "bounce/bounce_map.h"
#include "math/constants.h"
#include "math/trig.h"

enum { FREQUENCY = 16, DIRECTIONS = 10 * FREQUENCY * FREQUENCY + 2 };

// -- octahedral directions ------------------------------------------------------------------------

static int16_t rounded(double x)
{
    return (int16_t)(x < 0 ? x * 32767 - 0.5 : x * 32767 + 0.5);
}

static void encode(vec3 d, int16_t out[2])
{
    double sum = fabs(d.x) + fabs(d.y) + fabs(d.z), x = d.x / sum, y = d.y / sum;
    if (d.z < 0) {
        double fold = (1 - fabs(y)) * (x < 0 ? -1 : 1);
        y = (1 - fabs(x)) * (y < 0 ? -1 : 1);
        x = fold;
    }
    out[0] = rounded(x);
    out[1] = rounded(y);
}

static vec3 decode(const int16_t in[2])
{
    double x = in[0] / 32767.0, y = in[1] / 32767.0, z = 1 - fabs(x) - fabs(y);
    if (z < 0) {
        double fold = (1 - fabs(y)) * (x < 0 ? -1 : 1);
        y = (1 - fabs(x)) * (y < 0 ? -1 : 1);
        x = fold;
    }
    return vec3_unit(vec3_make(x, y, z));
}

// The vertices of an icosahedron whose faces are cut into FREQUENCY^2 triangles, each once.
static int sphere_directions(vec3 *out)
{
    static const int face[20][3] = { { 0, 1, 2 },  { 0, 2, 3 },  { 0, 3, 4 },   { 0, 4, 5 },
                                     { 0, 5, 1 },  { 1, 6, 2 },  { 2, 6, 7 },   { 2, 7, 3 },
                                     { 3, 7, 8 },  { 3, 8, 4 },  { 4, 8, 9 },   { 4, 9, 5 },
                                     { 5, 9, 10 }, { 5, 10, 1 }, { 1, 10, 6 },  { 11, 7, 6 },
                                     { 11, 8, 7 }, { 11, 9, 8 }, { 11, 10, 9 }, { 11, 6, 10 } };
    vec3 tip[12] = { { 0, 0, 1 }, [11] = { 0, 0, -1 } };
    double low = 1 / sqrt(5), wide = 2 * low;
    for (int k = 0; k < 5; ++k) {
        double turn[2];
        carom_trig_degrees(72 * k, turn);
        tip[1 + k] = vec3_make(wide * turn[1], wide * turn[0], low);
        carom_trig_degrees(72 * k + 36, turn);
        tip[6 + k] = vec3_make(wide * turn[1], wide * turn[0], -low);
    }
    int count = 0, border = 0;
    for (int pass = 0; pass < 2; ++pass) // points on edges of faces first: only they can repeat
        for (int f = 0; f < 20; ++f)
            for (int i = 0; i <= FREQUENCY; ++i)
                for (int j = 0; i + j <= FREQUENCY; ++j) {
                    int k = FREQUENCY - i - j;
                    bool inner = i > 0 && j > 0 && k > 0, known = false;
                    if (inner != (pass == 1))
                        continue;
                    vec3 d = vec3_scale(i, tip[face[f][0]]);
                    d = vec3_axpy(vec3_axpy(d, j, tip[face[f][1]]), k, tip[face[f][2]]);
                    d = vec3_unit(d);
                    for (int b = 0; b < border && !inner && !known; ++b)
                        known = vec3_dot(d, out[b]) > 1 - 1e-6;
                    if (known || count == DIRECTIONS)
                        continue;
                    out[count++] = d;
                    border += !inner;
                }
    return count;
}

int carom_bounce_samples_face_of(const carom_mesh *mesh, uint32_t feature)
{
    uint32_t number = feature & 0x3fffffffu;
    if (feature & 0x80000000u) // a vertex: any face around it
        return mesh->edge_face[mesh->spoke[mesh->spoke_first[feature & 0x7fffffffu]]][0];
    return feature & 0x40000000u ? mesh->edge_face[number][0] : (int)number;
}

// -- finding --------------------------------------------------------------------------------------

// Degrees between the two normals of an edge where the surface is convex; 0 where it is not.
static double bend_of(const carom_mesh *mesh, int edge)
{
    const int *f = mesh->edge_face[edge], *ends = mesh->edge[edge];
    vec3 n0 = mesh->face_normal[f[0]], n1 = mesh->face_normal[f[1]];
    double down = 0;
    for (int k = 0; k < 3; ++k) {
        int v = mesh->triangle[f[1]][k];
        if (v != ends[0] && v != ends[1])
            down = vec3_dot(n0, vec3_sub(mesh->vertex[v], mesh->vertex[ends[0]]));
    }
    double cosine = fmin(1, fmax(-1, vec3_dot(n0, n1)));
    return down < 0 ? carom_trig_acos(cosine) * CAROM_DEGREES_PER_RADIAN : 0;
}

static double edge_length(const carom_mesh *mesh, int edge)
{
    return vec3_length(vec3_sub(mesh->vertex[mesh->edge[edge][1]], //
                                mesh->vertex[mesh->edge[edge][0]]));
}

static bool in_cone(const carom_mesh *mesh, int vertex, vec3 direction)
{
    for (int s = mesh->spoke_first[vertex]; s < mesh->spoke_first[vertex + 1]; ++s) {
        const int *ends = mesh->edge[mesh->spoke[s]];
        vec3 along = vec3_sub(mesh->vertex[ends[ends[0] == vertex]], mesh->vertex[vertex]);
        if (vec3_dot(direction, along) > 1e-9 * vec3_length(along))
            return false;
    }
    return true;
}

// A vertex where three sharp edges meet, or a tip: no sharp edge, but normals far apart.
static bool is_corner(const carom_bounce_map *map, int vertex, double sharp_cosine)
{
    const carom_mesh *mesh = map->mesh;
    int seams = 0;
    bool wide = false;
    for (int s = mesh->spoke_first[vertex]; s < mesh->spoke_first[vertex + 1]; ++s) {
        int edge = mesh->spoke[s];
        seams += map->seam_of[edge] >= 0;
        wide |= vec3_dot(mesh->face_normal[mesh->edge_face[edge][0]], mesh->vertex_normal[vertex]) <
                sharp_cosine;
    }
    return seams >= 3 || (seams == 0 && wide);
}

static carom_status find_seams(carom_bounce_map *map, const carom_bounce_map_options *options,
                               carom_error *err)
{
    const carom_mesh *mesh = map->mesh;
    carom_bounce_map_info *info = &map->info;
    int count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        count = 0;
        for (int e = 0; e < mesh->edge_count; ++e) {
            double bend = bend_of(mesh, e);
            if (pass == 0)
                map->seam_of[e] = bend > options->sharp ? count : -1;
            if (!(bend > options->sharp))
                continue;
            if (pass == 1 && options->edges) {
                int positions = (int)(edge_length(mesh, e) / info->spacing + 0.5);
                carom_bounce_seam seam = { e, positions > 1 ? positions : 1,
                                           (int)ceil(bend / options->angle - 1e-6), 0 };
                seam.first = map->sample_count;
                map->seams[count] = seam;
                map->sample_count += seam.positions * (seam.angles + 1);
            }
            ++count;
        }
        if (pass == 0 && !(map->seams = malloc((size_t)(count + 1) * sizeof *map->seams)))
            return carom_error_no_memory(err, "%d edges", count);
    }
    info->sharp_edges = options->edges ? count : 0;
    info->edge_samples = map->sample_count - info->faces;
    return CAROM_OK;
}

static carom_status find_corners(carom_bounce_map *map, const carom_bounce_map_options *options,
                                 carom_error *err)
{
    const carom_mesh *mesh = map->mesh;
    double turn[2];
    carom_trig_degrees(options->sharp, turn);
    int corners = 0, samples = 0;
    vec3 *sphere = malloc(DIRECTIONS * sizeof *sphere);
    if (!sphere)
        return carom_error_no_memory(err, "directions");
    int directions = sphere_directions(sphere);
    for (int v = 0; v < mesh->vertex_count; ++v)
        corners += options->vertices && is_corner(map, v, turn[1]);
    map->corners = malloc((size_t)(corners + 1) * sizeof *map->corners);
    map->direction = malloc(((size_t)corners * (size_t)directions + 1) * sizeof *map->direction);
    bool good = map->corners && map->direction;
    corners = 0;
    for (int v = 0; good && v < mesh->vertex_count; ++v) {
        if (!options->vertices || !is_corner(map, v, turn[1]))
            continue;
        carom_bounce_corner corner = { v, map->sample_count + samples, 0 };
        for (int d = 0; d < directions; ++d)
            if (in_cone(mesh, v, sphere[d])) {
                encode(sphere[d], map->direction[samples++]);
                ++corner.count;
            }
        if (corner.count > 0)
            map->corners[corners++] = corner;
    }
    free(sphere);
    if (!good)
        return carom_error_no_memory(err, "%d vertices", corners);
    map->info.sharp_vertices = corners;
    map->info.vertex_samples = samples;
    map->sample_count += samples;
    return CAROM_OK;
}

bool carom_bounce_samples_index(carom_bounce_map *map)
{
    const carom_mesh *mesh = map->mesh;
    for (int e = 0; e < mesh->edge_count; ++e)
        map->seam_of[e] = -1;
    for (int v = 0; v < mesh->vertex_count; ++v)
        map->corner_of[v] = -1;
    int next = map->info.faces;
    for (int k = 0; k < map->info.sharp_edges; ++k) {
        const carom_bounce_seam *s = &map->seams[k];
        if (s->edge < 0 || s->edge >= mesh->edge_count || s->positions < 1 || s->angles < 1 ||
            s->first != next || s->positions > 10000000 / (s->angles + 1))
            return false;
        next += s->positions * (s->angles + 1);
        if (next > map->sample_count)
            return false;
        map->seam_of[s->edge] = k;
    }
    for (int k = 0; k < map->info.sharp_vertices; ++k) {
        const carom_bounce_corner *c = &map->corners[k];
        if (c->vertex < 0 || c->vertex >= mesh->vertex_count || c->count < 1 || c->first != next ||
            c->count > map->sample_count - next)
            return false;
        next += c->count;
        map->corner_of[c->vertex] = k;
    }
    return next == map->sample_count;
}

carom_status carom_bounce_samples_find(carom_bounce_map *map,
                                       const carom_bounce_map_options *options, carom_error *err)
{
    map->sample_count = map->info.faces;
    TRY(find_seams(map, options, err));
    TRY(find_corners(map, options, err));
    carom_bounce_samples_index(map);
    return CAROM_OK;
}

// -- where they lie -------------------------------------------------------------------------------

carom_bounce_place carom_bounce_samples_place(const carom_bounce_map *map, int index, int *which)
{
    const carom_bounce_map_info *info = &map->info;
    *which = index;
    if (index < info->faces)
        return CAROM_BOUNCE_FACE;
    bool edge = index < info->faces + info->edge_samples;
    int low = 0, high = edge ? info->sharp_edges : info->sharp_vertices;
    while (high - low > 1) { // the last one that starts at or before the sample
        int middle = (low + high) / 2;
        int first = edge ? map->seams[middle].first : map->corners[middle].first;
        *(first <= index ? &low : &high) = middle;
    }
    *which = low;
    return edge ? CAROM_BOUNCE_EDGE : CAROM_BOUNCE_VERTEX;
}

void carom_bounce_samples_at(const carom_bounce_map *map, int index, vec3 *point, vec3 *normal)
{
    const carom_mesh *mesh = map->mesh;
    int which;
    switch (carom_bounce_samples_place(map, index, &which)) {
    case CAROM_BOUNCE_FACE: {
        const int *t = mesh->triangle[index];
        vec3 sum = vec3_add(vec3_add(mesh->vertex[t[0]], mesh->vertex[t[1]]), mesh->vertex[t[2]]);
        *point = vec3_scale(1.0 / 3, sum);
        *normal = mesh->face_normal[index];
        break;
    }
    case CAROM_BOUNCE_EDGE: {
        const carom_bounce_seam *s = &map->seams[which];
        int at = index - s->first, position = at / (s->angles + 1), angle = at % (s->angles + 1);
        double t = (position + 0.5) / s->positions, u = (double)angle / s->angles;
        vec3 a = mesh->vertex[mesh->edge[s->edge][0]], b = mesh->vertex[mesh->edge[s->edge][1]];
        vec3 n0 = mesh->face_normal[mesh->edge_face[s->edge][0]];
        vec3 n1 = mesh->face_normal[mesh->edge_face[s->edge][1]];
        *point = vec3_axpy(vec3_scale(1 - t, a), t, b);
        *normal = vec3_unit(vec3_axpy(vec3_scale(1 - u, n0), u, n1));
        break;
    }
    case CAROM_BOUNCE_VERTEX:
        *point = mesh->vertex[map->corners[which].vertex];
        *normal = decode(map->direction[index - map->info.faces - map->info.edge_samples]);
        break;
    }
}

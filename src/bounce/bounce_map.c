// Baking a map: all samples folded by symmetry, each distinct contact computed once, values packed.
//
// Packed: epsilon in steps of 1/65535; tau as 6 bits of exponent and 10 of mantissa in units of the
// fastest mode (0.1 %); spread in steps of 1/254. What is looked up is what is written to the file.
#include "bounce/bounce_map.h"
#include "bounce/bounce_fit.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/progress.h"
#include "base/team.h"
#include "math/constants.h"

enum { CHUNK = 2048, CAPPED = 255 };

carom_bounce_map_options carom_bounce_map_options_default(void)
{
    return (carom_bounce_map_options){ .kernel = carom_bounce_options_default(),
                                       .edges = 1,
                                       .vertices = 1,
                                       .sharp = 30,
                                       .angle = 4.5,
                                       .alpha = 1 };
}

// -- packing --------------------------------------------------------------------------------------

static uint16_t pack_tau(double scaled)
{
    int exponent;
    if (!(scaled > 0))
        return 0;
    double mantissa = frexp(scaled, &exponent); // [0.5, 1)
    exponent = exponent < -15 ? -15 : exponent > 47 ? 47 : exponent;
    return (uint16_t)(((unsigned)(exponent + 16) << 10) | (unsigned)((mantissa - 0.5) * 2048));
}

static double unpack_tau(uint16_t packed)
{
    if (packed == 0)
        return 0;
    return ldexp(0.5 + (packed & 1023) / 2048.0, (int)(packed >> 10) - 16);
}

carom_bounce_value carom_bounce_map_read(const carom_bounce_map *map, int index)
{
    return (carom_bounce_value){
        .epsilon = map->epsilon[index] / 65535.0,
        .tau = unpack_tau(map->tau[index]) / map->info.omega_max,
        .micro = map->micro[index],
        .spread = map->spread[index] == CAPPED ? 1 : map->spread[index] / 254.0,
        .capped = map->spread[index] == CAPPED,
        .place = CAROM_BOUNCE_FACE,
        .index = index,
    };
}

static void keep(carom_bounce_map *map, int index, const carom_bounce_result *r)
{
    double epsilon = r->end == CAROM_BOUNCE_LEFT ? r->epsilon : 0;
    map->epsilon[index] = (uint16_t)(fmin(1, fmax(0, epsilon)) * 65535 + 0.5);
    map->tau[index] = pack_tau(r->tau * map->info.omega_max);
    map->micro[index] = (uint8_t)(r->micro < 255 ? r->micro : 255);
    map->spread[index] = r->end == CAROM_BOUNCE_LEFT ? 0 : CAPPED;
    map->info.capped += r->end != CAROM_BOUNCE_LEFT;
}

static int apart(const carom_bounce_map *map, int i, int j)
{
    return map->spread[i] == CAPPED || map->spread[j] == CAPPED
               ? 0
               : abs((int)map->epsilon[i] - (int)map->epsilon[j]);
}

// Quality: how far the neighbours of a sample are from it.
static void find_spreads(carom_bounce_map *map)
{
    const carom_mesh *mesh = map->mesh;
    for (int s = 0; s < map->sample_count; ++s) {
        int max = 0, which;
        carom_bounce_place place = carom_bounce_samples_place(map, s, &which);
        if (place == CAROM_BOUNCE_FACE) {
            for (int k = 0; k < 3; ++k) {
                const int *f = mesh->edge_face[mesh->face_edge[s][k]];
                int gap = apart(map, s, f[f[0] == s]);
                max = gap > max ? gap : max;
            }
        } else { // along the angles of an edge, or the list of directions
            bool edge = place == CAROM_BOUNCE_EDGE;
            int first = edge ? map->seams[which].first : map->corners[which].first;
            int row = edge ? map->seams[which].angles + 1 : map->corners[which].count;
            int k = (s - first) % row;
            max = k > 0 ? apart(map, s, s - 1) : 0;
            int next = k + 1 < row ? apart(map, s, s + 1) : 0;
            max = next > max ? next : max;
        }
        if (map->spread[s] != CAPPED)
            map->spread[s] = (uint8_t)(max / 65535.0 * 254 + 0.5);
    }
}

// -- memory ---------------------------------------------------------------------------------------

uint64_t carom_bounce_map_hash(const carom_mesh *mesh)
{
    uint64_t hash = carom_hash_bytes(CAROM_HASH_START, mesh->triangle,
                                     (size_t)mesh->triangle_count * sizeof *mesh->triangle);
    return carom_hash_doubles(hash, &mesh->vertex[0].x, 3 * (size_t)mesh->vertex_count);
}

carom_status carom_bounce_map_allocate(carom_bounce_map *map, carom_error *err)
{
    size_t n = (size_t)map->sample_count + 1;
    map->epsilon = calloc(n, sizeof *map->epsilon);
    map->tau = calloc(n, sizeof *map->tau);
    map->micro = calloc(n, sizeof *map->micro);
    map->spread = calloc(n, sizeof *map->spread);
    if (map->epsilon && map->tau && map->micro && map->spread)
        return CAROM_OK;
    return carom_error_no_memory(err, "%d samples", map->sample_count);
}

carom_status carom_bounce_map_prepare(carom_bounce_map *map, carom_error *err)
{
    const carom_mesh *mesh = map->mesh;
    const double *i = map->info.inertia;
    map->inverse_inertia = sym3_inverse((sym3){ i[0], i[1], i[2], i[3], i[4], i[5] });
    map->seam_of = malloc((size_t)mesh->edge_count * sizeof *map->seam_of);
    map->corner_of = malloc((size_t)mesh->vertex_count * sizeof *map->corner_of);
    if (!map->seam_of || !map->corner_of)
        return carom_error_no_memory(err, "%d edges", mesh->edge_count);
    return CAROM_OK;
}

void carom_bounce_map_destroy(carom_bounce_map *map)
{
    if (!map)
        return;
    carom_bounce_lookup_free(map);
    free(map->epsilon);
    free(map->tau);
    free(map->micro);
    free(map->spread);
    free(map->direction);
    free(map->seams);
    free(map->corners);
    free(map->seam_of);
    free(map->corner_of);
    carom_shape_release(map->shape);
    free(map);
}

// -- distinct contacts ----------------------------------------------------------------------------

typedef struct contacts {
    double *point, *normal; // x y z each, folded
    int *of;                // by sample: its contact
    int count;
} contacts;

static void free_contacts(contacts *c)
{
    free(c->point);
    free(c->normal);
    free(c->of);
}

static long long whole(double x)
{
    return (long long)floor(x + 0.5);
}

static uint64_t key_of(const carom_bounce_map *map, const double *point, const double *normal)
{
    double unit = 1e3 * map->symmetry.blur; // a thousandth of the size; the normal tells the rest
    long long cells[6];
    for (int k = 0; k < 3; ++k) {
        cells[k] = whole(point[k] / unit * 256);
        cells[3 + k] = whole(normal[k] * 1e5);
    }
    return carom_hash_bytes(CAROM_HASH_START, cells, sizeof cells);
}

// Every sample's representative; equal ones once.
static carom_status fold_all(const carom_bounce_map *map, contacts *c, carom_error *err)
{
    size_t n = (size_t)map->sample_count, slots = 1024;
    while (slots < 2 * n)
        slots *= 2;
    int *table = malloc(slots * sizeof *table);
    c->point = malloc(3 * n * sizeof *c->point);
    c->normal = malloc(3 * n * sizeof *c->normal);
    c->of = malloc(n * sizeof *c->of);
    if (!table || !c->point || !c->normal || !c->of) {
        free(table);
        return carom_error_no_memory(err, "%zu samples", n);
    }
    memset(table, -1, slots * sizeof *table);
    bool plain = map->symmetry.turning < 0 && map->symmetry.count <= 1;
    for (size_t s = 0; s < n; ++s) {
        vec3 p, d;
        double *point = c->point + 3 * (size_t)c->count, *normal = c->normal + 3 * (size_t)c->count;
        carom_bounce_samples_at(map, (int)s, &p, &d);
        carom_bounce_symmetry_fold(&map->symmetry, &p, &d);
        vec3_store(p, point);
        vec3_store(d, normal);
        size_t slot = (size_t)key_of(map, point, normal) & (slots - 1);
        double near = 1e3 * map->symmetry.blur / 128;
        while (!plain && table[slot] >= 0) { // linear probing
            const double *q = c->point + 3 * (size_t)table[slot],
                         *m = c->normal + 3 * (size_t)table[slot];
            vec3 gap = vec3_sub(p, vec3_from(q)), turn = vec3_sub(d, vec3_from(m));
            if (vec3_dot(gap, gap) < near * near && vec3_dot(turn, turn) < 1e-9)
                break;
            slot = (slot + 1) & (slots - 1);
        }
        if (!plain && table[slot] >= 0) {
            c->of[s] = table[slot];
        } else {
            table[slot] = plain ? -1 : c->count;
            c->of[s] = c->count++;
        }
    }
    free(table);
    return CAROM_OK;
}

// -- computing ------------------------------------------------------------------------------------

typedef struct oven {
    const carom_modes *modes;
    const carom_bounce_map_options *options;
    const carom_progress *progress;
    carom_bounce_result *results; // by contact
    double *a, *w;                // of one chunk
    carom_pieces_store *store;    // null: all chunks are done here
    int threads;
} oven;

// That of contact k of a chunk that begins with contact `first`.
static carom_status participate(const oven *o, const contacts *c, int first, int k,
                                carom_error *err)
{
    size_t m = (size_t)carom_modal_about(o->modes)->mode_count, at = 3 * (size_t)(first + k);
    const double *p = c->point + at, *shift = o->options->origin;
    double moved[3] = { p[0] + shift[0], p[1] + shift[1], p[2] + shift[2] };
    return carom_modal_participation(o->modes, moved, c->normal + at, o->a + (size_t)k * m,
                                     &o->w[k], err);
}

// Those of one share; `failed` becomes the last of all that has none.
static void gather_share(const oven *o, const contacts *c, int first, int count, atomic_int *failed)
{
    int end = carom_team_end(count, o->threads);
    for (int k = carom_team_begin(count, o->threads); k < end; ++k) {
        int last = atomic_load(failed);
        if (participate(o, c, first, k, NULL) != CAROM_OK)
            while (last < k && !atomic_compare_exchange_weak(failed, &last, k))
                continue;
    }
}
CAROM_TEAM_SHARE5(gather_share, const oven *, const contacts *, int, int, atomic_int *)

// Participations of contacts first .. first + count - 1.
static carom_status gather(const oven *o, const contacts *c, int first, int count, carom_error *err)
{
    atomic_int failed = -1;
    CAROM_TEAM(o->threads, gather_share(o, c, first, count, &failed));
    int last = atomic_load(&failed);
    return last < 0 ? CAROM_OK : participate(o, c, first, last, err);
}

static carom_status compute(const oven *o, const contacts *c, carom_error *err)
{
    const carom_modal_info *about = carom_modal_about(o->modes);
    for (int first = 0; first < c->count; first += CHUNK) {
        int count = c->count - first < CHUNK ? c->count - first : CHUNK, piece = first / CHUNK;
        TRY(carom_progress_report(o->progress, first, c->count, "contacts", err));
        if (o->store && o->options->pieces->shards == 0)
            TRY(carom_bounce_pieces_get(o->store, piece, o->results + first, count, err));
        if (!carom_pieces_wanted(o->store, piece))
            continue;
        TRY(gather(o, c, first, count, err));
        carom_bounce_batch batch = {
            about->mode_count, count, about->omega, o->w, o->a, o->threads
        };
        TRY(carom_bounce_many(&batch, &o->options->kernel, o->results + first, err));
        if (o->store)
            TRY(carom_bounce_pieces_put(o->store, piece, o->results + first, count, err));
    }
    return carom_progress_report(o->progress, c->count, c->count, "contacts", err);
}

// A part of the contacts only: no map comes of it.
static bool of_shard(const carom_bounce_map_options *options)
{
    return options->pieces && options->pieces->shards > 0;
}

static carom_status bake(carom_bounce_map *map, const carom_modes *modes,
                         const carom_bounce_map_options *options, const carom_progress *progress,
                         carom_error *err)
{
    contacts c = { 0 };
    size_t m = (size_t)carom_modal_about(modes)->mode_count;
    oven o = { .modes = modes,
               .options = options,
               .progress = progress,
               .threads = options->threads > 0 ? options->threads : carom_team_max() };
    carom_status status = fold_all(map, &c, err);
    double work = (double)c.count * (double)m;
    if (status == CAROM_OK && options->work_max > 0 && work > options->work_max) {
        status = carom_error_set(err, CAROM_BAD_INPUT,
                                 "%d contacts of %zu modes are work of %.3g, beyond the limit of "
                                 "%.3g",
                                 c.count, m, work, options->work_max);
        carom_error_fix(err, "use fewer faces or modes, a larger --angle, or --limit %.2g to go on",
                        1.1 * work);
    }
    if (status == CAROM_OK && options->pieces)
        status = carom_pieces_open(
            options->pieces,
            carom_bounce_pieces_key(map, modes, options, c.point, c.normal, c.count), &o.store,
            err);
    if (status == CAROM_OK) {
        o.a = malloc((CHUNK * m + 1) * sizeof *o.a);
        o.w = malloc(CHUNK * sizeof *o.w);
        o.results = malloc(((size_t)c.count + 1) * sizeof *o.results);
        status = o.a && o.w && o.results ? compute(&o, &c, err)
                                         : carom_error_no_memory(err, "%d contacts", c.count);
    }
    map->info.computed = c.count;
    bool whole = status == CAROM_OK && !of_shard(options);
    for (int s = 0; whole && s < map->sample_count; ++s)
        keep(map, s, &o.results[c.of[s]]);
    if (whole)
        find_spreads(map);
    carom_pieces_close(o.store);
    free(o.a);
    free(o.w);
    free(o.results);
    free_contacts(&c);
    return status;
}

// -- starting -------------------------------------------------------------------------------------

static carom_status check_options(const carom_shape *mesh, const carom_bounce_map_options *options,
                                  carom_error *err)
{
    if (carom_shape_kind_of(mesh) != CAROM_SHAPE_MESH) {
        carom_error_set(err, CAROM_BAD_INPUT, "a map needs a mesh, not a %s",
                        carom_shape_kind_name(carom_shape_kind_of(mesh)));
        return carom_error_fix(err, "make a mesh of it first (carom_mesh_from)");
    }
    if (!(options->sharp >= 1 && options->sharp <= 180) ||
        !(options->angle >= 0.1 && options->angle <= 90)) {
        carom_error_set(err, CAROM_BAD_INPUT, "sharp edges from %g degrees, sampled every %g",
                        options->sharp, options->angle);
        return carom_error_fix(err, "use 1 to 180 and 0.1 to 90 degrees");
    }
    if (!(options->alpha >= 0 && options->alpha <= 1)) {
        carom_error_set(err, CAROM_BAD_INPUT, "alpha is %g, outside [0, 1]", options->alpha);
        return carom_error_fix(err, "alpha lowers restitution: use 0 to 1");
    }
    return CAROM_OK;
}

static double mean_spacing(const carom_mesh *mesh)
{
    double area = 0;
    for (int f = 0; f < mesh->triangle_count; ++f) {
        const int *t = mesh->triangle[f];
        vec3 a = vec3_sub(mesh->vertex[t[1]], mesh->vertex[t[0]]);
        vec3 b = vec3_sub(mesh->vertex[t[2]], mesh->vertex[t[0]]);
        area += 0.5 * vec3_length(vec3_cross(a, b));
    }
    return sqrt(2 * area / mesh->triangle_count);
}

static void describe(carom_bounce_map *map, const carom_modal_info *about,
                     const carom_bounce_map_options *options)
{
    carom_bounce_map_info *info = &map->info;
    const carom_bounce_symmetry *s = &map->symmetry;
    info->mesh_hash = carom_bounce_map_hash(map->mesh);
    memcpy(info->centre, about->centre, sizeof info->centre);
    info->mass = about->mass;
    memcpy(info->inertia, about->inertia, sizeof info->inertia);
    memcpy(info->frame, s->frame.m, sizeof info->frame);
    info->turning = s->turning;
    info->operations = s->count;
    info->modes = about->mode_count;
    info->omega_min = about->mode_count ? about->omega[0] : 0;
    info->omega_max = about->mode_count ? about->omega[about->mode_count - 1] : 1;
    info->material = about->material;
    info->kernel = options->kernel;
    info->kernel.turn = carom_bounce_turn(&options->kernel);
    info->reading = options->reading;
    info->alpha = options->alpha;
    info->sharp = options->sharp;
    info->angle = options->angle;
    info->spacing = mean_spacing(map->mesh);
    info->gamma = info->spacing / (options->angle * CAROM_RADIANS_PER_DEGREE);
    info->faces = map->mesh->triangle_count;
}

carom_status carom_bounce_map_bake(const carom_shape *mesh, const carom_modes *modes,
                                   const carom_bounce_map_options *options,
                                   const carom_progress *progress, carom_bounce_map **out,
                                   carom_error *err)
{
    NEED(err, mesh, out);
    *out = NULL;
    TRY(check_options(mesh, options, err));
    carom_bounce_map *map = calloc(1, sizeof *map);
    if (!map)
        return carom_error_no_memory(err, "a map");
    map->shape = carom_shape_retain(mesh);
    map->mesh = mesh->mesh;
    map->symmetry = carom_bounce_symmetry_find(mesh, options->symmetry);
    describe(map, carom_modal_about(modes), options);
    carom_status status = carom_bounce_map_prepare(map, err);
    if (status == CAROM_OK)
        status = carom_bounce_samples_find(map, options, err);
    if (status == CAROM_OK)
        status = carom_bounce_map_allocate(map, err);
    if (status == CAROM_OK)
        status = bake(map, modes, options, progress, err);
    if (status == CAROM_OK)
        status = carom_bounce_lookup_prepare(map, err);
    if (status != CAROM_OK || of_shard(options)) {
        carom_bounce_map_destroy(map);
        return status;
    }
    *out = map;
    return CAROM_OK;
}

// -- figures --------------------------------------------------------------------------------------

const carom_bounce_map_info *carom_bounce_map_about(const carom_bounce_map *map)
{
    return &map->info;
}

const carom_shape *carom_bounce_map_mesh(const carom_bounce_map *map)
{
    if (!map)
        return NULL;
    return map->shape;
}

int carom_bounce_map_sample_count(const carom_bounce_map *map)
{
    if (!map)
        return 0;
    return map->sample_count;
}

carom_bounce_value carom_bounce_map_sample(const carom_bounce_map *map, int index, double point[3],
                                           double normal[3])
{
    if (!map || index < 0 || index >= carom_bounce_map_sample_count(map))
        return (carom_bounce_value){ 0 };
    vec3 p, n;
    carom_bounce_samples_at(map, index, &p, &n);
    if (point)
        vec3_store(p, point);
    if (normal)
        vec3_store(n, normal);
    carom_bounce_value value = carom_bounce_map_read(map, index);
    value.epsilon *= map->info.alpha;
    value.place = carom_bounce_samples_place(map, index, &value.index);
    return value;
}

static double area_of(const carom_mesh *mesh, int face)
{
    const int *t = mesh->triangle[face];
    return 0.5 * vec3_length(vec3_cross(vec3_sub(mesh->vertex[t[1]], mesh->vertex[t[0]]),
                                        vec3_sub(mesh->vertex[t[2]], mesh->vertex[t[0]])));
}

carom_bounce_statistics carom_bounce_map_statistics(const carom_bounce_map *map, int place)
{
    if (!map)
        return (carom_bounce_statistics){ 0 };
    carom_bounce_statistics s = { .min = 1 };
    double area = 0;
    for (int i = 0; i < map->sample_count; ++i) {
        carom_bounce_value v = carom_bounce_map_sample(map, i, NULL, NULL);
        if ((place >= 0 && (int)v.place != place) || v.capped)
            continue;
        double weight = v.place == CAROM_BOUNCE_FACE ? area_of(map->mesh, i) : 0;
        int bin = (int)(v.epsilon * CAROM_BOUNCE_BINS);
        ++s.count;
        s.min = fmin(s.min, v.epsilon);
        s.max = fmax(s.max, v.epsilon);
        s.mean += v.epsilon;
        s.tau_mean += v.tau;
        s.micro_mean += v.micro;
        s.mean_area += weight * v.epsilon;
        area += weight;
        ++s.histogram[bin < CAROM_BOUNCE_BINS ? bin : CAROM_BOUNCE_BINS - 1];
    }
    double n = s.count > 0 ? s.count : 1;
    s.mean /= n;
    s.tau_mean /= n;
    s.micro_mean /= n;
    s.mean_area = area > 0 ? s.mean_area / area : s.mean;
    if (s.count == 0)
        s.min = 0;
    return s;
}

carom_status carom_bounce_map_check(const carom_bounce_map *map, const carom_shape *shape,
                                    carom_error *err)
{
    NEED(err, map, shape);
    return carom_bounce_fit_check(map->shape, shape, err);
}

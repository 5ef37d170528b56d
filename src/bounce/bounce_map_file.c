// `.bounce` files: little endian, versioned, checksummed, self-contained.
//
//   bytes 0-7   "CAROMBNC"
//   4           version (1)
//   8           length of the file
//   then        information, symmetry, mesh (f64 vertices, i32 triangles), seams, corners, samples:
//               epsilon u16, tau u16, micro u8, spread u8; directions i16 x 2
//   last 8      FNV-1a over everything before
//
// The frame is the mesh shape's own: metres, origin at the centre of mass. Readers refuse a file
// that is cut, damaged or newer, and never trust a count before the bytes behind it are there.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/hash.h"
#include "bounce/bounce_map.h"

static const char magic[8] = { 'C', 'A', 'R', 'O', 'M', 'B', 'N', 'C' };
enum { VERSION = 1, HEAD = 20, TAIL = 8, ITEMS_MAX = 50000000 };

// One description for both directions: a cursor that writes, measures or reads.
typedef struct cursor {
    unsigned char *write; // null: reading or measuring
    const unsigned char *read;
    size_t at, size;
    bool failed;
} cursor;

// Bytes of a number, least significant first, whatever the machine.
static void pass(cursor *c, void *value, size_t width)
{
    unsigned char *v = value;
    static const union {
        uint16_t word;
        unsigned char byte[2];
    } probe = { 1 };
    if (c->read && (c->failed || c->size - c->at < width)) {
        c->failed = true;
        memset(value, 0, width);
        return;
    }
    for (size_t k = 0; k < width; ++k) {
        size_t to = probe.byte[0] ? k : width - 1 - k;
        if (c->read)
            v[to] = c->read[c->at + k];
        else if (c->write)
            c->write[c->at + k] = v[to];
    }
    c->at += width;
}

static void pass_list(cursor *c, void *list, size_t count, size_t width)
{
    unsigned char *item = list;
    if (!c->read && !c->write) {
        c->at += count * width;
        return;
    }
    for (size_t k = 0; k < count && !c->failed; ++k)
        pass(c, item + k * width, width);
}

#define PASS(c, field) pass((c), &(field), sizeof(field))

static void pass_int(cursor *c, int *value)
{
    int32_t number = (int32_t)*value;
    PASS(c, number);
    *value = number;
}

static void pass_info(cursor *c, carom_bounce_map *map)
{
    carom_bounce_map_info *i = &map->info;
    int solver = (int)i->kernel.solver, reading = (int)i->reading;
    double numbers[] = { i->mass,
                         i->omega_min,
                         i->omega_max,
                         i->material.young,
                         i->material.poisson,
                         i->material.density,
                         i->kernel.turn,
                         i->kernel.damping,
                         i->alpha,
                         i->sharp,
                         i->angle,
                         i->spacing,
                         i->gamma,
                         map->symmetry.blur };
    int64_t budget = i->kernel.budget;
    PASS(c, i->mesh_hash);
    pass_list(c, i->centre, 3, 8);
    pass_list(c, i->inertia, 6, 8);
    pass_list(c, i->frame, 9, 8);
    pass_list(c, numbers, sizeof numbers / sizeof *numbers, 8);
    int *const wholes[] = {
        &i->turning,  &i->operations,   &i->modes,          &solver,         &reading,
        &i->faces,    &i->edge_samples, &i->vertex_samples, &i->sharp_edges, &i->sharp_vertices,
        &i->computed, &i->capped,       &i->kernel.elastic
    };
    for (size_t k = 0; k < sizeof wholes / sizeof *wholes; ++k)
        pass_int(c, wholes[k]);
    PASS(c, budget);
    pass_list(c, map->symmetry.axis, CAROM_BOUNCE_OPERATIONS * 3, 1);
    pass_list(c, map->symmetry.sign, CAROM_BOUNCE_OPERATIONS * 3, 1);
    if (!c->read)
        return;
    double *const targets[] = { &i->mass,
                                &i->omega_min,
                                &i->omega_max,
                                &i->material.young,
                                &i->material.poisson,
                                &i->material.density,
                                &i->kernel.turn,
                                &i->kernel.damping,
                                &i->alpha,
                                &i->sharp,
                                &i->angle,
                                &i->spacing,
                                &i->gamma,
                                &map->symmetry.blur };
    for (size_t k = 0; k < sizeof targets / sizeof *targets; ++k)
        *targets[k] = numbers[k];
    i->kernel.budget = (long)budget;
    i->kernel.solver = (carom_bounce_solver)solver;
    i->reading = (carom_bounce_reading)reading;
    map->symmetry.turning = i->turning;
    map->symmetry.count = i->operations;
    memcpy(map->symmetry.frame.m, i->frame, sizeof i->frame);
}

static void pass_samples(cursor *c, carom_bounce_map *map)
{
    for (int k = 0; k < map->info.sharp_edges; ++k) {
        pass_int(c, &map->seams[k].edge);
        pass_int(c, &map->seams[k].positions);
        pass_int(c, &map->seams[k].angles);
        pass_int(c, &map->seams[k].first);
    }
    for (int k = 0; k < map->info.sharp_vertices; ++k) {
        pass_int(c, &map->corners[k].vertex);
        pass_int(c, &map->corners[k].first);
        pass_int(c, &map->corners[k].count);
    }
    size_t n = (size_t)map->sample_count;
    pass_list(c, map->epsilon, n, 2);
    pass_list(c, map->tau, n, 2);
    pass_list(c, map->micro, n, 1);
    pass_list(c, map->spread, n, 1);
    pass_list(c, map->direction, 2 * (size_t)map->info.vertex_samples, 2);
}

// -- writing --------------------------------------------------------------------------------------

static void pass_all(cursor *c, carom_bounce_map *map)
{
    // a copy: passing does not change what it writes, but the lists are shared with the reader
    int vertices = map->mesh->vertex_count, triangles = map->mesh->triangle_count;
    pass_info(c, map);
    pass_int(c, &vertices);
    pass_int(c, &triangles);
    pass_list(c, map->mesh->vertex, 3 * (size_t)vertices, 8);
    pass_list(c, map->mesh->triangle, 3 * (size_t)triangles, 4);
    pass_samples(c, map);
}

carom_status carom_bounce_map_encode(const carom_bounce_map *map, unsigned char **bytes,
                                     size_t *size, carom_error *err)
{
    NEED(err, map, bytes, size);
    carom_bounce_map copy = *map;
    cursor c = { .at = HEAD };
    pass_all(&c, &copy);
    size_t total = c.at + TAIL;
    unsigned char *out = malloc(total);
    if (!out)
        return carom_error_no_memory(err, "a file of %zu bytes", total);
    c = (cursor){ .write = out };
    uint32_t version = VERSION;
    uint64_t length = total;
    memcpy(out, magic, sizeof magic);
    c.at = sizeof magic;
    PASS(&c, version);
    PASS(&c, length);
    pass_all(&c, &copy);
    uint64_t sum = carom_hash_bytes(CAROM_HASH_START, out, c.at);
    PASS(&c, sum);
    *bytes = out;
    *size = total;
    return CAROM_OK;
}

carom_status carom_bounce_map_save(const carom_bounce_map *map, const char *path, carom_error *err)
{
    NEED(err, map);
    unsigned char *bytes = NULL;
    size_t size = 0;
    char part[4096];
    TRY(carom_bounce_map_encode(map, &bytes, &size, err));
    snprintf(part, sizeof part, "%s.part%ld", path, (long)getpid());
    FILE *file = fopen(part, "wbx");
    bool good = file && fwrite(bytes, 1, size, file) == size;
    if (file)
        good = fclose(file) == 0 && good;
    good = good && rename(part, path) == 0;
    free(bytes);
    if (good)
        return CAROM_OK;
    remove(part);
    carom_error_set(err, CAROM_IO_FAILED, "cannot write \"%.160s\"", path);
    return carom_error_fix(err, "check that the folder exists, that you may write there and that "
                                "the disk is not full");
}

// -- reading --------------------------------------------------------------------------------------

static carom_status damaged(const char *name, carom_error *err, const char *what)
{
    carom_error_set(err, CAROM_BAD_INPUT, "%s", what);
    carom_error_where(err, "%.90s", name);
    return carom_error_fix(err, "bake the map again (carom bounce MESH --out F.bounce)");
}

static carom_status check_frame(const char *name, const unsigned char *bytes, size_t size,
                                carom_error *err)
{
    uint32_t version;
    uint64_t length, sum;
    cursor c = { .read = bytes, .size = size, .at = sizeof magic };
    if (size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return damaged(name, err, "this is no bounce map: it does not start with CAROMBNC");
    PASS(&c, version);
    PASS(&c, length);
    if (c.failed || length != size || size < HEAD + TAIL)
        return damaged(name, err, "the bounce map is cut short or has bytes after its end");
    if (version != VERSION) {
        carom_error_set(err, CAROM_BAD_INPUT, "the bounce map has version %u; known is %d", version,
                        VERSION);
        carom_error_where(err, "%.90s", name);
        return carom_error_fix(err, "use a newer Carom, or bake the map again");
    }
    c.at = size - TAIL;
    PASS(&c, sum);
    if (sum != carom_hash_bytes(CAROM_HASH_START, bytes, size - TAIL))
        return damaged(name, err, "the bounce map is damaged: its checksum differs");
    return CAROM_OK;
}

static bool sound_info(const carom_bounce_map *map)
{
    const carom_bounce_map_info *i = &map->info;
    const int counts[] = { i->faces, i->edge_samples, i->vertex_samples, i->sharp_edges,
                           i->sharp_vertices };
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k)
        if (counts[k] < 0 || counts[k] > ITEMS_MAX)
            return false;
    for (int k = 0; k < CAROM_BOUNCE_OPERATIONS; ++k)
        for (int d = 0; d < 3; ++d)
            if (map->symmetry.axis[k][d] < 0 || map->symmetry.axis[k][d] > 2)
                return false;
    for (int k = 0; k < 9; ++k)
        if (!(fabs(i->frame[k]) <= 1.0001))
            return false;
    return i->mass > 0 && i->omega_max > 0 && i->spacing > 0 && i->gamma > 0 && i->alpha >= 0 &&
           i->alpha <= 1 && i->angle > 0 && isfinite(i->gamma + i->spacing + i->mass) &&
           i->turning >= -1 && i->turning <= 2 && i->operations >= 0 &&
           i->operations <= CAROM_BOUNCE_OPERATIONS && i->reading <= CAROM_BOUNCE_LINEAR &&
           map->symmetry.blur > 0;
}

static carom_status read_mesh(cursor *c, carom_bounce_map *map, const char *name, carom_error *err)
{
    int vertices = 0, triangles = 0;
    pass_int(c, &vertices);
    pass_int(c, &triangles);
    if (c->failed || vertices < 4 || triangles < 4 || triangles != map->info.faces ||
        (c->size - c->at) / 24 < (size_t)vertices || (c->size - c->at) / 12 < (size_t)triangles)
        return damaged(name, err, "the mesh of the bounce map is incomplete");
    double *vertex = malloc(3 * (size_t)vertices * sizeof *vertex);
    int *triangle = malloc(3 * (size_t)triangles * sizeof *triangle);
    carom_shape *shape = NULL;
    carom_status status = CAROM_OK;
    if (!vertex || !triangle)
        status = carom_error_no_memory(err, "%d vertices", vertices);
    if (status == CAROM_OK) {
        pass_list(c, vertex, 3 * (size_t)vertices, 8);
        pass_list(c, triangle, 3 * (size_t)triangles, 4);
        carom_mesh_source source = { vertex, triangle, vertices, triangles };
        status = carom_mesh_create(&source, CAROM_MESH_REPAIR, NULL, &shape, err);
        if (status != CAROM_OK)
            carom_error_where(err, "%.90s", name);
    }
    free(vertex);
    free(triangle);
    TRY(status);
    map->shape = shape;
    map->mesh = shape->mesh;
    if (map->mesh->vertex_count != vertices || map->mesh->triangle_count != triangles)
        return damaged(name, err, "the mesh of the bounce map is not the one it was made for");
    return CAROM_OK;
}

static carom_status read_map(cursor *c, carom_bounce_map *map, const char *name, carom_error *err)
{
    pass_info(c, map);
    if (c->failed || !sound_info(map))
        return damaged(name, err, "the bounce map holds impossible numbers");
    TRY(read_mesh(c, map, name, err));
    const carom_bounce_map_info *i = &map->info;
    double samples = (double)i->faces + i->edge_samples + i->vertex_samples;
    double need =
        6 * samples + 16.0 * i->sharp_edges + 12.0 * i->sharp_vertices + 4.0 * i->vertex_samples;
    if (need != (double)(c->size - c->at))
        return damaged(name, err, "the samples of the bounce map are incomplete");
    map->sample_count = (int)samples;
    map->seams = calloc((size_t)i->sharp_edges + 1, sizeof *map->seams);
    map->corners = calloc((size_t)i->sharp_vertices + 1, sizeof *map->corners);
    map->direction = calloc((size_t)i->vertex_samples + 1, sizeof *map->direction);
    if (!map->seams || !map->corners || !map->direction)
        return carom_error_no_memory(err, "%d samples", map->sample_count);
    TRY(carom_bounce_map_allocate(map, err));
    TRY(carom_bounce_map_prepare(map, err));
    pass_samples(c, map);
    if (c->failed || !carom_bounce_samples_index(map))
        return damaged(name, err, "the samples of the bounce map do not fit its mesh");
    return carom_bounce_lookup_prepare(map, err);
}

carom_status carom_bounce_map_decode(const char *name, const unsigned char *bytes, size_t size,
                                     carom_bounce_map **out, carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    TRY(check_frame(name, bytes, size, err));
    carom_bounce_map *map = calloc(1, sizeof *map);
    if (!map)
        return carom_error_no_memory(err, "a map");
    cursor c = { .read = bytes, .at = HEAD, .size = size - TAIL };
    carom_status status = read_map(&c, map, name, err);
    if (status == CAROM_OK)
        *out = map;
    else
        carom_bounce_map_destroy(map);
    return status;
}

int carom_bounce_map_is(const char *path)
{
    char start[sizeof magic] = "";
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1; // takes no memory that could fail
    if (file < 0)
        return 0;
    ssize_t size = read(file, start, sizeof start);
    close(file);
    return size == (ssize_t)sizeof start && memcmp(start, magic, sizeof magic) == 0;
}

carom_status carom_bounce_map_load(const char *path, carom_bounce_map **out, carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    unsigned char *bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
    bool good = bytes && fseek(file, 0, SEEK_SET) == 0 &&
                fread(bytes, 1, (size_t)size, file) == (size_t)size;
    if (file)
        fclose(file);
    carom_status status;
    if (good) {
        status = carom_bounce_map_decode(path, bytes, (size_t)size, out, err);
    } else {
        carom_error_set(err, CAROM_IO_FAILED, "cannot read \"%.160s\"", path);
        status = carom_error_fix(err, "check the name and that you may read the file");
    }
    free(bytes);
    return status;
}

// The cache file of modes, `.cmodes`: little endian, one checksum over everything before it.
//
//   8 bytes  "CAROMMOD"
//   u32      version (1), u32 the size of carom's header below
//   header   counts and numbers, in the order of `fields` and `numbers`
//   arrays   each as it stands in carom_modes
//   warnings as text, 256 bytes each
//   u64      FNV-1a of all bytes before
#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "modal/modal_internal.h"

enum { VERSION = 1, INTEGERS = 20, REALS = 40, COUNT_MAX = 200000000 };
static const char MAGIC[8] = { 'C', 'A', 'R', 'O', 'M', 'M', 'O', 'D' };

// Every whole number of a result, and every real one, in a fixed order: writing and reading walk
// the same list.
typedef struct slots {
    int *integer[INTEGERS];
    double *real[REALS];
    int integers, reals;
} slots;

static void add_reals(slots *s, double *from, int count)
{
    for (int i = 0; i < count; ++i)
        s->real[s->reals++] = from + i;
}

static slots slots_of(carom_modes *m)
{
    carom_modal_info *f = &m->info;
    slots s = { .integer = { &f->mode_count, &f->asked, &f->cells, &f->cut_cells, &f->solves,
                             &f->warning_count, &m->node_count, &m->brick_count, &m->face_count,
                             &m->vertex_count, &m->n[0], &m->n[1], &m->n[2] },
                .integers = 13 };
    add_reals(&s, &f->next_omega, 1);
    add_reals(&s, &f->mass, 1);
    add_reals(&s, f->centre, 3);
    add_reals(&s, f->inertia, 6);
    add_reals(&s, &f->mass_error, 1);
    add_reals(&s, &f->inertia_error, 1);
    add_reals(&s, f->cell, 3);
    add_reals(&s, &f->thickness, 1);
    add_reals(&s, &f->factor_bytes, 1);
    add_reals(&s, &f->residual, 1);
    add_reals(&s, &f->material.young, 1);
    add_reals(&s, &f->material.poisson, 1);
    add_reals(&s, &f->material.density, 1);
    add_reals(&s, &m->unit, 1);
    add_reals(&s, m->corner, 3);
    add_reals(&s, m->edge, 3);
    return s;
}

// An array of a result: where its pointer is, how many entries, how large each.
typedef struct array {
    void **at;
    size_t count, size;
} array;
enum { ARRAYS = 8 };

static void arrays_of(carom_modes *m, array a[ARRAYS])
{
    size_t modes = (size_t)m->info.mode_count, nodes = (size_t)m->node_count;
    size_t grid = m->face_count ? 0 : (size_t)m->n[0] * (size_t)m->n[1] * (size_t)m->n[2];
    size_t faces = (size_t)m->face_count;
    array all[ARRAYS] = { { (void **)&m->omega, modes, sizeof *m->omega },
                          { (void **)&m->shape, 3 * nodes * modes, sizeof *m->shape },
                          { (void **)&m->slot, grid, sizeof *m->slot },
                          { (void **)&m->brick, 27 * (size_t)m->brick_count, sizeof *m->brick },
                          { (void **)&m->face, 6 * faces, sizeof *m->face },
                          { (void **)&m->place, faces ? 3 * nodes : 0, sizeof *m->place },
                          { (void **)&m->triangle, 3 * faces, sizeof *m->triangle },
                          { (void **)&m->vertex, 3 * (size_t)m->vertex_count, sizeof *m->vertex } };
    memcpy(a, all, sizeof all);
}

// -- writing ------------------------------------------------------------------------------------

typedef struct sink {
    FILE *file;
    uint64_t hash;
    bool failed;
} sink;

static void put(sink *s, const void *bytes, size_t count)
{
    s->hash = carom_hash_bytes(s->hash, bytes, count);
    s->failed = s->failed || (count && fwrite(bytes, 1, count, s->file) != count);
}

static void put_all(sink *s, const carom_modes *modes)
{
    carom_modes *m = (carom_modes *)(uintptr_t)modes; // the lists serve reading, too
    slots all = slots_of(m);
    array a[ARRAYS];
    uint32_t head[2] = { VERSION, (uint32_t)(4 * all.integers + 8 * all.reals + 16) };
    int64_t unknowns = m->info.unknowns;
    put(s, MAGIC, sizeof MAGIC);
    put(s, head, sizeof head);
    put(s, &m->info.key, sizeof m->info.key);
    put(s, &unknowns, sizeof unknowns);
    for (int i = 0; i < all.integers; ++i) {
        int32_t value = *all.integer[i];
        put(s, &value, sizeof value);
    }
    for (int i = 0; i < all.reals; ++i)
        put(s, all.real[i], sizeof *all.real[i]);
    arrays_of(m, a);
    for (int i = 0; i < ARRAYS; ++i)
        put(s, *a[i].at, a[i].count * a[i].size);
    put(s, m->info.warnings, (size_t)m->info.warning_count * sizeof m->info.warnings[0]);
    uint64_t sum = s->hash;
    put(s, &sum, sizeof sum);
}

carom_status carom_modal_save(const carom_modes *modes, const char *path, carom_error *err)
{
    NEED(err, modes, path);
    size_t length = strlen(path) + 32;
    char *temporary = malloc(length);
    if (!temporary)
        return carom_error_no_memory(err, "a name");
    snprintf(temporary, length, "%s.%ld.part", path, (long)getpid());
    errno = 0;
    sink s = { .file = fopen(temporary, "wb"), .hash = CAROM_HASH_START };
    if (s.file) {
        put_all(&s, modes);
        s.failed = fflush(s.file) != 0 || s.failed;
        s.failed = fclose(s.file) != 0 || s.failed;
        s.failed = s.failed || rename(temporary, path) != 0;
        if (s.failed)
            remove(temporary);
    }
    carom_status status = CAROM_OK;
    if (!s.file || s.failed) {
        carom_error_set(err, CAROM_IO_FAILED, "the modes cannot be written: %s", strerror(errno));
        carom_error_where(err, "%s", path);
        status = carom_error_fix(err, "check the folder, its permissions and the space left");
    }
    free(temporary);
    return status;
}

// -- reading ------------------------------------------------------------------------------------

typedef struct source {
    FILE *file;
    uint64_t hash;
    long left; // bytes
} source;

static bool get(source *s, void *bytes, size_t count)
{
    if (count > (size_t)s->left || (count && fread(bytes, 1, count, s->file) != count))
        return false;
    s->left -= (long)count;
    s->hash = carom_hash_bytes(s->hash, bytes, count);
    return true;
}

static carom_status damaged(const char *what, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "%s", what);
    return carom_error_fix(err, "delete the file; it will be computed anew");
}

static carom_status get_header(source *s, carom_modes *m, carom_error *err)
{
    char magic[sizeof MAGIC];
    uint32_t head[2];
    int64_t unknowns;
    slots all = slots_of(m);
    if (!get(s, magic, sizeof magic) || memcmp(magic, MAGIC, sizeof MAGIC) != 0)
        return damaged("this is not a file of modes", err);
    if (!get(s, head, sizeof head))
        return damaged("the file of modes ends in its header", err);
    if (head[0] != VERSION || head[1] != (uint32_t)(4 * all.integers + 8 * all.reals + 16))
        return damaged("the file of modes has another version", err);
    if (!get(s, &m->info.key, sizeof m->info.key) || !get(s, &unknowns, sizeof unknowns))
        return damaged("the file of modes ends in its header", err);
    m->info.unknowns = (long)unknowns;
    for (int i = 0; i < all.integers; ++i) {
        int32_t value;
        if (!get(s, &value, sizeof value))
            return damaged("the file of modes ends in its header", err);
        if (value < 0 || value > COUNT_MAX)
            return damaged("the file of modes holds an impossible count", err);
        *all.integer[i] = value;
    }
    for (int i = 0; i < all.reals; ++i)
        if (!get(s, all.real[i], sizeof *all.real[i]))
            return damaged("the file of modes ends in its header", err);
    return CAROM_OK;
}

static carom_status get_arrays(source *s, carom_modes *m, carom_error *err)
{
    array a[ARRAYS];
    if (m->info.warning_count > CAROM_MODAL_WARNINGS || m->info.mode_count < 1)
        return damaged("the file of modes holds an impossible count", err);
    if (m->face_count == 0 && (double)m->n[0] * m->n[1] * m->n[2] > COUNT_MAX)
        return damaged("the file of modes holds an impossible count", err);
    arrays_of(m, a);
    for (int i = 0; i < ARRAYS; ++i) {
        if (a[i].count > (size_t)s->left / a[i].size)
            return damaged("the file of modes is cut", err);
        *a[i].at = malloc(a[i].count * a[i].size + 1);
        if (!*a[i].at)
            return carom_error_no_memory(err, "the modes");
        if (!get(s, *a[i].at, a[i].count * a[i].size))
            return damaged("the file of modes is cut", err);
    }
    uint64_t sum, wanted;
    bool ok = get(s, m->info.warnings, (size_t)m->info.warning_count * sizeof m->info.warnings[0]);
    wanted = s->hash;
    if (!ok || !get(s, &sum, sizeof sum))
        return damaged("the file of modes is cut", err);
    if (sum != wanted)
        return damaged("the checksum of the file of modes is wrong", err);
    if (s->left != 0)
        return damaged("the file of modes is longer than it should be", err);
    for (int i = 0; i < m->info.warning_count; ++i)
        m->info.warnings[i][sizeof m->info.warnings[i] - 1] = 0;
    m->info.omega = m->omega;
    return CAROM_OK;
}

static bool all_below(const int *value, size_t count, int min, int max)
{
    for (size_t i = 0; i < count; ++i)
        if (value[i] < min || value[i] >= max)
            return false;
    return true;
}

// A right checksum may still have been written by someone else: no index leaves its array.
static carom_status check_indices(const carom_modes *m, carom_error *err)
{
    size_t grid = (size_t)m->n[0] * (size_t)m->n[1] * (size_t)m->n[2];
    size_t faces = (size_t)m->face_count;
    bool ok = faces ? all_below(m->face, 6 * faces, 0, m->node_count) &&
                          all_below(m->triangle, 3 * faces, 0, m->vertex_count)
                    : all_below(m->slot, grid, -1, m->brick_count) &&
                          all_below(m->brick, 27 * (size_t)m->brick_count, 0, m->node_count);
    ok = ok && m->unit > 0 && m->info.mass > 0;
    for (size_t i = 0; i < 3 * (size_t)m->node_count && faces; ++i)
        ok = ok && fabs(m->place[i]) <= 2;
    for (int k = 0; k < 3 && !faces; ++k)
        ok = ok && m->edge[k] > 0;
    return ok ? CAROM_OK : damaged("the file of modes contradicts itself", err);
}

static carom_status read_modes(FILE *file, uint64_t key, carom_modes *m, carom_error *err)
{
    source s = { .file = file, .hash = CAROM_HASH_START };
    if (fseek(file, 0, SEEK_END) != 0 || (s.left = ftell(file)) < 0 ||
        fseek(file, 0, SEEK_SET) != 0)
        return carom_error_set(err, CAROM_IO_FAILED, "the file of modes cannot be read");
    TRY(get_header(&s, m, err));
    if (key && m->info.key != key) {
        carom_error_set(err, CAROM_BAD_INPUT, "the modes belong to another mesh or material");
        return carom_error_fix(err, "delete the file; it will be computed anew");
    }
    TRY(get_arrays(&s, m, err));
    TRY(check_indices(m, err));
    return m->face_count ? carom_modal_nearest_face_build(m, err) : CAROM_OK;
}

carom_status carom_modal_load(const char *path, uint64_t key, carom_modes **out, carom_error *err)
{
    NEED(err, out);
    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (!file) {
        carom_error_set(err, CAROM_IO_FAILED, "the file of modes cannot be opened: %s",
                        strerror(errno));
        return carom_error_where(err, "%s", path);
    }
    carom_modes *m = calloc(1, sizeof *m);
    carom_status status = m ? read_modes(file, key, m, err) : carom_error_no_memory(err, "modes");
    fclose(file);
    if (status == CAROM_OK) {
        *out = m;
        return status;
    }
    carom_modal_destroy(m);
    return carom_error_where(err, "%s", path);
}

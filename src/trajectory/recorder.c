// Writing trajectories: one record at a time, whole or not at all.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/bytes.h"
#include "base/error.h"
#include "trajectory/contact_pack.h"
#include "trajectory/contact_sums.h"
#include "trajectory/layout.h"
#include "world/ledger_bytes.h"
#include "world/world.h"

struct carom_recorder {
    int file;
    uint32_t version;
    uint32_t count; // records
    uint64_t size;  // bytes of whole records
    char path[256];
    unsigned char *buffer; // one frame or checkpoint, kept from call to call
    size_t buffer_size;
};

static carom_status open_locked(const char *path, int flags, carom_recorder **out,
                                carom_error *err);
static carom_status empty(const char *path, bool filled, carom_recorder **out, carom_error *err);
static carom_status write_all(carom_recorder *recorder, const void *bytes, size_t size,
                              carom_error *err);

carom_status carom_recorder_create(const char *path, int overwrite, carom_recorder **out,
                                   carom_error *err)
{
    NEED(err, path, out);
    unsigned char opening[CAROM_LAYOUT_OPENING];
    carom_layout_put_opening(opening, CAROM_RECORD_VERSION);
    TRY(open_locked(path, O_CREAT | (overwrite ? 0 : O_EXCL), out, err));
    char start[8];
    ssize_t size = pread((*out)->file, start, sizeof start, 0);
    if (size != 0 && (size != sizeof start || memcmp(start, opening, sizeof start) != 0)) {
        carom_recorder_close(*out);
        *out = NULL;
        carom_error_set(err, CAROM_BAD_INPUT, "the file to be replaced is not a trajectory");
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "give another name, or remove the file yourself");
    }
    carom_status status = empty(path, size != 0, out, err);
    if (status == CAROM_OK) {
        (*out)->version = CAROM_RECORD_VERSION;
        status = write_all(*out, opening, sizeof opening, err);
    }
    if (status != CAROM_OK) {
        carom_recorder_close(*out);
        *out = NULL;
    }
    return status;
}

// A new file in the place of one that has something in it, which stays as it is for those who read
// it; one that cannot be taken away, or that is reached by a link, is emptied.
static carom_status empty(const char *path, bool filled, carom_recorder **out, carom_error *err)
{
    struct stat about;
    if (filled && lstat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink == 1 &&
        unlink(path) == 0) {
        carom_recorder_close(*out);
        return open_locked(path, O_CREAT | O_EXCL, out, err);
    }
    if (ftruncate((*out)->file, 0) != 0)
        return carom_error_set(err, CAROM_IO_FAILED, "cannot empty the file: %s", strerror(errno));
    return CAROM_OK;
}

carom_status carom_recorder_resume(const char *path, carom_recorder **out, void **checkpoint,
                                   size_t *size, carom_error *err)
{
    NEED(err, path, out, checkpoint);
    carom_trajectory *t;
    *out = NULL;
    *checkpoint = NULL;
    TRY(carom_trajectory_open(path, &t, err));
    carom_record last = { 0 };
    uint32_t version = (uint32_t)carom_trajectory_version(t), count = 0;
    for (int64_t i = 0; i < carom_trajectory_count(t); ++i)
        if (carom_trajectory_at(t, i).kind == CAROM_RECORD_CHECKPOINT) {
            last = carom_trajectory_at(t, i);
            count = (uint32_t)i + 1;
        }
    if (last.payload && !(*checkpoint = malloc(last.size ? last.size : 1))) {
        carom_trajectory_close(t);
        return carom_error_no_memory(err, "the checkpoint");
    }
    if (!last.payload) {
        carom_trajectory_close(t);
        carom_error_set(err, CAROM_BAD_INPUT, "the file holds no whole checkpoint");
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "start the run again without --resume");
    }
    memcpy(*checkpoint, last.payload, last.size);
    *size = last.size;
    uint64_t end = last.offset + CAROM_LAYOUT_HEAD + carom_layout_padded(last.size);
    carom_trajectory_close(t);
    carom_status status = open_locked(path, 0, out, err);
    if (status == CAROM_OK && (ftruncate((*out)->file, (off_t)end) != 0 ||
                               lseek((*out)->file, (off_t)end, SEEK_SET) < 0)) {
        carom_recorder_close(*out);
        *out = NULL;
        status =
            carom_error_set(err, CAROM_IO_FAILED,
                            "cannot cut the file after its last checkpoint: %s", strerror(errno));
    }
    if (status != CAROM_OK) {
        free(*checkpoint);
        *checkpoint = NULL;
        return status;
    }
    (*out)->size = end;
    (*out)->version = version;
    (*out)->count = count;
    return CAROM_OK;
}

static carom_status open_locked(const char *path, int flags, carom_recorder **out, carom_error *err)
{
    *out = NULL;
    int file = open(path, O_RDWR | O_CLOEXEC | flags, 0644);
    if (file < 0) {
        int reason = errno;
        struct stat about;
        if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
            carom_error_set(err, CAROM_IO_FAILED, "cannot write the file: it is a folder");
            carom_error_where(err, "%s", path);
            return carom_error_fix(err, "give the name of a file in it");
        }
        carom_error_set(err, CAROM_IO_FAILED, "cannot write the file: %s",
                        reason == EEXIST ? "there is one of this name" : strerror(reason));
        carom_error_where(err, "%s", path);
        return reason == EEXIST
                   ? carom_error_fix(
                         err,
                         "give another name, --force to replace it, or --resume to continue it")
                   : carom_error_fix(err, "check the folder and the permissions");
    }
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(file, F_SETLK, &lock) != 0) {
        close(file);
        carom_error_set(err, CAROM_IO_FAILED, "another run is writing this file");
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "wait for it to end, or give another name");
    }
    carom_recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder) {
        close(file);
        return carom_error_no_memory(err, "a recorder");
    }
    recorder->file = file;
    strncpy(recorder->path, path, sizeof recorder->path - 1);
    *out = recorder;
    return CAROM_OK;
}

// Writes everything or nothing: a write that fails half way is cut off again.
static carom_status write_all(carom_recorder *recorder, const void *bytes, size_t size,
                              carom_error *err)
{
    const unsigned char *at = bytes;
    size_t left = size;
    while (left > 0) {
        ssize_t written = write(recorder->file, at, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            int reason = written < 0 ? errno : ENOSPC;
            if (ftruncate(recorder->file, (off_t)recorder->size) == 0)
                lseek(recorder->file, (off_t)recorder->size, SEEK_SET);
            carom_error_set(err, CAROM_IO_FAILED,
                            "cannot write: %s; the file is whole up to byte %llu", strerror(reason),
                            (unsigned long long)recorder->size);
            carom_error_where(err, "%s", recorder->path);
            return carom_error_fix(err, "free some disk space, then continue with --resume");
        }
        at += written;
        left -= (size_t)written;
    }
    recorder->size += size;
    return CAROM_OK;
}

static carom_status reserve(carom_recorder *recorder, size_t size, carom_error *err)
{
    if (size <= recorder->buffer_size)
        return CAROM_OK;
    unsigned char *buffer = realloc(recorder->buffer, size);
    if (!buffer)
        return carom_error_no_memory(err, "a record of %zu bytes", size);
    recorder->buffer = buffer;
    recorder->buffer_size = size;
    return CAROM_OK;
}

// The payload stands in the buffer behind room for the head: one write makes the record.
static carom_status finish(carom_recorder *recorder, carom_record_kind kind, size_t size,
                           carom_error *err)
{
    unsigned char *payload = recorder->buffer + CAROM_LAYOUT_HEAD;
    size_t padded = (size_t)carom_layout_padded(size);
    memset(payload + size, 0, padded - size);
    carom_layout_head head = { .kind = (uint32_t)kind,
                               .number = recorder->version > 1 ? recorder->count : 0,
                               .size = size };
    carom_layout_put_head(recorder->buffer, recorder->version, &head, payload);
    TRY(write_all(recorder, recorder->buffer, CAROM_LAYOUT_HEAD + padded, err));
    ++recorder->count;
    return CAROM_OK;
}

carom_status carom_recorder_add(carom_recorder *recorder, carom_record_kind kind,
                                const void *payload, size_t size, carom_error *err)
{
    NEED(err, recorder);
    TRY(reserve(recorder, CAROM_LAYOUT_HEAD + size + 8, err));
    if (size)
        memcpy(recorder->buffer + CAROM_LAYOUT_HEAD, payload, size);
    return finish(recorder, kind, size, err);
}

carom_status carom_recorder_frame(carom_recorder *recorder, const carom_world *world,
                                  carom_error *err)
{
    NEED(err, recorder, world);
    carom_ledger ledger = carom_world_ledger(world);
    int count = carom_world_body_count(world);
    carom_layout_frame head = { ledger.steps, ledger.time, carom_world_hash(world), (uint32_t)count,
                                CAROM_LEDGER_BYTES };
    size_t size = CAROM_LAYOUT_FRAME + CAROM_LEDGER_BYTES + (size_t)count * CAROM_LAYOUT_BODY;
    TRY(reserve(recorder, CAROM_LAYOUT_HEAD + size + 8, err));
    unsigned char *at = recorder->buffer + CAROM_LAYOUT_HEAD;
    carom_layout_put_frame(at, &head);
    carom_ledger_bytes_put(&ledger, at + CAROM_LAYOUT_FRAME);
    at += CAROM_LAYOUT_FRAME + CAROM_LEDGER_BYTES;
    for (int i = 0; i < count; ++i) {
        double state[CAROM_FRAME_STRIDE];
        carom_world_bodies_state(world, i, state);
        carom_bytes_put_f64s(&at, state, CAROM_FRAME_STRIDE);
    }
    return finish(recorder, CAROM_RECORD_FRAME, size, err);
}

// Packs the list behind its front.
static carom_status pack(carom_recorder *recorder, const carom_ledger *ledger,
                         const carom_world_contact *list, int count, carom_error *err)
{
    carom_layout_contacts head = { ledger->steps, ledger->time, (uint64_t)count };
    size_t most = CAROM_LAYOUT_CONTACTS + carom_contact_pack_bound(count);
    TRY(reserve(recorder, CAROM_LAYOUT_HEAD + most + 8, err));
    unsigned char *at = recorder->buffer + CAROM_LAYOUT_HEAD;
    carom_layout_put_contacts(at, &head);
    size_t size = carom_contact_pack(list, count, ledger->time, at + CAROM_LAYOUT_CONTACTS);
    if (!size)
        return carom_error_no_memory(err, "packing %d contacts", count);
    return finish(recorder, CAROM_RECORD_PACKED, CAROM_LAYOUT_CONTACTS + size, err);
}

carom_status carom_recorder_contacts(carom_recorder *recorder, const carom_world *world, int sums,
                                     carom_error *err)
{
    NEED(err, recorder, world);
    carom_ledger ledger = carom_world_ledger(world);
    int count;
    const carom_world_contact *list = carom_world_contacts(world, &count);
    if (!sums || count == 0)
        return pack(recorder, &ledger, list, count, err);
    carom_world_contact *own = malloc((size_t)count * sizeof *own);
    if (!own)
        return carom_error_no_memory(err, "%d contacts", count);
    memcpy(own, list, (size_t)count * sizeof *own);
    carom_status status = pack(recorder, &ledger, own, carom_contact_sums(own, count), err);
    free(own);
    return status;
}

carom_status carom_recorder_mesh(carom_recorder *recorder, const carom_scene_mesh *mesh,
                                 carom_error *err)
{
    NEED(err, recorder, mesh);
    NEED(err, mesh->name);
    size_t name = strlen(mesh->name), padded = (size_t)carom_layout_padded(name);
    size_t vertices = 3 * (size_t)mesh->source.vertex_count;
    size_t corners = 3 * (size_t)mesh->source.triangle_count;
    carom_layout_mesh head = { mesh->scale, (uint32_t)name, (uint32_t)mesh->source.vertex_count,
                               (uint32_t)mesh->source.triangle_count };
    size_t size = CAROM_LAYOUT_MESH + padded + 8 * vertices + 4 * corners;
    TRY(reserve(recorder, CAROM_LAYOUT_HEAD + size + 8, err));
    unsigned char *at = recorder->buffer + CAROM_LAYOUT_HEAD;
    carom_layout_put_mesh(at, &head);
    at += CAROM_LAYOUT_MESH;
    memset(at, 0, padded);
    memcpy(at, mesh->name, name);
    at += padded;
    carom_bytes_put_f64s(&at, mesh->source.vertices, vertices);
    for (size_t i = 0; i < corners; ++i)
        carom_bytes_put_u32(&at, (uint32_t)mesh->source.triangles[i]);
    return finish(recorder, CAROM_RECORD_MESH, size, err);
}

carom_status carom_recorder_checkpoint(carom_recorder *recorder, const carom_world *world,
                                       carom_error *err)
{
    NEED(err, recorder, world);
    size_t size = carom_world_snapshot_size(world);
    TRY(reserve(recorder, CAROM_LAYOUT_HEAD + size + 8, err));
    carom_world_snapshot(world, recorder->buffer + CAROM_LAYOUT_HEAD);
    TRY(finish(recorder, CAROM_RECORD_CHECKPOINT, size, err));
    if (fsync(recorder->file) != 0)
        return carom_error_set(err, CAROM_IO_FAILED, "cannot force the file to the disk: %s",
                               strerror(errno));
    return CAROM_OK;
}

uint64_t carom_recorder_size(const carom_recorder *recorder)
{
    if (!recorder)
        return 0;
    return recorder->size;
}

void carom_recorder_close(carom_recorder *recorder)
{
    if (!recorder)
        return;
    close(recorder->file);
    free(recorder->buffer);
    free(recorder);
}

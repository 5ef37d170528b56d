// Reading trajectories: the whole file is mapped, its records are walked once, and the walk ends at
// the first that is cut or damaged. Whoever reads mapped memory behind the end of its file is ended
// by the system (SIGBUS), and files become shorter, as when a run is resumed from a checkpoint
// before its end: each record is looked for once more before it is handed out.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/error.h"
#include "trajectory/contact_pack.h"
#include "trajectory/layout.h"
#include "trajectory/manifest.h"
#include "world/ledger_bytes.h"

struct carom_trajectory {
    unsigned char *bytes;
    size_t size;
    int file; // open as long as it is mapped
    carom_record *records;
    int64_t count, capacity;
    int64_t *frames;
    int64_t frame_count;
    int version;
    char damage[200];
};

static carom_status map_file(const char *path, carom_trajectory *t, carom_error *err);
static carom_status walk(const char *path, carom_trajectory *t, carom_error *err);
static carom_status keep(carom_trajectory *t, carom_record record, carom_error *err);

carom_status carom_trajectory_open(const char *path, carom_trajectory **out, carom_error *err)
{
    NEED(err, path, out);
    *out = NULL;
    carom_trajectory *t = calloc(1, sizeof *t);
    if (!t)
        return carom_error_no_memory(err, "a trajectory");
    t->file = -1;
    carom_status status = map_file(path, t, err);
    if (status == CAROM_OK)
        status = walk(path, t, err);
    if (status != CAROM_OK) {
        carom_trajectory_close(t);
        return status;
    }
    *out = t;
    return CAROM_OK;
}

void carom_trajectory_close(carom_trajectory *t)
{
    if (!t)
        return;
    if (t->bytes)
        munmap(t->bytes, t->size);
    if (t->file >= 0)
        close(t->file);
    free(t->records);
    free(t->frames);
    free(t);
}

static carom_status map_file(const char *path, carom_trajectory *t, carom_error *err)
{
    struct stat info;
    t->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe without a writer would wait
    if (t->file < 0 || fstat(t->file, &info) != 0) {
        carom_error_set(err, CAROM_IO_FAILED, "cannot open the file: %s", strerror(errno));
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "check the name and the permissions");
    }
    if (!S_ISREG(info.st_mode)) {
        carom_error_set(err, CAROM_IO_FAILED, "this is a folder or a device, not a file");
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "give a file written by `carom run`");
    }
    t->size = (size_t)info.st_size;
    if (t->size < CAROM_LAYOUT_OPENING) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "the file has %zu bytes: it is empty or was cut before its first record",
                        t->size);
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "write it again with `carom run SCENE --out FILE`");
    }
    void *bytes = mmap(NULL, t->size, PROT_READ, MAP_PRIVATE, t->file, 0);
    if (bytes == MAP_FAILED)
        return carom_error_set(err, CAROM_IO_FAILED, "cannot map %zu bytes: %s", t->size,
                               strerror(errno));
    t->bytes = bytes;
    return CAROM_OK;
}

// Whether the file still reaches to there.
static bool reaches(const carom_trajectory *t, uint64_t end)
{
    struct stat now;
    return fstat(t->file, &now) == 0 && (uint64_t)now.st_size >= end;
}

static bool is_there(const carom_trajectory *t, const carom_record *record)
{
    return reaches(t, record->offset + CAROM_LAYOUT_HEAD + record->size);
}

static carom_status walk(const char *path, carom_trajectory *t, carom_error *err)
{
    uint32_t version = carom_layout_get_opening(t->bytes);
    if (version == 0) {
        carom_error_set(err, CAROM_BAD_INPUT,
                        "this is not a trajectory: it does not start with " CAROM_LAYOUT_MAGIC);
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "give a file written by `carom run`");
    }
    if (version > CAROM_RECORD_VERSION) {
        carom_error_set(err, CAROM_BAD_INPUT, "the file has version %u; this Carom reads 1 to %d",
                        version, CAROM_RECORD_VERSION);
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, "use a newer Carom");
    }
    t->version = (int)version;
    uint64_t offset = CAROM_LAYOUT_OPENING;
    while (offset < t->size) {
        carom_layout_head head = { 0 };
        const char *fault = NULL;
        if (t->size - offset < CAROM_LAYOUT_HEAD || !reaches(t, offset + CAROM_LAYOUT_HEAD))
            fault = "is cut within its head";
        else
            head = carom_layout_get_head(t->bytes + offset);
        if (!fault && (head.size > t->size ||
                       carom_layout_padded(head.size) > t->size - offset - CAROM_LAYOUT_HEAD))
            fault = "is cut, or its length is damaged";
        if (!fault && !reaches(t, offset + CAROM_LAYOUT_HEAD + carom_layout_padded(head.size)))
            fault = "was cut off while it was read";
        const unsigned char *payload = t->bytes + offset + CAROM_LAYOUT_HEAD;
        if (!fault && carom_layout_checksum(version, &head, payload) != head.checksum)
            fault = "does not match its checksum";
        if (!fault && head.number != (version > 1 ? (uint32_t)t->count : 0))
            fault = "is not the one that belongs there";
        for (uint64_t i = fault ? 0 : head.size; !fault && i < carom_layout_padded(head.size); ++i)
            if (payload[i] != 0)
                fault = "is damaged behind its end";
        if (fault) {
            snprintf(t->damage, sizeof t->damage,
                     "record %lld at byte %llu %s; everything before it is whole",
                     (long long)t->count, (unsigned long long)offset, fault);
            return CAROM_OK;
        }
        TRY(keep(t, (carom_record){ (carom_record_kind)head.kind, payload, head.size, offset },
                 err));
        offset += CAROM_LAYOUT_HEAD + carom_layout_padded(head.size);
    }
    return CAROM_OK;
}

static carom_status keep(carom_trajectory *t, carom_record record, carom_error *err)
{
    if (t->count == t->capacity) {
        int64_t capacity = t->capacity ? 2 * t->capacity : 64;
        carom_record *records = realloc(t->records, (size_t)capacity * sizeof *records);
        int64_t *frames = records ? realloc(t->frames, (size_t)capacity * sizeof *frames) : NULL;
        if (records)
            t->records = records;
        if (frames)
            t->frames = frames;
        if (!records || !frames)
            return carom_error_no_memory(err, "%lld records", (long long)capacity);
        t->capacity = capacity;
    }
    if (record.kind == CAROM_RECORD_FRAME)
        t->frames[t->frame_count++] = t->count;
    t->records[t->count++] = record;
    return CAROM_OK;
}

int carom_trajectory_is(const char *path)
{
    char start[8] = "";
    int file = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1; // takes no memory
    if (file < 0)
        return 0;
    ssize_t size = read(file, start, sizeof start);
    close(file);
    return size == (ssize_t)sizeof start && memcmp(start, CAROM_LAYOUT_MAGIC, sizeof start) == 0;
}

int carom_trajectory_version(const carom_trajectory *t)
{
    if (!t)
        return 0;
    return t->version;
}

int64_t carom_trajectory_count(const carom_trajectory *t)
{
    if (!t)
        return 0;
    return t->count;
}
carom_record carom_trajectory_at(const carom_trajectory *t, int64_t index)
{
    if (!t || index < 0 || index >= t->count || !is_there(t, &t->records[index]))
        return (carom_record){ 0 };
    return t->records[index];
}
int carom_trajectory_ended(const carom_trajectory *t)
{
    if (!t)
        return 0;
    return t->count > 0 && t->records[t->count - 1].kind == CAROM_RECORD_CHECKPOINT &&
           carom_trajectory_first(t, CAROM_RECORD_SUMMARY).payload != NULL;
}
const char *carom_trajectory_damage(const carom_trajectory *t)
{
    if (!t)
        return NULL;
    return t->damage[0] ? t->damage : NULL;
}
int64_t carom_trajectory_frame_count(const carom_trajectory *t)
{
    if (!t)
        return 0;
    return t->frame_count;
}

carom_record carom_trajectory_first(const carom_trajectory *t, carom_record_kind kind)
{
    if (!t)
        return (carom_record){ 0 };
    for (int64_t i = 0; i < t->count; ++i)
        if (t->records[i].kind == kind && is_there(t, &t->records[i]))
            return t->records[i];
    return (carom_record){ .kind = kind };
}

carom_status carom_trajectory_frame(const carom_trajectory *t, int64_t index, carom_frame *frame,
                                    carom_error *err)
{
    NEED(err, t, frame);
    if (index < 0 || index >= t->frame_count) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is no frame %lld", (long long)index);
        return carom_error_fix(err, "frames are counted from 0 to %lld",
                               (long long)t->frame_count - 1);
    }
    carom_record record = t->records[t->frames[index]];
    if (!is_there(t, &record)) {
        carom_error_set(err, CAROM_IO_FAILED, "the file became shorter while it was open");
        return carom_error_fix(err, "open it again");
    }
    if (record.size < CAROM_LAYOUT_FRAME)
        return carom_error_set(err, CAROM_BAD_INPUT, "frame %lld has only %zu bytes",
                               (long long)index, record.size);
    carom_layout_frame head = carom_layout_get_frame(record.payload);
    size_t wanted =
        CAROM_LAYOUT_FRAME + head.ledger_size + (size_t)head.body_count * CAROM_LAYOUT_BODY;
    if (head.ledger_size % 8 != 0 || head.body_count > INT32_MAX || record.size != wanted)
        return carom_error_set(err, CAROM_BAD_INPUT, "frame %lld has %zu bytes instead of %zu",
                               (long long)index, record.size, wanted);
    const unsigned char *at = (const unsigned char *)record.payload + CAROM_LAYOUT_FRAME;
    *frame = (carom_frame){
        .step = head.step, .time = head.time, .hash = head.hash, .body_count = (int)head.body_count
    };
    carom_ledger_bytes_get(at, head.ledger_size, &frame->ledger);
    frame->bodies = (const double *)(const void *)(at + head.ledger_size);
    return CAROM_OK;
}

// The list of contacts behind a frame, where there is a whole one.
static bool find_contacts(const carom_trajectory *t, int64_t frame, carom_record *record,
                          carom_layout_contacts *head)
{
    if (!t || frame < 0 || frame >= t->frame_count || t->frames[frame] + 1 >= t->count)
        return false;
    *record = t->records[t->frames[frame] + 1];
    if (!is_there(t, record))
        return false;
    bool packed = record->kind == CAROM_RECORD_PACKED;
    if ((!packed && record->kind != CAROM_RECORD_CONTACTS) || record->size < CAROM_LAYOUT_CONTACTS)
        return false;
    *head = carom_layout_get_contacts(record->payload);
    size_t listed = record->size - CAROM_LAYOUT_CONTACTS;
    if (packed)
        return head->count <= INT32_MAX && carom_contact_pack_fits(head->count, listed);
    return head->count <= INT32_MAX && listed == head->count * CAROM_LAYOUT_OLD_CONTACT;
}

int carom_trajectory_contact_count(const carom_trajectory *t, int64_t frame)
{
    carom_record record;
    carom_layout_contacts head;
    return find_contacts(t, frame, &record, &head) ? (int)head.count : 0;
}

carom_status carom_trajectory_contacts(const carom_trajectory *t, int64_t frame,
                                       carom_world_contact *out, carom_error *err)
{
    carom_record record;
    carom_layout_contacts head;
    NEED(err, t, out);
    if (!find_contacts(t, frame, &record, &head))
        return CAROM_OK;
    const unsigned char *at = (const unsigned char *)record.payload + CAROM_LAYOUT_CONTACTS;
    if (record.kind == CAROM_RECORD_PACKED)
        return carom_contact_unpack(at, record.size - CAROM_LAYOUT_CONTACTS, head.time,
                                    (int)head.count, out, err);
    for (uint64_t i = 0; i < head.count; ++i, at += CAROM_LAYOUT_OLD_CONTACT)
        out[i] = carom_layout_get_contact(at, CAROM_LAYOUT_OLD_CONTACT);
    return CAROM_OK;
}

// The meshes of a trajectory, decoded; the caller frees list and names.
static carom_status decode_mesh(const carom_record *record, carom_scene_mesh *mesh,
                                carom_error *err)
{
    carom_layout_mesh head = { 0 };
    const unsigned char *at = record->payload;
    if (record->size >= CAROM_LAYOUT_MESH)
        head = carom_layout_get_mesh(at);
    size_t name = (size_t)carom_layout_padded(head.name_size);
    size_t vertices = 24 * (size_t)head.vertex_count;
    size_t wanted = CAROM_LAYOUT_MESH + name + vertices + 12 * (size_t)head.triangle_count;
    if (record->size != wanted || head.vertex_count > INT32_MAX || head.triangle_count > INT32_MAX)
        return carom_error_set(err, CAROM_BAD_INPUT, "a mesh has %zu bytes instead of %zu",
                               record->size, wanted);
    mesh->scale = head.scale;
    mesh->name = strndup((const char *)at + CAROM_LAYOUT_MESH, head.name_size);
    if (!mesh->name)
        return carom_error_no_memory(err, "a mesh");
    at += CAROM_LAYOUT_MESH + name;
    mesh->source = (carom_mesh_source){ (const double *)(const void *)at,
                                        (const int *)(const void *)(at + vertices),
                                        (int)head.vertex_count, (int)head.triangle_count };
    return CAROM_OK;
}

static carom_status decode_meshes(const carom_trajectory *t, carom_scene_mesh **list, int *count,
                                  carom_error *err)
{
    for (int64_t i = 0; i < t->count; ++i) {
        if (t->records[i].kind != CAROM_RECORD_MESH || !is_there(t, &t->records[i]))
            continue;
        void *more = realloc(*list, (size_t)(*count + 1) * sizeof **list);
        if (!more)
            return carom_error_no_memory(err, "%d meshes", *count + 1);
        *list = more;
        TRY(decode_mesh(&t->records[i], &(*list)[*count], err));
        ++*count;
    }
    return CAROM_OK;
}

carom_status carom_trajectory_scene(const carom_trajectory *t, carom_scene_world **out,
                                    carom_error *err)
{
    NEED(err, t, out);
    carom_record scene = carom_trajectory_first(t, CAROM_RECORD_SCENE);
    carom_record manifest = carom_trajectory_first(t, CAROM_RECORD_MANIFEST);
    *out = NULL;
    if (!scene.payload) {
        carom_error_set(err, CAROM_BAD_INPUT, "the trajectory holds no scene");
        return carom_error_fix(err, "write it again with `carom run SCENE --out FILE`");
    }
    carom_scene_mesh *meshes = NULL;
    carom_scene_text *text = NULL;
    int mesh_count = 0;
    char name[256] = "scene";
    TRY(carom_manifest_title(&manifest, name, sizeof name - 8, err));
    strcat(name, ".json"); // the ending is taken off again
    carom_status status = decode_meshes(t, &meshes, &mesh_count, err);
    if (status == CAROM_OK)
        status = carom_scene_text_parse(name, scene.payload, scene.size, &text, err);
    if (status == CAROM_OK)
        status = carom_manifest_apply(&manifest, text, err);
    size_t size;
    const char *bytes = carom_scene_text_bytes(text, &size);
    if (status == CAROM_OK)
        status = carom_scene_world_parse_with(name, bytes, size, meshes, mesh_count, out, err);
    for (int i = 0; i < mesh_count; ++i)
        free((void *)meshes[i].name);
    free(meshes);
    carom_scene_text_close(text);
    return status;
}

// NumPy archives: a ZIP file of .npy arrays, stored without compression.
//
// Every array is produced twice, once for its checksum and once for the file: nothing is kept in
// memory and the file is written front to back, so it may be a pipe. Sizes of 4 GB and more use the
// 64-bit fields of the format (PKWARE APPNOTE, 4.3.14 and 4.5.3).
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include "base/progress.h"
#include "export/export_columns.h"
#include "export/export_contacts.h"
#include "export/recording.h"

enum { NAME = 96, ARRAYS = 64, SHAPE_LETTERS = 12 };

typedef struct writer writer;

// One array: how to make its bytes.
typedef struct array {
    char name[NAME];
    char head[512]; // the .npy front
    size_t head_size;
    uint64_t size; // bytes of data
    carom_status (*make)(writer *w, const struct array *a, carom_error *err);
    int first, width;                  // numbers of a body's thirteen
    const carom_export_column *column; // of the ledger
    uint32_t checksum;
    uint64_t offset;
} array;

struct writer {
    const carom_recording *recording;
    FILE *file;
    const carom_progress *progress;
    bool counting; // only the checksum
    uint32_t checksum;
    uint64_t at; // bytes in the file
    double done, total;
    size_t letters; // longest name
    array arrays[ARRAYS];
    int count;
};

static carom_status put(writer *w, const void *bytes, size_t size, carom_error *err)
{
    if (w->counting) {
        for (size_t from = 0; from < size; from += 1 << 30)
            w->checksum = (uint32_t)crc32(w->checksum, (const Bytef *)bytes + from,
                                          (uInt)(size - from < 1 << 30 ? size - from : 1 << 30));
        return CAROM_OK;
    }
    if (size && fwrite(bytes, 1, size, w->file) != size) {
        carom_error_set(err, CAROM_IO_FAILED, "cannot write the archive");
        return carom_error_fix(err, "look for a full disk");
    }
    w->at += size;
    return CAROM_OK;
}

// -- contents -----------------------------------------------------------------------------------

static carom_status next_frame(writer *w, int64_t m, carom_frame *frame, carom_error *err)
{
    TRY(carom_progress_report(w->progress, w->done++, w->total, "writing", err));
    return carom_recording_frame(w->recording, m, frame, err);
}

static carom_status make_motion(writer *w, const array *a, carom_error *err)
{
    for (int64_t m = 0; m < carom_recording_frame_count(w->recording); ++m) {
        carom_frame frame;
        TRY(next_frame(w, m, &frame, err));
        for (int i = 0; i < w->recording->count; ++i)
            TRY(put(w, frame.bodies + CAROM_FRAME_STRIDE * (size_t)i + a->first,
                    (size_t)a->width * sizeof(double), err));
    }
    return CAROM_OK;
}

static carom_status make_ledger(writer *w, const array *a, carom_error *err)
{
    for (int64_t m = 0; m < carom_recording_frame_count(w->recording); ++m) {
        carom_frame frame;
        TRY(carom_recording_frame(w->recording, m, &frame, err));
        TRY(put(w, (const char *)&frame.ledger + a->column->offset, 8, err));
    }
    return CAROM_OK;
}

static carom_status make_time(writer *w, const array *a, carom_error *err)
{
    for (int64_t m = 0; m < carom_recording_frame_count(w->recording); ++m) {
        carom_frame frame;
        TRY(carom_recording_frame(w->recording, m, &frame, err));
        const void *field = a->first == 0   ? (const void *)&frame.time
                            : a->first == 1 ? (const void *)&frame.step
                                            : (const void *)&frame.hash;
        TRY(put(w, field, 8, err));
    }
    return CAROM_OK;
}

static carom_status make_mass(writer *w, const array *a, carom_error *err)
{
    (void)a;
    return put(w, w->recording->mass, (size_t)w->recording->count * sizeof(double), err);
}

static carom_status make_radius(writer *w, const array *a, carom_error *err)
{
    (void)a;
    for (int i = 0; i < w->recording->count; ++i) {
        const carom_shape *shape = w->recording->forms[w->recording->form[i]].shape;
        double radius =
            carom_shape_kind_of(shape) == CAROM_SHAPE_PLANE ? HUGE_VAL : carom_shape_radius(shape);
        TRY(put(w, &radius, sizeof radius, err));
    }
    return CAROM_OK;
}

static carom_status make_shape(writer *w, const array *a, carom_error *err)
{
    (void)a;
    for (int i = 0; i < w->recording->count; ++i) {
        const carom_shape *shape = w->recording->forms[w->recording->form[i]].shape;
        char padded[SHAPE_LETTERS + 1] = { 0 };
        snprintf(padded, sizeof padded, "%s", carom_shape_kind_name(carom_shape_kind_of(shape)));
        TRY(put(w, padded, SHAPE_LETTERS, err));
    }
    return CAROM_OK;
}

// A record of the array of contacts; its fields stand in CONTACT_TYPE.
typedef struct contact_record {
    int64_t frame;
    int32_t a, b;
    int64_t impact;
    double numbers[18]; // time, point, normal, gap, impulse, force, slip, loss
} contact_record;

static const char CONTACT_TYPE[] =
    "[('frame','<i8'),('a','<i4'),('b','<i4'),('impact','<i8'),('time','<f8'),"
    "('point','<f8',(3,)),('normal','<f8',(3,)),('gap','<f8'),('impulse','<f8',(3,)),"
    "('force','<f8',(3,)),('slip','<f8',(3,)),('loss','<f8')]";

static contact_record record_of(const carom_export_contacts *list, int index, int64_t frame)
{
    const carom_world_contact *c = &list->list[index];
    contact_record r = { .frame = frame, .a = c->a, .b = c->b, .impact = c->impact };
    r.numbers[0] = c->time;
    r.numbers[7] = c->gap;
    r.numbers[17] = c->loss;
    memcpy(r.numbers + 1, c->point, sizeof c->point);
    memcpy(r.numbers + 4, c->normal, sizeof c->normal);
    memcpy(r.numbers + 8, c->impulse, sizeof c->impulse);
    vec3_store(carom_export_contacts_force(list, c), r.numbers + 11);
    memcpy(r.numbers + 14, c->slip, sizeof c->slip);
    return r;
}

static carom_status make_contacts(writer *w, const array *a, carom_error *err)
{
    (void)a;
    carom_export_contacts list = { 0 };
    carom_status status = CAROM_OK;
    for (int64_t m = 0; m < carom_recording_frame_count(w->recording) && status == CAROM_OK; ++m) {
        status = carom_progress_report(w->progress, w->done++, w->total, "writing", err);
        if (status == CAROM_OK)
            status = carom_export_contacts_load(&list, w->recording, m, err);
        for (int i = 0; i < list.count && status == CAROM_OK; ++i) {
            contact_record r = record_of(&list, i, m);
            status = put(w, &r, sizeof r, err);
        }
    }
    carom_export_contacts_free(&list);
    return status;
}

static carom_status make_kind(writer *w, const array *a, carom_error *err)
{
    (void)a;
    return put(w, w->recording->kind, (size_t)w->recording->count, err);
}

static carom_status make_names(writer *w, const array *a, carom_error *err)
{
    (void)a;
    for (int i = 0; i < w->recording->count; ++i) {
        char room[32], padded[512] = { 0 };
        const char *name = carom_recording_name(w->recording, i, room, sizeof room);
        size_t length = strlen(name);
        memcpy(padded, name, length < w->letters ? length : w->letters);
        TRY(put(w, padded, w->letters, err));
    }
    return CAROM_OK;
}

// -- .npy fronts --------------------------------------------------------------------------------

// `type` is a Python literal.
static array *add(writer *w, const char *name, const char *type, const char *shape)
{
    array *a = &w->arrays[w->count++];
    snprintf(a->name, sizeof a->name, "%s.npy", name);
    // Front: magic, version 1.0, length, a Python literal padded so that the data is 64-aligned.
    int used = snprintf(a->head + 10, sizeof a->head - 10,
                        "{'descr': %s, 'fortran_order': False, 'shape': (%s), }", type, shape);
    size_t size = (10 + (size_t)used + 1 + 63) / 64 * 64;
    memset(a->head + 10 + used, ' ', size - 10 - (size_t)used);
    a->head[size - 1] = '\n';
    memcpy(a->head, "\x93NUMPY\x01\x00", 8);
    a->head[8] = (char)((size - 10) & 255);
    a->head[9] = (char)((size - 10) >> 8);
    a->head_size = size;
    return a;
}

static void list_arrays(writer *w)
{
    static const struct {
        const char *name;
        int first, width;
    } motions[] = {
        { "position", 0, 3 }, { "rotation", 3, 4 }, { "velocity", 7, 3 }, { "spin", 10, 3 }
    };
    long long frames = carom_recording_frame_count(w->recording);
    int bodies = w->recording->count;
    char shape[96], type[32];
    snprintf(shape, sizeof shape, "%lld,", frames);
    static const char *const times[] = { "time", "step", "hash" };
    static const char *const types[] = { "'<f8'", "'<i8'", "'<u8'" };
    for (int k = 0; k < 3; ++k) {
        array *a = add(w, times[k], types[k], shape);
        a->make = make_time;
        a->first = k;
        a->size = 8 * (uint64_t)frames;
    }
    for (int c = 0; c < carom_export_column_count; ++c) {
        char name[64];
        snprintf(name, sizeof name, "ledger_%s", carom_export_columns[c].name);
        array *a = add(w, name, carom_export_columns[c].whole ? "'<i8'" : "'<f8'", shape);
        a->make = make_ledger;
        a->column = &carom_export_columns[c];
        a->size = 8 * (uint64_t)frames;
    }
    for (int k = 0; k < 4; ++k) {
        snprintf(shape, sizeof shape, "%lld, %d, %d", frames, bodies, motions[k].width);
        array *a = add(w, motions[k].name, "'<f8'", shape);
        a->make = make_motion;
        a->first = motions[k].first;
        a->width = motions[k].width;
        a->size = 8 * (uint64_t)frames * (uint64_t)bodies * (uint64_t)a->width;
        w->total += 2 * (double)frames;
    }
    snprintf(shape, sizeof shape, "%d,", bodies);
    const struct {
        const char *name, *type;
        carom_status (*make)(writer *w, const array *a, carom_error *err);
        size_t width;
    } about[] = { { "mass", "'<f8'", make_mass, 8 },
                  { "radius", "'<f8'", make_radius, 8 },
                  { "kind", "'|u1'", make_kind, 1 },
                  { "shape", "'|S12'", make_shape, SHAPE_LETTERS },
                  { "name", type, make_names, w->letters } };
    snprintf(type, sizeof type, "'|S%zu'", w->letters);
    for (int k = 0; k < 5; ++k) {
        array *a = add(w, about[k].name, about[k].type, shape);
        a->make = about[k].make;
        a->size = (uint64_t)bodies * about[k].width;
    }
    long long contacts = carom_export_contacts_total(w->recording);
    if (contacts == 0)
        return;
    snprintf(shape, sizeof shape, "%lld,", contacts);
    array *a = add(w, "contacts", CONTACT_TYPE, shape);
    a->make = make_contacts;
    a->size = (uint64_t)contacts * sizeof(contact_record);
    w->total += 2 * (double)frames;
}

// -- ZIP ----------------------------------------------------------------------------------------

typedef struct packet {
    unsigned char bytes[256];
    size_t size;
} packet;

static void number(packet *p, uint64_t value, int width)
{
    for (int i = 0; i < width; ++i)
        p->bytes[p->size++] = (unsigned char)(value >> (8 * i));
}

static uint32_t small(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

// What local and central entries share: version, flags, method, time, checksum, sizes, names.
static void describe(packet *p, const array *a, bool extra, bool with_offset)
{
    uint64_t size = a->head_size + a->size;
    number(p, extra ? 45 : 20, 2);
    number(p, 0, 2);
    number(p, 0, 2);  // stored
    number(p, 0, 2);  // time of day
    number(p, 33, 2); // 1 January 1980: the same file every time
    number(p, a->checksum, 4);
    number(p, small(size), 4);
    number(p, small(size), 4);
    number(p, strlen(a->name), 2);
    number(p, extra ? (with_offset ? 28 : 20) : 0, 2);
}

static void add_extra(packet *p, const array *a, bool with_offset)
{
    number(p, 1, 2);
    number(p, with_offset ? 24 : 16, 2);
    number(p, a->head_size + a->size, 8);
    number(p, a->head_size + a->size, 8);
    if (with_offset)
        number(p, a->offset, 8);
}

static carom_status write_array(writer *w, array *a, carom_error *err)
{
    packet p = { .size = 0 };
    bool extra = a->head_size + a->size >= UINT32_MAX;
    w->counting = true;
    w->checksum = 0;
    TRY(put(w, a->head, a->head_size, err));
    TRY(a->make(w, a, err));
    a->checksum = w->checksum;
    w->counting = false;
    a->offset = w->at;
    number(&p, 0x04034b50, 4);
    describe(&p, a, extra, false);
    TRY(put(w, p.bytes, p.size, err));
    TRY(put(w, a->name, strlen(a->name), err));
    p.size = 0;
    if (extra)
        add_extra(&p, a, false);
    TRY(put(w, p.bytes, p.size, err));
    TRY(put(w, a->head, a->head_size, err));
    return a->make(w, a, err);
}

static carom_status write_entry(writer *w, const array *a, carom_error *err)
{
    packet p = { .size = 0 };
    bool extra = a->head_size + a->size >= UINT32_MAX || a->offset >= UINT32_MAX;
    number(&p, 0x02014b50, 4);
    number(&p, 45, 2);
    describe(&p, a, extra, true);
    number(&p, 0, 2);
    number(&p, 0, 2);
    number(&p, 0, 2);
    number(&p, 0, 4);
    number(&p, small(a->offset), 4);
    if (extra) { // the 64-bit fields stand only for those that overflow: all, or none
        memset(p.bytes + 20, 0xff, 8);
        memset(p.bytes + 42, 0xff, 4);
    }
    TRY(put(w, p.bytes, p.size, err));
    TRY(put(w, a->name, strlen(a->name), err));
    p.size = 0;
    if (extra)
        add_extra(&p, a, true);
    return put(w, p.bytes, p.size, err);
}

static carom_status write_end(writer *w, uint64_t directory, carom_error *err)
{
    packet p = { .size = 0 };
    uint64_t end = w->at, size = end - directory;
    number(&p, 0x06064b50, 4); // 64-bit end, always: costs 76 bytes and is never wrong
    number(&p, 44, 8);
    number(&p, 45, 2);
    number(&p, 45, 2);
    number(&p, 0, 4);
    number(&p, 0, 4);
    number(&p, (uint64_t)w->count, 8);
    number(&p, (uint64_t)w->count, 8);
    number(&p, size, 8);
    number(&p, directory, 8);
    number(&p, 0x07064b50, 4);
    number(&p, 0, 4);
    number(&p, end, 8);
    number(&p, 1, 4);
    number(&p, 0x06054b50, 4);
    number(&p, 0, 2);
    number(&p, 0, 2);
    number(&p, (uint64_t)w->count, 2);
    number(&p, (uint64_t)w->count, 2);
    number(&p, small(size), 4);
    number(&p, small(directory), 4);
    number(&p, 0, 2);
    return put(w, p.bytes, p.size, err);
}

carom_status carom_export_npz(const carom_recording *recording, FILE *file,
                              const carom_progress *progress, carom_error *err)
{
    NEED(err, recording, file);
    static const size_t longest = 255;
    writer w = { .recording = recording, .file = file, .progress = progress, .letters = 1 };
    for (int i = 0; i < recording->count; ++i) {
        char room[32];
        size_t length = strlen(carom_recording_name(recording, i, room, sizeof room));
        w.letters = length > w.letters ? length : w.letters;
    }
    w.letters = w.letters > longest ? longest : w.letters;
    list_arrays(&w);
    for (int k = 0; k < w.count; ++k)
        TRY(write_array(&w, &w.arrays[k], err));
    uint64_t directory = w.at;
    for (int k = 0; k < w.count; ++k)
        TRY(write_entry(&w, &w.arrays[k], err));
    return write_end(&w, directory, err);
}

// NumPy archives: a ZIP file (PKWARE's APPNOTE 6.3, sections 4.3 and 4.5.3) whose members are
// arrays in NumPy's own format (NEP 1). Everything is bounded by the bytes that are there: a
// damaged file is refused, with the name of the member.
#include "parse/npz.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/cursor.h"

enum { END_SIZE = 22, LOCATOR_SIZE = 20, END64_SIZE = 56, ENTRY_SIZE = 46, LOCAL_SIZE = 30 };
#define LARGEST ((uint64_t)1 << 31) // bytes of one array

static const char no_memory[] = "there is no memory for the array"; // why, where it is not damaged
static const char damage[] = "the array is damaged";
static const char fix_file[] =
    "write it anew: numpy.savez(file, x=x, y=y, z=z, radius=radius), or numpy.savez_compressed";

static uint64_t number_at(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int k = bytes; k-- > 0;)
        value = value << 8 | at[k];
    return value;
}

static carom_status damaged(const char *path, const char *member, const char *what,
                            carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "%s", what);
    carom_error_where(err, "%s%s%s", path, *member ? ": " : "", member);
    return carom_error_fix(err, "%s", fix_file);
}

// -- the archive ----------------------------------------------------------------------------------

// The record at the end, behind which there may be a remark.
static size_t find_end(const carom_npz *npz)
{
    size_t least = npz->size > END_SIZE + 65535 ? npz->size - END_SIZE - 65535 : 0;
    for (size_t at = npz->size - END_SIZE + 1; at-- > least;)
        if (number_at(npz->bytes + at, 4) == 0x06054b50)
            return at;
    return SIZE_MAX;
}

static bool find_directory(carom_npz *npz)
{
    size_t end = npz->size >= END_SIZE ? find_end(npz) : SIZE_MAX;
    if (end == SIZE_MAX)
        return false;
    uint64_t entries = number_at(npz->bytes + end + 10, 2);
    uint64_t directory = number_at(npz->bytes + end + 16, 4);
    if (end >= LOCATOR_SIZE && (entries == UINT16_MAX || directory == UINT32_MAX) &&
        number_at(npz->bytes + end - LOCATOR_SIZE, 4) == 0x07064b50) {
        uint64_t at = number_at(npz->bytes + end - LOCATOR_SIZE + 8, 8);
        if (at > npz->size || npz->size - at < END64_SIZE)
            return false;
        entries = number_at(npz->bytes + at + 32, 8);
        directory = number_at(npz->bytes + at + 48, 8);
    }
    npz->entries = (size_t)entries;
    npz->directory = (size_t)directory;
    return directory <= npz->size;
}

carom_status carom_npz_from(const char *path, const void *bytes, size_t size, carom_npz *out,
                            carom_error *err)
{
    *out = (carom_npz){ .path = path, .bytes = (unsigned char *)(uintptr_t)bytes, .size = size };
    if (find_directory(out))
        return CAROM_OK;
    return damaged(path, "", "the file is no NumPy archive, or it ends too early", err);
}

carom_status carom_npz_open(const char *path, carom_npz *out, carom_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    TRY(carom_cursor_load(path, &bytes, &size, err));
    carom_status status = carom_npz_from(path, bytes, size, out, err);
    if (status != CAROM_OK)
        carom_npz_close(out);
    return status;
}

void carom_npz_close(carom_npz *npz)
{
    free(npz->bytes);
    npz->bytes = NULL;
}

// A member as the list at the end has it.
typedef struct member {
    const unsigned char *name;
    size_t name_length;
    uint64_t packed, whole, local; // bytes in the file, unpacked, and where it begins
    uint32_t checksum;
    int method;
} member;

// Sizes that do not fit 32 bits stand in an extra field, in this order.
static void widen(member *m, const unsigned char *extra, size_t length)
{
    uint64_t *wide[3] = { &m->whole, &m->packed, &m->local };
    while (length >= 4) {
        uint64_t kind = number_at(extra, 2), size = number_at(extra + 2, 2);
        if (size > length - 4)
            return;
        for (int k = 0, at = 0; k < 3 && kind == 1; ++k)
            if (*wide[k] == UINT32_MAX && (uint64_t)at + 8 <= size) {
                *wide[k] = number_at(extra + 4 + at, 8);
                at += 8;
            }
        extra += 4 + size;
        length -= 4 + size;
    }
}

// The member at `*at`, which moves on to the next; false where the list is damaged.
static bool next_member(const carom_npz *npz, size_t *at, member *m)
{
    if (*at > npz->size || npz->size - *at < ENTRY_SIZE)
        return false;
    const unsigned char *entry = npz->bytes + *at;
    size_t name = number_at(entry + 28, 2), extra = number_at(entry + 30, 2),
           remark = number_at(entry + 32, 2), all = ENTRY_SIZE + name + extra + remark;
    if (number_at(entry, 4) != 0x02014b50 || npz->size - *at < all)
        return false;
    *m = (member){ .name = entry + ENTRY_SIZE,
                   .name_length = name,
                   .packed = number_at(entry + 20, 4),
                   .whole = number_at(entry + 24, 4),
                   .local = number_at(entry + 42, 4),
                   .checksum = (uint32_t)number_at(entry + 16, 4),
                   .method = (int)number_at(entry + 10, 2) };
    widen(m, entry + ENTRY_SIZE + name, extra);
    *at += all;
    return true;
}

// Why not; null where all of it is there.
static const char *inflate_member(const unsigned char *from, const member *m, unsigned char *to)
{
    z_stream stream = { .next_in = (unsigned char *)from,
                        .avail_in = (uInt)m->packed,
                        .next_out = to,
                        .avail_out = (uInt)m->whole };
    if (inflateInit2(&stream, -15) != Z_OK)
        return no_memory;
    int result = inflate(&stream, Z_FINISH);
    bool all = result == Z_STREAM_END && stream.total_out == m->whole;
    inflateEnd(&stream);
    return all ? NULL : result == Z_MEM_ERROR ? no_memory : damage;
}

// The bytes of a member; null with a word on why not.
static unsigned char *unpack(const carom_npz *npz, const member *m, const char **why)
{
    *why = damage;
    if (m->local > npz->size || npz->size - m->local < LOCAL_SIZE || m->whole > LARGEST ||
        m->packed > LARGEST)
        return NULL;
    const unsigned char *local = npz->bytes + m->local;
    uint64_t start = m->local + LOCAL_SIZE + number_at(local + 26, 2) + number_at(local + 28, 2);
    if (start > npz->size || m->packed > npz->size - start)
        return NULL;
    if (m->method != 0 && m->method != 8) {
        *why = "the array is packed in a way that NumPy does not write";
        return NULL;
    }
    const uint64_t closest = 1032; // bytes that deflate makes one of, at most
    if (m->method == 0 ? m->packed != m->whole : m->whole / closest > m->packed)
        return NULL;
    unsigned char *bytes = malloc((size_t)m->whole + 1);
    *why = bytes ? NULL : no_memory;
    if (bytes && m->method == 0)
        memcpy(bytes, npz->bytes + start, (size_t)m->whole);
    else if (bytes)
        *why = inflate_member(npz->bytes + start, m, bytes);
    if (!*why && crc32(0, bytes, (uInt)m->whole) != m->checksum)
        *why = damage;
    if (!*why)
        return bytes;
    free(bytes);
    return NULL;
}

// -- one array
// --------------------------------------------------------------------------------------

// What the head of an array says.
typedef struct layout {
    char kind; // f, i, u or b
    int bytes; // of one number
    size_t start;
} layout;

static bool read_shape(const char *at, carom_npz_array *array)
{
    array->count = 1;
    at += strspn(at, " (");
    for (array->dimensions = 0; *at && *at != ')'; ++array->dimensions) {
        char *end;
        if (array->dimensions == CAROM_NPZ_DIMENSIONS || *at < '0' || *at > '9')
            return false;
        unsigned long long extent = strtoull(at, &end, 10);
        if (extent > LARGEST || (extent > 0 && array->count > LARGEST / extent))
            return false;
        array->shape[array->dimensions] = (size_t)extent;
        array->count *= (size_t)extent;
        at = end + strspn(end, " L,");
    }
    return *at == ')';
}

// {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
static const char *read_head(char *text, carom_npz_array *array, layout *out)
{
    char *type = strstr(text, "'descr':"), *order = strstr(text, "'fortran_order':"),
         *shape = strstr(text, "'shape':");
    if (!type || !order || !shape)
        return "the array has no head that NumPy writes";
    type += strlen("'descr':"), order += strlen("'fortran_order':"), shape += strlen("'shape':");
    type += strspn(type, " ");
    if (strlen(type) < 5 || type[0] != '\'' || !strchr("<|", type[1]) || !strchr("fiub", type[2]) ||
        !strchr("1248", type[3]) || type[4] != '\'' || (type[2] == 'f' && type[3] < '4'))
        return "the array holds no numbers that can be read: real or whole ones, little-endian";
    if (strncmp(order + strspn(order, " "), "False", 5) != 0)
        return "the array stands in Fortran's order: take numpy.ascontiguousarray of it";
    out->kind = type[2];
    out->bytes = type[3] - '0';
    return read_shape(shape, array) ? NULL : "the array has no shape of up to four numbers";
}

static double value_of(const unsigned char *at, const layout *l)
{
    uint64_t bits = number_at(at, l->bytes);
    double real;
    float single;
    uint32_t half = (uint32_t)bits;
    if (l->kind == 'f' && l->bytes == 8)
        return memcpy(&real, &bits, sizeof real), real;
    if (l->kind == 'f')
        return memcpy(&single, &half, sizeof single), (double)single;
    if (l->kind != 'i')
        return (double)bits;
    int shift = 64 - 8 * l->bytes;
    return (double)((int64_t)(bits << shift) >> shift);
}

static const char *read_array(unsigned char *bytes, size_t size, carom_npz_array *array)
{
    layout l = { 0 };
    if (size < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0)
        return "the member is no array of NumPy";
    size_t wide = bytes[6] == 1 ? 2 : 4, length = (size_t)number_at(bytes + 8, (int)wide);
    l.start = 8 + wide + length;
    if (l.start > size || length == 0)
        return "the array ends in its head";
    bytes[l.start - 1] = 0; // the head ends with a line's end
    const char *why = read_head((char *)bytes + 8 + wide, array, &l);
    if (why)
        return why;
    if (array->count > (size - l.start) / (size_t)l.bytes)
        return "the array has fewer numbers than its shape says";
    if (array->count > LARGEST / sizeof *array->value) // bytes of one each become eight
        return "the array has more numbers than can be used";
    array->value = malloc((array->count + 1) * sizeof *array->value);
    if (!array->value)
        return no_memory;
    for (size_t i = 0; i < array->count; ++i)
        array->value[i] = value_of(bytes + l.start + i * (size_t)l.bytes, &l);
    return NULL;
}

carom_status carom_npz_array_read(const carom_npz *npz, const char *name, carom_npz_array *array,
                                  bool *found, carom_error *err)
{
    char file[CAROM_NPZ_NAME + 8];
    size_t at = npz->directory, length = (size_t)snprintf(file, sizeof file, "%.63s.npy", name);
    member m;
    *array = (carom_npz_array){ 0 };
    *found = false;
    for (size_t i = 0; i < npz->entries && !*found; ++i) {
        if (!next_member(npz, &at, &m))
            return damaged(npz->path, "", "the list of the archive's arrays is damaged", err);
        *found = m.name_length == length && memcmp(m.name, file, length) == 0;
    }
    if (!*found)
        return CAROM_OK;
    const char *why;
    unsigned char *bytes = unpack(npz, &m, &why);
    if (bytes)
        why = read_array(bytes, (size_t)m.whole, array);
    free(bytes);
    if (why == no_memory)
        return carom_error_no_memory(err, "the array %s", name);
    return why ? damaged(npz->path, name, why, err) : CAROM_OK;
}

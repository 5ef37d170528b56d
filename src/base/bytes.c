// Records as bytes by the list of their fields.
#include "base/bytes.h"

static size_t width_of(carom_bytes_kind kind)
{
    return kind == CAROM_BYTES_I32 || kind == CAROM_BYTES_ZERO ? 4 : 8;
}

size_t carom_bytes_size(const carom_bytes_field *fields)
{
    size_t size = 0;
    for (; fields->count; ++fields)
        size += width_of(fields->kind) * fields->count;
    return size;
}

void carom_bytes_put(const carom_bytes_field *fields, const void *record, unsigned char **at)
{
    for (; fields->count; ++fields) {
        const char *from = (const char *)record + fields->offset;
        for (size_t i = 0; i < fields->count; ++i, from += width_of(fields->kind)) {
            uint32_t word = 0;
            uint64_t wide;
            if (width_of(fields->kind) == 8) {
                memcpy(&wide, from, sizeof wide); // IEEE 754, or a whole number
                carom_bytes_put_u64(at, wide);
                continue;
            }
            if (fields->kind != CAROM_BYTES_ZERO)
                memcpy(&word, from, sizeof word);
            carom_bytes_put_u32(at, word);
        }
    }
}

void carom_bytes_get(const carom_bytes_field *fields, void *record, const unsigned char **at)
{
    for (; fields->count; ++fields) {
        char *to = (char *)record + fields->offset;
        for (size_t i = 0; i < fields->count; ++i, to += width_of(fields->kind)) {
            if (width_of(fields->kind) == 8) {
                uint64_t wide = carom_bytes_get_u64(at);
                memcpy(to, &wide, sizeof wide);
                continue;
            }
            uint32_t word = carom_bytes_get_u32(at);
            if (fields->kind != CAROM_BYTES_ZERO)
                memcpy(to, &word, sizeof word);
        }
    }
}

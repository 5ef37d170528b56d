// Numbers as bytes, least significant first, whatever the machine: what files are made of. Each
// call moves the cursor on; nothing is checked here, the caller knows how many bytes there are.
//
// A record has a list of its fields, in the file's order, by which it is measured, written and
// read; members that are not in the list are left alone:
//
//     static const carom_bytes_field fields[] = {
//         CAROM_BYTES(I32, ball, number), CAROM_BYTES(F64, ball, velocity), { 0 },
//     };
#ifndef CAROM_BASE_BYTES_H
#define CAROM_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void carom_bytes_put_u32(unsigned char **at, uint32_t value)
{
    for (int k = 0; k < 4; ++k)
        *(*at)++ = (unsigned char)(value >> 8 * k);
}

static inline void carom_bytes_put_u64(unsigned char **at, uint64_t value)
{
    for (int k = 0; k < 8; ++k)
        *(*at)++ = (unsigned char)(value >> 8 * k);
}

static inline void carom_bytes_put_f64(unsigned char **at, double value)
{
    uint64_t bits; // IEEE 754
    memcpy(&bits, &value, sizeof bits);
    carom_bytes_put_u64(at, bits);
}

static inline void carom_bytes_put_f64s(unsigned char **at, const double *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        carom_bytes_put_f64(at, values[i]);
}

static inline uint32_t carom_bytes_get_u32(const unsigned char **at)
{
    uint32_t value = 0;
    for (int k = 0; k < 4; ++k)
        value |= (uint32_t) * (*at)++ << 8 * k;
    return value;
}

static inline uint64_t carom_bytes_get_u64(const unsigned char **at)
{
    uint64_t value = 0;
    for (int k = 0; k < 8; ++k)
        value |= (uint64_t) * (*at)++ << 8 * k;
    return value;
}

static inline double carom_bytes_get_f64(const unsigned char **at)
{
    uint64_t bits = carom_bytes_get_u64(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void carom_bytes_get_f64s(const unsigned char **at, double *values, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        values[i] = carom_bytes_get_f64(at);
}

typedef enum carom_bytes_kind {
    CAROM_BYTES_F64,  // double, or members that are doubles only
    CAROM_BYTES_I64,  // int64_t, uint64_t
    CAROM_BYTES_I32,  // int, int32_t, uint32_t
    CAROM_BYTES_ZERO, // four bytes of zero: no member
} carom_bytes_kind;

enum { CAROM_BYTES_F64_SIZE = 8, CAROM_BYTES_I64_SIZE = 8, CAROM_BYTES_I32_SIZE = 4 };

typedef struct carom_bytes_field {
    carom_bytes_kind kind;
    size_t offset, count; // in the record; of numbers in a row, 0 ends the list
} carom_bytes_field;

#define CAROM_BYTES(kind, type, member)                                                            \
    {                                                                                              \
        CAROM_BYTES_##kind, offsetof(type, member),                                                \
            sizeof((type *)0)->member / CAROM_BYTES_##kind##_SIZE                                  \
    }

size_t carom_bytes_size(const carom_bytes_field *fields);
void carom_bytes_put(const carom_bytes_field *fields, const void *record, unsigned char **at);
void carom_bytes_get(const carom_bytes_field *fields, void *record, const unsigned char **at);

#endif

// Numbers as bytes, least significant first, whatever the machine: what files are made of. Each
// call moves the cursor on; nothing is checked here, the caller knows how many bytes there are.
#ifndef CAROM_BASE_BYTES_H
#define CAROM_BASE_BYTES_H

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

#endif

// FNV-1a over bytes and doubles, for comparing states; no defence against forgery.
#include "base/hash.h"

#include <string.h>

uint64_t carom_hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; ++i)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t carom_hash_doubles(uint64_t hash, const double *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        double value = values[i] + 0.0; // -0 + 0 = +0
        unsigned char bits[sizeof value];
        memcpy(bits, &value, sizeof value);
        hash = carom_hash_bytes(hash, bits, sizeof bits);
    }
    return hash;
}

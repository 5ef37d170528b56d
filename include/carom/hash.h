/// @file
/// State hashes: 64-bit FNV-1a over bytes, with doubles taken by their bits (-0 and +0 made equal).
#ifndef CAROM_HASH_H
#define CAROM_HASH_H

#include <stddef.h>
#include <stdint.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The hash of nothing, to start from.
#define CAROM_HASH_START UINT64_C(0xcbf29ce484222325)

/// The hash so far, continued by these bytes.
CAROM_API uint64_t carom_hash_bytes(uint64_t hash, const void *bytes, size_t count);
/// The hash so far, continued by these numbers.
CAROM_API uint64_t carom_hash_doubles(uint64_t hash, const double *values, size_t count);

#ifdef __cplusplus
}
#endif
#endif

// State hashes: 64-bit FNV-1a over bytes, with doubles taken by their bits (-0 and +0 made equal).
#ifndef CAROM_BASE_HASH_H
#define CAROM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CAROM_HASH_START UINT64_C(0xcbf29ce484222325)

uint64_t carom_hash_bytes(uint64_t hash, const void *bytes, size_t count);
uint64_t carom_hash_doubles(uint64_t hash, const double *values, size_t count);

#endif

/// @file
/// Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011).
///
/// The n-th number of a stream is a pure function of (seed, stream, n): any thread may draw any
/// number in any order and the result is the same.
#ifndef CAROM_RANDOM_H
#define CAROM_RANDOM_H

#include <stdint.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A place in a stream.
typedef struct carom_random {
    uint64_t seed;    ///< chosen by the caller
    uint64_t stream;  ///< one of many under that seed
    uint64_t counter; ///< numbers drawn so far
} carom_random;

/// The beginning of a stream: streams of one seed are independent of each other.
static inline carom_random carom_random_make(uint64_t seed, uint64_t stream)
{
    carom_random random = { seed, stream, 0 };
    return random;
}

/// 64 random bits at position `counter`, without changing any state.
CAROM_API uint64_t carom_random_at(uint64_t seed, uint64_t stream, uint64_t counter);
/// Next 64 bits.
CAROM_API uint64_t carom_random_next(carom_random *random);
/// Uniform in [0, 1), 53 bits.
CAROM_API double carom_random_unit(carom_random *random);
/// Uniform in [min, max).
CAROM_API double carom_random_between(carom_random *random, double min, double max);
/// Uniform integer in [0, count).
CAROM_API int carom_random_below(carom_random *random, int count);
/// Standard normal.
CAROM_API double carom_random_normal(carom_random *random);
/// Uniform on the unit sphere.
CAROM_API void carom_random_direction(carom_random *random, double direction[3]);

#ifdef __cplusplus
}
#endif
#endif

// Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011).
//
// The n-th number of a stream is a pure function of (seed, stream, n): any thread may draw any
// number in any order and the result is the same.
#ifndef CAROM_BASE_RANDOM_H
#define CAROM_BASE_RANDOM_H

#include <stdint.h>

typedef struct carom_random {
    uint64_t seed, stream, counter;
} carom_random;

static inline carom_random carom_random_make(uint64_t seed, uint64_t stream)
{
    return (carom_random){ seed, stream, 0 };
}

// 64 random bits at position `counter`, without changing any state.
uint64_t carom_random_at(uint64_t seed, uint64_t stream, uint64_t counter);
// Next 64 bits.
uint64_t carom_random_next(carom_random *random);
// Uniform in [0, 1), 53 bits.
double carom_random_unit(carom_random *random);
// Uniform in [least, most).
double carom_random_between(carom_random *random, double least, double most);
// Uniform integer in [0, count).
int carom_random_below(carom_random *random, int count);
// Standard normal.
double carom_random_normal(carom_random *random);
// Uniform on the unit sphere.
void carom_random_direction(carom_random *random, double direction[3]);

#endif

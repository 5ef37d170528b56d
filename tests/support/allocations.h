// How often the program has asked the system for memory. A program that includes this gets its own
// malloc, calloc, realloc and aligned_alloc, which count; under sanitizers, which own the
// allocator, nothing is counted.
#ifndef CAROM_TESTS_ALLOCATIONS_H
#define CAROM_TESTS_ALLOCATIONS_H

#include <stdbool.h>

// Whether anything is counted in this build.
bool allocations_watched(void);
long allocations(void);

#endif

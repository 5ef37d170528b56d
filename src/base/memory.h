// Memory of Carom's own: what carom/memory.h lets a caller replace. Null where there is none; sizes
// of 0 count as 1.
#ifndef CAROM_BASE_MEMORY_H
#define CAROM_BASE_MEMORY_H

#include "base/shared.h"
#include "carom/memory.h"

CAROM_SHARED void *carom_memory_get(size_t size);
// At a multiple of `alignment`, a power of two.
CAROM_SHARED void *carom_memory_aligned(size_t size, size_t alignment);
// `count` times `size` bytes, all 0.
CAROM_SHARED void *carom_memory_zeros(size_t count, size_t size);
// As realloc.
void *carom_memory_resize(void *block, size_t size);

#endif

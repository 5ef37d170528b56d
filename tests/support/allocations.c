// Counts allocations: the program's own definitions come before the C library's, which offers the
// real ones under other names.
#include "support/allocations.h"

#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WATCHED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WATCHED 0
#else
#define WATCHED 1
#endif
#else
#define WATCHED 1
#endif

static long count;

bool allocations_watched(void)
{
    return WATCHED;
}

long allocations(void)
{
    return count;
}

#if WATCHED
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    ++count;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    ++count;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size)
{
    ++count;
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    ++count;
    return __libc_memalign(alignment, size);
}
#endif

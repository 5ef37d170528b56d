// Advice about memory, which wasm32 has no use for.
#include <stddef.h>
#include <sys/mman.h>

int madvise(void *start, size_t size, int advice)
{
    (void)start, (void)size, (void)advice;
    return 0;
}

// Memory from whoever the caller says: see carom/memory.h. How many blocks are held is counted, so
// that nobody changes the source of memory that will be given back to another.

#include "base/memory.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/text.h"

static void *system_allocate(void *context, size_t size, size_t alignment)
{
    (void)context;
    if (alignment <= alignof(max_align_t))
        return malloc(size);
    return size > SIZE_MAX - alignment
               ? NULL
               : aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void *system_resize(void *context, void *block, size_t size)
{
    (void)context;
    return realloc(block, size);
}

static void system_release(void *context, void *block)
{
    (void)context;
    free(block);
}

static const carom_allocator the_system = { system_allocate, system_resize, system_release, NULL };
static carom_allocator current = { system_allocate, system_resize, system_release, NULL };
static atomic_long held;

carom_status carom_memory_use(const carom_allocator *allocator, carom_error *err)
{
    if (allocator && (!allocator->allocate || !allocator->resize || !allocator->release)) {
        carom_error_set(err, CAROM_BAD_INPUT, "an allocator lacks one of its functions");
        return carom_error_fix(err, "set allocate, resize and release");
    }
    long blocks = carom_memory_blocks();
    if (blocks > 0) {
        carom_error_set(err, CAROM_BAD_INPUT, "%ld %s of memory would go back to another allocator",
                        blocks, carom_text_noun(blocks, "block", "blocks"));
        return carom_error_fix(err, "set it before the first world, shape or workspace is made, or "
                                    "after the last is destroyed");
    }
    current = allocator ? *allocator : the_system;
    return CAROM_OK;
}

long carom_memory_blocks(void)
{
    return atomic_load_explicit(&held, memory_order_relaxed);
}

// Counts a block that is there.
static void *counted(void *block)
{
    if (block)
        atomic_fetch_add_explicit(&held, 1, memory_order_relaxed);
    return block;
}

void *carom_memory_aligned(size_t size, size_t alignment)
{
    return counted(current.allocate(current.context, size > 0 ? size : 1, alignment));
}

void *carom_memory_get(size_t size)
{
    return carom_memory_aligned(size, alignof(max_align_t));
}

void *carom_memory_zeros(size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
        return NULL;
    if (current.allocate == system_allocate) // has pages of zeros, which cost nothing until written
        return counted(calloc(count > 0 ? count : 1, size > 0 ? size : 1));
    void *block = carom_memory_get(count * size);
    return block ? memset(block, 0, count * size) : NULL;
}

void *carom_memory_resize(void *block, size_t size)
{
    void *grown = current.resize(current.context, block, size > 0 ? size : 1);
    return block ? grown : counted(grown);
}

void carom_memory_free(void *block)
{
    if (!block)
        return;
    current.release(current.context, block);
    atomic_fetch_sub_explicit(&held, 1, memory_order_relaxed);
}

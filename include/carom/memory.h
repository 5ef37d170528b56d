/// @file
/// Memory from the caller: every allocation of `libcarom` (shapes, impacts, the world in time) goes
/// through one set of functions, which a program may replace by its own.
///
/// Two things are not hooked: what qhull needs while a hull is made, and the stacks of threads that
/// Carom starts (carom_world_set_tasks avoids them). `libcarom-models` and `libcarom-io` take the
/// system's memory for what is theirs alone.
#ifndef CAROM_MEMORY_H
#define CAROM_MEMORY_H

#include <stddef.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where memory comes from. The functions may be called by several threads at once. Null is an
/// answer that every function of Carom passes on as CAROM_NO_MEMORY.
typedef struct carom_allocator {
    /// At least `size` bytes (above 0) at a multiple of `alignment`, a power of two.
    void *(*allocate)(void *context, size_t size, size_t alignment);
    /// As realloc: `block` (null: none) with its content at another size (above 0), aligned as
    /// malloc does it; null leaves `block` as it is.
    void *(*resize)(void *context, void *block, size_t size);
    /// `block` is not null.
    void (*release)(void *context, void *block);
    void *context; ///< handed to each of them
} carom_allocator;

/// From now on memory comes from there; null: from the system, as at the start. All three functions
/// are needed. Refused (BAD_INPUT) while Carom holds memory: before the first world, shape or
/// workspace, or after the last is destroyed. Not while another thread uses Carom.
CAROM_API carom_status carom_memory_use(const carom_allocator *allocator, carom_error *err);
/// How many blocks Carom holds now; 0 after everything was destroyed.
CAROM_API long carom_memory_blocks(void);

/// Gives back what a function of `libcarom` has handed over to the caller; null is nothing.
CAROM_API void carom_memory_free(void *block);

#ifdef __cplusplus
}
#endif

#endif

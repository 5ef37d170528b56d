// A stack of scratch memory with mark and rewind.
//
// An arena grows in blocks and keeps them: memory handed out never moves, and once an arena has
// served a problem of some size it serves every later one of that size without asking the system.
// When everything has been given back, several blocks are merged into one. A law therefore needs no
// formula for its scratch size (which would be a second copy of its allocation pattern), and still
// nothing in the step allocates.
#ifndef CAROM_BASE_ARENA_H
#define CAROM_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef struct carom_arena carom_arena;

typedef struct carom_arena_mark {
    void *block;
    size_t used;
} carom_arena_mark;

// `limit` bounds the bytes held in all; 0 means no bound but the system's.
carom_arena *carom_arena_create(size_t limit);
void carom_arena_destroy(carom_arena *arena);

// Returns 64-byte aligned memory for `count` items of `size` bytes, or null when the limit or the
// system refuses (also when count * size overflows). The contents are undefined.
void *carom_arena_take(carom_arena *arena, size_t count, size_t size);
// The same, filled with zeros.
void *carom_arena_zeros(carom_arena *arena, size_t count, size_t size);

carom_arena_mark carom_arena_mark_here(const carom_arena *arena);
// Gives back everything taken after the mark.
void carom_arena_rewind(carom_arena *arena, carom_arena_mark mark);

// The most bytes that were in use at one time, for reports.
size_t carom_arena_peak(const carom_arena *arena);

// The error every caller reports when carom_arena_take returned null.
carom_status carom_arena_exhausted(const carom_arena *arena, carom_error *err);

// Takes `count` items of the type `pointer` points to; leaves the calling function on failure.
#define TAKE(arena, pointer, count, err)                                                           \
    do {                                                                                           \
        (pointer) = carom_arena_take((arena), (size_t)(count), sizeof *(pointer));                 \
        if (!(pointer))                                                                            \
            return carom_arena_exhausted((arena), (err));                                          \
    } while (0)

#define TAKE_ZEROS(arena, pointer, count, err)                                                     \
    do {                                                                                           \
        (pointer) = carom_arena_zeros((arena), (size_t)(count), sizeof *(pointer));                \
        if (!(pointer))                                                                            \
            return carom_arena_exhausted((arena), (err));                                          \
    } while (0)

#endif

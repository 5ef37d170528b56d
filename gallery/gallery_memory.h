// Memory of an entry: taken piece by piece, given back in one go.
#ifndef CAROM_GALLERY_GALLERY_MEMORY_H
#define CAROM_GALLERY_GALLERY_MEMORY_H

#include <stddef.h>
#include "carom/status.h"

// Zero-initialise. The pieces are a list, the newest first.
typedef struct carom_gallery_memory {
    struct carom_gallery_piece *newest;
} carom_gallery_memory;

// Memory for `count` items of `size` bytes, filled with zeros; null where the system has none.
void *carom_gallery_memory_take(carom_gallery_memory *memory, size_t count, size_t size);
// Gives back what was taken after the mark, which is an earlier value of the memory; {0}: all.
void carom_gallery_memory_rewind(carom_gallery_memory *memory, carom_gallery_memory mark);

// Takes `count` items of the type `pointer` points to; leaves the calling function on failure.
#define TAKE(memory, pointer, count, err)                                                          \
    do {                                                                                           \
        (pointer) = carom_gallery_memory_take((memory), (size_t)(count), sizeof *(pointer));       \
        if (!(pointer))                                                                            \
            return carom_error_set((err), CAROM_NO_MEMORY, "no memory for this entry");            \
    } while (0)

// Leaves the calling function with the status of a failed call.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        carom_status try_status_ = (call);                                                         \
        if (try_status_ != CAROM_OK)                                                               \
            return try_status_;                                                                    \
    } while (0)

#endif

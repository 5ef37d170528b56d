// Memory of an entry, as a list of pieces.
#include "gallery/gallery_memory.h"

#include <stdint.h>
#include <stdlib.h>

struct carom_gallery_piece {
    struct carom_gallery_piece *older;
    _Alignas(max_align_t) unsigned char bytes[];
};

void *carom_gallery_memory_take(carom_gallery_memory *memory, size_t count, size_t size)
{
    struct carom_gallery_piece *piece = NULL;
    if (size == 0 || count <= (SIZE_MAX - sizeof *piece) / size)
        piece = calloc(1, sizeof *piece + count * size);
    if (!piece)
        return NULL;
    piece->older = memory->newest;
    memory->newest = piece;
    return piece->bytes;
}

void carom_gallery_memory_rewind(carom_gallery_memory *memory, carom_gallery_memory mark)
{
    while (memory->newest != mark.newest) {
        struct carom_gallery_piece *piece = memory->newest;
        memory->newest = piece->older;
        free(piece);
    }
}

// Scratch memory in blocks; see arena.h for the contract.
#define _DEFAULT_SOURCE // madvise
#include "base/arena.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include "base/memory.h"

enum { ALIGNMENT = 64, FIRST_BLOCK = 1 << 16, LARGE_PAGE = 1 << 21, LARGE_BLOCK = 1 << 22 };

typedef struct block {
    struct block *previous;
    struct block *next;
    size_t size, used;
    size_t base; // bytes in use in all earlier blocks when this one became current
    unsigned char *bytes;
} block;

struct carom_arena {
    block *first, *current;
    size_t limit, held, peak;
};

static block *block_create(carom_arena *arena, size_t size);
static void block_destroy(carom_arena *arena, block *one);
static void merge_when_empty(carom_arena *arena);

carom_arena *carom_arena_create(size_t limit)
{
    carom_arena *arena = carom_memory_zeros(1, sizeof *arena);
    if (arena)
        arena->limit = limit;
    return arena;
}

void carom_arena_destroy(carom_arena *arena)
{
    if (!arena)
        return;
    for (block *one = arena->first; one;) {
        block *next = one->next;
        block_destroy(arena, one);
        one = next;
    }
    carom_memory_free(arena);
}

void *carom_arena_take(carom_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 2) / size)
        return NULL;
    size_t need = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (need == 0)
        need = ALIGNMENT;
    while (!arena->current || arena->current->size - arena->current->used < need) {
        block *next = arena->current ? arena->current->next : arena->first;
        if (!next) {
            size_t grown = arena->held > need ? arena->held : need;
            next = block_create(arena, grown < FIRST_BLOCK ? FIRST_BLOCK : grown);
            if (!next)
                next = block_create(arena, need);
            if (!next)
                return NULL;
        }
        next->base = arena->current ? arena->current->base + arena->current->used : 0;
        next->used = 0;
        arena->current = next;
    }
    block *current = arena->current;
    void *memory = current->bytes + current->used;
    current->used += need;
    if (current->base + current->used > arena->peak)
        arena->peak = current->base + current->used;
    return memory;
}

void *carom_arena_zeros(carom_arena *arena, size_t count, size_t size)
{
    void *memory = carom_arena_take(arena, count, size);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

carom_arena_mark carom_arena_mark_here(const carom_arena *arena)
{
    return (carom_arena_mark){ arena->current, arena->current ? arena->current->used : 0 };
}

void carom_arena_rewind(carom_arena *arena, carom_arena_mark mark)
{
    arena->current = mark.block;
    if (arena->current)
        arena->current->used = mark.used;
    if (!arena->current || (arena->current == arena->first && mark.used == 0))
        merge_when_empty(arena);
}

size_t carom_arena_peak(const carom_arena *arena)
{
    return arena->peak;
}

carom_status carom_arena_exhausted(const carom_arena *arena, carom_error *err)
{
    if (arena->limit)
        carom_error_set(err, CAROM_NO_MEMORY,
                        "more than the limit of %zu bytes of scratch memory is needed",
                        arena->limit);
    else
        carom_error_set(err, CAROM_NO_MEMORY,
                        "the system has no memory left (%zu bytes of scratch held)", arena->held);
    return carom_error_fix(err, "use a smaller problem or a machine with more memory");
}

// Solvers jump about in large blocks; with small pages a jump beyond some megabytes also misses the
// processor's table of pages, which nearly doubles its cost. Only advice: a refusal changes
// nothing.
#ifdef MADV_HUGEPAGE
static void advise_large_pages(void *bytes, size_t size)
{
    if (size >= LARGE_BLOCK)
        (void)madvise(bytes, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
}
#else
static void advise_large_pages(void *bytes, size_t size)
{
    (void)bytes;
    (void)size;
}
#endif

static block *block_create(carom_arena *arena, size_t size)
{
    if (arena->limit && (arena->held > arena->limit || size > arena->limit - arena->held))
        return NULL;
    block *one = carom_memory_get(sizeof *one);
    if (!one)
        return NULL;
    size_t page = size < LARGE_BLOCK ? ALIGNMENT : LARGE_PAGE;
    one->bytes = carom_memory_aligned((size + page - 1) / page * page, page);
    if (!one->bytes) {
        carom_memory_free(one);
        return NULL;
    }
    advise_large_pages(one->bytes, size);
    one->size = size;
    one->used = one->base = 0;
    one->next = NULL;
    one->previous = arena->first;
    while (one->previous && one->previous->next)
        one->previous = one->previous->next;
    if (one->previous)
        one->previous->next = one;
    else
        arena->first = one;
    arena->held += size;
    return one;
}

static void block_destroy(carom_arena *arena, block *one)
{
    arena->held -= one->size;
    carom_memory_free(one->bytes);
    carom_memory_free(one);
}

// One block of the whole size serves the next round without a seam. If the system refuses the big
// block the small ones stay: correctness never depends on merging.
static void merge_when_empty(carom_arena *arena)
{
    if (!arena->first || !arena->first->next)
        return;
    size_t whole = arena->held;
    if (arena->limit && whole > arena->limit)
        return;
    for (block *one = arena->first; one;) {
        block *next = one->next;
        block_destroy(arena, one);
        one = next;
    }
    arena->first = arena->current = NULL;
    block_create(arena, whole);
}

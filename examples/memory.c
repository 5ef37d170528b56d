// A world whose memory comes from one block of the program, and how much of it was needed.
#include <stdio.h>
#include <string.h>
#include "carom/memory.h"
#include "carom/world.h"

// A stack of bytes: what is released last makes room again, the rest when all is over.
typedef struct pool {
    _Alignas(64) char bytes[16 << 20];
    size_t used, peak, largest;
} pool;

static void *allocate(void *context, size_t size, size_t alignment)
{
    pool *p = context;
    size_t align = alignment < 64 ? 64 : alignment,
           start = (p->used + 64 + align - 1) / align * align;
    if (start > sizeof p->bytes || size > sizeof p->bytes - start)
        return NULL; // Carom says CAROM_NO_MEMORY
    memcpy(p->bytes + start - sizeof size, &size, sizeof size);
    p->used = start + size;
    p->peak = p->used > p->peak ? p->used : p->peak;
    return p->bytes + start;
}

static void *resize(void *context, void *block, size_t size)
{
    void *grown = allocate(context, size, 64);
    size_t old = 0;
    if (grown && block) {
        memcpy(&old, (char *)block - sizeof old, sizeof old);
        memcpy(grown, block, old < size ? old : size);
    }
    return grown;
}

static void release(void *context, void *block)
{
    (void)context, (void)block; // all at once, with the pool
}

static pool memory;

int main(void)
{
    carom_error err = { 0 };
    carom_allocator allocator = { allocate, resize, release, &memory };
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *ball;
    carom_body body = carom_world_body_default();
    if (carom_memory_use(&allocator, &err) != CAROM_OK)
        return printf("%s. Fix: %s\n", err.what, err.fix), 1;
    if (carom_world_create(&options, &world, &err) != CAROM_OK ||
        carom_sphere_create(0.04, &ball, &err) != CAROM_OK)
        return printf("%s\n", err.what), 1;
    body.shape = ball;
    for (int i = 0; i < 100; ++i) {
        body.position[0] = 0.1 * i;
        if (carom_world_add_body(world, &body, NULL, &err) != CAROM_OK)
            return printf("%s\n", err.what), 1;
    }
    for (int i = 0; i < 10; ++i)
        if (carom_world_step(world, 0.01, &err) != CAROM_OK)
            return printf("%s\n", err.what), 1;
    printf("100 balls took %.1f MB of the program's own\n", (double)memory.peak / 1e6);
    carom_world_destroy(world);
    carom_shape_release(ball);
    return carom_memory_blocks() != 0;
}

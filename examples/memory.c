// A world whose memory comes through functions of the program, which count what is asked for.
#include <stdio.h>
#include <stdlib.h>
#include "carom/memory.h"
#include "carom/world.h"

typedef struct meter {
    size_t blocks, bytes;
} meter;

static void *allocate(void *context, size_t size, size_t alignment)
{
    meter *m = context;
    ++m->blocks;
    m->bytes += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void *resize(void *context, void *block, size_t size)
{
    ((meter *)context)->bytes += size;
    return realloc(block, size); // null: Carom says CAROM_NO_MEMORY
}

static void release(void *context, void *block)
{
    (void)context;
    free(block);
}

int main(void)
{
    carom_error err = { 0 };
    meter memory = { 0 };
    carom_allocator allocator = { allocate, resize, release, &memory };
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *ball;
    carom_body body = carom_world_body_default();
    if (carom_memory_use(&allocator, &err) != CAROM_OK ||
        carom_world_create(&options, &world, &err) != CAROM_OK ||
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
    printf("100 balls: %zu blocks, %.1f MB\n", memory.blocks, (double)memory.bytes / 1e6);
    carom_world_destroy(world);
    carom_shape_release(ball);
    return carom_memory_blocks() != 0;
}

// The arrays of a world with one entry per body: growing and freeing them by the lists of world.h.
#include <stdlib.h>
#include <string.h>
#include "world/world.h"

bool carom_world_grow(void **array, size_t count, size_t size)
{
    void *grown = realloc(*array, count * size);
    if (grown)
        *array = grown;
    return grown != NULL;
}

bool carom_world_bodies_grow(carom_world *world)
{
    if (world->count < world->capacity)
        return true;
    size_t n = world->capacity ? 2 * (size_t)world->capacity : 64;
    bool grown = true;
#define GROW(array, type) grown = grown && carom_world_grow((void **)&(array), n, sizeof(type));
#define GROW_STATE(type, name) GROW(world->now.name, type) GROW(world->saved.name, type)
#define GROW_BODY(type, name) GROW(world->name, type)
    CAROM_WORLD_STATE_ARRAYS(GROW_STATE)
    CAROM_WORLD_BODY_ARRAYS(GROW_BODY)
#undef GROW_BODY
#undef GROW_STATE
#undef GROW
    if (grown)
        world->capacity = (int)n;
    return grown;
}

void carom_world_bodies_state(const carom_world *world, int slot, double out[13])
{
    vec3_store(world->now.position[slot], out);
    memcpy(out + 3, &world->now.rotation[slot], 4 * sizeof *out);
    vec3_store(world->now.velocity[slot], out + 7);
    vec3_store(world->now.spin[slot], out + 10);
}

void carom_world_bodies_free(carom_world *world)
{
    for (int i = 0; i < world->count; ++i) {
        carom_shape_release(world->shape[i]);
        free(world->name[i]);
    }
#define FREE_STATE(type, name) free(world->now.name), free(world->saved.name);
#define FREE_BODY(type, name) free((void *)world->name);
    CAROM_WORLD_STATE_ARRAYS(FREE_STATE)
    CAROM_WORLD_BODY_ARRAYS(FREE_BODY)
#undef FREE_BODY
#undef FREE_STATE
}

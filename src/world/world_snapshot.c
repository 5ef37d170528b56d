// Snapshots: everything that changes in a run, as bytes. The same machine family reads it back; a
// version and the sizes at the front refuse anything else.
#include <string.h>
#include "world/ledger.h"
#include "world/world.h"

enum { SNAPSHOT_VERSION = 1 };

typedef struct head {
    uint32_t version, body_count, memory_count, ledger_size;
    double memory_interval;
} head;

static size_t state_size(const carom_world *world)
{
    return (size_t)world->count * (3 * sizeof(vec3) + sizeof(quat));
}

size_t carom_world_snapshot_size(const carom_world *world)
{
    return sizeof(head) + sizeof(carom_ledger) + state_size(world) +
           (size_t)world->memory_count * sizeof *world->memory;
}

static void put(unsigned char **at, const void *bytes, size_t size)
{
    if (size)
        memcpy(*at, bytes, size);
    *at += size;
}

static void take(const unsigned char **at, void *bytes, size_t size)
{
    if (size)
        memcpy(bytes, *at, size);
    *at += size;
}

void carom_world_snapshot(const carom_world *world, void *bytes)
{
    unsigned char *at = bytes;
    size_t n = (size_t)world->count;
    head h = { SNAPSHOT_VERSION, (uint32_t)world->count, (uint32_t)world->memory_count,
               (uint32_t)sizeof(carom_ledger), world->memory_interval };
    put(&at, &h, sizeof h);
    put(&at, &world->now.ledger, sizeof(carom_ledger));
    put(&at, world->now.position, n * sizeof(vec3));
    put(&at, world->now.rotation, n * sizeof(quat));
    put(&at, world->now.velocity, n * sizeof(vec3));
    put(&at, world->now.spin, n * sizeof(vec3));
    put(&at, world->memory, (size_t)world->memory_count * sizeof *world->memory);
}

carom_status carom_world_restore(carom_world *world, const void *bytes, size_t size,
                                 carom_error *err)
{
    const unsigned char *at = bytes;
    head h = { 0 };
    if (size >= sizeof h)
        take(&at, &h, sizeof h);
    size_t n = (size_t)world->count, wanted = sizeof h + sizeof(carom_ledger) + state_size(world) +
                                              (size_t)h.memory_count * sizeof *world->memory;
    if (h.version != SNAPSHOT_VERSION || h.ledger_size != sizeof(carom_ledger) ||
        h.body_count != n || size != wanted) {
        carom_error_set(
            err, CAROM_BAD_INPUT,
            "the checkpoint (version %u, %u bodies, %zu bytes) does not fit a world of %zu bodies",
            h.version, h.body_count, size, n);
        return carom_error_fix(err, "resume with the scene and the version of Carom that wrote it");
    }
    if (h.memory_count > (uint32_t)world->memory_capacity) {
        if (!carom_world_grow((void **)&world->memory, h.memory_count, sizeof *world->memory))
            return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %u resting contacts",
                                   h.memory_count);
        world->memory_capacity = (int)h.memory_count;
    }
    world->memory_count = (int)h.memory_count;
    world->memory_interval = h.memory_interval;
    take(&at, &world->now.ledger, sizeof(carom_ledger));
    take(&at, world->now.position, n * sizeof(vec3));
    take(&at, world->now.rotation, n * sizeof(quat));
    take(&at, world->now.velocity, n * sizeof(vec3));
    take(&at, world->now.spin, n * sizeof(vec3));
    take(&at, world->memory, (size_t)h.memory_count * sizeof *world->memory);
    return CAROM_OK;
}

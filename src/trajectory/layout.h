// How a trajectory file is laid out; see carom/trajectory.h.
#ifndef CAROM_TRAJECTORY_LAYOUT_H
#define CAROM_TRAJECTORY_LAYOUT_H

#include <stdint.h>
#include "base/hash.h"
#include "carom/trajectory.h"

#define CAROM_LAYOUT_MAGIC "CAROMTRJ"

typedef struct carom_layout_opening {
    char magic[8];
    uint32_t version, zero;
} carom_layout_opening;

typedef struct carom_layout_head {
    uint32_t kind;
    uint32_t number; // of the record in the file, from 0; version 1: always 0
    uint64_t size, checksum;
} carom_layout_head;

// The fixed front of a frame; 13 numbers per body follow.
typedef struct carom_layout_frame {
    int64_t step;
    double time;
    uint64_t hash;
    uint32_t body_count, ledger_size;
} carom_layout_frame;

// The fixed front of a list of contacts; `count` carom_world_contact follow.
typedef struct carom_layout_contacts {
    int64_t step;
    double time;
    uint64_t count;
} carom_layout_contacts;

// The fixed front of a mesh; the name (padded to 8 bytes), the vertices (3 doubles each) and the
// triangles (3 int32 each) follow.
typedef struct carom_layout_mesh {
    double scale;
    uint32_t name_size, vertex_count, triangle_count, zero;
} carom_layout_mesh;

static inline uint64_t carom_layout_padded(uint64_t size)
{
    return (size + 7) / 8 * 8;
}

// Version 1 did not number its records.
static inline uint64_t carom_layout_checksum(uint32_t version, const carom_layout_head *head,
                                             const void *payload)
{
    uint64_t hash = carom_hash_bytes(CAROM_HASH_START, &head->kind, sizeof head->kind);
    if (version > 1)
        hash = carom_hash_bytes(hash, &head->number, sizeof head->number);
    hash = carom_hash_bytes(hash, &head->size, sizeof head->size);
    return carom_hash_bytes(hash, payload, head->size);
}

#endif

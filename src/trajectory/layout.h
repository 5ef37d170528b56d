// How a trajectory file is laid out (see carom/trajectory.h): the fixed parts of the file, read and
// written byte by byte, so that no struct of the interface is the file's.
#ifndef CAROM_TRAJECTORY_LAYOUT_H
#define CAROM_TRAJECTORY_LAYOUT_H

#include <stddef.h>
#include <stdint.h>
#include "carom/trajectory.h"

#define CAROM_LAYOUT_MAGIC "CAROMTRJ"

// Bytes of the fixed parts.
enum {
    CAROM_LAYOUT_OPENING = 16,
    CAROM_LAYOUT_HEAD = 24,
    CAROM_LAYOUT_FRAME = 32,
    CAROM_LAYOUT_CONTACTS = 24,
    CAROM_LAYOUT_CONTACT = 144,
    CAROM_LAYOUT_OLD_CONTACT = 96, // before version 3: without what follows the impulse
    CAROM_LAYOUT_MESH = 24,
    CAROM_LAYOUT_BODY = 8 * CAROM_FRAME_STRIDE,
};

// The opening of a file: magic, u32 version, u32 zero.
void carom_layout_put_opening(unsigned char *out, uint32_t version);
// Its version; 0 where it is not that of a trajectory.
uint32_t carom_layout_get_opening(const unsigned char *bytes);

// The head of a record: u32 kind, u32 number, u64 size, u64 checksum.
typedef struct carom_layout_head {
    uint32_t kind;
    uint32_t number; // of the record in the file, from 0; version 1: always 0
    uint64_t size, checksum;
} carom_layout_head;

// Writes the head with the checksum of what it says and of the payload.
void carom_layout_put_head(unsigned char *out, uint32_t version, const carom_layout_head *head,
                           const void *payload);
carom_layout_head carom_layout_get_head(const unsigned char *bytes);
uint64_t carom_layout_checksum(uint32_t version, const carom_layout_head *head,
                               const void *payload);

// The front of a frame: i64 step, f64 time, u64 hash, u32 bodies, u32 bytes of the ledger; the
// ledger and CAROM_FRAME_STRIDE f64 per body follow.
typedef struct carom_layout_frame {
    int64_t step;
    double time;
    uint64_t hash;
    uint32_t body_count, ledger_size;
} carom_layout_frame;

void carom_layout_put_frame(unsigned char *out, const carom_layout_frame *frame);
carom_layout_frame carom_layout_get_frame(const unsigned char *bytes);

// The front of a list of contacts: i64 step, f64 time, u64 count. A contact: i32 a, b and impact,
// u32 zero, f64 time, 3 f64 point, normal and impulse; since version 3 f64 gap, 3 f64 slip, f64
// duration and loss.
typedef struct carom_layout_contacts {
    int64_t step;
    double time;
    uint64_t count;
} carom_layout_contacts;

void carom_layout_put_contacts(unsigned char *out, const carom_layout_contacts *contacts);
carom_layout_contacts carom_layout_get_contacts(const unsigned char *bytes);
void carom_layout_put_contact(unsigned char *out, const carom_world_contact *contact);
carom_world_contact carom_layout_get_contact(const unsigned char *bytes, size_t size);

// The front of a mesh: f64 scale, u32 bytes of the name, vertices, triangles, zero; the name (zeros
// up to a multiple of 8), 3 f64 per vertex and 3 i32 per triangle follow.
typedef struct carom_layout_mesh {
    double scale;
    uint32_t name_size, vertex_count, triangle_count;
} carom_layout_mesh;

void carom_layout_put_mesh(unsigned char *out, const carom_layout_mesh *mesh);
carom_layout_mesh carom_layout_get_mesh(const unsigned char *bytes);

static inline uint64_t carom_layout_padded(uint64_t size)
{
    return (size + 7) / 8 * 8;
}

#endif

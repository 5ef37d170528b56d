// The fixed parts of a trajectory file as bytes, little endian, in the order that layout.h says.
//
// States of bodies, vertices and triangles come by the million: a reader uses them where they stand
// in the mapped file. That needs a machine whose numbers are little endian, too.
#include "trajectory/layout.h"

#include <string.h>
#include "base/bytes.h"
#include "base/hash.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "trajectories are read in place: Carom needs a little-endian machine"
#endif

void carom_layout_put_opening(unsigned char *out, uint32_t version)
{
    memcpy(out, CAROM_LAYOUT_MAGIC, 8);
    out += 8;
    carom_bytes_put_u32(&out, version);
    carom_bytes_put_u32(&out, 0);
}

uint32_t carom_layout_get_opening(const unsigned char *bytes)
{
    const unsigned char *at = bytes + 8;
    uint32_t version = carom_bytes_get_u32(&at), zero = carom_bytes_get_u32(&at);
    return memcmp(bytes, CAROM_LAYOUT_MAGIC, 8) == 0 && zero == 0 ? version : 0;
}

#define RECORD(kind, member) CAROM_BYTES(kind, carom_layout_head, member)
static const carom_bytes_field head_fields[] = {
    RECORD(I32, kind), RECORD(I32, number), RECORD(I64, size), RECORD(I64, checksum), { 0 },
};
#undef RECORD

// Version 1 did not number its records.
uint64_t carom_layout_checksum(uint32_t version, const carom_layout_head *head, const void *payload)
{
    unsigned char bytes[CAROM_LAYOUT_HEAD], *at = bytes; // kind, number and size count
    carom_bytes_put(head_fields, head, &at);
    uint64_t hash = carom_hash_bytes(CAROM_HASH_START, bytes, version > 1 ? 8 : 4);
    hash = carom_hash_bytes(hash, bytes + 8, 8);
    return carom_hash_bytes(hash, payload, head->size);
}

void carom_layout_put_head(unsigned char *out, uint32_t version, const carom_layout_head *head,
                           const void *payload)
{
    carom_layout_head sealed = *head;
    sealed.checksum = carom_layout_checksum(version, head, payload);
    carom_bytes_put(head_fields, &sealed, &out);
}

carom_layout_head carom_layout_get_head(const unsigned char *bytes)
{
    carom_layout_head head;
    carom_bytes_get(head_fields, &head, &bytes);
    return head;
}

#define RECORD(kind, member) CAROM_BYTES(kind, carom_layout_frame, member)
static const carom_bytes_field frame_fields[] = {
    RECORD(I64, step),       RECORD(F64, time),        RECORD(I64, hash),
    RECORD(I32, body_count), RECORD(I32, ledger_size), { 0 },
};
#undef RECORD
#define RECORD(kind, member) CAROM_BYTES(kind, carom_layout_contacts, member)
static const carom_bytes_field contacts_fields[] = {
    RECORD(I64, step),
    RECORD(F64, time),
    RECORD(I64, count),
    { 0 },
};
#undef RECORD
#define RECORD(kind, member) CAROM_BYTES(kind, carom_world_contact, member)
#define OLD_CONTACT                                                                                \
    RECORD(I32, a), RECORD(I32, b), RECORD(I32, impact), { CAROM_BYTES_ZERO, 0, 1 },               \
        RECORD(F64, time), RECORD(F64, point), RECORD(F64, normal), RECORD(F64, impulse)
static const carom_bytes_field old_contact_fields[] = { OLD_CONTACT, { 0 } };
static const carom_bytes_field contact_fields[] = {
    OLD_CONTACT,           RECORD(F64, gap),  RECORD(F64, slip),
    RECORD(F64, duration), RECORD(F64, loss), { 0 },
};
#undef RECORD
#define RECORD(kind, member) CAROM_BYTES(kind, carom_layout_mesh, member)
static const carom_bytes_field mesh_fields[] = {
    RECORD(F64, scale),          RECORD(I32, name_size),     RECORD(I32, vertex_count),
    RECORD(I32, triangle_count), { CAROM_BYTES_ZERO, 0, 1 }, { 0 },
};
#undef RECORD

void carom_layout_put_frame(unsigned char *out, const carom_layout_frame *frame)
{
    carom_bytes_put(frame_fields, frame, &out);
}

carom_layout_frame carom_layout_get_frame(const unsigned char *bytes)
{
    carom_layout_frame frame;
    carom_bytes_get(frame_fields, &frame, &bytes);
    return frame;
}

void carom_layout_put_contacts(unsigned char *out, const carom_layout_contacts *contacts)
{
    carom_bytes_put(contacts_fields, contacts, &out);
}

carom_layout_contacts carom_layout_get_contacts(const unsigned char *bytes)
{
    carom_layout_contacts contacts;
    carom_bytes_get(contacts_fields, &contacts, &bytes);
    return contacts;
}

void carom_layout_put_contact(unsigned char *out, const carom_world_contact *contact)
{
    carom_bytes_put(contact_fields, contact, &out);
}

carom_world_contact carom_layout_get_contact(const unsigned char *bytes, size_t size)
{
    carom_world_contact contact = { 0 };
    const carom_bytes_field *fields =
        size < CAROM_LAYOUT_CONTACT ? old_contact_fields : contact_fields;
    carom_bytes_get(fields, &contact, &bytes);
    return contact;
}

void carom_layout_put_mesh(unsigned char *out, const carom_layout_mesh *mesh)
{
    carom_bytes_put(mesh_fields, mesh, &out);
}

carom_layout_mesh carom_layout_get_mesh(const unsigned char *bytes)
{
    carom_layout_mesh mesh;
    carom_bytes_get(mesh_fields, &mesh, &bytes);
    return mesh;
}

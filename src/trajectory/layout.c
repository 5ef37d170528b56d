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

// Kind, number and size: what the checksum covers of the head.
static void put_front(unsigned char *out, const carom_layout_head *head)
{
    carom_bytes_put_u32(&out, head->kind);
    carom_bytes_put_u32(&out, head->number);
    carom_bytes_put_u64(&out, head->size);
}

// Version 1 did not number its records.
uint64_t carom_layout_checksum(uint32_t version, const carom_layout_head *head, const void *payload)
{
    unsigned char front[CAROM_LAYOUT_HEAD - 8];
    put_front(front, head);
    uint64_t hash = carom_hash_bytes(CAROM_HASH_START, front, version > 1 ? 8 : 4);
    hash = carom_hash_bytes(hash, front + 8, 8);
    return carom_hash_bytes(hash, payload, head->size);
}

void carom_layout_put_head(unsigned char *out, uint32_t version, const carom_layout_head *head,
                           const void *payload)
{
    put_front(out, head);
    out += CAROM_LAYOUT_HEAD - 8;
    carom_bytes_put_u64(&out, carom_layout_checksum(version, head, payload));
}

carom_layout_head carom_layout_get_head(const unsigned char *bytes)
{
    carom_layout_head head;
    head.kind = carom_bytes_get_u32(&bytes);
    head.number = carom_bytes_get_u32(&bytes);
    head.size = carom_bytes_get_u64(&bytes);
    head.checksum = carom_bytes_get_u64(&bytes);
    return head;
}

void carom_layout_put_frame(unsigned char *out, const carom_layout_frame *frame)
{
    carom_bytes_put_u64(&out, (uint64_t)frame->step);
    carom_bytes_put_f64(&out, frame->time);
    carom_bytes_put_u64(&out, frame->hash);
    carom_bytes_put_u32(&out, frame->body_count);
    carom_bytes_put_u32(&out, frame->ledger_size);
}

carom_layout_frame carom_layout_get_frame(const unsigned char *bytes)
{
    carom_layout_frame frame;
    frame.step = (int64_t)carom_bytes_get_u64(&bytes);
    frame.time = carom_bytes_get_f64(&bytes);
    frame.hash = carom_bytes_get_u64(&bytes);
    frame.body_count = carom_bytes_get_u32(&bytes);
    frame.ledger_size = carom_bytes_get_u32(&bytes);
    return frame;
}

void carom_layout_put_contacts(unsigned char *out, const carom_layout_contacts *contacts)
{
    carom_bytes_put_u64(&out, (uint64_t)contacts->step);
    carom_bytes_put_f64(&out, contacts->time);
    carom_bytes_put_u64(&out, contacts->count);
}

carom_layout_contacts carom_layout_get_contacts(const unsigned char *bytes)
{
    carom_layout_contacts contacts;
    contacts.step = (int64_t)carom_bytes_get_u64(&bytes);
    contacts.time = carom_bytes_get_f64(&bytes);
    contacts.count = carom_bytes_get_u64(&bytes);
    return contacts;
}

void carom_layout_put_contact(unsigned char *out, const carom_world_contact *contact)
{
    carom_bytes_put_u32(&out, (uint32_t)contact->a);
    carom_bytes_put_u32(&out, (uint32_t)contact->b);
    carom_bytes_put_u32(&out, (uint32_t)contact->impact);
    carom_bytes_put_u32(&out, 0);
    carom_bytes_put_f64(&out, contact->time);
    carom_bytes_put_f64s(&out, contact->point, 3);
    carom_bytes_put_f64s(&out, contact->normal, 3);
    carom_bytes_put_f64s(&out, contact->impulse, 3);
    carom_bytes_put_f64(&out, contact->gap);
    carom_bytes_put_f64s(&out, contact->slip, 3);
    carom_bytes_put_f64(&out, contact->duration);
    carom_bytes_put_f64(&out, contact->loss);
}

carom_world_contact carom_layout_get_contact(const unsigned char *bytes, size_t size)
{
    carom_world_contact contact = { 0 };
    contact.a = (int)carom_bytes_get_u32(&bytes);
    contact.b = (int)carom_bytes_get_u32(&bytes);
    contact.impact = (int)carom_bytes_get_u32(&bytes);
    bytes += 4;
    contact.time = carom_bytes_get_f64(&bytes);
    carom_bytes_get_f64s(&bytes, contact.point, 3);
    carom_bytes_get_f64s(&bytes, contact.normal, 3);
    carom_bytes_get_f64s(&bytes, contact.impulse, 3);
    if (size < CAROM_LAYOUT_CONTACT)
        return contact;
    contact.gap = carom_bytes_get_f64(&bytes);
    carom_bytes_get_f64s(&bytes, contact.slip, 3);
    contact.duration = carom_bytes_get_f64(&bytes);
    contact.loss = carom_bytes_get_f64(&bytes);
    return contact;
}

void carom_layout_put_mesh(unsigned char *out, const carom_layout_mesh *mesh)
{
    carom_bytes_put_f64(&out, mesh->scale);
    carom_bytes_put_u32(&out, mesh->name_size);
    carom_bytes_put_u32(&out, mesh->vertex_count);
    carom_bytes_put_u32(&out, mesh->triangle_count);
    carom_bytes_put_u32(&out, 0);
}

carom_layout_mesh carom_layout_get_mesh(const unsigned char *bytes)
{
    carom_layout_mesh mesh;
    mesh.scale = carom_bytes_get_f64(&bytes);
    mesh.name_size = carom_bytes_get_u32(&bytes);
    mesh.vertex_count = carom_bytes_get_u32(&bytes);
    mesh.triangle_count = carom_bytes_get_u32(&bytes);
    return mesh;
}

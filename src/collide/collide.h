// Who touches whom: from bodies to contacts.
//
// Two stages that can be called apart. The broad phase (broad.h) lists pairs of bodies whose bounds
// come near; the narrow phase (narrow.h) turns a pair into contacts. carom_collide_find does both
// for a whole world, in parallel, into memory that is kept from call to call: once the largest
// scene has been seen nothing is allocated any more.
//
// What a caller may rely on:
// - contacts are sorted by (a, b), a < b, and within a pair by the order the manifold came out;
// - the same input gives the same bits with any number of threads;
// - swapping two bodies of a pair gives the same contacts with the normal turned round (same bits);
// - rotating the scene rotates the contacts, to round-off;
// - a contact is reported when its gap is at most margin + reach[a] + reach[b].
#ifndef CAROM_COLLIDE_COLLIDE_H
#define CAROM_COLLIDE_COLLIDE_H

#include <stddef.h>
#include <stdint.h>
#include "base/progress.h"
#include "base/shared.h"
#include "math/period.h"
#include "shape/shape.h"

typedef struct carom_contact {
    int a, b;         // bodies, a < b
    vec3 point;       // m, world: half way between the two surfaces; in a periodic box at a, whose
                      // partner is the nearest image of b
    vec3 normal;      // unit, from a to b
    double gap;       // m, along the normal; negative = overlap
    uint64_t feature; // which features touch: stable from step to step, for warm starting; unique
                      // within a pair except for accidental collisions between parts of compounds
} carom_contact;

typedef struct carom_body_pair {
    int a, b; // a < b
} carom_body_pair;

// The state collision needs, as arrays owned by the caller.
typedef struct carom_collide_bodies {
    int count;
    const carom_shape *const *shape;
    const vec3 *position; // centre of mass, m
    const quat *rotation; // unit, shape frame to world
    const unsigned char
        *fixed;          // null, or nonzero for bodies that never touch each other (immovable ones)
    const double *reach; // null, or how far a body may move during the coming step, m
    const double *turning;       // null, or how much of that its turning may give, m
    double margin;               // contacts are wanted up to this gap, m
    int threads;                 // 0: as many as the system offers; small scenes always take one
    carom_progress_stop *stop;   // null, or who may stop the search for contacts
    const unsigned char *absent; // null, or nonzero for bodies that no pair is looked for
    const float *skin;           // null, or by how much its bounds are to be wider, m
    const carom_period *period;  // null, or the box that repeats itself
    size_t most_pairs;           // 0, or the search, by one thread, ends at about so many
} carom_collide_bodies;

// From b to the image of it that a touches; planes have none. Null: no box repeats itself.
static inline vec3 carom_collide_shift(const carom_period *period, const carom_shape *a,
                                       const carom_shape *b, vec3 at_a, vec3 at_b)
{
    if (!period || a->kind == CAROM_SHAPE_PLANE || b->kind == CAROM_SHAPE_PLANE)
        return vec3_make(0, 0, 0);
    return carom_period_shift(period, at_a, at_b);
}

// Waking a second thread costs more than the collisions of a small scene.
enum { CAROM_COLLIDE_ALONE = 256 };

// Threads to use for this scene.
int carom_collide_threads(const carom_collide_bodies *bodies);

typedef struct carom_collide carom_collide;

CAROM_SHARED carom_status carom_collide_create(carom_collide **out, carom_error *err);
CAROM_SHARED void carom_collide_destroy(carom_collide *collide);

// Both stages. The lists stay valid until the next call with the same collide.
CAROM_SHARED carom_status carom_collide_find(carom_collide *collide,
                                             const carom_collide_bodies *bodies, carom_error *err);
// The stages apart: a caller may drop pairs (joints, groups) by shrinking the list in place.
CAROM_SHARED carom_status carom_collide_pairs(carom_collide *collide,
                                              const carom_collide_bodies *bodies,
                                              carom_body_pair **pairs, int *count,
                                              carom_error *err);
CAROM_SHARED carom_status carom_collide_contacts(carom_collide *collide,
                                                 const carom_collide_bodies *bodies,
                                                 const carom_body_pair *pairs, int count,
                                                 carom_error *err);

CAROM_SHARED const carom_contact *carom_collide_list(const carom_collide *collide, int *count);
// Bytes held, for reports and tests that nothing grows.
size_t carom_collide_bytes(const carom_collide *collide);

#endif

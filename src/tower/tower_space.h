// The inside of a tower in space, shared by the files tower_space*.c only.
#ifndef CAROM_TOWER_SPACE_INSIDE_H
#define CAROM_TOWER_SPACE_INSIDE_H

#include "carom/tower_space.h"
#include "base/arena.h"
#include "base/error.h"
#include "math/vec.h"
#include "solve/qp.h"

// Gaps up to this, in sizes, count as touching; see TOWER_TOUCHING.
#define TOWER_SPACE_TOUCHING 1e-9

typedef struct space_body {
    char *name;
    double mass;
    vec3 centre;
    sym3 inertia; // world axes
    bool fixed;
    int group;
    int block; // of its translation; its turn is the next one; -1 when fixed
} space_body;

typedef struct space_piece {
    int body;
    int corner_count, face_count;
    vec3 *corners;
    int *first, *loop;
    vec3 *normals;   // of each face, outward, unit
    double *offsets; // normal . x = offset on the face
    vec3 low, high;  // bounds
} space_piece;

typedef struct space_half {
    int body;
    vec3 point, normal; // the half space behind
} space_half;

typedef struct space_contact {
    int a, b;
    vec3 point, normal; // from a to b
} space_contact;

typedef struct space_contacts {
    int count, room;
    space_contact *item;
} space_contacts;

struct carom_tower_space {
    vec3 gravity;
    double size; // largest extent of any movable body
    int body_count, piece_count, half_count, block_count;
    space_body *bodies;
    space_piece *pieces;
    space_half *halves;
    space_contacts given;
};

// All contacts at rest: the given ones and those of polyhedra and half spaces. Release the list
// with free() also after a failure.
carom_status carom_tower_space_contact_find(const carom_tower_space *tower, space_contacts *out,
                                            carom_error *err);
// Appends to a list.
carom_status carom_tower_space_append(space_contacts *list, space_contact contact,
                                      carom_error *err);

#endif

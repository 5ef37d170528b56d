// Seeded families of impacts: every problem is a pure function of its number.
#ifndef CAROM_TESTS_FAMILIES_H
#define CAROM_TESTS_FAMILIES_H

#include <stdint.h>
#include "support/instant.h"

enum { FAMILY_BODIES = 64 }; // no problem has more

// Geometry of the instant.
#define FAMILY_LIST(X)                                                                             \
    X(CHAIN, "chain of 2 to 10 balls, any velocities")                                             \
    X(CRADLE, "chain of unequal balls at rest, hit by one or two")                                 \
    X(TREE, "spheres in space, each touching one before it")                                       \
    X(LATTICE, "spheres on a close-packed lattice, with loops of contacts")                        \
    X(BREAK, "a resting lattice cluster hit by one sphere")                                        \
    X(BOX, "a box on a floor: face, edge, half a face; any velocity and spin")                     \
    X(STACK, "two or three boxes on a floor, hit by a ball")                                       \
    X(WEDGE, "a ball between two fixed planes")                                                    \
    X(RING, "3 to 8 balls on a circle, moving inward")

typedef enum family_kind {
#define FAMILY_VALUE(name, words) FAMILY_##name,
    FAMILY_LIST(FAMILY_VALUE)
#undef FAMILY_VALUE
        FAMILY_COUNT
} family_kind;

typedef enum family_masses { MASSES_EQUAL, MASSES_MILD, MASSES_EXTREME } family_masses;

// How a problem was made; what may be asked of a law depends on it.
typedef struct family_problem {
    uint64_t number;
    family_kind kind;
    family_masses masses; // equal, 1/5 .. 5, or 1e-6 .. 1e6
    bool one_restitution; // the same at all contacts
    double restitution;   // of all, where it is one
    bool friction;        // some contact has friction, 0 to 2
    bool driven;          // some immovable body moves
} family_problem;

// Fills the scene with problem `number`.
family_problem family_make(instant *s, uint64_t number);
const char *family_words(family_kind kind);

// Fills the scene with problem `number` of those that ask for restitution: two bodies of any
// inertia at a single contact with friction 0 to 2 and restitution 0 to 1, one of them sometimes
// immovable; and, every fourth, a box on a floor, a ball in a groove or a stack without restitution
// but with friction, sliding faster than it falls.
void family_restitution(instant *s, uint64_t number);

#endif

// The symmetry of a body, applied alike in baking and in lookup [Bounce, section 6].
#ifndef CAROM_BOUNCE_BOUNCE_SYMMETRY_H
#define CAROM_BOUNCE_BOUNCE_SYMMETRY_H

#include "bounce/bounce.h"
#include "carom/bounce_map.h"
#include "math/vec.h"
#include "shape/mesh.h"

enum { CAROM_BOUNCE_OPERATIONS = 48 };

// In the coordinates p = frame X an operation maps p to (sign[k] p[axis[k]])_k. A body of
// revolution about `turning` (0, 1, 2; -1: none) is turned into the half plane through the next
// axis instead, where `count` 2 says that the halves along the axis are alike.
typedef struct carom_bounce_symmetry {
    mat3 frame;
    int turning, count;
    signed char axis[CAROM_BOUNCE_OPERATIONS][3], sign[CAROM_BOUNCE_OPERATIONS][3];
    double blur; // m: positions closer than this are the same
} carom_bounce_symmetry;

// Looks for mirror planes, turns by half and quarter turns and revolution about the axes of the
// mesh and about its principal axes.
carom_bounce_symmetry carom_bounce_symmetry_find(const carom_shape *shape,
                                                 carom_bounce_symmetry_choice choice);
// Moves a point and a normal of the body to their representative.
void carom_bounce_symmetry_fold(const carom_bounce_symmetry *s, vec3 *point, vec3 *normal);

#endif

// The same instant seen differently: mirrored, rotated, renumbered. A law without preferred
// directions or numbers gives the same motion, seen the same way.
#ifndef CAROM_IMPACT_SYMMETRY_H
#define CAROM_IMPACT_SYMMETRY_H

#include <stdbool.h>
#include "base/random.h"
#include "carom/impact.h"
#include "math/vec.h"

// x' = Q x for positions, velocities and normals; spins also change sign where Q mirrors. Body i of
// the instant is body place[i] of the transformed one; contact k of the transformed one is contact
// origin[k].
typedef struct carom_symmetry {
    mat3 q;
    double handed; // det Q: 1 or -1
    int *place;    // of bodies
    int *origin;   // of contacts
    bool swap;     // every second contact of the result names its bodies the other way round
} carom_symmetry;

// The three ways; place and origin (body_count, contact_count entries) belong to the caller.
void carom_symmetry_mirror(carom_symmetry *symmetry, const carom_impact *impact,
                           carom_random *random);
void carom_symmetry_rotate(carom_symmetry *symmetry, const carom_impact *impact,
                           carom_random *random);
void carom_symmetry_renumber(carom_symmetry *symmetry, const carom_impact *impact);

// Writes the transformed instant into arrays of the same sizes.
void carom_symmetry_apply(const carom_symmetry *symmetry, const carom_impact *impact,
                          carom_impact_body *bodies, carom_impact_contact *contacts);

// The motion of body i of the instant, from results for the transformed one.
void carom_symmetry_restore(const carom_symmetry *symmetry, int i, const double (*velocities)[3],
                            const double (*spins)[3], vec3 *velocity, vec3 *spin);

#endif

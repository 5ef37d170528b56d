// Time of impact of two moving shapes.
#ifndef CAROM_COLLIDE_SWEEP_H
#define CAROM_COLLIDE_SWEEP_H

#include "collide/collide.h"

// A shape in free flight: straight line and constant spin.
typedef struct carom_sweep_body {
    const carom_shape *shape;
    vec3 position;
    quat rotation;
    vec3 velocity; // m/s
    vec3 spin;     // rad/s, world
} carom_sweep_body;

typedef enum carom_sweep_end {
    CAROM_SWEEP_MISS,    // no contact within the duration, or parting
    CAROM_SWEEP_HIT,     // first gap <= slop at `time`
    CAROM_SWEEP_TOUCHED, // within slop at the start and not known to part; time = 0
    CAROM_SWEEP_BUDGET,  // the iteration budget ended; free of contact up to `time`, unknown after
                         // it
} carom_sweep_end;

typedef struct carom_sweep_hit {
    carom_sweep_end end;
    double time; // s
    vec3 normal; // from a to b at that time
    double gap;  // m, at that time
    int steps;   // iterations used
} carom_sweep_hit;

// Spheres that meet spheres or planes: exact (quadratic or linear equation). All others:
// conservative advancement, which never steps past a contact. `slop` (m, > 0) is the gap that
// counts as contact.
carom_sweep_hit carom_sweep_find(const carom_sweep_body *a, const carom_sweep_body *b,
                                 double duration, double slop);

#endif

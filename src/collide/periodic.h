// Pairs in a periodic box: the broad phase with images.
#ifndef CAROM_COLLIDE_PERIODIC_H
#define CAROM_COLLIDE_PERIODIC_H

#include "collide/broad.h"

typedef struct carom_periodic {
    // as in carom_collide_bodies: all bodies in the box, then the images beside it
    const carom_shape **shape;
    vec3 *position;
    quat *rotation;
    unsigned char *fixed, *absent;
    double *reach;
    int *of; // per image: its body
    size_t room;
    carom_body_pair *pairs;
    size_t pair_room;
} carom_periodic;

void carom_periodic_free(carom_periodic *periodic);
size_t carom_periodic_bytes(const carom_periodic *periodic);
// As carom_broad_find, for bodies with a period: every pair once, whichever of its images are near.
carom_status carom_periodic_find(carom_periodic *periodic, carom_broad *broad,
                                 const carom_collide_bodies *bodies, carom_body_pair **pairs,
                                 int *count, carom_error *err);

#endif

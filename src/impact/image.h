// The same instant seen differently: mirrored, rotated, renumbered. A law without preferred
// directions or numbers gives the same motion, seen the same way.
#ifndef CAROM_IMPACT_IMAGE_H
#define CAROM_IMPACT_IMAGE_H

#include <stdbool.h>
#include "base/random.h"
#include "carom/impact.h"
#include "math/vec.h"

// x' = Q x for positions, velocities and normals; spins also change sign where Q mirrors. Body i of
// the instant is body place[i] of the image; contact k of the image is contact origin[k].
typedef struct carom_image {
    mat3 q;
    double handed; // det Q: 1 or -1
    int *place;    // of bodies
    int *origin;   // of contacts
    bool swap;     // every second contact of the image names its bodies the other way round
} carom_image;

// The three ways; place and origin (body_count, contact_count entries) belong to the caller.
void carom_image_mirror(carom_image *image, const carom_impact *impact, carom_random *random);
void carom_image_rotate(carom_image *image, const carom_impact *impact, carom_random *random);
void carom_image_renumber(carom_image *image, const carom_impact *impact);

// Writes the image of an instant into arrays of the same sizes.
void carom_image_apply(const carom_image *image, const carom_impact *impact,
                       carom_impact_body *bodies, carom_impact_contact *contacts);

// The motion of body i of the instant, from results for the image.
void carom_image_back(const carom_image *image, int i, const double (*velocities)[3],
                      const double (*spins)[3], vec3 *velocity, vec3 *spin);

#endif

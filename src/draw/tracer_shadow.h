// How much of a lamp reaches a point. Inside of tracer.c.
#ifndef CAROM_DRAW_TRACER_SHADOW_H
#define CAROM_DRAW_TRACER_SHADOW_H

#include "draw/tracer_hit.h"
#include "math/lanes.h"

// Four unit directions towards a lamp; their beam.
typedef struct carom_tracer_shadow {
    lanes3 direction;
    carom_bvh_beam beam;
} carom_tracer_shadow;

carom_tracer_shadow carom_tracer_shadow_make(const vec3 direction[LANES]);
// The share that gets through, of four rays. `before`: what stopped all four the last time it was
// asked, or -1; a guess that saves time and changes nothing.
double carom_tracer_shadow_share(const carom_tracer_scene *scene, const carom_tracer_shadow *shadow,
                                 vec3 origin, int *before);

#endif

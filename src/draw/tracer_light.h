// Light on surfaces. Inside of tracer.c.
#ifndef CAROM_DRAW_TRACER_LIGHT_H
#define CAROM_DRAW_TRACER_LIGHT_H

#include "draw/tracer_shadow.h"

enum { CAROM_TRACER_PATTERN = 16, CAROM_TRACER_RAYS = 4 };

typedef struct carom_tracer_light {
    const carom_tracer_scene *scene;
    carom_camera_frame frame;
    vec3 up;
    vec3 low, high, lines; // colours: background below and above, lines on planes
    double pixel;          // m per pixel, one metre away
    double skin;           // m: rays start this far above the surface
    carom_tracer_lamp lamps[CAROM_TRACER_LAMPS];
    int lamp_count;
    // Directions for shadow and sky rays, one set per pixel of a 4 x 4 block; all sets together
    // fill a lamp's disc and the sky evenly.
    carom_tracer_shadow shadows[CAROM_TRACER_LAMPS][CAROM_TRACER_PATTERN];
    vec3 dome[CAROM_TRACER_PATTERN][CAROM_TRACER_RAYS];
} carom_tracer_light;

// Where light falls: a point of a surface, and which set of rays asks.
typedef struct carom_tracer_place {
    vec3 point, normal;
    int set;
} carom_tracer_place;

void carom_tracer_light_prepare(carom_tracer_light *light, const carom_tracer_scene *scene,
                                const carom_image *image);
// The share of a lamp that reaches a place. `before`: see tracer_shadow.h; one per lamp.
double carom_tracer_light_lamp(const carom_tracer_light *light, int lamp,
                               const carom_tracer_place *at, int *before);
// The share of the sky, by so many rays.
double carom_tracer_light_sky(const carom_tracer_light *light, const carom_tracer_place *at,
                              int rays);
// The colour of a point; `seen`: shares of the sky and of each lamp.
vec3 carom_tracer_light_shade(const carom_tracer_light *light, const carom_tracer_hit *hit,
                              vec3 direction, const float *seen);
// What is behind everything.
vec3 carom_tracer_light_background(const carom_tracer_light *light, vec3 direction);

#endif

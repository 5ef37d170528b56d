// Light on surfaces. Inside of tracer.c.
#ifndef CAROM_DRAW_TRACER_LIGHT_H
#define CAROM_DRAW_TRACER_LIGHT_H

#include "draw/tracer_hit.h"

enum { CAROM_TRACER_PATTERN = 16, CAROM_TRACER_RAYS = 4 };

typedef struct carom_tracer_light {
    const carom_tracer_scene *scene;
    carom_camera_frame frame;
    vec3 sun, up;
    vec3 low, high, lines; // colours: background below and above, lines on planes
    double pixel;          // m per pixel, one metre away
    double skin;           // m: rays start this far above the surface
    // Directions for shadow and sky rays, one set per pixel of a 4 x 4 block; all sets together
    // fill the sun's disc and the sky evenly.
    double disc[CAROM_TRACER_PATTERN][CAROM_TRACER_RAYS][2];
    vec3 dome[CAROM_TRACER_PATTERN][CAROM_TRACER_RAYS];
} carom_tracer_light;

void carom_tracer_light_prepare(carom_tracer_light *light, const carom_tracer_scene *scene,
                                const carom_image *image);
// Shares of the sun and of the sky that reach a point, by so many rays of one set.
double carom_tracer_light_sun(const carom_tracer_light *light, vec3 point, vec3 normal, int set,
                              int rays);
double carom_tracer_light_sky(const carom_tracer_light *light, vec3 point, vec3 normal, int set,
                              int rays);
// The colour of a point; `seen`: shares of the sun and of the sky.
vec3 carom_tracer_light_shade(const carom_tracer_light *light, const carom_tracer_hit *hit,
                              vec3 direction, const double seen[2]);
// What is behind everything.
vec3 carom_tracer_light_background(const carom_tracer_light *light, vec3 direction);

#endif

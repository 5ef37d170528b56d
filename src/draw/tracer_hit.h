// Rays against a scene. Inside of tracer.c.
#ifndef CAROM_DRAW_TRACER_HIT_H
#define CAROM_DRAW_TRACER_HIT_H

#include "draw/tracer.h"

typedef struct carom_tracer_scene {
    const carom_tracer *tracer;
    carom_bvh bvh; // of the bounded items
    int *bounded;  // item of each entry
    int *planes;
    int plane_count;
} carom_tracer_scene;

typedef struct carom_tracer_hit {
    int item;    // -1: nothing
    int belt;    // on the lighter belt
    double far;  // m along the ray
    vec3 normal; // unit, towards the viewer
} carom_tracer_hit;

// Where the ray meets one item but a plane: it ends there, the normal comes out in the item's
// frame.
bool carom_tracer_hit_item(const carom_tracer_item *item, carom_ray *ray, vec3 *normal);
// Fills belt and normal of a hit from the normal in the item's frame.
void carom_tracer_hit_turn(const carom_tracer_item *item, vec3 direction, vec3 normal,
                           carom_tracer_hit *hit);
// Bounds of anything but a plane, world frame.
void carom_tracer_hit_box(const carom_tracer_item *item, carom_bvh_box *box);
carom_status carom_tracer_hit_prepare(const carom_tracer *tracer, carom_arena *arena,
                                      carom_tracer_scene *scene, carom_error *err);
carom_tracer_hit carom_tracer_hit_first(const carom_tracer_scene *scene, vec3 origin,
                                        vec3 direction);
// The distance to anything that throws full shadows, at most `max`; some hit will do where `any`.
double carom_tracer_hit_distance(const carom_tracer_scene *scene, vec3 origin, vec3 direction,
                                 double max, bool any);

#endif

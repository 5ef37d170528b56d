// What the camera sees through four places of a picture at once. Inside of tracer.c.
//
// Every item is listed in the tiles of 16 x 16 pixels that its box may cover, the nearest first, so
// that a ray asks a handful of items and no tree.
#ifndef CAROM_DRAW_TRACER_TILES_H
#define CAROM_DRAW_TRACER_TILES_H

#include "draw/tracer_hit.h"
#include "math/lanes.h"

enum { CAROM_TRACER_TILE = 16, CAROM_TRACER_LAYERS = 12 };

typedef struct carom_tracer_tiles_item carom_tracer_tiles_item;

typedef struct carom_tracer_tiles {
    const carom_tracer_scene *scene;
    carom_camera_frame frame;
    int width, height, across, down;
    int *first; // of each tile, into `item`; one more than tiles
    int *item;
    bool glass;                     // some item can be seen through
    carom_tracer_tiles_item *items; // as the camera needs them
} carom_tracer_tiles;

carom_status carom_tracer_tiles_prepare(const carom_tracer_scene *scene, const carom_image *image,
                                        carom_arena *arena, carom_tracer_tiles *out,
                                        carom_error *err);
// The direction through a place of the picture, px; one metre forward.
vec3 carom_tracer_tiles_direction(const carom_tracer_tiles *tiles, double x, double y);
// The tiles that an item may cover: from and to, across and down; none where to is smaller.
void carom_tracer_tiles_covered(const carom_tracer_tiles *tiles, int item, int out[4]);
// Whether a tile shows nothing but the background.
bool carom_tracer_tiles_empty(const carom_tracer_tiles *tiles, int x, int y);
// What four places that lie in one tile show first of what cannot be seen through.
void carom_tracer_tiles_look(const carom_tracer_tiles *tiles, const double x[LANES],
                             const double y[LANES], carom_tracer_hit out[LANES]);
// What can be seen through before the distance `far`, nearest first; their number.
int carom_tracer_tiles_glass(const carom_tracer_tiles *tiles, double x, double y, double far,
                             carom_tracer_hit out[CAROM_TRACER_LAYERS]);

#endif

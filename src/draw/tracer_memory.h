// The picture before, for videos: where nothing changed it stays as it was. Inside of tracer.c.
//
// A tile of 16 x 16 pixels stays where no item that moved is or was seen in it or beside it, can or
// could hold back its light, or is or was within the reach of its nooks. What is drawn is the same
// as without.
#ifndef CAROM_DRAW_TRACER_MEMORY_H
#define CAROM_DRAW_TRACER_MEMORY_H

#include "draw/tracer_light.h"
#include "draw/tracer_tiles.h"

struct carom_tracer_memory {
    carom_arena *arena;
    bool holds;          // a picture
    carom_tracer before; // without its items
    carom_image image;
    int shares;
    void *cells; // one per pixel, tracer.c
    float *sampled, *seen, *mean;
    carom_bvh_box *boxes; // of what each tile shows; min above max: nothing
    carom_tracer_item *items;
    int (*covered)[4]; // tiles of each
    int room;          // of items
};

// Room for this picture; keeps nothing of the one before where sizes differ.
carom_status carom_tracer_memory_fit(carom_tracer_memory *memory, const carom_image *image,
                                     size_t cell, int shares, carom_error *err);
// Which tiles are to be drawn anew: `dirty` has one for each.
void carom_tracer_memory_compare(const carom_tracer_memory *memory, const carom_tracer_tiles *tiles,
                                 const carom_tracer_light *light, bool *dirty);
// Keeps what the next picture is compared with.
carom_status carom_tracer_memory_keep(carom_tracer_memory *memory, const carom_tracer_tiles *tiles,
                                      carom_error *err);

#endif

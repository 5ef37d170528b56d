// A moment set up for the tracer: items, colours, camera. Inside of the picture exporters.
#ifndef CAROM_EXPORT_EXPORT_STAGE_H
#define CAROM_EXPORT_EXPORT_STAGE_H

#include "export/export_film.h"

// What stays the same over all pictures of a film.
typedef struct carom_export_stage {
    carom_export *film;
    carom_export_view view;
    carom_camera camera;
    carom_export_colour colour;          // never AUTO
    double middle[3], extent[3], radius; // m, of what has to be seen: box and its half diagonal
    double grid;                         // m
    double fastest, heaviest;            // m/s, kg
    const carom_progress *progress;
    double done, total; // pictures, for the progress
    uint64_t *hidden; // per body: parts that are left out, as they stand before most of the others
    int long_axis;
    double start_least, start_most; // m along the long axis
} carom_export_stage;

carom_status carom_export_stage_prepare(carom_export *film, const carom_export_view *view,
                                        carom_export_stage *stage, carom_error *err);
// Draws a moment into an image of any size; scratch memory is the film's.
carom_status carom_export_stage_draw(const carom_export_stage *stage, const carom_frame *frame,
                                     carom_image *image, carom_error *err);
// Draws a moment with its label (export_png.c).
carom_status carom_export_png_moment(const carom_export_stage *stage, int64_t moment,
                                     carom_image *image, carom_error *err);
// The colour of a body at a moment, as light.
vec3 carom_export_stage_colour(const carom_export_stage *stage, const carom_frame *frame, int body);

#endif

// A frame set up for the tracer: items, colours, camera. Inside of the picture exporters.
#ifndef CAROM_EXPORT_EXPORT_SETUP_H
#define CAROM_EXPORT_EXPORT_SETUP_H

#include "export/recording.h"

// What stays the same over all pictures of a recording.
typedef struct carom_export_setup {
    carom_recording *recording;
    carom_export_view view;
    carom_camera camera;
    carom_export_colour colour;          // never AUTO
    double middle[3], extent[3], radius; // m, of what has to be seen: box and its half diagonal
    double grid;                         // m
    double fastest, heaviest;            // m/s, kg
    struct carom_tracer_memory *memory;  // of pictures that follow each other; null: none
    const carom_progress *progress;
    double done, total; // pictures, for the progress
    uint64_t *hidden; // per body: parts that are left out, as they stand before most of the others
    int long_axis;
    double start_min, start_max; // m along the long axis
} carom_export_setup;

carom_status carom_export_setup_prepare(carom_recording *recording, const carom_export_view *view,
                                        carom_export_setup *setup, carom_error *err);
// Draws a frame into an image of any size; scratch memory is the recording's.
carom_status carom_export_setup_draw(const carom_export_setup *setup, const carom_frame *frame,
                                     carom_image *image, carom_error *err);
// Draws a frame with its label (export_png.c).
carom_status carom_export_png_frame(const carom_export_setup *setup, int64_t index,
                                    carom_image *image, carom_error *err);
// Finds the font of labels, once per recording; a font that was asked for has to be there.
carom_status carom_export_png_font(carom_recording *recording, const carom_export_view *view,
                                   carom_error *err);
// Its label alone.
void carom_export_png_label(const carom_export_setup *setup, const carom_frame *frame,
                            carom_image *image);
// How far motions may be off where keys are left out (m).
double carom_export_setup_tolerance(const carom_export_setup *setup);
// The colour of a body at a frame, as light.
vec3 carom_export_setup_colour(const carom_export_setup *setup, const carom_frame *frame, int body);

#endif

// The vibrated layers of [QCE, figure 9 and table 2]: their scenes and parameters.
#ifndef CAROM_GALLERY_QCE_LAYER_H
#define CAROM_GALLERY_QCE_LAYER_H

#include "carom/pattern.h"
#include "gallery/gallery_qce.h"
#include "gallery/gallery_world.h"

enum { CAROM_GALLERY_LAYERS = 3 };

typedef struct carom_gallery_layer {
    const char *word;
    const char *scene, *full; // of a size that shows the pattern, and of 60,000 grains
    carom_pattern_kind kind;
    double star, gamma;       // f* = f sqrt(H / g), Gamma = largest acceleration / g
    double period, amplitude; // s, m: of the floor
    int cycles;               // that the pattern needs
    int side;                 // grains along a side of `scene`
} carom_gallery_layer;

extern const carom_gallery_layer carom_gallery_qce_layers[CAROM_GALLERY_LAYERS];

// The path of a scene with `side` grains along a side; in a quick gallery of a copy with 16.
carom_status carom_gallery_qce_layer_scene(carom_gallery_result *result, const char *scene,
                                           int side, char *path, size_t size, carom_error *err);

#endif

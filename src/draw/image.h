// Pictures made of pixels: 8 bits of red, green and blue, row by row from the top.
#ifndef CAROM_DRAW_IMAGE_H
#define CAROM_DRAW_IMAGE_H

#include "base/arena.h"
#include "base/text.h"

enum { CAROM_IMAGE_MAX = 16384 }; // px, longest edge

typedef struct carom_image {
    int width, height;
    unsigned char *rgb;
} carom_image;

// Pixels from the arena, black.
carom_status carom_image_create(int width, int height, carom_arena *arena, carom_image *out,
                                carom_error *err);
void carom_image_fill(carom_image *image, const unsigned char rgb[3]);
// Copies a picture to a place inside a larger one; what reaches beyond the edge is left out.
void carom_image_paste(carom_image *image, const carom_image *part, int x, int y);
// How words look.
typedef struct carom_image_style {
    double height; // px, of capitals
    double halo;   // px: strokes are so much wider on each side
    unsigned char rgb[3];
} carom_image_style;

// Words with their upper left corner there, with soft edges. Returns the width in pixels.
int carom_image_text(carom_image *image, int x, int y, carom_image_style style, const char *words);
// Appends the picture as a PNG file. `level`: 1 quick to 9 small.
carom_status carom_image_png(const carom_image *image, int level, carom_text *out,
                             carom_error *err);

#endif

// Letters of a font in pictures. Where there is no font, image.h draws strokes of its own.
#ifndef CAROM_DRAW_FONT_H
#define CAROM_DRAW_FONT_H

#include "draw/image.h"

typedef struct carom_font carom_font;

// The font of a file (TrueType, OpenType), or, for null, the first sans serif of the places where
// systems keep theirs. Null where there is none, or none can be read.
carom_font *carom_font_open(const char *path);
void carom_font_close(carom_font *font); // null is allowed
// Whether this build reads fonts.
bool carom_font_reads(void);
// Words in UTF-8 with their upper left corner there; returns the width in pixels.
int carom_font_text(carom_font *font, carom_image *image, int x, int y, carom_image_style style,
                    const char *words);

#endif

// Colours as light (linear red, green, blue, 0 to 1) and as stored in files (sRGB).
#ifndef CAROM_DRAW_COLOUR_H
#define CAROM_DRAW_COLOUR_H

#include "math/vec.h"

// From the number one writes in web pages: 0xrrggbb.
vec3 carom_colour_hex(unsigned rgb);
// To 8 bits per channel, sRGB. Values above 1 are bent towards white instead of cut off.
void carom_colour_store(vec3 light, unsigned char rgb[3]);
// The same by tables, for pixels: fine steps of light up to where it is bent, coarser ones above;
// at most one in 255 off.
enum { CAROM_COLOUR_FINE = 13107, CAROM_COLOUR_COARSE = 4096 };
typedef struct carom_colour_table {
    unsigned char stored[CAROM_COLOUR_FINE + 1], bent[CAROM_COLOUR_COARSE + 1];
} carom_colour_table;
void carom_colour_table_make(carom_colour_table *table);
void carom_colour_table_store(const carom_colour_table *table, vec3 light, unsigned char rgb[3]);
// Bodies that should be told apart: Okabe and Ito's set, softened; repeats after 8.
vec3 carom_colour_series(int index);
// A scale of even steps for the eye, from dark blue over green to yellow, value 0 to 1.
vec3 carom_colour_scale(double value);
// A bit lighter or darker, by number, so that neighbours of one colour can be told apart.
vec3 carom_colour_vary(vec3 colour, int index);

#endif

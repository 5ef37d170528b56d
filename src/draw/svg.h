// SVG pictures: a canvas in pixels, y down, that reads well in print and on a dark page.
//
// Colours are named by role ("ink", "faint", "s0" ... "s7" for series, "hot", "cold"), never by
// value: one style sheet in the picture maps roles to colours for light and dark surroundings.
#ifndef CAROM_DRAW_SVG_H
#define CAROM_DRAW_SVG_H

#include "base/text.h"

enum { CAROM_SVG_SERIES = 8 };

typedef struct carom_svg {
    carom_text *text; // where the picture goes; owned by the caller
    double width, height;
} carom_svg;

// How a mark looks. Null roles mean: no stroke, no fill. Zero width means 1, zero opacity means 1.
typedef struct carom_svg_style {
    const char *stroke, *fill;
    double width;     // px
    double opacity;   // 0 to 1
    const char *dash; // SVG dash list, for instance "4 3"; null is solid
} carom_svg_style;

typedef struct carom_svg_words {
    double size;        // px, zero means 12
    const char *anchor; // "start", "middle", "end"; null is start
    const char *role;   // null is "ink"
    double angle;       // degrees clockwise about the anchor
    int bold;
} carom_svg_words;

// Starts and ends a picture on a background of its own. The title is for screen readers and
// tooltips.
carom_svg carom_svg_begin(carom_text *text, double width, double height, const char *title);
void carom_svg_end(carom_svg *svg);

void carom_svg_line(carom_svg *svg, const double from[2], const double to[2],
                    carom_svg_style style);
void carom_svg_circle(carom_svg *svg, const double centre[2], double radius, carom_svg_style style);
void carom_svg_box(carom_svg *svg, const double corner[2], const double size[2],
                   carom_svg_style style);
// `points` holds count pairs x, y.
void carom_svg_path(carom_svg *svg, const double *points, int count, carom_svg_style style);
void carom_svg_polygon(carom_svg *svg, const double *points, int count, carom_svg_style style);
// A line with a filled head; drawn as a dot where it is shorter than a pixel.
void carom_svg_arrow(carom_svg *svg, const double from[2], const double to[2],
                     carom_svg_style style);
void carom_svg_words_at(carom_svg *svg, const double at[2], carom_svg_words look,
                        const char *words);
// Everything until the end of the group is moved by the offset.
void carom_svg_group(carom_svg *svg, const double offset[2]);
void carom_svg_group_end(carom_svg *svg);

// The role of the i-th series: "s0" ... "s7", then again.
const char *carom_svg_series(int index);

#endif

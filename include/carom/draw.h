/// @file
/// Pictures, plots and pages: SVG that reads well in print and on a dark page, and HTML in one
/// file.
///
/// A picture is a canvas in pixels, y down, written into a carom_text. Colours are named by role
/// ("ink", "faint", "s0" ... "s7" for series, "hot", "cold"), never by value: one style sheet in
/// the picture maps roles to colours for light and dark surroundings.
#ifndef CAROM_DRAW_H
#define CAROM_DRAW_H

#include <stdbool.h>
#include "carom/status.h"
#include "carom/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- SVG pictures ---------------------------------------------------------------------------------

/// Roles of series before they repeat.
enum { CAROM_SVG_SERIES = 8 };

/// A picture in the making.
typedef struct carom_svg {
    carom_text *text;     ///< where the picture goes; owned by the caller
    double width, height; ///< px
} carom_svg;

/// How a mark looks. Null roles mean: no stroke, no fill. Zero width means 1, zero opacity means 1.
typedef struct carom_svg_style {
    const char *stroke, *fill; ///< roles of the line and of the area; an area that shows a value
                               ///< may have its colour, "#rrggbb" (carom_svg_ramp)
    double width;              ///< px
    double opacity;            ///< 0 to 1
    const char *dash;          ///< SVG dash list, for instance "4 3"; null is solid
} carom_svg_style;

/// How words look.
typedef struct carom_svg_text {
    double size;        ///< px, zero means 12
    const char *anchor; ///< "start", "middle", "end"; null is start
    const char *role;   ///< null is "ink"
    double angle;       ///< degrees clockwise about the anchor
    int bold;           ///< non-zero: bold
} carom_svg_text;

/// Starts and ends a picture on a background of its own. The title is for screen readers and
/// tooltips.
CAROM_API carom_svg carom_svg_begin(carom_text *text, double width, double height,
                                    const char *title);
/// The same for print: no background, light colours only, words in the given family (null: as
/// above).
CAROM_API carom_svg carom_svg_begin_for_print(carom_text *text, const double size[2],
                                              const char *font, const char *title);
/// Ends the picture.
CAROM_API void carom_svg_end(carom_svg *svg);

/// A straight line between two points (px).
CAROM_API void carom_svg_line(carom_svg *svg, const double from[2], const double to[2],
                              carom_svg_style style);
/// A circle (px).
CAROM_API void carom_svg_circle(carom_svg *svg, const double centre[2], double radius,
                                carom_svg_style style);
/// A box with its upper left corner there (px).
CAROM_API void carom_svg_box(carom_svg *svg, const double corner[2], const double size[2],
                             carom_svg_style style);
/// `points` holds count pairs x, y.
CAROM_API void carom_svg_path(carom_svg *svg, const double *points, int count,
                              carom_svg_style style);
/// The same, closed.
CAROM_API void carom_svg_polygon(carom_svg *svg, const double *points, int count,
                                 carom_svg_style style);
/// A line with a filled head; drawn as a dot where it is shorter than a pixel.
CAROM_API void carom_svg_arrow(carom_svg *svg, const double from[2], const double to[2],
                               carom_svg_style style);
/// Words whose anchor is at a point (px).
CAROM_API void carom_svg_text_at(carom_svg *svg, const double at[2], carom_svg_text look,
                                 const char *words);
/// Everything until the end of the group is moved by the offset.
CAROM_API void carom_svg_group(carom_svg *svg, const double offset[2]);
/// Ends the group begun last.
CAROM_API void carom_svg_group_end(carom_svg *svg);

/// The role of the i-th series: "s0" ... "s7", then again.
CAROM_API const char *carom_svg_series(int index);
/// A colour for a value from 0 to 1, as 0xrrggbb: evenly spaced for the eye, in order also in grey
/// and for colour-blind eyes (viridis, van der Walt and Smith 2015).
CAROM_API unsigned carom_svg_ramp(double value);

/// A picture made with the functions above as PDF for print: one page of its size (1 px is 0.75
/// pt), words in Helvetica, Times or Courier, which no file has to bring along. Appends bytes.
CAROM_API carom_status carom_pdf_make(const char *svg, carom_text *out, carom_error *err);

// -- plots: series over axes with units, ticks and a legend ---------------------------------------

/// How a series is drawn.
typedef enum carom_plot_kind {
    CAROM_PLOT_LINE, ///< points joined in order
    CAROM_PLOT_DOTS, ///< a dot at each point
    CAROM_PLOT_BARS, ///< from the axis to the value
} carom_plot_kind;

/// One series of a plot.
typedef struct carom_plot_series {
    const char *name;     ///< in the legend; null leaves it out
    const double *x, *y;  ///< its points; what is no finite number is left out
    int count;            ///< of points
    carom_plot_kind kind; ///< how it is drawn
    const char *role;     ///< null: by position
    const char *dash;     ///< of lines; dots that have one are hollow
    double width;         ///< px, zero means 1.6
} carom_plot_series;

/// One axis. Range: found from the data where min == max. A label without a unit says "(-)".
typedef struct carom_plot_axis {
    const char *label; ///< what is shown
    const char *unit;  ///< for instance "m/s"; null or "" means dimensionless
    double min, max;   ///< ends of the range
    bool log;          ///< base 10; values <= 0 are left out
    double fine; ///< a chosen range is at min so wide: less is round-off, drawn as a flat line
} carom_plot_axis;

/// A plot: axes, and series over them.
typedef struct carom_plot {
    const char *title;               ///< above the plot; may be null
    carom_plot_axis x, y;            ///< across and up
    const carom_plot_series *series; ///< what is drawn, the first undermost
    int count;                       ///< of series
    const char *const *names;  ///< words instead of numbers below x = 1, 2, ...; ended by a null
    double corner[2], size[2]; ///< px: the outer box, labels included
} carom_plot;

/// Draws it into a picture.
CAROM_API void carom_plot_draw(carom_svg *svg, const carom_plot *plot);

// -- pages: self-contained HTML, one file, no network, light and dark ------------------------

/// Starts a page with a heading and an introduction (plain words, may be null).
CAROM_API void carom_page_begin(carom_text *text, const char *title, const char *introduction);
/// A section heading with a paragraph below (may be null).
CAROM_API void carom_page_section(carom_text *text, const char *heading, const char *words);
/// A picture (an SVG made with carom_svg_*) with a caption.
CAROM_API void carom_page_picture(carom_text *text, const carom_text *svg, const char *caption);
/// A table, cells row by row; the first row is the heading. Numbers are set to the right.
CAROM_API void carom_page_table(carom_text *text, const char *const *cells, int rows, int columns);
/// Words set in a fixed-width font, kept as they are.
CAROM_API void carom_page_verbatim(carom_text *text, const char *words);
/// Ends the page.
CAROM_API void carom_page_end(carom_text *text);

#ifdef __cplusplus
}
#endif
#endif

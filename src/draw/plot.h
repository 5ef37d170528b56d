// Plots: series over axes with units, ticks and a legend, drawn into a box of a picture.
#ifndef CAROM_DRAW_PLOT_H
#define CAROM_DRAW_PLOT_H

#include <stdbool.h>
#include "draw/svg.h"

typedef enum carom_plot_kind {
    CAROM_PLOT_LINE,
    CAROM_PLOT_DOTS,
    CAROM_PLOT_BARS, // from the axis to the value
} carom_plot_kind;

typedef struct carom_plot_series {
    const char *name; // in the legend; null leaves it out
    const double *x, *y;
    int count;
    carom_plot_kind kind;
    const char *role; // null: by position
    const char *dash; // for lines
    double width;     // px, zero means 1.6
} carom_plot_series;

// One axis. Range: found from the data where least == most. A label without a unit says "(-)".
typedef struct carom_plot_axis {
    const char *label; // what is shown
    const char *unit;  // for instance "m/s"; null or "" means dimensionless
    double least, most;
    bool log; // base 10; values <= 0 are left out
} carom_plot_axis;

typedef struct carom_plot {
    const char *title;
    carom_plot_axis x, y;
    const carom_plot_series *series;
    int count;
    const char *const *names;  // words instead of numbers below x = 1, 2, ...; ended by a null
    double corner[2], size[2]; // px: the outer box, labels included
} carom_plot;

void carom_plot_draw(carom_svg *svg, const carom_plot *plot);

// Tick distance 1, 2 or 5 times a power of ten that gives about `wanted` ticks over the span.
double carom_plot_tick(double span, int wanted);

#endif

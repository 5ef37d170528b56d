// Plots: what other pictures use of them besides carom/draw.h.
#ifndef CAROM_DRAW_PLOT_H
#define CAROM_DRAW_PLOT_H

#include "draw/svg.h"

// Tick distance 1, 2 or 5 times a power of ten that gives about `wanted` ticks over the span.
double carom_plot_tick(double span, int wanted);
// Where a value lies between two others, 0 to 1; by its ratios to them on a logarithmic scale.
double carom_plot_share(double value, double low, double high, bool log);

#endif

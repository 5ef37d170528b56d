// What the two kinds of pictures of a bounce map share.
#ifndef CAROM_RECORD_BOUNCE_PICTURE_H
#define CAROM_RECORD_BOUNCE_PICTURE_H

#include "base/text.h"
#include "carom/bounce_map.h"

enum { CAROM_BOUNCE_PICTURE_STOPS = 11 };

// Colours from 0 to 1 that look evenly spaced and keep their order in grey and for colour-blind
// eyes (viridis, van der Walt and Smith 2015), as 0xrrggbb.
extern const unsigned carom_bounce_picture_ramp[CAROM_BOUNCE_PICTURE_STOPS];

// Histogram of epsilon, and epsilon over contact time, as one picture.
void carom_bounce_picture_plots(carom_text *text, const carom_bounce_map *map);
// Rows of figures for a page: cells row by row, heading first; returns rows, `columns` each.
int carom_bounce_picture_cells(const carom_bounce_map *map, char cells[][24], int columns);

#endif

// What pictures of a bounce map share.
#ifndef CAROM_PICTURES_BOUNCE_PICTURE_H
#define CAROM_PICTURES_BOUNCE_PICTURE_H

#include "carom/bounce_map.h"

enum { CAROM_BOUNCE_PICTURE_STOPS = 11 };

// Colours from 0 to 1 that look evenly spaced and keep their order in grey and for colour-blind
// eyes (viridis, van der Walt and Smith 2015), as 0xrrggbb.
extern const unsigned carom_bounce_picture_ramp[CAROM_BOUNCE_PICTURE_STOPS];

#endif

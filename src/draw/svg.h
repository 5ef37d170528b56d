// Inside name of a part of the public header.
#ifndef CAROM_DRAW_SVG_H
#define CAROM_DRAW_SVG_H

#include "base/text.h"
#include "carom/draw.h"

#endif

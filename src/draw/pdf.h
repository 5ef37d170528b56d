// Inside name of a part of the public header.
#ifndef CAROM_DRAW_PDF_H
#define CAROM_DRAW_PDF_H

#include "carom/draw.h"

#endif

// Letters and tools as outlines.
#ifndef CAROM_SHAPE_LETTER_H
#define CAROM_SHAPE_LETTER_H

#include "shape/outline.h"

// One of B O U N C E, `height` m high; false for any other letter. `pieces` per half circle.
bool carom_letter_outline(char letter, double height, int pieces, carom_outline *o);
// An open-ended wrench with a ring at its other end, `length` m long.
void carom_letter_wrench(double length, int pieces, carom_outline *o);
// A hockey stick whose shaft is `length` m long.
void carom_letter_hockey(double length, carom_outline *o);

#endif

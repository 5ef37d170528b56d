// The last digits of an axis that was found by support points.
#ifndef CAROM_COLLIDE_AXIS_REFINE_H
#define CAROM_COLLIDE_AXIS_REFINE_H

#include "collide/convex.h"

// For pairs with a cylinder: the normal, gap and witness points from the two features that meet.
void carom_axis_refine(const carom_core *a, const carom_core *b, carom_axis *axis);

#endif

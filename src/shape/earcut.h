// Triangles of a simple polygon.
#ifndef CAROM_SHAPE_EARCUT_H
#define CAROM_SHAPE_EARCUT_H

#include "base/error.h"
#include "base/shared.h"

// Cuts a simple counter-clockwise polygon (pairs x y) into count - 2 triangles, three corner
// numbers each. Refuses polygons that are clockwise, flat or cross themselves.
CAROM_SHARED carom_status carom_earcut_polygon(const double *polygon, int count, int *triangles,
                                               carom_error *err);

#endif

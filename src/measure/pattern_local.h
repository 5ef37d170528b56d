// Local order of a pattern: which symmetry it has where one looks, whatever its direction there.
#ifndef CAROM_MEASURE_PATTERN_LOCAL_H
#define CAROM_MEASURE_PATTERN_LOCAL_H

#include "carom/pattern.h"

// Two-, four- and six-fold order of the map in windows of about two wavelengths (out->wavelength),
// over that of random waves of the same length: stripes have the first, squares the second,
// hexagons the third above 1, disorder none.
void carom_pattern_local_order(const carom_pattern *map, double order[3]);

#endif

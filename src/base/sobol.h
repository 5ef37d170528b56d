// Points of a Sobol net: they fill the unit cube more evenly than random ones (Sobol 1967; direction
// numbers of Joe and Kuo 2008).
#ifndef CAROM_BASE_SOBOL_H
#define CAROM_BASE_SOBOL_H

#include <stdint.h>

enum { CAROM_SOBOL_AXES = 10 };

// Coordinate `axis` (from 0, below CAROM_SOBOL_AXES) of point `index` (from 0), in [0, 1). A pure
// function: any point in any order. The first 2^k points of an axis stand one in each 2^-k.
double carom_sobol_at(int axis, uint64_t index);

#endif

// One contact alone, exactly: Coulomb's friction along the whole impact and energetic restitution.
#ifndef CAROM_IMPACT_ROUTH_H
#define CAROM_IMPACT_ROUTH_H

#include <stdbool.h>
#include "impact/pair.h"

// The normal speed (m/s) with which a contact that touches nothing else leaves when it has given
// back e^2 of the normal work it absorbed. `u` is its relative velocity before, in the frame of
// `pair`. False where that speed is not defined: the slip turns during expansion such that the
// contact closes again, or the bounded integration did not end.
bool carom_routh_speed(const carom_pair *pair, vec3 u, double restitution, double *speed);

#endif

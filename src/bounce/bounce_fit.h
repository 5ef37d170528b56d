// Whether a map belongs to a shape.
#ifndef CAROM_BOUNCE_BOUNCE_FIT_H
#define CAROM_BOUNCE_BOUNCE_FIT_H

#include "bounce/bounce_map.h"

// Refuses a shape whose surface is not that of the mesh `owner`: other triangles of the same
// surface pass.
carom_status carom_bounce_fit_check(const carom_shape *owner, const carom_shape *shape,
                                    carom_error *err);

#endif

// What a tower in space is in rational numbers, for those who compare a certificate with a scene.
#ifndef CAROM_TOWER_SPACE_PROVE_H
#define CAROM_TOWER_SPACE_PROVE_H

#include "base/shared.h"
#include "carom/tower_space.h"

// The members gravity, tolerance, bodies and contacts (without forces) of the certificate that the
// tower would get; JSON, release with free.
CAROM_SHARED carom_status carom_tower_space_prove_geometry(const carom_tower_space *tower,
                                                           char **text, carom_error *err);

#endif

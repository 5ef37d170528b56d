// What a tower is in rational numbers, for those who compare a certificate with a scene.
#ifndef CAROM_TOWER_PROVE_H
#define CAROM_TOWER_PROVE_H

#include "base/shared.h"
#include "carom/tower.h"

// The members gravity, tolerance, bodies and supports of the certificate that the tower would get,
// and under "forces" every contact it has, without its force; JSON, release with free.
CAROM_SHARED carom_status carom_tower_prove_geometry(const carom_tower *tower, char **text,
                                                     carom_error *err);

#endif

// The checker of certificates in space, called by that of the plane.
#ifndef CAROM_CERTIFICATE_TOWER_SPACE_CHECKER_H
#define CAROM_CERTIFICATE_TOWER_SPACE_CHECKER_H

#include "certificate/tower_certificate.h"

// Whether the claim of the file (c->root) is proved; fills the verdict.
bool carom_tower_space_checker_check(tower_certificate *c);

#endif

// Inside name of the public header.
#ifndef CAROM_BASE_HASH_H
#define CAROM_BASE_HASH_H

#include "carom/hash.h"

#endif

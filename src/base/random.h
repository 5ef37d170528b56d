// Inside name of the public header.
#ifndef CAROM_BASE_RANDOM_H
#define CAROM_BASE_RANDOM_H

#include "carom/random.h"

#endif

// Inside name of the public header.
#ifndef CAROM_BASE_SUGGEST_H
#define CAROM_BASE_SUGGEST_H

#include "carom/suggest.h"

#endif

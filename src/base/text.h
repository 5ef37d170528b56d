// Inside name of the public header.
#ifndef CAROM_BASE_TEXT_H
#define CAROM_BASE_TEXT_H

#include "base/error.h"
#include "carom/text.h"

#endif

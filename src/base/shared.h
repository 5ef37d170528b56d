// A function that one of the three libraries calls in another although it is not public: exported
// by the shared library, under a version that says so (cmake/libraries.cmake).
#ifndef CAROM_BASE_SHARED_H
#define CAROM_BASE_SHARED_H

#include "carom/status.h"

#define CAROM_SHARED CAROM_API

#endif

// Telling the caller how far a long piece of work is.
#ifndef CAROM_BASE_PROGRESS_H
#define CAROM_BASE_PROGRESS_H

#include "base/error.h"
#include "carom/progress.h"

// Tells, and returns CAROM_INTERRUPTED (with an error) where the caller wants to stop. Null
// progress: goes on. Cheap enough for every step of an outer loop: the receiver limits the rate.
carom_status carom_progress_tell(const carom_progress *progress, double done, double total,
                                 const char *what, carom_error *err);

#endif

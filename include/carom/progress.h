/// @file
/// Long work reports how far it is, and can be stopped.
#ifndef CAROM_PROGRESS_H
#define CAROM_PROGRESS_H

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Given by the caller to functions that may take longer than two seconds; null is always allowed.
typedef struct carom_progress {
    /// Called now and then, from the calling thread. `done` of `total` in the work's own unit (an
    /// estimate), `what` in a few words. A non-zero return asks the work to stop with
    /// CAROM_INTERRUPTED.
    int (*report)(void *context, double done, double total, const char *what);
    void *context; ///< handed to `report`
} carom_progress;

#ifdef __cplusplus
}
#endif
#endif

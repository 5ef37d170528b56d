// Calls back to whoever waits, and turns a request to stop into CAROM_INTERRUPTED.
#include "base/progress.h"

#include <stddef.h>

carom_status carom_progress_tell(const carom_progress *progress, double done, double total,
                                 const char *what, carom_error *err)
{
    if (!progress || !progress->tell || progress->tell(progress->context, done, total, what) == 0)
        return CAROM_OK;
    return carom_error_set(err, CAROM_INTERRUPTED, "%s: stopped on request after %g of %g", what,
                           done, total);
}

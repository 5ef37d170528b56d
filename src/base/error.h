// Passing failures up; carom/status.h has what fills an error.
#ifndef CAROM_BASE_ERROR_H
#define CAROM_BASE_ERROR_H

#include "carom/status.h"

// Leaves the calling function with the status of a failed call.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        carom_status try_status_ = (call);                                                         \
        if (try_status_ != CAROM_OK)                                                               \
            return try_status_;                                                                    \
    } while (0)

#endif

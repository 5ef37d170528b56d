// Passing failures up; carom/status.h has what fills an error.
#ifndef CAROM_BASE_ERROR_H
#define CAROM_BASE_ERROR_H

#include <stddef.h>
#include "base/shared.h"
#include "carom/status.h"

// Leaves the calling function with the status of a failed call.
#define TRY(call)                                                                                  \
    do {                                                                                           \
        carom_status try_status_ = (call);                                                         \
        if (try_status_ != CAROM_OK)                                                               \
            return try_status_;                                                                    \
    } while (0)

// A word of a table by a number from outside.
#define WORD_OF(words, number)                                                                     \
    ((size_t)(number) < sizeof(words) / sizeof *(words) ? (words)[number] : "unknown")

// Refuses a public call with a null argument, number `missing` of the list of names.
CAROM_SHARED carom_status carom_error_need(carom_error *err, const char *function,
                                           const char *names, size_t missing);

// Leaves the calling function, which returns a status, where one of the pointers is null.
#define NEED(err, ...)                                                                             \
    do {                                                                                           \
        const void *const need_[] = { __VA_ARGS__ };                                               \
        for (size_t need_i_ = 0; need_i_ < sizeof need_ / sizeof *need_; ++need_i_)                \
            if (!need_[need_i_])                                                                   \
                return carom_error_need((err), __func__, #__VA_ARGS__, need_i_);                   \
    } while (0)

#endif

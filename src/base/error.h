// Filling a carom_error, and passing failures up.
#ifndef CAROM_BASE_ERROR_H
#define CAROM_BASE_ERROR_H

#include <stddef.h>
#include "carom/status.h"

// Records status and the fact (printf style), clears place and fix, and returns the status. A null
// `err` is allowed: the caller then wants the status only.
carom_status carom_error_set(carom_error *err, carom_status status, const char *what, ...)
    __attribute__((format(printf, 3, 4)));
// The error of an allocation that failed, by what it was for: "the modes".
carom_status carom_error_no_memory(carom_error *err, const char *what);
// Adds the place to an error already set. Returns err->status (or BAD_INPUT if err is null).
carom_status carom_error_where(carom_error *err, const char *where, ...)
    __attribute__((format(printf, 2, 3)));
// Name the body or the contact at fault by its index, for callers that know more about it.
carom_status carom_error_body(carom_error *err, int body);
carom_status carom_error_contact(carom_error *err, int contact);
// Adds the next thing to try.
carom_status carom_error_fix(carom_error *err, const char *fix, ...)
    __attribute__((format(printf, 2, 3)));

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
carom_status carom_error_need(carom_error *err, const char *function, const char *names,
                              size_t missing);

// Leaves the calling function, which returns a status, where one of the pointers is null.
#define NEED(err, ...)                                                                             \
    do {                                                                                           \
        const void *const need_[] = { __VA_ARGS__ };                                               \
        for (size_t need_i_ = 0; need_i_ < sizeof need_ / sizeof *need_; ++need_i_)                \
            if (!need_[need_i_])                                                                   \
                return carom_error_need((err), __func__, #__VA_ARGS__, need_i_);                   \
    } while (0)

#endif

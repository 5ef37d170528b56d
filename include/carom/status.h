/// @file
/// How Carom reports success and failure.
///
/// Every fallible function returns a carom_status and fills a carom_error with the fact, the place
/// and the next thing to try. The library never prints, exits or aborts on bad input.
#ifndef CAROM_STATUS_H
#define CAROM_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/// Marks what the libraries export.
#if defined(__GNUC__)
#define CAROM_API __attribute__((visibility("default")))
#else
#define CAROM_API
#endif
/// Lets the compiler check arguments as those of printf: the number of the format and of the first
/// argument.
#if defined(__GNUC__)
#define CAROM_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define CAROM_PRINTF(format_at, first_at)
#endif

/// Every status with its sentence: one list feeds the enum, the names and the manual.
#define CAROM_STATUS_LIST(X)                                                                       \
    X(OK, "done")                                                                                  \
    X(BAD_INPUT, "an argument or a file value cannot be used")                                     \
    X(NOT_CONVERGED, "the iteration budget ended before the tolerance")                            \
    X(BROKE_PROMISE, "a result violates what the law promises")                                    \
    X(NO_MEMORY, "the memory needed is not available or above the limit")                          \
    X(IO_FAILED, "a file could not be read or written")                                            \
    X(INTERRUPTED, "stopped on request")                                                           \
    X(UNSUPPORTED, "this build or this law does not offer what was asked")

/// What became of a call.
typedef enum carom_status {
#define CAROM_STATUS_VALUE(name, sentence) CAROM_##name,
    CAROM_STATUS_LIST(CAROM_STATUS_VALUE)
#undef CAROM_STATUS_VALUE
} carom_status;

/// What went wrong, where, and what to try next. Zero-initialise before the first use; the fields
/// other than status mean something only after a failure.
typedef struct carom_error {
    carom_status status; ///< CAROM_OK until something failed
    char what[256];      ///< the fact, with the offending value
    char where[256];     ///< file:line:column, body or contact name, or function and argument
    char fix[256];       ///< the next thing to try
    int body;            ///< index of the body at fault in the caller's list, -1: none
    int contact;         ///< index of the contact at fault in the caller's list, -1: none
} carom_error;

/// The status as written in the enum without its prefix, for instance "BAD_INPUT".
CAROM_API const char *carom_status_name(carom_status status);
/// One sentence that explains the status.
CAROM_API const char *carom_status_sentence(carom_status status);

// -- filling an error, for callers that write functions of their own ------------------------------

/// Records status and the fact (printf style), clears everything else, and returns the status. A
/// null `err` is allowed: the caller then wants the status only.
CAROM_API carom_status carom_error_set(carom_error *err, carom_status status, const char *what, ...)
    CAROM_PRINTF(3, 4);
/// The error of an allocation that failed, by what it was for (printf style): "%d modes". Returns
/// CAROM_NO_MEMORY.
CAROM_API carom_status carom_error_no_memory(carom_error *err, const char *what, ...)
    CAROM_PRINTF(2, 3);
/// Adds the place to an error already set. Returns err->status (or BAD_INPUT if err is null).
CAROM_API carom_status carom_error_where(carom_error *err, const char *where, ...)
    CAROM_PRINTF(2, 3);
/// Adds the next thing to try. Returns as carom_error_where.
CAROM_API carom_status carom_error_fix(carom_error *err, const char *fix, ...) CAROM_PRINTF(2, 3);
/// Names the body at fault by its index. Returns as carom_error_where.
CAROM_API carom_status carom_error_body(carom_error *err, int body);
/// Names the contact at fault by its index. Returns as carom_error_where.
CAROM_API carom_status carom_error_contact(carom_error *err, int contact);

#ifdef __cplusplus
}
#endif
#endif

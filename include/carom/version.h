/// @file
/// The version of Carom: at compile time by macros, at run time by functions.
///
/// While the major version is 0 a minor version may change the interface; CHANGELOG.md says how.
/// Files of every older version open in every newer one.
#ifndef CAROM_VERSION_H
#define CAROM_VERSION_H

#include <stddef.h>
#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of these headers. The build reads its own version from here.
#define CAROM_VERSION_MAJOR 0
/// The second number.
#define CAROM_VERSION_MINOR 3
/// The third number.
#define CAROM_VERSION_PATCH 0
/// One number that grows with the version, for comparisons: 0.3.0 is 300.
#define CAROM_VERSION                                                                              \
    (CAROM_VERSION_MAJOR * 10000 + CAROM_VERSION_MINOR * 100 + CAROM_VERSION_PATCH)

/// The version of the library that is linked, for instance "0.1.0".
CAROM_API const char *carom_version(void);
/// The compiler the library was built with.
CAROM_API const char *carom_version_compiler(void);
/// Bytes of a public struct in this build, by its name ("carom_ledger"); 0: unknown. For
/// bindings of other languages, which lay the structs out by themselves.
CAROM_API size_t carom_version_size(const char *type);

#ifdef __cplusplus
}
#endif
#endif

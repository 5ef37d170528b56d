/// @file
/// "Did you mean": the nearest name in a list.
#ifndef CAROM_SUGGEST_H
#define CAROM_SUGGEST_H

#include "carom/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The name with the smallest edit distance (insert, delete, replace, swap of neighbours), or null
/// when none is closer than about a third of the word.
CAROM_API const char *carom_suggest_nearest(const char *word, const char *const *names, int count);

#ifdef __cplusplus
}
#endif
#endif

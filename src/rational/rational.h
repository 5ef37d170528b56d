// Rational arithmetic that ends where memory ends: GMP itself would end the program.
#ifndef CAROM_RATIONAL_RATIONAL_H
#define CAROM_RATIONAL_RATIONAL_H

#include <stddef.h>
#include "base/error.h"
#include "base/shared.h"

// Does the work; where memory ends in it, in this thread, for GMP or for the functions below, the
// work ends there and then with CAROM_NO_MEMORY, and all that it holds is given back: what GMP has
// and what it has told of below. Work inside of other guarded work ends together with that. A
// program that has given GMP its own memory functions keeps them, and what they do without memory.
CAROM_SHARED carom_status carom_rational_guard(carom_status (*work)(void *with, carom_error *err),
                                               void *with, carom_error *err);

// As in <stdlib.h>, for guarded work: never null there.
CAROM_SHARED void *carom_rational_calloc(size_t count, size_t size);
void *carom_rational_realloc(void *old, size_t size);
CAROM_SHARED void carom_rational_free(void *memory);
// Guarded work that holds this thing has it ended by `end`, until it says that it let go of it.
// Null becomes the end of memory. Returns the thing.
CAROM_SHARED void *carom_rational_hold(void *thing, void (*end)(void *thing));
CAROM_SHARED void *carom_rational_let_go(void *thing);

#endif

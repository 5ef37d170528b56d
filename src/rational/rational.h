// Rational arithmetic that ends where memory ends: GMP itself would end the program.
#ifndef CAROM_RATIONAL_RATIONAL_H
#define CAROM_RATIONAL_RATIONAL_H

#include "base/error.h"
#include "base/shared.h"

// Does the work; where GMP finds no memory in this thread the work ends there and then with
// CAROM_NO_MEMORY, and what it holds is not given back. Guards may be nested. A program that has
// given GMP its own memory functions keeps them, and what they do without memory.
CAROM_SHARED carom_status carom_rational_guard(carom_status (*work)(void *with, carom_error *err),
                                               void *with, carom_error *err);

#endif

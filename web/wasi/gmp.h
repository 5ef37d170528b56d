// Rational numbers of the browser's build: mini-gmp, the small form of GMP that comes with its
// sources, and the few functions of GMP that it leaves out.
#ifndef CAROM_WEB_GMP_H
#define CAROM_WEB_GMP_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include "mini-gmp.h"
#include "mini-mpq.h"

// Calls `each` for the numbers of a list that ends with NULL.
#define CAROM_WEB_LIST(name, type, each)                                                           \
    static inline void name(type first, ...)                                                       \
    {                                                                                              \
        va_list others;                                                                            \
        va_start(others, first);                                                                   \
        for (type one = first; one; one = va_arg(others, type))                                    \
            each(one);                                                                             \
        va_end(others);                                                                            \
    }
CAROM_WEB_LIST(mpz_inits, mpz_ptr, mpz_init)
CAROM_WEB_LIST(mpz_clears, mpz_ptr, mpz_clear)
CAROM_WEB_LIST(mpq_inits, mpq_ptr, mpq_init)
CAROM_WEB_LIST(mpq_clears, mpq_ptr, mpq_clear)
#undef CAROM_WEB_LIST

#endif

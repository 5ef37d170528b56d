// Libraries that are loaded when they are first needed. Where a program is linked with assimp and
// libmicrohttpd, each of its starts also loads the twelve libraries behind them, which takes longer
// (4 ms) than most commands compute; so nothing is linked with them, and who needs one asks here.
#ifndef CAROM_BASE_DYNAMIC_LIBRARY_H
#define CAROM_BASE_DYNAMIC_LIBRARY_H

#include "carom/status.h"

typedef struct carom_dynamic_symbol {
    const char *name;
    void *place; // of a pointer to the function; NULL before the library is there
} carom_dynamic_symbol;

// Fills the places of all symbols from the library of that file name (as the linker would look for
// it), once. Where the library or a symbol is missing: UNSUPPORTED, with what to install.
carom_status carom_dynamic_library_load(const char *file, const carom_dynamic_symbol *symbols,
                                        int count, carom_error *err);

#endif

// The ledger as bytes: how frames and checkpoints hold it. The order is that of the list in
// ledger_bytes.c, not that of carom_ledger, which may change.
#ifndef CAROM_WORLD_LEDGER_BYTES_H
#define CAROM_WORLD_LEDGER_BYTES_H

#include <stddef.h>
#include "base/shared.h"
#include "carom/world.h"

enum { CAROM_LEDGER_BYTES = 272 };

CAROM_SHARED void carom_ledger_bytes_put(const carom_ledger *ledger,
                                         unsigned char out[CAROM_LEDGER_BYTES]);
// `size` is a multiple of 8. A shorter ledger is an older one, what it does not know is 0; of a
// longer one the end is ignored.
CAROM_SHARED void carom_ledger_bytes_get(const unsigned char *bytes, size_t size,
                                         carom_ledger *out);

#endif

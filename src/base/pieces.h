// The files behind carom/pieces.h: a head with the hash of the work, then one record per piece with
// a sum over it. A record that was cut or damaged ends what is used of a file, and its piece and
// those behind it are done again.
#ifndef CAROM_BASE_PIECES_H
#define CAROM_BASE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "carom/pieces.h"

typedef struct carom_pieces_store carom_pieces_store;

// Opens the file of a shard, or reads those of all; `key` is the hash of the work.
carom_status carom_pieces_open(const carom_pieces *pieces, uint64_t key, carom_pieces_store **out,
                               carom_error *err);
void carom_pieces_close(carom_pieces_store *store);
// Whether a piece is to be done here and now; without a store all are.
bool carom_pieces_wanted(const carom_pieces_store *store, int64_t piece);
// Writes a piece that was done.
carom_status carom_pieces_put(carom_pieces_store *store, int64_t piece, const unsigned char *bytes,
                              size_t size, carom_error *err);
// A piece of the files; refuses where there is none, or none of `size` bytes (0: any).
carom_status carom_pieces_get(const carom_pieces_store *store, int64_t piece,
                              const unsigned char **bytes, size_t *size, carom_error *err);

#endif

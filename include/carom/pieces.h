/// @file
/// Pieces of a long work, in files: several processes or machines do a share of them each, and what
/// is put together has the bytes of a work that was never cut.
#ifndef CAROM_PIECES_H
#define CAROM_PIECES_H

#ifdef __cplusplus
extern "C" {
#endif

/// Which pieces are done, and where they are. A file is of one work: it knows the hash of all that
/// the result depends on, and of Carom's version.
typedef struct carom_pieces {
    int shard, shards; ///< I of N, from 1 on: every N-th piece from the I-th on is done, into
                       ///< `path`, and there is no result; 0 of 0: `merged` has them all
    const char *path;  ///< of this shard; what it has already is not done again
    const char *const *merged; ///< files of all shards
    int merged_count;          ///< how many
} carom_pieces;

#ifdef __cplusplus
}
#endif
#endif

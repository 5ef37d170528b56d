// `--shard I/N`, `--merge` and the files of pieces between them.
#ifndef CAROM_CLI_SHARDS_H
#define CAROM_CLI_SHARDS_H

#include <stdbool.h>
#include "carom/pieces.h"
#include "command.h"

enum { CAROM_SHARDS_NAME = 4096 };

typedef struct carom_shards {
    bool any;            // one of the options is given
    carom_pieces pieces; // for the library
    char path[CAROM_SHARDS_NAME + 64];
    char **found; // files to be merged
} carom_shards;

// "3/16" into two numbers; an exit code.
int carom_shards_number(const char *words, int *shard, int *shards);
// What the options say; files are called after `source` where --pieces says nothing. An exit code.
int carom_shards_read(const carom_arguments *given, const char *source, carom_shards *out);
// Tells that a shard is done.
void carom_shards_tell(const carom_shards *shards);
void carom_shards_free(carom_shards *shards);

#define CAROM_SHARDS_ARGUMENTS                                                                     \
    { "--shard", CAROM_ARGUMENT_TEXT, .value = "I/N",                                              \
      .doc = "only every N-th piece of the work from the I-th on, into NAME.I-of-N.pieces; the "   \
             "same command goes on after a kill" },                                                \
        { "--merge", CAROM_ARGUMENT_FLAG,                                                          \
          .doc = "compute nothing; put together all NAME.*.pieces: the same bytes as without "     \
                 "shards" },                                                                       \
    {                                                                                              \
        "--pieces", CAROM_ARGUMENT_TEXT,                                                           \
            .value = "NAME",                                                                       \
            .doc = "what these files are called; by default as the file, in this folder"           \
    }

#endif

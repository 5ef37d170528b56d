// `--shard I/N` and `--merge` of long commands (carom/pieces.h).
#include "shards.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "terminal.h"

int carom_shards_number(const char *words, int *shard, int *shards)
{
    char rest;
    if (sscanf(words, "%d/%d%c", shard, shards, &rest) == 2 && *shard >= 1 && *shards >= *shard)
        return CAROM_EXIT_GOOD;
    return carom_command_misuse("write --shard 3/16, numbered from 1", "\"%.40s\" is no shard",
                                words);
}

// The last part of a path, without its ending; what a file name cannot have becomes a dash.
static void name_of(const char *source, char out[CAROM_SHARDS_NAME])
{
    const char *slash = strrchr(source, '/');
    snprintf(out, CAROM_SHARDS_NAME, "%s", slash ? slash + 1 : source);
    char *dot = strrchr(out, '.');
    if (dot && dot > out)
        *dot = 0;
    for (char *at = out; *at; ++at)
        *at = strchr(":*?[]", *at) ? '-' : *at;
}

// Those of all shards, whatever their number.
static int find_files(const char *name, carom_shards *out)
{
    char pattern[CAROM_SHARDS_NAME + 64];
    glob_t found = { 0 };
    snprintf(pattern, sizeof pattern, "%s.*-of-*.pieces", name);
    if (glob(pattern, 0, NULL, &found) == 0)
        out->found = calloc(found.gl_pathc + 1, sizeof *out->found);
    for (size_t i = 0; out->found && i < found.gl_pathc; ++i) {
        size_t size = strlen(found.gl_pathv[i]) + 1;
        char *copy = malloc(size);
        if (copy)
            out->found[out->pieces.merged_count++] = memcpy(copy, found.gl_pathv[i], size);
    }
    globfree(&found);
    out->pieces.merged = (const char *const *)out->found;
    if (out->pieces.merged_count > 0)
        return CAROM_EXIT_GOOD;
    return carom_command_misuse("run the shards first (--shard 1/4 ...), with the same --pieces",
                                "there is no %.200s.*-of-*.pieces to merge", name);
}

int carom_shards_read(const carom_arguments *given, const char *source, carom_shards *out)
{
    const char *words = carom_command_text(given, "--shard"),
               *own = carom_command_text(given, "--pieces");
    bool merge = carom_command_flag(given, "--merge");
    char name[CAROM_SHARDS_NAME];
    *out = (carom_shards){ .any = words || merge };
    if (words && merge)
        return carom_command_misuse("run all shards, then merge", "--shard and --merge exclude "
                                                                  "each other");
    name_of(source, name);
    if (own)
        snprintf(name, sizeof name, "%s", own);
    if (merge)
        return find_files(name, out);
    if (!words)
        return CAROM_EXIT_GOOD;
    int code = carom_shards_number(words, &out->pieces.shard, &out->pieces.shards);
    snprintf(out->path, sizeof out->path, "%s.%d-of-%d.pieces", name, out->pieces.shard,
             out->pieces.shards);
    out->pieces.path = out->path;
    return code;
}

void carom_shards_tell(const carom_shards *shards)
{
    carom_terminal_report("shard %d of %d: written: %s", shards->pieces.shard,
                          shards->pieces.shards, shards->path);
}

void carom_shards_free(carom_shards *shards)
{
    for (int i = 0; i < shards->pieces.merged_count; ++i)
        free(shards->found[i]);
    free(shards->found);
}

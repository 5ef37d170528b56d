// `--shard I/N` and `--merge` of long commands (carom/pieces.h).
#include "shards.h"

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "terminal.h"

int carom_shards_number(const char *words, int *shard, int *shards)
{
    char *slash, *end = NULL;
    errno = 0;
    long first = strtol(words, &slash, 10), all = *slash == '/' ? strtol(slash + 1, &end, 10) : 0;
    if (first >= 1 && all >= first && all <= INT_MAX && errno == 0 && end && *end == 0) {
        *shard = (int)first;
        *shards = (int)all;
        return CAROM_EXIT_GOOD;
    }
    return carom_command_misuse("write --shard 3/16, numbered from 1", "\"%.40s\" is no shard",
                                words);
}

// The last part of a path, without its ending; what is awkward in a file name becomes a dash.
static void name_of(const char *source, char out[CAROM_SHARDS_NAME])
{
    const char *slash = strrchr(source, '/');
    snprintf(out, CAROM_SHARDS_NAME, "%s", slash ? slash + 1 : source);
    char *dot = strrchr(out, '.');
    if (dot && dot > out)
        *dot = 0;
    for (char *at = out; *at; ++at)
        *at = strchr(":*?[]\\", *at) ? '-' : *at;
}

// A pattern that finds the files of all shards: what glob would take for its own is not.
static void pattern_of(const char *name, char out[2 * CAROM_SHARDS_NAME + 64])
{
    char *to = out;
    for (const char *at = name; *at; ++at) {
        if (strchr("*?[]\\", *at))
            *to++ = '\\';
        *to++ = *at;
    }
    memcpy(to, ".*-of-*.pieces", sizeof ".*-of-*.pieces");
}

// A folder that cannot be opened has no files, but not where memory ran out.
static int is_memory(const char *path, int error)
{
    (void)path;
    return error == ENOMEM;
}

// Those of all shards, whatever their number.
static int find_files(const char *name, carom_shards *out)
{
    char pattern[2 * CAROM_SHARDS_NAME + 64];
    glob_t found = { 0 };
    pattern_of(name, pattern);
    int none = glob(pattern, 0, is_memory, &found);
    if (none == 0)
        out->found = calloc(found.gl_pathc + 1, sizeof *out->found);
    bool all = none == GLOB_NOMATCH || out->found;
    for (size_t i = 0; all && i < found.gl_pathc; ++i) {
        out->found[i] = strdup(found.gl_pathv[i]);
        all = out->found[i] != NULL;
        out->pieces.merged_count += all;
    }
    globfree(&found);
    out->pieces.merged = (const char *const *)out->found;
    if (!all) {
        carom_shards_free(out);
        return carom_command_no_memory("the names of the pieces");
    }
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
    if (own && strlen(own) >= sizeof name)
        return carom_command_misuse("use a shorter --pieces", "a path of %zu bytes is too long",
                                    strlen(own));
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

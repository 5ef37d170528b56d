// Files in memory and claims for fuzz targets.
#define _GNU_SOURCE
#include "support/claim.h"
#include "carom/scene.h"
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void claim(int truth, const char *words, const carom_error *err)
{
    if (truth)
        return;
    fprintf(stderr, "broken claim: %s\n  what: %s\n  where: %s\n  fix: %s\n", words, err->what,
            err->where, err->fix);
    abort();
}

void claim_refusal(const carom_error *err, const char *file)
{
    int line = 0, column = 0;
    size_t length = strlen(file);
    claim(err->status != CAROM_OK, "a failure has a status", err);
    claim(*err->what && *err->fix, "what and fix are given", err);
    claim(strncmp(err->where, file, length) == 0 &&
              sscanf(err->where + length, ":%d:%d", &line, &column) == 2 && line > 0 && column > 0,
          "line and column are given", err);
}

const char *claim_memory_file(const void *bytes, size_t size)
{
    static int file = -1;
    static char path[64];
    if (file < 0) {
        file = memfd_create("claim", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, bytes, size, 0) != (ssize_t)size)
        abort();
    return path;
}

static int refuse_more(void *context, double done, double total, const char *what)
{
    (void)context, (void)done, (void)total, (void)what;
    return 1;
}

const carom_progress claim_impatient = { refuse_more, NULL };

void claim_seal(unsigned char *bytes, size_t size)
{
    uint64_t sum = carom_hash_bytes(CAROM_HASH_START, bytes, size - 8);
    for (int k = 0; k < 8; ++k)
        bytes[size - 8 + (size_t)k] = (unsigned char)(sum >> (8 * k));
}

void claim_scene(const void *bytes, size_t size, void (*use)(const char *path))
{
    carom_error err = { 0 };
    carom_scene_contents held;
    const char *path = claim_memory_file(bytes, size);
    if (carom_scene_check(path, &held, &err) != CAROM_OK)
        claim_refusal(&err, path);
    else
        use(path);
}

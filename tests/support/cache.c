// Makes a cache folder in the temporary folder and removes it.
#define _GNU_SOURCE
#include "support/cache.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "support/check.h"

static char folder[] = "/tmp/carom-cache-XXXXXX";

const char *cache_begin(void)
{
    CHECK(mkdtemp(folder) != NULL, "a folder for the cache: %s", folder);
    setenv("CAROM_CACHE", folder, 1);
    return folder;
}

void cache_end(void)
{
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            remove(path);
    }
    if (list)
        closedir(list);
    rmdir(folder);
}

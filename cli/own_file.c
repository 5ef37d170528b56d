// Files that come with the project; see own_file.h.
#include "own_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The folder of this program; 0 where it cannot be told.
static int own_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0)
        return 0;
    folder[length] = '\0';
    char *end = strrchr(folder, '/');
    if (end)
        *end = '\0';
    return end != NULL;
}

// The first of `count` places below the program's folder where there is such a file.
static int find_below(const char *const *places, int count, const char *name, char *path)
{
    char folder[2048];
    if (!own_folder(folder, sizeof folder))
        return 0;
    for (int i = 0; i < count; ++i) {
        snprintf(path, CAROM_OWN_FILE_PATH, "%s/%s/%.1000s", folder, places[i], name);
        if (access(path, R_OK) == 0)
            return 1;
    }
    return 0;
}

const char *carom_own_file(const char *name, char *path)
{
    static const char *const places[] = { "../..", "../share/carom" };
    if (access(name, R_OK) != 0 && find_below(places, 2, name, path))
        return path;
    snprintf(path, CAROM_OWN_FILE_PATH, "%.4000s", name);
    return path;
}

const char *carom_own_file_engine(const char *name, char *path)
{
    static const char *const places[] = { "engines", "../../engines/node",
                                          "../share/carom/engines" };
    char script[256];
    snprintf(script, sizeof script, "%.200s.mjs", name);
    bool own = !strchr(name, '/');
    if (own && (find_below(places, 3, name, path) || find_below(places, 3, script, path)))
        return path;
    // a name that is none of ours is no program of the system's either
    snprintf(path, CAROM_OWN_FILE_PATH, "%s%.4000s", own ? "./engines/" : "", name);
    return path;
}

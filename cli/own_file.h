// Files that come with the project, and engines that were built with it.
#ifndef CAROM_CLI_OWN_FILE_H
#define CAROM_CLI_OWN_FILE_H

enum { CAROM_OWN_FILE_PATH = 4096 };

// "data/x.csv": below the current folder, beside the build, or where it was installed; the name
// itself where it is nowhere. `path` has room for CAROM_OWN_FILE_PATH bytes and is returned.
const char *carom_own_file(const char *name, char *path);
// The program of an engine by its name ("ode"), beside this one; what has a slash is a program's
// path.
const char *carom_own_file_engine(const char *name, char *path);

#endif

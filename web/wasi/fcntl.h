// Files of one program need no locks: taking one always works.
#ifndef CAROM_WEB_FCNTL_H
#define CAROM_WEB_FCNTL_H

#include_next <fcntl.h>

enum { F_RDLCK, F_WRLCK, F_UNLCK };
enum { F_SETLK = 1000 };
#define fcntl(file, command, ...) ((command) == F_SETLK ? 0 : (fcntl)(file, command, __VA_ARGS__))

#endif

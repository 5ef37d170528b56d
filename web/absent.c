// What wasi-libc declares and does not have: none of it is needed in a browser, and each says that
// it failed.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

int pipe(int ends[2]);
int madvise(void *place, size_t size, int advice);
FILE *tmpfile(void);
pid_t fork(void);
pid_t getppid(void);
char *realpath(const char *path, char *out);

int pipe(int ends[2])
{
    (void)ends;
    errno = ENOSYS;
    return -1;
}

int madvise(void *place, size_t size, int advice)
{
    (void)place, (void)size, (void)advice;
    return 0; // advice may be ignored
}

FILE *tmpfile(void)
{
    errno = ENOSYS;
    return NULL;
}

pid_t fork(void)
{
    errno = ENOSYS;
    return -1;
}

pid_t getppid(void)
{
    return 1;
}

// Files of a page have no links: a path is what it is.
char *realpath(const char *path, char *out)
{
    return out ? strcpy(out, path) : strdup(path);
}

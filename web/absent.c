// What wasi-libc declares and does not have: none of it is needed in a browser, and each says that
// it failed.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>

int pipe(int ends[2]);
int madvise(void *place, size_t size, int advice);
FILE *tmpfile(void);

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

// A layer between a program and the system that makes one call fail: the one of number
// CAROM_FAULT_AT (from 0) among the calls of kind CAROM_FAULT (the words below). With
// CAROM_FAULT_ON set all later calls of the kind fail as well, as on a full disk. Loaded by
// LD_PRELOAD; what CAROM_FAULT_LOG names gets the number of calls.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// the C library's own, below the names that are replaced here
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum kind { NONE, MEMORY, WRITE, OPEN, RENAME, SYNC, THREAD, KINDS };

static enum kind kind;
static long at;
static int on;
static atomic_long count;

__attribute__((constructor)) static void begin(void)
{
    static const char *const words[KINDS] = { "",       "memory", "write", "open",
                                              "rename", "sync",   "thread" };
    const char *word = getenv("CAROM_FAULT"), *number = getenv("CAROM_FAULT_AT");
    at = number ? atol(number) : -1;
    on = getenv("CAROM_FAULT_ON") != NULL;
    atomic_store(&count, 0);
    for (int k = 1; word && k < KINDS; ++k)
        if (strcmp(word, words[k]) == 0)
            kind = (enum kind)k;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("CAROM_FAULT_LOG");
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&count));
    enum kind asked = kind;
    kind = NONE;
    int file = path && asked != NONE ? NEXT(open)(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
    if (file < 0)
        return;
    if (NEXT(write)(file, text, (size_t)length) != length)
        atomic_store(&count, 0);
    close(file);
}

static int fails(enum kind call, int code)
{
    if (call != kind)
        return 0;
    long number = atomic_fetch_add(&count, 1);
    if (at < 0 || number < at || (number > at && !on))
        return 0;
    errno = code;
    return 1;
}

// Messages have to get out: the standard error never fails.
static int stream_fails(FILE *stream)
{
    return stream != stderr && __fwritable(stream) && fails(WRITE, ENOSPC);
}

void *malloc(size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
}
void *calloc(size_t items, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_calloc(items, size);
}
void *realloc(void *old, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *got = fails(MEMORY, ENOMEM) ? NULL : __libc_memalign(alignment, size);
    if (got)
        *out = got;
    return got ? 0 : ENOMEM;
}

// The C library's streams write below these names: each call of theirs counts as a write.
ssize_t write(int file, const void *bytes, size_t size)
{
    return file != STDERR_FILENO && fails(WRITE, ENOSPC) ? -1 : NEXT(write)(file, bytes, size);
}
size_t fwrite(const void *bytes, size_t size, size_t items, FILE *stream)
{
    return stream_fails(stream) ? 0 : NEXT(fwrite)(bytes, size, items, stream);
}
int fflush(FILE *stream)
{
    return stream && stream_fails(stream) ? EOF : NEXT(fflush)(stream);
}
int fclose(FILE *stream)
{
    int failed = stream_fails(stream), code = errno, closed = NEXT(fclose)(stream);
    if (failed)
        errno = code;
    return failed ? EOF : closed;
}

int fsync(int file)
{
    return fails(SYNC, EIO) ? -1 : NEXT(fsync)(file);
}
int fdatasync(int file)
{
    return fails(SYNC, EIO) ? -1 : NEXT(fdatasync)(file);
}
int ftruncate(int file, off_t size)
{
    return fails(SYNC, EIO) ? -1 : NEXT(ftruncate)(file, size);
}
int rename(const char *from, const char *to)
{
    return fails(RENAME, EACCES) ? -1 : NEXT(rename)(from, to);
}
int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    return fails(OPEN, EMFILE) ? -1 : NEXT(open)(path, flags, mode);
}
FILE *fopen(const char *path, const char *mode)
{
    return fails(OPEN, EMFILE) ? NULL : NEXT(fopen)(path, mode);
}
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *), void *with)
{
    if (fails(THREAD, EAGAIN))
        return EAGAIN;
    return NEXT(pthread_create)(thread, how, work, with);
}

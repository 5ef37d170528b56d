// A layer between a program and the system that makes one call fail: the one of a number among the
// calls of a kind, as serve.c arms it. It also counts the blocks of memory that the program's own
// code has asked for and not given back (what libraries keep is theirs).
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "harden/fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
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
void __libc_free(void *block);

enum kind { NONE, MEMORY, WRITE, FULL, OPEN, RENAME, SYNC, THREAD, KINDS };

static enum kind kind;
static long failing;
static carom_fault_tally *tally;
static uintptr_t code_from, code_to; // of the program

static int find_code(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size, (void)context;
    for (int i = 0; i < object->dlpi_phnum; ++i)
        if (object->dlpi_phdr[i].p_type == PT_LOAD && object->dlpi_phdr[i].p_flags & PF_X) {
            code_from = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
            code_to = code_from + object->dlpi_phdr[i].p_memsz;
        }
    return 1; // the program is the first
}

void carom_fault_arm(const char *word, long at, carom_fault_tally *counts)
{
    static const char *const words[KINDS] = { "",     "memory", "write", "full",
                                              "open", "rename", "sync",  "thread" };
    enum kind asked = NONE;
    for (int k = 1; k < KINDS; ++k)
        if (strcmp(word, words[k]) == 0)
            asked = (enum kind)k;
    dl_iterate_phdr(find_code, NULL);
    failing = at;
    tally = counts;
    kind = asked;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int fails(enum kind call, int code)
{
    int full = call == WRITE && kind == FULL; // a disk that is full stays full
    if (kind == NONE || (call != kind && !full))
        return 0;
    long number = atomic_fetch_add(&tally->calls, 1);
    if (failing < 0 || number < failing || (number > failing && !full))
        return 0;
    errno = code;
    return 1;
}

// -- memory ---------------------------------------------------------------------------------------

// The program's blocks, by address; open addressing. A full table only makes the count too small.
enum { ROOM = 1 << 20, PROBES = 64 };
static uintptr_t blocks[ROOM];
static atomic_flag busy = ATOMIC_FLAG_INIT;

static uintptr_t *place_of(uintptr_t block, uintptr_t wanted)
{
    size_t start = (size_t)((block >> 4) * 0x9E3779B97F4A7C15u >> 44);
    for (size_t i = 0; i < PROBES; ++i)
        if (blocks[(start + i) % ROOM] == wanted)
            return &blocks[(start + i) % ROOM];
    return NULL;
}

static void change(uintptr_t block, uintptr_t from, uintptr_t to, long by)
{
    while (atomic_flag_test_and_set(&busy))
        ;
    uintptr_t *place = place_of(block, from);
    if (place) {
        *place = to;
        atomic_fetch_add(&tally->kept, by);
    }
    atomic_flag_clear(&busy);
}

static void *note(void *block, const void *caller)
{
    if (kind != NONE && block && (uintptr_t)caller >= code_from && (uintptr_t)caller < code_to)
        change((uintptr_t)block, 0, (uintptr_t)block, 1);
    return block;
}

static void forget(void *block)
{
    if (kind != NONE && block)
        change((uintptr_t)block, (uintptr_t)block, 0, -1);
}

#define CALLER __builtin_return_address(0)

void free(void *block)
{
    forget(block);
    __libc_free(block);
}
void *malloc(size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : note(__libc_malloc(size), CALLER);
}
void *calloc(size_t items, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : note(__libc_calloc(items, size), CALLER);
}
void *realloc(void *old, size_t size)
{
    if (fails(MEMORY, ENOMEM))
        return NULL;
    forget(old); // before another thread can get its address
    void *block = __libc_realloc(old, size);
    note(block || size == 0 ? block : old, CALLER);
    return block;
}
void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(MEMORY, ENOMEM) ? NULL : note(__libc_memalign(alignment, size), CALLER);
}
int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *got = fails(MEMORY, ENOMEM) ? NULL : note(__libc_memalign(alignment, size), CALLER);
    if (got)
        *out = got;
    return got ? 0 : ENOMEM;
}

// -- files and threads ----------------------------------------------------------------------------

// Messages have to get out: the standard error never fails.
static int stream_fails(FILE *stream)
{
    if (stream == stderr || !__fwritable(stream) || !fails(WRITE, ENOSPC))
        return 0;
    stream->_flags |= 0x20; // its error indicator, which glibc names _IO_ERR_SEEN inside
    return 1;
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
// With nothing to write it is no write: libstdc++ flushes the empty standard output at every exit.
int fflush(FILE *stream)
{
    bool writes = stream && stream != stderr && __fpending(stream) > 0;
    return writes && stream_fails(stream) ? EOF : NEXT(fflush)(stream);
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

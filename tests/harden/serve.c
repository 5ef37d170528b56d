// Runs a program again and again from one start: the libraries are loaded and bound once, each run
// is a fork. Loaded by LD_PRELOAD with CAROM_SERVE (the seconds of processor time that a run may
// take) set; takes the place of the program's main, reads requests from the standard input and
// answers on the standard output. It knows nothing of the program but its main.
//
// A request: its length in four bytes (low first), then words that end in zero bytes: the folder,
// the kind of call that fails ("": none) and its number (fault.c), settings NAME=VALUE up to an
// empty word, the program's arguments. What the run says on the standard error is in the file `err`
// of the folder. The answer, a line: exit code (negative: signal), calls of that kind, blocks of
// memory kept at the end, milliseconds of processor time.
#define _GNU_SOURCE
#include "harden/fault.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 1 << 16, WORDS = 64, CLOCK = 20 }; // CLOCK: by the clock, times that of the processor

typedef int program_main(int, char **, char **);
typedef int program_start(program_main *, int, char **, void (*)(void), void (*)(void),
                          void (*)(void), void *);

static program_main *real;
static char *name;
static carom_fault_tally *tally; // shared with the runs

static int read_whole(void *bytes, size_t size)
{
    for (char *at = bytes; size;) {
        ssize_t got = read(STDIN_FILENO, at, size);
        if (got <= 0)
            return 0;
        at += got;
        size -= (size_t)got;
    }
    return 1;
}

static void limit(int what, rlim_t soft, rlim_t hard)
{
    struct rlimit most = { soft, hard };
    setrlimit(what, &most);
}

static void redirect(int stream, const char *path, int flags)
{
    int file = open(path, flags, 0644);
    if (file < 0 || dup2(file, stream) < 0)
        _exit(111);
    close(file);
}

// In the child: everything as if the program had just been started there.
static int run(char **words, int count, char **environment)
{
    unsigned seconds = (unsigned)atoi(getenv("CAROM_SERVE"));
    char *arguments[WORDS + 1] = { name };
    int at = 3, given = 1;
    if (chdir(words[0]) != 0)
        _exit(111);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, "out", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, "err", O_WRONLY | O_CREAT | O_TRUNC);
    limit(RLIMIT_CPU, seconds, seconds + 1);
    limit(RLIMIT_CORE, 0, 0);
    limit(RLIMIT_FSIZE, 1 << 28, 1 << 28);
    signal(SIGINT, SIG_IGN); // Ctrl-C is for who asks: the case is finished
    alarm(CLOCK * seconds);
    for (; at < count && *words[at]; ++at)
        putenv(words[at]);
    for (++at; at < count; ++at)
        arguments[given++] = words[at];
    if (carom_fault_arm)
        carom_fault_arm(words[1], atol(words[2]), tally);
    return real(given, arguments, environment);
}

static int serve(int argc, char **argv, char **environment)
{
    static char request[MOST];
    unsigned char head[4];
    (void)argc;
    name = argv[0];
    unsetenv("LD_PRELOAD"); // the runs' own children are ordinary
    tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    while (tally != MAP_FAILED && read_whole(head, sizeof head)) {
        uint32_t size = (uint32_t)(head[0] | head[1] << 8 | head[2] << 16) | (uint32_t)head[3] << 24;
        char *words[WORDS];
        int count = 0, status = 0;
        if (size == 0 || size > MOST || !read_whole(request, size) || request[size - 1])
            return 111;
        for (char *at = request; at < request + size && count < WORDS; at += strlen(at) + 1)
            words[count++] = at;
        tally->calls = tally->kept = 0;
        pid_t child = count > 3 ? fork() : -1;
        if (child == 0)
            return run(words, count, environment); // and on to exit, as from any main
        struct rusage used;
        if (child < 0 || wait4(child, &status, 0, &used) != child)
            return 111;
        dprintf(STDOUT_FILENO, "%d %ld %ld %ld\n",
                WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status), (long)tally->calls,
                (long)tally->kept,
                1000 * (long)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                    (long)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000);
    }
    return 0;
}

int __libc_start_main(program_main *program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(program_main *program, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    program_start *start = (program_start *)dlsym(RTLD_NEXT, "__libc_start_main");
    real = program;
    return start(getenv("CAROM_SERVE") ? serve : program, argc, argv, init, fini, rtld_fini,
                 stack_end);
}

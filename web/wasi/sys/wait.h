// No other program, and so none to wait for.
#ifndef CAROM_WEB_SYS_WAIT_H
#define CAROM_WEB_SYS_WAIT_H

#include <errno.h>
#include <sys/types.h>

enum { WNOHANG = 1 };
#define WIFEXITED(code) 0
#define WIFSIGNALED(code) 0
#define WEXITSTATUS(code) 0
#define WTERMSIG(code) 0
static inline pid_t waitpid(pid_t child, int *code, int options)
{
    (void)child, (void)code, (void)options;
    errno = ECHILD;
    return -1;
}

#endif

// Signals where none comes: sets of them are empty, masks change nothing.
#ifndef CAROM_WEB_SIGNAL_H
#define CAROM_WEB_SIGNAL_H

#include_next <signal.h>
#include <__typedef_sigset_t.h>
#include <sys/types.h>
#include <time.h>

struct sigaction {
    void (*sa_handler)(int);
    sigset_t sa_mask;
    int sa_flags;
};
enum { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };
enum { SA_RESTART = 1, SA_RESETHAND = 2 };

static inline int sigemptyset(sigset_t *set)
{
    *set = 0;
    return 0;
}
static inline int sigfillset(sigset_t *set)
{
    *set = 255;
    return 0;
}
static inline int sigaddset(sigset_t *set, int number)
{
    (void)number;
    return sigemptyset(set);
}
static inline int sigismember(const sigset_t *set, int number)
{
    (void)set, (void)number;
    return 0;
}
static inline int sigpending(sigset_t *set)
{
    return sigemptyset(set);
}
static inline int sigtimedwait(const sigset_t *set, void *about, const struct timespec *time)
{
    (void)set, (void)about, (void)time;
    return -1;
}
static inline int sigwait(const sigset_t *set, int *number)
{
    (void)set;
    return *number = 0;
}
static inline int kill(pid_t process, int number)
{
    (void)process, (void)number;
    return -1;
}
static inline int pthread_sigmask(int how, const sigset_t *set, sigset_t *was)
{
    (void)how, (void)set;
    return was ? sigemptyset(was) : 0;
}
static inline int sigprocmask(int how, const sigset_t *set, sigset_t *was)
{
    return pthread_sigmask(how, set, was);
}
static inline int sigaction(int number, const struct sigaction *action, struct sigaction *was)
{
    (void)number, (void)action;
    if (was)
        *was = (struct sigaction){ 0 };
    return 0;
}

#endif

// POSIX threads where there is one: locks hold nothing back, and no further thread can be had. What
// creates threads in Carom goes on without them (base/team.c, view/view_live.c).
#ifndef CAROM_WEB_PTHREAD_H
#define CAROM_WEB_PTHREAD_H

#include <errno.h>
#include <string.h>
#include <sys/types.h> // has the types

#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
        {                                                                                          \
            {                                                                                      \
                0                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define PTHREAD_COND_INITIALIZER                                                                   \
    {                                                                                              \
        {                                                                                          \
            {                                                                                      \
                0                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
#define PTHREAD_ONCE_INIT 0

static inline int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                 void *(*work)(void *), void *argument)
{
    (void)thread, (void)attributes, (void)work, (void)argument;
    return EAGAIN;
}
static inline pthread_t pthread_self(void)
{
    return 0;
}
static inline int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}
static inline int pthread_join(pthread_t thread, void **result)
{
    (void)thread, (void)result;
    return 0;
}
static inline int pthread_once(pthread_once_t *once, void (*call)(void))
{
    if (!*once) {
        *once = 1;
        call();
    }
    return 0;
}
#define CAROM_WEB_NOTHING(name, type)                                                              \
    static inline int name(type *one)                                                              \
    {                                                                                              \
        (void)one;                                                                                 \
        return 0;                                                                                  \
    }
CAROM_WEB_NOTHING(pthread_mutex_lock, pthread_mutex_t)
CAROM_WEB_NOTHING(pthread_mutex_unlock, pthread_mutex_t)
CAROM_WEB_NOTHING(pthread_mutex_destroy, pthread_mutex_t)
CAROM_WEB_NOTHING(pthread_cond_signal, pthread_cond_t)
CAROM_WEB_NOTHING(pthread_cond_broadcast, pthread_cond_t)
CAROM_WEB_NOTHING(pthread_cond_destroy, pthread_cond_t)
#undef CAROM_WEB_NOTHING
static inline int pthread_mutex_init(pthread_mutex_t *lock, const void *attributes)
{
    (void)attributes;
    memset(lock, 0, sizeof *lock);
    return 0;
}
static inline int pthread_cond_init(pthread_cond_t *condition, const void *attributes)
{
    (void)attributes;
    memset(condition, 0, sizeof *condition);
    return 0;
}
static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock)
{
    (void)condition, (void)lock;
    return 0;
}
static inline int pthread_atfork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    (void)before, (void)parent, (void)child;
    return 0;
}

#endif

// No other program can be started.
#ifndef CAROM_WEB_SPAWN_H
#define CAROM_WEB_SPAWN_H

#include <errno.h>
#include <sys/types.h>

typedef int posix_spawn_file_actions_t, posix_spawnattr_t;

static inline int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions)
{
    return *actions = 0;
}
static inline int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions)
{
    return *actions = 0;
}
static inline int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int from,
                                                   int to)
{
    (void)from, (void)to;
    return *actions = 0;
}
static inline int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int file)
{
    (void)file;
    return *actions = 0;
}
static inline int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions, int file,
                                                   const char *path, int flags, unsigned mode)
{
    (void)file, (void)path, (void)flags, (void)mode;
    return *actions = 0;
}
enum { POSIX_SPAWN_SETPGROUP = 1 };
static inline int posix_spawnattr_init(posix_spawnattr_t *attributes)
{
    return *attributes = 0;
}
static inline int posix_spawnattr_destroy(posix_spawnattr_t *attributes)
{
    return *attributes = 0;
}
static inline int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags)
{
    (void)flags;
    return *attributes = 0;
}
static inline int posix_spawnattr_setpgroup(posix_spawnattr_t *attributes, pid_t group)
{
    (void)group;
    return *attributes = 0;
}
static inline int posix_spawnp(pid_t *child, const char *file,
                               const posix_spawn_file_actions_t *actions,
                               const posix_spawnattr_t *attributes, char *const arguments[],
                               char *const environment[])
{
    (void)child, (void)file, (void)actions, (void)attributes, (void)arguments, (void)environment;
    return ENOSYS;
}

#endif

// Closes connections that take too long to ask or to be answered.
#include "view/view_guard.h"

#include <sys/socket.h>
#include "base/clock.h"
#include "view/view_http.h"

// s: for a request to arrive whole (silence is ended earlier), and for an answer to be taken.
static const double arrive = 10, take = 120;

void carom_view_guard_open(carom_view_guard *guard)
{
    pthread_mutex_init(&guard->lock, NULL);
}

void carom_view_guard_close(carom_view_guard *guard)
{
    pthread_mutex_destroy(&guard->lock);
}

// Gives a connection its place; without one (there are as many as connections) it has no limit.
static void enter(carom_view_guard *guard, struct MHD_Connection *connection, void **place)
{
    const union MHD_ConnectionInfo *info =
        carom_view_http_calls.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    for (int i = 0; info && i < CAROM_VIEW_GUARD_MAX; ++i) {
        if (guard->place[i].used)
            continue;
        guard->place[i].used = true;
        guard->place[i].socket = info->connect_fd;
        guard->place[i].until = carom_clock_seconds() + arrive;
        *place = &guard->place[i];
        return;
    }
}

void carom_view_guard_connection(void *self, struct MHD_Connection *connection, void **place,
                                 enum MHD_ConnectionNotificationCode what)
{
    carom_view_guard *guard = self;
    pthread_mutex_lock(&guard->lock);
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        enter(guard, connection, place);
    for (int i = 0; what == MHD_CONNECTION_NOTIFY_CLOSED && i < CAROM_VIEW_GUARD_MAX; ++i)
        if (*place == &guard->place[i])
            guard->place[i].used = false;
    pthread_mutex_unlock(&guard->lock);
}

static void allow(carom_view_guard *guard, struct MHD_Connection *connection, double seconds)
{
    const union MHD_ConnectionInfo *info =
        carom_view_http_calls.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    pthread_mutex_lock(&guard->lock);
    for (int i = 0; info && i < CAROM_VIEW_GUARD_MAX; ++i)
        if (info->socket_context == &guard->place[i])
            guard->place[i].until = carom_clock_seconds() + seconds;
    pthread_mutex_unlock(&guard->lock);
}

void carom_view_guard_answers(carom_view_guard *guard, struct MHD_Connection *connection)
{
    allow(guard, connection, take);
}

void carom_view_guard_completed(void *guard, struct MHD_Connection *connection, void **state,
                                enum MHD_RequestTerminationCode how)
{
    (void)state;
    (void)how;
    allow(guard, connection, arrive); // the next request on the same connection
}

void carom_view_guard_look(carom_view_guard *guard)
{
    double time = carom_clock_seconds();
    pthread_mutex_lock(&guard->lock); // keeps the socket from being closed and used anew meanwhile
    for (int i = 0; i < CAROM_VIEW_GUARD_MAX; ++i)
        if (guard->place[i].used && time > guard->place[i].until)
            shutdown(guard->place[i].socket, SHUT_RDWR);
    pthread_mutex_unlock(&guard->lock);
}

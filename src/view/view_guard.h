// How long a connection may take, however busy it looks: a request to arrive whole, an answer to be
// taken. libmicrohttpd's own timeout is for silence only; a client that sends a byte now and then
// would hold its place for ever.
#ifndef CAROM_VIEW_VIEW_GUARD_H
#define CAROM_VIEW_VIEW_GUARD_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>

enum { CAROM_VIEW_GUARD_MAX = 32 }; // connections

typedef struct carom_view_guard {
    pthread_mutex_t lock;
    struct {
        bool used;
        int socket;
        double until; // s of the monotonic clock
    } place[CAROM_VIEW_GUARD_MAX];
} carom_view_guard;

void carom_view_guard_open(carom_view_guard *guard);
void carom_view_guard_close(carom_view_guard *guard);
// For MHD_OPTION_NOTIFY_CONNECTION and MHD_OPTION_NOTIFY_COMPLETED; the context is the guard.
void carom_view_guard_connection(void *self, struct MHD_Connection *connection, void **place,
                                 enum MHD_ConnectionNotificationCode what);
void carom_view_guard_completed(void *guard, struct MHD_Connection *connection, void **state,
                                enum MHD_RequestTerminationCode how);
// The request is whole; its answer begins.
void carom_view_guard_answers(carom_view_guard *guard, struct MHD_Connection *connection);
// Ends what has taken too long; called now and then.
void carom_view_guard_look(carom_view_guard *guard);

#endif

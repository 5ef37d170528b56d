// The functions of libmicrohttpd that the server calls, loaded when a server is started.
#ifndef CAROM_VIEW_VIEW_HTTP_H
#define CAROM_VIEW_VIEW_HTTP_H

#include <microhttpd.h>
#include "carom/status.h"

#define CAROM_VIEW_HTTP_LIST(X)                                                                    \
    X(start_daemon)                                                                                \
    X(stop_daemon)                                                                                 \
    X(queue_response)                                                                              \
    X(create_response_from_buffer)                                                                 \
    X(destroy_response)                                                                            \
    X(add_response_header)                                                                         \
    X(get_connection_info)                                                                         \
    X(get_connection_values_n)                                                                     \
    X(lookup_connection_value)

typedef struct carom_view_http {
#define X(name) __typeof__(MHD_##name) *name;
    CAROM_VIEW_HTTP_LIST(X)
#undef X
} carom_view_http;

extern carom_view_http carom_view_http_calls; // of the library's names without MHD_

// Before any other; UNSUPPORTED where the library is not installed.
carom_status carom_view_http_load(carom_error *err);

#endif

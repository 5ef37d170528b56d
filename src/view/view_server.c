// The server: a handful of exact paths, nothing from the disk but the files named at the start.
// Every request is a GET without a body, but for one POST, also without, that changes a run.
//
// A page of another site may try to talk to a server on this machine. Three things keep it out: the
// Host must be literally one of ours (no rebinding of names), an Origin must be ours, and without
// cookies there is nothing to steal with. Off the loopback every request also needs a token.
#include "base/error.h"
#include "carom/view.h"
#include "view/view_assets.h"
#include "view/view_guard.h"
#include "view/view_http.h"
#include "view/view_request.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    MEMORY = 16 * 1024, // per connection: longer headers are refused
    PATIENCE = 6,       // s of silence
    RECORDINGS = 16,
    HOSTS = 3,
    WATCH = 250, // ms between looks at files and connections
};

static const carom_view_http *const http = &carom_view_http_calls;

struct carom_view {
    struct MHD_Daemon *daemon;
    carom_view_source *sources[RECORDINGS];
    int count;
    bool open; // off the loopback: a token is asked for
    char token[33];
    char hosts[HOSTS][80]; // what a Host header may say
    int host_count;
    char link[160];
    carom_view_guard guard;
    pthread_t watcher; // looks after files and connections
    bool watching, ended;
    pthread_mutex_t lock; // of `ended`
    pthread_cond_t end;
};

// -- answers ------------------------------------------------------------------------------------

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned code, const char *type,
                              struct MHD_Response *response)
{
    static const char *const headers[][2] = {
        { "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' "
          "data: blob:; connect-src 'self'; font-src data:; base-uri 'none'; form-action 'none'; "
          "frame-ancestors "
          "'none'" },
        { "X-Content-Type-Options", "nosniff" },
        { "Referrer-Policy", "no-referrer" },
        { "Cache-Control", "no-store" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "Cross-Origin-Opener-Policy", "same-origin" },
    };
    if (!response)
        return MHD_NO;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; ++i)
        http->add_response_header(response, headers[i][0], headers[i][1]);
    http->add_response_header(response, "Content-Type", type);
    enum MHD_Result result = http->queue_response(connection, code, response);
    http->destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned code, const char *words)
{
    return answer(
        connection, code, "text/plain; charset=utf-8",
        http->create_response_from_buffer(strlen(words), (void *)words, MHD_RESPMEM_MUST_COPY));
}

// Takes over the text.
static enum MHD_Result answer_text(struct MHD_Connection *connection, carom_text *text,
                                   const char *type, carom_status status, const carom_error *err)
{
    if (status != CAROM_OK || text->failed) {
        carom_text_free(text);
        return refuse(connection,
                      status == CAROM_BAD_INPUT || status == CAROM_UNSUPPORTED
                          ? MHD_HTTP_BAD_REQUEST
                          : MHD_HTTP_INTERNAL_SERVER_ERROR,
                      err->what[0] ? err->what : "no memory\n");
    }
    if (!text->bytes)
        return answer(connection, MHD_HTTP_OK, type,
                      http->create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT));
    return answer(
        connection, MHD_HTTP_OK, type,
        http->create_response_from_buffer(text->length, text->bytes, MHD_RESPMEM_MUST_FREE));
}

// -- who asks -----------------------------------------------------------------------------------

static bool is_ours(const carom_view *view, const char *host)
{
    for (int i = 0; host && i < view->host_count; ++i)
        if (strcmp(host, view->hosts[i]) == 0)
            return true;
    return false;
}

static bool allowed(const carom_view *view, struct MHD_Connection *connection)
{
    const char *host = http->lookup_connection_value(connection, MHD_HEADER_KIND, "Host");
    const char *origin = http->lookup_connection_value(connection, MHD_HEADER_KIND, "Origin");
    if (!is_ours(view, host))
        return false;
    if (origin && (strncmp(origin, "http://", 7) != 0 || !is_ours(view, origin + 7)))
        return false;
    if (!view->open)
        return true;
    const char *token = http->lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
    unsigned differ = !token || strlen(token) != sizeof view->token - 1;
    for (size_t i = 0; !differ && i + 1 < sizeof view->token; ++i)
        differ |= (unsigned)(token[i] ^ view->token[i]);
    return !differ;
}

// -- what is asked ------------------------------------------------------------------------------

static const char *value_of(const void *connection, const char *key)
{
    return http->lookup_connection_value((struct MHD_Connection *)connection, MHD_GET_ARGUMENT_KIND,
                                         key);
}

static enum MHD_Result answer_part(carom_view *view, struct MHD_Connection *connection,
                                   const carom_view_request_part *part)
{
    carom_view_request request = { value_of, connection };
    carom_view_source *source = carom_view_request_source(request, view->sources, view->count);
    if (!source)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "there is no such source\n");
    carom_text text = { 0 };
    carom_error err = { 0 };
    carom_status status = carom_view_request_answer(source, part, request, &text, &err);
    return answer_text(connection, &text,
                       carom_view_request_is_json(part) ? "application/json"
                                                        : "application/octet-stream",
                       status, &err);
}

// The only thing that changes anything: a POST from our own page, all of it in the address.
static enum MHD_Result control(carom_view *view, struct MHD_Connection *connection)
{
    carom_error err = { 0 };
    carom_view_request request = { value_of, connection };
    carom_view_source *source = carom_view_request_source(request, view->sources, view->count);
    if (!http->lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"))
        return refuse(connection, MHD_HTTP_FORBIDDEN, "changes come from the page only\n");
    if (!source)
        return refuse(connection, MHD_HTTP_NOT_FOUND, "there is no such source\n");
    carom_text text = { 0 };
    carom_status status = carom_view_request_change(source, request, &err);
    carom_text_add(&text, "{}\n");
    return answer_text(connection, &text, "application/json", status, &err);
}

static enum MHD_Result route(carom_view *view, struct MHD_Connection *connection, const char *path)
{
    for (int i = 0; i < CAROM_VIEW_ASSETS; ++i) {
        const carom_view_asset *asset = &carom_view_assets[i];
        if (strcmp(path, asset->path) == 0)
            return answer(connection, MHD_HTTP_OK, asset->type,
                          http->create_response_from_buffer(asset->size, (void *)asset->bytes,
                                                            MHD_RESPMEM_PERSISTENT));
    }
    if (strcmp(path, "/sources") == 0) {
        carom_text text = { 0 };
        carom_error err = { 0 };
        carom_text_add(&text, "{ \"sources\": %d }\n", view->count);
        return answer_text(connection, &text, "application/json", CAROM_OK, &err);
    }
    const carom_view_request_part *part = path[0] == '/' ? carom_view_request_find(path + 1) : NULL;
    if (part)
        return answer_part(view, connection, part);
    return refuse(connection, MHD_HTTP_NOT_FOUND, "there is nothing here\n");
}

// Requests that one server reads like this and another like that are refused whole: bytes that end
// a text early, a path that does not begin with a slash, more than one blank before it, a length,
// host, origin or parameter that stands there twice, names of headers with other characters than
// names have, and bytes that belong to no text that was read: behind a NUL the library forgets the
// rest of a line, but not how long the request was.
static char malformed; // its address is the state of such a request before it is whole

// The library skips blanks before the path and hands over the rest of the line where it lies,
// behind the method: one blank has become the method's end, a second is still there. What a sound
// request gets is the end of its address, behind which the version has to stand.
static void *look_at_uri(void *unused, const char *uri, struct MHD_Connection *connection)
{
    (void)unused, (void)connection;
    bool good = uri[0] == '/' && uri[-1] == 0 && !strstr(uri, "%00");
    const char *c = uri;
    for (; good && *c; ++c)
        good = (unsigned char)*c > ' ' && (unsigned char)*c < 127;
    return good ? (void *)c : &malformed;
}

typedef struct inspection {
    struct MHD_Connection *connection;
    ptrdiff_t size; // of the lines that were read, with their ends
    int lengths;
    bool flawed;
} inspection;

static bool is_once(const char *key)
{
    static const char *const once[] = { "Host", "Origin", "Content-Length", "Transfer-Encoding" };
    for (size_t i = 0; i < sizeof once / sizeof *once; ++i)
        if (strcasecmp(key, once[i]) == 0)
            return true;
    return false;
}

static enum MHD_Result inspect(void *context, enum MHD_ValueKind kind, const char *key,
                               size_t key_size, const char *value, size_t value_size)
{
    inspection *all = context;
    const char *first = http->lookup_connection_value(all->connection, kind, key);
    bool header = kind == MHD_HEADER_KIND;
    if (header && value) // both lie in the line
        all->size += value + strlen(value) + 2 - key;
    all->lengths += header && (strcasecmp(key, "Content-Length") == 0 ||
                               strcasecmp(key, "Transfer-Encoding") == 0);
    all->flawed = all->flawed || strlen(key) != key_size ||
                  (value && strlen(value) != value_size) || (header && strpbrk(key, " \t")) ||
                  ((!header || is_once(key)) && first != value);
    return MHD_YES;
}

static bool is_malformed(struct MHD_Connection *connection, const void *state, const char *method,
                         const char *version)
{
    inspection all = { .connection = connection };
    if (state == &malformed || version != (const char *)state + 1)
        return true;
    http->get_connection_values_n(connection, MHD_HEADER_KIND, inspect, &all);
    http->get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, inspect, &all);
    ptrdiff_t read = version + strlen(version) + 2 - method + all.size + 2;
    const union MHD_ConnectionInfo *sent =
        http->get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return all.flawed || all.lengths > 1 || !sent || (size_t)read != sent->header_size;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *body,
                              size_t *body_size, void **state)
{
    static char begun, refused;
    carom_view *view = context;
    (void)body;
    if (*state == &refused ||
        (*state != &begun && is_malformed(connection, *state, method, version))) {
        if (*state == &refused)
            return refuse(connection, MHD_HTTP_BAD_REQUEST, "the request is malformed\n");
        *state = &refused;
        return MHD_YES;
    }
    bool changes = strcmp(method, "POST") == 0 && strcmp(url, "/control") == 0;
    if (!changes && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET\n");
    if (*body_size)
        return MHD_NO;      // nothing is ever sent to us
    if (*state != &begun) { // answers are given at the second call, when the request is whole
        *state = &begun;
        return MHD_YES;
    }
    carom_view_guard_answers(&view->guard, connection);
    if (!allowed(view, connection))
        return refuse(connection, MHD_HTTP_FORBIDDEN,
                      "this address is not served; use the link that carom printed\n");
    return changes ? control(view, connection) : route(view, connection, url);
}

// -- opening and closing ------------------------------------------------------------------------

static void name_hosts(carom_view *view, const char *address, int port)
{
    const char *names[HOSTS] = { address, "localhost", NULL };
    view->host_count = 0;
    if (strcmp(address, "127.0.0.1") != 0)
        names[1] = NULL;
    for (int i = 0; i < HOSTS && names[i]; ++i)
        snprintf(view->hosts[view->host_count++], sizeof view->hosts[0], "%.60s:%d", names[i],
                 port);
    snprintf(view->link, sizeof view->link, "http://%s/%s%s", view->hosts[0],
             view->open ? "?token=" : "", view->open ? view->token : "");
}

static carom_status make_token(carom_view *view, carom_error *err)
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return carom_error_set(err, CAROM_IO_FAILED, "no random numbers for a token");
    for (size_t i = 0; i < sizeof bytes; ++i)
        snprintf(view->token + 2 * i, 3, "%02x", bytes[i]);
    return CAROM_OK;
}

// A socket that listens, with its port; -1 where there is none. The names that the server goes by
// contain the port, and must stand before the first request is read.
static int listen_on(struct sockaddr_in *address)
{
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), yes = 1;
    socklen_t size = sizeof *address;
    if (listener < 0)
        return -1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr *)address, size) == 0 && listen(listener, 64) == 0 &&
        getsockname(listener, (struct sockaddr *)address, &size) == 0)
        return listener;
    close(listener);
    return -1;
}

static carom_status start(carom_view *view, const carom_view_options *options, carom_error *err)
{
    const char *address = options->listen ? options->listen : "127.0.0.1";
    struct sockaddr_in at = { .sin_family = AF_INET };
    TRY(carom_view_http_load(err));
    if (options->port < 0 || options->port > 65535)
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no port %d", options->port);
    at.sin_port = htons((uint16_t)options->port);
    if (inet_pton(AF_INET, address, &at.sin_addr) != 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "\"%.60s\" is no address to listen on", address);
        return carom_error_fix(err, "write four numbers, for instance 192.168.0.7");
    }
    if (at.sin_addr.s_addr == htonl(INADDR_ANY)) {
        carom_error_set(err, CAROM_BAD_INPUT, "0.0.0.0 is every address of this machine");
        return carom_error_fix(err, "name the one address that the browser will use");
    }
    view->open = (ntohl(at.sin_addr.s_addr) >> 24) != 127;
    if (view->open)
        TRY(make_token(view, err));
    int listener = listen_on(&at);
    name_hosts(view, address, ntohs(at.sin_port));
    if (listener >= 0)
        view->daemon = http->start_daemon(
            MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handle, view,
            MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_URI_LOG_CALLBACK, look_at_uri, NULL,
            MHD_OPTION_CONNECTION_LIMIT, (unsigned)CAROM_VIEW_GUARD_MAX,
            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY, MHD_OPTION_CONNECTION_TIMEOUT,
            (unsigned)PATIENCE, MHD_OPTION_NOTIFY_CONNECTION, carom_view_guard_connection,
            &view->guard, MHD_OPTION_NOTIFY_COMPLETED, carom_view_guard_completed, &view->guard,
            MHD_OPTION_END);
    if (!view->daemon) {
        if (listener >= 0)
            close(listener);
        carom_error_set(err, CAROM_IO_FAILED, "cannot listen on %.60s, port %d", address,
                        options->port);
        return carom_error_fix(err, "choose another --port, or none for a free one");
    }
    return CAROM_OK;
}

// -- files that change, connections that stay -----------------------------------------------------

static void *watch(void *self)
{
    carom_view *view = self;
    pthread_mutex_lock(&view->lock);
    while (!view->ended) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WATCH * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&view->end, &view->lock, &until);
        pthread_mutex_unlock(&view->lock);
        for (int i = 0; i < view->count; ++i)
            carom_view_source_refresh(view->sources[i]);
        carom_view_guard_look(&view->guard);
        pthread_mutex_lock(&view->lock);
    }
    pthread_mutex_unlock(&view->lock);
    return NULL;
}

carom_status carom_view_open(carom_view_source *const *sources, int count,
                             const carom_view_options *options, carom_view **out, carom_error *err)
{
    NEED(err, sources, out);
    *out = NULL;
    if (count < 1 || count > RECORDINGS)
        return carom_error_set(err, CAROM_BAD_INPUT, "%d sources; 1 to %d can be shown", count,
                               RECORDINGS);
    carom_view *view = calloc(1, sizeof *view);
    if (!view)
        return carom_error_no_memory(err, "a viewer");
    memcpy(view->sources, sources, (size_t)count * sizeof *sources);
    view->count = count;
    pthread_mutex_init(&view->lock, NULL);
    pthread_cond_init(&view->end, NULL);
    carom_view_guard_open(&view->guard);
    carom_status status = start(view, options, err);
    view->watching = status == CAROM_OK && pthread_create(&view->watcher, NULL, watch, view) == 0;
    if (status != CAROM_OK)
        carom_view_close(view);
    else
        *out = view;
    return status;
}

const char *carom_view_link(const carom_view *view)
{
    return view->link;
}

void carom_view_close(carom_view *view)
{
    if (!view)
        return;
    if (view->daemon)
        http->stop_daemon(view->daemon);
    if (view->watching) {
        pthread_mutex_lock(&view->lock);
        view->ended = true;
        pthread_cond_signal(&view->end);
        pthread_mutex_unlock(&view->lock);
        pthread_join(view->watcher, NULL);
    }
    carom_view_guard_close(&view->guard);
    pthread_cond_destroy(&view->end);
    pthread_mutex_destroy(&view->lock);
    free(view);
}

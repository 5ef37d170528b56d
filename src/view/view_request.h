// What a page asks of sources, apart from how the question comes: by a request (view_server.c) or
// by a call (web/module.c). Both have texts by name ("first" = "12"), which a function looks up.
#ifndef CAROM_VIEW_VIEW_REQUEST_H
#define CAROM_VIEW_VIEW_REQUEST_H

#include "view/view_source.h"

typedef struct carom_view_request {
    const char *(*value)(const void *from, const char *key); // null where there is none
    const void *from;
} carom_view_request;

// A part that can be asked for: its name, and whether it is JSON (else bytes).
typedef struct carom_view_request_part carom_view_request_part;
const carom_view_request_part *carom_view_request_find(const char *name);
bool carom_view_request_is_json(const carom_view_request_part *part);

// The source that "source" names; null where there is none.
carom_view_source *carom_view_request_source(carom_view_request request,
                                             carom_view_source *const *sources, int count);
// Appends the answer.
carom_status carom_view_request_answer(carom_view_source *source,
                                       const carom_view_request_part *part,
                                       carom_view_request request, carom_text *text,
                                       carom_error *err);
// Changes a run as asked.
carom_status carom_view_request_change(carom_view_source *source, carom_view_request request,
                                       carom_error *err);

#endif

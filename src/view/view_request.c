// Questions of a page: frames by number, contacts and values of a frame, news since a frame, and
// the one thing that changes something, the settings of a run. Nothing here knows where the
// question came from.
#include "view/view_request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "view/view_recording.h"

enum { MAX_BYTES = 64 << 20 }; // of frames in one answer

struct carom_view_request_part {
    const char *name;
    bool json;
    carom_status (*answer)(const carom_view_source_locked *locked, carom_view_request request,
                           carom_text *text, carom_error *err);
};

static bool integer(carom_view_request request, const char *key, int64_t max, int64_t *out)
{
    const char *text = request.value(request.from, key);
    *out = 0;
    if (!text || !*text || strlen(text) > 12 || strspn(text, "0123456789") != strlen(text))
        return false;
    *out = strtoll(text, NULL, 10);
    return *out <= max;
}

// -- answers --------------------------------------------------------------------------------------

static carom_status describe(const carom_view_source_locked *locked, carom_view_request request,
                             carom_text *text, carom_error *err)
{
    (void)request;
    return locked->ops->describe(locked->self, text, err);
}

static carom_status surfaces(const carom_view_source_locked *locked, carom_view_request request,
                             carom_text *text, carom_error *err)
{
    (void)request;
    return locked->ops->surfaces(locked->self, text, err);
}

static carom_status frames(const carom_view_source_locked *locked, carom_view_request request,
                           carom_text *text, carom_error *err)
{
    int64_t all = locked->ops->count(locked->self), first, count;
    if (!integer(request, "first", all - 1, &first) ||
        !integer(request, "count", all - first, &count))
        return carom_error_set(err, CAROM_BAD_INPUT, "first and count name no frames");
    int64_t bytes = (int64_t)locked->ops->bodies(locked->self) * CAROM_VIEW_FLOATS * 4;
    if (count > 1 && bytes * count > MAX_BYTES)
        count = MAX_BYTES / bytes > 0 ? MAX_BYTES / bytes : 1;
    return locked->ops->frames(locked->self, first, count, text, err);
}

typedef carom_status (*of_frame)(void *self, int64_t index, carom_text *bytes, carom_error *err);

static carom_status of_one_frame(const carom_view_source_locked *locked, of_frame part,
                                 carom_view_request request, carom_text *text, carom_error *err)
{
    int64_t index;
    if (!part || !integer(request, "frame", locked->ops->count(locked->self) - 1, &index))
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no such frame");
    return part(locked->self, index, text, err);
}

static carom_status contacts(const carom_view_source_locked *locked, carom_view_request request,
                             carom_text *text, carom_error *err)
{
    return of_one_frame(locked, locked->ops->contacts, request, text, err);
}

static carom_status values(const carom_view_source_locked *locked, carom_view_request request,
                           carom_text *text, carom_error *err)
{
    return of_one_frame(locked, locked->ops->values, request, text, err);
}

static carom_status news(const carom_view_source_locked *locked, carom_view_request request,
                         carom_text *text, carom_error *err)
{
    int64_t have;
    if (!integer(request, "have", INT64_MAX, &have))
        return carom_error_set(err, CAROM_BAD_INPUT, "have is no number of frames");
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_integer(json, "generation", locked->generation);
    if (locked->trouble)
        carom_json_string(json, "unreadable", locked->trouble);
    if (locked->ops->news)
        locked->ops->news(locked->self, have, json);
    return carom_view_recording_finish(json, CAROM_OK, text, err);
}

static const carom_view_request_part parts[] = {
    { "describe", true, describe },  { "surfaces", false, surfaces }, { "frames", false, frames },
    { "contacts", false, contacts }, { "values", false, values },     { "news", true, news },
};

const carom_view_request_part *carom_view_request_find(const char *name)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (strcmp(name, parts[i].name) == 0)
            return &parts[i];
    return NULL;
}

bool carom_view_request_is_json(const carom_view_request_part *part)
{
    return part->json;
}

carom_view_source *carom_view_request_source(carom_view_request request,
                                             carom_view_source *const *sources, int count)
{
    int64_t number;
    return integer(request, "source", count - 1, &number) ? sources[number] : NULL;
}

carom_status carom_view_request_answer(carom_view_source *source,
                                       const carom_view_request_part *part,
                                       carom_view_request request, carom_text *text,
                                       carom_error *err)
{
    carom_view_source_locked locked = carom_view_source_lock(source);
    carom_status status = part->answer(&locked, request, text, err);
    carom_view_source_unlock(source);
    return status;
}

// -- changes --------------------------------------------------------------------------------------

// A number; false where there is something else.
static bool number(carom_view_request request, const char *key, bool *given, double *out)
{
    const char *text = request.value(request.from, key);
    char *end;
    *given = text != NULL;
    if (!text)
        return true;
    *out = strtod(text, &end);
    return *text && !*end && strlen(text) < 40 && isfinite(*out);
}

// Three numbers, all of them or none.
static bool vector(carom_view_request request, const char *name, bool *given, double out[3])
{
    bool one[3];
    for (int i = 0; i < 3; ++i) {
        char key[24];
        snprintf(key, sizeof key, "%s_%c", name, 'x' + i);
        if (!number(request, key, &one[i], &out[i]) || one[i] != one[0])
            return false;
    }
    *given = one[0];
    return true;
}

static bool read_change(carom_view_request request, carom_view_change *change)
{
    *change = (carom_view_change){ .body = -1, .law = request.value(request.from, "law") };
    change->undo = request.value(request.from, "undo") != NULL;
    bool thrown = request.value(request.from, "body") != NULL;
    if (change->undo)
        return true;
    return number(request, "restitution", &change->has_restitution, &change->restitution) &&
           number(request, "friction", &change->has_friction, &change->friction) &&
           vector(request, "gravity", &change->has_gravity, change->gravity) &&
           vector(request, "position", &change->has_position, change->position) &&
           vector(request, "velocity", &change->has_velocity, change->velocity) &&
           (!thrown || integer(request, "body", INT32_MAX, &change->body)) &&
           integer(request, "from", INT64_MAX, &change->from);
}

carom_status carom_view_request_change(carom_view_source *source, carom_view_request request,
                                       carom_error *err)
{
    carom_view_change change;
    if (!read_change(request, &change))
        return carom_error_set(err, CAROM_BAD_INPUT, "that is no change");
    return carom_view_source_change(source, &change, err);
}

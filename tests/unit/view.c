// What can be shown: every kind of file gives a sound description and numbers that fit it; a run
// that goes on takes changes.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "support/check.h"
#include "view/view_source.h"

typedef struct shown {
    carom_view_source *source;
    carom_view_source_locked at;
    json_t *about;
} shown;

static shown open_source(const char *path, const char *law)
{
    shown s = { 0 };
    carom_error err = { 0 };
    carom_text text = { 0 };
    carom_status status = carom_view_source_open(path, law, &s.source, &err);
    CHECK(status == CAROM_OK, "%s opens: %s", path, err.what);
    if (status != CAROM_OK)
        return s;
    s.at = carom_view_source_lock(s.source);
    if (s.at.ops->finish)
        s.at.ops->finish(s.at.self);
    CHECK(s.at.ops->describe(s.at.self, &text, &err) == CAROM_OK, "%s is described", path);
    s.about = json_loadb(text.bytes, text.length, JSON_REJECT_DUPLICATES, NULL);
    CHECK(s.about, "%s: the description is JSON", path);
    carom_text_free(&text);
    return s;
}

static void close_source(shown *s)
{
    json_decref(s->about);
    if (s->source)
        carom_view_source_unlock(s->source);
    carom_view_source_close(s->source);
}

static size_t length_of(const shown *s, const char *key)
{
    return json_array_size(json_object_get(s->about, key));
}

// Bytes of all surfaces, from the description.
static size_t surface_bytes(const shown *s)
{
    size_t i, sum = 0;
    json_t *form, *forms = json_object_get(s->about, "forms");
    json_array_foreach(forms, i, form)
    {
        size_t vertices = (size_t)json_integer_value(json_object_get(form, "vertices"));
        size_t channels = (size_t)json_integer_value(json_object_get(form, "channels"));
        sum += 4 * vertices * (6 + channels) +
               4 * (size_t)json_integer_value(json_object_get(form, "indices"));
    }
    return sum;
}

static void check_frames(const char *path, const shown *s)
{
    carom_error err = { 0 };
    carom_text bytes = { 0 };
    int64_t count = s->at.ops->count(s->at.self);
    size_t bodies = s->at.ops->bodies(s->at.self), i;
    json_t *body, *curve;
    CHECK(count == json_integer_value(json_object_get(s->about, "frames")) &&
              (size_t)count == length_of(s, "times"),
          "%s: as many times as frames", path);
    size_t described = 0;
    json_array_foreach(json_object_get(s->about, "bodies"), i, body)
    {
        described += 1 + (size_t)json_integer_value(json_object_get(body, "alike"));
        CHECK((size_t)json_integer_value(json_object_get(body, "form")) < length_of(s, "forms"),
              "%s: body %zu has a form", path, i);
    }
    CHECK(bodies == described, "%s: as many bodies as described", path);
    json_array_foreach(json_object_get(s->about, "ledger"), i, curve)
        CHECK(json_array_size(json_object_get(curve, "values")) == (size_t)count,
              "%s: curve %zu has a value per frame", path, i);
    CHECK(s->at.ops->frames(s->at.self, 0, count, &bytes, &err) == CAROM_OK &&
              bytes.length == (size_t)count * bodies * 4 * CAROM_VIEW_FLOATS,
          "%s: 13 numbers per body and frame", path);
    const float *numbers = (const float *)(const void *)bytes.bytes;
    int wild = 0;
    for (size_t k = 0; k < bytes.length / 4; ++k)
        wild += !isfinite(numbers[k]);
    CHECK(wild == 0, "%s: all of them finite", path);
    carom_text_free(&bytes);
    CHECK(s->at.ops->contacts(s->at.self, count - 1, &bytes, &err) == CAROM_OK &&
              bytes.length % (4 * CAROM_VIEW_CONTACT_FLOATS) == 0,
          "%s: 12 numbers per contact", path);
    carom_text_free(&bytes);
}

static shown check_kind(const char *path, const char *law, const char *kind)
{
    shown s = open_source(path, law);
    carom_error err = { 0 };
    carom_text bytes = { 0 };
    if (!s.about)
        return s;
    CHECK(strcmp(json_string_value(json_object_get(s.about, "kind")), kind) == 0, "%s is a %s",
          path, kind);
    check_frames(path, &s);
    CHECK(s.at.ops->surfaces(s.at.self, &bytes, &err) == CAROM_OK &&
              bytes.length == surface_bytes(&s),
          "%s: surfaces as large as described", path);
    carom_text_free(&bytes);
    if (json_object_get(s.about, "values")) {
        CHECK(s.at.ops->values(s.at.self, 0, &bytes, &err) == CAROM_OK &&
                  bytes.length == 4 * s.at.ops->bodies(s.at.self),
              "%s: a value per body", path);
        carom_text_free(&bytes);
    }
    return s;
}

static void kinds(void)
{
    static const struct {
        const char *path, *law, *kind;
    } list[] = {
        { "scenes/impact/pool-break.json", "wave", "impact" },
        { "scenes/impact/box-floor.json", NULL, "impact" },
        { "scenes/impact/wedge.json", "springs", "impact" },
        { "scenes/impact/galperin.json", "qce", "impact" },
        { "scenes/tower/diamond4.json", NULL, "tower" },
        { "scenes/tower/pendulum.json", NULL, "tower" },
        { "scenes/tower/tipping.json", NULL, "tower" },
        { "scenes/chain/fig7_cylinders.json", NULL, "chain" },
        { "scenes/chain/fig5_hertz.json", NULL, "chain" },
        { "scenes/chain/bar_on_wall.json", NULL, "chain" },
        { "scenes/world/dropped-ball.json", NULL, "live" },
        { "scenes/world/cradle-strings.json", "qce", "live" },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
        char path[512];
        snprintf(path, sizeof path, CAROM_SOURCE_DIR "/%s", list[i].path);
        shown s = check_kind(path, list[i].law, list[i].kind);
        if (list[i].law && s.about)
            CHECK(strcmp(json_string_value(json_object_get(s.about, "law")), list[i].law) == 0,
                  "%s is by %s", path, list[i].law);
        close_source(&s);
    }
}

// The velocities of the last sweep are those of the outcome: energy is kept in an elastic impact.
static void sweeps(void)
{
    shown s = open_source(CAROM_SOURCE_DIR "/scenes/impact/pool-break.json", "qce");
    json_t *kinetic =
        json_object_get(json_array_get(json_object_get(s.about, "ledger"), 0), "values");
    size_t count = json_array_size(kinetic);
    double first = json_number_value(json_array_get(kinetic, 0)),
           last = json_number_value(json_array_get(kinetic, count - 1));
    CHECK(count > 26, "before, sweeps, after: %zu frames", count);
    CHECK_NEAR(last, first, 1e-12 * first, "energy after the last sweep as before the first");
    CHECK(length_of(&s, "labels") == count, "every frame has its name");
    close_source(&s);
}

static double number_at(const shown *s, const char *curve, size_t index)
{
    size_t i;
    json_t *one;
    json_array_foreach(
        json_object_get(s->about, "ledger"), i,
        one) if (strcmp(json_string_value(json_object_get(one, "name")), curve) ==
                 0) return json_number_value(json_array_get(json_object_get(one, "values"), index));
    return NAN;
}

static void again(shown *s)
{
    carom_error err = { 0 };
    carom_text text = { 0 };
    s->at = carom_view_source_lock(s->source);
    s->at.ops->finish(s->at.self);
    json_decref(s->about);
    s->at.ops->describe(s->at.self, &text, &err);
    s->about = json_loadb(text.bytes, text.length, 0, NULL);
    carom_text_free(&text);
}

// A ball without bounce from a moment on: before, nothing changes, bit by bit; after, it lies.
static void changes(void)
{
    shown s = open_source(CAROM_SOURCE_DIR "/scenes/world/dropped-ball.json", NULL);
    carom_error err = { 0 };
    if (!s.about)
        return;
    size_t count = length_of(&s, "times"), from = count / 3;
    double kept = number_at(&s, "potential", from), end = number_at(&s, "potential", count - 1);
    carom_view_source_unlock(s.source);
    carom_view_change change = { .has_restitution = true, .restitution = 0, .from = (int64_t)from };
    CHECK(carom_view_source_change(s.source, &change, &err) == CAROM_OK, "changed: %s", err.what);
    again(&s);
    CHECK(s.at.generation == 1, "everything is to be asked for again");
    CHECK(length_of(&s, "times") == count, "as long as before");
    CHECK(number_at(&s, "potential", from) == kept, "what was before stays");
    CHECK(number_at(&s, "potential", count - 1) < end, "what comes is another");
    CHECK_NEAR(number_at(&s, "potential", count - 1), 9.81 * 0.1, 1e-5,
               "it lies on the floor (to the slop)");
    carom_view_source_unlock(s.source);
    change = (carom_view_change){ .has_restitution = true, .restitution = 2 };
    CHECK(carom_view_source_change(s.source, &change, &err) == CAROM_BAD_INPUT,
          "2 is no restitution");
    change = (carom_view_change){ .law = "nonsense" };
    CHECK(carom_view_source_change(s.source, &change, &err) == CAROM_BAD_INPUT, "nor that a law");
    change = (carom_view_change){ .law = "gr", .has_gravity = true, .gravity = { 0, 0, 0 } };
    CHECK(carom_view_source_change(s.source, &change, &err) == CAROM_OK, "weightless by gr");
    again(&s);
    CHECK(number_at(&s, "kinetic", length_of(&s, "times") - 1) == 0, "it floats");
    CHECK(strcmp(json_string_value(json_object_get(s.about, "law")), "gr") == 0, "by gr");
    close_source(&s);
}

// A file is read again when it has changed and rests; one that cannot be read leaves the old one.
static void reading_again(void)
{
    char path[] = "/tmp/carom-view-XXXXXX";
    static const char *const texts[] = {
        "{\"carom\":1,\"kind\":\"world\",\"duration\":0.01,\"bodies\":[{\"shape\":{\"sphere\":1}}]"
        "}",
        "{\"carom\":1,\"kind\":\"world\",\"bodyes\":1}",
        "{\"carom\":1,\"kind\":\"world\",\"duration\":0.01,\"bodies\":[{\"shape\":{\"sphere\":1}},"
        "{\"shape\":{\"sphere\":1},\"position\":[5,0,0]}]}",
    };
    int handle = mkstemp(path);
    carom_view_source *source = NULL;
    carom_error err = { 0 };
    CHECK(handle >= 0, "a file");
    for (int i = 0; i < 3; ++i) {
        FILE *file = fopen(path, "w");
        fputs(texts[i], file);
        fclose(file);
        if (i == 0)
            CHECK(carom_view_source_open(path, NULL, &source, &err) == CAROM_OK, "%s", err.what);
        carom_view_source_refresh(source); // seen to change
        carom_view_source_refresh(source); // and to rest
        carom_view_source_locked at = carom_view_source_lock(source);
        CHECK(at.generation == i / 2, "file %d: generation %d", i, (int)at.generation);
        CHECK((at.trouble != NULL) == (i == 1), "file %d: %s", i, at.trouble ? at.trouble : "good");
        CHECK(at.ops->bodies(at.self) == (i == 2 ? 2u : 1u), "file %d: bodies", i);
        carom_view_source_unlock(source);
    }
    carom_view_source_close(source);
    close(handle);
    unlink(path);
}

static void mistakes(void)
{
    static const struct {
        const char *path;
        carom_status status;
    } list[] = {
        { CAROM_SOURCE_DIR "/scenes/nowhere.json", CAROM_IO_FAILED },
        { CAROM_SOURCE_DIR "/scenes/bounce/kernel.json", CAROM_UNSUPPORTED },
        { CAROM_SOURCE_DIR "/scenes/chain/frame.json", CAROM_UNSUPPORTED },
        { CAROM_SOURCE_DIR "/README.md", CAROM_BAD_INPUT },
        { "-", CAROM_BAD_INPUT },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
        carom_view_source *source = NULL;
        carom_error err = { 0 };
        carom_status status = carom_view_source_open(list[i].path, NULL, &source, &err);
        CHECK(status == list[i].status && !source && err.what[0] && err.fix[0], "%s: %d (%s; %s)",
              list[i].path, (int)status, err.what, err.fix);
    }
}

int main(void)
{
    kinds();
    sweeps();
    changes();
    reading_again();
    mistakes();
    return check_report();
}

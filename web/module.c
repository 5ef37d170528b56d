// The module that pages and programs of JavaScript load: the command, the viewer's sources, an instant, and the pass for
// other engines, by calls. Texts come in as bytes that end with zero, in memory from carom_web_reserve; several values as
// lines "key=value". Whatever fails leaves its error for carom_web_error.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/text.h"
#include "carom/carom.h"
#include "view/view_request.h"

#define EXPORT(name) __attribute__((export_name(#name)))

enum { MAX_SOURCES = 16, MAX_ARGUMENTS = 64 };

static carom_view_source *sources[MAX_SOURCES];
static int source_count;
static carom_text answer;
static carom_error failure;
static carom_workspace *workspace;

int main(int argc, char **argv); // of cli/main.c

// -- memory and errors ----------------------------------------------------------------------------

EXPORT(carom_web_reserve) void *carom_web_reserve(size_t size)
{
    return malloc(size ? size : 1);
}

EXPORT(carom_web_release) void carom_web_release(void *place)
{
    free(place);
}

// For functions that take a carom_error.
EXPORT(carom_web_failure) carom_error *carom_web_failure(void)
{
    failure = (carom_error){ 0 };
    return &failure;
}

static void begin_answer(void)
{
    carom_text_free(&answer);
    answer = (carom_text){ 0 };
}

// The last error as JSON: status, what, where, fix.
EXPORT(carom_web_error) const char *carom_web_error(void)
{
    begin_answer();
    carom_text_add(&answer, "{ \"status\": %d, \"what\": ", (int)failure.status);
    carom_text_add_quoted(&answer, failure.what);
    carom_text_add(&answer, ", \"where\": ");
    carom_text_add_quoted(&answer, failure.where);
    carom_text_add(&answer, ", \"fix\": ");
    carom_text_add_quoted(&answer, failure.fix);
    carom_text_add(&answer, " }");
    return answer.bytes;
}

// -- the command ------------------------------------------------------------------------------------

// Runs `carom` with one argument per line; returns its exit code. Files are those of the page's own file system.
EXPORT(carom_web_command) int carom_web_command(char *lines)
{
    char *arguments[MAX_ARGUMENTS + 2] = { "carom" };
    int count = 1;
    for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
        if (count > MAX_ARGUMENTS) {
            fprintf(stderr, "carom: more than %d arguments\n  Fix: give fewer.\n", MAX_ARGUMENTS);
            return 2;
        }
        arguments[count++] = line;
    }
    return main(count, arguments);
}

// -- what the viewer shows --------------------------------------------------------------------------

typedef struct lines {
    const char *text;
    char value[256]; // looked up last but `law`, which must stay
    char law[64];
} lines;

static const char *look_up(const void *from, const char *key)
{
    lines *l = (lines *)from;
    size_t length = strlen(key);
    char *out = strcmp(key, "law") == 0 ? l->law : l->value;
    size_t room = strcmp(key, "law") == 0 ? sizeof l->law : sizeof l->value;
    for (const char *line = l->text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0 && line[length] == '=') {
            size_t size = strcspn(line + length + 1, "\n");
            if (size >= room)
                return NULL;
            memcpy(out, line + length + 1, size);
            out[size] = 0;
            return out;
        }
    }
    return NULL;
}

// Changes a value of a scene file by its path ("materials.*.friction=0.3"), in place; 0 where it failed.
EXPORT(carom_web_set) int carom_web_set(const char *path, const char *setting)
{
    carom_error *err = carom_web_failure();
    carom_scene_text *text = NULL;
    carom_status status = carom_scene_text_open(path, &text, err);
    if (status == CAROM_OK)
        status = carom_scene_text_set(text, setting, err);
    size_t size = 0;
    const char *bytes = status == CAROM_OK ? carom_scene_text_bytes(text, &size) : NULL;
    FILE *file = bytes ? fopen(path, "wb") : NULL;
    bool written = file && fwrite(bytes, 1, size, file) == size;
    if (file)
        written = fclose(file) == 0 && written;
    if (bytes && !written)
        carom_error_set(err, CAROM_IO_FAILED, "cannot write \"%.200s\"", path);
    carom_scene_text_close(text);
    return written;
}

// Opens a file beside those that are open; its number, or -1.
EXPORT(carom_web_open) int carom_web_open(const char *path, const char *law)
{
    carom_error *err = carom_web_failure();
    if (source_count == MAX_SOURCES) {
        carom_error_set(err, CAROM_BAD_INPUT, "no more than %d sources can be shown", MAX_SOURCES);
        return -1;
    }
    carom_status status =
        carom_view_source_open(path, law && *law ? law : NULL, &sources[source_count], err);
    return status == CAROM_OK ? source_count++ : -1;
}

EXPORT(carom_web_close) void carom_web_close(void)
{
    while (source_count)
        carom_view_source_close(sources[--source_count]);
}

static carom_view_source *source_of(carom_view_request request)
{
    carom_view_source *source = carom_view_request_source(request, sources, source_count);
    if (!source)
        carom_error_set(&failure, CAROM_BAD_INPUT, "there is no such source");
    return source;
}

// The answer to what a page asks ("frames", "source=0\nfirst=0\ncount=8"); null where it failed.
EXPORT(carom_web_ask) const char *carom_web_ask(const char *part, const char *values)
{
    lines l = { .text = values };
    carom_view_request request = { look_up, &l };
    carom_error *err = carom_web_failure();
    const carom_view_request_part *found = carom_view_request_find(part);
    carom_view_source *source = source_of(request);
    begin_answer();
    if (!found)
        carom_error_set(err, CAROM_BAD_INPUT, "there is no \"%.60s\" to ask for", part);
    if (!found || !source ||
        carom_view_request_answer(source, found, request, &answer, err) != CAROM_OK)
        return NULL;
    return answer.bytes ? answer.bytes : "";
}

EXPORT(carom_web_size) size_t carom_web_size(void)
{
    return answer.length;
}

// Changes a run; 0 where it failed.
EXPORT(carom_web_change) int carom_web_change(const char *values)
{
    lines l = { .text = values };
    carom_view_request request = { look_up, &l };
    carom_error *err = carom_web_failure();
    carom_view_source *source = source_of(request);
    return source && carom_view_request_change(source, request, err) == CAROM_OK;
}

// -- an instant -------------------------------------------------------------------------------------

EXPORT(carom_web_body_size) size_t carom_web_body_size(void)
{
    return sizeof(carom_impact_body);
}

EXPORT(carom_web_contact_size) size_t carom_web_contact_size(void)
{
    return sizeof(carom_impact_contact);
}

// Resolves an instant. `out` gets velocity and spin of every body (6 numbers each), the impulse of every contact (3),
// then energy before, energy after (J) and sweeps. Returns 0 where it failed.
EXPORT(carom_web_resolve)
int carom_web_resolve(const char *law_name, int body_count, const carom_impact_body *bodies,
                      int contact_count, const carom_impact_contact *contacts, double *out)
{
    carom_error *err = carom_web_failure();
    const carom_law *law = carom_law_find(law_name, err);
    if (!workspace)
        workspace = carom_workspace_create();
    double(*velocities)[3] = malloc((2 * (size_t)body_count + 1) * sizeof *velocities);
    if (!law || !workspace || !velocities) {
        if (law)
            carom_error_set(err, CAROM_NO_MEMORY, "no memory for an instant");
        free(velocities);
        return 0;
    }
    double(*spins)[3] = velocities + body_count;
    double(*impulses)[3] = (double(*)[3])(out + 6 * body_count);
    carom_impact impact = { body_count, contact_count, bodies, contacts };
    carom_impact_outcome outcome = { velocities, spins, impulses, { 0 } };
    carom_status status = carom_impact_resolve(workspace, &impact, law, NULL, &outcome, err);
    for (int i = 0; status == CAROM_OK && i < body_count; ++i) {
        memcpy(out + 6 * i, velocities[i], sizeof velocities[i]);
        memcpy(out + 6 * i + 3, spins[i], sizeof spins[i]);
    }
    double *report = out + 6 * body_count + 3 * contact_count;
    report[0] = outcome.report.energy_before;
    report[1] = outcome.report.energy_after;
    report[2] = outcome.report.sweeps;
    free(velocities);
    return status == CAROM_OK;
}

// A pass with a law (null: its default); speed and touch below 0 and rounds of 0 are the defaults. The functions of
// carom/pass.h do the rest.
EXPORT(carom_web_pass)
carom_pass *carom_web_pass(const char *law_name, double speed, double touch, int rounds)
{
    carom_error *err = carom_web_failure();
    carom_pass_options options = carom_pass_options_default();
    carom_pass *pass = NULL;
    options.speed = speed < 0 ? options.speed : speed;
    options.touch = touch < 0 ? options.touch : touch;
    options.rounds = rounds == 0 ? options.rounds : rounds;
    if (law_name && *law_name) {
        options.law = carom_law_find(law_name, err);
        if (!options.law)
            return NULL;
        options.law_options = carom_law_defaults(options.law);
    }
    carom_pass_create(&options, &pass, err);
    return pass;
}

// Writes JSON in order, indented, with the shortest digits that read back to the same double.
// Reading is scene/reader.c's.
#include "carom/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"

enum { DEPTH = 32 };

struct carom_json {
    carom_text text;
    int depth;
    char closing[DEPTH]; // bracket of each open level
    bool filled[DEPTH];  // the level holds something
};

carom_json *carom_json_create(void)
{
    return calloc(1, sizeof(carom_json));
}

void carom_json_destroy(carom_json *json)
{
    if (!json)
        return;
    carom_text_free(&json->text);
    free(json);
}

const char *carom_json_text(carom_json *json)
{
    return json && !json->text.failed ? json->text.bytes : NULL;
}

static void new_line(carom_json *json)
{
    carom_text_add(&json->text, "\n%*s", 2 * json->depth, "");
}

// Comma, line and key of what comes next.
static bool begin(carom_json *json, const char *key)
{
    if (!json)
        return false;
    if (json->depth > 0) {
        if (json->filled[json->depth - 1])
            carom_text_add(&json->text, ",");
        json->filled[json->depth - 1] = true;
        new_line(json);
    }
    if (key) {
        carom_text_add_quoted(&json->text, key);
        carom_text_add(&json->text, ": ");
    }
    return true;
}

static void finish(carom_json *json)
{
    if (json->depth == 0)
        carom_text_add(&json->text, "\n");
}

static void open_level(carom_json *json, const char *key, char opening, char closing)
{
    if (!begin(json, key))
        return;
    carom_text_add(&json->text, "%c", opening);
    if (json->depth == DEPTH) { // never by Carom's own writers
        json->text.failed = true;
        return;
    }
    json->closing[json->depth] = closing;
    json->filled[json->depth++] = false;
}

void carom_json_object(carom_json *json, const char *key)
{
    open_level(json, key, '{', '}');
}

void carom_json_array(carom_json *json, const char *key)
{
    open_level(json, key, '[', ']');
}

void carom_json_end(carom_json *json)
{
    if (!json || json->depth == 0)
        return;
    --json->depth;
    if (json->filled[json->depth])
        new_line(json);
    carom_text_add(&json->text, "%c", json->closing[json->depth]);
    finish(json);
}

void carom_json_number(carom_json *json, const char *key, double value)
{
    if (!begin(json, key))
        return;
    carom_text_add_number(&json->text, value);
    finish(json);
}

void carom_json_integer(carom_json *json, const char *key, int64_t value)
{
    if (!begin(json, key))
        return;
    carom_text_add(&json->text, "%lld", (long long)value);
    finish(json);
}

void carom_json_bool(carom_json *json, const char *key, int value)
{
    carom_json_raw(json, key, value ? "true" : "false");
}

void carom_json_string(carom_json *json, const char *key, const char *text)
{
    if (!text) {
        carom_json_null(json, key);
        return;
    }
    if (!begin(json, key))
        return;
    carom_text_add_quoted(&json->text, text);
    finish(json);
}

void carom_json_null(carom_json *json, const char *key)
{
    carom_json_raw(json, key, "null");
}

void carom_json_numbers(carom_json *json, const char *key, const double *numbers, int count)
{
    if (!begin(json, key))
        return;
    carom_text_add(&json->text, "[");
    for (int i = 0; i < count; ++i) {
        if (i)
            carom_text_add(&json->text, ", ");
        carom_text_add_number(&json->text, numbers[i]);
    }
    carom_text_add(&json->text, "]");
    finish(json);
}

void carom_json_raw(carom_json *json, const char *key, const char *text)
{
    if (!text)
        return;
    if (!begin(json, key))
        return;
    carom_text_add_bytes(&json->text, text, strlen(text));
    finish(json);
}

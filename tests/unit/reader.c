// The JSON reader: typed access, field tables, and that every refusal says what, where and fix.
#include "scene/field.h"
#include "scene/reader.h"
#include "scene/schema.h"
#include "support/check.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct thing {
    double mass, velocity[3];
    int64_t count;
    bool fixed;
    const char *name;
    int colour;
    carom_numbers list;
} thing;

static const carom_field thing_fields[] = {
    { "mass", CAROM_FIELD_NUMBER, offsetof(thing, mass), .initial = 2,
      .range = { 0, HUGE_VAL, .above = true, .unit = "kg" }, .doc = "its mass" },
    { "velocity", CAROM_FIELD_VEC3, offsetof(thing, velocity), .range = { .unit = "m/s" },
      .doc = "of the centre" },
    { "count", CAROM_FIELD_INT64, offsetof(thing, count), .initial = 3,
      .range = { .min = 1, .max = 10 }, .doc = "how many" },
    { "fixed", CAROM_FIELD_BOOL, offsetof(thing, fixed), .doc = "does not move" },
    { "name", CAROM_FIELD_TEXT, offsetof(thing, name), .doc = "what it is called" },
    { "colour", CAROM_FIELD_CHOICE, offsetof(thing, colour), .initial = 1,
      .words = "red green blue", .doc = "for pictures" },
    { "list", CAROM_FIELD_NUMBERS, offsetof(thing, list), .range = { .min = 0, .max = 1 },
      .doc = "numbers" },
    { 0 },
};
static const carom_field_table thing_table = { "thing", "A thing.", thing_fields };

static carom_status read_thing(const char *text, size_t size, thing *out, carom_error *err)
{
    carom_reader *reader = NULL;
    *err = (carom_error){ 0 };
    carom_status status = carom_reader_parse("f.json", text, size, &reader, err);
    if (status == CAROM_OK) {
        carom_value root = carom_reader_root(reader);
        status = carom_field_read(&root, &thing_table, out, err);
    }
    carom_reader_close(reader);
    return status;
}

// One refusal: the text, then where, a part of what and a part of fix.
typedef struct refusal {
    const char *text, *where, *what, *fix;
} refusal;

static const refusal refusals[] = {
    // typed access
    { "{\"mass\": -1}", "f.json:1:10, in thing", "mass is -1 kg, not above 0", "above 0 (kg)" },
    { "{\"mass\": 0}", "f.json:1:10, in thing", "mass is 0 kg, not above 0", "above 0" },
    { "{\n  \"mass\": \"heavy\"\n}", "f.json:2:11, in thing",
      "mass is the text \"heavy\", not a number", "above 0 (kg)" },
    { "{\"mass\": \"250 g\"}", "f.json:1:10, in thing", "not a number", "write 0.25 (kg)" },
    { "{\"mass\": \"3cm\"}", "f.json:1:10, in thing", "not a number", "above 0 (kg)" },
    { "{\"mass\": null}", "f.json:1:10, in thing", "mass is null, not a number", "number" },
    { "{\"count\": 2.5}", "f.json:1:11, in thing", "count is the number 2.5, not a whole",
      "from 1 to 10" },
    { "{\"count\": 11}", "f.json:1:11, in thing", "count is 11, outside [1, 10]", "from 1 to 10" },
    { "{\"count\": 1e300}", "f.json:1:11, in thing", "count is 1e+300", "from 1 to 10" },
    { "{\"name\": \"b\", \"fixed\": 1}", "f.json:1:24, in thing \"b\"",
      "fixed is the number 1, not true or false", "true or false" },
    { "{\"name\": 5}", "f.json:1:10, in thing", "name is the number 5, not a text", "quotes" },
    { "{\"velocity\": [1, 2]}", "f.json:1:14, in thing", "velocity is a list of 2, not a vector",
      "[x, y, z]" },
    { "{\"velocity\": [1,\n \"x\", 2]}", "f.json:2:2, in thing", "velocity[1] is the text \"x\"",
      "(m/s)" },
    { "{\"list\": [0, [1], 5]}", "f.json:1:14, in thing", "list[1] is a list of 1", "0 to 1" },
    { "{\"list\": [0, 1, 5]}", "f.json:1:17, in thing", "list[2] is 5, outside [0, 1]", "0 to 1" },
    { "{\"colour\": \"gren\"}", "f.json:1:12, in thing", "colour is \"gren\"", "\"green\"" },
    { "{\"maas\": 1}", "f.json:1:2, in thing", "the key \"maas\" is unknown", "\"mass\"" },
    { "{\"zzzzzzzz\": 1}", "f.json:1:2, in thing", "\"zzzzzzzz\" is unknown", "known keys: mass" },
    { "{\"note\": 1}", "f.json:1:10, in thing", "note is the number 1, not a text", "quotes" },
    // keys are compared after their escapes are decoded; columns count characters
    { "{\"\\u0078\": 0, \"mass\": -1}", "f.json:1:2, in thing", "the key \"x\" is unknown", "" },
    { "{\"name\": \"\xC3\xA4\xE2\x82\xAC\", \"mass\": -1}",
      "f.json:1:24, in thing \"\xC3\xA4\xE2\x82\xAC\"", "mass is -1", "" },
    { "{\"note\": \"\\\"mass\\\": {[\", \"mass\": -1}", "f.json:1:34, in thing", "mass is -1", "" },
    { "{\"\\u006dass\": -1}", "f.json:1:15, in thing", "mass is -1", "" },
    // not JSON
    { "", "f.json:1:1", "the file is empty", "{ \"carom\": 1" },
    { " \n", "f.json:1:1", "the file is empty", "{ \"carom\": 1" },
    { "[1]", "f.json:1:1", "no object", "{ \"carom\": 1" },
    { "{\"mass\": NaN}", "f.json:1:10", "\"NaN\"", "finite number" },
    { "{\"mass\": 1e999}", "f.json:1:10", "1e999 is too large", "finite" },
    { "{\"mass\": 1,}", "f.json:1:12", "not JSON", "comma" },
    { "{\"mass\": .5}", "f.json:1:10", "not JSON", "digit" },
    { "{\"mass\": 1, \"mass\": 2}", "f.json:1:13", "twice", "keep one" },
    { "{\"mass\": 1", "f.json:1:11", "ends too early", "close" },
    { "{\"mass\": 1} x", "f.json:1:13", "behind the end", "one object" },
    { "{\"mass\": 1 /* kg */\n}", "f.json:1:12", "not JSON", "//" },
    { "{'mass': 1}", "f.json:1:2", "not JSON", "double quotes" },
    { "{\"name\": \"a\xFF\"}", "f.json:1:12", "0xFF is not valid UTF-8", "UTF-8" },
    { "{\"name\": \"\xC0\x80\"}", "f.json:1:11", "0xC0 is not valid UTF-8", "UTF-8" },
    { "{\"name\": \"\xED\xA0\x80\"}", "f.json:1:11", "0xED is not valid UTF-8", "UTF-8" },
    { "{\"name\": \"a\\u0000\"}", NULL, "", "" },
};

static void check_refusals(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; ++i) {
        const refusal *r = &refusals[i];
        carom_error err;
        thing t;
        carom_status status = read_thing(r->text, strlen(r->text), &t, &err);
        CHECK(status == CAROM_BAD_INPUT, "%s is refused", r->text);
        if (r->where)
            CHECK_TEXT(err.where, r->where, "place of the mistake in %s (%s)", r->text, err.what);
        CHECK(strstr(err.what, r->what), "%s: \"%s\" says \"%s\"", r->text, err.what, r->what);
        CHECK(strstr(err.fix, r->fix) && *err.fix, "%s: fix \"%s\" says \"%s\"", r->text, err.fix,
              r->fix);
    }
}

static void check_good(void)
{
    static const char text[] = "\xEF\xBB\xBF{ \"note\": \"a mark of byte order comes first\",\n"
                               "\"velocity\": [1, -2.5e-3, 0], \"fixed\": true, \"count\": 4.0,\n"
                               "\"list\": [], \"colour\": \"blue\"}";
    carom_error err;
    thing t;
    CHECK(read_thing(text, strlen(text), &t, &err) == CAROM_OK, "%s", err.what);
    CHECK_NEAR(t.mass, 2, 0, "a key left out has its default");
    CHECK_NEAR(t.velocity[1], -2.5e-3, 0, "vectors");
    CHECK(t.fixed && t.count == 4 && t.colour == 2 && t.list.count == 0 && !t.name, "the others");
}

// Comments are blank; in texts two slashes are text, and errors still name the right place.
static void check_comments(void)
{
    static const char text[] = "{ // mass: 7\n\"name\": \"a // b \\\" // c\", // \"mass\": 1\n"
                               "\"velocity\": [1, 2, // y\n3] } // the end";
    static const char flawed[] = "{ // \"\n\"velocity\": [1, 2, \"x\"] }";
    carom_error err;
    thing t;
    CHECK(read_thing(text, strlen(text), &t, &err) == CAROM_OK, "%s", err.what);
    CHECK_NEAR(t.mass, 2, 0, "a key in a comment is none");
    CHECK_NEAR(t.velocity[2], 3, 0, "a list goes on behind a comment");
    CHECK(read_thing(flawed, strlen(flawed), &t, &err) == CAROM_BAD_INPUT, "refused");
    CHECK(strstr(err.where, ":2:20"), "says where: %s", err.where);
    CHECK(read_thing("{ / }", 5, &t, &err) == CAROM_BAD_INPUT, "one slash is no comment");
}

static void check_hostile(void)
{
    carom_error err;
    thing t;
    static char deep[200001];
    memset(deep, '[', 200000);
    CHECK(read_thing(deep, 200000, &t, &err) == CAROM_BAD_INPUT, "deep nesting is refused");
    CHECK_TEXT(err.where, "f.json:1:33", "at the first bracket too many");
    CHECK(read_thing("{\"a\": 1\0}", 9, &t, &err) == CAROM_BAD_INPUT, "a zero byte is refused");
    CHECK_TEXT(err.where, "f.json:1:8", "with its place");
    carom_reader *reader = NULL;
    CHECK(carom_reader_open("/no/such/file", &reader, &err) == CAROM_IO_FAILED, "a missing file");
    CHECK(carom_reader_open("/", &reader, &err) == CAROM_IO_FAILED, "a folder");
}

static void check_kind(void)
{
    static const struct {
        const char *text, *what;
    } cases[] = { { "{\"kind\": \"impact\"}", "\"carom\" is missing" },
                  { "{\"carom\": 2, \"kind\": \"impact\"}", "carom is 2" },
                  { "{\"carom\": 1}", "\"kind\" is missing" },
                  { "{\"carom\": 1, \"kind\": \"impct\"}", "impct" } };
    for (int i = 0; i < 4; ++i) {
        carom_reader *reader = NULL;
        carom_error err = { 0 };
        int kind = -1;
        CHECK(carom_reader_parse("f", cases[i].text, strlen(cases[i].text), &reader, &err) == 0,
              "parses");
        carom_value root = carom_reader_root(reader);
        CHECK(carom_reader_kind(&root, "tower impact", &kind, &err) == CAROM_BAD_INPUT,
              "%s is refused", cases[i].text);
        CHECK(strstr(err.what, cases[i].what), "%s", err.what);
        carom_reader_close(reader);
    }
}

static void check_schema(void)
{
    carom_json *json = carom_json_create();
    carom_schema_write(json, "Thing", &thing_table);
    const char *text = carom_json_text(json);
    static const char *const parts[] = {
        "\"exclusiveMinimum\": 0", "\"default\": 2",         "\"description\": \"its mass [kg]\"",
        "\"maximum\": 10",         "\"default\": \"green\"", "\"additionalProperties\": false",
        "\"minItems\": 3"
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        CHECK(strstr(text, parts[i]), "the schema says %s", parts[i]);
    carom_reader *reader = NULL;
    carom_error err;
    CHECK(carom_reader_parse("schema", text, strlen(text), &reader, &err) == CAROM_OK,
          "the schema is JSON: %s", err.what);
    carom_reader_close(reader);
    carom_json_destroy(json);
    carom_text manual = { 0 };
    carom_schema_manual(&manual, &thing_table);
    CHECK(strstr(manual.bytes, "- `mass` (number above 0, kg; default 2): its mass\n"),
          "the manual shows the same: %s", manual.bytes);
    carom_text_free(&manual);
}

int main(void)
{
    check_good();
    check_comments();
    check_refusals();
    check_hostile();
    check_kind();
    check_schema();
    return check_report();
}

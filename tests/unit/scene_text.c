// Values of files set by their paths, named numbers and expressions.
#include <stdio.h>
#include <string.h>
#include "carom/chain.h"
#include "carom/scene.h"
#include "scene/expression.h"
#include "support/check.h"

static const char impact[] =
    "{ \"carom\": 1, \"kind\": \"impact\", // balls\n"
    "  \"let\": { \"m\": 2, \"v\": \"-3 * m\" },\n"
    "  \"bodies\": [ { \"name\": \"a\", \"mass\": \"m / 4\", \"position\": [-1, 0, 0],"
    " \"velocity\": [1, 0, 0] },\n"
    "              { \"name\": \"b\", \"mass\": 1, \"velocity\": [\"v\", 0, 0] },\n"
    "              { \"name\": \"c.d\", \"mass\": 1, \"position\": [1, 0, 0] } ],\n"
    "  \"contacts\": [ { \"a\": \"a\", \"b\": \"b\", \"normal\": [1, 0, 0], \"point\": [-0.5, 0, 0] },\n"
    "                { \"a\": \"b\", \"b\": \"c.d\", \"normal\": [1, 0, 0], \"point\": [0.5, 0, 0] } ],\n"
    "  \"law\": \"qce\", \"options\": { \"sweeps\": 77 } }";

static carom_scene_text *open_text(const char *words)
{
    carom_scene_text *text = NULL;
    carom_error err = { 0 };
    CHECK(carom_scene_text_parse("f.json", words, strlen(words), &text, &err) == CAROM_OK, "%s %s",
          err.where, err.what);
    return text;
}

static bool set(carom_scene_text *text, const char *setting)
{
    carom_error err = { 0 };
    return CHECK(carom_scene_text_set(text, setting, &err) == CAROM_OK, "%s: %s. %s", setting,
                 err.what, err.fix);
}

static carom_scene_impact *read_impact(const carom_scene_text *text)
{
    carom_scene_impact *scene = NULL;
    carom_error err = { 0 };
    size_t size;
    const char *bytes = carom_scene_text_bytes(text, &size);
    CHECK(carom_scene_impact_parse("f.json", bytes, size, &scene, &err) == CAROM_OK, "%s %s in %s",
          err.where, err.what, bytes);
    return scene;
}

static void check_impact(void)
{
    carom_scene_text *text = open_text(impact);
    CHECK(carom_scene_text_kind(text) == CAROM_SCENE_KIND_IMPACT, "an impact");
    set(text, "contacts.*.restitution=0.25");
    set(text, "contacts.1.friction=m/10");
    set(text, "bodies.b.velocity.y=.5");
    set(text, "bodies.c.d.mass=9");
    set(text, "bodies[0].velocity=4, 5,6");
    set(text, "let.m=8");
    carom_scene_impact *scene = read_impact(text);
    const carom_impact *p = carom_scene_impact_problem(scene);
    CHECK_NEAR(1 / p->bodies[0].inverse_mass, 2, 1e-15, "m / 4 by the new m");
    CHECK_NEAR(p->bodies[1].velocity[0], -24, 0, "a name that uses another");
    CHECK_NEAR(p->bodies[1].velocity[1], 0.5, 0, "one coordinate");
    CHECK_NEAR(1 / p->bodies[2].inverse_mass, 9, 1e-15, "a name with a point in it");
    CHECK_NEAR(p->bodies[0].velocity[1], 5, 0, "a vector without brackets");
    CHECK_NEAR(p->contacts[0].restitution, 0.25, 0, "every contact");
    CHECK_NEAR(p->contacts[1].restitution, 0.25, 0, "also the second");
    CHECK_NEAR(p->contacts[0].friction, 0, 0, "only one contact");
    CHECK_NEAR(p->contacts[1].friction, 0.8, 0, "an expression stays one");
    carom_scene_impact_close(scene);
    carom_scene_text_close(text);
}

// The law first: its options are its own.
static void check_law(void)
{
    carom_scene_text *text = open_text(impact);
    carom_error err = { 0 };
    set(text, "sweeps=5");
    CHECK(strstr(carom_scene_text_bytes(text, NULL), "\"sweeps\": 5"), "in its place");
    set(text, "law=qce");
    CHECK(strstr(carom_scene_text_bytes(text, NULL), "\"sweeps\": 5"), "the same law keeps them");
    CHECK(carom_scene_text_set(text, "lambda=5", &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "neither the file nor the law qce"),
          "%s", err.what);
    set(text, "law=etm");
    CHECK(!strstr(carom_scene_text_bytes(text, NULL), "sweeps"), "another law has its own");
    set(text, "options.lambda=50");
    CHECK(carom_scene_text_set(text, "law=nothing", &err) == CAROM_BAD_INPUT, "no law");
    CHECK(carom_scene_text_set(text, "lambda=-1", &err) == CAROM_BAD_INPUT, "outside its range");
    carom_scene_impact *scene = read_impact(text);
    CHECK_TEXT(carom_law_name(carom_scene_impact_law(scene)), "etm", "the law");
    carom_scene_impact_close(scene);
    carom_scene_text_close(text);
}

// Refusals name the right place and leave the text as it is; lines stay where they are.
static void check_refusals(void)
{
    static const struct {
        const char *setting, *what, *fix;
    } cases[] = {
        { "restitution=1", "belongs to a contact", "contacts.0.restitution=1, or contacts.*" },
        { "mass=1", "belongs to a body", "bodies.a.mass=1" },
        { "count=3", "belongs to a row, and the file has none", "into the file" },
        { "bodies.e.mass=1", "no body \"e\"", "from 0 to 2" },
        { "bodies.a.mass=-1", "not above 0", "above 0" },
        { "bodies.a.mass=k", "not a number", "above 0" },
        { "bodies.a.velocity.w=1", "no part \"w\"", "velocity=[" },
        { "bodies.a.velocity.3=1", "no part \"3\"", "velocity=[" },
        { "bodies.a.name.x=1", "has no parts", "itself" },
        { "bodies.a=1", "is no number", "JSON" },
        { "let.k=1", "no number \"k\"", "" },
        { "rack.rows=3", "", "" },
        { "nothing", "names no value", "key=value" },
        { "=1", "names no value", "key=value" },
    };
    carom_scene_text *text = open_text(impact);
    size_t lines = 0;
    for (const char *at = carom_scene_text_bytes(text, NULL); *at; ++at)
        lines += *at == '\n';
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        carom_error err = { 0 };
        carom_status status = carom_scene_text_set(text, cases[i].setting, &err);
        CHECK((status == CAROM_OK) == (cases[i].what[0] == 0), "%s: %s", cases[i].setting,
              err.what);
        CHECK(strstr(err.what, cases[i].what) && strstr(err.fix, cases[i].fix), "%s: %s. %s",
              cases[i].setting, err.what, err.fix);
    }
    for (const char *at = carom_scene_text_bytes(text, NULL); *at; ++at)
        lines -= *at == '\n';
    CHECK(lines == 0, "no line was added or lost");
    carom_scene_text_close(text);
}

static void check_chain(void)
{
    carom_scene_text *text =
        open_text("{ \"carom\": 1, \"kind\": \"chain\", \"bodies\": [ { \"mass\": 1, \"radius\": 1,"
                  "\"velocity\": 1 }, { \"mass\": 1, \"radius\": 1 } ] }");
    carom_chain_file *file = NULL;
    carom_error err = { 0 };
    size_t size;
    set(text, "stepping.step=0.5");
    set(text, "contact.stiffness=3/2");
    set(text, "bodies.1.mass=3");
    const char *bytes = carom_scene_text_bytes(text, &size);
    CHECK(carom_chain_file_parse("f.json", bytes, size, &file, &err) == CAROM_OK, "%s %s",
          err.where, err.what);
    const carom_chain_plan *plan = carom_chain_file_plan(file);
    CHECK(plan && plan->step == 0.5, "objects that were not there");
    carom_chain_file_close(file);
    carom_scene_text_close(text);
}

static void check_expressions(void)
{
    carom_expression_name list[] = { { "r", 0.5 }, { "long_name2", -2 } };
    carom_expression_names names = { list, 2 };
    static const struct {
        const char *text;
        double value;
    } good[] = {
        { "1 + 2 * 3", 7 },
        { "(1 + 2) * 3", 9 },
        { "-2^2", -4 },
        { "2^-1", 0.5 },
        { "2^3^2", 512 },
        { "long_name2^3", -8 },
        { "9^0.5", 3 },
        { "8 / 2 / 2", 2 },
        { "1 - -1", 2 },
        { "sqrt(16) + abs(-r)", 4.5 },
        { "max(1, min(r, 3))", 1 },
        { "floor(1.5) + ceil(1.5)", 3 },
        { "2 * pi", 6.283185307179586 },
        { ".5e1", 5 },
    };
    static const char *const bad[] = { "",   "1 +",     "(1",     "1)",       "2r",    "q",
                                       "1/0", "sqrt(-1)", "sin 1", "min(1)",   "0x10",  "nan",
                                       "1e999", "(-2)^0.5", "r r",   "max(1,2", "1,2" };
    char flaw[160];
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        bool fine = carom_expression_evaluate(good[i].text, &names, &value, flaw, sizeof flaw);
        CHECK(fine, "%s: %s", good[i].text, flaw);
        CHECK_NEAR(value, good[i].value, 4e-16 * 512, "%s", good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        CHECK(!carom_expression_evaluate(bad[i], &names, &value, flaw, sizeof flaw) && *flaw,
              "\"%s\" is refused", bad[i]);
    carom_expression_evaluate("2 * long_name", &names, &value, flaw, sizeof flaw);
    CHECK(strstr(flaw, "\"let\" has \"long_name2\", but no \"long_name\""), "%s", flaw);
}

// Errors in a "let" and in expressions say line and column.
static void check_let_errors(void)
{
    static const struct {
        const char *let, *what, *where;
    } cases[] = {
        { "{ \"a\": \"b\", \"b\": 1 }", "a is the text \"b\", not a number", "f.json:2:17" },
        { "{ \"2a\": 1 }", "\"2a\" cannot name a number", "f.json:2:12" },
        { "{ \"sin\": 1 }", "\"sin\" cannot name a number", "f.json:2:12" },
        { "[1]", "let is a list of 1, not an object", "f.json:2:10" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char words[200];
        carom_scene_text *text = NULL;
        carom_error err = { 0 };
        snprintf(words, sizeof words, "{ \"carom\": 1, \"kind\": \"world\",\n  \"let\": %s }",
                 cases[i].let);
        CHECK(carom_scene_text_parse("f.json", words, strlen(words), &text, &err) ==
                      CAROM_BAD_INPUT &&
                  strstr(err.what, cases[i].what) && strstr(err.where, cases[i].where),
              "%s: %s %s", cases[i].let, err.where, err.what);
    }
}

int main(void)
{
    check_expressions();
    check_let_errors();
    check_impact();
    check_law();
    check_refusals();
    check_chain();
    return check_report();
}

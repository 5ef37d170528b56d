// The table of world options: defaults, ranges, words; a world is made with what it accepts and
// with nothing else.
#include "world/world_option.h"

#include <math.h>
#include <string.h>
#include "support/check.h"

static carom_status make(const carom_world_options *options, carom_error *err)
{
    carom_world *world = NULL;
    carom_status status = carom_world_create(options, &world, err);
    CHECK((status == CAROM_OK) == (world != NULL), "a world is made or refused");
    carom_world_destroy(world);
    return status;
}

static void store(const carom_world_option *option, double value, carom_world_options *options)
{
    void *place = (char *)options + option->offset;
    if (option->kind == CAROM_WORLD_OPTION_INTEGER || option->kind == CAROM_WORLD_OPTION_CHOICE)
        *(int *)place = (int)value;
    else
        *(double *)place = value;
}

static void refused(const carom_world_option *option, double value)
{
    carom_world_options options = carom_world_options_default();
    carom_error err = { 0 };
    store(option, value, &options);
    CHECK(make(&options, &err) == CAROM_BAD_INPUT, "%s = %g is refused", option->name, value);
    CHECK(strncmp(err.what, option->name, strlen(option->name)) == 0 && err.fix[0],
          "and the message names it and a fix: %s; %s", err.what, err.fix);
}

static void accepted(const carom_world_option *option, double value)
{
    carom_world_options options = carom_world_options_default();
    carom_error err = { 0 };
    store(option, value, &options);
    if (options.slop < options.touch) // the one bond between two options
        options.slop = options.touch;
    if (strcmp(option->name, "threads") != 0) // a thousand workspaces are not what is asked here
        CHECK(make(&options, &err) == CAROM_OK, "%s = %g is accepted: %s", option->name, value,
              err.what);
}

static void numbers(void)
{
    for (const carom_world_option *option = carom_world_option_table; option->name; ++option) {
        const carom_range *range = &option->range;
        if (option->kind == CAROM_WORLD_OPTION_CHOICE)
            continue;
        if (option->kind != CAROM_WORLD_OPTION_INTEGER) {
            refused(option, NAN);
            refused(option, INFINITY);
        }
        if (option->kind == CAROM_WORLD_OPTION_VECTOR)
            continue;
        accepted(option, range->max);
        accepted(option, option->initial);
        refused(option, range->max == 1e9 ? -7 : 2 * range->max);
        if (range->above)
            refused(option, range->min);
        else if (strcmp(option->name, "slop") != 0)
            accepted(option, range->min);
        refused(option, range->min - 3);
    }
}

static int words_of(const char *name, const char *const *wanted, int count)
{
    for (const carom_world_option *option = carom_world_option_table; option->name; ++option) {
        if (strcmp(option->name, name) != 0)
            continue;
        const char *at = option->words;
        for (int i = 0; i < count; ++i) {
            size_t size = strlen(wanted[i]);
            if (strncmp(at, wanted[i], size) != 0 || (at[size] != ' ' && at[size] != 0))
                return 0;
            at += size + (at[size] == ' ');
        }
        refused(option, -1);
        refused(option, count);
        return *at == 0;
    }
    return 0;
}

// The words of the table are those of the enums, in their order.
static void words(void)
{
#define WORD(name, word) word,
    static const char *const stepping[] = { CAROM_STEPPING_LIST(WORD) };
#undef WORD
    const char *rules[CAROM_RESTITUTION_RULE_COUNT];
    for (int i = 0; i < CAROM_RESTITUTION_RULE_COUNT; ++i)
        rules[i] = carom_restitution_rule_name((carom_restitution_rule)i);
    CHECK(words_of("stepping", stepping, CAROM_STEPPING_COUNT), "stepping");
    CHECK(words_of("bounce_rule", rules, CAROM_RESTITUTION_RULE_COUNT), "bounce_rule");
}

static void bond(void)
{
    carom_world_options options = carom_world_options_default();
    carom_error err = { 0 };
    options.touch = 1e-3;
    CHECK(make(&options, &err) == CAROM_BAD_INPUT && strstr(err.what, "slop"),
          "slop is at least touch: %s", err.what);
}

// Checkpoints and recorded changes know options and laws by their numbers: a file of today must
// mean the same to every later version, so new ones go to the end of their lists.
static void numbers_stay(void)
{
    static const char *const options[] = {
        "gravity",  "resting_speed",  "touch",       "events",      "event_work",
        "stepping", "rest_tolerance", "rest_sweeps", "impact_work", "impact_residual",
        "slop",     "sleep_after",    "sleep_speed", "threads",     "bounce_rule",
    };
    static const char *const laws[] = {
        "wave",     "qce",     "springs",     "gr",          "poisson", "newton",      "inelastic",
        "smm",      "sqm",     "fixed-point", "etm",         "lzb",     "routh",       "moreau",
        "glocker",  "global",  "matrix",      "grr",         "fremond", "correlation", "soft",
        "impulses", "rebound", "xpbd",        "propagation", "gbf",     "plus",        "drumwright",
    };
    for (size_t k = 0; k < sizeof options / sizeof *options; ++k)
        CHECK_TEXT(carom_world_option_table[k].name, options[k], "option %zu", k);
    for (size_t k = 0; k < sizeof laws / sizeof *laws; ++k)
        CHECK_TEXT(carom_law_name(carom_law_at((int)k)), laws[k], "law %zu", k);
}

int main(void)
{
    numbers();
    words();
    bond();
    numbers_stay();
    return check_report();
}

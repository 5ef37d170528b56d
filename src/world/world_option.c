// The table of world options: their defaults and their check.
#include "world/world_option.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "world/world_periodic.h"

#define ENTRY(type, field, ...)                                                                    \
    {                                                                                              \
        .name = #field, .kind = CAROM_WORLD_OPTION_##type,                                         \
        .offset = offsetof(carom_world_options, field), __VA_ARGS__                                \
    }
#define NUMBER(field, ...) ENTRY(NUMBER, field, __VA_ARGS__)
#define INTEGER(field, ...) ENTRY(INTEGER, field, __VA_ARGS__)
#define VECTOR(field, ...) ENTRY(VECTOR, field, __VA_ARGS__)
#define CHOICE(field, ...) ENTRY(CHOICE, field, __VA_ARGS__)
const carom_world_option carom_world_option_table[] = {
    CAROM_WORLD_OPTION_LIST(NUMBER, INTEGER, VECTOR, CHOICE),
    { 0 },
};

_Static_assert(sizeof(carom_stepping) == sizeof(int) &&
                   sizeof(carom_restitution_rule) == sizeof(int),
               "words are stored as int");

carom_world_options carom_world_options_default(void)
{
    carom_world_options options = { .law = carom_law_default() };
    options.law_options = carom_law_defaults(options.law);
    for (const carom_world_option *option = carom_world_option_table; option->name; ++option) {
        void *place = (char *)&options + option->offset;
        switch (option->kind) {
        case CAROM_WORLD_OPTION_NUMBER:
            *(double *)place = option->initial;
            break;
        case CAROM_WORLD_OPTION_INTEGER:
        case CAROM_WORLD_OPTION_CHOICE:
            *(int *)place = (int)option->initial;
            break;
        case CAROM_WORLD_OPTION_VECTOR:
            for (int i = 0; i < 3; ++i)
                ((double *)place)[i] = option->vector[i];
            break;
        }
    }
    return options;
}

static carom_status refuse(const carom_world_option *option, double value, carom_error *err)
{
    const char *noun = option->kind == CAROM_WORLD_OPTION_INTEGER ? "whole number" : "number";
    return carom_range_refuse(&option->range, option->name, noun, value, err);
}

static carom_status check_word(const carom_world_option *option, int value, carom_error *err)
{
    int count = 1;
    for (const char *c = option->words; *c; ++c)
        count += *c == ' ';
    if (value >= 0 && value < count)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "%s is %d, and there are %d of them", option->name, value,
                    count);
    return carom_error_fix(err, "use one of: %s", option->words);
}

carom_status carom_world_option_check(const carom_world_options *options, carom_error *err)
{
    for (const carom_world_option *option = carom_world_option_table; option->name; ++option) {
        const void *place = (const char *)options + option->offset;
        bool integer = option->kind == CAROM_WORLD_OPTION_INTEGER;
        if (option->kind == CAROM_WORLD_OPTION_CHOICE) {
            TRY(check_word(option, *(const int *)place, err));
            continue;
        }
        for (int i = 0; i < (option->kind == CAROM_WORLD_OPTION_VECTOR ? 3 : 1); ++i) {
            double value = integer ? *(const int *)place : ((const double *)place)[i];
            if (value != option->initial && !carom_range_has(&option->range, value))
                return refuse(option, value, err);
        }
    }
    if (!(options->slop >= options->touch)) {
        carom_error_set(err, CAROM_BAD_INPUT, "slop is %g m, below touch, %g m", options->slop,
                        options->touch);
        return carom_error_fix(err, "use at least the touching gap, for instance 1e-5 m");
    }
    return carom_world_periodic_check(options, err);
}

int carom_world_option_find(const char *name)
{
    for (int i = 0; carom_world_option_table[i].name; ++i)
        if (strcmp(carom_world_option_table[i].name, name) == 0)
            return i;
    return -1;
}

static const int option_count =
    (int)(sizeof carom_world_option_table / sizeof *carom_world_option_table) - 1;

bool carom_world_option_may_change(int index)
{
    return index >= 0 && index < option_count &&
           carom_world_option_table[index].kind != CAROM_WORLD_OPTION_VECTOR &&
           carom_world_option_table[index].offset != offsetof(carom_world_options, threads);
}

double carom_world_option_get(const carom_world_options *options, int index)
{
    const carom_world_option *option = &carom_world_option_table[index];
    const void *place = (const char *)options + option->offset;
    return option->kind == CAROM_WORLD_OPTION_NUMBER ? *(const double *)place : *(const int *)place;
}

carom_status carom_world_option_put(carom_world_options *options, int index, double value,
                                    carom_error *err)
{
    if (!carom_world_option_may_change(index)) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is no such option that may be set");
        return carom_error_fix(err, "use a number or word of carom_world_options, not threads");
    }
    const carom_world_option *option = &carom_world_option_table[index];
    void *place = (char *)options + option->offset;
    if (option->kind == CAROM_WORLD_OPTION_NUMBER)
        *(double *)place = value;
    else if (value == floor(value) && fabs(value) <= 1e9)
        *(int *)place = (int)value;
    else
        return refuse(option, value, err);
    return CAROM_OK;
}

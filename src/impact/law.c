// The list of laws, in the order of the manual. Adding a law: one file with its value, one line at
// the end of the list, as checkpoints know laws by their numbers.
#include "impact/law.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/suggest.h"
#include "base/text.h"

#define LAW_LIST(X)                                                                                \
    X(wave)                                                                                        \
    X(qce)                                                                                         \
    X(springs)                                                                                     \
    X(gr)                                                                                          \
    X(poisson) X(newton) X(inelastic) X(smm) X(sqm) X(fixed_point) X(etm) X(lzb) X(routh)          \
        X(moreau) X(glocker) X(global) X(matrix) X(grr) X(fremond) X(correlation) X(soft)          \
            X(impulses) X(rebound) X(xpbd) X(propagation) X(gbf) X(plus) X(drumwright)

#define DECLARE(name) extern const carom_law carom_##name##_law;
LAW_LIST(DECLARE)
#undef DECLARE

static const carom_law *const laws[] = {
#define ADDRESS(name) &carom_##name##_law,
    LAW_LIST(ADDRESS)
#undef ADDRESS
};

int carom_law_count(void)
{
    return (int)(sizeof laws / sizeof *laws);
}

const carom_law *carom_law_at(int index)
{
    return index >= 0 && index < carom_law_count() ? laws[index] : NULL;
}

const carom_law *carom_law_find(const char *name, carom_error *err)
{
    if (!name) {
        carom_error_need(err, __func__, "name", 0);
        return NULL;
    }
    const char *names[sizeof laws / sizeof *laws];
    for (int i = 0; i < carom_law_count(); ++i) {
        names[i] = laws[i]->name;
        if (strcmp(name, names[i]) == 0)
            return laws[i];
    }
    carom_error_set(err, CAROM_BAD_INPUT, "there is no impact law \"%.40s\"", name);
    const char *nearest = carom_suggest_nearest(name, names, carom_law_count());
    if (nearest)
        carom_error_fix(err, "did you mean \"%s\"? `carom laws` lists them all", nearest);
    else
        carom_error_fix(err, "`carom laws` lists them all");
    return NULL;
}

const carom_law *carom_law_default(void)
{
    return laws[0];
}
const char *carom_law_name(const carom_law *law)
{
    if (!law)
        return "";
    return law->name;
}
const char *carom_law_summary(const carom_law *law)
{
    if (!law)
        return "";
    return law->summary;
}
const char *carom_law_reference(const carom_law *law)
{
    if (!law)
        return "";
    return law->reference;
}
const char *carom_law_paper(const carom_law *law)
{
    return law && law->paper ? law->paper : "";
}
const char *carom_law_number(const carom_law *law)
{
    return law && law->number ? law->number : "";
}
int carom_law_usual(const carom_law *law)
{
    return law && law->usual;
}
unsigned carom_law_promises(const carom_law *law)
{
    if (!law)
        return 0;
    return law->promises;
}
int carom_law_has_friction(const carom_law *law)
{
    if (!law)
        return 0;
    return law->friction;
}
int carom_law_bounces(const carom_law *law)
{
    if (!law)
        return 0;
    return !law->inelastic;
}

int carom_law_has_tangential(const carom_law *law)
{
    if (!law)
        return 0;
    return law->tangential;
}

int carom_law_option_count(const carom_law *law)
{
    if (!law)
        return 0;
    int count = 0;
    while (law->options && law->options[count].name)
        ++count;
    return count;
}

const carom_option *carom_law_option(const carom_law *law, int index)
{
    if (!law)
        return NULL;
    return index >= 0 && index < carom_law_option_count(law) ? &law->options[index] : NULL;
}

carom_law_options carom_law_defaults(const carom_law *law)
{
    if (!law)
        return (carom_law_options){ 0 };
    carom_law_options options = { { 0 } };
    for (int i = 0; i < carom_law_option_count(law); ++i)
        options.value[i] = law->options[i].initial;
    return options;
}

static carom_status set_choice(const carom_option *option, const char *text, double *value,
                               carom_error *err)
{
    int index = 0;
    size_t length = strlen(text);
    for (const char *word = option->choices; *word; ++index) {
        size_t span = strcspn(word, " ");
        if (span == length && strncmp(word, text, span) == 0) {
            *value = index;
            return CAROM_OK;
        }
        word += span + strspn(word + span, " ");
    }
    carom_error_set(err, CAROM_BAD_INPUT, "option %s cannot be \"%.40s\"", option->name, text);
    return carom_error_fix(err, "use one of: %s", option->choices);
}

static carom_status set_number(const carom_option *option, const char *text, double *value,
                               carom_error *err)
{
    char *end = NULL;
    double number = strtod(text, &end);
    bool whole = option->kind != CAROM_OPTION_INTEGER || number == floor(number);
    if (end == text || *end || !whole || !(number >= option->min && number <= option->max)) {
        carom_error_set(err, CAROM_BAD_INPUT, "option %s is \"%.40s\"", option->name, text);
        return carom_error_fix(err, "use a %s from %g to %g",
                               option->kind == CAROM_OPTION_INTEGER ? "whole number" : "number",
                               option->min, option->max);
    }
    *value = number;
    return CAROM_OK;
}

carom_status carom_law_set(const carom_law *law, carom_law_options *options, const char *name,
                           const char *text, carom_error *err)
{
    NEED(err, law, options, name, text);
    const char *names[CAROM_LAW_OPTION_MAX];
    int count = carom_law_option_count(law);
    for (int i = 0; i < count; ++i) {
        const carom_option *option = &law->options[i];
        names[i] = option->name;
        if (strcmp(option->name, name) == 0)
            return option->kind == CAROM_OPTION_CHOICE
                       ? set_choice(option, text, &options->value[i], err)
                       : set_number(option, text, &options->value[i], err);
    }
    carom_error_set(err, CAROM_BAD_INPUT, "law %s has no option \"%.40s\"", law->name, name);
    const char *nearest = carom_suggest_nearest(name, names, count);
    return nearest ? carom_error_fix(err, "did you mean \"%s\"?", nearest)
           : count ? carom_error_fix(err, "`carom laws` lists the options of every law")
                   : carom_error_fix(err, "leave it out: this law has no options");
}

void carom_law_option_text(const carom_option *option, double value, char *out, size_t size)
{
    if (!option)
        return;
    if (option->kind != CAROM_OPTION_CHOICE) {
        char digits[32];
        carom_text_digits(value, digits);
        snprintf(out, size, "%s", digits);
        return;
    }
    const char *word = option->choices;
    for (int i = 0; i < (int)value; ++i)
        word += strcspn(word, " ") + strspn(word + strcspn(word, " "), " ");
    snprintf(out, size, "%.*s", (int)strcspn(word, " "), word);
}

const char *carom_law_promise_name(int bit)
{
    static const char *const names[] = {
#define NAME(name, bit, sentence) #name,
        CAROM_PROMISE_LIST(NAME)
#undef NAME
    };
    return bit >= 0 && bit < CAROM_PROMISE_COUNT ? names[bit] : NULL;
}

const char *carom_law_promise_sentence(int bit)
{
    static const char *const sentences[] = {
#define SENTENCE(name, bit, sentence) sentence,
        CAROM_PROMISE_LIST(SENTENCE)
#undef SENTENCE
    };
    return bit >= 0 && bit < CAROM_PROMISE_COUNT ? sentences[bit] : NULL;
}

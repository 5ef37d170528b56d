// Parses a command line by its table of arguments, and reports misuse with a suggestion. Help
// texts are in manual.c.
#include "command.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/suggest.h"
#include "manual.h"
#include "terminal.h"

enum { NAMES_MAX = 64 };

typedef struct taken {
    const carom_argument *argument;
    const char *text;
} taken;

struct carom_arguments {
    const carom_command *command;
    int count;
    taken *given; // room for as many as the command line has
};

static const carom_argument help_argument = { "--help", CAROM_ARGUMENT_FLAG,
                                              .doc = "say what this command does" };

// -- what was given -----------------------------------------------------------------------------

static const carom_argument *find_argument(const carom_command *command, const char *name)
{
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return &help_argument;
    for (const carom_argument *argument = command->arguments; argument->name; ++argument)
        if (strcmp(argument->name, name) == 0)
            return argument;
    return NULL;
}

int carom_command_count(const carom_arguments *given, const char *name)
{
    int count = 0;
    assert(find_argument(given->command, name));
    for (int i = 0; i < given->count; ++i)
        count += strcmp(given->given[i].argument->name, name) == 0;
    return count;
}

const char *carom_command_text_at(const carom_arguments *given, const char *name, int index)
{
    for (int i = 0; i < given->count; ++i)
        if (strcmp(given->given[i].argument->name, name) == 0 && index-- == 0)
            return given->given[i].text;
    return NULL;
}

bool carom_command_flag(const carom_arguments *given, const char *name)
{
    return carom_command_count(given, name) > 0;
}

// The last one given wins, so that a line can be extended.
const char *carom_command_text(const carom_arguments *given, const char *name)
{
    int count = carom_command_count(given, name);
    if (count)
        return carom_command_text_at(given, name, count - 1);
    return find_argument(given->command, name)->initial;
}

double carom_command_number(const carom_arguments *given, const char *name)
{
    const char *text = carom_command_text(given, name);
    return text ? strtod(text, NULL) : 0;
}

int64_t carom_command_integer(const carom_arguments *given, const char *name)
{
    return (int64_t)carom_command_number(given, name);
}

static int word_index(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (int i = 0; *words; ++i) {
        size_t size = strcspn(words, " ");
        if (size == length && strncmp(words, word, size) == 0)
            return i;
        words += size + strspn(words + size, " ");
    }
    return -1;
}

int carom_command_choice(const carom_arguments *given, const char *name)
{
    const char *text = carom_command_text(given, name);
    return text ? word_index(find_argument(given->command, name)->choices, text) : -1;
}

int carom_command_numbers(const carom_arguments *given, const char *name, double *out, int max)
{
    const char *text = carom_command_text(given, name);
    int count = 0;
    for (const char *at = text; at; ++at) {
        char *end;
        if (count == max)
            return -1;
        out[count++] = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !isfinite(out[count - 1]))
            return -1;
        if (!*end)
            break;
        at = end;
    }
    return count;
}

// -- errors -------------------------------------------------------------------------------------

static int exit_code_of(carom_status status)
{
    switch (status) {
    case CAROM_OK:
        return CAROM_EXIT_GOOD;
    case CAROM_NOT_CONVERGED:
    case CAROM_BROKE_PROMISE:
        return CAROM_EXIT_BROKEN;
    case CAROM_BAD_INPUT:
    case CAROM_UNSUPPORTED:
        return CAROM_EXIT_INPUT;
    case CAROM_IO_FAILED:
        return CAROM_EXIT_IO;
    case CAROM_INTERRUPTED:
        return CAROM_EXIT_STOPPED;
    case CAROM_NO_MEMORY:
        break;
    }
    return CAROM_EXIT_INTERNAL;
}

int carom_command_fail(const carom_error *err)
{
    carom_terminal_error(err);
    return exit_code_of(err->status);
}

int carom_command_no_memory(const char *what)
{
    carom_error err = { .status = CAROM_NO_MEMORY };
    snprintf(err.what, sizeof err.what, "no memory for %s", what);
    return carom_command_fail(&err);
}

int carom_command_misuse(const char *fix, const char *what, ...)
{
    carom_error err = { .status = CAROM_BAD_INPUT };
    va_list list;
    va_start(list, what);
    vsnprintf(err.what, sizeof err.what, what, list);
    va_end(list);
    snprintf(err.fix, sizeof err.fix, "%s", fix);
    return carom_command_fail(&err);
}

static int unknown_argument(const carom_command *command, const char *name)
{
    const char *names[NAMES_MAX];
    int count = 0;
    char fix[200];
    names[count++] = "--help";
    for (const carom_argument *argument = command->arguments; argument->name && count < NAMES_MAX;
         ++argument)
        if (*argument->name == '-')
            names[count++] = argument->name;
    const char *nearest = carom_suggest_nearest(name, names, count);
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean %s? `carom %s --help` lists them all", nearest,
                 command->name);
    else
        snprintf(fix, sizeof fix, "`carom %s --help` lists the options", command->name);
    return carom_command_misuse(fix, "`carom %s` has no option %.60s", command->name, name);
}

// Options that had another name: the old one is still taken, and says the new one.
static const carom_argument *find_renamed(const carom_command *command, const char *name)
{
    static const char *const renamed[][2] = { { "--overwrite", "--force" },
                                              { "--output", "--out" } };
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; ++i) {
        const carom_argument *argument = find_argument(command, renamed[i][1]);
        if (strcmp(name, renamed[i][0]) != 0 || !argument)
            continue;
        carom_terminal_report("note: %s is called %s now", name, renamed[i][1]);
        return argument;
    }
    return NULL;
}

// -- endings of files ---------------------------------------------------------------------------

static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const char *ending = dot && dot > (slash ? slash + 1 : path) ? dot : "";
    return strcmp(ending, ".pdf") == 0 ? ".svg" : ending; // carom_output_write makes PDF of SVG
}

// The option of the command that writes files with this ending; null: none does.
static const carom_argument *writer_of(const carom_command *command, const char *ending)
{
    for (const carom_argument *argument = command->arguments; argument->name; ++argument)
        if (argument->ending && strcmp(argument->ending, ending) == 0)
            return argument;
    return NULL;
}

static int list_endings(const carom_command *command, const char *name, const char *path)
{
    char fix[200] = "use one of:";
    for (const carom_argument *argument = command->arguments; argument->name; ++argument)
        if (argument->ending && !strstr(fix, argument->ending))
            snprintf(fix + strlen(fix), sizeof fix - strlen(fix), " %s%s", argument->ending,
                     strcmp(argument->ending, ".svg") == 0 ? " .pdf" : "");
    return carom_command_misuse(fix, "%s is \"%.60s\": its ending says no kind of file", name,
                                path);
}

static bool is_known(const char *ending)
{
    static const char *const known[] = { ".svg",  ".html", ".csv",   ".json",  ".png",
                                         ".npz",  ".glb",  ".vtp",   ".pvd",   ".mp4",
                                         ".webm", ".gif",  ".carom", ".bounce" };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strcmp(known[i], ending) == 0)
            return true;
    return false;
}

// Which option a file to write belongs to: --out goes by the ending, the others must not have that
// of another kind of file. Devices and the standard output are as they are.
static int place_file(const carom_command *command, const carom_argument **argument,
                      const char *path)
{
    const char *own = (*argument)->ending, *ending = ending_of(path);
    if ((!own && !(*argument)->by_ending) || strncmp(path, "/dev/", 5) == 0 ||
        (own && (strcmp(own, ending) == 0 || strcmp(path, "-") == 0)))
        return CAROM_EXIT_GOOD;
    if ((*argument)->by_ending) {
        const carom_argument *writer = writer_of(command, ending);
        if (!writer && (!own || is_known(ending)))
            return list_endings(command, (*argument)->name, path);
        *argument = writer ? writer : *argument;
        return CAROM_EXIT_GOOD;
    }
    if (!is_known(ending))
        return CAROM_EXIT_GOOD;
    char fix[120];
    snprintf(fix, sizeof fix, "end it in %s", own);
    return carom_command_misuse(fix, "%s is \"%.60s\", which ends like another kind of file",
                                (*argument)->name, path);
}

// -- parsing ------------------------------------------------------------------------------------

static int check_number(const carom_argument *argument, const char *text)
{
    char *end, fix[160], unit[40] = "";
    if (argument->unit)
        snprintf(unit, sizeof unit, " (%s)", argument->unit);
    bool bounded = argument->min != 0 || argument->max != 0;
    bool whole = argument->kind == CAROM_ARGUMENT_INTEGER;
    const char *noun = whole ? "whole number" : "number";
    if (!bounded)
        snprintf(fix, sizeof fix, "give a %s%s", noun, unit);
    else if (isinf(argument->max))
        snprintf(fix, sizeof fix, "give a %s of at least %g%s", noun, argument->min, unit);
    else
        snprintf(fix, sizeof fix, "give a %s from %g to %g%s", noun, argument->min, argument->max,
                 unit);
    double number = strtod(text, &end);
    bool good = end != text && *end == 0 && isfinite(number) &&
                (!whole || (number == floor(number) && fabs(number) < 9e15));
    if (!good)
        return carom_command_misuse(fix, "%s is \"%.60s\", not a %s", argument->name, text, noun);
    if (bounded && !(number >= argument->min && number <= argument->max))
        return carom_command_misuse(fix, "%s is %.60s, outside [%g, %g]", argument->name, text,
                                    argument->min, argument->max);
    return CAROM_EXIT_GOOD;
}

static int check_word(const carom_argument *argument, const char *text)
{
    if (word_index(argument->choices, text) >= 0)
        return CAROM_EXIT_GOOD;
    char fix[300];
    snprintf(fix, sizeof fix, "use one of: %s", argument->choices);
    return carom_command_misuse(fix, "%s is \"%.60s\", which is no known word", argument->name,
                                text);
}

static int store(carom_arguments *given, const carom_argument *argument, const char *text)
{
    int code = CAROM_EXIT_GOOD;
    if (argument->kind == CAROM_ARGUMENT_NUMBER || argument->kind == CAROM_ARGUMENT_INTEGER)
        code = check_number(argument, text);
    else if (argument->kind == CAROM_ARGUMENT_CHOICE)
        code = check_word(argument, text);
    else if (text && *text == 0)
        code = carom_command_misuse("give it a value", "%s is empty", argument->name);
    else if (argument->kind == CAROM_ARGUMENT_FILE)
        code = place_file(given->command, &argument, text);
    if (code != CAROM_EXIT_GOOD)
        return code;
    given->given[given->count].argument = argument;
    given->given[given->count++].text = text;
    return CAROM_EXIT_GOOD;
}

// The positional argument that comes next, or null where all are taken.
static const carom_argument *next_positional(const carom_arguments *given)
{
    for (const carom_argument *argument = given->command->arguments; argument->name; ++argument)
        if (*argument->name != '-' &&
            (argument->repeated || carom_command_count(given, argument->name) == 0))
            return argument;
    return NULL;
}

static int take_positional(carom_arguments *given, const char *text)
{
    const carom_argument *argument = next_positional(given);
    if (argument)
        return store(given, argument, text);
    char fix[120];
    snprintf(fix, sizeof fix, "`carom %s --help` shows what it takes", given->command->name);
    return carom_command_misuse(fix, "`carom %s` has no use for \"%.60s\"", given->command->name,
                                text);
}

// Takes --name, --name VALUE or --name=VALUE; `used` counts the words taken.
static int take_option(carom_arguments *given, char **words, int left, int *used)
{
    char name[80];
    const char *equals = strchr(words[0], '=');
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - words[0]) : 79, words[0]);
    const carom_argument *argument = find_argument(given->command, name);
    *used = 1;
    if (!argument)
        argument = find_renamed(given->command, name);
    if (!argument)
        return unknown_argument(given->command, name);
    if (argument->kind == CAROM_ARGUMENT_FLAG) {
        if (equals)
            return carom_command_misuse("leave out the value",
                                        "%s takes no value, but got \"%.60s\"", name, equals + 1);
        return store(given, argument, NULL);
    }
    if (equals)
        return store(given, argument, equals + 1);
    if (left < 2) {
        char fix[300];
        snprintf(fix, sizeof fix, "write %s %s%s%s", name,
                 argument->value ? argument->value : "VALUE", argument->choices ? ", one of: " : "",
                 argument->choices ? argument->choices : "");
        return carom_command_misuse(fix, "%s has no value", name);
    }
    *used = 2;
    return store(given, argument, words[1]);
}

static int parse(carom_arguments *given, int argc, char **argv)
{
    bool options = true;
    for (int i = 1; i < argc;) {
        int used = 1, code;
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
            code = CAROM_EXIT_GOOD;
        } else if (options && argv[i][0] == '-' && argv[i][1]) {
            code = take_option(given, argv + i, argc - i, &used);
        } else {
            code = take_positional(given, argv[i]);
        }
        if (code != CAROM_EXIT_GOOD)
            return code;
        i += used;
    }
    return CAROM_EXIT_GOOD;
}

static int check_required(const carom_arguments *given)
{
    const carom_command *command = given->command;
    for (const carom_argument *argument = command->arguments; argument->name; ++argument)
        if (argument->required && carom_command_count(given, argument->name) == 0) {
            char fix[160];
            snprintf(fix, sizeof fix, "write `carom %s %s`; `carom %s --help` has examples",
                     command->name, argument->name, command->name);
            return carom_command_misuse(fix, "%s is missing: %s", argument->name, argument->doc);
        }
    return CAROM_EXIT_GOOD;
}

int carom_command_run(const carom_command *command, int argc, char **argv)
{
    carom_arguments given = { .command = command };
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; ++i)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            carom_manual_help(command);
            return CAROM_EXIT_GOOD;
        }
    given.given = calloc((size_t)argc + 1, sizeof *given.given);
    if (!given.given)
        return carom_command_no_memory("the arguments");
    int code = parse(&given, argc, argv);
    if (code == CAROM_EXIT_GOOD)
        code = check_required(&given);
    if (code == CAROM_EXIT_GOOD)
        code = command->run(&given);
    free(given.given);
    return code;
}

const carom_command *carom_command_find(const char *name)
{
    const char *names[NAMES_MAX];
    int count = 0;
    for (; carom_command_list[count] && count < NAMES_MAX; ++count) {
        names[count] = carom_command_list[count]->name;
        if (strcmp(name, names[count]) == 0)
            return carom_command_list[count];
    }
    char fix[160];
    const char *nearest = carom_suggest_nearest(name, names, count);
    if (nearest)
        snprintf(fix, sizeof fix, "did you mean `carom %s`? `carom help` lists them all", nearest);
    else
        snprintf(fix, sizeof fix, "`carom help` lists the commands");
    carom_command_misuse(fix, "there is no command \"%.60s\"", name);
    return NULL;
}

// Writes --help, manual pages and Markdown from the tables that command.c parses by.
#include "manual.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/version.h"
#include "terminal.h"

// -- help on the terminal -----------------------------------------------------------------------

// "--law NAME", "FILE", "[FILE...]"
static void argument_form(const carom_argument *argument, char *out, size_t size)
{
    if (*argument->name != '-')
        snprintf(out, size, "%s%s", argument->name, argument->repeated ? "..." : "");
    else if (argument->kind == CAROM_ARGUMENT_FLAG)
        snprintf(out, size, "%s", argument->name);
    else
        snprintf(out, size, "%s %s", argument->name, argument->value ? argument->value : "VALUE");
}

// What follows the description: choices, range, unit, default, repetition.
static void argument_facts(const carom_argument *argument, char *out, size_t size)
{
    size_t used = 0;
    *out = 0;
#define ADD(...)                                                                                   \
    do {                                                                                           \
        if (used < size)                                                                           \
            used += (size_t)snprintf(out + used, size - used, __VA_ARGS__);                        \
    } while (0)
    if (argument->choices)
        ADD("; one of: %s", argument->choices);
    if (argument->min != 0 || argument->max != 0) {
        if (isinf(argument->max))
            ADD("; at least %g", argument->min);
        else
            ADD("; %g to %g", argument->min, argument->max);
    }
    if (argument->unit)
        ADD(" [%s]", argument->unit);
    if (argument->initial)
        ADD(" (default %s)", argument->initial);
    if (argument->repeated && *argument->name == '-')
        ADD("; may be repeated");
#undef ADD
}

static void usage(const carom_command *command, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "carom %s", command->name);
    for (const carom_argument *argument = command->arguments; argument->name && used < size;
         ++argument) {
        char form[80];
        argument_form(argument, form, sizeof form);
        bool bare = argument->required && *argument->name != '-';
        used += (size_t)snprintf(out + used, size - used, bare ? " %s" : " [%s]", form);
    }
}

// A word up to its end; what stands in brackets is one.
static int word_length(const char *words)
{
    size_t length = strcspn(words, " \n"), bracket = strcspn(words, "]\n");
    if (*words == '[' && words[bracket] == ']' && bracket > length)
        length = bracket + strcspn(words + bracket, " \n");
    return (int)length;
}

// Breaks words at `width` and indents the lines that follow.
static void print_wrapped(const char *words, int indent, int column, int width)
{
    int gap = 0; // spaces before the next word, unless a line ends there
    while (*words) {
        int length = word_length(words);
        if (column + gap + length > width && column > indent) {
            printf("\n%*s", indent, "");
            column = indent;
            gap = 0;
        }
        printf("%*s%.*s", gap, "", length, words);
        column += gap + length;
        words += length;
        gap = 0;
        if (*words == '\n') {
            printf("\n%*s", indent, "");
            column = indent;
            ++words;
        }
        for (; *words == ' '; ++words)
            ++gap;
    }
    putchar('\n');
}

static int text_width(void)
{
    int width = carom_terminal_width(stdout);
    return width > 100 ? 100 : width;
}

static void heading(const char *words)
{
    printf("\n%s%s%s\n", carom_terminal_start(stdout, CAROM_TERMINAL_BOLD), words,
           carom_terminal_start(stdout, CAROM_TERMINAL_PLAIN));
}

static void help_argument(const carom_argument *argument)
{
    char form[80], facts[300], words[800];
    argument_form(argument, form, sizeof form);
    argument_facts(argument, facts, sizeof facts);
    snprintf(words, sizeof words, "%s%s", argument->doc, facts);
    printf("  %-18s ", form);
    int column = 3 + (strlen(form) > 18 ? (int)strlen(form) : 18);
    print_wrapped(words, 21, column, text_width());
}

void carom_manual_help(const carom_command *command)
{
    char line[1000];
    usage(command, line, sizeof line);
    printf("carom %s: %s\n", command->name, command->summary);
    heading("Usage");
    printf("  ");
    print_wrapped(line, 8, 2, text_width());
    if (command->details) {
        printf("\n");
        print_wrapped(command->details, 0, 0, text_width());
    }
    heading("Arguments");
    for (const carom_argument *argument = command->arguments; argument->name; ++argument)
        help_argument(argument);
    printf("  %-18s say what this command does\n", "--help");
    heading("Examples");
    for (int i = 0; command->examples[i]; i += 2)
        printf("  %s\n    %s%s%s\n", command->examples[i],
               carom_terminal_start(stdout, CAROM_TERMINAL_GOOD), command->examples[i + 1],
               carom_terminal_start(stdout, CAROM_TERMINAL_PLAIN));
    heading("Exit codes");
#define CODE(name, code, sentence) printf("  %-5d %s\n", code, sentence);
    CAROM_EXIT_LIST(CODE)
#undef CODE
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

void carom_manual_overview(void)
{
    printf("carom %s: rigid-body impacts that come out right\n", carom_version());
    heading("Usage");
    printf("  carom COMMAND ...        `carom COMMAND --help` explains one, with examples\n"
           "  carom --version          version and compiler\n");
    heading("Commands");
    int widest = 0;
    for (int i = 0; carom_command_list[i]; ++i)
        widest = max_int(widest, (int)strlen(carom_command_list[i]->name));
    for (int i = 0; carom_command_list[i]; ++i) {
        printf("  %-*s  ", widest, carom_command_list[i]->name);
        print_wrapped(carom_command_list[i]->summary, widest + 4, widest + 4, text_width());
    }
    heading("Try");
    printf("  carom laws\n  carom compare scenes/impact/cradle.json\n");
}

// -- manual pages -------------------------------------------------------------------------------

// roff: a backslash is doubled, a hyphen is kept as typed, a point at a line's start is hidden.
static void roff_words(const char *words)
{
    bool line_start = true;
    for (; *words; ++words) {
        if (line_start && (*words == '.' || *words == '\''))
            fputs("\\&", stdout);
        if (*words == '\\')
            fputs("\\e", stdout);
        else if (*words == '-')
            fputs("\\-", stdout);
        else
            putchar(*words);
        line_start = *words == '\n';
    }
}

static void roff_argument(const carom_argument *argument)
{
    char form[80], facts[300];
    argument_form(argument, form, sizeof form);
    argument_facts(argument, facts, sizeof facts);
    printf(".TP\n.B ");
    roff_words(form);
    printf("\n");
    roff_words(argument->doc);
    roff_words(facts);
    printf("\n");
}

static void roff_exit_codes(void)
{
    printf(".SH EXIT STATUS\n");
#define CODE(name, code, sentence) printf(".TP\n.B %d\n%s\n", code, sentence);
    CAROM_EXIT_LIST(CODE)
#undef CODE
    printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nwhere set and not empty, nothing is coloured\n");
}

// The page of a command: names of two words are joined by a dash.
static const char *page_name(const carom_command *command, char out[64])
{
    snprintf(out, 64, "%s", command->name);
    for (char *c = out; *c; ++c)
        *c = *c == ' ' ? '-' : *c;
    return out;
}

static void roff_overview(void)
{
    printf(".TH CAROM 1 \"\" \"carom %s\" \"User Commands\"\n", carom_version());
    printf(".SH NAME\ncarom \\- rigid\\-body impacts that come out right\n");
    printf(".SH SYNOPSIS\n.B carom\n.I COMMAND\n[\\fIarguments\\fR]\n.SH COMMANDS\n");
    for (int i = 0; carom_command_list[i]; ++i) {
        char name[64];
        printf(".TP\n.BR carom\\-%s (1)\n", page_name(carom_command_list[i], name));
        roff_words(carom_command_list[i]->summary);
        printf("\n");
    }
    roff_exit_codes();
}

void carom_manual_page(const carom_command *command)
{
    char line[1000];
    if (!command) {
        roff_overview();
        return;
    }
    usage(command, line, sizeof line);
    char name[64];
    page_name(command, name);
    printf(".TH CAROM-%s 1 \"\" \"carom %s\" \"User Commands\"\n", name, carom_version());
    printf(".SH NAME\ncarom\\-%s \\- ", name);
    roff_words(command->summary);
    printf("\n.SH SYNOPSIS\n");
    roff_words(line);
    printf("\n.SH DESCRIPTION\n");
    roff_words(command->details ? command->details : command->summary);
    printf("\n.SH ARGUMENTS\n");
    for (const carom_argument *argument = command->arguments; argument->name; ++argument)
        roff_argument(argument);
    printf(".SH EXAMPLES\n");
    for (int i = 0; command->examples[i]; i += 2) {
        printf(".TP\n");
        roff_words(command->examples[i]);
        printf("\n.B ");
        roff_words(command->examples[i + 1]);
        printf("\n");
    }
    roff_exit_codes();
    printf(".SH SEE ALSO\n.BR carom (1)\n");
}

void carom_manual_markdown(const carom_command *command)
{
    char line[1000];
    usage(command, line, sizeof line);
    printf("## carom %s\n\n%c%s.\n\n```\n", command->name,
           toupper((unsigned char)*command->summary), command->summary + 1);
    print_wrapped(line, 6, 0, 118);
    printf("```\n\n");
    if (command->details)
        printf("%s\n\n", command->details);
    for (const carom_argument *argument = command->arguments; argument->name; ++argument) {
        char form[80], facts[300];
        argument_form(argument, form, sizeof form);
        argument_facts(argument, facts, sizeof facts);
        printf("- `%s`: %s%s\n", form, argument->doc, facts);
    }
    printf("\nExamples:\n\n");
    for (int i = 0; command->examples[i]; i += 2)
        printf("- %s: `%s`\n", command->examples[i], command->examples[i + 1]);
    printf("\n");
}

// `carom laws`: every law, what it promises, its source and its options.
#include "command.h"
#include "table.h"

#include <stdio.h>
#include "carom/json.h"
#include "carom/law.h"
#include "carom/version.h"
#include "output.h"

static void write_option(const carom_option *option, carom_json *json)
{
    static const char *const kinds[] = { "number", "count", "choice" };
    char initial[64];
    carom_law_option_text(option, option->initial, initial, sizeof initial);
    carom_json_object(json, NULL);
    carom_json_string(json, "name", option->name);
    carom_json_string(json, "summary", option->summary);
    carom_json_string(json, "kind", kinds[option->kind]);
    if (option->kind == CAROM_OPTION_CHOICE) {
        carom_json_string(json, "default", initial);
        carom_json_string(json, "choices", option->choices);
    } else {
        carom_json_number(json, "default", option->initial);
        carom_json_number(json, "min", option->min);
        carom_json_number(json, "max", option->max);
    }
    carom_json_end(json);
}

static void write_law(const carom_law *law, carom_json *json)
{
    carom_json_object(json, NULL);
    carom_json_string(json, "name", carom_law_name(law));
    carom_json_string(json, "summary", carom_law_summary(law));
    carom_json_string(json, "reference", carom_law_reference(law));
    carom_json_string(json, "paper", carom_law_paper(law));
    carom_json_string(json, "number", carom_law_number(law));
    carom_json_bool(json, "default", law == carom_law_default());
    carom_json_bool(json, "friction", carom_law_has_friction(law));
    carom_json_array(json, "promises");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        if (carom_law_promises(law) & 1u << i)
            carom_json_string(json, NULL, carom_law_promise_name(i));
    carom_json_end(json);
    carom_json_array(json, "options");
    for (int i = 0; i < carom_law_option_count(law); ++i)
        write_option(carom_law_option(law, i), json);
    carom_json_end(json);
    carom_json_end(json);
}

static int print_json(void)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_string(json, "carom", carom_version());
    carom_json_array(json, "laws");
    for (int i = 0; i < carom_law_count(); ++i)
        write_law(carom_law_at(i), json);
    carom_json_end(json);
    carom_json_object(json, "promises");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        carom_json_string(json, carom_law_promise_name(i), carom_law_promise_sentence(i));
    carom_json_end(json);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", true);
}

static void print_laws(void)
{
    carom_table *table = carom_table_create(CAROM_PROMISE_COUNT + 4);
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "law");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", carom_law_promise_name(i));
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "friction");
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "source");
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "what it does");
    carom_table_left(table, CAROM_PROMISE_COUNT + 2);
    carom_table_left(table, CAROM_PROMISE_COUNT + 3);
    for (int k = 0; k < carom_law_count(); ++k) {
        const carom_law *law = carom_law_at(k);
        unsigned promises = carom_law_promises(law);
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s%s", carom_law_name(law),
                         law == carom_law_default() ? " (default)" : "");
        for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
            carom_table_cell(table, promises & 1u << i ? CAROM_TERMINAL_GOOD : CAROM_TERMINAL_FAINT,
                             "%s", promises & 1u << i ? "+" : "-");
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s",
                         carom_law_has_friction(law) ? "yes" : "no");
        carom_table_cell(table, CAROM_TERMINAL_FAINT, "[%s]", carom_law_reference(law));
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", carom_law_summary(law));
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
}

static void print_options(void)
{
    carom_table *table = carom_table_create(5);
    static const char *const heads[] = { "law", "option", "default", "takes", "meaning" };
    for (int i = 0; i < 5; ++i) {
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[i]);
        carom_table_left(table, i);
    }
    for (int k = 0; k < carom_law_count(); ++k) {
        const carom_law *law = carom_law_at(k);
        for (int i = 0; i < carom_law_option_count(law); ++i) {
            const carom_option *option = carom_law_option(law, i);
            char initial[64];
            carom_law_option_text(option, option->initial, initial, sizeof initial);
            carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", i ? "" : carom_law_name(law));
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", option->name);
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", initial);
            if (option->kind == CAROM_OPTION_CHOICE)
                carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", option->choices);
            else
                carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%g to %g%s", option->min,
                                 option->max,
                                 option->kind == CAROM_OPTION_INTEGER ? ", whole" : "");
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", option->summary);
        }
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
}

// As docs/laws.md shows it.
static int print_papers(void)
{
    carom_table *table = carom_table_create(3);
    static const char *const heads[] = { "law", "paper", "number reproduced" };
    for (int i = 0; i < 3; ++i) {
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[i]);
        carom_table_left(table, i);
    }
    for (int k = 0; k < carom_law_count(); ++k) {
        const carom_law *law = carom_law_at(k);
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", carom_law_name(law));
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", carom_law_paper(law));
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", carom_law_number(law));
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
    return CAROM_EXIT_GOOD;
}

static int run(const carom_arguments *given)
{
    if (carom_command_flag(given, "--json"))
        return print_json();
    if (carom_command_flag(given, "--papers"))
        return print_papers();
    print_laws();
    printf("\nPromises hold for every problem without friction and with one restitution:\n");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        printf("  %s  %s\n", carom_law_promise_name(i), carom_law_promise_sentence(i));
    printf(
        "\nOptions (in files: \"options\": { \"name\": value }; on the line: --set name=value):\n");
    print_options();
    return CAROM_EXIT_GOOD;
}

static const carom_argument arguments[] = {
    { "--papers", CAROM_ARGUMENT_FLAG,
      .doc = "whose law each is, and the number of theirs that a test reproduces" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { 0 },
};

static const char *const examples[] = {
    "the table of laws",
    "carom laws",
    "where each comes from, and what is reproduced of it",
    "carom laws --papers",
    "names only",
    "carom laws --json | jq -r '.laws[].name'",
    NULL,
};

const carom_command carom_laws_command = {
    .name = "laws",
    .summary = "list the impact laws, what each promises, and their options",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

// `carom bounce kernel`: the bare scalar problem of a file.
#include "carom/bounce.h"
#include "carom/json.h"
#include "carom/text.h"
#include "command.h"
#include "output.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct work {
    int count, capped;
    const carom_bounce_result *results;
    carom_bounce_options options;
} work;

static int print_json(const work *w)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_string(json, "solver", carom_bounce_solver_name(w->options.solver));
    carom_json_array(json, "eps");
    for (int i = 0; i < w->count; ++i)
        carom_json_number(json, NULL, w->results[i].epsilon);
    carom_json_end(json);
    carom_json_array(json, "tau");
    for (int i = 0; i < w->count; ++i)
        carom_json_number(json, NULL, w->results[i].tau);
    carom_json_end(json);
    carom_json_array(json, "micro");
    for (int i = 0; i < w->count; ++i)
        carom_json_integer(json, NULL, w->results[i].micro);
    carom_json_end(json);
    carom_json_array(json, "steps");
    for (int i = 0; i < w->count; ++i)
        carom_json_integer(json, NULL, w->results[i].steps);
    carom_json_end(json);
    carom_json_array(json, "ended");
    for (int i = 0; i < w->count; ++i)
        carom_json_string(json, NULL, carom_bounce_end_name(w->results[i].end));
    carom_json_end(json);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", false);
}

static void print_table(const work *w)
{
    static const char *const heads[] = { "case", "epsilon", "tau s", "micro", "steps", "ended" };
    carom_table *table = carom_table_create(6);
    for (int i = 0; i < 6; ++i)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[i]);
    for (int i = 0; i < w->count; ++i) {
        const carom_bounce_result *r = &w->results[i];
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%d", i);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.9f", r->epsilon);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.6e", r->tau);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%d", r->micro);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%ld", r->steps);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", carom_bounce_end_name(r->end));
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
}

static int run(const carom_arguments *given)
{
    carom_bounce_file *file = NULL;
    carom_error err = { 0 };
    if (carom_bounce_file_open(carom_command_text(given, "FILE"), &file, &err) != CAROM_OK)
        return carom_command_fail(&err);
    carom_bounce_file_limit(file, carom_command_number(given, "--limit"));
    int code = CAROM_EXIT_INTERNAL;
    work w = { .count = carom_bounce_file_count(file), .options = carom_bounce_file_options(file) };
    carom_bounce_result *results = calloc((size_t)w.count, sizeof *results);
    w.results = results;
    if (!results) {
        code = carom_command_no_memory("the results");
    } else if (carom_bounce_file_solve(file, results, &err) != CAROM_OK) {
        code = carom_command_fail(&err);
    } else {
        code = CAROM_EXIT_GOOD;
        for (int i = 0; i < w.count; ++i)
            w.capped += results[i].end == CAROM_BOUNCE_CAPPED;
        if (carom_command_flag(given, "--json"))
            code = print_json(&w);
        else
            print_table(&w);
        if (w.capped > 0)
            carom_terminal_report("%d of %d %s ended by the budget of steps", w.capped, w.count,
                                  carom_text_noun(w.count, "contact", "contacts"));
        if (code == CAROM_EXIT_GOOD && w.capped > 0)
            code = CAROM_EXIT_BROKEN;
    }
    free(results);
    carom_bounce_file_close(file);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .doc = "contacts, JSON (\"-\": standard input)",
      .required = true },
    { "--limit", CAROM_ARGUMENT_NUMBER, .value = "N", .initial = "1e8", .min = 1, .max = 1e18,
      .doc = "most steps of all contacts together, of which each gets the same part; a contact "
             "that reaches it ends as by its budget" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print the results as JSON" },
    { 0 },
};

static const char *const examples[] = {
    "one mode, a degenerate pair, a rigid body",
    "carom bounce kernel scenes/bounce/kernel.json",
    "the same as numbers",
    "carom bounce kernel scenes/bounce/kernel.json --json",
    NULL,
};

const carom_command carom_bounce_kernel_command = {
    .name = "bounce kernel",
    .summary = "restitution of bare scalar problems: w, participations, frequencies",
    .details =
        "Reads contacts as the modes see them (the response w of the rigid body, participation and "
        "angular frequency of every mode) and prints the restitution, the end of the last "
        "micro-collision, the number of micro-collisions and the steps of each. Without modes, or "
        "where none takes part, the restitution is 0.\n\n"
        "The exit code is 1 where a contact did not end within its budget of steps.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

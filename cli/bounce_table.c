// `carom bounce table`: table 2 of [Bounce] for our shapes, beside what the paper printed.
#include "bounce_body.h"
#include "carom/json.h"
#include "output.h"
#include "table.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

// Name in the paper, our shape, and the paper's least, largest and average epsilon (table 2).
static const struct row {
    const char *paper, *shape;
    double min, max, mean;
} rows[] = {
    { "Rectangular Bar", "bar", 0.11027, 0.849087, 0.560266 },
    { "Rod", "rod", 0.109042, 0.8551, 0.576428 },
    { "Ruler", "ruler", 0.124216, 0.912349, 0.553389 },
    { "Baseball Bat", "bat", 0.069281, 0.956061, 0.636968 },
    { "Bowling Pin", "pin", 0.176574, 0.911379, 0.62008 },
    { "Flat Spring", "spring", 0, 1, 0.671125 },
    { "Bowl", "bowl", 0.185017, 1, 0.755548 },
    { "Cup", "cup", 0.318098, 0.967689, 0.730247 },
    { "Wrench", "wrench", 0.039464, 0.920994, 0.613731 },
    { "Table", "table", 0, 1, 0.559098 },
    { "Hockey Stick", "hockey", 0.028524, 0.982618, 0.587974 },
    { "\"B\"", "letter-B", 0.352972, 0.944619, 0.745858 },
    { "\"O\"", "letter-O", 0.258659, 0.927492, 0.776712 },
    { "\"U\"", "letter-U", 0.093109, 0.909523, 0.579912 },
    { "\"N\"", "letter-N", 0.088812, 0.949161, 0.568093 },
    { "\"C\"", "letter-C", 0.107234, 0.940146, 0.567126 },
    { "\"E\"", "letter-E", 0.12469, 0.955651, 0.573654 },
};
enum { ROWS = sizeof rows / sizeof *rows };

static int compute(const struct row *row, const carom_arguments *given,
                   carom_bounce_statistics *out)
{
    char mesh[64];
    carom_bounce_body body;
    carom_bounce_map *map = NULL;
    carom_error err = { 0 };
    snprintf(mesh, sizeof mesh, "shape:%s", row->shape);
    int code = carom_bounce_body_open(given, mesh, true, &body);
    if (code != CAROM_EXIT_GOOD)
        return code;
    carom_bounce_map_options options = carom_bounce_map_options_default();
    options.edges = options.vertices = 0;
    const carom_progress *progress = carom_terminal_progress_begin();
    if (carom_bounce_map_bake(body.shape, body.modes, &options, progress, &map, &err) != CAROM_OK)
        code = carom_command_fail(&err);
    else
        *out = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
    carom_terminal_progress_end();
    carom_bounce_map_destroy(map);
    carom_bounce_body_close(&body);
    return code;
}

static void json_row(carom_json *json, const struct row *row, const carom_bounce_statistics *s)
{
    const double paper[3] = { row->min, row->max, row->mean },
                 ours[3] = { s->min, s->max, s->mean_area };
    carom_json_object(json, NULL);
    carom_json_string(json, "name", row->paper);
    carom_json_string(json, "shape", row->shape);
    carom_json_integer(json, "faces", s->count);
    carom_json_numbers(json, "ours_min_max_mean", ours, 3);
    carom_json_numbers(json, "paper_min_max_mean", paper, 3);
    carom_json_end(json);
}

static void table_row(carom_table *table, const struct row *row, const carom_bounce_statistics *s)
{
    const double values[] = { s->min, s->max, s->mean_area, row->min, row->max, row->mean };
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", row->shape);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%d", s->count);
    for (int k = 0; k < 6; ++k)
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.3f", values[k]);
}

static int run(const carom_arguments *given)
{
    static const char *const heads[] = { "shape", "faces",     "min",       "max",
                                         "mean",  "paper min", "paper max", "paper mean" };
    bool as_json = carom_command_flag(given, "--json");
    carom_json *json = as_json ? carom_json_create() : NULL;
    carom_table *table = as_json ? NULL : carom_table_create(8);
    for (int k = 0; k < 8; ++k)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[k]);
    carom_json_array(json, NULL);
    int wanted = carom_command_count(given, "--only"), done = 0, code = CAROM_EXIT_GOOD;
    for (int r = 0; r < ROWS && code == CAROM_EXIT_GOOD; ++r) {
        bool chosen = wanted == 0;
        for (int k = 0; k < wanted; ++k)
            chosen |= strcmp(carom_command_text_at(given, "--only", k), rows[r].shape) == 0;
        carom_bounce_statistics s = { 0 };
        if (!chosen)
            continue;
        code = compute(&rows[r], given, &s);
        if (code != CAROM_EXIT_GOOD)
            break;
        ++done;
        if (as_json)
            json_row(json, &rows[r], &s);
        else
            table_row(table, &rows[r], &s);
    }
    carom_json_end(json);
    if (code == CAROM_EXIT_GOOD && done == 0)
        code = carom_command_misuse("`carom bounce --shapes` lists the names",
                                    "no row of the table has that name");
    if (code == CAROM_EXIT_GOOD && as_json)
        return carom_output_finish_json(json, "-", false);
    if (code == CAROM_EXIT_GOOD) {
        carom_table_print(table, stdout);
        printf("\nThe sizes of the paper's bodies are not printed there, and its averages do not "
               "follow from its\nmodel even where they can be deduced (bar, rod): see "
               "docs/bounce.md.\n");
    }
    carom_json_destroy(json);
    carom_table_destroy(table);
    return code;
}

static const carom_argument arguments[] = {
    { "--only", CAROM_ARGUMENT_TEXT, .value = "SHAPE", .repeated = true,
      .doc = "compute this row (bar, rod, letter-B ...) instead of all" },
    CAROM_BOUNCE_BODY_ARGUMENTS,
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { 0 },
};

static const char *const examples[] = {
    "one row, quickly",
    "carom bounce table --only bar --modes 10 --across 1",
    NULL,
};

const carom_command carom_bounce_table_command = {
    .name = "bounce table",
    .summary = "table 2 of the paper for our shapes, beside the paper's",
    .details = "Computes the maps of the shapes of table 2 in [Bounce] at our sizes and prints "
               "least, largest and mean restitution (by area) beside the paper's. Use --material "
               "paper for its E, nu and rho; restitution depends on nu only.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

// `carom bounce figure`: the curves of the paper's figures.
#include "carom/bounce_figure.h"
#include "carom/json.h"
#include "command.h"
#include "output.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int print_json(const carom_bounce_figure *f)
{
    carom_json *json = carom_json_create();
    double *column = malloc((size_t)f->rows * sizeof *column + 1);
    if (!json || !column) {
        carom_json_destroy(json);
        free(column);
        return carom_command_no_memory("the columns");
    }
    carom_json_object(json, NULL);
    carom_json_integer(json, "figure", f->number);
    carom_json_string(json, "title", f->title);
    carom_json_string(json, "across", f->across);
    carom_json_string(json, "unit", f->unit);
    carom_json_object(json, "columns");
    for (int c = 0; c < f->columns; ++c) {
        for (int r = 0; r < f->rows; ++r)
            column[r] = f->values[r * f->columns + c];
        carom_json_numbers(json, f->names[c], column, f->rows);
    }
    carom_json_end(json);
    carom_json_end(json);
    free(column);
    return carom_output_finish_json(json, "-", false);
}

static void print_csv(const carom_bounce_figure *f, FILE *file)
{
    for (int c = 0; c < f->columns; ++c)
        fprintf(file, "%s%s", c ? "," : "", f->names[c]);
    fputc('\n', file);
    for (int r = 0; r < f->rows; ++r)
        for (int c = 0; c < f->columns; ++c)
            fprintf(file, "%.8g%s", f->values[r * f->columns + c], c + 1 < f->columns ? "," : "\n");
}

static carom_status draw(const carom_bounce_figure *f, const char *path, bool force,
                         carom_error *err)
{
    char *text = NULL;
    carom_status status = carom_bounce_figure_svg(f, &text, err);
    if (status == CAROM_OK)
        status = carom_output_write(path, text, force, err);
    free(text);
    return status;
}

static int run(const carom_arguments *given)
{
    char folder[4096] = "";
    carom_error err = { 0 };
    carom_bounce_figure *figure = NULL;
    const char *svg = carom_command_text(given, "--svg");
    bool force = carom_command_flag(given, "--force");
    if (svg && carom_output_check(svg, force, &err) != CAROM_OK)
        return carom_command_fail(&err);
    if (!carom_command_flag(given, "--no-cache"))
        carom_bounce_cache_folder(folder, sizeof folder);
    int modes =
        carom_command_count(given, "--modes") ? (int)carom_command_integer(given, "--modes") : 0;
    const carom_progress *progress = carom_terminal_progress_begin();
    carom_status status = carom_bounce_figure_make((int)carom_command_integer(given, "NUMBER"),
                                                   modes, folder, progress, &figure, &err);
    carom_terminal_progress_end();
    int code = CAROM_EXIT_GOOD;
    if (status == CAROM_OK && svg)
        status = draw(figure, svg, force, &err);
    if (status != CAROM_OK)
        code = carom_command_fail(&err);
    else if (carom_command_flag(given, "--json"))
        code = print_json(figure);
    else if (!svg)
        print_csv(figure, stdout);
    carom_bounce_figure_free(figure);
    return code;
}

static const carom_argument arguments[] = {
    { "NUMBER", CAROM_ARGUMENT_INTEGER, .min = 1, .max = 24, .required = true,
      .doc = "of the figure: 3, 9, 11, 16, 17, 18, 20, 21, 22 or 23" },
    { "--modes", CAROM_ARGUMENT_INTEGER, .value = "N", .min = 1, .max = 1000,
      .doc = "vibration modes; by default as many as in the paper" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON instead of CSV" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg", .doc = "draw it instead" },
    { "--no-cache", CAROM_ARGUMENT_FLAG, .doc = "compute the modes anew and keep nothing" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write the same by its ending, .svg" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { 0 },
};

static const char *const examples[] = {
    "restitution along a rod's side with few modes",
    "carom bounce figure 9 --modes 20 --svg side.svg",
    NULL,
};

const carom_command carom_bounce_figure_command = {
    .name = "bounce figure",
    .summary = "the curves of the figures of the bounce map paper",
    .details = "3: a rod at every angle; 9: along its side; 11: normals at a round and a sharp "
               "end; 16: with damping; 17: along a bat, a rod and a bar; 18: mean over the number "
               "of modes; 20: over contact time; 21, 22: density and speed change nothing; 23: "
               "elastic impulses. Columns as CSV, JSON or a picture.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

// `carom measure`: what the grains of a run do together.
#include "command.h"
#include "output.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include "carom/measure.h"

typedef struct work {
    const carom_arguments *given;
    carom_measure_options options;
    carom_scene_world *scene;
    carom_chain_file *chain;
    carom_measure *measure;
} work;

static carom_status measure_run(work *w, const char *path, carom_error *err)
{
    carom_trajectory *trajectory = NULL;
    carom_status status = carom_trajectory_open(path, &trajectory, err);
    if (status == CAROM_OK)
        status = carom_trajectory_scene(trajectory, &w->scene, err);
    if (status == CAROM_OK)
        status = carom_measure_create(w->scene, &w->options, &w->measure, err);
    if (status == CAROM_OK)
        status = carom_measure_trajectory(w->measure, trajectory, err);
    carom_trajectory_close(trajectory);
    return status;
}

static carom_status measure_chain(work *w, const char *path, carom_error *err)
{
    carom_chain_result *result = NULL;
    carom_status status = carom_chain_file_open(path, &w->chain, err);
    if (status != CAROM_OK)
        return status;
    const carom_chain *chain = carom_chain_file_chain(w->chain);
    status = carom_chain_run(chain, &result, err);
    if (status == CAROM_OK)
        status = carom_measure_chain(chain, result, &w->options, &w->measure, err);
    carom_chain_result_destroy(result);
    return status;
}

static void print_json(const carom_measure_table *t)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_string(json, "title", t->title);
    carom_json_object(json, "numbers");
    for (int i = 0; i < t->number_count; ++i)
        carom_json_number(json, t->numbers[i].name, t->numbers[i].value);
    carom_json_end(json);
    carom_json_object(json, "columns");
    for (int c = 0; c < t->column_count; ++c)
        carom_json_numbers(json, t->columns[c].name, t->columns[c].values, t->rows);
    carom_json_end(json);
    carom_json_end(json);
    carom_output_finish_json(json, "-", false);
}

static void print_numbers(const carom_measure_table *t)
{
    carom_table *table = carom_table_create(3);
    carom_table_left(table, 2);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", t->title);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "value");
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "unit");
    for (int i = 0; i < t->number_count; ++i) {
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", t->numbers[i].name);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.6g", t->numbers[i].value);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", t->numbers[i].unit);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
}

static carom_status write_one(const work *w, const carom_measure_table *table, const char *option,
                              carom_status (*make)(const carom_measure_table *, char **,
                                                   carom_error *),
                              carom_error *err)
{
    const char *path = carom_command_text(w->given, option);
    char *text = NULL;
    if (!path)
        return CAROM_OK;
    carom_status status = make(table, &text, err);
    if (status == CAROM_OK)
        status = carom_output_write(path, text, carom_command_flag(w->given, "--force"), err);
    free(text);
    return status;
}

static int finish(work *w)
{
    carom_error err = { 0 };
    const carom_measure_table *table = NULL;
    carom_status status = carom_measure_finish(w->measure, &table, &err);
    if (status == CAROM_OK)
        status = write_one(w, table, "--csv", carom_measure_csv, &err);
    if (status == CAROM_OK)
        status = write_one(w, table, "--svg", carom_measure_svg, &err);
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    if (carom_command_flag(w->given, "--json"))
        print_json(table);
    else
        print_numbers(table);
    return CAROM_EXIT_GOOD;
}

// Box and cells.
static int read_grid(work *w)
{
    double cells[3];
    int corners = carom_command_numbers(w->given, "--box", w->options.box, 6);
    int counts = carom_command_numbers(w->given, "--cells", cells, 3);
    if (corners != 0 && corners != 6)
        return carom_command_misuse("give the low and the high corner: X,Y,Z,X,Y,Z",
                                    "--box cannot be used");
    for (int k = 0; k < counts && counts == 3; ++k) {
        if (!(cells[k] >= 1 && cells[k] <= 1000 && cells[k] == floor(cells[k])))
            counts = -1;
        else
            w->options.cells[k] = (int)cells[k];
    }
    if (counts != 0 && counts != 3)
        return carom_command_misuse("give three whole numbers from 1 to 1000: 20,1,20",
                                    "--cells cannot be used");
    return CAROM_EXIT_GOOD;
}

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    const char *path = carom_command_text(given, "FILE");
    bool force = carom_command_flag(given, "--force");
    work w = { .given = given,
               .options = { .of = (carom_measure_kind)carom_command_choice(given, "--of"),
                            .body = carom_command_text(given, "--body"),
                            .from = carom_command_number(given, "--from"),
                            .to = carom_command_number(given, "--to"),
                            .bins = (int)carom_command_integer(given, "--bins") } };
    int misuse = read_grid(&w);
    if (misuse != CAROM_EXIT_GOOD)
        return misuse;
    static const char *const files[] = { "--csv", "--svg" };
    for (int i = 0; i < 2; ++i) {
        const char *file = carom_command_text(given, files[i]);
        if (file && carom_output_check(file, force, &err) != CAROM_OK)
            return carom_command_fail(&err);
    }
    carom_status status = w.options.of == CAROM_MEASURE_SHOCK ? measure_chain(&w, path, &err)
                                                              : measure_run(&w, path, &err);
    int code = status == CAROM_OK ? finish(&w) : carom_command_fail(&err);
    carom_measure_destroy(w.measure);
    carom_scene_world_close(w.scene);
    carom_chain_file_close(w.chain);
    return code;
}

#define WORD(name, word, sentence) " " word
#define LINE(name, word, sentence) word ": " sentence ".\n\n"

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "a trajectory written by `carom run`; of a shock: a file of kind chain, which is run",
      .required = true },
    { "--of", CAROM_ARGUMENT_CHOICE, .value = "WORD", .initial = "load",
      .choices = &(CAROM_MEASURE_LIST(WORD))[1], .doc = "what to measure; see above" },
    { "--body", CAROM_ARGUMENT_TEXT, .value = "NAME", .doc = "of a height: whose" },
    { "--from", CAROM_ARGUMENT_NUMBER, .value = "TIME", .unit = "s", .initial = "0", .min = 0,
      .max = 1e12,
      .doc = "means and fits begin here; where this is 0, a runout starts at the first change of "
             "the scene, and a shock is measured once it has passed a fifth of the chain" },
    { "--to", CAROM_ARGUMENT_NUMBER, .value = "TIME", .unit = "s", .initial = "0", .min = 0,
      .max = 1e12,
      .doc = "means and fits end here; 0: at the end of the run, of a shock: near that of the "
             "chain" },
    { "--box", CAROM_ARGUMENT_TEXT, .value = "X,Y,Z,X,Y,Z",
      .doc = "low and high corner of what is looked at (m); by default all grains" },
    { "--cells", CAROM_ARGUMENT_TEXT, .value = "NX,NY,NZ",
      .doc = "divide the box so; by default 1,1,20, of a dissipation 20,1,20" },
    { "--bins", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 100000,
      .doc = "of fabric and forces (0: 40), of distances (0: 100, 20.5 per mean diameter)" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg", .doc = "draw the plot" },
    { "--csv", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".csv", .doc = "write the table" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print numbers and table as JSON" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write what the ending says: .svg or .csv" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { 0 },
};

static const char *const examples[] = {
    "whether a floor and its walls carry the weight of the grains",
    "carom run scenes/world/hydrostatic.json --duration 0.4 --out column.carom && carom measure "
    "column.carom --of load --from 0.3 --svg load.svg",
    NULL,
};

const carom_command carom_measure_command = {
    .name = "measure",
    .summary = "measure what many grains do: loads, packing, stress, fabric, flow, waves",
    .details = "What --of may be:\n\n" CAROM_MEASURE_LIST(
        LINE) "Measures by cells divide the box of all grains, or --box, into --cells. Without "
              "--from "
              "and --to they are taken from the last frame, otherwise averaged over the frames. "
              "Measures of forces (load, profile, coordination, fabric, forces, stress, "
              "dissipation) need a run with \"contacts\": true in the scene's output, or `carom "
              "run --set output.contacts=true`. Definitions, and a check of each against what is "
              "known: docs/measures.md; the checks of physics at scale: docs/granular-checks.md.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

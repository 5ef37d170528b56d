// `carom validate`: laws against measured impacts and tosses.
#include "command.h"
#include "output.h"
#include "table.h"

#include <string.h>
#include <unistd.h>
#include "carom/validate.h"

enum { IMPACTS, TOSSES, MOST_LAWS = 64 };

// The project's own files: below the current folder, beside the build, or where they were
// installed.
static const char *own_file(int what, char *path, size_t size)
{
    static const char *const names[] = { "ellipse-impacts.csv", "cube-tosses.csv.gz" };
    static const char *const folders[] = { "../../data", "../share/carom/data" };
    char program[4096];
    snprintf(path, size, "data/%s", names[what]);
    if (access(path, R_OK) == 0)
        return path;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return path;
    program[length] = '\0';
    char *end = strrchr(program, '/');
    if (!end)
        return path;
    *end = '\0';
    for (int i = 0; i < 2; ++i) {
        snprintf(path, size, "%.3000s/%s/%s", program, folders[i], names[what]);
        if (access(path, R_OK) == 0)
            return path;
    }
    snprintf(path, size, "data/%s", names[what]);
    return path;
}

// Laws by name, or those that make sense: with friction, and a restitution to fit.
static int choose_laws(const carom_arguments *given, int what, const carom_law **laws, int *count,
                       carom_error *err)
{
    static const char *const tosses[] = { "wave", "qce", "newton" }; // each takes seconds
    int named = carom_command_count(given, "--law");
    *count = 0;
    for (int i = 0; i < named && i < MOST_LAWS; ++i) {
        laws[*count] = carom_law_find(carom_command_text_at(given, "--law", i), err);
        if (!laws[(*count)++])
            return carom_command_fail(err);
    }
    for (int i = 0; i < 3 && named == 0 && what == TOSSES; ++i)
        laws[(*count)++] = carom_law_find(tosses[i], err);
    for (int i = 0; i < carom_law_count() && named == 0 && what == IMPACTS; ++i) {
        const carom_law *law = carom_law_at(i);
        if (carom_law_has_friction(law) && carom_law_bounces(law) && *count < MOST_LAWS)
            laws[(*count)++] = law;
    }
    return CAROM_EXIT_GOOD;
}

static int print_json(const carom_validation *v, int what)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_integer(json, "fitted", v->fitted);
    carom_json_integer(json, "judged", v->judged);
    carom_json_array(json, "laws");
    for (int i = 0; i < v->row_count; ++i) {
        const carom_validate_row *row = &v->rows[i];
        carom_json_object(json, NULL);
        carom_json_string(json, "law", carom_law_name(row->law));
        carom_json_number(json, "restitution", row->restitution);
        carom_json_number(json, "friction", row->friction);
        carom_json_number(json, what == IMPACTS ? "mean" : "position",
                          what == IMPACTS ? row->mean : row->position);
        carom_json_number(json, what == IMPACTS ? "median" : "angle",
                          what == IMPACTS ? row->median : row->angle);
        if (what == IMPACTS)
            carom_json_number(json, "bound", v->bound);
        carom_json_end(json);
    }
    carom_json_end(json);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", false);
}

static void print_table(const carom_validation *v, int what)
{
    static const char *const headings[2][5] = { { "law", "e", "friction", "mean", "median" },
                                                { "law", "e", "friction", "widths", "degrees" } };
    carom_table *table = carom_table_create(5);
    for (int i = 0; i < 5; ++i)
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", headings[what][i]);
    for (int i = 0; i < v->row_count; ++i) {
        const carom_validate_row *row = &v->rows[i];
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", carom_law_name(row->law));
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.3f", row->restitution);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.3f", row->friction);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.4f",
                         what == IMPACTS ? row->mean : row->position);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, what == IMPACTS ? "%.4f" : "%.2f",
                         what == IMPACTS ? row->median : row->angle);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
    if (what == IMPACTS)
        printf("%d impacts fitted, %d judged; error: |v - measured| / |v before|, by kinetic "
               "energy;\nno impulse at the contact point can be below %.4f in the mean\n",
               v->fitted, v->judged, v->bound);
    else
        printf("%d tosses fitted, %d judged; mean errors of position (widths of the cube) and "
               "rotation\n",
               v->fitted, v->judged);
}

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    const carom_law *laws[MOST_LAWS];
    char path[4096];
    int what = carom_command_choice(given, "WHAT"), code;
    carom_validation *v = NULL;
    carom_validate_options options = carom_validate_options_default();
    if ((code = choose_laws(given, what, laws, &options.law_count, &err)) != CAROM_EXIT_GOOD)
        return code;
    options.laws = laws;
    options.data = carom_command_text(given, "--data");
    options.fit = carom_command_text(given, "--fit");
    if (!options.data)
        options.data = own_file(what, path, sizeof path);
    options.seed = (uint64_t)carom_command_integer(given, "--seed");
    options.threads = (int)carom_command_integer(given, "--threads");
    if (options.threads == 0)
        options.threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    options.gyration = carom_command_number(given, "--gyration");
    options.width = carom_command_number(given, "--width");
    options.mass = carom_command_number(given, "--mass");
    options.inertia = carom_command_number(given, "--inertia");
    options.progress = carom_terminal_progress_begin();
    carom_status status = what == IMPACTS ? carom_validate_impacts(&options, &v, &err)
                                          : carom_validate_tosses(&options, &v, &err);
    carom_terminal_progress_end();
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    code = CAROM_EXIT_GOOD;
    if (carom_command_flag(given, "--json"))
        code = print_json(v, what);
    else
        print_table(v, what);
    carom_validate_destroy(v);
    return code;
}

static const carom_argument arguments[] = {
    { "WHAT", CAROM_ARGUMENT_CHOICE, .choices = "impacts tosses", .required = true,
      .doc = "impacts: single frictional impacts of a plane body; tosses: a cube on a floor" },
    { "--data", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "judge on this file, laid out as data/README.md says, plain or gzipped; by default "
             "the project's own" },
    { "--fit", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "fit restitution and friction on this file; by default on a half of the data, and "
             "judge on the other" },
    { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME", .repeated = true,
      .doc = "judge this law; by default all with friction and restitution, of tosses wave, qce "
             "and newton" },
    { "--seed", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "1", .min = 0, .max = 1e15,
      .doc = "decides which half is fitted on" },
    { "--gyration", CAROM_ARGUMENT_NUMBER, .value = "LENGTH", .unit = "m", .initial = "0.0192",
      .min = 1e-9, .max = 1e9, .doc = "impacts: radius of gyration of the body" },
    { "--width", CAROM_ARGUMENT_NUMBER, .value = "LENGTH", .unit = "m", .initial = "0.1048",
      .min = 1e-9, .max = 1e9, .doc = "tosses: edge of the cube" },
    { "--mass", CAROM_ARGUMENT_NUMBER, .value = "MASS", .unit = "kg", .initial = "0.37",
      .min = 1e-9, .max = 1e9, .doc = "tosses: mass of the cube" },
    { "--inertia", CAROM_ARGUMENT_NUMBER, .value = "INERTIA", .unit = "kg m^2",
      .initial = "0.00081", .min = 0, .max = 1e9,
      .doc = "tosses: moment of inertia about every axis; 0: of a uniform cube" },
    { "--threads", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 1024,
      .doc = "any number gives the same bits; 0: one per processor" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { 0 },
};

static const char *const examples[] = {
    "how near the laws come to 859 measured impacts",
    "carom validate impacts",
    "one law on tosses of a cube, as JSON",
    "carom validate tosses --law wave --json",
    NULL,
};

const carom_command carom_validate_command = {
    .name = "validate",
    .summary = "judge laws by measured impacts and tosses",
    .details =
        "A law gets the two numbers of its material, restitution and friction, from one part of "
        "the data and is judged on another. Sources, layout and measures of error: "
        "data/README.md; what the numbers say: docs/validate.md.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

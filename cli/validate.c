// `carom validate`: laws against measured impacts and tosses.
#include "command.h"
#include "output.h"
#include "own_file.h"
#include "table.h"

#include <string.h>
#include <unistd.h>
#include "carom/validate.h"

enum { IMPACTS, TOSSES, LAWS_MAX = 64, ENGINES_MAX = 32, SHOWN = 12 };

// What one call works with.
typedef struct session {
    const carom_arguments *given;
    int what;
    carom_validate_options options;
    const carom_law *laws[LAWS_MAX];
    const char *engines[ENGINES_MAX];
    char paths[ENGINES_MAX][CAROM_OWN_FILE_PATH];
    char data[CAROM_OWN_FILE_PATH];
    carom_validation *result;
} session;

// Laws by name, or those that make sense: with friction, and a restitution to fit. Whoever asks for
// engines alone gets engines alone.
static int choose_laws(session *s)
{
    static const char *const tosses[] = { "wave", "qce", "newton" }; // each takes seconds
    carom_error err = { 0 };
    int named = carom_command_count(s->given, "--law"), *count = &s->options.law_count;
    bool own = named == 0 && carom_command_count(s->given, "--engine") == 0;
    for (int i = 0; i < named && i < LAWS_MAX; ++i) {
        s->laws[*count] = carom_law_find(carom_command_text_at(s->given, "--law", i), &err);
        if (!s->laws[(*count)++])
            return carom_command_fail(&err);
    }
    for (int i = 0; i < 3 && own && s->what == TOSSES; ++i)
        s->laws[(*count)++] = carom_law_find(tosses[i], &err);
    for (int i = 0; i < carom_law_count() && own && s->what == IMPACTS; ++i) {
        const carom_law *law = carom_law_at(i);
        if (carom_law_has_friction(law) && carom_law_bounces(law) && *count < LAWS_MAX)
            s->laws[(*count)++] = law;
    }
    s->options.laws = s->laws;
    return CAROM_EXIT_GOOD;
}

static int choose_engines(session *s)
{
    int count = carom_command_count(s->given, "--engine");
    if (count > ENGINES_MAX)
        return carom_command_misuse("judge fewer at a time", "there are more than %d engines",
                                    ENGINES_MAX);
    for (int i = 0; i < count; ++i)
        s->engines[i] =
            carom_own_file_engine(carom_command_text_at(s->given, "--engine", i), s->paths[i]);
    s->options.engines = s->engines;
    s->options.engine_count = count;
    return CAROM_EXIT_GOOD;
}

static int print_json(const carom_validation *v, int what)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_integer(json, "fitted", v->fitted);
    carom_json_integer(json, "judged", v->judged);
    if (what == IMPACTS)
        carom_json_number(json, "bound_if_reversed", v->other_bound);
    carom_json_array(json, "laws");
    for (int i = 0; i < v->row_count; ++i) {
        const carom_validate_row *row = &v->rows[i];
        carom_json_object(json, NULL);
        carom_json_string(json, "law", row->name);
        if (!row->law)
            carom_json_string(json, "engine", row->name);
        if (row->failed[0]) {
            carom_json_string(json, "failed", row->failed);
            carom_json_end(json);
            continue;
        }
        carom_json_number(json, "restitution", row->material.restitution);
        carom_json_number(json, "friction", row->material.friction);
        if (row->material.fade != 0) {
            carom_json_number(json, "fade", row->material.fade);
            carom_json_number(json, "speed", row->material.speed);
            carom_json_number(json, "slip", row->material.slip);
        }
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

static void print_row(carom_table *table, const carom_validate_row *row, int what)
{
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", row->name);
    if (row->failed[0]) {
        for (int i = 1; i < 6; ++i)
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", "-");
        return;
    }
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.3f", row->material.restitution);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.3f", row->material.friction);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", row->material.fade);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.4f",
                     what == IMPACTS ? row->mean : row->position);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, what == IMPACTS ? "%.4f" : "%.2f",
                     what == IMPACTS ? row->median : row->angle);
}

static void print_table(const carom_validation *v, int what)
{
    static const char *const headings[2][6] = {
        { "law", "e", "friction", "fade", "mean", "median" },
        { "law", "e", "friction", "fade", "widths", "degrees" },
    };
    carom_table *table = carom_table_create(6);
    for (int i = 0; i < 6; ++i)
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", headings[what][i]);
    for (int i = 0; i < v->row_count; ++i)
        print_row(table, &v->rows[i], what);
    carom_table_print(table, stdout);
    carom_table_destroy(table);
    for (int i = 0; i < v->row_count; ++i)
        if (v->rows[i].failed[0])
            printf("%s: %s\n", v->rows[i].name, v->rows[i].failed);
    if (what == TOSSES) {
        printf("%d tosses fitted, %d judged; mean errors of position (widths of the cube) and "
               "rotation\n",
               v->fitted, v->judged);
        return;
    }
    printf("%d impacts fitted, %d judged; error: |v - measured| / |v before|, by kinetic energy;\n"
           "no impulse at the contact point can be below %.4f in the mean\n",
           v->fitted, v->judged, v->bound);
    if (v->other_bound < 0.5 * v->bound)
        printf("if spin counted the other way round in the tangential rows that would be %.4f: the "
               "file\ncontradicts itself (--reverse-spin; docs/validate.md)\n",
               v->other_bound);
}

// Everything that can be refused before the work starts.
static int prepare(session *s)
{
    const carom_arguments *given = s->given;
    const char *page = carom_command_text(given, "--html"), *view;
    bool force = carom_command_flag(given, "--force");
    carom_error err = { 0 };
    s->what = carom_command_choice(given, "WHAT");
    view = carom_command_text(given, "--view");
    if (view && s->what == IMPACTS)
        return carom_command_misuse("use --html", "--view shows tosses; impacts have no motion");
    if (page && carom_output_check(page, force, &err) != CAROM_OK)
        return carom_command_fail(&err);
    if (view && carom_output_check_page(view, force, &err) != CAROM_OK)
        return carom_command_fail(&err);
    s->options = carom_validate_options_default();
    int code = choose_laws(s);
    if (code == CAROM_EXIT_GOOD)
        code = choose_engines(s);
    if (code == CAROM_EXIT_GOOD && view && s->options.law_count == 0)
        code = carom_command_misuse("name a law, too", "--view shows the tosses of a law");
    return code;
}

static void take_options(session *s)
{
    static const char *const names[] = { "data/ellipse-impacts.csv", "data/cube-tosses.csv.gz" };
    const carom_arguments *given = s->given;
    carom_validate_options *o = &s->options;
    o->data = carom_command_text(given, "--data");
    o->fit = carom_command_text(given, "--fit");
    if (!o->data)
        o->data = carom_own_file(names[s->what], s->data);
    o->seed = (uint64_t)carom_command_integer(given, "--seed");
    o->threads = (int)carom_command_integer(given, "--threads");
    if (o->threads == 0)
        o->threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    int model = carom_command_choice(given, "--material");
    o->model = model > 0            ? (carom_validate_model)(model - 1)
               : s->what == IMPACTS ? CAROM_VALIDATE_SLIPPING
                                    : CAROM_VALIDATE_CONSTANT;
    o->reversed = carom_command_flag(given, "--reverse-spin");
    o->gyration = carom_command_number(given, "--gyration");
    o->width = carom_command_number(given, "--width");
    o->mass = carom_command_number(given, "--mass");
    o->inertia = carom_command_number(given, "--inertia");
}

// The viewer's page with tosses of the first law.
static int write_view(const session *s, const char *view)
{
    carom_error err = { 0 };
    carom_recording *recording = NULL;
    carom_view_source *source = NULL;
    carom_status status =
        carom_validate_recording(&s->options, s->result, 0, SHOWN, &recording, &err);
    if (status == CAROM_OK)
        status = carom_view_source_recording(recording, &source, &err);
    if (status == CAROM_OK)
        status = carom_output_page(view, &source, 1, "colour=body&plots=0",
                                   carom_command_flag(s->given, "--force"), &err);
    carom_view_source_close(source);
    carom_recording_destroy(recording);
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    if (strcmp(view, "-") != 0)
        carom_terminal_report("written: %s", view);
    return CAROM_EXIT_GOOD;
}

static int write_pages(const session *s)
{
    const char *page = carom_command_text(s->given, "--html");
    const char *view = carom_command_text(s->given, "--view");
    int code = CAROM_EXIT_GOOD;
    if (page)
        code = carom_output_finish_text(page, carom_validate_html(s->result),
                                        carom_command_flag(s->given, "--force"));
    return view && code == CAROM_EXIT_GOOD ? write_view(s, view) : code;
}

static int run(const carom_arguments *given)
{
    static session s; // large; a process runs one command
    carom_error err = { 0 };
    s.given = given;
    int code = prepare(&s);
    if (code != CAROM_EXIT_GOOD)
        return code;
    take_options(&s);
    s.options.progress = carom_terminal_progress_begin();
    carom_status status = s.what == IMPACTS ? carom_validate_impacts(&s.options, &s.result, &err)
                                            : carom_validate_tosses(&s.options, &s.result, &err);
    carom_terminal_progress_end();
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    const char *page = carom_command_text(given, "--html");
    if (carom_command_flag(given, "--json"))
        code = print_json(s.result, s.what);
    else if (!page || strcmp(page, "-") != 0)
        print_table(s.result, s.what);
    if (code == CAROM_EXIT_GOOD)
        code = write_pages(&s);
    carom_validate_destroy(s.result);
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
    { "--engine", CAROM_ARGUMENT_TEXT, .value = "NAME", .repeated = true,
      .doc = "judge another engine: bullet, ode, mujoco where they were built, or any program that "
             "speaks the protocol of docs/engines.md" },
    { "--material", CAROM_ARGUMENT_CHOICE, .choices = "usual constant fading slipping",
      .initial = "usual",
      .doc = "what is fitted of laws: constant: restitution and friction; fading: a third number, "
             "restitution that falls with the approach speed; slipping: with approach and slip; "
             "usual: slipping for impacts, constant for tosses. Engines have the constant one" },
    { "--reverse-spin", CAROM_ARGUMENT_FLAG,
      .doc = "impacts: spin counts the other way round in the tangential rows of the file" },
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
    { "--html", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".html",
      .doc = "write a page: errors and their distribution, what the data say; self-contained" },
    { "--view", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".html",
      .doc =
          "tosses: write the viewer's page with tosses of the first law, the measured ones beside "
          "them as ghosts" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write the same as --html, by its ending, .html" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { 0 },
};

static const char *const examples[] = {
    "how near the laws come to 859 measured impacts",
    "carom validate impacts",
    "one law on tosses of a cube, as JSON, and a page to look at them",
    "carom validate tosses --law wave --json --view tosses.html",
    "another engine on the same impacts, and a page",
    "carom validate impacts --law qce --engine ode --html impacts.html",
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

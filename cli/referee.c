// `carom referee`: laws and engines side by side on impacts whose outcome is known.
#include "command.h"
#include "output.h"
#include "own_file.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "carom/law.h"
#include "carom/referee.h"

enum { CONTESTANTS_MAX = 48 };

typedef struct session {
    carom_referee_contestant all[CONTESTANTS_MAX];
    char paths[CONTESTANTS_MAX][CAROM_OWN_FILE_PATH];
    char names[CONTESTANTS_MAX][64];
    int count;
} session;

static const char *const usual_laws[] = { "wave", "qce", "gr", "newton", "poisson" };
static const char *const usual_engines[] = { "bullet", "ode",  "mujoco", "simbody", "siconos",
                                             "rapier", "jolt", "cannon", "planck",  "matter" };

// Why an engine of the list may not be there.
static const char *reason_for(const char *name)
{
    if (strcmp(name, "siconos") == 0)
        return "Debian builds it without collision detection; its impact law is `lzb`";
    return "not installed when Carom was built (tools/setup referee)";
}

static void add_engine(session *s, const char *name)
{
    if (s->count == CONTESTANTS_MAX)
        return;
    const char *path = carom_own_file_engine(name, s->paths[s->count]);
    s->all[s->count++] = (carom_referee_contestant){
        .program = path,
        .absent = strchr(name, '/') ? NULL : reason_for(name),
    };
}

static int add_law(session *s, const char *name)
{
    carom_error err = { 0 };
    if (!carom_law_find(name, &err))
        return carom_command_fail(&err);
    if (s->count == CONTESTANTS_MAX)
        return CAROM_EXIT_GOOD;
    snprintf(s->names[s->count], sizeof s->names[s->count], "Carom, %.40s", name);
    s->all[s->count] = (carom_referee_contestant){
        .name = s->names[s->count],
        .program = carom_own_file_engine("carom", s->paths[s->count]),
        .setting = name,
    };
    ++s->count;
    return CAROM_EXIT_GOOD;
}

// Those named, or all that are usual.
static int choose(const carom_arguments *given, session *s)
{
    int laws = carom_command_count(given, "--law"), code = CAROM_EXIT_GOOD;
    int engines = carom_command_count(given, "--engine");
    int usual = laws == 0 && engines == 0;
    for (int i = 0; i < (usual ? 5 : laws) && code == CAROM_EXIT_GOOD; ++i)
        code = add_law(s, usual ? usual_laws[i] : carom_command_text_at(given, "--law", i));
    for (int i = 0; i < (usual ? 10 : engines); ++i)
        add_engine(s, usual ? usual_engines[i] : carom_command_text_at(given, "--engine", i));
    return code;
}

static int find_test(const char *name)
{
    for (int i = 0; i < carom_referee_test_count(); ++i)
        if (strcmp(carom_referee_test_name(i), name) == 0)
            return i;
    return -1;
}

// The tests that were named, as bits; 0: all. False where one is none.
static bool choose_tests(const carom_arguments *given, unsigned *tests)
{
    for (int i = 0; i < carom_command_count(given, "--test"); ++i) {
        int test = find_test(carom_command_text_at(given, "--test", i));
        if (test < 0) {
            carom_command_misuse("name a test of docs/referee.md", "there is no test \"%.40s\"",
                                 carom_command_text_at(given, "--test", i));
            return false;
        }
        *tests |= 1u << test;
    }
    return true;
}

static int write_results(const carom_arguments *given, const carom_referee *referee, int plotted,
                         int timed)
{
    const char *svg = carom_command_text(given, "--svg"), *page = carom_command_text(given, "--md");
    const char *course = carom_command_text(given, "--course");
    bool force = carom_command_flag(given, "--force");
    int code = CAROM_EXIT_GOOD;
    if (carom_command_flag(given, "--json")) {
        carom_json *json = carom_json_create();
        carom_json_object(json, NULL);
        carom_referee_json(referee, json);
        carom_json_end(json);
        code = carom_output_finish_json(json, "-", true);
    } else if (!page) {
        code = carom_output_finish_text("-", carom_referee_markdown(referee), true);
    }
    if (page && code == CAROM_EXIT_GOOD)
        code = carom_output_finish_text(page, carom_referee_markdown(referee), force);
    if (svg && code == CAROM_EXIT_GOOD)
        code = carom_output_finish_text(svg, carom_referee_svg(referee, plotted), force);
    if (course && code == CAROM_EXIT_GOOD)
        code = carom_output_finish_text(course, carom_referee_course_svg(referee, timed), force);
    return code;
}

// The file that was named, or the project's own; without it that test alone has no figure.
static const char *tosses_file(const carom_arguments *given, char *path)
{
    const char *named = carom_command_text(given, "--tosses");
    const char *own = carom_own_file("data/cube-tosses.csv.gz", path);
    return named || access(own, R_OK) != 0 ? named : own;
}

static int run(const carom_arguments *given)
{
    static session s; // large; a process runs one command
    static const char *const outputs[] = { "--md", "--svg", "--course" };
    static char data[CAROM_OWN_FILE_PATH];
    carom_error err = { 0 };
    carom_referee *referee = NULL;
    int plotted = find_test(carom_command_text(given, "--plot"));
    int timed = carom_command_count(given, "--plot") > 0 ? plotted : find_test("energy");
    if (plotted < 0)
        return carom_command_misuse("name a test of docs/referee.md", "there is no test \"%.40s\"",
                                    carom_command_text(given, "--plot"));
    if (carom_command_text(given, "--course") && carom_referee_test_interval(timed) == 0)
        return carom_command_misuse("plot energy, haff or articulated",
                                    "the test \"%.40s\" is judged at its end alone",
                                    carom_command_text(given, "--plot"));
    for (int i = 0; i < 3; ++i) {
        const char *path = carom_command_text(given, outputs[i]);
        if (path &&
            carom_output_check(path, carom_command_flag(given, "--force"), &err) != CAROM_OK)
            return carom_command_fail(&err);
    }
    unsigned tests = 0;
    if (!choose_tests(given, &tests))
        return CAROM_EXIT_INPUT;
    int code = choose(given, &s);
    if (code != CAROM_EXIT_GOOD)
        return code;
    const carom_referee_options options = {
        .contestants = s.all,
        .count = s.count,
        .tosses = tosses_file(given, data),
        .tests = tests,
        .progress = carom_terminal_progress_begin(),
    };
    carom_status status = carom_referee_judge(&options, &referee, &err);
    carom_terminal_progress_end();
    bool stopped = status == CAROM_INTERRUPTED; // what was done is shown all the same
    if (stopped)
        status = CAROM_OK;
    for (int i = 0; i < carom_command_count(given, "--results") && status == CAROM_OK; ++i)
        status = carom_referee_add(referee, carom_command_text_at(given, "--results", i), &err);
    code = status == CAROM_OK ? write_results(given, referee, plotted, timed)
                              : carom_command_fail(&err);
    carom_referee_destroy(referee);
    if (stopped && code == CAROM_EXIT_GOOD) {
        carom_terminal_report("stopped: what was not run has no figure");
        code = CAROM_EXIT_STOPPED;
    }
    return code;
}

static const carom_argument arguments[] = {
    { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME", .repeated = true,
      .doc = "a law of Carom's; by default five laws and all engines" },
    { "--engine", CAROM_ARGUMENT_TEXT, .value = "NAME", .repeated = true,
      .doc = "an engine by its name, or any program that speaks the protocol of docs/engines.md" },
    { "--test", CAROM_ARGUMENT_TEXT, .value = "NAME", .repeated = true,
      .doc = "run this test; by default all of docs/referee.md" },
    { "--results", CAROM_ARGUMENT_FILE, .value = "FILE", .repeated = true,
      .doc = "results of an engine that is elsewhere: lines of name,test,error,seconds" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { "--md", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".md",
      .doc = "write the tables there instead of printing them" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc = "write a picture: error over processor time of every run of one test" },
    { "--course", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc =
          "write a picture: error over simulated time of the best runs of energy, or of the test "
          "of --plot where it is judged over time" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write what the ending says: .md or .svg" },
    { "--tosses", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "measured tosses, laid out as data/README.md says; by default the project's own" },
    { "--plot", CAROM_ARGUMENT_TEXT, .value = "TEST", .initial = "elastic-666",
      .doc = "the test of these pictures" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { 0 },
};

static const char *const examples[] = {
    "one law beside one engine",
    "carom referee --law qce --engine ode",
    "how the energy of a gas drifts in one of them",
    "carom referee --test energy --engine bullet --course drift.svg",
    "an engine of one's own, as JSON",
    "carom referee --engine ./my-engine.mjs --json",
    NULL,
};

const carom_command carom_referee_command = {
    .name = "referee",
    .summary = "put laws and engines side by side on impacts whose outcome is known",
    .details =
        "Runs every test by every contestant at every setting of one grid of steps and iterations, "
        "and prints the least error of each and what it cost; without arguments five laws and all "
        "engines, which takes minutes. Ctrl-C ends it with the tables of what was done. Rules, "
        "tests and results: "
        "docs/referee.md; engines and how to add one: docs/engines.md.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

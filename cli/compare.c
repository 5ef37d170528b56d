// `carom compare`: laws on the same instants, as tables, JSON, CSV, picture and page.
#include "carom/text.h"
#include "command.h"
#include "output.h"
#include "show.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MAX = 64, LAWS_MAX = 64 };

typedef struct session {
    const carom_arguments *given;
    carom_scene_impact *scenes[FILES_MAX];
    carom_compare *compares[FILES_MAX];
    int files;
    const carom_law *laws[LAWS_MAX];
    int law_count;
} session;

// "usual", "all", or names separated by commas.
static int choose_laws(session *s)
{
    const char *list = carom_command_text(s->given, "--laws");
    bool all = strcmp(list, "all") == 0;
    if (all || strcmp(list, "usual") == 0) {
        for (int i = 0; i < carom_law_count() && s->law_count < LAWS_MAX; ++i)
            if (all || carom_law_usual(carom_law_at(i)))
                s->laws[s->law_count++] = carom_law_at(i);
        return CAROM_EXIT_GOOD;
    }
    while (*list) {
        char name[64];
        size_t length = strcspn(list, ",");
        carom_error err = { 0 };
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        const carom_law *law = carom_law_find(name, &err);
        if (!law)
            return carom_command_fail(&err);
        for (int i = 0; i < s->law_count; ++i)
            if (s->laws[i] == law)
                return carom_command_misuse("name each law once", "--laws names %s twice", name);
        if (s->law_count < LAWS_MAX)
            s->laws[s->law_count++] = law;
    }
    if (s->law_count == 0)
        return carom_command_misuse("write --laws qce,springs, --laws usual or --laws all",
                                    "--laws is empty");
    return CAROM_EXIT_GOOD;
}

// --set law.option=value, for the laws of the comparison.
static int apply_settings(const session *s, const carom_law *law, carom_law_options *options)
{
    size_t length = strlen(carom_law_name(law));
    for (int i = 0; i < carom_command_count(s->given, "--set"); ++i) {
        const char *text = carom_command_text_at(s->given, "--set", i);
        if (strncmp(text, carom_law_name(law), length) != 0 || text[length] != '.')
            continue;
        int code = carom_show_set(law, options, text + length + 1);
        if (code != CAROM_EXIT_GOOD)
            return code;
    }
    return CAROM_EXIT_GOOD;
}

// Whether a setting is one of a law; the others are of the file, and have a point as well: the law
// of the file and its options are not what is compared.
static bool of_law(const char *setting)
{
    char name[32];
    carom_error ignored = { 0 };
    size_t length = strcspn(setting, ".=");
    if (setting[length] != '.' || length >= sizeof name)
        return setting[length] == '=';
    snprintf(name, sizeof name, "%.*s", (int)length, setting);
    return strcmp(name, "options") == 0 || carom_law_find(name, &ignored) != NULL;
}

static int check_settings(const session *s)
{
    for (int i = 0; i < carom_command_count(s->given, "--set"); ++i) {
        const char *text = carom_command_text_at(s->given, "--set", i);
        bool used = !of_law(text);
        for (int k = 0; k < s->law_count; ++k) {
            size_t length = strlen(carom_law_name(s->laws[k]));
            used = used ||
                   (strncmp(text, carom_law_name(s->laws[k]), length) == 0 && text[length] == '.');
        }
        if (!used)
            return carom_command_misuse(
                "write law.option=value with a law that is compared, or a path of the "
                "file such as contacts.*.restitution=1",
                "--set \"%.60s\" names none of the laws", text);
    }
    return CAROM_EXIT_GOOD;
}

static carom_status open_scene(const session *s, const char *path, carom_scene_impact **out,
                               carom_error *err)
{
    carom_scene_text *text = NULL;
    size_t size;
    carom_status status = carom_scene_text_open(path, &text, err);
    for (int i = 0; status == CAROM_OK && i < carom_command_count(s->given, "--set"); ++i) {
        const char *setting = carom_command_text_at(s->given, "--set", i);
        if (!of_law(setting))
            status = carom_scene_text_set(text, setting, err);
    }
    const char *bytes = carom_scene_text_bytes(text, &size);
    if (status == CAROM_OK)
        status = carom_scene_impact_parse(carom_scene_text_name(text), bytes, size, out, err);
    carom_scene_text_close(text);
    return status;
}

static int options_of(session *s, const carom_scene_impact *scene, const carom_law *law,
                      carom_law_options *options)
{
    *options = law == carom_scene_impact_law(scene) ? *carom_scene_impact_options(scene)
                                                    : carom_law_defaults(law);
    return apply_settings(s, law, options);
}

// Distances are to the springs that the table shows.
static int refer(session *s, int index)
{
    for (int i = 0; i < s->law_count; ++i) {
        carom_law_options options;
        if (s->laws[i] != carom_desiderata_yardstick())
            continue;
        int code = options_of(s, s->scenes[index], s->laws[i], &options);
        if (code != CAROM_EXIT_GOOD)
            return code;
        carom_compare_refer(s->compares[index], &options);
    }
    return CAROM_EXIT_GOOD;
}

static int compare_file(session *s, int index, const carom_progress *progress)
{
    carom_error err = { 0 };
    carom_scene_impact *scene = s->scenes[index];
    if (carom_compare_create(scene, carom_show_selection(s->given), &s->compares[index], &err) !=
        CAROM_OK)
        return carom_command_fail(&err);
    carom_compare_set_progress(s->compares[index], progress);
    carom_compare_set_bound(s->compares[index], carom_command_number(s->given, "--limit"));
    int refused = refer(s, index);
    if (refused != CAROM_EXIT_GOOD)
        return refused;
    for (int i = 0; i < s->law_count; ++i) {
        const carom_law *law = s->laws[i];
        if (progress->report(progress->context, index * s->law_count + i, s->files * s->law_count,
                             carom_law_name(law)))
            return CAROM_EXIT_STOPPED;
        carom_law_options options;
        int code = options_of(s, scene, law, &options);
        if (code != CAROM_EXIT_GOOD)
            return code;
        if (carom_compare_add(s->compares[index], law, &options, &err) != CAROM_OK)
            return carom_command_fail(&err);
    }
    return CAROM_EXIT_GOOD;
}

static int print_tables(const session *s)
{
    for (int i = 0; i < s->files; ++i) {
        const char *note = carom_scene_impact_note(s->scenes[i]);
        const carom_impact *impact = carom_scene_impact_problem(s->scenes[i]);
        printf("%s%s%s%s: %d %s, %d %s\n", i ? "\n" : "",
               carom_terminal_start(stdout, CAROM_TERMINAL_BOLD),
               carom_scene_impact_title(s->scenes[i]),
               carom_terminal_start(stdout, CAROM_TERMINAL_PLAIN), impact->body_count,
               carom_text_noun(impact->body_count, "body", "bodies"), impact->contact_count,
               carom_text_noun(impact->contact_count, "contact", "contacts"));
        if (note)
            carom_terminal_print(note);
        printf("\n");
        carom_show_figures(s->compares[i]);
        carom_show_velocities(s->compares[i]);
    }
    return CAROM_EXIT_GOOD;
}

static int print_json(const session *s)
{
    carom_json *json = carom_json_create();
    if (s->files > 1)
        carom_json_array(json, NULL);
    for (int i = 0; i < s->files; ++i)
        carom_compare_json(s->compares[i], NULL, json);
    if (s->files > 1)
        carom_json_end(json);
    return carom_output_finish_json(json, "-", true);
}

static int write_files(const session *s)
{
    const char *csv = carom_command_text(s->given, "--csv");
    const char *svg = carom_command_text(s->given, "--svg");
    const char *html = carom_command_text(s->given, "--html");
    const carom_compare *const *all = (const carom_compare *const *)s->compares;
    bool force = carom_command_flag(s->given, "--force");
    int code = CAROM_EXIT_GOOD;
    if (csv)
        code = carom_output_finish_text(csv, carom_compare_csv(all, s->files), force);
    if (svg && code == CAROM_EXIT_GOOD)
        code = carom_output_finish_text(svg, carom_compare_svg(s->compares[0]), force);
    if (html && code == CAROM_EXIT_GOOD)
        code = carom_output_finish_text(
            html, carom_compare_html(all, s->files, "Carom: laws side by side"), force);
    return code;
}

// Everything that can be refused before the work starts.
static int prepare(session *s)
{
    static const char *const outputs[] = { "--csv", "--svg", "--html" };
    carom_error err = { 0 };
    bool force = carom_command_flag(s->given, "--force");
    int to_standard = carom_command_flag(s->given, "--json");
    s->files = carom_command_count(s->given, "FILE");
    if (s->files > FILES_MAX)
        return carom_command_misuse("compare fewer at a time", "there are more than %d files",
                                    FILES_MAX);
    if (s->files > 1 && carom_command_flag(s->given, "--svg"))
        return carom_command_misuse("use --html, or one file", "--svg draws one file, not %d",
                                    s->files);
    for (int i = 0; i < 3; ++i) {
        const char *path = carom_command_text(s->given, outputs[i]);
        if (path && carom_output_check(path, force, &err) != CAROM_OK)
            return carom_command_fail(&err);
        to_standard += path && strcmp(path, "-") == 0;
    }
    if (to_standard > 1)
        return carom_command_misuse("give the others a file name",
                                    "%d outputs go to the standard output", to_standard);
    int code = choose_laws(s);
    if (code == CAROM_EXIT_GOOD)
        code = check_settings(s);
    for (int i = 0; code == CAROM_EXIT_GOOD && i < s->files; ++i)
        if (open_scene(s, carom_command_text_at(s->given, "FILE", i), &s->scenes[i], &err) !=
            CAROM_OK)
            code = carom_command_fail(&err);
    return code;
}

static bool prints_tables(const session *s)
{
    static const char *const outputs[] = { "--csv", "--svg", "--html" };
    for (int i = 0; i < 3; ++i) {
        const char *path = carom_command_text(s->given, outputs[i]);
        if (path && strcmp(path, "-") == 0)
            return false;
    }
    return !carom_command_flag(s->given, "--json");
}

static int work(session *s)
{
    int code = prepare(s);
    if (code != CAROM_EXIT_GOOD)
        return code;
    const carom_progress *progress = carom_terminal_progress_begin();
    for (int i = 0; code == CAROM_EXIT_GOOD && i < s->files; ++i)
        code = compare_file(s, i, progress);
    carom_terminal_progress_end();
    if (code == CAROM_EXIT_GOOD && carom_command_flag(s->given, "--json"))
        code = print_json(s);
    else if (code == CAROM_EXIT_GOOD && prints_tables(s))
        code = print_tables(s);
    if (code == CAROM_EXIT_GOOD)
        code = write_files(s);
    for (int i = 0; i < s->files && (code == CAROM_EXIT_GOOD || code == CAROM_EXIT_BROKEN); ++i)
        if (carom_show_judgement(s->compares[i]) != CAROM_EXIT_GOOD)
            code = CAROM_EXIT_BROKEN;
    return code;
}

static int run(const carom_arguments *given)
{
    static session s; // large; a process runs one command
    s.given = given;
    int code = work(&s);
    for (int i = 0; i < s.files && i < FILES_MAX; ++i) {
        carom_compare_destroy(s.compares[i]);
        carom_scene_impact_close(s.scenes[i]);
    }
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "problems of kind impact, JSON; \"-\" is the standard input", .required = true,
      .repeated = true },
    { "--laws", CAROM_ARGUMENT_TEXT, .value = "A,B,C", .initial = "usual",
      .doc = "the laws, separated by commas; usual: those most often compared; all: every law" },
    { "--set", CAROM_ARGUMENT_TEXT, .value = "PATH=VALUE",
      .doc = "set an option of a law (LAW.OPTION), or a value of the files by its path, such as "
             "contacts.*.restitution",
      .repeated = true },
    SHOW_VERDICTS_ARGUMENT,
    SHOW_LIMIT_ARGUMENT,
    { "--json", CAROM_ARGUMENT_FLAG,
      .doc = "print JSON instead of tables (several files: an array)" },
    { "--csv", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".csv",
      .doc = "write one line per law and body; \"-\" is the standard output" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc = "write the picture, one panel per law" },
    { "--html", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".html",
      .doc = "write a page with pictures and tables, self-contained" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write what the ending says: .csv, .svg or .html" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { 0 },
};

static const char *const examples[] = {
    "the usual laws on Newton's cradle",
    "carom compare scenes/impact/cradle.json",
    "every law",
    "carom compare scenes/impact/cradle.json --laws all",
    "three laws and a picture",
    "carom compare scenes/impact/pool-break.json --laws qce,gr,springs --svg break.svg",
    "a page of several problems",
    "carom compare scenes/impact/ring-*.json --html rings.html",
    "an option of one law",
    "carom compare scenes/impact/half-face.json --laws etm,springs --set etm.lambda=300",
    NULL,
};

const carom_command carom_compare_command = {
    .name = "compare",
    .summary = "set impact laws side by side on the same instant",
    .details =
        "Resolves each problem by each law and prints energy, verdicts of the desiderata, distance "
        "to the reference law `springs`, sweeps, time, and the velocities after. The exit code is "
        "1 "
        "where a law breaks what it promises or does not converge.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

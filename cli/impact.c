// `carom impact`: one instant by one law.
#include "command.h"
#include "output.h"
#include "settings.h"
#include "show.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

typedef struct session {
    carom_scene_impact *scene;
    carom_compare *compare;
} session;

static int print_words(const session *s)
{
    const carom_compare_row *row = carom_compare_at(s->compare, 0);
    const carom_impact_report *report = &row->outcome.report;
    const char *note = carom_scene_impact_note(s->scene);
    printf("%s by %s\n", carom_scene_impact_title(s->scene), carom_law_name(row->law));
    if (note)
        carom_terminal_print(note);
    printf("\n");
    carom_show_figures(s->compare);
    carom_show_velocities(s->compare);
    if (row->status == CAROM_OK)
        printf("\nenergy %.6g J before, %.6g J after, work of driven bodies %.6g J\n%s: %s\n",
               report->energy_before, report->energy_after, report->work,
               carom_impact_end_word(report->end), carom_impact_end_sentence(report->end));
    return carom_show_judgement(s->compare);
}

static int print_json(const session *s)
{
    carom_json *json = carom_json_create();
    carom_compare_row_json(s->compare, carom_compare_at(s->compare, 0), NULL, json);
    int code = carom_output_finish_json(json, "-", true);
    return code == CAROM_EXIT_GOOD ? carom_show_judgement(s->compare) : code;
}

static carom_status open_scene(const carom_arguments *given, carom_scene_impact **out,
                               carom_error *err)
{
    carom_scene_text *text = NULL;
    size_t size;
    carom_status status = carom_settings_open(given, carom_command_text(given, "FILE"),
                                              carom_command_text(given, "--law"), &text, err);
    const char *bytes = carom_scene_text_bytes(text, &size);
    if (status == CAROM_OK)
        status = carom_scene_impact_parse(carom_scene_text_name(text), bytes, size, out, err);
    carom_scene_text_close(text);
    return status;
}

static int work(const carom_arguments *given, session *s)
{
    carom_error err = { 0 };
    if (open_scene(given, &s->scene, &err) != CAROM_OK)
        return carom_command_fail(&err);
    if (carom_compare_create(s->scene, carom_show_selection(given), &s->compare, &err) != CAROM_OK)
        return carom_command_fail(&err);
    const carom_progress *progress = carom_terminal_progress_begin();
    carom_compare_set_progress(s->compare, progress);
    carom_compare_set_bound(s->compare, carom_command_number(given, "--limit"));
    carom_status status = carom_compare_add(s->compare, carom_scene_impact_law(s->scene),
                                            carom_scene_impact_options(s->scene), &err);
    carom_terminal_progress_end();
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    return carom_command_flag(given, "--json") ? print_json(s) : print_words(s);
}

static int run(const carom_arguments *given)
{
    session s = { 0 };
    int code = work(given, &s);
    carom_compare_destroy(s.compare);
    carom_scene_impact_close(s.scene);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "problem of kind impact, JSON; \"-\" is the standard input", .required = true },
    { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME",
      .doc = "use this law instead of the file's; `carom laws` lists them" },
    SETTINGS_ARGUMENT("set an option of the law, or a value of the file by its path, such as "
                      "contacts.*.restitution"),
    SHOW_VERDICTS_ARGUMENT,
    SHOW_LIMIT_ARGUMENT,
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON, bodies and contacts in file order" },
    { 0 },
};

static const char *const examples[] = {
    "by the file's own law",
    "carom impact scenes/impact/cradle.json",
    "by another, with an option",
    "carom impact scenes/impact/box-floor.json --law etm --set lambda=200",
    "with another restitution at every contact",
    "carom impact scenes/impact/box-floor.json --set 'contacts.*.restitution=0.5'",
    "velocities as JSON",
    "carom impact scenes/impact/pool-break.json --json | jq .velocities",
    NULL,
};

const carom_command carom_impact_command = {
    .name = "impact",
    .summary = "resolve one instant of impact by one law",
    .details =
        "Reads bodies with their velocities and the contacts where they touch, applies the law "
        "and prints the velocities after, the energy, and which desiderata the result keeps. "
        "The exit code is 1 where the result breaks a promise of the law.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

// `carom outcomes`: the set of results of one instant.
#include "command.h"
#include "outcomes_view.h"
#include "output.h"
#include "shards.h"
#include "table.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "carom/outcomes.h"

// Patterns that the terminal shows.
enum { SHOWN = 10 };

// "order,friction" into bits.
static int read_vary(const char *list, unsigned *vary)
{
    *vary = 0;
    while (*list) {
        char word[32];
        size_t length = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), list);
        list += length + (list[length] == ',');
        int bit = carom_outcomes_find(word);
        if (bit < 0)
            return carom_command_misuse(
                "name some of order, gap, share, stiffness, friction, restitution",
                "\"%s\" cannot be varied", word);
        *vary |= 1u << bit;
    }
    return CAROM_EXIT_GOOD;
}

static int take_options(const carom_arguments *given, carom_outcomes_options *o)
{
    carom_error err = { 0 };
    const char *law = carom_command_text(given, "--law");
    *o = carom_outcomes_options_default();
    o->samples = carom_command_integer(given, "--samples");
    o->spread = carom_command_number(given, "--spread");
    o->seed = (uint64_t)carom_command_integer(given, "--seed");
    o->work_max = carom_command_number(given, "--limit");
    o->threads = (int)carom_command_integer(given, "--threads");
    if (o->threads == 0)
        o->threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (law && !(o->law = carom_law_find(law, &err)))
        return carom_command_fail(&err);
    return read_vary(carom_command_text(given, "--vary"), &o->vary);
}

static void print_bodies(const carom_outcomes *outcomes, const carom_scene_impact *scene)
{
    static const char *const axes[] = { "vx", "vy", "vz", "wx", "wy", "wz" };
    carom_table *table = carom_table_create(6);
    static const char *const headings[] = { "body", "", "mean", "deviation", "min", "max" };
    for (int i = 0; i < 6; ++i)
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", headings[i]);
    for (int i = 0; i < outcomes->body_count; ++i) {
        const carom_outcomes_body *b = &outcomes->bodies[i];
        if (carom_scene_impact_problem(scene)->bodies[i].inverse_mass == 0)
            continue;
        for (int k = 0; k < 6; ++k) {
            const carom_outcomes_spread *s = k < 3 ? &b->velocity[k] : &b->spin[k - 3];
            if (s->min == 0 && s->max == 0)
                continue;
            const double numbers[] = { s->mean, s->deviation, s->min, s->max };
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.40s",
                             carom_scene_impact_body_name(scene, i));
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", axes[k]);
            for (int n = 0; n < 4; ++n)
                carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.6f",
                                 carom_terminal_rounded(numbers[n], 1));
        }
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
}

static void print_words(const carom_outcomes *outcomes, const carom_scene_impact *scene)
{
    printf("%s: %lld samples\n\n", carom_scene_impact_title(scene), (long long)outcomes->samples);
    print_bodies(outcomes, scene);
    printf("\nenergy after / before: %.4f in the mean, %.4f to %.4f\n\nwho moves where\n",
           outcomes->energy.mean, outcomes->energy.min, outcomes->energy.max);
    int shown = outcomes->pattern_count < SHOWN ? outcomes->pattern_count : SHOWN;
    for (int i = 0; i < shown; ++i)
        printf("%8.4f  %s\n", outcomes->patterns[i].probability, outcomes->patterns[i].words);
    if (outcomes->pattern_count > shown || outcomes->others > 0)
        printf("          and others\n");
    if (outcomes->unfinished > 0)
        printf("\n%lld samples did not come to an end: contacts still approached when they were "
               "cut off (--limit)\n",
               (long long)outcomes->unfinished);
}

static int write_results(const carom_arguments *given, const carom_outcomes *outcomes,
                         const carom_scene_impact *scene)
{
    const char *svg = carom_command_text(given, "--svg");
    const char *html = carom_command_text(given, "--html");
    int code = CAROM_EXIT_GOOD;
    if (carom_command_flag(given, "--json")) {
        carom_json *json = carom_json_create();
        carom_json_object(json, NULL);
        carom_json_string(json, "title", carom_scene_impact_title(scene));
        carom_outcomes_json(outcomes, scene, json);
        carom_json_end(json);
        code = carom_output_finish_json(json, "-", true);
    } else if ((!svg || strcmp(svg, "-") != 0) && (!html || strcmp(html, "-") != 0)) {
        print_words(outcomes, scene);
    }
    bool force = carom_command_flag(given, "--force");
    if (svg && code == CAROM_EXIT_GOOD)
        code = carom_output_finish_text(svg, carom_outcomes_svg(outcomes, scene), force);
    if (html && code == CAROM_EXIT_GOOD)
        code = carom_output_finish_text(html, carom_outcomes_html(outcomes, scene), force);
    return code;
}

static int run(const carom_arguments *given)
{
    static carom_shards shards; // large
    carom_error err = { 0 };
    carom_outcomes_options options;
    carom_scene_impact *scene = NULL;
    carom_outcomes *outcomes = NULL;
    static const char *const outputs[] = { "--svg", "--html" };
    int code = take_options(given, &options);
    if (code != CAROM_EXIT_GOOD)
        return code;
    for (int i = 0; i < 2; ++i) {
        const char *path = carom_command_text(given, outputs[i]);
        if (path &&
            carom_output_check(path, carom_command_flag(given, "--force"), &err) != CAROM_OK)
            return carom_command_fail(&err);
    }
    const char *view = carom_command_text(given, "--view");
    if (view &&
        carom_output_check_page(view, carom_command_flag(given, "--force"), &err) != CAROM_OK)
        return carom_command_fail(&err);
    code = carom_shards_read(given, carom_command_text(given, "FILE"), &shards);
    if (code != CAROM_EXIT_GOOD)
        return code;
    if (carom_scene_impact_open(carom_command_text(given, "FILE"), &scene, &err) != CAROM_OK) {
        carom_shards_free(&shards);
        return carom_command_fail(&err);
    }
    options.pieces = shards.any ? &shards.pieces : NULL;
    options.progress = carom_terminal_progress_begin();
    carom_status status = carom_outcomes_sample(scene, &options, &outcomes, &err);
    carom_terminal_progress_end();
    if (status == CAROM_OK && shards.pieces.shards > 0)
        carom_shards_tell(&shards);
    else
        code =
            status == CAROM_OK ? write_results(given, outcomes, scene) : carom_command_fail(&err);
    if (view && code == CAROM_EXIT_GOOD && outcomes) {
        options.progress = NULL;
        options.pieces = NULL;
        status = carom_outcomes_view_write(scene, &options, view,
                                           carom_command_flag(given, "--force"), &err);
        if (status != CAROM_OK)
            code = carom_command_fail(&err);
        else if (strcmp(view, "-") != 0)
            carom_terminal_report("written: %s", view);
    }
    carom_outcomes_destroy(outcomes);
    carom_scene_impact_close(scene);
    carom_shards_free(&shards);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "problem of kind impact, JSON; \"-\" is the standard input", .required = true },
    { "--vary", CAROM_ARGUMENT_TEXT, .value = "A,B,C", .initial = "order",
      .doc = "what is drawn by chance: order, gap or share (one of them at most), stiffness, "
             "friction, restitution" },
    { "--samples", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "65536", .min = 1, .max = 1e12,
      .doc = "how many" },
    { "--limit", CAROM_ARGUMENT_NUMBER, .value = "N", .initial = "1e9", .min = 1, .max = 1e18,
      .doc = "most work: contacts resolved one by one in all samples together, at most 4096 in "
             "each; a sample that reaches its part is counted as unfinished" },
    { "--spread", CAROM_ARGUMENT_NUMBER, .value = "SHARE", .initial = "0.2", .min = 0, .max = 1,
      .doc = "friction and restitution are drawn within this much of their values, relative" },
    { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME",
      .doc =
          "use this law instead of the file's: for one contact after another with order and gap, "
          "for all together otherwise; share has a rule of its own" },
    { "--seed", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "1", .min = 0, .max = 1e15,
      .doc = "of the random numbers" },
    { "--threads", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "0", .min = 0, .max = 1024,
      .doc = "any number gives the same bits; 0: one per processor" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc = "write a picture: velocities after, and their hull, a panel per body" },
    { "--html", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".html",
      .doc = "write a page: probabilities, spread and picture" },
    { "--view", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".html",
      .doc = "write the viewer's page: nine samples side by side, before and after" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write what the ending says: .svg or .html" },
    CAROM_SHARDS_ARGUMENTS,
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { 0 },
};

static const char *const examples[] = {
    "a box that slides into a wall: which corner first?",
    "carom outcomes scenes/outcomes/box-wall.json",
    "a million samples, with friction unknown to a fifth, and a picture",
    "carom outcomes scenes/outcomes/box-wall.json --samples 1048576 --vary share,friction --svg "
    "box.svg",
    "the first of two shards, which two machines may do",
    "carom outcomes scenes/outcomes/box-wall.json --shard 1/2",
    "how much the stiffness of contacts matters",
    "carom outcomes scenes/impact/three-balls.json --vary stiffness --law springs --json",
    NULL,
};

const carom_command carom_outcomes_command = {
    .name = "outcomes",
    .summary = "sample the set of results of one instant",
    .details =
        "A simultaneous impact with friction has a set of outcomes, not one. Draws what nobody "
        "knows about the instant, resolves each sample, and prints means and spread of the "
        "velocities "
        "after, the hull they fill, and how probably each body moves which way. See "
        "docs/outcomes.md.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

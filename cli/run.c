// `carom run`: a scene in time.
#include "command.h"
#include "output.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/json.h"
#include "carom/record.h"

enum { MOST_SETTINGS = 64 };

// What the command line changes in the scene, as "key=value", in order: the law first, because it
// resets the options.
typedef struct changes {
    const char *list[MOST_SETTINGS];
    char texts[8][96];
    int count, texts_used;
} changes;

static void add(changes *c, const char *key, const char *value)
{
    char *text = c->texts[c->texts_used++];
    snprintf(text, sizeof c->texts[0], "%s=%.80s", key, value);
    c->list[c->count++] = text;
}

static int collect(const carom_arguments *given, changes *c)
{
    static const char *const plain[][2] = { { "--law", "law" },
                                            { "--duration", "duration" },
                                            { "--threads", "threads" } };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; ++i)
        if (carom_command_text(given, plain[i][0]))
            add(c, plain[i][1], carom_command_text(given, plain[i][0]));
    int set = carom_command_count(given, "--set");
    if (c->count + set > MOST_SETTINGS)
        return carom_command_misuse("write them into the scene", "--set is given %d times", set);
    for (int i = 0; i < set; ++i)
        c->list[c->count++] = carom_command_text_at(given, "--set", i);
    return CAROM_EXIT_GOOD;
}

static void print_words(const carom_runner *runner, const char *out)
{
    carom_ledger ledger = carom_world_ledger(carom_runner_world(runner));
    const carom_scene_world *scene = carom_runner_scene(runner);
    printf("%s: %lld of %lld steps, %.6g s, %d bodies\n", carom_scene_world_title(scene),
           (long long)carom_runner_done(runner), (long long)carom_runner_steps(runner), ledger.time,
           carom_scene_world_body_count(scene));
    printf("energy: %.9g J at the start, %.9g J now (%.6g kinetic)\n", ledger.start,
           ledger.kinetic + ledger.potential, ledger.kinetic);
    printf("lost:   %.6g J in impacts, %.6g J at rest; driven bodies brought %.6g J\n", ledger.law,
           ledger.rest, ledger.driven);
    printf("scheme: %.3g J, drift correction %.3g J, deepest overlap %.3g m\n", ledger.scheme,
           ledger.drift, ledger.deepest_ever);
    printf("state:  %016llx\n", (unsigned long long)carom_world_hash(carom_runner_world(runner)));
    if (out)
        printf("wrote %s\n", out);
}

static int print_json(const carom_runner *runner, const char *out)
{
    carom_ledger ledger = carom_world_ledger(carom_runner_world(runner));
    char hash[32];
    snprintf(hash, sizeof hash, "%016llx",
             (unsigned long long)carom_world_hash(carom_runner_world(runner)));
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_words(json, "title", carom_scene_world_title(carom_runner_scene(runner)));
    carom_json_whole(json, "steps", carom_runner_done(runner));
    carom_json_whole(json, "of", carom_runner_steps(runner));
    carom_json_number(json, "time", ledger.time);
    carom_json_number(json, "start", ledger.start);
    carom_json_number(json, "kinetic", ledger.kinetic);
    carom_json_number(json, "potential", ledger.potential);
    carom_json_number(json, "driven", ledger.driven);
    carom_json_number(json, "law", ledger.law);
    carom_json_number(json, "rest", ledger.rest);
    carom_json_number(json, "drift", ledger.drift);
    carom_json_number(json, "scheme", ledger.scheme);
    carom_json_number(json, "deepest", ledger.deepest_ever);
    carom_json_words(json, "hash", hash);
    if (out)
        carom_json_words(json, "out", out);
    carom_json_end(json);
    return carom_output_finish_json(json, "-", true);
}

static int run(const carom_arguments *given)
{
    carom_error err = { 0 };
    changes c = { 0 };
    carom_runner *runner = NULL;
    const char *file = carom_command_text(given, "FILE"), *out = carom_command_text(given, "--out");
    const char *resume = carom_command_text(given, "--resume");
    if ((file != NULL) == (resume != NULL))
        return carom_command_misuse("write `carom run SCENE`, or `carom run --resume TRAJECTORY`",
                                    file ? "a scene and --resume exclude each other"
                                         : "FILE is missing");
    int code = collect(given, &c);
    if (code != CAROM_EXIT_GOOD)
        return code;
    carom_runner_settings settings = { .out = out,
                                       .overwrite = carom_command_flag(given, "--overwrite"),
                                       .set = c.list,
                                       .set_count = c.count };
    carom_status status = resume ? carom_runner_resume(resume, &runner, &err)
                                 : carom_runner_create(file, &settings, &runner, &err);
    if (status == CAROM_OK) {
        int64_t steps = carom_command_whole(given, "--steps");
        const carom_progress *progress = carom_terminal_progress_begin();
        status = carom_runner_advance(runner, steps ? steps : INT64_MAX, progress, &err);
        carom_terminal_progress_end();
    }
    if (status != CAROM_OK)
        code = carom_command_fail(&err);
    else if (carom_command_flag(given, "--json"))
        code = print_json(runner, resume ? resume : out);
    else if (!carom_command_flag(given, "--quiet"))
        print_words(runner, resume ? resume : out);
    carom_runner_destroy(runner);
    return code;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "scene of kind world, JSON; \"-\" is the standard input" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .doc = "write the trajectory there (.carom)" },
    { "--overwrite", CAROM_ARGUMENT_FLAG, .doc = "replace an existing trajectory" },
    { "--resume", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "continue this trajectory after its last checkpoint, to the same bits" },
    { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME",
      .doc = "use this law instead of the scene's; `carom laws` lists them" },
    { "--set", CAROM_ARGUMENT_TEXT, .value = "KEY=VALUE",
      .doc = "set an option of the law, or a plain number of the scene such as step",
      .repeated = true },
    { "--duration", CAROM_ARGUMENT_TEXT, .value = "SECONDS", .doc = "of the run" },
    { "--steps", CAROM_ARGUMENT_WHOLE, .value = "N", .initial = "0", .least = 0, .most = 1e15,
      .doc = "stop after so many steps; 0: at the end" },
    { "--threads", CAROM_ARGUMENT_TEXT, .value = "N", .doc = "any number gives the same bits" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { "--quiet", CAROM_ARGUMENT_FLAG, .doc = "print nothing but errors" },
    { 0 },
};

static const char *const examples[] = {
    "watch the energy of a bouncing ball",
    "carom run scenes/world/dropped-ball.json",
    "record it",
    "carom run scenes/world/dropped-ball.json --out ball.carom",
    NULL,
};

const carom_command carom_run_command = {
    .name = "run",
    .summary = "run a scene in time and record it",
    .details = "Steps a scene of kind world to its end, by the law of the scene or another.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

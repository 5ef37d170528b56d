// `carom check`: is a file sound?
#include "command.h"
#include "output.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/bounce_map.h"
#include "carom/scene.h"
#include "carom/trajectory.h"

// A bounce map that loads is sound: its checksum and all counts were looked at.
static int check_map(const char *path)
{
    carom_error err = { 0 };
    carom_bounce_map *map = NULL;
    if (carom_bounce_map_load(path, &map, &err) != CAROM_OK)
        return carom_command_fail(&err);
    printf("%s: sound: bounce map, %d modes\n", path, carom_bounce_map_about(map)->modes);
    carom_bounce_map_destroy(map);
    return CAROM_EXIT_GOOD;
}

static int check_file(const char *path)
{
    char words[200];
    carom_error err = { 0 };
    if (carom_bounce_map_is(path))
        return check_map(path);
    carom_scene_contents held;
    bool is_run = carom_trajectory_is(path); // asked once: the file may be another one later
    carom_status status = is_run ? carom_trajectory_check(path, words, sizeof words, &err)
                                 : carom_scene_check(path, &held, &err);
    if (status != CAROM_OK)
        return carom_command_fail(&err);
    if (is_run)
        printf("%s: sound: %s\n", path, words);
    else
        printf("%s: sound: %s, %s\n", path, carom_scene_kind_name(held.kind), held.words);
    return CAROM_EXIT_GOOD;
}

static int expand(const char *path)
{
    carom_error err = { 0 };
    carom_scene_impact *scene = NULL;
    if (carom_scene_impact_open(path, &scene, &err) != CAROM_OK)
        return carom_command_fail(&err);
    carom_json *json = carom_json_create();
    carom_scene_impact_write(scene, json);
    carom_scene_impact_close(scene);
    return carom_output_finish_json(json, "-", true);
}

static int describe(const char *kind, bool schema)
{
    carom_json *json = carom_json_create();
    if (schema && carom_scene_schema(kind, json))
        return carom_output_finish_json(json, "-", true);
    carom_json_destroy(json);
    char *manual = schema ? NULL : carom_scene_manual(kind);
    if (!manual) {
        char fix[120];
        snprintf(fix, sizeof fix, "use one of: %s", carom_scene_kinds());
        return carom_command_misuse(fix, "there is no file kind \"%.60s\"", kind);
    }
    fputs(manual, stdout);
    free(manual);
    return CAROM_EXIT_GOOD;
}

static int run(const carom_arguments *given)
{
    const char *schema = carom_command_text(given, "--schema");
    const char *keys = carom_command_text(given, "--keys");
    int files = carom_command_count(given, "FILE"), worst = CAROM_EXIT_GOOD;
    if (schema || keys)
        return describe(schema ? schema : keys, schema != NULL);
    if (files == 0)
        return carom_command_misuse("write `carom check FILE`, or ask for --schema or --keys",
                                    "FILE is missing");
    if (carom_command_flag(given, "--expand"))
        return files == 1 ? expand(carom_command_text(given, "FILE"))
                          : carom_command_misuse("expand one file at a time",
                                                 "--expand got %d files", files);
    for (int i = 0; i < files; ++i) {
        int code = check_file(carom_command_text_at(given, "FILE", i));
        worst = code > worst ? code : worst;
    }
    return worst;
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .doc = "files to check; \"-\" is the standard input",
      .repeated = true },
    { "--expand", CAROM_ARGUMENT_FLAG,
      .doc =
          "print an impact file with its generator replaced by the bodies and contacts it makes" },
    { "--schema", CAROM_ARGUMENT_TEXT, .value = "KIND",
      .doc = "print the JSON Schema of files of this kind: impact, chain, tower or world" },
    { "--keys", CAROM_ARGUMENT_TEXT, .value = "KIND",
      .doc = "print the tables of keys of files of this kind, Markdown" },
    { 0 },
};

static const char *const examples[] = {
    "check every scene",
    "carom check scenes/impact/*.json",
    "see what a generator makes",
    "carom check scenes/impact/ring-3.json --expand",
    "help from an editor",
    "carom check --schema impact > impact.schema.json",
    NULL,
};

const carom_command carom_check_command = {
    .name = "check",
    .summary = "check scenes, problem files, trajectories and bounce maps without running them",
    .details =
        "Says whether a file is sound, or what is wrong in it, where, and how to fix it. A world "
        "scene is also built and its bodies examined for overlap; of a trajectory every "
        "record, frame and state hash is checked.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

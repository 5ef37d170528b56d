// Writes the manifest of a trajectory and applies it again when a run continues.
#include "trajectory/manifest.h"

#include <stdio.h>
#include <string.h>
#include "base/error.h"
#include "carom/json.h"
#include "carom/version.h"
#include "scene/reader.h"

carom_status carom_manifest_write(carom_recorder *recorder, const carom_scene_world *scene,
                                  const carom_runner_settings *settings, carom_error *err)
{
    carom_world_options options = carom_scene_world_options(scene);
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_string(json, "version", carom_version());
    carom_json_string(json, "compiler", carom_version_compiler());
    carom_json_string(json, "title", carom_scene_world_title(scene));
    carom_json_number(json, "step", carom_scene_world_step(scene));
    carom_json_integer(json, "steps", carom_scene_world_steps(scene));
    carom_json_string(json, "law", carom_law_name(options.law));
    carom_json_object(json, "options");
    for (int i = 0; i < carom_law_option_count(options.law); ++i) {
        const carom_option *option = carom_law_option(options.law, i);
        char text[64];
        carom_law_option_text(option, options.law_options.value[i], text, sizeof text);
        carom_json_string(json, option->name, text);
    }
    carom_json_end(json);
    carom_json_array(json, "settings"); // for people: the scene has them already
    for (int i = 0; i < settings->set_count; ++i)
        carom_json_string(json, NULL, settings->set[i]);
    carom_json_end(json);
    carom_json_end(json);
    const char *text = carom_json_text(json);
    carom_status status =
        text ? carom_recorder_add(recorder, CAROM_RECORD_MANIFEST, text, strlen(text), err)
             : carom_error_no_memory(err, "the manifest");
    carom_json_destroy(json);
    return status;
}

// Files of version 0.2 and before hold the scene as it was written, and the settings apart.
static carom_status apply(carom_reader *reader, carom_scene_text *text, carom_error *err)
{
    carom_value root = carom_reader_root(reader), list, item;
    if (!carom_value_member(&root, "set", &list))
        return CAROM_OK;
    for (size_t i = 0; carom_value_item(&list, i, &item); ++i) {
        const char *setting;
        TRY(carom_value_text(&item, &setting, err));
        TRY(carom_scene_text_set(text, setting, err));
    }
    return CAROM_OK;
}

carom_status carom_manifest_apply(const carom_record *manifest, carom_scene_text *text,
                                  carom_error *err)
{
    carom_reader *reader = NULL;
    if (!manifest->payload)
        return CAROM_OK;
    TRY(carom_reader_parse("manifest", manifest->payload, manifest->size, &reader, err));
    carom_status status = apply(reader, text, err);
    carom_reader_close(reader);
    return status;
}

// A text of the manifest; `out` stays as it is where there is none. Fails where memory does.
static carom_status read_text(const carom_record *manifest, const char *key, char *out, size_t size,
                              carom_error *err)
{
    carom_reader *reader = NULL;
    carom_error ignored = { 0 };
    carom_value value;
    const char *words;
    if (!manifest->payload)
        return CAROM_OK;
    carom_status status =
        carom_reader_parse("manifest", manifest->payload, manifest->size, &reader, &ignored);
    if (status == CAROM_NO_MEMORY)
        return carom_error_set(err, status, "%s", ignored.what);
    if (status != CAROM_OK)
        return CAROM_OK;
    carom_value root = carom_reader_root(reader);
    if (carom_value_member(&root, key, &value) &&
        carom_value_text(&value, &words, &ignored) == CAROM_OK)
        snprintf(out, size, "%s", words);
    carom_reader_close(reader);
    return CAROM_OK;
}

carom_status carom_manifest_title(const carom_record *manifest, char *out, size_t size,
                                  carom_error *err)
{
    return read_text(manifest, "title", out, size, err);
}

carom_status carom_manifest_same_version(const carom_record *manifest, carom_error *err)
{
    char version[64] = "";
    TRY(read_text(manifest, "version", version, sizeof version, err));
    if (strcmp(version, carom_version()) == 0)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT,
                    "the run was begun by Carom %s; this is %s, which may give other bits",
                    *version ? version : "of an unknown version", carom_version());
    return carom_error_fix(err, "continue it with that version, or run the scene again");
}

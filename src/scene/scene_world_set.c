// One value of a scene changed from outside, as `--set key=value` has it: a plain key of the file,
// a property of a material (materials.NAME.KEY), what is written (output.KEY), the law, or an
// option of the law. What belongs to a body, a generator or another part of the file is refused
// with the place where it stands.
#include "scene/scene_generators.h"

#include <stdio.h>
#include <string.h>
#include "base/suggest.h"

static carom_status set_law(carom_world_options *options, const char *text, carom_error *err)
{
    const carom_law *law = carom_law_find(text, err);
    if (!law)
        return CAROM_BAD_INPUT;
    options->law = law;
    options->law_options = carom_law_defaults(law);
    return CAROM_OK;
}

static bool plain(const carom_field *field)
{
    return field && (field->kind == CAROM_FIELD_NUMBER || field->kind == CAROM_FIELD_INT64 ||
                     field->kind == CAROM_FIELD_INT || field->kind == CAROM_FIELD_CHOICE ||
                     field->kind == CAROM_FIELD_VEC3);
}

static bool of_law(const carom_law *law, const char *key)
{
    for (int i = 0; i < carom_law_option_count(law); ++i)
        if (strcmp(carom_law_option(law, i)->name, key) == 0)
            return true;
    return false;
}

static carom_status set_material(carom_scene_world *scene, const char *path, const char *text,
                                 carom_error *err)
{
    const char *point = strrchr(path, '.');
    size_t length = point ? (size_t)(point - path) : strlen(path);
    for (int i = 0; i < scene->material_count; ++i) {
        const char *name = scene->material_names[i];
        if (strlen(name) != length || strncmp(name, path, length) != 0)
            continue;
        const carom_field *field =
            point ? carom_field_find(&carom_scene_world_material_table, point + 1) : NULL;
        if (plain(field))
            return carom_field_set(field, text, &scene->materials[i], err);
        carom_error_set(err, CAROM_BAD_INPUT, "a material has no number \"%.40s\"",
                        point ? point + 1 : "");
        return carom_error_fix(err, "write materials.%.40s.friction=0.3", name);
    }
    carom_error_set(err, CAROM_BAD_INPUT, "there is no material \"%.*s\"", (int)length, path);
    return carom_error_fix(err, "name one of \"materials\" of the file, or \"default\"");
}

// A key that stands somewhere else in the file.
static carom_status misplaced(const carom_scene_world *scene, const char *key, carom_error *err)
{
    static const struct {
        const carom_field_table *table;
        const char *where;
    } parts[] = { { &carom_scene_fill_table, "generators" },
                  { &carom_scene_generator_table, "generators" },
                  { &carom_scene_body_table, "bodies" },
                  { &carom_scene_joint_table, "joints" } };
    if (carom_field_find(&carom_scene_world_material_table, key)) {
        const char *name = scene->material_names[scene->material_count - 1];
        carom_error_set(err, CAROM_BAD_INPUT, "%s belongs to a material, not to the scene", key);
        return carom_error_fix(err, "name the material: materials.%.40s.%s=VALUE", name, key);
    }
    if (carom_field_find(&carom_scene_world_table, key)) {
        carom_error_set(err, CAROM_BAD_INPUT, "%s is no number, word or vector", key);
        return carom_error_fix(err, "change it in the scene file");
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (carom_field_find(parts[i].table, key)) {
            carom_error_set(err, CAROM_BAD_INPUT, "%s belongs to one of \"%s\", not to the scene",
                            key, parts[i].where);
            return carom_error_fix(err, "change it in \"%s\" of the scene file", parts[i].where);
        }
    return CAROM_OK;
}

static carom_status unknown(const carom_scene_world *scene, const char *key, carom_error *err)
{
    enum { MOST = 64 };
    const char *names[MOST + CAROM_LAW_OPTION_MAX];
    const carom_law *law = scene->options.law;
    int count = 0;
    for (const carom_field *field = carom_scene_world_table.fields; field->name; ++field)
        if (count < MOST && (plain(field) || strcmp(field->name, "law") == 0))
            names[count++] = field->name;
    for (int i = 0; i < carom_law_option_count(law); ++i)
        names[count++] = carom_law_option(law, i)->name;
    carom_error_set(err, CAROM_BAD_INPUT, "neither the scene nor the law %s has a key \"%.40s\"",
                    carom_law_name(law), key);
    const char *nearest = carom_suggest_nearest(key, names, count);
    return nearest
               ? carom_error_fix(err, "did you mean \"%s\"?", nearest)
               : carom_error_fix(err, "docs/files.md lists the keys of a world file, `carom laws` "
                                      "the options of every law");
}

static carom_status set(carom_scene_world *scene, const char *key, const char *text,
                        carom_error *err)
{
    static const char materials[] = "materials.", output[] = "output.";
    carom_world_options *options = &scene->options;
    const carom_field *field = carom_field_find(&carom_scene_world_table, key);
    if (strcmp(key, "law") == 0)
        return set_law(options, text, err);
    if (strcmp(key, "separate") == 0) {
        scene->separate = strcmp(text, "false") != 0;
        return CAROM_OK;
    }
    if (strncmp(key, materials, sizeof materials - 1) == 0)
        return set_material(scene, key + sizeof materials - 1, text, err);
    if (strncmp(key, output, sizeof output - 1) == 0)
        return carom_scene_world_set_output(scene, key + sizeof output - 1, text, err);
    if (plain(field))
        return carom_field_set(field, text, scene, err);
    if (of_law(options->law, key))
        return carom_law_set(options->law, &options->law_options, key, text, err);
    TRY(misplaced(scene, key, err));
    return unknown(scene, key, err);
}

carom_status carom_scene_world_set(carom_scene_world *scene, const char *key, const char *text,
                                   carom_error *err)
{
    NEED(err, scene, key, text);
    carom_status status = set(scene, key, text, err);
    return status == CAROM_OK ? status : carom_error_where(err, "%s=%.100s", key, text);
}

// Scene files of kind "world": from JSON to a world that can be stepped.
#include "scene/scene_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "scene/scene_bounce.h"
#include "scene/scene_kind.h"
#include "scene/scene_law.h"
#include "scene/scene_light.h"
#include "scene/scene_list.h"
#include "scene/scene_servo.h"
#include "world/world_option.h"

// -- tables -------------------------------------------------------------------------------------

typedef struct output_values {
    double every, checkpoint;
    int64_t checkpoint_steps;
    bool contacts, sums;
} output_values;

static const carom_field output_fields[] = {
    { "every", CAROM_FIELD_NUMBER, offsetof(output_values, every), .initial = 1.0 / 60,
      .shown = "1/60", .range = { 0, 1e12, .above = true, .unit = "s" },
      .doc = "time between frames, rounded to whole steps" },
    { "checkpoint", CAROM_FIELD_NUMBER, offsetof(output_values, checkpoint), .initial = 10,
      .range = { 0, 1e12, .unit = "s" },
      .doc =
          "time on the clock between checkpoints, from which a killed run continues; longer where "
          "they would take more room than the frames" },
    { "checkpoint_steps", CAROM_FIELD_INT64, offsetof(output_values, checkpoint_steps),
      .range = { .min = 0, .max = 1e15 },
      .doc = "also a checkpoint each time this many steps are done; 0: none" },
    { "contacts", CAROM_FIELD_BOOL, offsetof(output_values, contacts),
      .doc = "also record every contact of a frame: point, normal, gap, impulse, slip, loss" },
    { "sums", CAROM_FIELD_BOOL, offsetof(output_values, sums),
      .doc = "of contacts: only their sums per pair of bodies and frame" },
    { 0 },
};
static const carom_field_table output_table = { "output", "What a run writes.", output_fields };

// Options of the world, as world_option.h has them.
#define OPTION(type, field, ...)                                                                   \
    {                                                                                              \
        .name = #field, .kind = CAROM_FIELD_##type,                                                \
        .offset = offsetof(carom_scene_world, options.field), __VA_ARGS__                          \
    }
#define NUMBER(field, ...) OPTION(NUMBER, field, __VA_ARGS__)
#define INTEGER(field, ...) OPTION(INT, field, __VA_ARGS__)
#define VECTOR(field, ...) OPTION(VEC3, field, __VA_ARGS__)
#define CHOICE(field, ...) OPTION(CHOICE, field, __VA_ARGS__)

static const carom_field file_fields[] = {
    { "carom", CAROM_FIELD_OTHER, .required = true, .words = "1", .doc = "form of the file",
      .schema = "{ \"const\": 1 }" },
    { "kind", CAROM_FIELD_OTHER, .required = true, .words = "\"world\"", .doc = "what the file is",
      .schema = "{ \"const\": \"world\" }" },
    { "title", CAROM_FIELD_TEXT, offsetof(carom_scene_world, given_title),
      .shown = "the file's name", .doc = "for tables and pictures" },
    { "note", CAROM_FIELD_TEXT, offsetof(carom_scene_world, note), .doc = "a line for people" },
    { "step", CAROM_FIELD_NUMBER, offsetof(carom_scene_world, step), .initial = 0.001,
      .range = { 0, 1e6, .above = true, .unit = "s" }, .doc = "length of a step" },
    { "duration", CAROM_FIELD_NUMBER, offsetof(carom_scene_world, duration), .initial = 5,
      .range = { 0, 1e12, .unit = "s" }, .doc = "of the run" },
    { "stop", CAROM_FIELD_OBJECT, .table = &carom_scene_world_stop_table,
      .doc = "when the run ends before that" },
    { "law", CAROM_FIELD_TEXT, offsetof(carom_scene_world, law_name), .shown = "the default law",
      .doc = "the impact law; `carom laws` lists them" },
    { "options", CAROM_FIELD_OTHER, .words = "object",
      .doc = "options of the law by name; `carom laws` lists them",
      .schema = "{ \"type\": \"object\", \"additionalProperties\": "
                "{ \"type\": [\"number\", \"string\"] } }" },
    CAROM_WORLD_OPTION_LIST(NUMBER, INTEGER, VECTOR, CHOICE),
    { "periodic", CAROM_FIELD_OBJECT, .table = &carom_scene_periodic_table,
      .doc = "a box that repeats itself along the axes given" },
    { "seed", CAROM_FIELD_INT64, offsetof(carom_scene_world, seed),
      .range = { .min = 0, .max = 1e15 },
      .doc = "added to the seeds of all generators: the scene once more with other random "
             "numbers" },
    { "separate", CAROM_FIELD_BOOL, offsetof(carom_scene_world, separate),
      .doc = "move bodies that overlap at the start apart, instead of refusing the scene" },
    { "materials", CAROM_FIELD_MAP, .table = &carom_scene_material_table, .words = "default",
      .doc = "surfaces by name; one called `default` is that of bodies that name none" },
    { "pairs", CAROM_FIELD_LIST, .table = &carom_scene_material_pair_table,
      .doc = "materials that do not combine by the geometric mean" },
    { "shapes", CAROM_FIELD_MAP, .table = &carom_scene_shape_table, .doc = "shapes by name" },
    { "bodies", CAROM_FIELD_LIST, .table = &carom_scene_body_table,
      .doc = "the bodies, one by one" },
    { "generators", CAROM_FIELD_LIST, .table = &carom_scene_generator_table,
      .doc = "many bodies from a few keys" },
    { "joints", CAROM_FIELD_LIST, .table = &carom_scene_joint_table,
      .doc = "what holds bodies together" },
    { "changes", CAROM_FIELD_LIST, .table = &carom_scene_change_table,
      .doc = "what happens at given times" },
    { "lights", CAROM_FIELD_LIST, .table = &carom_scene_light_table,
      .doc = "up to four lamps of pictures, instead of the sun at the viewer's left" },
    { "output", CAROM_FIELD_OBJECT, .table = &output_table, .doc = "what a run writes" },
    { 0 },
};
const carom_field_table carom_scene_world_table = {
    "world file",
    "Bodies that move, meet and bounce: `carom run` runs it. SI units, z is up. A position is "
    "that of a shape's origin, the point its sizes, points or file count from.",
    file_fields
};

// -- parts --------------------------------------------------------------------------------------

carom_status carom_scene_world_friction(carom_scene_world *scene, double friction, carom_error *err)
{
    NEED(err, scene);
    if (!(friction >= 0 && friction <= 1e6)) {
        carom_error_set(err, CAROM_BAD_INPUT, "friction is %g, outside [0, 1e6]", friction);
        return carom_error_fix(err, "use Coulomb's coefficient, 0 for none");
    }
    for (int i = 0; i < scene->material_count; ++i)
        scene->materials[i].friction = friction;
    for (int i = 0; i < scene->pair_count; ++i)
        scene->pairs[i].friction = friction;
    return CAROM_OK;
}

static carom_status read_output(carom_scene_world *scene, const carom_value *root, carom_error *err)
{
    carom_value value;
    output_values v;
    carom_field_defaults(&output_table, &v);
    if (carom_value_member(root, "output", &value))
        TRY(carom_field_read(&value, &output_table, &v, err));
    scene->output = (carom_scene_output){ .every = v.every,
                                          .checkpoint = v.checkpoint,
                                          .checkpoint_steps = v.checkpoint_steps,
                                          .contacts = v.contacts || v.sums,
                                          .sums = v.sums };
    return CAROM_OK;
}

// -- opening ------------------------------------------------------------------------------------

static carom_status read_file(carom_scene_world *scene, carom_error *err)
{
    int kind;
    carom_value root = carom_reader_root(scene->reader);
    TRY(carom_reader_kind(&root, "world", &kind, err));
    TRY(carom_field_read(&root, &carom_scene_world_table, scene, err));
    if (scene->given_title) {
        free(scene->title);
        if (!(scene->title = strdup(scene->given_title)))
            return carom_error_no_memory(err, "a scene");
    }
    TRY(carom_scene_law_read(&root, scene->law_name, &scene->options.law,
                             &scene->options.law_options, err));
    TRY(carom_scene_periodic_read(scene, &root, err));
    TRY(read_output(scene, &root, err));
    TRY(carom_scene_light_read_all(scene, &root, err));
    TRY(carom_scene_material_read(scene, &root, err));
    TRY(carom_scene_material_read_pairs(scene, &root, err));
    TRY(carom_scene_shape_read_all(scene, &root, err));
    TRY(carom_scene_body_read_all(scene, &root, err));
    TRY(carom_scene_generators_read(scene, &root, err));
    if (scene->member_count == 0)
        return carom_value_fail(&root, err, "add \"bodies\" or \"generators\"",
                                "the file has no bodies");
    TRY(carom_scene_body_index(scene, &root, err));
    TRY(carom_scene_servo_read_all(scene, &root, err));
    TRY(carom_scene_joint_read_all(scene, &root, err));
    TRY(carom_scene_world_stop_read(scene, &root, err));
    return carom_scene_change_read_all(scene, &root, err);
}

// The title is the name without folder and ending; the folder keeps its slash.
static carom_status split_name(carom_scene_world *scene, const char *name, carom_error *err)
{
    const char *slash = strrchr(name, '/'), *start = slash ? slash + 1 : name;
    scene->title = strdup(start);
    scene->folder = slash ? strndup(name, (size_t)(start - name)) : NULL;
    if (!scene->title || (slash && !scene->folder))
        return carom_error_no_memory(err, "a scene");
    char *point = strrchr(scene->title, '.');
    if (point && point != scene->title)
        *point = 0;
    return CAROM_OK;
}

typedef struct reading {
    const carom_scene_mesh *meshes; // null: from files
    int mesh_count;
    double megabytes;
    uint64_t sample;
} reading;

// Takes over the reader, also on failure.
static carom_status read_scene(const char *name, carom_reader *reader, reading how,
                               carom_scene_world **out, carom_error *err)
{
    carom_scene_world *scene = calloc(1, sizeof *scene);
    if (!scene) {
        carom_reader_close(reader);
        return carom_error_no_memory(err, "a scene");
    }
    scene->reader = reader;
    scene->given = how.meshes;
    scene->given_count = how.mesh_count;
    scene->megabytes = how.megabytes;
    scene->sample = how.sample;
    carom_status status = carom_scene_bounce_open(scene, err);
    if (status == CAROM_OK)
        status = split_name(scene, name, err);
    if (status == CAROM_OK)
        status = carom_scene_list_embed(&scene->reader, scene->folder, err);
    if (status == CAROM_OK)
        status = read_file(scene, err);
    scene->given = NULL; // the caller's
    if (status != CAROM_OK)
        carom_scene_world_close(scene);
    else
        *out = scene;
    return status;
}

carom_status carom_scene_world_open(const char *path, carom_scene_world **out, carom_error *err)
{
    NEED(err, path, out);
    return carom_scene_world_open_sample(path, 0, out, err);
}

carom_status carom_scene_world_open_sample(const char *path, uint64_t sample,
                                           carom_scene_world **out, carom_error *err)
{
    NEED(err, path, out);
    carom_reader *reader = NULL;
    *out = NULL;
    TRY(carom_reader_open(path, &reader, err));
    reading how = { .megabytes = CAROM_SCENE_WORLD_MEGABYTES, .sample = sample };
    return read_scene(strcmp(path, "-") == 0 ? "standard input" : path, reader, how, out, err);
}

carom_status carom_scene_world_parse(const char *name, const char *text, size_t size,
                                     carom_scene_world **out, carom_error *err)
{
    NEED(err, name, out);
    return carom_scene_world_parse_within(CAROM_SCENE_WORLD_MEGABYTES, name, text, size, out, err);
}

carom_status carom_scene_world_parse_within(double megabytes, const char *name, const char *text,
                                            size_t size, carom_scene_world **out, carom_error *err)
{
    carom_reader *reader = NULL;
    *out = NULL;
    TRY(carom_reader_parse(name, text, size, &reader, err));
    return read_scene(name, reader, (reading){ .megabytes = megabytes }, out, err);
}

carom_status carom_scene_world_parse_with(const char *name, const char *text, size_t size,
                                          const carom_scene_mesh *meshes, int mesh_count,
                                          carom_scene_world **out, carom_error *err)
{
    NEED(err, name, out);
    static const carom_scene_mesh none;
    carom_reader *reader = NULL;
    *out = NULL;
    TRY(carom_reader_parse(name, text, size, &reader, err));
    reading how = { meshes ? meshes : &none, mesh_count, CAROM_SCENE_WORLD_MEGABYTES, 0 };
    return read_scene(name, reader, how, out, err);
}

carom_status carom_scene_world_reread(const carom_scene_world *scene, const carom_scene_text *text,
                                      carom_scene_world **out, carom_error *err)
{
    size_t size;
    carom_reader *reader = NULL;
    const char *name = carom_scene_text_name(text), *bytes = carom_scene_text_bytes(text, &size);
    TRY(carom_reader_parse(name, bytes, size, &reader, err));
    reading how = { .megabytes = scene->megabytes, .sample = scene->sample };
    return read_scene(name, reader, how, out, err);
}

const carom_scene_mesh *carom_scene_world_meshes(const carom_scene_world *scene, int *count)
{
    if (!scene || !count)
        return NULL;
    *count = scene->mesh_count;
    return scene->meshes;
}

void carom_scene_world_close(carom_scene_world *scene)
{
    if (!scene)
        return;
    carom_scene_bounce_close(scene);
    carom_scene_shape_free_all(scene);
    free(scene->members);
    free(scene->changes);
    free(scene->title);
    free(scene->folder);
    carom_reader_close(scene->reader);
    free(scene);
}

// -- what it holds ------------------------------------------------------------------------------

const char *carom_scene_world_title(const carom_scene_world *scene)
{
    if (!scene)
        return "";
    return scene->title;
}

const char *carom_scene_world_note(const carom_scene_world *scene)
{
    if (!scene)
        return NULL;
    return scene->note;
}

const char *carom_scene_world_text(const carom_scene_world *scene, size_t *size)
{
    if (!scene || !size)
        return "";
    return carom_reader_text(scene->reader, size);
}

double carom_scene_world_step(const carom_scene_world *scene)
{
    if (!scene)
        return 0;
    return scene->step;
}

double carom_scene_world_duration(const carom_scene_world *scene)
{
    if (!scene)
        return 0;
    return scene->duration;
}

carom_scene_output carom_scene_world_output(const carom_scene_world *scene)
{
    if (!scene)
        return (carom_scene_output){ 0 };
    return scene->output;
}

carom_world_options carom_scene_world_options(const carom_scene_world *scene)
{
    if (!scene)
        return (carom_world_options){ 0 };
    return scene->options;
}

int carom_scene_world_body_count(const carom_scene_world *scene)
{
    if (!scene)
        return 0;
    return (int)scene->member_count;
}

void carom_scene_world_body_name(const carom_scene_world *scene, int body, char *out, size_t size)
{
    if (!scene)
        return;
    if (body < 0 || body >= scene->member_count)
        snprintf(out, size, "world");
    else if (scene->members[body].number < 0)
        snprintf(out, size, "%s", scene->members[body].name);
    else
        snprintf(out, size, "%s[%d]", scene->members[body].name, scene->members[body].number);
}

carom_look carom_scene_world_look(const carom_scene_world *scene, int body)
{
    bool there = scene && body >= 0 && body < scene->member_count;
    return there ? scene->members[body].look : (carom_look){ -1, 1, 0.5 };
}

carom_body carom_scene_world_body(const carom_scene_world *scene, int body)
{
    if (!scene || body < 0 || body >= carom_scene_world_body_count(scene))
        return (carom_body){ 0 };
    carom_body out = scene->members[body].body;
    out.shape = scene->forms[scene->members[body].form].shape;
    carom_scene_bounce_give(scene, body, &out);
    return out;
}

static carom_status describe(const carom_reader *reader, char *out, size_t size, carom_error *err)
{
    size_t length;
    const char *text = carom_reader_text(reader, &length);
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    TRY(carom_scene_world_parse(carom_reader_path(reader), text, length, &scene, err));
    carom_status status = carom_scene_world_build(scene, NULL, &world, err);
    if (status == CAROM_OK)
        status = carom_scene_world_examine(scene, world, err);
    snprintf(out, size, "%lld %s, %d %s, %g s in steps of %g s, law %s",
             (long long)scene->member_count, carom_text_noun(scene->member_count, "body", "bodies"),
             scene->joint_count, carom_text_noun(scene->joint_count, "joint", "joints"),
             scene->duration, scene->step, carom_law_name(scene->options.law));
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return status;
}

const carom_scene_kind_file carom_scene_world_kind = { "world", &carom_scene_world_table,
                                                       describe };

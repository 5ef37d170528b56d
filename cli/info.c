// `carom info`: what is in a scene or a trajectory?
#include "command.h"
#include "output.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/bounce_map.h"
#include "carom/json.h"
#include "carom/text.h"
#include "carom/trajectory.h"

// -- scenes -------------------------------------------------------------------------------------

typedef struct census {
    int kinds[3], shapes[CAROM_SHAPE_COMPOUND + 1];
    double mass;
} census;

static census count_bodies(const carom_scene_world *scene)
{
    census c = { 0 };
    for (int i = 0; i < carom_scene_world_body_count(scene); ++i) {
        carom_body body = carom_scene_world_body(scene, i);
        ++c.kinds[body.kind];
        ++c.shapes[carom_shape_kind_of(body.shape)];
        if (body.kind == CAROM_BODY_MOVING)
            c.mass +=
                body.mass > 0 ? body.mass : body.density * carom_shape_mass(body.shape).volume;
    }
    return c;
}

static void scene_words(const carom_scene_world *scene)
{
    census c = count_bodies(scene);
    int count = carom_scene_world_body_count(scene);
    printf("%-9s ", "scene");
    carom_terminal_print(carom_scene_world_title(scene));
    if (carom_scene_world_note(scene)) {
        printf("%-9s ", "note");
        carom_terminal_print(carom_scene_world_note(scene));
    }
    printf("%-9s %d: %d moving (%.6g kg), %d fixed, %d driven;", "bodies", count, c.kinds[0],
           c.mass, c.kinds[1], c.kinds[2]);
    for (int k = 0; k <= CAROM_SHAPE_COMPOUND; ++k)
        if (c.shapes[k])
            printf(" %d %s", c.shapes[k], carom_shape_kind_name((carom_shape_kind)k));
    printf("\n%-9s %lld steps of %g s, %g s in all, law %s\n", "plan",
           (long long)carom_scene_world_steps(scene), carom_scene_world_step(scene),
           carom_scene_world_duration(scene), carom_law_name(carom_scene_world_options(scene).law));
}

static void scene_json(const carom_scene_world *scene, carom_json *json)
{
    census c = count_bodies(scene);
    carom_json_string(json, "title", carom_scene_world_title(scene));
    if (carom_scene_world_note(scene))
        carom_json_string(json, "note", carom_scene_world_note(scene));
    carom_json_integer(json, "bodies", carom_scene_world_body_count(scene));
    carom_json_integer(json, "moving", c.kinds[0]);
    carom_json_integer(json, "fixed", c.kinds[1]);
    carom_json_integer(json, "driven", c.kinds[2]);
    carom_json_number(json, "mass", c.mass);
    carom_json_object(json, "shapes");
    for (int k = 0; k <= CAROM_SHAPE_COMPOUND; ++k)
        if (c.shapes[k])
            carom_json_integer(json, carom_shape_kind_name((carom_shape_kind)k), c.shapes[k]);
    carom_json_end(json);
    carom_json_number(json, "step", carom_scene_world_step(scene));
    carom_json_integer(json, "steps", carom_scene_world_steps(scene));
    carom_json_number(json, "duration", carom_scene_world_duration(scene));
    carom_json_string(json, "law", carom_law_name(carom_scene_world_options(scene).law));
}

static int show_scene(const char *path, bool as_json)
{
    carom_error err = { 0 };
    carom_scene_world *scene = NULL;
    carom_scene_contents held = { 0 };
    int code = CAROM_EXIT_GOOD;
    // other kinds have commands of their own that print everything; here they are named
    carom_status status = carom_scene_world_open(path, &scene, &err);
    if (status != CAROM_OK) {
        carom_error other = { 0 };
        if (status == CAROM_NO_MEMORY || status == CAROM_IO_FAILED) // nothing about its kind
            return carom_command_fail(&err);
        if (strcmp(path, "-") == 0 || carom_scene_check(path, &held, &other) != CAROM_OK)
            return carom_command_fail(strcmp(path, "-") == 0 ? &err : &other);
    }
    if (as_json) {
        carom_json *json = carom_json_create();
        carom_json_object(json, NULL);
        carom_json_string(json, "file", path);
        if (scene)
            scene_json(scene, json);
        else
            carom_json_string(json, "kind", carom_scene_kind_name(held.kind)),
                carom_json_string(json, "holds", held.words);
        carom_json_end(json);
        code = carom_output_finish_json(json, "-", true);
    } else if (scene) {
        scene_words(scene);
    } else {
        printf("%-9s %s, %s\n", "holds", carom_scene_kind_name(held.kind), held.words);
    }
    carom_scene_world_close(scene);
    return code;
}

// -- trajectories -------------------------------------------------------------------------------

typedef struct contents {
    carom_trajectory *t;
    carom_scene_world *scene;
    carom_frame first, last;
    int64_t frames, records[16];
    uint64_t bytes[16];
} contents;

static const char *record_name(int kind)
{
#define CASE(name, number, word, sentence)                                                         \
    if (kind == (number))                                                                          \
        return word;
    CAROM_RECORD_LIST(CASE)
#undef CASE
    return NULL;
}

static carom_status look_into(const char *path, contents *c, carom_error *err)
{
    carom_status status = carom_trajectory_open(path, &c->t, err);
    if (status != CAROM_OK)
        return status;
    for (int64_t i = 0; i < carom_trajectory_count(c->t); ++i) {
        carom_record record = carom_trajectory_at(c->t, i);
        int kind = (int)record.kind > 0 && (int)record.kind < 16 ? (int)record.kind : 0;
        ++c->records[kind];
        c->bytes[kind] += record.size;
    }
    c->frames = carom_trajectory_frame_count(c->t);
    if (c->frames > 0) {
        status = carom_trajectory_frame(c->t, 0, &c->first, err);
        if (status == CAROM_OK)
            status = carom_trajectory_frame(c->t, c->frames - 1, &c->last, err);
    }
    carom_error scene = { 0 }; // a trajectory cut before its scene still has something to tell
    if (carom_trajectory_scene(c->t, &c->scene, &scene) != CAROM_NO_MEMORY || status != CAROM_OK)
        return status;
    *err = scene;
    return CAROM_NO_MEMORY;
}

static void trajectory_words(const contents *c)
{
    const carom_ledger *l = &c->last.ledger;
    const char *damage = carom_trajectory_damage(c->t);
    if (c->scene)
        scene_words(c->scene);
    printf("%-9s version %d,", "records", carom_trajectory_version(c->t));
    for (int k = 0; k < 16; ++k)
        if (c->records[k])
            printf(" %lld %s (%.3g MB)", (long long)c->records[k],
                   record_name(k) ? record_name(k) : "unknown", (double)c->bytes[k] / 1e6);
    printf("\n");
    if (c->frames > 0) {
        printf("%-9s %lld, from %.6g s to %.6g s (step %lld)\n", "frames", (long long)c->frames,
               c->first.time, c->last.time, (long long)c->last.step);
        printf("%-9s %.9g J at the start, %.9g J at the last frame (%.6g kinetic)\n", "energy",
               l->start, l->kinetic + l->potential, l->kinetic);
        printf("%-9s %.6g J in %lld %s, %.6g J at rest; driven %.6g J, position correction "
               "%.3g J, time stepping %.3g J\n",
               "lost", carom_terminal_energy(l->law, l), (long long)l->impacts,
               carom_text_noun(l->impacts, "impact", "impacts"), carom_terminal_energy(l->rest, l),
               carom_terminal_energy(l->driven, l),
               carom_terminal_energy(l->position_correction, l),
               carom_terminal_energy(l->integrator, l));
        printf("%-9s %.3g m at most\n", "overlap", l->peak_overlap);
    }
    bool ended = carom_trajectory_ended(c->t);
    printf("%-9s %s\n", "state",
           damage  ? damage
           : ended ? "whole"
                   : "whole, but the run was not at its end; `carom run --resume` continues it");
}

static int trajectory_json(const contents *c, const char *path)
{
    const carom_ledger *l = &c->last.ledger;
    const char *damage = carom_trajectory_damage(c->t);
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_string(json, "file", path);
    carom_json_integer(json, "version", carom_trajectory_version(c->t));
    carom_json_bool(json, "whole", damage == NULL);
    if (damage)
        carom_json_string(json, "damage", damage);
    carom_json_bool(json, "ended", carom_trajectory_ended(c->t));
    carom_json_object(json, "records");
    for (int k = 0; k < 16; ++k)
        if (c->records[k] && record_name(k))
            carom_json_integer(json, record_name(k), c->records[k]);
    carom_json_end(json);
    carom_json_integer(json, "frames", c->frames);
    if (c->frames > 0) {
        char hash[32];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)c->last.hash);
        carom_json_number(json, "from", c->first.time);
        carom_json_number(json, "to", c->last.time);
        carom_json_integer(json, "last_step", c->last.step);
        carom_json_string(json, "hash", hash);
        carom_json_object(json, "ledger");
        carom_runner_energy_json(l, json);
        carom_json_number(json, "deepest", l->peak_overlap);
        carom_json_integer(json, "impacts", l->impacts);
        carom_json_end(json);
    }
    if (c->scene) {
        carom_json_object(json, "scene");
        scene_json(c->scene, json);
        carom_json_end(json);
    }
    carom_json_end(json);
    return carom_output_finish_json(json, "-", true);
}

static int show_trajectory(const char *path, bool as_json)
{
    carom_error err = { 0 };
    contents c = { 0 };
    int code = CAROM_EXIT_GOOD;
    if (look_into(path, &c, &err) != CAROM_OK)
        code = carom_command_fail(&err);
    else if (as_json)
        code = trajectory_json(&c, path);
    else
        trajectory_words(&c);
    carom_scene_world_close(c.scene);
    carom_trajectory_close(c.t);
    return code;
}

// -- bounce maps --------------------------------------------------------------------------------

static int show_map(const char *path, bool as_json)
{
    carom_error err = { 0 };
    carom_bounce_map *map = NULL;
    int code = CAROM_EXIT_GOOD;
    if (carom_bounce_map_load(path, &map, &err) != CAROM_OK)
        return carom_command_fail(&err);
    const carom_bounce_map_info *about = carom_bounce_map_about(map);
    int samples = about->faces + about->edge_samples + about->vertex_samples;
    if (as_json) {
        carom_json *json = carom_json_create();
        carom_json_object(json, NULL);
        carom_json_string(json, "file", path);
        carom_json_string(json, "kind", "bounce map");
        carom_json_number(json, "mass", about->mass);
        carom_json_integer(json, "modes", about->modes);
        carom_json_integer(json, "samples", samples);
        carom_json_end(json);
        code = carom_output_finish_json(json, "-", true);
    } else
        printf("%-9s a bounce map of a body of %.6g kg: %d samples (%d on faces, %d on edges, %d "
               "at vertices), %d modes\n",
               "holds", about->mass, samples, about->faces, about->edge_samples,
               about->vertex_samples, about->modes);
    carom_bounce_map_destroy(map);
    return code;
}

static int run(const carom_arguments *given)
{
    const char *path = carom_command_text(given, "FILE");
    bool as_json = carom_command_flag(given, "--json");
    if (carom_bounce_map_is(path))
        return show_map(path, as_json);
    return carom_trajectory_is(path) ? show_trajectory(path, as_json) : show_scene(path, as_json);
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .doc = "a scene, a trajectory or a bounce map",
      .required = true },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON" },
    { 0 },
};

static const char *const examples[] = {
    "how far did it get?",
    "carom info ball.carom",
    "what would run?",
    "carom info scenes/world/pyramid.json",
    NULL,
};

const carom_command carom_info_command = {
    .name = "info",
    .summary = "say what is in a scene, a trajectory or a bounce map",
    .details = "Of a scene: bodies, shapes, plan and law. Of a trajectory also its records, time "
               "span and ledger, and whether it is whole or was cut.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

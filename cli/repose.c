// `carom repose`: the angle of repose over friction, by the procedure of [ETM, section 7.5].
#include "command.h"
#include "output.h"
#include "table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/repose.h"
#include "carom/scene.h"

enum { MOST_POINTS = 256 };

typedef struct work {
    const carom_arguments *given;
    double area[4];
    double friction[MOST_POINTS];
    int frictions;
    carom_repose_point points[MOST_POINTS];
    double kinetic[MOST_POINTS]; // J per kg that still moves at the end
    int count;
} work;

// Numbers separated by commas; returns how many, or -1.
static int read_numbers(const char *text, double *out, int most)
{
    int count = 0;
    for (const char *at = text;; ++at) {
        char *end;
        if (count == most)
            return -1;
        out[count++] = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !isfinite(out[count - 1]))
            return -1;
        if (!*end)
            return count;
        at = end;
    }
}

static carom_status step_through(const carom_scene_world *scene, carom_world *world,
                                 carom_error *err)
{
    int64_t steps = carom_scene_world_steps(scene);
    double dt = carom_scene_world_step(scene);
    carom_status status = CAROM_OK;
    for (int64_t i = 0; i < steps && status == CAROM_OK; ++i) {
        carom_scene_world_change(scene, world, i);
        status = carom_world_step(world, dt, err);
    }
    return status;
}

static carom_status measure(work *w, const char *path, double friction, carom_error *err)
{
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    carom_repose_point *point = &w->points[w->count];
    const char *law = carom_command_text(w->given, "--law");
    carom_status status = carom_scene_world_open(path, &scene, err);
    if (status == CAROM_OK && law)
        status = carom_scene_world_set(scene, "law", law, err);
    if (status == CAROM_OK)
        status = carom_scene_world_friction(scene, friction, err);
    if (status == CAROM_OK)
        status = carom_scene_world_build(scene, NULL, &world, err);
    if (status == CAROM_OK)
        status = step_through(scene, world, err);
    if (status == CAROM_OK)
        status = carom_repose_measure(world, w->area, &point->angle, err);
    if (status == CAROM_OK) {
        double mass = 0;
        for (int i = 0; i < carom_world_body_count(world); ++i)
            if (carom_world_kind(world, i) == CAROM_BODY_MOVING)
                mass += carom_world_mass(world, i);
        const char *slash = strrchr(path, '/');
        point->series = slash ? slash + 1 : path;
        point->friction = friction;
        w->kinetic[w->count++] = carom_world_ledger(world).kinetic / mass;
    }
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    return status;
}

static void print_table(const work *w)
{
    static const char *const heads[] = { "scene",    "friction",  "angle deg",  "least deg",
                                         "most deg", "error deg", "moving J/kg" };
    carom_table *table = carom_table_create(7);
    for (int i = 0; i < 7; ++i)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[i]);
    for (int i = 0; i < w->count; ++i) {
        const carom_repose *a = &w->points[i].angle;
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", w->points[i].series);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%g", w->points[i].friction);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", a->mean);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", a->least);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", a->most);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", a->error);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.1e", w->kinetic[i]);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
}

static int print_json(const work *w)
{
    carom_json *json = carom_json_create();
    carom_json_array(json, NULL);
    for (int i = 0; i < w->count; ++i) {
        const carom_repose *a = &w->points[i].angle;
        carom_json_object(json, NULL);
        carom_json_words(json, "scene", w->points[i].series);
        carom_json_number(json, "friction", w->points[i].friction);
        carom_json_number(json, "angle", a->mean);
        carom_json_number(json, "error", a->error);
        carom_json_array(json, "lines");
        for (int k = 0; k < CAROM_REPOSE_LINES; ++k)
            carom_json_number(json, NULL, a->line[k]);
        carom_json_end(json);
        carom_json_number(json, "kinetic", w->kinetic[i]);
        carom_json_end(json);
    }
    carom_json_end(json);
    return carom_output_finish_json(json, "-", false);
}

static int finish(const work *w)
{
    const char *svg = carom_command_text(w->given, "--svg");
    carom_error err = { 0 };
    if (svg) {
        char *text = NULL;
        carom_status status = carom_repose_svg(w->points, w->count, &text, &err);
        if (status == CAROM_OK)
            status = carom_output_write(svg, text, carom_command_flag(w->given, "--force"), &err);
        free(text);
        if (status != CAROM_OK)
            return carom_command_fail(&err);
    }
    if (carom_command_flag(w->given, "--json"))
        return print_json(w);
    print_table(w);
    return CAROM_EXIT_GOOD;
}

static int run(const carom_arguments *given)
{
    static work w; // some 300 kB
    carom_error err = { 0 };
    const char *svg = carom_command_text(given, "--svg");
    w = (work){ .given = given };
    w.frictions = read_numbers(carom_command_text(given, "--friction"), w.friction, MOST_POINTS);
    int files = carom_command_count(given, "FILE");
    if (w.frictions < 1 || w.frictions * files > MOST_POINTS)
        return carom_command_misuse("give numbers separated by commas, at most 256 runs in all",
                                    "--friction cannot be used");
    if (read_numbers(carom_command_text(given, "--area"), w.area, 4) != 4)
        return carom_command_misuse("give the two corners of the floor: X,Y,X,Y",
                                    "--area cannot be used");
    if (svg && carom_output_check(svg, carom_command_flag(given, "--force"), &err) != CAROM_OK)
        return carom_command_fail(&err);
    for (int i = 0; i < files; ++i)
        for (int k = 0; k < w.frictions; ++k)
            if (measure(&w, carom_command_text_at(given, "FILE", i), w.friction[k], &err) !=
                CAROM_OK)
                return carom_command_fail(&err);
    return finish(&w);
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .doc = "scenes of kind world that end with a heap",
      .required = true, .repeated = true },
    { "--friction", CAROM_ARGUMENT_TEXT, .value = "A,B,C", .initial = "0,0.05,0.1,0.2,0.3,0.4,0.6",
      .doc = "coefficients; all materials of a scene get the same" },
    { "--area", CAROM_ARGUMENT_TEXT, .value = "X,Y,X,Y", .initial = "-21.6,-12,21.6,12",
      .doc = "two corners of the floor (m); by default that of scenes/world/pack-*.json" },
    { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME", .doc = "use this law instead of the scene's" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON, with the slope of each line" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .doc = "draw the angles over friction" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { 0 },
};

static const char *const examples[] = {
    "a small heap without friction and with some",
    "carom repose scenes/world/heap.json --area -12,-3.2,12,3.2 --friction 0,0.6",
    NULL,
};

const carom_command carom_repose_command = {
    .name = "repose",
    .summary = "measure the angle of repose of heaps over friction",
    .details =
        "Runs each scene to its end with each friction coefficient and measures the slope of the "
        "heap: the floor is divided into 16 cells along its longer side and 8 across, the highest "
        "node of any body in each cell counts, and a line is fitted through each of the 8 rows. "
        "The angle is the mean of their slopes, the error half of their spread. Cells over which "
        "nothing lies do not count.\n\n"
        "The heaps of 540 spheres, 325 cubes and 325 crosses of the paper are "
        "scenes/world/pack-spheres.json, pack-cubes.json and pack-crosses.json: a quarter to half "
        "a "
        "minute per coefficient, more on a busy machine.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

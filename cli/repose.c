// `carom repose`: the angle of repose over friction, by the procedure of [ETM, section 7.5].
#include "command.h"
#include "output.h"
#include "table.h"
#include "terminal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/repose.h"
#include "carom/scene.h"
#include "carom/trajectory.h"

enum { ROWS_MAX = 256 };
// A heap is at rest below this (J per kg): 1.4 cm/s, of bodies of some metres.
#define AT_REST 1e-4

// One scene with one coefficient, over all samples.
typedef struct row {
    const char *series;
    double friction;
    int samples;
    double sum, squares;    // degrees
    double min, max, error; // degrees: of single lines, and the mean of the paper's error
    double moving;          // J per kg at the end, the worst of all
    double angle[CAROM_REPOSE_LINES];
} row;

typedef struct work {
    const carom_arguments *given;
    double area[4];
    double friction[ROWS_MAX];
    int frictions, count;
    double patience; // s
    row rows[ROWS_MAX];
} work;

// The heap before the wall goes: what all coefficients start from.
typedef struct packing {
    carom_scene_world *scene;
    int64_t step; // number of the first one that is not done
    void *bytes;
    size_t size;
} packing;

static double moving(const carom_world *world)
{
    double mass = 0;
    for (int i = 0; i < carom_world_body_count(world); ++i)
        if (carom_world_kind(world, carom_world_body_at(world, i)) == CAROM_BODY_MOVING)
            mass += carom_world_mass(world, carom_world_body_at(world, i));
    return mass > 0 ? carom_world_ledger(world).kinetic / mass : 0;
}

static carom_status step_through(const carom_scene_world *scene, carom_world *world, int64_t from,
                                 int64_t to, carom_error *err)
{
    double dt = carom_scene_world_step(scene);
    carom_status status = CAROM_OK;
    for (int64_t i = from; i < to && status == CAROM_OK; ++i) {
        carom_scene_world_change(scene, world, i);
        status = carom_world_step(world, dt, err);
    }
    return status;
}

// To the end of the scene, and on until nothing moves or the patience ends.
static carom_status settle(const work *w, const packing *p, carom_world *world, carom_error *err)
{
    int64_t at = carom_scene_world_steps(p->scene);
    double dt = carom_scene_world_step(p->scene);
    int64_t second = (int64_t)ceil(1 / dt), last = at + (int64_t)(w->patience / dt);
    carom_status status = step_through(p->scene, world, p->step, at, err);
    for (; status == CAROM_OK && at < last && moving(world) > AT_REST; at += second)
        status = step_through(p->scene, world, at, at + second, err);
    return status;
}

static carom_status pour(const work *w, const char *path, int sample, packing *p, carom_error *err)
{
    carom_world *world = NULL;
    const char *law = carom_command_text(w->given, "--law");
    carom_status status = carom_scene_world_open_sample(path, (uint64_t)sample, &p->scene, err);
    if (status == CAROM_OK && law)
        status = carom_scene_world_set(p->scene, "law", law, err);
    if (status == CAROM_OK)
        status = carom_scene_world_build(p->scene, NULL, &world, err);
    if (status == CAROM_OK) {
        int64_t change = carom_scene_world_first_change(p->scene);
        p->step = change < 0 ? 0 : change;
        status = step_through(p->scene, world, 0, p->step, err);
    }
    if (status == CAROM_OK) {
        p->size = carom_world_snapshot_size(world);
        p->bytes = malloc(p->size);
        if (p->bytes)
            carom_world_snapshot(world, p->bytes);
        else
            status = err->status = CAROM_NO_MEMORY;
    }
    carom_world_destroy(world);
    return status;
}

static void enter(row *r, const carom_repose *angle, double kinetic)
{
    r->min = r->samples ? fmin(r->min, angle->min) : angle->min;
    r->max = r->samples ? fmax(r->max, angle->max) : angle->max;
    r->error = (r->samples * r->error + angle->error) / (r->samples + 1);
    r->moving = fmax(r->moving, kinetic);
    for (int k = 0; k < CAROM_REPOSE_LINES; ++k)
        r->angle[k] = (r->samples * r->angle[k] + angle->line[k]) / (r->samples + 1);
    r->sum += angle->mean;
    r->squares += angle->mean * angle->mean;
    ++r->samples;
}

static double mean_of(const row *r)
{
    return r->sum / r->samples;
}

// Standard error of the mean over the samples; 0 for a single one.
static double spread_of(const row *r)
{
    double n = r->samples, mean = mean_of(r);
    return n > 1 ? sqrt(fmax(0, r->squares - n * mean * mean) / (n - 1) / n) : 0;
}

static carom_status slide(const work *w, const packing *p, row *r, carom_error *err)
{
    carom_world *world = NULL;
    carom_repose angle;
    carom_status status = carom_scene_world_friction(p->scene, r->friction, err);
    if (status == CAROM_OK)
        status = carom_scene_world_build(p->scene, NULL, &world, err);
    if (status == CAROM_OK)
        status = carom_world_restore(world, p->bytes, p->size, err);
    if (status == CAROM_OK)
        status = settle(w, p, world, err);
    if (status == CAROM_OK)
        status = carom_repose_measure(world, w->area, &angle, err);
    if (status == CAROM_OK) {
        enter(r, &angle, moving(world));
        carom_terminal_report("%s, friction %g, heap %d: %.2f degrees", r->series, r->friction,
                              r->samples, angle.mean);
    }
    carom_world_destroy(world);
    return status;
}

static carom_status measure(work *w, const char *path, int sample, row *first, carom_error *err)
{
    packing p = { 0 };
    const char *slash = strrchr(path, '/');
    carom_status status = pour(w, path, sample, &p, err);
    for (int k = 0; k < w->frictions && status == CAROM_OK; ++k) {
        first[k].series = slash ? slash + 1 : path;
        first[k].friction = w->friction[k];
        status = slide(w, &p, &first[k], err);
    }
    free(p.bytes);
    carom_scene_world_close(p.scene);
    return status;
}

// The world as the last checkpoint has it, without what the scene had removed by then.
static carom_status restore_last(const carom_trajectory *trajectory, carom_scene_world *scene,
                                 carom_world *world, carom_error *err)
{
    int64_t i = carom_trajectory_count(trajectory) - 1;
    while (i > 0 && carom_trajectory_at(trajectory, i).kind != CAROM_RECORD_CHECKPOINT)
        --i;
    carom_record point = carom_trajectory_at(trajectory, i);
    carom_status status = carom_world_restore(world, point.payload, point.size, err);
    if (status != CAROM_OK)
        return status;
    carom_scene_world_change(scene, world, carom_world_ledger(world).steps - 1);
    return carom_world_restore(world, point.payload, point.size, err);
}

// A heap that exists: the end of a trajectory.
static carom_status survey(const work *w, const char *path, row *r, carom_error *err)
{
    carom_trajectory *trajectory = NULL;
    carom_scene_world *scene = NULL;
    carom_world *world = NULL;
    carom_repose angle;
    const char *slash = strrchr(path, '/');
    carom_status status = carom_trajectory_open(path, &trajectory, err);
    if (status == CAROM_OK)
        status = carom_trajectory_scene(trajectory, &scene, err);
    if (status == CAROM_OK)
        status = carom_scene_world_build(scene, NULL, &world, err);
    if (status == CAROM_OK)
        status = restore_last(trajectory, scene, world, err);
    if (status == CAROM_OK)
        status = carom_repose_measure(world, w->area, &angle, err);
    if (status == CAROM_OK) {
        r->series = slash ? slash + 1 : path;
        r->friction = NAN;
        enter(r, &angle, moving(world));
    }
    carom_world_destroy(world);
    carom_scene_world_close(scene);
    carom_trajectory_close(trajectory);
    return status;
}

static void print_table(const work *w)
{
    static const char *const heads[] = { "scene",          "friction",  "angle deg",
                                         "standard error", "heaps",     "least deg",
                                         "most deg",       "error deg", "moving J/kg" };
    carom_table *table = carom_table_create(9);
    for (int i = 0; i < 9; ++i)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[i]);
    for (int i = 0; i < w->count; ++i) {
        const row *r = &w->rows[i];
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", r->series);
        if (isnan(r->friction))
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "-");
        else
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%g", r->friction);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", mean_of(r));
        if (r->samples > 1)
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", spread_of(r));
        else
            carom_table_cell(table, CAROM_TERMINAL_PLAIN, "-");
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%d", r->samples);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", r->min);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", r->max);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.2f", r->error);
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.1e", r->moving);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
}

static int print_json(const work *w)
{
    carom_json *json = carom_json_create();
    carom_json_array(json, NULL);
    for (int i = 0; i < w->count; ++i) {
        const row *r = &w->rows[i];
        carom_json_object(json, NULL);
        carom_json_string(json, "scene", r->series);
        if (!isnan(r->friction))
            carom_json_number(json, "friction", r->friction);
        carom_json_number(json, "angle", mean_of(r));
        carom_json_number(json, "standard_error", spread_of(r));
        carom_json_integer(json, "heaps", r->samples);
        carom_json_number(json, "error", r->error);
        carom_json_numbers(json, "lines", r->angle, CAROM_REPOSE_LINES);
        carom_json_number(json, "kinetic", r->moving);
        carom_json_end(json);
    }
    carom_json_end(json);
    return carom_output_finish_json(json, "-", false);
}

// Bars are the standard error over several heaps, or the spread of the lines of a single one.
static carom_status draw(const work *w, char **text, carom_error *err)
{
    carom_repose_point points[ROWS_MAX];
    for (int i = 0; i < w->count; ++i) {
        const row *r = &w->rows[i];
        bool many = r->samples > 1;
        points[i] = (carom_repose_point){ .series = r->series,
                                          .friction = r->friction,
                                          .angle = mean_of(r),
                                          .low = many ? mean_of(r) - spread_of(r) : r->min,
                                          .high = many ? mean_of(r) + spread_of(r) : r->max };
    }
    return carom_repose_svg(points, w->count, text, err);
}

static int finish(const work *w)
{
    const char *svg = carom_command_text(w->given, "--svg");
    carom_error err = { 0 };
    if (svg) {
        char *text = NULL;
        carom_status status = draw(w, &text, &err);
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

static int survey_all(work *w, int files)
{
    carom_error err = { 0 };
    w->count = files;
    for (int i = 0; i < files; ++i)
        if (survey(w, carom_command_text_at(w->given, "FILE", i), &w->rows[i], &err) != CAROM_OK)
            return carom_command_fail(&err);
    return finish(w);
}

static int run(const carom_arguments *given)
{
    static work w; // some 40 kB
    carom_error err = { 0 };
    const char *svg = carom_command_text(given, "--svg");
    w = (work){ .given = given };
    w.frictions = carom_command_numbers(given, "--friction", w.friction, ROWS_MAX);
    int files = carom_command_count(given, "FILE");
    if (w.frictions < 1 || w.frictions * files > ROWS_MAX)
        return carom_command_misuse("give numbers separated by commas, at most 256 rows in all",
                                    "--friction cannot be used");
    if (carom_command_numbers(given, "--area", w.area, 4) != 4)
        return carom_command_misuse("give the two corners of the floor: X,Y,X,Y",
                                    "--area cannot be used");
    if (svg && carom_output_check(svg, carom_command_flag(given, "--force"), &err) != CAROM_OK)
        return carom_command_fail(&err);
    int heaps = 0;
    for (int i = 0; i < files; ++i)
        heaps += carom_trajectory_is(carom_command_text_at(given, "FILE", i));
    if (heaps && (heaps < files || svg || carom_command_integer(given, "--heaps") > 1))
        return carom_command_misuse("give scenes or trajectories; a trajectory has one heap, and "
                                    "its friction is that of its run",
                                    "heaps that exist cannot be poured again");
    if (heaps)
        return survey_all(&w, files);
    w.patience = carom_command_number(given, "--patience");
    w.count = files * w.frictions;
    for (int i = 0; i < files; ++i)
        for (int sample = 0; sample < carom_command_integer(given, "--heaps"); ++sample)
            if (measure(&w, carom_command_text_at(given, "FILE", i), sample,
                        &w.rows[i * w.frictions], &err) != CAROM_OK)
                return carom_command_fail(&err);
    return finish(&w);
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE,
      .doc = "scenes of kind world that end with a heap, or trajectories: the heap at their end is "
             "measured as it is",
      .required = true, .repeated = true },
    { "--friction", CAROM_ARGUMENT_TEXT, .value = "A,B,C",
      .initial = "0,0.05,0.1,0.2,0.3,0.4,0.5,0.6",
      .doc = "coefficients; all materials of a scene get the same" },
    { "--heaps", CAROM_ARGUMENT_INTEGER, .value = "N", .initial = "1", .min = 1, .max = 1000,
      .doc = "heaps per scene, each from other random numbers; the angle is their mean" },
    { "--patience", CAROM_ARGUMENT_NUMBER, .value = "T", .initial = "30", .min = 0, .max = 1e6,
      .unit = "s",
      .doc = "how long to wait after the end of the scene for the heap to come to rest" },
    { "--area", CAROM_ARGUMENT_TEXT, .value = "X,Y,X,Y", .initial = "-21.6,-12,21.6,12",
      .doc = "two corners of the floor (m); by default that of scenes/world/pack-*.json" },
    { "--law", CAROM_ARGUMENT_TEXT, .value = "NAME", .doc = "use this law instead of the scene's" },
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print JSON, with the slope of each line" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc = "draw the angles over friction" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write the same by its ending, .svg" },
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
        "Each scene runs with its own friction up to its first change (the heap is poured, then "
        "its wall taken away); from there it runs once for each coefficient, to its end and on "
        "until it is at rest: less than 1e-4 J/kg. Then the slope is measured: the floor is "
        "divided into 16 cells along its longer side and 8 across, the highest node of any body "
        "in each cell counts, and a line is fitted through each of the 8 rows. The angle is the "
        "mean of their slopes, the error half of their spread. Cells over which nothing lies do "
        "not count.\n\n"
        "Trajectories are not run: the angle is that of the heap at their end (their last "
        "checkpoint), whatever its friction.\n\n"
        "The heaps of 540 spheres, 325 cubes and 325 crosses of the paper are "
        "scenes/world/pack-spheres.json, pack-cubes.json and pack-crosses.json: about ten seconds "
        "per coefficient and heap, more on a busy machine.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

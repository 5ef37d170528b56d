// One job: the scene with its values, run, and what is kept of it as one line.
#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/hash.h"
#include "carom/impact.h"
#include "carom/version.h"
#include "export/export_columns.h"

enum { NAMES = CAROM_SWEEP_NAME };

carom_status carom_sweep_job_scene(const carom_sweep *sweep, int64_t job, carom_scene_text **out,
                                   carom_error *err)
{
    size_t size;
    const char *text = carom_scene_text_bytes(sweep->scene, &size);
    *out = NULL;
    TRY(carom_scene_text_parse(carom_scene_text_name(sweep->scene), text, size, out, err));
    for (int i = 0; i < sweep->axis_count; ++i) {
        char value[CAROM_SWEEP_VALUE], setting[2 * CAROM_SWEEP_VALUE];
        carom_sweep_points_value(sweep, job, i, value, sizeof value);
        snprintf(setting, sizeof setting, "%.400s=%s", sweep->axes[i].path, value);
        carom_status status = carom_scene_text_set(*out, setting, err);
        if (status != CAROM_OK) {
            carom_scene_text_close(*out);
            *out = NULL;
            return status;
        }
    }
    return CAROM_OK;
}

uint64_t carom_sweep_job_key(const carom_sweep *sweep, const carom_scene_text *scene)
{
    size_t size;
    const char *text = carom_scene_text_bytes(scene, &size), *version = carom_version();
    const bool kept[] = { sweep->ledger, sweep->final, sweep->trajectories };
    uint64_t key = carom_hash_bytes(CAROM_HASH_START, version, strlen(version));
    key = carom_hash_bytes(key, kept, sizeof kept);
    key = carom_hash_bytes(key, sweep->measures, sizeof sweep->measures);
    return carom_hash_bytes(key, text, size);
}

// -- what is kept ---------------------------------------------------------------------------------

void carom_sweep_job_add(carom_text *line, const char *name, const char *unit, double value)
{
    carom_text_add(line, *unit ? "\t%s [%s]=" : "\t%s%s=", name, unit);
    carom_text_add_number(line, value);
}

static void add_vector(carom_text *line, const char *body, const char *what, const char *unit,
                       const double v[3])
{
    char name[NAMES];
    for (int k = 0; k < 3; ++k) {
        snprintf(name, sizeof name, "%.100s.%s%c", body, what, "xyz"[k]);
        carom_sweep_job_add(line, name, unit, v[k]);
    }
}

static carom_status run_impact(const carom_sweep *sweep, const carom_scene_text *text,
                               carom_text *line, carom_error *err)
{
    size_t size;
    const char *bytes = carom_scene_text_bytes(text, &size);
    carom_scene_impact *scene = NULL;
    TRY(carom_scene_impact_parse(carom_scene_text_name(text), bytes, size, &scene, err));
    const carom_impact *impact = carom_scene_impact_problem(scene);
    size_t bodies = (size_t)impact->body_count, contacts = (size_t)impact->contact_count;
    carom_workspace *workspace = carom_workspace_create();
    double *numbers = calloc(6 * bodies + 3 * contacts + 1, sizeof *numbers);
    double(*v)[3] = (double(*)[3])numbers, (*w)[3] = v + bodies;
    carom_impact_outcome outcome = { .velocities = v, .spins = w, .impulses = w + bodies };
    const carom_impact_report *report = &outcome.report;
    carom_status status =
        workspace && numbers
            ? carom_impact_resolve(workspace, impact, carom_scene_impact_law(scene),
                                   carom_scene_impact_options(scene), &outcome, err)
            : carom_error_no_memory(err, "an impact");
    if (status == CAROM_OK && sweep->ledger) {
        carom_sweep_job_add(line, "energy_before", "J", report->energy_before);
        carom_sweep_job_add(line, "energy_after", "J", report->energy_after);
        carom_sweep_job_add(line, "sweeps", "", report->sweeps);
        carom_sweep_job_add(line, "end", "", (double)report->end);
    }
    for (size_t i = 0; i < bodies && status == CAROM_OK && sweep->final; ++i) {
        const char *name = carom_scene_impact_body_name(scene, (int)i);
        if (impact->bodies[i].inverse_mass == 0)
            continue;
        add_vector(line, name, "v", "m/s", v[i]);
        add_vector(line, name, "w", "rad/s", w[i]);
    }
    free(numbers);
    carom_workspace_destroy(workspace);
    carom_scene_impact_close(scene);
    return status;
}

static void add_ledger(carom_text *line, const carom_ledger *ledger)
{
    for (int i = 0; i < carom_export_column_count; ++i) {
        const carom_export_column *c = &carom_export_columns[i];
        double value = c->whole ? (double)carom_export_columns_integer(c, ledger)
                                : carom_export_columns_number(c, ledger);
        char name[NAMES];
        snprintf(name, sizeof name, "ledger.%s", c->name);
        carom_sweep_job_add(line, name, strcmp(c->unit, "1") == 0 ? "" : c->unit, value);
    }
}

static void add_states(carom_text *line, const carom_runner *runner)
{
    const carom_world *world = carom_runner_world(runner);
    for (int i = 0; i < carom_world_body_count(world); ++i) {
        double x[3], q[4], v[3], w[3];
        char name[NAMES], whole[NAMES];
        if (carom_world_body(world, carom_world_body_at(world, i), x, q, v, w) != CAROM_OK)
            continue; // it has been removed
        carom_scene_world_body_name(carom_runner_scene(runner), i, name, sizeof name);
        add_vector(line, name, "", "m", x);
        for (int k = 0; k < 4; ++k) {
            snprintf(whole, sizeof whole, "%.100s.q%c", name, "wxyz"[k]);
            carom_sweep_job_add(line, whole, "", q[k]);
        }
        add_vector(line, name, "v", "m/s", v);
        add_vector(line, name, "w", "rad/s", w);
    }
}

// Means and fits.
static carom_status add_measure(carom_text *line, carom_measure *measure, carom_measure_kind kind,
                                carom_error *err)
{
#define WORD(name, word, sentence) word,
    static const char *const words[] = { CAROM_MEASURE_LIST(WORD) };
#undef WORD
    const carom_measure_table *table;
    TRY(carom_measure_finish(measure, &table, err));
    for (int i = 0; i < table->number_count; ++i) {
        char name[NAMES];
        snprintf(name, sizeof name, "%s.%s", words[kind], table->numbers[i].name);
        for (char *c = name; *c; ++c)
            if (*c == ' ' || *c == '=' || *c == '\t' || *c == '[')
                *c = '_';
        carom_sweep_job_add(line, name, table->numbers[i].unit, table->numbers[i].value);
    }
    return CAROM_OK;
}

// From the file that the run has left.
static carom_status measure_file(const carom_sweep *sweep, const char *path, carom_text *line,
                                 carom_error *err)
{
    carom_trajectory *trajectory = NULL;
    carom_scene_world *scene = NULL;
    TRY(carom_trajectory_open(path, &trajectory, err));
    carom_status status = carom_trajectory_scene(trajectory, &scene, err);
    for (int i = 0; i < CAROM_MEASURE_COUNT && status == CAROM_OK; ++i) {
        carom_measure_options options = { .of = (carom_measure_kind)i };
        carom_measure *measure = NULL;
        if (!sweep->measures[i])
            continue;
        status = carom_measure_create(scene, &options, &measure, err);
        if (status == CAROM_OK)
            status = carom_measure_trajectory(measure, trajectory, err);
        if (status == CAROM_OK)
            status = add_measure(line, measure, options.of, err);
        carom_measure_destroy(measure);
    }
    carom_scene_world_close(scene);
    carom_trajectory_close(trajectory);
    return status;
}

static carom_status run_steps(const carom_sweep *sweep, carom_runner *runner, carom_text *line,
                              carom_error *err)
{
    carom_status status = carom_runner_advance(runner, carom_runner_steps(runner), NULL, err);
    carom_runner_report report = carom_runner_judge(runner);
    if (status == CAROM_OK && sweep->ledger)
        add_ledger(line, &report.ledger);
    if (status == CAROM_OK && sweep->final)
        add_states(line, runner);
    return status;
}

// The trajectory that a job leaves, or that its measures are taken from.
static carom_status run_world(const carom_sweep *sweep, int64_t job, carom_text *line,
                              carom_error *err)
{
    char values[CAROM_SWEEP_AXES][CAROM_SWEEP_VALUE + 410], out[4200];
    const char *set[CAROM_SWEEP_AXES];
    bool measured = false;
    for (int i = 0; i < sweep->axis_count; ++i) {
        char value[CAROM_SWEEP_VALUE];
        carom_sweep_points_value(sweep, job, i, value, sizeof value);
        snprintf(values[i], sizeof values[i], "%.400s=%s", sweep->axes[i].path, value);
        set[i] = values[i];
    }
    for (int i = 0; i < CAROM_MEASURE_COUNT; ++i)
        measured = measured || sweep->measures[i];
    snprintf(out, sizeof out, "%s/%016llx.carom", sweep->trajectory_folder,
             (unsigned long long)sweep->keys[job]);
    bool file = sweep->trajectories || measured;
    carom_runner_settings settings = {
        .out = file ? out : NULL, .overwrite = 1, .set = set, .set_count = sweep->axis_count
    };
    carom_runner *runner = NULL;
    TRY(carom_runner_create(sweep->scene_path, &settings, &runner, err));
    carom_status status = run_steps(sweep, runner, line, err);
    carom_runner_destroy(runner);
    if (status == CAROM_OK && measured)
        status = measure_file(sweep, out, line, err);
    if (file && !sweep->trajectories)
        remove(out);
    return status;
}

static carom_status run_kind(const carom_sweep *sweep, const carom_scene_text *scene, int64_t job,
                             carom_text *line, carom_error *err)
{
    switch (carom_scene_text_kind(scene)) {
    case CAROM_SCENE_KIND_IMPACT:
        return run_impact(sweep, scene, line, err);
    case CAROM_SCENE_KIND_WORLD:
        return run_world(sweep, job, line, err);
    default:
        return carom_sweep_model_run(sweep, scene, line, err);
    }
}

void carom_sweep_job_run(const carom_sweep *sweep, int64_t job, carom_text *line)
{
    carom_error err = { 0 };
    carom_scene_text *scene = NULL;
    carom_text_add(line, "ok");
    carom_status status = carom_sweep_job_scene(sweep, job, &scene, &err);
    if (status == CAROM_OK)
        status = run_kind(sweep, scene, job, line, &err);
    carom_scene_text_close(scene);
    if (status == CAROM_OK)
        return;
    carom_text_free(line);
    for (char *c = err.what; *c; ++c)
        if (*c == '\t' || *c == '\n' || *c == '\r')
            *c = ' ';
    carom_text_add(line, "failed\t%s", err.what);
}

// Jobs whose scene is no world and no impact: a chain, a tower at its first instant, the scalar
// problems of a bounce. `ledger` keeps energies or the verdict, `final` what bodies do.
#include <stdio.h>
#include <stdlib.h>
#include "carom/bounce.h"
#include "carom/chain.h"
#include "carom/tower.h"
#include "carom/tower_space.h"
#include "sweep/sweep.h"

// "first.second", as a column.
static void add_of(carom_text *line, const char *first, const char *second, const char *unit,
                   double value)
{
    char name[CAROM_SWEEP_NAME];
    snprintf(name, sizeof name, "%.100s.%.50s", first, second);
    carom_sweep_job_add(line, name, unit, value);
}

static void add_energies(carom_text *line, const char *of, double before, double after)
{
    add_of(line, of, "energy_before", "J", before);
    add_of(line, of, "energy_after", "J", after);
}

static carom_status run_springs(const carom_sweep *sweep, const carom_chain_file *file,
                                carom_text *line, carom_error *err)
{
    carom_chain_result *result = NULL;
    const char *const *names = carom_chain_file_names(file);
    const carom_chain *chain = carom_chain_file_chain(file);
    TRY(carom_chain_run(chain, &result, err));
    if (sweep->ledger) {
        add_energies(line, "chain", result->energy_before, result->energy_after);
        add_of(line, "chain", "dissipated", "J", result->dissipated);
        add_of(line, "chain", "time", "s", result->time);
    }
    for (size_t i = 0; i < result->bodies && sweep->final; ++i)
        add_of(line, names[i], "v", "m/s", result->velocity[i]);
    carom_chain_result_destroy(result);
    return CAROM_OK;
}

// Every rule of time stepping, where the file plans steps.
static carom_status run_plan(const carom_sweep *sweep, const carom_chain_file *file,
                             carom_text *line, carom_error *err)
{
    carom_chain_courses *courses = NULL;
    const char *const *names = carom_chain_file_names(file);
    TRY(carom_chain_plan_run(carom_chain_file_chain(file), carom_chain_file_plan(file), &courses,
                             err));
    for (int rule = 0; rule < CAROM_CHAIN_RULE_COUNT; ++rule) {
        const carom_chain_course *course = &courses->course[rule];
        const char *word = carom_chain_stepper_rule_word((carom_chain_rule)rule);
        if (sweep->ledger)
            add_energies(line, word, course->energy_before, course->energy_after);
        for (size_t i = 0; i < courses->bodies && sweep->final; ++i) {
            char of[CAROM_SWEEP_NAME];
            snprintf(of, sizeof of, "%.40s.%.60s", word, names[i]);
            add_of(line, of, "v", "m/s", course->velocity[i]);
        }
    }
    carom_chain_plan_destroy(courses);
    return CAROM_OK;
}

static carom_status run_chain(const carom_sweep *sweep, const char *name, const char *text,
                              size_t size, carom_text *line, carom_error *err)
{
    carom_chain_file *file = NULL;
    TRY(carom_chain_file_parse(name, text, size, &file, err));
    carom_status status = CAROM_OK;
    if (carom_chain_file_has_springs(file))
        status = run_springs(sweep, file, line, err);
    if (status == CAROM_OK && carom_chain_file_plan(file))
        status = run_plan(sweep, file, line, err);
    carom_chain_file_close(file);
    return status;
}

// -- towers ---------------------------------------------------------------------------------------

// What both kinds of instant say. Lengths and masses of a tower have the units of its file.
typedef struct instant {
    bool stable;
    double sum_m_a2, support_force, largest;
    const double *accelerations;
    int bodies, each; // numbers of a body
} instant;

static void add_instant(const carom_sweep *sweep, const instant *now, carom_text *line)
{
    static const char *const flat[] = { "ax", "ay", "alpha" }, *const space[] = {
        "ax", "ay", "az", "alpha_x", "alpha_y", "alpha_z"
    };
    if (sweep->ledger) {
        carom_sweep_job_add(line, "stable", "", now->stable);
        carom_sweep_job_add(line, "largest_acceleration", "", now->largest);
        carom_sweep_job_add(line, "sum_m_a2", "", now->sum_m_a2);
        carom_sweep_job_add(line, "support_force", "", now->support_force);
    }
    for (int i = 0; i < now->bodies * now->each && sweep->final; ++i) {
        char body[32];
        snprintf(body, sizeof body, "body%d", i / now->each + 1);
        add_of(line, body, (now->each == 3 ? flat : space)[i % now->each], "",
               now->accelerations[i]);
    }
}

static carom_status run_tower(const carom_sweep *sweep, const char *name, const char *text,
                              size_t size, carom_text *line, carom_error *err)
{
    carom_tower *flat = NULL;
    carom_tower_space *space = NULL;
    carom_tower_instant in_plane = { 0 };
    carom_tower_space_instant in_space = { 0 };
    instant now = { 0 };
    TRY(carom_tower_space_file_parse(name, text, size, &flat, &space, err));
    carom_status status = flat ? carom_tower_initial(flat, CAROM_TOWER_AUTO, &in_plane, err)
                               : carom_tower_space_initial(space, CAROM_TOWER_AUTO, &in_space, err);
    if (flat)
        now = (instant){ in_plane.stable,
                         in_plane.sum_m_a2,
                         in_plane.support_force,
                         in_plane.largest,
                         in_plane.accelerations,
                         in_plane.bodies,
                         3 };
    else
        now = (instant){ in_space.stable,
                         in_space.sum_m_a2,
                         in_space.support_force,
                         in_space.largest,
                         in_space.accelerations,
                         in_space.bodies,
                         6 };
    if (status == CAROM_OK)
        add_instant(sweep, &now, line);
    carom_tower_initial_free(&in_plane);
    carom_tower_space_initial_free(&in_space);
    carom_tower_destroy(flat);
    carom_tower_space_destroy(space);
    return status;
}

// -- bounces --------------------------------------------------------------------------------------

static carom_status run_bounce(const carom_sweep *sweep, const char *name, const char *text,
                               size_t size, carom_text *line, carom_error *err)
{
    carom_bounce_file *file = NULL;
    TRY(carom_bounce_file_parse(name, text, size, &file, err));
    int count = carom_bounce_file_count(file);
    carom_bounce_result *results = calloc((size_t)count + 1, sizeof *results);
    carom_status status = results ? carom_bounce_file_solve(file, results, err)
                                  : carom_error_no_memory(err, "results");
    for (int i = 0; i < count && status == CAROM_OK; ++i) {
        char of[32];
        snprintf(of, sizeof of, "case%d", i + 1);
        if (sweep->final) {
            add_of(line, of, "epsilon", "", results[i].epsilon);
            add_of(line, of, "tau", "s", results[i].tau);
        }
        if (sweep->ledger) {
            add_of(line, of, "impulse", "N s", results[i].impulse);
            add_of(line, of, "micro", "", results[i].micro);
        }
    }
    free(results);
    carom_bounce_file_close(file);
    return status;
}

carom_status carom_sweep_model_run(const carom_sweep *sweep, const carom_scene_text *scene,
                                   carom_text *line, carom_error *err)
{
    size_t size;
    const char *text = carom_scene_text_bytes(scene, &size), *name = carom_scene_text_name(scene);
    switch (carom_scene_text_kind(scene)) {
    case CAROM_SCENE_KIND_CHAIN:
        return run_chain(sweep, name, text, size, line, err);
    case CAROM_SCENE_KIND_TOWER:
        return run_tower(sweep, name, text, size, line, err);
    default:
        return run_bounce(sweep, name, text, size, line, err);
    }
}

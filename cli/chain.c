// `carom chain`: bodies in a row that meet head-on.
#include "carom/chain.h"
#include "carom/json.h"
#include "command.h"
#include "output.h"
#include "settings.h"
#include "terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Everything one call computes; freed together.
typedef struct work {
    carom_chain_file *file;
    carom_chain chain; // of the file, with the bound on the work
    carom_chain_result *result, *exact;
    carom_chain_courses *courses;
    carom_chain_sweep *sweep;
    carom_chain_report report;
} work;

static carom_status compute(work *w, bool exact_only, carom_error *err);
static carom_status write_files(const work *w, const carom_arguments *given, carom_error *err);
static int print_json(const work *w);
static void print_table(const work *w);
static int verdict(const work *w);

static void destroy(work *w)
{
    carom_chain_sweep_destroy(w->sweep);
    carom_chain_plan_destroy(w->courses);
    carom_chain_result_destroy(w->exact);
    carom_chain_result_destroy(w->result);
    carom_chain_file_close(w->file);
}

static int print_schema(void)
{
    carom_json *json = carom_json_create();
    carom_chain_file_schema(json);
    const char *text = carom_json_text(json);
    int code = text && puts(text) >= 0 ? CAROM_EXIT_GOOD : CAROM_EXIT_INTERNAL;
    carom_json_destroy(json);
    return code;
}

static carom_status check_outputs(const carom_arguments *given, carom_error *err)
{
    static const char *const files[] = { "--svg", "--html", "--waves", "--space" };
    carom_status status = CAROM_OK;
    for (int i = 0; i < 4 && status == CAROM_OK; i++)
        if (carom_command_text(given, files[i]))
            status = carom_output_check(carom_command_text(given, files[i]),
                                        carom_command_flag(given, "--force"), err);
    return status;
}

static carom_status open_file(const carom_arguments *given, carom_chain_file **out,
                              carom_error *err)
{
    carom_scene_text *text = NULL;
    size_t size;
    carom_status status =
        carom_settings_open(given, carom_command_text(given, "FILE"), NULL, &text, err);
    const char *bytes = carom_scene_text_bytes(text, &size);
    if (status == CAROM_OK)
        status = carom_chain_file_parse(carom_scene_text_name(text), bytes, size, out, err);
    carom_scene_text_close(text);
    return status;
}

static int run(const carom_arguments *given)
{
    work w = { 0 };
    carom_error err = { 0 };
    if (carom_command_flag(given, "--schema"))
        return print_schema();
    if (!carom_command_text(given, "FILE"))
        return carom_command_misuse("name a file, for instance scenes/chain/fig5_hertz.json",
                                    "no file is given");
    carom_status status = check_outputs(given, &err);
    if (status == CAROM_OK)
        status = open_file(given, &w.file, &err);
    if (status == CAROM_OK) {
        w.chain = *carom_chain_file_chain(w.file);
        w.chain.work_max = carom_command_number(given, "--limit");
        status = compute(&w, carom_command_flag(given, "--exact"), &err);
    }
    if (status == CAROM_OK)
        status = write_files(&w, given, &err);
    int code = CAROM_EXIT_GOOD;
    if (status != CAROM_OK) {
        code = carom_command_fail(&err);
    } else if (carom_command_flag(given, "--json")) {
        code = print_json(&w);
    } else {
        print_table(&w);
    }
    if (code == CAROM_EXIT_GOOD)
        code = verdict(&w);
    destroy(&w);
    return code;
}

static carom_status compute(work *w, bool exact_only, carom_error *err)
{
    const carom_chain *chain = &w->chain;
    const carom_chain_plan *plan = carom_chain_file_plan(w->file);
    size_t gaps;
    const double *sweep = carom_chain_file_sweep(w->file, &gaps);
    carom_status status = CAROM_OK;
    if (exact_only) {
        status = carom_chain_waves(chain, &w->result, err);
    } else if (carom_chain_file_has_springs(w->file)) {
        carom_error ignored = { 0 };
        status = carom_chain_run(chain, &w->result, err);
        if (status == CAROM_OK) // beside the slices where it exists
            carom_chain_waves(chain, &w->exact, &ignored);
    }
    if (status == CAROM_OK && plan)
        status = carom_chain_plan_run(chain, plan, &w->courses, err);
    if (status == CAROM_OK && sweep)
        status = carom_chain_sweep_run(chain, sweep, gaps, &w->sweep, err);
    w->report = (carom_chain_report){ .title = carom_chain_file_title(w->file),
                                      .names = carom_chain_file_names(w->file),
                                      .chain = chain,
                                      .result = w->result,
                                      .exact = w->exact,
                                      .courses = w->courses,
                                      .sweep = w->sweep };
    return status;
}

static carom_status save(const char *path, char *text, bool replace, carom_error *err)
{
    carom_status status = carom_output_write(path, text, replace, err);
    free(text);
    if (status == CAROM_OK && strcmp(path, "-") != 0)
        carom_terminal_report("wrote %s", path);
    return status;
}

static carom_status write_files(const work *w, const carom_arguments *given, carom_error *err)
{
    const char *svg = carom_command_text(given, "--svg");
    const char *html = carom_command_text(given, "--html");
    const char *waves = carom_command_text(given, "--waves");
    const char *space = carom_command_text(given, "--space");
    bool replace = carom_command_flag(given, "--force");
    char *text = NULL;
    carom_status status = CAROM_OK;
    if (svg && (status = carom_chain_picture_svg(&w->report, &text, err)) == CAROM_OK)
        status = save(svg, text, replace, err);
    if (status == CAROM_OK && html &&
        (status = carom_chain_picture_html(&w->report, &text, err)) == CAROM_OK)
        status = save(html, text, replace, err);
    if (status == CAROM_OK && waves &&
        (status = carom_chain_picture_waves(&w->report, &text, err)) == CAROM_OK)
        status = save(waves, text, replace, err);
    const carom_chain_plan *plan = carom_chain_file_plan(w->file);
    if (status == CAROM_OK && space &&
        (status = carom_chain_space_svg(w->report.chain, w->result, plan ? plan->step : 1, &text,
                                        err)) == CAROM_OK)
        status = save(space, text, replace, err);
    return status;
}

// -- figures --------------------------------------------------------------------------------------

static bool still_closed(const carom_chain_result *result)
{
    for (size_t c = 0; c < result->contacts; c++)
        if (result->touch[c].touches && isnan(result->touch[c].last_release))
            return true;
    return false;
}

// 1 where a promise is broken: energy beyond the tolerance, or a run cut off by its budget.
static int verdict(const work *w)
{
    if (w->result && (!w->result->accurate || w->result->exit == CAROM_CHAIN_EXIT_STEPS ||
                      w->result->exit == CAROM_CHAIN_EXIT_WORK))
        return CAROM_EXIT_BROKEN;
    if (w->sweep && !w->sweep->complete)
        return CAROM_EXIT_BROKEN;
    return CAROM_EXIT_GOOD;
}

static void json_result(carom_json *json, const carom_chain_result *r)
{
    int bodies = (int)r->bodies;
    carom_json_numbers(json, "velocities", r->velocity, bodies);
    carom_json_numbers(json, "before", r->before, bodies);
    carom_json_numbers(json, "masses", r->mass, bodies);
    carom_json_numbers(json, "vibration", r->vibration, bodies);
    carom_json_array(json, "contacts");
    for (size_t c = 0; c < r->contacts; c++) {
        carom_json_object(json, NULL);
        carom_json_number(json, "first_touch", r->touch[c].first_touch);
        carom_json_number(json, "last_release", r->touch[c].last_release);
        carom_json_number(json, "closed_time", r->touch[c].closed_time);
        carom_json_number(json, "peak_force", r->touch[c].peak_force);
        carom_json_number(json, "impulse", r->touch[c].impulse);
        carom_json_number(json, "restitution", r->touch[c].restitution);
        carom_json_integer(json, "touches", (int64_t)r->touch[c].touches);
        carom_json_end(json);
    }
    carom_json_end(json);
    carom_json_object(json, "energy");
    carom_json_number(json, "before", r->energy_before);
    carom_json_number(json, "after", r->energy_after);
    carom_json_number(json, "dissipated", r->dissipated);
    carom_json_number(json, "error", r->energy_error);
    carom_json_end(json);
    carom_json_number(json, "momentum_error", r->momentum_error);
    carom_json_number(json, "time", r->time);
    carom_json_string(json, "ended", carom_chain_exit_word(r->exit));
    carom_json_bool(json, "still_closed", still_closed(r));
    carom_json_bool(json, "accurate", r->accurate);
    carom_json_bool(json, "exact", r->exact);
    carom_json_integer(json, "nodes", (int64_t)r->nodes);
    carom_json_integer(json, "steps", (int64_t)r->steps);
    carom_json_integer(json, "attempts", (int64_t)r->attempts);
    carom_json_integer(json, "events", (int64_t)r->events);
    carom_json_number(json, "work", r->work);
    carom_json_number(json, "step", r->step);
}

static void json_courses(carom_json *json, const carom_chain_courses *courses)
{
    carom_json_object(json, "stepping");
    for (int r = 0; r < CAROM_CHAIN_RULE_COUNT; r++) {
        const carom_chain_course *course = &courses->course[r];
        carom_json_object(json, carom_chain_stepper_rule_word((carom_chain_rule)r));
        carom_json_numbers(json, "velocities", course->velocity, (int)courses->bodies);
        carom_json_numbers(json, "shift", course->shift, (int)courses->bodies);
        carom_json_numbers(json, "impulses", course->impulse, (int)courses->contacts);
        carom_json_numbers(json, "inelastic_impulses", course->first_inelastic,
                           (int)courses->contacts);
        carom_json_number(json, "energy_before", course->energy_before);
        carom_json_number(json, "energy_after", course->energy_after);
        carom_json_integer(json, "passes", (int64_t)course->passes);
        carom_json_integer(json, "pair_collisions", (int64_t)course->pair_collisions);
        carom_json_bool(json, "converged", course->unconverged == 0);
        carom_json_end(json);
    }
    carom_json_end(json);
}

static void json_sweep(carom_json *json, const carom_chain_sweep *sweep)
{
    carom_json_array(json, "sweep");
    for (size_t k = 0; k < sweep->count; k++) {
        carom_json_object(json, NULL);
        carom_json_number(json, "gap", sweep->gap[k]);
        carom_json_numbers(json, "velocities", sweep->velocity + k * sweep->bodies,
                           (int)sweep->bodies);
        carom_json_number(json, "distance", sweep->distance[k]);
        carom_json_end(json);
    }
    carom_json_end(json);
}

static int print_json(const work *w)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    if (w->report.title)
        carom_json_string(json, "title", w->report.title);
    if (w->result)
        json_result(json, w->result);
    if (w->exact) {
        carom_json_object(json, "waves");
        json_result(json, w->exact);
        carom_json_end(json);
    }
    if (w->courses)
        json_courses(json, w->courses);
    if (w->sweep)
        json_sweep(json, w->sweep);
    carom_json_end(json);
    const char *text = carom_json_text(json);
    int code = text && puts(text) >= 0 ? CAROM_EXIT_GOOD : CAROM_EXIT_INTERNAL;
    carom_json_destroy(json);
    return code;
}

// A column of a table; what never happened is a dash.
static void print_cell(double value)
{
    if (isnan(value))
        printf(" %12s", "-");
    else
        printf(" %12.6g", value);
}

static void print_result(const work *w)
{
    const carom_chain_result *r = w->result;
    printf("%-12s %12s %12s %14s %12s%s\n", "body", "mass kg", "before m/s", "after m/s",
           "vibration J", w->exact ? "    exact waves" : "");
    for (size_t b = 0; b < r->bodies; b++) {
        printf("%-12s %12.6g %12.6g %14.9f %12.4e", w->report.names[b], r->mass[b], r->before[b],
               r->velocity[b], r->vibration[b]);
        if (w->exact)
            printf(" %14.9f", w->exact->velocity[b]);
        printf("\n");
    }
    printf("\n%-12s %12s %12s %12s %12s %12s %12s\n", "contact", "touched s", "released s",
           "closed for s", "peak force N", "impulse N s", "restitution");
    for (size_t c = 0; c < r->contacts; c++) {
        const carom_chain_touch *t = &r->touch[c];
        char name[64];
        snprintf(name, sizeof name, "%.20s | %.20s", w->report.names[c], w->report.names[c + 1]);
        const double cells[] = { t->first_touch, t->last_release, t->closed_time,
                                 t->peak_force,  t->impulse,      t->restitution };
        printf("%-12s", name);
        for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
            print_cell(cells[k]);
        printf("\n");
    }
    printf("\nenergy %.12g J before, %.12g J after", r->energy_before, r->energy_after);
    if (r->dissipated > 0)
        printf(", %.6g J dissipated", r->dissipated);
    printf(", error %.1e\n%s after %.6g s: %zu %s, %zu contact events", r->energy_error,
           carom_chain_exit_sentence(r->exit), r->time, r->steps, r->exact ? "events" : "steps",
           r->events);
    if (r->attempts > 1)
        printf(", attempt %zu", r->attempts);
    printf("\n");
    if (r->exit == CAROM_CHAIN_EXIT_WORK)
        printf("note: work of %.3g (nodes times steps) was not enough; --limit %.2g goes on\n",
               r->work, 10 * r->work);
    if (still_closed(r))
        printf("note: a contact was still closed at the end; give a longer duration\n");
    if (!r->accurate)
        printf("note: the energy error is above the tolerance\n");
}

static void print_table(const work *w)
{
    if (w->report.title)
        printf("%s%s%s\n\n", carom_terminal_start(stdout, CAROM_TERMINAL_BOLD), w->report.title,
               carom_terminal_start(stdout, CAROM_TERMINAL_PLAIN));
    if (w->result)
        print_result(w);
    for (int r = 0; w->courses && r < CAROM_CHAIN_RULE_COUNT; r++) {
        const carom_chain_course *course = &w->courses->course[r];
        printf("%s%-12s", r ? "" : "\ntime stepping, velocities after\n",
               carom_chain_stepper_rule_word((carom_chain_rule)r));
        for (size_t b = 0; b < w->courses->bodies; b++)
            printf(" %10.6f", course->velocity[b]);
        printf("   energy %.6f%s\n", course->energy_after / course->energy_before,
               course->unconverged ? "   does not converge, finished by Poisson" : "");
    }
    if (!w->sweep)
        return;
    if (w->sweep->work >= w->chain.work_max)
        printf("\nnote: work of %.3g (nodes times steps) was not enough for the sweep; --limit "
               "%.2g goes on\n",
               w->sweep->work, 10 * w->sweep->work);
    printf("\n%-12s velocities after, largest distance to successive collisions\n", "gap");
    for (size_t k = 0; k < w->sweep->count; k++) {
        printf("%-12g", w->sweep->gap[k]);
        for (size_t b = 0; b < w->sweep->bodies; b++)
            printf(" %10.6f", w->sweep->velocity[k * w->sweep->bodies + b]);
        printf("   %.2e\n", w->sweep->distance[k]);
    }
}

static const carom_argument arguments[] = {
    { "FILE", CAROM_ARGUMENT_FILE, .doc = "a chain, JSON (\"-\": standard input)" },
    SETTINGS_ARGUMENT("set a value of the file by its path, such as bodies.0.velocity"),
    { "--json", CAROM_ARGUMENT_FLAG, .doc = "print the result as JSON" },
    { "--svg", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc =
          "draw positions, compressions, velocities and force over compression; with a sweep, the "
          "velocities over the gap" },
    { "--html", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".html",
      .doc = "write a report with tables and pictures (`carom view` plays the waves)" },
    { "--waves", CAROM_ARGUMENT_FILE, .value = "FILE", .ending = ".svg",
      .doc = "draw the bodies at twelve instants, coloured by strain" },
    { "--space", CAROM_ARGUMENT_FILE, .value = "FILE",
      .doc = "draw the impulses that are possible when three bodies meet" },
    { "--limit", CAROM_ARGUMENT_NUMBER, .value = "N", .initial = "5e7", .min = 1, .max = 1e18,
      .doc = "most work: nodes (and 16) times steps, of all attempts together; 1e7 take about a "
             "second. What surely takes more is "
             "refused before it starts, what turns out to take more ends there with exit code 1" },
    { "--exact", CAROM_ARGUMENT_FLAG,
      .doc = "solve bars by their waves instead of slices (cylinders and walls only)" },
    { "--out", CAROM_ARGUMENT_FILE, .value = "FILE", .by_ending = true,
      .doc = "write what the ending says: .svg or .html" },
    { "--force", CAROM_ARGUMENT_FLAG, .doc = "replace files that exist" },
    { "--schema", CAROM_ARGUMENT_FLAG, .doc = "print the JSON Schema of chain files and stop" },
    { 0 },
};

static const char *const examples[] = {
    "five spheres, two striking, Hertz's law",
    "carom chain scenes/chain/fig5_hertz.json",
    "two bars of lengths 1 and 2: half of the energy stays as vibration",
    "carom chain scenes/chain/fig11_unequal.json --html bars.html",
    "the same by exact waves",
    "carom chain scenes/chain/fig11_unequal.json --exact --json",
    NULL,
};

const carom_command carom_chain_command = {
    .name = "chain",
    .summary = "bodies in a row: contact springs, bars that compress, waves",
    .details =
        "Reads a row of bodies (rigid masses, spheres and cylinders cut into slices, walls), "
        "integrates them through their impacts and reports the velocities after, the vibration "
        "left "
        "in each body and what every contact went through. Rows of bars are also solved exactly "
        "by their waves. A file may ask for time stepping beside it, and for a sweep over gaps.\n\n"
        "The exit code is 1 where the energy error is above the tolerance or a run ended by its "
        "step budget.",
    .arguments = arguments,
    .examples = examples,
    .run = run,
};

// Laws side by side: runs them and gives the results as rows, JSON and CSV.
#include "carom/compare.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"

enum { SMALL = 300, REPETITIONS = 5 };

struct carom_compare {
    const carom_scene_impact *scene;
    carom_workspace *workspace;
    carom_desiderata *desiderata;
    carom_compare_row *rows;
    int count;
};

static carom_status resolve(carom_compare *compare, carom_compare_row *row);

carom_status carom_compare_create(const carom_scene_impact *scene, unsigned promises,
                                  carom_compare **out, carom_error *err)
{
    NEED(err, scene, out);
    const carom_impact *impact = carom_scene_impact_problem(scene);
    carom_compare *compare = calloc(1, sizeof *compare);
    if (!compare)
        return carom_error_no_memory(err, "a comparison");
    compare->scene = scene;
    compare->workspace = carom_workspace_create();
    compare->desiderata = carom_desiderata_create(impact, err);
    if (!compare->workspace || !compare->desiderata) {
        carom_status status =
            compare->desiderata ? carom_error_no_memory(err, "resolving an impact") : err->status;
        carom_compare_destroy(compare);
        return status;
    }
    unsigned all = (1u << CAROM_PROMISE_COUNT) - 1;
    unsigned quick = all & ~(unsigned)(CAROM_WAV | CAROM_BRK);
    if (promises == 0)
        promises = impact->contact_count <= SMALL ? all : quick;
    carom_desiderata_select(compare->desiderata, promises);
    *out = compare;
    return CAROM_OK;
}

void carom_compare_destroy(carom_compare *compare)
{
    if (!compare)
        return;
    for (int i = 0; i < compare->count; ++i) {
        free(compare->rows[i].outcome.velocities);
        free(compare->rows[i].outcome.spins);
        free(compare->rows[i].outcome.impulses);
    }
    free(compare->rows);
    carom_desiderata_destroy(compare->desiderata);
    carom_workspace_destroy(compare->workspace);
    free(compare);
}

void carom_compare_refer(carom_compare *compare, const carom_law_options *springs)
{
    if (!compare)
        return;
    carom_desiderata_set_yardstick(compare->desiderata, springs);
}

void carom_compare_set_bound(carom_compare *compare, double work)
{
    if (!compare)
        return;
    carom_workspace_set_bound(compare->workspace, work);
    carom_desiderata_set_bound(compare->desiderata, work);
}

void carom_compare_set_progress(carom_compare *compare, const carom_progress *progress)
{
    if (!compare)
        return;
    carom_workspace_set_progress(compare->workspace, progress);
    carom_desiderata_set_progress(compare->desiderata, progress);
}

carom_status carom_compare_add(carom_compare *compare, const carom_law *law,
                               const carom_law_options *options, carom_error *err)
{
    NEED(err, compare);
    const carom_impact *impact = carom_scene_impact_problem(compare->scene);
    size_t bodies = (size_t)impact->body_count + 1, contacts = (size_t)impact->contact_count + 1;
    carom_compare_row *rows =
        realloc(compare->rows, ((size_t)compare->count + 1) * sizeof *compare->rows);
    if (!rows)
        return carom_error_no_memory(err, "one more law");
    compare->rows = rows;
    carom_compare_row *row = &rows[compare->count];
    bool own = law == carom_scene_impact_law(compare->scene);
    *row = (carom_compare_row){ .law = law };
    row->options = options ? *options
                   : own   ? *carom_scene_impact_options(compare->scene)
                           : carom_law_defaults(law);
    row->outcome.velocities = calloc(bodies, sizeof *row->outcome.velocities);
    row->outcome.spins = calloc(bodies, sizeof *row->outcome.spins);
    row->outcome.impulses = calloc(contacts, sizeof *row->outcome.impulses);
    ++compare->count;
    if (!row->outcome.velocities || !row->outcome.spins || !row->outcome.impulses)
        return carom_error_no_memory(err, "the results of one more law");
    row->status = resolve(compare, row);
    if (row->status == CAROM_OK)
        row->status = carom_desiderata_measure(compare->desiderata, law, &row->options,
                                               &row->figures, &row->error);
    bool given_up = row->status == CAROM_NO_MEMORY || row->status == CAROM_INTERRUPTED;
    return given_up ? carom_error_set(err, row->status, "%s", row->error.what) : CAROM_OK;
}

// The least time of some repetitions, two at least: the first warms up.
static carom_status resolve(carom_compare *compare, carom_compare_row *row)
{
    const carom_impact *impact = carom_scene_impact_problem(compare->scene);
    double total = 0;
    row->seconds = 1e300;
    for (int i = 0; i < REPETITIONS && (i < 2 || total < 0.1); ++i) {
        double start = carom_clock_seconds();
        TRY(carom_impact_resolve(compare->workspace, impact, row->law, &row->options, &row->outcome,
                                 &row->error));
        double seconds = carom_clock_seconds() - start;
        if (seconds < row->seconds)
            row->seconds = seconds;
        total += seconds;
        if (total > 2)
            break;
    }
    return CAROM_OK;
}

int carom_compare_count(const carom_compare *compare)
{
    if (!compare)
        return 0;
    return compare->count;
}

const carom_compare_row *carom_compare_at(const carom_compare *compare, int index)
{
    if (!compare)
        return NULL;
    return index >= 0 && index < compare->count ? &compare->rows[index] : NULL;
}

const carom_scene_impact *carom_compare_scene(const carom_compare *compare)
{
    if (!compare)
        return NULL;
    return compare->scene;
}

unsigned carom_compare_broken(const carom_compare *compare, const carom_compare_row *row)
{
    if (!compare || !row)
        return 0;
    const carom_impact *impact = carom_scene_impact_problem(compare->scene);
    unsigned broken = 0;
    if (row->status != CAROM_OK)
        return 0;
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        if (row->figures.of[i].verdict == CAROM_VERDICT_BROKEN)
            broken |= 1u << i;
    // Symmetry and waves are promised without friction and with one restitution.
    for (int i = 0; i < impact->contact_count; ++i)
        if (impact->contacts[i].friction > 0 ||
            impact->contacts[i].restitution != impact->contacts[0].restitution)
            broken &= ~(unsigned)(CAROM_SYM | CAROM_WAV | CAROM_BRK);
    // Where another rule finished the process, wave and symmetry are not the law's any more.
    if (row->outcome.report.end != CAROM_IMPACT_SETTLED)
        broken &= ~(unsigned)(CAROM_SYM | CAROM_WAV | CAROM_BRK);
    return broken & carom_law_promises(row->law);
}

int carom_compare_frictionless(const carom_compare *compare, const carom_compare_row *row)
{
    if (!compare)
        return 0;
    const carom_impact *impact = carom_scene_impact_problem(compare->scene);
    bool rough = false;
    for (int i = 0; i < impact->contact_count; ++i)
        rough = rough || impact->contacts[i].friction > 0;
    return rough && !carom_law_has_friction(row->law);
}

const char *carom_compare_end(const carom_compare_row *row)
{
    if (!row)
        return "";
    return row->status == CAROM_OK ? carom_impact_end_word(row->outcome.report.end)
                                   : carom_status_name(row->status);
}

// -- JSON ---------------------------------------------------------------------------------------

static void write_vectors(carom_json *json, const char *key, double (*vectors)[3], int count)
{
    carom_json_array(json, key);
    for (int i = 0; i < count; ++i)
        carom_json_numbers(json, NULL, vectors[i], 3);
    carom_json_end(json);
}

static void write_options(const carom_compare_row *row, carom_json *json)
{
    carom_json_object(json, "options");
    for (int i = 0; i < carom_law_option_count(row->law); ++i) {
        const carom_option *option = carom_law_option(row->law, i);
        char word[64];
        if (option->kind == CAROM_OPTION_CHOICE) {
            carom_law_option_text(option, row->options.value[i], word, sizeof word);
            carom_json_string(json, option->name, word);
        } else {
            carom_json_number(json, option->name, row->options.value[i]);
        }
    }
    carom_json_end(json);
}

static void write_verdicts(const carom_compare *compare, const carom_compare_row *row,
                           carom_json *json)
{
    const carom_desiderata_figures *figures = &row->figures;
    unsigned broken = carom_compare_broken(compare, row), promises = carom_law_promises(row->law);
    carom_json_object(json, "verdicts");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        carom_json_string(json, carom_law_promise_name(i),
                          carom_desiderata_word(figures->of[i].verdict));
    carom_json_end(json);
    carom_json_object(json, "figures");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        if (figures->of[i].verdict == CAROM_VERDICT_UNASKED)
            carom_json_null(json, carom_law_promise_name(i));
        else
            carom_json_number(json, carom_law_promise_name(i), figures->of[i].figure);
    carom_json_end(json);
    carom_json_array(json, "promises");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        if (promises & 1u << i)
            carom_json_string(json, NULL, carom_law_promise_name(i));
    carom_json_end(json);
    carom_json_array(json, "broken_promises");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        if (broken & 1u << i)
            carom_json_string(json, NULL, carom_law_promise_name(i));
    carom_json_end(json);
    if (figures->distance >= 0)
        carom_json_number(json, "distance_to_springs", figures->distance);
    else
        carom_json_null(json, "distance_to_springs");
}

static void write_result(const carom_compare *compare, const carom_compare_row *row,
                         carom_json *json)
{
    const carom_impact *impact = carom_scene_impact_problem(compare->scene);
    const carom_impact_report *report = &row->outcome.report;
    write_vectors(json, "velocities", row->outcome.velocities, impact->body_count);
    write_vectors(json, "spins", row->outcome.spins, impact->body_count);
    write_vectors(json, "impulses", row->outcome.impulses, impact->contact_count);
    carom_json_string(json, "end", carom_impact_end_word(report->end));
    carom_json_integer(json, "sweeps", report->sweeps);
    carom_json_integer(json, "events", report->events);
    carom_json_integer(json, "islands", report->islands);
    carom_json_object(json, "energy");
    carom_json_number(json, "before", report->energy_before);
    carom_json_number(json, "after", report->energy_after);
    carom_json_number(json, "work", report->work);
    carom_json_end(json);
    write_verdicts(compare, row, json);
    carom_json_integer(json, "limiter", report->limited > 0);
    carom_json_number(json, "limiter_factor", report->limiter);
    carom_json_number(json, "penetration", report->penetration);
    carom_json_number(json, "solver_residual", report->solver_residual);
    carom_json_number(json, "momentum_error", report->momentum_error);
    carom_json_number(json, "seconds", row->seconds);
    carom_json_integer(json, "scratch_bytes", (int64_t)report->scratch_bytes);
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)report->hash);
    carom_json_string(json, "hash", hash);
}

void carom_compare_row_json(const carom_compare *compare, const carom_compare_row *row,
                            const char *key, carom_json *json)
{
    if (!compare || !row)
        return;
    carom_json_object(json, key);
    carom_json_string(json, "law", carom_law_name(row->law));
    carom_json_string(json, "status", carom_status_name(row->status));
    write_options(row, json);
    if (row->status == CAROM_OK)
        write_result(compare, row, json);
    else
        carom_json_string(json, "error", row->error.what);
    carom_json_end(json);
}

void carom_compare_json(const carom_compare *compare, const char *key, carom_json *json)
{
    if (!compare)
        return;
    const carom_impact *impact = carom_scene_impact_problem(compare->scene);
    carom_json_object(json, key);
    carom_json_string(json, "scene", carom_scene_impact_title(compare->scene));
    carom_json_string(json, "note", carom_scene_impact_note(compare->scene));
    carom_json_array(json, "bodies");
    for (int i = 0; i < impact->body_count; ++i)
        carom_json_string(json, NULL, carom_scene_impact_body_name(compare->scene, i));
    carom_json_end(json);
    carom_json_array(json, "velocities_before");
    for (int i = 0; i < impact->body_count; ++i)
        carom_json_numbers(json, NULL, impact->bodies[i].velocity, 3);
    carom_json_end(json);
    carom_json_array(json, "laws");
    for (int i = 0; i < compare->count; ++i)
        carom_compare_row_json(compare, &compare->rows[i], NULL, json);
    carom_json_end(json);
    carom_json_end(json);
}

// -- CSV ----------------------------------------------------------------------------------------

// RFC 4180: quotes around everything that needs them, quotes doubled.
static void csv_words(carom_text *text, const char *words)
{
    if (!strpbrk(words, ",\"\r\n")) {
        carom_text_add_bytes(text, words, strlen(words));
        return;
    }
    carom_text_add(text, "\"");
    for (; *words; ++words)
        carom_text_add(text, *words == '"' ? "\"\"" : "%c", *words);
    carom_text_add(text, "\"");
}

static void csv_number(carom_text *text, double number)
{
    carom_text_add(text, ",");
    carom_text_add_number(text, number);
}

static void csv_line(carom_text *text, const carom_compare *compare, const carom_compare_row *row,
                     int body)
{
    const carom_impact_report *report = &row->outcome.report;
    csv_words(text, carom_scene_impact_title(compare->scene));
    carom_text_add(text, ",%s,", carom_law_name(row->law));
    csv_words(text, carom_scene_impact_body_name(compare->scene, body));
    for (int k = 0; k < 3; ++k)
        csv_number(text, row->outcome.velocities[body][k]);
    for (int k = 0; k < 3; ++k)
        csv_number(text, row->outcome.spins[body][k]);
    carom_text_add(text, ",%s", carom_compare_end(row));
    csv_number(text, report->energy_before);
    csv_number(text, report->energy_after);
    csv_number(text, report->work);
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        carom_text_add(text, ",%s", carom_desiderata_word(row->figures.of[i].verdict));
    carom_text_add(text, ",");
    if (row->figures.distance >= 0)
        carom_text_add_number(text, row->figures.distance);
    carom_text_add(text, ",%d,%lld", report->sweeps, (long long)report->events);
    csv_number(text, row->seconds);
    carom_text_add(text, "\n");
}

char *carom_compare_csv(const carom_compare *const *compares, int count)
{
    carom_text text = { 0 };
    carom_text_add(&text, "scene,law,body,vx,vy,vz,wx,wy,wz,end,energy_before,energy_after,work");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        carom_text_add(&text, ",%s", carom_law_promise_name(i));
    carom_text_add(&text, ",distance_to_springs,sweeps,events,seconds\n");
    for (int c = 0; c < count; ++c)
        for (int i = 0; i < compares[c]->count; ++i) {
            const carom_compare_row *row = &compares[c]->rows[i];
            int bodies = carom_scene_impact_problem(compares[c]->scene)->body_count;
            for (int body = 0; row->status == CAROM_OK && body < bodies; ++body)
                csv_line(&text, compares[c], row, body);
        }
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

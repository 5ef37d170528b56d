// Prints velocities, verdicts and times of impacts as tables. What they mean is computed in
// src/measure/compare.c.
#include "show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "carom/text.h"
#include "table.h"

enum { BODIES_MAX = 40 };

// -- figures ------------------------------------------------------------------------------------

static void verdict_cell(carom_table *table, const carom_compare_row *row, int bit, unsigned broken)
{
    carom_verdict verdict = row->figures.of[bit].verdict;
    if (row->status != CAROM_OK || verdict == CAROM_VERDICT_UNASKED)
        carom_table_cell(table, CAROM_TERMINAL_FAINT, ".");
    else if (verdict == CAROM_VERDICT_HOLDS)
        carom_table_cell(table, CAROM_TERMINAL_GOOD, "+");
    else if (broken & 1u << bit)
        carom_table_cell(table, CAROM_TERMINAL_BAD, "!");
    else
        carom_table_cell(table, CAROM_TERMINAL_WARN, "-");
}

static void time_words(double seconds, char *out, size_t size)
{
    if (seconds < 1e-3)
        snprintf(out, size, "%.1f us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(out, size, "%.2f ms", 1e3 * seconds);
    else
        snprintf(out, size, "%.2f s", seconds);
}

static void figures_row(carom_table *table, const carom_compare *compare,
                        const carom_compare_row *row)
{
    unsigned broken = carom_compare_broken(compare, row);
    bool good = row->status == CAROM_OK;
    const carom_impact_report *report = &row->outcome.report;
    char words[40];
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", carom_law_name(row->law));
    snprintf(words, sizeof words, "%.6f", row->figures.energy_ratio);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", good ? words : "");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        verdict_cell(table, row, i, broken);
    if (good && row->figures.distance >= 0)
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.4f", row->figures.distance);
    else
        carom_table_cell(table, CAROM_TERMINAL_FAINT, ".");
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%d", report->sweeps);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%lld", (long long)report->events);
    time_words(row->seconds, words, sizeof words);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", good ? words : "");
    bool settled = good && report->end == CAROM_IMPACT_SETTLED;
    carom_table_cell(table, settled ? CAROM_TERMINAL_PLAIN : CAROM_TERMINAL_WARN, "%s%s%s",
                     carom_compare_end(row), good && report->limited ? ", limited" : "",
                     carom_compare_frictionless(compare, row) ? ", no friction" : "");
}

void carom_show_figures(const carom_compare *compare)
{
    carom_table *table = carom_table_create(CAROM_PROMISE_COUNT + 7);
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "law");
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "energy");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", carom_law_promise_name(i));
    static const char *const heads[] = { "distance", "sweeps", "events", "time", "end" };
    for (int i = 0; i < 5; ++i)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heads[i]);
    carom_table_left(table, CAROM_PROMISE_COUNT + 6);
    for (int i = 0; i < carom_compare_count(compare); ++i)
        figures_row(table, compare, carom_compare_at(compare, i));
    carom_table_print(table, stdout);
    carom_table_destroy(table);
    printf("%senergy: after/before without the work of driven bodies; + holds, - broken, ! broken "
           "though promised,\n. not asked here; distance: |v - v_springs| / |u| before%s\n",
           carom_terminal_start(stdout, CAROM_TERMINAL_FAINT),
           carom_terminal_start(stdout, CAROM_TERMINAL_PLAIN));
}

// -- velocities ---------------------------------------------------------------------------------

// Which vectors a table shows: velocities or spins, before (row null) or after a law.
static const double *vector_of(const carom_compare *compare, const carom_compare_row *row, int body,
                               bool spin)
{
    const carom_impact *impact = carom_scene_impact_problem(carom_compare_scene(compare));
    if (!row)
        return spin ? impact->bodies[body].spin : impact->bodies[body].velocity;
    if (row->status != CAROM_OK)
        return NULL;
    return spin ? row->outcome.spins[body] : row->outcome.velocities[body];
}

// Axes along which anything moves; returns their number.
static int find_axes(const carom_compare *compare, bool spin, bool axes[3])
{
    const carom_impact *impact = carom_scene_impact_problem(carom_compare_scene(compare));
    double max[3] = { 0 }, fastest = 0;
    for (int i = 0; i < impact->body_count; ++i)
        for (int r = -1; r < carom_compare_count(compare); ++r) {
            const double *v =
                vector_of(compare, r < 0 ? NULL : carom_compare_at(compare, r), i, spin);
            for (int k = 0; v && k < 3; ++k) {
                max[k] = fmax(max[k], fabs(v[k]));
                fastest = fmax(fastest, max[k]);
            }
        }
    int count = 0;
    // Spins that are nothing but round-off are none.
    double floor_of = spin ? fmax(1e-9 * fastest, 1e-12) : 1e-9 * fastest;
    for (int k = 0; k < 3; ++k)
        count += axes[k] = max[k] > floor_of;
    return count;
}

static void vector_cell(carom_table *table, const double *v, const bool axes[3])
{
    char words[80] = "";
    size_t used = 0;
    for (int k = 0; v && k < 3; ++k)
        if (axes[k])
            used += (size_t)snprintf(words + used, sizeof words - used,
                                     fabs(v[k]) < 1e6 ? "%s%7.4f" : "%s%7.3g", used ? " " : "",
                                     fabs(v[k]) < 5e-5 ? 0.0 : v[k]);
    carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%s", v ? words : ".");
}

// Laws `first` to `last` in one block.
static void velocity_block(const carom_compare *compare, const char *heading, bool spin,
                           const bool axes[3], int first, int last)
{
    const carom_scene_impact *scene = carom_compare_scene(compare);
    int bodies = carom_scene_impact_problem(scene)->body_count;
    int shown = bodies < BODIES_MAX ? bodies : BODIES_MAX;
    carom_table *table = carom_table_create(last - first + 2);
    carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s", heading);
    carom_table_cell(table, CAROM_TERMINAL_FAINT, "before");
    for (int r = first; r < last; ++r)
        carom_table_cell(table, CAROM_TERMINAL_BOLD, "%s",
                         carom_law_name(carom_compare_at(compare, r)->law));
    for (int i = 0; i < shown; ++i) {
        carom_table_cell(table, CAROM_TERMINAL_PLAIN, "%.40s",
                         carom_scene_impact_body_name(scene, i));
        vector_cell(table, vector_of(compare, NULL, i, spin), axes);
        for (int r = first; r < last; ++r)
            vector_cell(table, vector_of(compare, carom_compare_at(compare, r), i, spin), axes);
    }
    carom_table_print(table, stdout);
    carom_table_destroy(table);
    if (shown < bodies)
        printf("... and %d more %s: see --json or --csv\n", bodies - shown,
               carom_text_noun(bodies - shown, "body", "bodies"));
}

static void show_vectors(const carom_compare *compare, bool spin)
{
    bool axes[3];
    int laws = carom_compare_count(compare), count = find_axes(compare, spin, axes);
    if (count == 0)
        return;
    char heading[40];
    snprintf(heading, sizeof heading, "%s %s%s%s", spin ? "rad/s" : "m/s", axes[0] ? "x" : "",
             axes[1] ? "y" : "", axes[2] ? "z" : "");
    int longest = 12;
    for (int i = 0; i < carom_scene_impact_problem(carom_compare_scene(compare))->body_count; ++i) {
        int length = (int)strlen(carom_scene_impact_body_name(carom_compare_scene(compare), i));
        longest = length > longest ? length : longest;
    }
    if (longest > 40)
        longest = 40;
    int cell = 2 + (8 * count > 11 ? 8 * count : 11);
    int fit = (carom_terminal_width(stdout) - longest) / cell - 1;
    if (fit < 1)
        fit = 1;
    for (int first = 0; first < laws; first += fit) {
        printf("\n");
        velocity_block(compare, heading, spin, axes, first,
                       first + fit < laws ? first + fit : laws);
    }
}

void carom_show_velocities(const carom_compare *compare)
{
    show_vectors(compare, false);
    show_vectors(compare, true);
}

// -- judgement ----------------------------------------------------------------------------------

int carom_show_judgement(const carom_compare *compare)
{
    int code = CAROM_EXIT_GOOD;
    for (int r = 0; r < carom_compare_count(compare); ++r) {
        const carom_compare_row *row = carom_compare_at(compare, r);
        unsigned broken = carom_compare_broken(compare, row);
        const char *law = carom_law_name(row->law);
        if (row->status != CAROM_OK) {
            carom_terminal_report("%s failed: %s%s%s", law, row->error.what,
                                  *row->error.fix ? ". Fix: " : "", row->error.fix);
            code = CAROM_EXIT_BROKEN;
        } else if (row->outcome.report.end == CAROM_IMPACT_STALLED) {
            carom_terminal_report("%s did not converge: residual %.3g", law,
                                  row->outcome.report.solver_residual);
            code = CAROM_EXIT_BROKEN;
        }
        for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
            if (broken & 1u << i) {
                carom_terminal_report("%s breaks its promise %s here: %.3g, allowed %.3g", law,
                                      carom_law_promise_name(i), row->figures.of[i].figure,
                                      row->figures.of[i].bound);
                code = CAROM_EXIT_BROKEN;
            }
        if (broken & CAROM_KIN && row->outcome.report.capped_loss > 0)
            carom_terminal_report(
                "  its cap on work ended the process. Fix: raise the cap with --set "
                "(`carom laws` lists the options), or take `wave`");
    }
    return code;
}

unsigned carom_show_selection(const carom_arguments *given)
{
    unsigned all = (1u << CAROM_PROMISE_COUNT) - 1;
    unsigned choices[] = { 0, all & ~(unsigned)(CAROM_WAV | CAROM_BRK), all };
    return choices[carom_command_choice(given, "--verdicts")];
}

int carom_show_set(const carom_law *law, carom_law_options *options, const char *text)
{
    const char *equals = strchr(text, '=');
    char name[64];
    if (!equals || equals == text || equals - text >= (long)sizeof name)
        return carom_command_misuse("write --set option=value", "--set \"%.60s\" names no option",
                                    text);
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    carom_error err = { 0 };
    if (carom_law_set(law, options, name, equals + 1, &err) != CAROM_OK)
        return carom_command_fail(&err);
    return CAROM_EXIT_GOOD;
}

// Pictures and pages of a chain: what the command writes with --svg and --html.
#include "carom/chain.h"
#include "draw/page.h"
#include "pictures/chain_panels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef carom_status (*writer)(const carom_chain_report *report, carom_arena *scratch,
                               carom_text *text, carom_error *err);

// Runs a writer with scratch memory and hands its text over.
static carom_status write_with(writer write, const carom_chain_report *report, char **out,
                               carom_error *err)
{
    carom_text text = { 0 };
    *out = NULL;
    carom_arena *scratch = carom_arena_create(0);
    if (!scratch)
        return carom_error_no_memory(err, "a picture");
    carom_status status = write(report, scratch, &text, err);
    carom_arena_destroy(scratch);
    if (status == CAROM_OK)
        status = carom_text_status(&text, err);
    if (status == CAROM_OK)
        *out = text.bytes;
    else
        carom_text_free(&text);
    return status;
}

static carom_status write_svg(const carom_chain_report *report, carom_arena *scratch,
                              carom_text *text, carom_error *err)
{
    if (report->sweep)
        return carom_chain_panels_sweep(report, scratch, text, err);
    if (report->result)
        return carom_chain_panels_draw(report, report->result, scratch, text, err);
    carom_error_set(err, CAROM_UNSUPPORTED, "time stepping alone has no history to draw");
    return carom_error_fix(err,
                           "give the contacts a law, or draw the solution space of three bodies");
}

carom_status carom_chain_picture_svg(const carom_chain_report *report, char **out, carom_error *err)
{
    NEED(err, report, out);
    return write_with(write_svg, report, out, err);
}

static bool compresses(const carom_chain_report *report)
{
    for (size_t b = 0; report->result && b < report->result->bodies; b++)
        if (report->chain->bodies[b].slices > 0)
            return true;
    return false;
}

static carom_status write_waves(const carom_chain_report *report, carom_arena *scratch,
                                carom_text *text, carom_error *err)
{
    (void)scratch;
    if (!compresses(report)) {
        carom_error_set(err, CAROM_UNSUPPORTED, "no body of this row compresses");
        return carom_error_fix(err, "use cylinders or spheres");
    }
    carom_chain_snapshots_draw(report, report->result, text);
    return CAROM_OK;
}

carom_status carom_chain_picture_waves(const carom_chain_report *report, char **out,
                                       carom_error *err)
{
    NEED(err, report, out);
    return write_with(write_waves, report, out, err);
}

// -- page -----------------------------------------------------------------------------------------

// Cells of a table, row by row.
typedef struct cells {
    carom_arena *scratch;
    const char **cell;
    int count;
    bool failed;
} cells;

static void put(cells *t, const char *format, double value)
{
    char *words = carom_arena_take(t->scratch, 48, 1);
    if (!words) {
        t->failed = true;
        return;
    }
    if (isfinite(value))
        snprintf(words, 48, format, value);
    else
        snprintf(words, 48, isnan(value) ? "-" : "infinite");
    t->cell[t->count++] = words;
}

static void put_words(cells *t, const char *words)
{
    t->cell[t->count++] = words;
}

static carom_status bodies_table(const carom_chain_report *report, carom_arena *scratch,
                                 carom_text *text, carom_error *err)
{
    const carom_chain_result *result = report->result;
    int columns = report->exact ? 6 : 5;
    cells t = { .scratch = scratch };
    TAKE(scratch, t.cell, (result->bodies + 1) * 6, err);
    static const char *const heads[] = { "body",        "mass (kg)",         "before (m/s)",
                                         "after (m/s)", "vibration (share)", "exact waves (m/s)" };
    for (int c = 0; c < columns; c++)
        put_words(&t, heads[c]);
    for (size_t b = 0; b < result->bodies; b++) {
        put_words(&t, report->names ? report->names[b] : "");
        put(&t, "%.6g", result->mass[b]);
        put(&t, "%.6g", result->before[b]);
        put(&t, "%.9f", result->velocity[b]);
        put(&t, "%.6f", result->vibration[b] / result->energy_before);
        if (report->exact)
            put(&t, "%.9f", report->exact->velocity[b]);
    }
    if (!t.failed)
        carom_page_table(text, t.cell, (int)result->bodies + 1, columns);
    return CAROM_OK;
}

static carom_status contacts_table(const carom_chain_report *report, carom_arena *scratch,
                                   carom_text *text, carom_error *err)
{
    const carom_chain_result *result = report->result;
    enum { COLUMNS = 7 };
    cells t = { .scratch = scratch };
    TAKE(scratch, t.cell, (result->contacts + 1) * COLUMNS, err);
    static const char *const heads[COLUMNS] = { "contact",    "first touch (s)", "last release (s)",
                                                "closed (s)", "peak force (N)",  "impulse (N s)",
                                                "restitution" };
    for (int c = 0; c < COLUMNS; c++)
        put_words(&t, heads[c]);
    for (size_t c = 0; c < result->contacts; c++) {
        const carom_chain_touch *touch = &result->touch[c];
        char *name;
        TAKE(scratch, name, 64, err);
        snprintf(name, 64, "%.28s | %.28s", report->names ? report->names[c] : "",
                 report->names ? report->names[c + 1] : "");
        put_words(&t, name);
        put(&t, "%.6g", touch->first_touch);
        put(&t, "%.6g", touch->last_release);
        put(&t, "%.6g", touch->closed_time);
        put(&t, "%.6g", touch->peak_force);
        put(&t, "%.6g", touch->impulse);
        put(&t, "%.6f", touch->restitution);
    }
    if (!t.failed)
        carom_page_table(text, t.cell, (int)result->contacts + 1, COLUMNS);
    return CAROM_OK;
}

static carom_status courses_table(const carom_chain_report *report, carom_arena *scratch,
                                  carom_text *text, carom_error *err)
{
    const carom_chain_courses *courses = report->courses;
    int columns = (int)courses->bodies + 4;
    cells t = { .scratch = scratch };
    TAKE(scratch, t.cell, (CAROM_CHAIN_RULE_COUNT + 1) * columns, err);
    put_words(&t, "rule");
    for (size_t b = 0; b < courses->bodies; b++)
        put_words(&t, report->names ? report->names[b] : "");
    put_words(&t, "energy kept");
    put_words(&t, "passes");
    put_words(&t, "converged");
    for (int r = 0; r < CAROM_CHAIN_RULE_COUNT; r++) {
        const carom_chain_course *course = &courses->course[r];
        put_words(&t, carom_chain_stepper_rule_word((carom_chain_rule)r));
        for (size_t b = 0; b < courses->bodies; b++)
            put(&t, "%.6f", course->velocity[b]);
        put(&t, "%.6f", course->energy_after / course->energy_before);
        put(&t, "%.0f", (double)course->passes);
        put_words(&t, course->unconverged ? "no: finished by Poisson" : "yes");
    }
    if (!t.failed)
        carom_page_table(text, t.cell, CAROM_CHAIN_RULE_COUNT + 1, columns);
    return CAROM_OK;
}

static carom_status sweep_table(const carom_chain_report *report, carom_arena *scratch,
                                carom_text *text, carom_error *err)
{
    const carom_chain_sweep *sweep = report->sweep;
    int columns = (int)sweep->bodies + 2;
    cells t = { .scratch = scratch };
    TAKE(scratch, t.cell, (sweep->count + 1) * (size_t)columns, err);
    put_words(&t, "gap (m)");
    for (size_t b = 0; b < sweep->bodies; b++)
        put_words(&t, report->names ? report->names[b] : "");
    put_words(&t, "to the ideal (m/s)");
    for (size_t k = 0; k < sweep->count; k++) {
        put(&t, "%g", sweep->gap[k]);
        for (size_t b = 0; b < sweep->bodies; b++)
            put(&t, "%.6f", sweep->velocity[k * sweep->bodies + b]);
        put(&t, "%.2e", sweep->distance[k]);
    }
    if (!t.failed)
        carom_page_table(text, t.cell, (int)sweep->count + 1, columns);
    return CAROM_OK;
}

static carom_status write_run(const carom_chain_report *report, carom_arena *scratch,
                              carom_text *text, carom_error *err)
{
    const carom_chain_result *result = report->result;
    char words[256];
    carom_page_section(text, "Bodies", NULL);
    TRY(bodies_table(report, scratch, text, err));
    carom_page_section(text, "Contacts", NULL);
    TRY(contacts_table(report, scratch, text, err));
    snprintf(words, sizeof words,
             "Energy before %.9g J, after %.9g J, dissipated %.3g J, largest error %.1e. %zu "
             "steps, %zu contact events; "
             "%s after %.6g s.",
             result->energy_before, result->energy_after, result->dissipated, result->energy_error,
             result->steps, result->events, carom_chain_exit_sentence(result->exit), result->time);
    carom_page_section(text, "Four views", words);
    carom_text svg = { 0 };
    carom_status status = carom_chain_panels_draw(report, result, scratch, &svg, err);
    carom_page_picture(text, &svg,
                       "Positions, compressions, velocities, and force over compression.");
    carom_text_free(&svg);
    if (status != CAROM_OK || !compresses(report))
        return status;
    carom_page_section(text, "Waves", NULL);
    svg = (carom_text){ 0 };
    carom_chain_snapshots_draw(report, result, &svg);
    carom_page_picture(text, &svg, "From first touch to last release.");
    carom_text_free(&svg);
    return CAROM_OK;
}

static carom_status write_html(const carom_chain_report *report, carom_arena *scratch,
                               carom_text *text, carom_error *err)
{
    carom_page_begin(text, report->title ? report->title : "A chain", NULL);
    if (report->result)
        TRY(write_run(report, scratch, text, err));
    if (report->sweep) {
        carom_page_section(text, "Gaps",
                           "The wider the gaps, the more the collisions come one after "
                           "another, and the nearer the row is to the ideal cradle.");
        TRY(sweep_table(report, scratch, text, err));
        carom_text svg = { 0 };
        carom_status status = carom_chain_panels_sweep(report, scratch, &svg, err);
        carom_page_picture(text, &svg, "Velocities after the impact over the gap before it.");
        carom_text_free(&svg);
        TRY(status);
    }
    if (report->courses) {
        carom_page_section(text, "Time stepping",
                           "The same row with rigid bodies, in steps, by each rule.");
        TRY(courses_table(report, scratch, text, err));
    }
    carom_page_end(text);
    return CAROM_OK;
}

carom_status carom_chain_picture_html(const carom_chain_report *report, char **out,
                                      carom_error *err)
{
    NEED(err, report, out);
    return write_with(write_html, report, out, err);
}

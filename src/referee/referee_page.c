// The results for readers and programs: tables in Markdown, error over time as a picture, JSON.
#include "referee/referee.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "draw/plot.h"
#include "draw/svg.h"

static const carom_referee_cell *cell_of(const carom_referee *r, int row, int test)
{
    return &r->cells[row * r->test_count + test];
}

// The tests from `first` on, up to `end`, as columns.
static void add_heading(int first, int end, carom_text *text)
{
    carom_text_add(text, "| |");
    for (int t = first; t < end; ++t)
        carom_text_add(text, " %s |", carom_referee_test_name(t));
    carom_text_add(text, "\n|---|");
    for (int t = first; t < end; ++t)
        carom_text_add(text, "---|");
    carom_text_add(text, "\n");
}

static bool took_part(const carom_referee *r, int row)
{
    for (int t = 0; t < r->test_count; ++t)
        if (!cell_of(r, row, t)->failed[0])
            return true;
    return false;
}

// Round-off is round-off, whatever its size.
static void add_error(const carom_referee_cell *cell, carom_text *text)
{
    if (strcmp(cell->failed, "diverged") == 0)
        carom_text_add(text, " diverged |");
    else if (cell->failed[0])
        carom_text_add(text, " - |");
    else if (cell->error < 1e-9)
        carom_text_add(text, " exact |");
    else
        carom_text_add(text, " %.2g |", cell->error);
}

// The time of the best setting, with its spread where runs differ by more than 5 %.
static void add_time(const carom_referee_cell *cell, carom_text *text)
{
    double least = 1e3 * cell->seconds, most = 1e3 * cell->seconds_max;
    if (cell->failed[0])
        carom_text_add(text, " - |");
    else if (most > 1.05 * least)
        carom_text_add(text, most < 100 ? " %.2g to %.2g |" : " %.0f to %.0f |", least, most);
    else
        carom_text_add(text, least < 100 ? " %.2g |" : " %.0f |", least);
}

static void add_reasons(const carom_referee *r, carom_text *text)
{
    for (int i = 0; i < r->contestant_count; ++i) {
        if (!took_part(r, i)) {
            carom_text_add(text, "- %s does not take part: %s\n", r->names[i],
                           cell_of(r, i, 0)->failed);
            continue;
        }
        for (int t = 0; t < r->test_count; ++t) {
            const carom_referee_cell *cell = cell_of(r, i, t);
            bool same = t > 0 && strcmp(cell->failed, cell_of(r, i, t - 1)->failed) == 0;
            if (cell->failed[0] && !same)
                carom_text_add(text, "- %s, %s: %s\n", r->names[i], carom_referee_test_name(t),
                               cell->failed);
        }
    }
}

// So many errors, and times of two numbers each, beside each other keep a line within 120 columns.
enum { ERRORS_ACROSS = 9, TIMES_ACROSS = 6 };

static void add_times(const carom_referee *r, int first, carom_text *text)
{
    int end = first + TIMES_ACROSS < r->test_count ? first + TIMES_ACROSS : r->test_count;
    carom_text_add(text, "\n");
    add_heading(first, end, text);
    for (int i = 0; i < r->contestant_count; ++i) {
        if (!took_part(r, i))
            continue;
        carom_text_add(text, "| %s |", r->names[i]);
        for (int t = first; t < end; ++t)
            add_time(cell_of(r, i, t), text);
        carom_text_add(text, "\n");
    }
}

static void add_errors(const carom_referee *r, int first, carom_text *text)
{
    int end = first + ERRORS_ACROSS < r->test_count ? first + ERRORS_ACROSS : r->test_count;
    if (first > 0)
        carom_text_add(text, "\n");
    add_heading(first, end, text);
    for (int i = 0; i < r->contestant_count; ++i) {
        carom_text_add(text, "| %s |", r->names[i]);
        for (int t = first; t < end; ++t)
            add_error(cell_of(r, i, t), text);
        carom_text_add(text, "\n");
    }
}

char *carom_referee_markdown(const carom_referee *referee)
{
    carom_text text = { 0 };
    const carom_referee *r = referee;
    if (!r)
        return NULL;
    carom_text_add(&text, "Least errors over the grid (\"exact\": below 1e-9):\n\n");
    for (int first = 0; first < r->test_count; first += ERRORS_ACROSS)
        add_errors(r, first, &text);
    carom_text_add(&text,
                   "\nProcessor time of the steps at that setting, ms (two numbers: runs that "
                   "differ by more than 5 %%):\n");
    for (int first = 0; first < r->test_count; first += TIMES_ACROSS)
        add_times(r, first, &text);
    carom_text_add(&text, "\nWhere there is no figure:\n\n");
    add_reasons(r, &text);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

// A series per contestant: its runs of one test in the order of the grid; errors below round-off
// stand at 1e-16.
char *carom_referee_svg(const carom_referee *referee, int test)
{
    enum { MOST = 32 };
    const carom_referee *r = referee;
    carom_text text = { 0 };
    carom_plot_series series[MOST];
    int count = 0, at = 0;
    if (!r || test < 0 || test >= r->test_count)
        return NULL;
    double *numbers = malloc(2 * ((size_t)r->point_count + 1) * sizeof *numbers);
    if (!numbers)
        return NULL;
    double *y = numbers + r->point_count + 1;
    for (int i = 0; i < r->contestant_count && count < MOST; ++i) {
        int first = at;
        for (int k = 0; k < r->point_count; ++k) {
            const carom_referee_run_point *p = &r->points[k];
            if (p->contestant != i || p->test != test)
                continue;
            numbers[at] = 1e3 * p->seconds;
            y[at++] = fmax(p->error, 1e-16);
        }
        if (at > first)
            series[count++] = (carom_plot_series){ .name = r->names[i],
                                                   .x = numbers + first,
                                                   .y = y + first,
                                                   .count = at - first,
                                                   .kind = CAROM_PLOT_DOTS };
    }
    carom_svg svg = carom_svg_begin(&text, 900, 560, carom_referee_test_name(test));
    const carom_plot plot = { .title = carom_referee_test_summary(test),
                              .x = { .label = "processor time", .unit = "ms", .log = true },
                              .y = { .label = "error", .log = true },
                              .series = series,
                              .count = count,
                              .size = { 900, 560 } };
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
    free(numbers);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

void carom_referee_json(const carom_referee *referee, carom_json *json)
{
    const carom_referee *r = referee;
    if (!r)
        return;
    carom_json_array(json, "contestants");
    for (int i = 0; i < r->contestant_count; ++i) {
        carom_json_object(json, NULL);
        carom_json_string(json, "name", r->names[i]);
        carom_json_array(json, "tests");
        for (int t = 0; t < r->test_count; ++t) {
            const carom_referee_cell *cell = cell_of(r, i, t);
            carom_json_object(json, NULL);
            carom_json_string(json, "test", carom_referee_test_name(t));
            if (cell->failed[0]) {
                carom_json_string(json, "failed", cell->failed);
            } else {
                carom_json_number(json, "error", cell->error);
                carom_json_number(json, "step", cell->step);
                carom_json_integer(json, "iterations", cell->iterations);
                carom_json_number(json, "seconds", cell->seconds);
                carom_json_number(json, "seconds_max", cell->seconds_max);
            }
            carom_json_end(json);
        }
        carom_json_end(json);
        carom_json_end(json);
    }
    carom_json_end(json);
}

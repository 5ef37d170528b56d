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

// The tests that were run, as columns.
typedef struct columns {
    int test[8 * sizeof(unsigned)];
    int count;
} columns;

static columns columns_of(const carom_referee *r)
{
    columns all = { .count = 0 };
    for (int t = 0; t < r->test_count; ++t)
        if (r->tests >> t & 1)
            all.test[all.count++] = t;
    return all;
}

// Those from `first` on, `across` at most.
static columns some_of(const columns *all, int first, int across)
{
    columns some = { .count = 0 };
    for (int k = first; k < all->count && some.count < across; ++k)
        some.test[some.count++] = all->test[k];
    return some;
}

static void add_heading(const columns *c, carom_text *text)
{
    carom_text_add(text, "| |");
    for (int k = 0; k < c->count; ++k)
        carom_text_add(text, " %s |", carom_referee_test_name(c->test[k]));
    carom_text_add(text, "\n|---|");
    for (int k = 0; k < c->count; ++k)
        carom_text_add(text, "---|");
    carom_text_add(text, "\n");
}

// A test in which the contestant has a figure; -1: none.
static int first_figure(const carom_referee *r, int row)
{
    for (int t = 0; t < r->test_count; ++t)
        if (r->tests >> t & 1 && !cell_of(r, row, t)->failed[0])
            return t;
    return -1;
}

static bool took_part(const carom_referee *r, int row)
{
    return first_figure(r, row) >= 0;
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
    else if (cell->error_max > 1.05 * cell->error)
        carom_text_add(text, " %.2g to %.2g |", cell->error, cell->error_max);
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

static void add_reasons(const carom_referee *r, const columns *all, carom_text *text)
{
    for (int i = 0; i < r->contestant_count; ++i) {
        const char *last = "";
        if (!took_part(r, i)) {
            carom_text_add(text, "- %s does not take part: %s\n", r->names[i],
                           cell_of(r, i, all->test[0])->failed);
            continue;
        }
        for (int k = 0; k < all->count; ++k) {
            const carom_referee_cell *cell = cell_of(r, i, all->test[k]);
            if (cell->failed[0] && strcmp(cell->failed, last) != 0)
                carom_text_add(text, "- %s, %s: %s\n", r->names[i],
                               carom_referee_test_name(all->test[k]), cell->failed);
            last = cell->failed;
        }
    }
}

// So many errors, and times of two numbers each, beside each other keep a line within 120 columns.
enum { ERRORS_ACROSS = 9, TIMES_ACROSS = 6 };

static void add_times(const carom_referee *r, const columns *c, carom_text *text)
{
    carom_text_add(text, "\n");
    add_heading(c, text);
    for (int i = 0; i < r->contestant_count; ++i) {
        if (!took_part(r, i))
            continue;
        carom_text_add(text, "| %s |", r->names[i]);
        for (int k = 0; k < c->count; ++k)
            add_time(cell_of(r, i, c->test[k]), text);
        carom_text_add(text, "\n");
    }
}

static void add_errors(const carom_referee *r, const columns *c, carom_text *text)
{
    carom_text_add(text, "\n");
    add_heading(c, text);
    for (int i = 0; i < r->contestant_count; ++i) {
        carom_text_add(text, "| %s |", r->names[i]);
        for (int k = 0; k < c->count; ++k)
            add_error(cell_of(r, i, c->test[k]), text);
        carom_text_add(text, "\n");
    }
}

char *carom_referee_markdown(const carom_referee *referee)
{
    carom_text text = { 0 };
    const carom_referee *r = referee;
    if (!r)
        return NULL;
    columns all = columns_of(r);
    carom_text_add(&text, "Least errors over the grid (\"exact\": below 1e-9):\n");
    for (int first = 0; first < all.count; first += ERRORS_ACROSS) {
        columns some = some_of(&all, first, ERRORS_ACROSS);
        add_errors(r, &some, &text);
    }
    carom_text_add(&text,
                   "\nProcessor time of the steps at that setting, ms (two numbers: runs that "
                   "differ by more than 5 %%):\n");
    for (int first = 0; first < all.count; first += TIMES_ACROSS) {
        columns some = some_of(&all, first, TIMES_ACROSS);
        add_times(r, &some, &text);
    }
    size_t before = text.length;
    carom_text_add(&text, "\nWhere there is no figure:\n\n");
    size_t heading = text.length;
    add_reasons(r, &all, &text);
    if (text.length == heading && !text.failed) { // everybody has one
        text.length = before;
        text.bytes[before] = '\0';
    }
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

// Numbers of a picture: a series per contestant.
typedef struct series_set {
    carom_plot_series series[32];
    int count;
    double *x, *y; // numbers of all
    int used;
} series_set;

static bool open_set(series_set *set, size_t numbers)
{
    *set = (series_set){ .x = malloc(2 * (numbers + 1) * sizeof *set->x) };
    set->y = set->x ? set->x + numbers + 1 : NULL;
    return set->x != NULL;
}

// Errors below round-off stand at 1e-16.
static void add_point(series_set *set, double x, double error)
{
    set->x[set->used] = x;
    set->y[set->used++] = fmax(error, 1e-16);
}

// There are eight colours: those who have one a second time are dashed, or hollow.
static void end_series(series_set *set, const char *name, int first, carom_plot_kind kind)
{
    enum { COLOURS = 8 };
    int most = (int)(sizeof set->series / sizeof *set->series);
    if (set->used > first && set->count < most)
        set->series[set->count] = (carom_plot_series){
            .name = name,
            .x = set->x + first,
            .y = set->y + first,
            .count = set->used - first,
            .kind = kind,
            .dash = set->count >= COLOURS ? "5 3" : NULL,
        };
    set->count += set->used > first && set->count < most;
}

static char *draw_set(series_set *set, int test, carom_plot_axis x)
{
    carom_text text = { 0 };
    carom_svg svg = carom_svg_begin(&text, 900, 560, carom_referee_test_name(test));
    const carom_plot plot = { .title = carom_referee_test_summary(test),
                              .x = x,
                              .y = { .label = "error", .log = true },
                              .series = set->series,
                              .count = set->count,
                              .size = { 900, 560 } };
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
    free(set->x);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

// The runs of one test in the order of the grid.
char *carom_referee_svg(const carom_referee *referee, int test)
{
    const carom_referee *r = referee;
    series_set set;
    if (!r || test < 0 || test >= r->test_count || !open_set(&set, (size_t)r->point_count))
        return NULL;
    for (int i = 0; i < r->contestant_count; ++i) {
        int first = set.used;
        for (int k = 0; k < r->point_count; ++k) {
            const carom_referee_run_point *p = &r->points[k];
            if (p->contestant == i && p->test == test)
                add_point(&set, 1e3 * p->seconds, p->error);
        }
        end_series(&set, r->names[i], first, CAROM_PLOT_DOTS);
    }
    return draw_set(&set, test,
                    (carom_plot_axis){ .label = "processor time", .unit = "ms", .log = true });
}

char *carom_referee_course_svg(const carom_referee *referee, int test)
{
    const carom_referee *r = referee;
    double interval = carom_referee_test_interval(test);
    series_set set;
    if (!r || interval == 0 || !open_set(&set, (size_t)r->contestant_count * CAROM_REFEREE_FRAMES))
        return NULL;
    for (int i = 0; i < r->contestant_count; ++i) {
        int first = set.used;
        const double *course = r->courses[i * r->test_count + test];
        bool known = false; // results from a file have no course
        for (int k = 0; k < CAROM_REFEREE_FRAMES; ++k)
            known = known || course[k] != 0;
        for (int k = 0; k < CAROM_REFEREE_FRAMES && known && !cell_of(r, i, test)->failed[0]; ++k)
            add_point(&set, (k + 1) * interval, course[k]);
        end_series(&set, r->names[i], first, CAROM_PLOT_LINE);
    }
    return draw_set(&set, test,
                    (carom_plot_axis){ .label = "simulated time", .unit = "s", .log = true });
}

static void add_course(const carom_referee *r, int row, int test, carom_json *json)
{
    const double *course = r->courses[row * r->test_count + test];
    double interval = carom_referee_test_interval(test);
    if (interval == 0)
        return;
    carom_json_number(json, "interval", interval);
    carom_json_array(json, "course");
    for (int k = 0; k < CAROM_REFEREE_FRAMES; ++k)
        carom_json_number(json, NULL, course[k]);
    carom_json_end(json);
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
            if (!(r->tests >> t & 1))
                continue;
            carom_json_object(json, NULL);
            carom_json_string(json, "test", carom_referee_test_name(t));
            if (cell->failed[0]) {
                carom_json_string(json, "failed", cell->failed);
            } else {
                carom_json_number(json, "error", cell->error);
                carom_json_number(json, "error_max", cell->error_max);
                carom_json_number(json, "step", cell->step);
                carom_json_integer(json, "iterations", cell->iterations);
                carom_json_number(json, "seconds", cell->seconds);
                carom_json_number(json, "seconds_max", cell->seconds_max);
                add_course(r, i, t, json);
            }
            carom_json_end(json);
        }
        carom_json_end(json);
        carom_json_end(json);
    }
    carom_json_end(json);
}

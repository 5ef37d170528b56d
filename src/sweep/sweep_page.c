// The page of a sweep: what failed, and plots of every number that was kept. Over one axis lines,
// over two that are crossed maps, beyond parallel coordinates: a line per job through its values.
#include "sweep/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "draw/page.h"
#include "draw/plot.h"
#include "draw/svg.h"

enum { PLOTS_MAX = 24, ERRORS_MAX = 50, LINES_MAX = 2000, WIDTH = 860, HEIGHT = 380 };

typedef struct sheet {
    const carom_sweep *sweep;
    carom_sweep_table table;
    double *places; // of every axis in every job: its number, or of words which one
    carom_text *text;
} sheet;

static double place_of(const sheet *s, int64_t job, int axis)
{
    return s->places[(size_t)job * (size_t)s->sweep->axis_count + (size_t)axis];
}

static double number_of(const sheet *s, int64_t job, int column)
{
    return s->table.numbers[(size_t)job * (size_t)s->table.columns + (size_t)column];
}

// Which of the axis's words a value is.
static double find_word(const carom_sweep_axis *axis, const char *value)
{
    for (int i = 0; i < axis->count && axis->values; ++i)
        if (strcmp(axis->values[i], value) == 0)
            return i + 1;
    return 0;
}

static bool take_places(sheet *s)
{
    const carom_sweep *sweep = s->sweep;
    size_t width = (size_t)sweep->axis_count;
    s->places = malloc(((size_t)sweep->jobs * width + 1) * sizeof *s->places);
    for (int64_t job = 0; job < sweep->jobs && s->places; ++job)
        for (int i = 0; i < sweep->axis_count; ++i) {
            char value[CAROM_SWEEP_VALUE];
            carom_sweep_points_value(sweep, job, i, value, sizeof value);
            s->places[(size_t)job * width + (size_t)i] =
                sweep->axes[i].numeric ? strtod(value, NULL) : find_word(&sweep->axes[i], value);
        }
    return s->places != NULL;
}

static bool varies(const sheet *s, int column)
{
    double first = (double)NAN;
    for (int64_t job = 0; job < s->sweep->jobs; ++job) {
        double number = number_of(s, job, column);
        if (isnan(first))
            first = number;
        else if (!isnan(number) && number != first)
            return true;
    }
    return false;
}

static void add_picture(sheet *s, carom_text *picture, const char *caption)
{
    carom_page_picture(s->text, picture, caption);
    s->text->failed = s->text->failed || picture->failed;
    carom_text_free(picture);
}

// -- one axis -------------------------------------------------------------------------------------

static void add_line(sheet *s, int column, const char *name, const char *unit)
{
    const carom_sweep *sweep = s->sweep;
    const carom_sweep_axis *a = &sweep->axes[0];
    carom_text picture = { 0 };
    size_t count = (size_t)sweep->jobs;
    double *x = malloc(2 * (count + 1) * sizeof *x);
    const char **names = calloc((size_t)a->count + 1, sizeof *names);
    s->text->failed = s->text->failed || !x || !names;
    for (size_t i = 0; i < count && x; ++i) {
        x[i] = place_of(s, (int64_t)i, 0);
        x[count + i] = number_of(s, (int64_t)i, column);
    }
    for (int i = 0; i < a->count && names && a->values; ++i)
        names[i] = a->values[i];
    const carom_plot_series series = { .x = x,
                                       .y = x ? x + count : NULL,
                                       .count = (int)count,
                                       .kind = a->draw == CAROM_SWEEP_GRID && a->numeric
                                                   ? CAROM_PLOT_LINE
                                                   : CAROM_PLOT_DOTS };
    carom_plot plot = { .title = name,
                        .x = { .label = a->name, .unit = a->unit, .log = a->log },
                        .y = { .label = name, .unit = unit },
                        .series = &series,
                        .count = 1,
                        .names = a->numeric ? NULL : names,
                        .size = { WIDTH, HEIGHT } };
    if (x && names) {
        carom_svg svg = carom_svg_begin(&picture, WIDTH, HEIGHT, name);
        carom_plot_draw(&svg, &plot);
        carom_svg_end(&svg);
        add_picture(s, &picture, NULL);
    }
    free(x);
    free(names);
}

// -- two axes -------------------------------------------------------------------------------------

static void range_of(const sheet *s, int column, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int64_t job = 0; job < s->sweep->jobs; ++job) {
        double number = number_of(s, job, column);
        if (isfinite(number)) {
            *low = fmin(*low, number);
            *high = fmax(*high, number);
        }
    }
}

static void add_word(carom_svg *svg, double x, double y, const char *anchor, const char *words)
{
    const double at[2] = { x, y };
    carom_svg_text_at(svg, at, (carom_svg_text){ .anchor = anchor }, words);
}

// The first and the last value of an axis, and its name between them.
static void label_axis(carom_svg *svg, const carom_sweep *sweep, int axis, int64_t last_job,
                       const double from[2], const double to[2])
{
    char value[CAROM_SWEEP_VALUE], words[CAROM_SWEEP_VALUE];
    const carom_sweep_axis *a = &sweep->axes[axis];
    bool up = from[0] == to[0];
    carom_sweep_points_value(sweep, 0, axis, value, sizeof value);
    add_word(svg, from[0], from[1], up ? "end" : "start", value);
    carom_sweep_points_value(sweep, last_job, axis, value, sizeof value);
    add_word(svg, to[0], to[1], "end", value);
    snprintf(words, sizeof words, *a->unit ? "%.200s [%.80s]" : "%.200s%.80s", a->name, a->unit);
    add_word(svg, 0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), up ? "end" : "middle", words);
}

static void add_map(sheet *s, int column, const char *name, const char *unit)
{
    enum { LEFT = 160, TOP = 30, SIZE_X = 560, SIZE_Y = 300 };
    const double lap = 0.5; // under the next cell: no paper shows between two
    const carom_sweep *sweep = s->sweep;
    int rows = sweep->axes[0].count, columns = sweep->axes[1].count;
    const double size[2] = { (double)SIZE_X / columns, (double)SIZE_Y / rows };
    double low, high;
    carom_text picture = { 0 };
    char words[240];
    range_of(s, column, &low, &high);
    carom_svg svg = carom_svg_begin(&picture, WIDTH, HEIGHT, name);
    for (int64_t job = 0; job < sweep->jobs; ++job) {
        double number = number_of(s, job, column);
        char colour[16] = "faint";
        if (isfinite(number))
            snprintf(colour, sizeof colour, "#%06x",
                     carom_svg_ramp(high > low ? (number - low) / (high - low) : 0.5));
        const double corner[2] = { LEFT + size[0] * (double)(job % columns),
                                   TOP + SIZE_Y - size[1] * (double)(job / columns + 1) - lap };
        carom_svg_box(&svg, corner, (double[]){ size[0] + lap, size[1] + lap },
                      (carom_svg_style){ .fill = colour });
    }
    label_axis(&svg, sweep, 0, sweep->jobs - 1, (double[]){ LEFT - 8, TOP + SIZE_Y },
               (double[]){ LEFT - 8, TOP + 12 });
    label_axis(&svg, sweep, 1, sweep->jobs - 1, (double[]){ LEFT, TOP + SIZE_Y + 18 },
               (double[]){ LEFT + SIZE_X, TOP + SIZE_Y + 18 });
    snprintf(words, sizeof words, "%.90s, from %.6g (dark) to %.6g (light) %.90s", name, low, high,
             unit);
    add_word(&svg, LEFT, TOP - 10, "start", words);
    carom_svg_end(&svg);
    add_picture(s, &picture, NULL);
}

// -- more -----------------------------------------------------------------------------------------

typedef struct stand {
    double low, high;
    char name[96];
    int axis, column; // one of them, the other is -1
} stand;

static double value_at(const sheet *s, const stand *p, int64_t job)
{
    return p->axis >= 0 ? place_of(s, job, p->axis) : number_of(s, job, p->column);
}

static int make_stands(const sheet *s, stand *all, int room)
{
    int count = 0;
    char unit[96];
    for (int i = 0; i < s->sweep->axis_count && count < room; ++i) {
        all[count] = (stand){ .axis = i, .column = -1 };
        snprintf(all[count++].name, 96, "%.95s", s->sweep->axes[i].name);
    }
    for (int i = 0; i < s->table.columns && count < room; ++i)
        if (varies(s, i)) {
            all[count] = (stand){ .axis = -1, .column = i };
            carom_sweep_table_split(s->table.names[i], all[count++].name, unit);
        }
    for (int i = 0; i < count; ++i) {
        all[i].low = HUGE_VAL;
        all[i].high = -HUGE_VAL;
        for (int64_t job = 0; job < s->sweep->jobs; ++job) {
            double number = value_at(s, &all[i], job);
            all[i].low = isfinite(number) ? fmin(all[i].low, number) : all[i].low;
            all[i].high = isfinite(number) ? fmax(all[i].high, number) : all[i].high;
        }
    }
    return count;
}

// Where a value lies between the least and the most, 0 to 1; even ratios where the axis has them.
static double share_of(const sheet *s, const stand *p, double number)
{
    bool log_scale = p->axis >= 0 && s->sweep->axes[p->axis].log && p->low > 0;
    if (!(p->high > p->low))
        return 0.5;
    return carom_plot_share(number, p->low, p->high, log_scale);
}

// A value at an end of a stand: a number, or the word that it stands for.
static void add_end(const sheet *s, carom_svg *svg, const stand *p, const double at[2],
                    double value)
{
    char words[40];
    const carom_sweep_axis *a = p->axis >= 0 ? &s->sweep->axes[p->axis] : NULL;
    bool word = a && !a->numeric && a->values && value >= 1 && value <= a->count;
    if (word)
        snprintf(words, sizeof words, "%.39s", a->values[(int)value - 1]);
    else
        snprintf(words, sizeof words, "%.4g", value);
    add_word(svg, at[0], at[1], "middle", words);
}

enum { STANDS = 12, STAND_TOP = 56, STAND_SIZE = 380, STAND_SIDE = 50 };

// Names in two rows in turn, those at the borders of the picture within it.
static void add_stand(const sheet *s, carom_svg *svg, const stand *p, int i, int count)
{
    double x = STAND_SIDE + (count > 1 ? (WIDTH - 2.0 * STAND_SIDE) / (count - 1) * i : 0);
    const double top[2] = { x, STAND_TOP }, bottom[2] = { x, STAND_TOP + STAND_SIZE };
    double row = i % 2 ? 14 : 30;
    bool wide = strlen(p->name) > 12; // than the margin
    carom_svg_line(svg, top, bottom, (carom_svg_style){ .stroke = "ink" });
    if (wide && i == 0)
        add_word(svg, 2, row, "start", p->name);
    else if (wide && i == count - 1)
        add_word(svg, WIDTH - 2, row, "end", p->name);
    else
        add_word(svg, x, row, "middle", p->name);
    add_end(s, svg, p, (double[]){ x, STAND_TOP + STAND_SIZE + 16 }, p->low);
    add_end(s, svg, p, (double[]){ x, STAND_TOP - 6 }, p->high);
}

// One line per job, coloured by its last value.
static void add_parallel(sheet *s)
{
    stand all[STANDS];
    carom_text picture = { 0 };
    int count = make_stands(s, all, STANDS);
    int64_t step = 1 + s->sweep->jobs / LINES_MAX;
    double apart = count > 1 ? (WIDTH - 2.0 * STAND_SIDE) / (count - 1) : 0;
    carom_svg svg =
        carom_svg_begin(&picture, WIDTH, STAND_TOP + STAND_SIZE + 40, "parallel coordinates");
    for (int64_t job = 0; job < s->sweep->jobs; job += step) {
        double points[2 * STANDS], share = 0.5;
        bool whole = true;
        for (int i = 0; i < count; ++i) {
            double number = value_at(s, &all[i], job);
            whole = whole && isfinite(number);
            share = share_of(s, &all[i], number);
            points[2 * i] = STAND_SIDE + apart * i;
            points[2 * i + 1] = STAND_TOP + STAND_SIZE * (1 - share);
        }
        if (whole && count > 1)
            carom_svg_path(&svg, points, count,
                           (carom_svg_style){ .stroke = carom_svg_series((int)(7.999 * share)),
                                              .opacity = 0.4 });
    }
    for (int i = 0; i < count; ++i)
        add_stand(s, &svg, &all[i], i, count);
    carom_svg_end(&svg);
    add_picture(s, &picture, "A line per job through all its values, from the least to the most.");
}

// -- page -----------------------------------------------------------------------------------------

static void add_plots(sheet *s)
{
    const carom_sweep *sweep = s->sweep;
    bool map = sweep->axis_count == 2 && !sweep->zipped &&
               sweep->axes[0].draw == CAROM_SWEEP_GRID && sweep->axes[1].draw == CAROM_SWEEP_GRID;
    int shown = 0;
    if (sweep->axis_count > 1 && !map)
        add_parallel(s);
    for (int i = 0; i < s->table.columns && shown < PLOTS_MAX; ++i) {
        char name[96], unit[96];
        if ((sweep->axis_count > 1 && !map) || !varies(s, i))
            continue;
        carom_sweep_table_split(s->table.names[i], name, unit);
        if (map)
            add_map(s, i, name, unit);
        else
            add_line(s, i, name, unit);
        ++shown;
    }
}

static void add_errors(sheet *s)
{
    carom_text list = { 0 };
    int shown = 0;
    for (int64_t job = 0; job < s->sweep->jobs && shown < ERRORS_MAX; ++job) {
        const char *why = carom_sweep_error(s->sweep, job);
        char words[CAROM_SWEEP_VALUE];
        if (!why)
            continue;
        carom_sweep_words(s->sweep, job, words, sizeof words);
        carom_text_add(&list, "job %lld (%s): %s\n", (long long)job, words, why);
        ++shown;
    }
    if (shown > 0) {
        carom_page_section(s->text, "Jobs that failed", NULL);
        carom_page_verbatim(s->text, list.bytes ? list.bytes : "");
    }
    s->text->failed = s->text->failed || list.failed;
    carom_text_free(&list);
}

char *carom_sweep_html(const carom_sweep *sweep)
{
    carom_text text = { 0 };
    carom_error err = { 0 };
    sheet s = { .sweep = sweep, .text = &text };
    char words[160];
    if (!sweep || carom_sweep_table_make(sweep, &s.table, &err) != CAROM_OK)
        return NULL;
    snprintf(words, sizeof words, "%lld %s over %d %s.", (long long)sweep->jobs,
             sweep->jobs == 1 ? "job" : "jobs", sweep->axis_count,
             sweep->axis_count == 1 ? "axis" : "axes");
    carom_page_begin(&text, sweep->title, words);
    if (take_places(&s))
        add_plots(&s);
    else
        text.failed = true;
    add_errors(&s);
    carom_page_end(&text);
    free(s.places);
    carom_sweep_table_free(&s.table);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

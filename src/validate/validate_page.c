// The page of a validation: a table, how the errors are distributed, and of impacts what the
// measured velocities say about the material whatever the law.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "draw/page.h"
#include "draw/plot.h"
#include "draw/svg.h"
#include "validate/validate.h"

enum { ROWS_MAX = 40, COLUMNS = 6, CELL = 128, GROUPS = 10 };

// -- table -----------------------------------------------------------------------------------

static void fill_row(const carom_validation *v, const carom_validate_row *row, char cells[][CELL])
{
    snprintf(cells[0], CELL, "%s", row->name);
    if (row->failed[0]) {
        snprintf(cells[1], CELL, "%s", row->failed);
        return;
    }
    snprintf(cells[1], CELL, "%.3f", row->material.restitution);
    snprintf(cells[2], CELL, "%.3f", row->material.friction);
    snprintf(cells[3], CELL, "%.2f", row->material.fade);
    snprintf(cells[4], CELL, "%.4f", v->tosses ? row->position : row->mean);
    snprintf(cells[5], CELL, v->tosses ? "%.2f" : "%.4f", v->tosses ? row->angle : row->median);
}

static void add_table(const carom_validation *v, carom_text *text)
{
    static const char *const headings[2][COLUMNS] = {
        { "law or engine", "restitution", "friction", "fade", "mean error", "median" },
        { "law or engine", "restitution", "friction", "fade", "widths", "degrees" },
    };
    char cells[(ROWS_MAX + 1) * COLUMNS][CELL];
    const char *list[(ROWS_MAX + 1) * COLUMNS];
    int rows = v->row_count < ROWS_MAX ? v->row_count : ROWS_MAX;
    memset(cells, 0, sizeof cells);
    for (int c = 0; c < COLUMNS; ++c)
        snprintf(cells[c], CELL, "%s", headings[v->tosses][c]);
    for (int r = 0; r < rows; ++r)
        fill_row(v, &v->rows[r], cells + (size_t)(r + 1) * COLUMNS);
    for (int i = 0; i < (rows + 1) * COLUMNS; ++i)
        list[i] = cells[i];
    carom_page_table(text, list, rows + 1, COLUMNS);
}

// -- plots -----------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void draw(carom_text *text, carom_plot plot, const char *caption)
{
    carom_text picture = { 0 };
    carom_svg svg = carom_svg_begin(&picture, 860, 380, plot.title);
    plot.size[0] = 860;
    plot.size[1] = 380;
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
    carom_page_picture(text, &picture, caption);
    text->failed = text->failed || picture.failed;
    carom_text_free(&picture);
}

// Share of the cases whose error is below x, for each row, and for the bound.
static void add_distribution(const carom_validation *v, carom_text *text, bool angles)
{
    carom_plot_series series[ROWS_MAX + 1];
    int count = 0, n = v->judged;
    double *numbers = malloc(((size_t)(ROWS_MAX + 1) + 1) * (size_t)n * sizeof *numbers);
    if (!numbers) {
        text->failed = true;
        return;
    }
    double *share = numbers + (size_t)(ROWS_MAX + 1) * (size_t)n;
    for (int i = 0; i < n; ++i)
        share[i] = 100.0 * (i + 1) / n;
    for (int r = 0; r <= v->row_count && count < ROWS_MAX; ++r) {
        const carom_validate_row *row = r < v->row_count ? &v->rows[r] : NULL;
        const double *errors = !row ? v->bounds : angles ? row->angles : row->errors;
        if (!errors)
            continue;
        double *sorted = numbers + (size_t)count * (size_t)n;
        memcpy(sorted, errors, (size_t)n * sizeof *sorted);
        qsort(sorted, (size_t)n, sizeof *sorted, ascending);
        series[count++] = (carom_plot_series){ .name = row ? row->name : "best impulse",
                                               .x = sorted,
                                               .y = share,
                                               .count = n,
                                               .dash = row ? NULL : "4 3" };
    }
    carom_plot plot = { .title = angles ? "Errors of the rotation" : "Errors",
                        .x = { .label = angles ? "mean angle" : "error",
                               .unit = angles      ? "degrees"
                                       : v->tosses ? "widths"
                                                   : "" },
                        .y = { .label = "cases below", .unit = "%", .min = 0, .max = 100 },
                        .series = series,
                        .count = count };
    draw(text, plot, "How many of the judged cases have an error below a value.");
    free(numbers);
}

// Means of y over groups of equal size in the order of x.
typedef struct pair {
    double x, y;
} pair;

static void group_means(pair *pairs, int count, double *x, double *y)
{
    qsort(pairs, (size_t)count, sizeof *pairs, ascending);
    for (int g = 0; g < GROUPS; ++g) {
        int from = count * g / GROUPS, to = count * (g + 1) / GROUPS;
        x[g] = y[g] = 0;
        for (int i = from; i < to; ++i) {
            x[g] += pairs[i].x / (to - from);
            y[g] += pairs[i].y / (to - from);
        }
    }
}

typedef struct scatter {
    const char *title, *caption, *y_label;
    carom_plot_axis x;
    double (*at)(const carom_validate_measured *m);
    double (*of)(const carom_validate_measured *m);
    bool fitted; // the restitution of the first law's material goes with it
} scatter;

// Means by tenths of what was measured, or of the restitution that a material has there.
static bool find_means(const carom_validation *v, const scatter *s,
                       const carom_validate_material *material, double means[2][GROUPS])
{
    int n = v->judged;
    pair *pairs = malloc((size_t)n * sizeof *pairs);
    if (!pairs)
        return false;
    for (int i = 0; i < n; ++i) {
        const carom_validate_measured *m = &v->measured[i];
        pairs[i] =
            (pair){ s->at(m), material ? carom_validate_restitution(material, m->approach, m->slip)
                                       : s->of(m) };
    }
    group_means(pairs, n, means[0], means[1]);
    free(pairs);
    return true;
}

// The first law that has a material; null: none.
static const carom_validate_row *first_law(const carom_validation *v)
{
    for (int r = 0; r < v->row_count; ++r)
        if (v->rows[r].law && !v->rows[r].failed[0])
            return &v->rows[r];
    return NULL;
}

static void add_scatter(const carom_validation *v, carom_text *text, const scatter *s)
{
    int n = v->judged, count = 2;
    double *x = malloc(2 * (size_t)n * sizeof *x), means[2][GROUPS], fitted[2][GROUPS];
    const carom_validate_row *law = s->fitted ? first_law(v) : NULL;
    char name[96] = "";
    if (!x || !find_means(v, s, NULL, means) ||
        (law && !find_means(v, s, &law->material, fitted))) {
        text->failed = true;
        free(x);
        return;
    }
    for (int i = 0; i < n; ++i) {
        x[i] = s->at(&v->measured[i]);
        x[n + i] = s->of(&v->measured[i]);
    }
    carom_plot_series series[3] = {
        { .name = "impacts", .x = x, .y = x + n, .count = n, .kind = CAROM_PLOT_DOTS },
        { .name = "mean of a tenth", .x = means[0], .y = means[1], .count = GROUPS, .width = 3 },
    };
    if (law) {
        snprintf(name, sizeof name, "as fitted with %s", law->name);
        series[count++] = (carom_plot_series){
            .name = name, .x = fitted[0], .y = fitted[1], .count = GROUPS, .width = 3, .dash = "6 4"
        };
    }
    draw(text,
         (carom_plot){ .title = s->title,
                       .x = s->x,
                       .y = { .label = s->y_label },
                       .series = series,
                       .count = count },
         s->caption);
    free(x);
}

static double approach_of(const carom_validate_measured *m)
{
    return m->approach;
}

static double slip_of(const carom_validate_measured *m)
{
    return fabs(m->slip);
}

static double free_slip_of(const carom_validate_measured *m)
{
    return m->free_slip;
}

static double restitution_of(const carom_validate_measured *m)
{
    return m->restitution;
}

static double friction_of(const carom_validate_measured *m)
{
    return m->friction;
}

static const scatter scatters[] = {
    { "Restitution by impact speed",
      "Normal speed after / before.",
      "restitution",
      { .label = "approach speed", .unit = "m/s" },
      approach_of,
      restitution_of,
      true },
    { "Restitution by slip",
      "Normal speed after / before.",
      "restitution",
      { .label = "slip before", .unit = "m/s" },
      slip_of,
      restitution_of,
      true },
    { "Friction by slip",
      "Tangential / normal impulse over the slip that would be left without friction. "
      "Coulomb's law is a Z: constant where it slides either way, a slope through nought where "
      "it sticks.",
      "impulse ratio",
      { .label = "slip without friction", .unit = "m/s" },
      free_slip_of,
      friction_of,
      false },
};
enum { BY_SPEED, BY_SLIP, FRICTION, SCATTERS };

// What the tenths say, in words.
static void add_material(const carom_validation *v, carom_text *text)
{
    char words[640];
    double means[SCATTERS][2][GROUPS];
    const char *title = "What the measurements say, whatever the law";
    if (v->judged < GROUPS)
        return;
    for (int i = 0; i < SCATTERS; ++i)
        if (!find_means(v, &scatters[i], NULL, means[i])) {
            text->failed = true;
            return;
        }
    const double *speed = means[BY_SPEED][1], *slip = means[BY_SLIP][1], *mu = means[FRICTION][1];
    snprintf(words, sizeof words,
             "From the impulse at the contact that explains each measured change of velocity best. "
             "Restitution is %.2f in the tenth with the slowest approach (%.2f m/s) and %.2f in "
             "the fastest (%.2f m/s); %.2f where the slip is least (%.2f m/s) and %.2f where it is "
             "largest (%.2f m/s). The tangential impulse is %+.3f and %+.3f of the normal one in "
             "the tenths that slide most either way.",
             speed[0], means[BY_SPEED][0][0], speed[GROUPS - 1], means[BY_SPEED][0][GROUPS - 1],
             slip[0], means[BY_SLIP][0][0], slip[GROUPS - 1], means[BY_SLIP][0][GROUPS - 1], mu[0],
             mu[GROUPS - 1]);
    carom_page_section(text, title, words);
    for (int i = 0; i < SCATTERS; ++i)
        add_scatter(v, text, &scatters[i]);
}

// -- page ------------------------------------------------------------------------------------

static void add_bounds(const carom_validation *v, carom_text *text)
{
    char words[512];
    int used =
        snprintf(words, sizeof words,
                 "No impulse at the contact point can have a mean error below %.4f.", v->bound);
    if (v->other_bound < 0.5 * v->bound)
        snprintf(words + used, sizeof words - (size_t)used,
                 " If spin counted the other way round in the tangential rows of the file it would "
                 "be %.4f: the file seems to be inconsistent (--reverse-spin).",
                 v->other_bound);
    carom_page_section(text, "The bound", words);
}

// What the column means, where a material has it.
static void add_fade(const carom_validation *v, carom_text *text)
{
    char words[256];
    const carom_validate_row *law = first_law(v);
    if (!law || law->material.fade == 0)
        return;
    snprintf(words, sizeof words,
             "e = 1 - (1 - restitution) (u / %g m/s)^fade, u = %s. Engines have one restitution.",
             law->material.speed,
             law->material.slip > 0 ? "sqrt(approach^2 + (2 slip)^2)" : "approach speed");
    carom_page_section(text, "Restitution that falls", words);
}

char *carom_validate_html(const carom_validation *validation)
{
    carom_text text = { 0 };
    char words[256];
    const carom_validation *v = validation;
    if (!v)
        return NULL;
    snprintf(words, sizeof words,
             "Restitution and friction fitted on %d %s, judged on %d others. %s", v->fitted,
             v->tosses ? "tosses" : "impacts", v->judged,
             v->tosses ? "Errors: means over all frames, position in widths of the cube."
                       : "Error: |v - measured| / |v before| in the norm of the kinetic energy.");
    carom_page_begin(&text, v->tosses ? "Carom: measured tosses" : "Carom: measured impacts",
                     words);
    add_table(v, &text);
    add_fade(v, &text);
    if (!v->tosses)
        add_bounds(v, &text);
    carom_page_section(&text, "How the errors are distributed", NULL);
    add_distribution(v, &text, false);
    if (v->tosses)
        add_distribution(v, &text, true);
    else
        add_material(v, &text);
    carom_page_end(&text);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

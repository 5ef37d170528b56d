// The page of one or more comparisons: pictures and tables in one file.
#include "carom/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "draw/page.h"

enum { CELL = 96, FIGURE_COLUMNS = 6 + CAROM_PROMISE_COUNT, BODIES_MAX = 60 };

typedef struct cells {
    char (*text)[CELL];
    const char **list;
    int rows, columns;
} cells;

static int cells_make(cells *c, int rows, int columns)
{
    *c = (cells){ .rows = rows, .columns = columns };
    c->text = calloc((size_t)rows * (size_t)columns, sizeof *c->text);
    c->list = calloc((size_t)rows * (size_t)columns, sizeof *c->list);
    for (int i = 0; c->text && c->list && i < rows * columns; ++i)
        c->list[i] = c->text[i];
    return c->text && c->list;
}

static char *cell(cells *c, int row, int column)
{
    return c->text[row * c->columns + column];
}

static void cells_show(cells *c, carom_text *text)
{
    carom_page_table(text, c->list, c->rows, c->columns);
}

static void cells_free(cells *c)
{
    free(c->text);
    free(c->list);
}

static void figures_row(const carom_compare *compare, int index, cells *c)
{
    const carom_compare_row *row = carom_compare_at(compare, index);
    int line = index + 1;
    int column = 0;
    const carom_impact_report *report = &row->outcome.report;
    snprintf(cell(c, line, column++), CELL, "%s", carom_law_name(row->law));
    if (row->status != CAROM_OK) {
        snprintf(cell(c, line, column), CELL, "%s", carom_compare_end(row));
        return;
    }
    snprintf(cell(c, line, column++), CELL, "%.6f", row->figures.energy_ratio);
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        snprintf(cell(c, line, column++), CELL, "%s",
                 carom_desiderata_word(row->figures.of[i].verdict));
    if (row->figures.distance >= 0)
        snprintf(cell(c, line, column), CELL, "%.4f", row->figures.distance);
    snprintf(cell(c, line, ++column), CELL, "%d", report->sweeps);
    snprintf(cell(c, line, ++column), CELL, "%.1f", 1e6 * row->seconds);
    snprintf(cell(c, line, ++column), CELL, "%s%s%s", carom_compare_end(row),
             report->limited ? ", limited" : "",
             carom_compare_frictionless(compare, row) ? ", no friction" : "");
}

static void figures_table(const carom_compare *compare, carom_text *text)
{
    cells c;
    int rows = carom_compare_count(compare), column = 0;
    if (!cells_make(&c, rows + 1, FIGURE_COLUMNS)) {
        text->failed = true;
        cells_free(&c);
        return;
    }
    snprintf(cell(&c, 0, column++), CELL, "law");
    snprintf(cell(&c, 0, column++), CELL, "energy after / before");
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i)
        snprintf(cell(&c, 0, column++), CELL, "%s", carom_law_promise_name(i));
    snprintf(cell(&c, 0, column++), CELL, "distance to springs");
    snprintf(cell(&c, 0, column++), CELL, "sweeps");
    snprintf(cell(&c, 0, column++), CELL, "time (\xC2\xB5s)");
    snprintf(cell(&c, 0, column++), CELL, "end");
    for (int i = 0; i < rows; ++i)
        figures_row(compare, i, &c);
    cells_show(&c, text);
    cells_free(&c);
}

// "0.250 0.000 -1.000" without the axes nothing moves along.
static void show_vector(const double v[3], const int axes[3], char *out)
{
    size_t used = 0;
    for (int k = 0; k < 3; ++k)
        if (axes[k])
            used += (size_t)snprintf(out + used, CELL - used, "%s%.4f", used ? " " : "",
                                     fabs(v[k]) < 5e-5 ? 0.0 : v[k]);
}

static void find_axes(const carom_compare *compare, int axes[3])
{
    const carom_impact *impact = carom_scene_impact_problem(carom_compare_scene(compare));
    double fastest = 0, max[3] = { 0 };
    for (int i = 0; i < impact->body_count; ++i)
        for (int k = 0; k < 3; ++k) {
            max[k] = fmax(max[k], fabs(impact->bodies[i].velocity[k]));
            for (int r = 0; r < carom_compare_count(compare); ++r)
                if (carom_compare_at(compare, r)->status == CAROM_OK)
                    max[k] =
                        fmax(max[k], fabs(carom_compare_at(compare, r)->outcome.velocities[i][k]));
            fastest = fmax(fastest, max[k]);
        }
    for (int k = 0; k < 3; ++k)
        axes[k] = max[k] > 1e-9 * fastest;
    if (!axes[0] && !axes[1] && !axes[2])
        axes[0] = 1;
}

static void velocity_table(const carom_compare *compare, carom_text *text)
{
    const carom_scene_impact *scene = carom_compare_scene(compare);
    const carom_impact *impact = carom_scene_impact_problem(scene);
    int bodies = impact->body_count < BODIES_MAX ? impact->body_count : BODIES_MAX;
    int laws = carom_compare_count(compare), axes[3];
    cells c;
    if (!cells_make(&c, bodies + 1, laws + 2)) {
        text->failed = true;
        cells_free(&c);
        return;
    }
    find_axes(compare, axes);
    snprintf(cell(&c, 0, 0), CELL, "body (%s%s%s, m/s)", axes[0] ? "x" : "", axes[1] ? "y" : "",
             axes[2] ? "z" : "");
    snprintf(cell(&c, 0, 1), CELL, "before");
    for (int r = 0; r < laws; ++r)
        snprintf(cell(&c, 0, r + 2), CELL, "%s", carom_law_name(carom_compare_at(compare, r)->law));
    for (int i = 0; i < bodies; ++i) {
        snprintf(cell(&c, i + 1, 0), CELL, "%.60s", carom_scene_impact_body_name(scene, i));
        show_vector(impact->bodies[i].velocity, axes, cell(&c, i + 1, 1));
        for (int r = 0; r < laws; ++r) {
            const carom_compare_row *row = carom_compare_at(compare, r);
            if (row->status == CAROM_OK)
                show_vector(row->outcome.velocities[i], axes, cell(&c, i + 1, r + 2));
        }
    }
    cells_show(&c, text);
    cells_free(&c);
}

static void section(const carom_compare *compare, carom_text *text)
{
    const carom_scene_impact *scene = carom_compare_scene(compare);
    char *svg = carom_compare_svg(compare);
    if (!svg) {
        text->failed = true;
        return;
    }
    carom_page_section(text, carom_scene_impact_title(scene), carom_scene_impact_note(scene));
    carom_page_picture(text, &(carom_text){ .bytes = svg, .length = strlen(svg) },
                       "Velocities before and after by each law; the thickness of a line through a "
                       "contact is its impulse.");
    figures_table(compare, text);
    velocity_table(compare, text);
    free(svg);
}

char *carom_compare_html(const carom_compare *const *compares, int count, const char *title)
{
    if (!title)
        return NULL;
    carom_text text = { 0 };
    carom_page_begin(&text, title,
                     "Impact laws side by side: what each makes of the same instant.");
    for (int i = 0; i < count; ++i)
        section(compares[i], &text);
    carom_page_section(&text, "What the verdicts mean", NULL);
    cells c;
    if (cells_make(&c, CAROM_PROMISE_COUNT + 1, 2)) {
        snprintf(cell(&c, 0, 0), CELL, "sign");
        snprintf(cell(&c, 0, 1), CELL, "meaning");
        for (int i = 0; i < CAROM_PROMISE_COUNT; ++i) {
            snprintf(cell(&c, i + 1, 0), CELL, "%s", carom_law_promise_name(i));
            c.list[2 * (i + 1) + 1] = carom_law_promise_sentence(i);
        }
        cells_show(&c, &text);
    } else {
        text.failed = true;
    }
    cells_free(&c);
    carom_page_end(&text);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

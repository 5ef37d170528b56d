// Measurements as CSV, as a plot, and as a map where they stand on a grid.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "carom/measure.h"
#include "draw/plot.h"

static carom_status hand_over(carom_text *out, char **text, carom_error *err)
{
    carom_status status = carom_text_status(out, err);
    if (status != CAROM_OK)
        carom_text_free(out);
    *text = out->bytes;
    return status;
}

// Headings without blanks, with the unit behind: "weight above" in N becomes weight_above_N.
static void add_heading(carom_text *text, const carom_measure_column *column)
{
    for (const char *at = column->name; *at; ++at)
        carom_text_add(text, "%c", *at == ' ' || *at == ',' || *at == '"' ? '_' : *at);
    carom_text_add(text, "%s", *column->unit ? "_" : "");
    for (const char *at = column->unit; *at; ++at)
        if (*at == '/')
            carom_text_add(text, "_per_");
        else
            carom_text_add(text, "%c", *at);
}

carom_status carom_measure_csv(const carom_measure_table *table, char **text, carom_error *err)
{
    NEED(err, table, text);
    carom_text out = { 0 };
    for (int c = 0; c < table->column_count; ++c) {
        carom_text_add(&out, "%s", c ? "," : "");
        add_heading(&out, &table->columns[c]);
    }
    carom_text_add(&out, "\n");
    for (int r = 0; r < table->rows; ++r) {
        for (int c = 0; c < table->column_count; ++c) {
            char digits[32];
            carom_text_digits(table->columns[c].values[r], digits);
            carom_text_add(&out, "%s%s", c ? "," : "", digits);
        }
        carom_text_add(&out, "\n");
    }
    return hand_over(&out, text, err);
}

static void draw_plot(const carom_measure_table *table, carom_svg *svg)
{
    carom_plot_series series[CAROM_MEASURE_COLUMNS];
    const carom_measure_column *axis = &table->columns[table->axis];
    int count = 0;
    for (int c = 0; c < table->column_count; ++c) {
        const carom_measure_column *column = &table->columns[c];
        if (column->shown)
            series[count++] = (carom_plot_series){
                .name = column->name,
                .x = axis->values,
                .y = column->values,
                .count = table->rows,
                .kind = column->shown == 2 ? CAROM_PLOT_DOTS : CAROM_PLOT_LINE,
            };
    }
    if (count == 1)
        series[0].name = NULL; // the axis says it
    carom_plot plot = { .title = table->title,
                        .x = { .label = axis->name, .unit = axis->unit, .log = table->log_x },
                        .y = { .label = table->label, .unit = table->unit, .log = table->log_y },
                        .series = series,
                        .count = count,
                        .corner = { 10, 10 },
                        .size = { 620, 400 } };
    carom_plot_draw(svg, &plot);
}

// -- maps: a grid seen along the axis with fewest cells -------------------------------------------

typedef struct map {
    const carom_measure_table *table;
    int along[3]; // axes: across, up, into the picture
    double min, max;
} map;

static double map_value(const map *p, int i, int k)
{
    const carom_measure_table *t = p->table;
    int stride[3] = { 1, t->cells[0], t->cells[0] * t->cells[1] }, count = 0;
    double sum = 0;
    for (int depth = 0; depth < t->cells[p->along[2]]; ++depth) {
        int row = i * stride[p->along[0]] + k * stride[p->along[1]] + depth * stride[p->along[2]];
        double value = t->columns[t->map].values[row];
        if (isfinite(value)) {
            sum += value;
            ++count;
        }
    }
    return count ? sum / count : (double)NAN;
}

// Axis 0 to 2 with fewest cells is looked along; of the others the higher one points up.
static map map_of(const carom_measure_table *t)
{
    int deep = 1;
    for (int k = 0; k < 3; ++k)
        if (t->cells[k] < t->cells[deep])
            deep = k;
    map p = { .table = t, .along = { deep == 0 ? 1 : 0, deep == 2 ? 1 : 2, deep } };
    p.min = HUGE_VAL;
    p.max = -HUGE_VAL;
    for (int i = 0; i < t->cells[p.along[0]]; ++i)
        for (int k = 0; k < t->cells[p.along[1]]; ++k) {
            double value = map_value(&p, i, k);
            if (isfinite(value)) {
                p.min = fmin(p.min, value);
                p.max = fmax(p.max, value);
            }
        }
    p.min = fmin(p.min, 0);
    if (!(p.max > p.min))
        p.max = p.min + 1;
    return p;
}

static void fill_of(const map *p, double value, char out[8])
{
    snprintf(out, 8, "#%06x", carom_svg_ramp((value - p->min) / (p->max - p->min)));
}

// Least and most along an axis of the grid, of the cells' edges.
static void edges(const map *p, int side, double out[2])
{
    const carom_measure_table *t = p->table;
    int axis = p->along[side], cells = t->cells[axis];
    const double *centre = t->columns[axis].values;
    double width = cells > 1 ? (centre[t->rows - 1] - centre[0]) / (cells - 1) : 1;
    out[0] = centre[0] - 0.5 * width;
    out[1] = centre[0] + (cells - 0.5) * width;
}

static void draw_scale(carom_svg *svg, const map *p)
{
    enum { STEPS = 64 };
    const carom_measure_table *t = p->table;
    double top = 44, height = 320, x = 560;
    for (int i = 0; i < STEPS; ++i) {
        char fill[8];
        fill_of(p, p->min + (p->max - p->min) * (i + 0.5) / STEPS, fill);
        double corner[2] = { x, top + height * (STEPS - 1 - i) / STEPS };
        carom_svg_box(svg, corner, (double[2]){ 16, height / STEPS + 0.6 },
                      (carom_svg_style){ .fill = fill });
    }
    double step = carom_plot_tick(p->max - p->min, 6);
    for (double v = ceil(p->min / step) * step; v <= p->max + 1e-9 * step; v += step) {
        char words[32];
        snprintf(words, sizeof words, "%.4g", fabs(v) < 1e-9 * step ? 0.0 : v);
        carom_svg_text_at(
            svg, (double[2]){ x + 22, top + height * (1 - (v - p->min) / (p->max - p->min)) + 4 },
            (carom_svg_text){ .size = 11, .role = "mid" }, words);
    }
    char words[80];
    snprintf(words, sizeof words, "%s (%s)", t->columns[t->map].name,
             *t->columns[t->map].unit ? t->columns[t->map].unit : "-");
    carom_svg_text_at(svg, (double[2]){ 630, 34 }, (carom_svg_text){ .size = 11, .anchor = "end" },
                      words);
}

// Cells with the ratio of the box, as large as the room allows.
static void draw_map(const carom_measure_table *t, carom_svg *svg)
{
    map p = map_of(t);
    double across[2], up[2], left = 72, top = 44, room[2] = { 450, 320 };
    edges(&p, 0, across);
    edges(&p, 1, up);
    double scale = fmin(room[0] / (across[1] - across[0]), room[1] / (up[1] - up[0]));
    double size[2] = { scale * (across[1] - across[0]), scale * (up[1] - up[0]) };
    left += 0.5 * (room[0] - size[0]);
    top += 0.5 * (room[1] - size[1]);
    carom_plot axes = {
        .x = { .label = t->columns[p.along[0]].name,
               .unit = "m",
               .min = across[0],
               .max = across[1] },
        .y = { .label = t->columns[p.along[1]].name, .unit = "m", .min = up[0], .max = up[1] },
        .corner = { left - 62, top - 30 },
        .size = { size[0] + 76, size[1] + 76 }
    };
    carom_plot_draw(svg, &axes);
    int n[2] = { t->cells[p.along[0]], t->cells[p.along[1]] };
    double cell[2] = { size[0] / n[0], size[1] / n[1] };
    for (int i = 0; i < n[0]; ++i)
        for (int k = 0; k < n[1]; ++k) {
            double value = map_value(&p, i, k);
            char fill[8];
            fill_of(&p, value, fill);
            if (isfinite(value))
                carom_svg_box(
                    svg, (double[2]){ left + i * cell[0], top + (n[1] - 1 - k) * cell[1] },
                    (double[2]){ cell[0] + 0.4, cell[1] + 0.4 }, (carom_svg_style){ .fill = fill });
        }
    carom_svg_text_at(svg, (double[2]){ 20, 24 }, (carom_svg_text){ .size = 13, .bold = 1 },
                      t->title);
    draw_scale(svg, &p);
}

carom_status carom_measure_svg(const carom_measure_table *table, char **text, carom_error *err)
{
    NEED(err, table, text);
    carom_text out = { 0 };
    int divided = 0;
    for (int k = 0; k < 3; ++k)
        divided += table->cells[k] > 1;
    carom_svg svg = carom_svg_begin(&out, 640, 420, table->title);
    if (divided > 1)
        draw_map(table, &svg);
    else
        draw_plot(table, &svg);
    carom_svg_end(&svg);
    return hand_over(&out, text, err);
}

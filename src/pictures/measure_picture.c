// Measurements as CSV and as a plot.
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

carom_status carom_measure_svg(const carom_measure_table *table, char **text, carom_error *err)
{
    NEED(err, table, text);
    carom_text out = { 0 };
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
    carom_svg svg = carom_svg_begin(&out, 640, 420, table->title);
    carom_plot plot = { .title = table->title,
                        .x = { .label = axis->name, .unit = axis->unit, .log = table->log_x },
                        .y = { .label = table->label, .unit = table->unit, .log = table->log_y },
                        .series = series,
                        .count = count,
                        .corner = { 10, 10 },
                        .size = { 620, 400 } };
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
    return hand_over(&out, text, err);
}

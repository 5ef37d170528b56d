// A figure of bounce curves as a picture: one plot, every column a series.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "carom/bounce_figure.h"
#include "draw/plot.h"

static void draw(carom_text *text, const carom_bounce_figure *f, double *columns)
{
    carom_plot_series series[CAROM_BOUNCE_FIGURE_COLUMNS] = { { 0 } };
    size_t rows = (size_t)f->rows;
    bool cloud = f->number == 20;
    for (int c = 0; c < f->columns; ++c)
        for (size_t r = 0; r < rows; ++r)
            columns[(size_t)c * rows + r] = f->values[r * (size_t)f->columns + (size_t)c];
    for (int c = 1; c < f->columns; ++c)
        series[c - 1] = (carom_plot_series){ .name = f->columns > 2 ? f->names[c] : NULL,
                                             .x = columns,
                                             .y = columns + (size_t)c * rows,
                                             .count = f->rows,
                                             .kind = cloud ? CAROM_PLOT_DOTS : CAROM_PLOT_LINE,
                                             .width = cloud ? 1.2 : 1.4 };
    carom_plot plot = { .title = f->title,
                        .x = { .label = f->across, .unit = f->unit, .log = f->log != 0 },
                        .y = { .label = f->number == 3 ? "restitution, tau / ms" : "restitution",
                               .min = 0,
                               .max = 1 },
                        .series = series,
                        .count = f->columns - 1,
                        .corner = { 10, 10 },
                        .size = { 700, 400 } };
    carom_svg svg = carom_svg_begin(text, 720, 420, f->title);
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
}

carom_status carom_bounce_figure_svg(const carom_bounce_figure *figure, char **out,
                                     carom_error *err)
{
    NEED(err, figure, out);
    NEED(err, figure->values);
    carom_text text = { 0 };
    double *columns = malloc((size_t)figure->rows * (size_t)figure->columns * sizeof *columns + 1);
    *out = NULL;
    if (!columns)
        return carom_error_no_memory(err, "a picture");
    draw(&text, figure, columns);
    free(columns);
    carom_status status = carom_text_status(&text, err);
    if (status == CAROM_OK)
        *out = text.bytes;
    else
        carom_text_free(&text);
    return status;
}

// The angle of repose over friction, one line per scene [ETM, figure 15].
#include "carom/repose.h"

#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/text.h"
#include "draw/plot.h"

typedef struct columns {
    double *x, *y, *bar_x, *bar_y; // per point; bars have two ends
} columns;

// The series as lines with dots, and one bar per point.
static int fill(const carom_repose_point *points, int count, columns *c, carom_plot_series *series)
{
    int lines = 0, used = 0, first = 0;
    for (int i = 0; i < count; ++i) {
        c->x[i] = points[i].friction;
        c->y[i] = points[i].angle;
        c->bar_x[2 * i] = c->bar_x[2 * i + 1] = points[i].friction;
        c->bar_y[2 * i] = points[i].low;
        c->bar_y[2 * i + 1] = points[i].high;
    }
    for (int end = 1; end <= count; ++end) {
        if (end < count && strcmp(points[end].series, points[first].series) == 0)
            continue;
        const char *role = carom_svg_series(lines++);
        int n = end - first;
        series[used++] = (carom_plot_series){ points[first].series, c->x + first, c->y + first, n,
                                              CAROM_PLOT_LINE,      role,         NULL,         0 };
        series[used++] = (carom_plot_series){
            NULL, c->x + first, c->y + first, n, CAROM_PLOT_DOTS, role, NULL, 0
        };
        for (int i = first; i < end; ++i)
            series[used++] = (carom_plot_series){
                NULL, c->bar_x + 2 * i, c->bar_y + 2 * i, 2, CAROM_PLOT_LINE, role, NULL, 0.8
            };
        first = end;
    }
    return used;
}

carom_status carom_repose_svg(const carom_repose_point *points, int count, char **text,
                              carom_error *err)
{
    NEED(err, text);
    size_t n = count > 0 ? (size_t)count : 1;
    double *numbers = malloc(6 * n * sizeof *numbers);
    carom_plot_series *series = malloc(3 * n * sizeof *series);
    carom_text out = { 0 };
    if (!numbers || !series) {
        free(numbers);
        free(series);
        return carom_error_no_memory(err, "a picture of %d points", count);
    }
    columns c = { numbers, numbers + n, numbers + 2 * n, numbers + 4 * n };
    carom_svg svg = carom_svg_begin(&out, 640, 420, "Angle of repose");
    carom_plot plot = { .title = "angle of repose",
                        .x = { .label = "friction coefficient" },
                        .y = { .label = "angle", .unit = "degrees" },
                        .series = series,
                        .count = fill(points, count, &c, series),
                        .corner = { 10, 10 },
                        .size = { 620, 400 } };
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
    free(numbers);
    free(series);
    carom_status status = carom_text_status(&out, err);
    if (status != CAROM_OK)
        carom_text_free(&out);
    *text = out.bytes;
    return status;
}

// Plots of the ledger over time, with units.
#include "export/export_svg.h"

#include <stdio.h>
#include <math.h>
#include <string.h>
#include "draw/plot.h"
#include "export/export_columns.h"
#include "export/recording.h"

enum { POINTS_MAX = 1500, LINES_MAX = 4 };

typedef struct line {
    const char *name;
    double (*value)(const carom_ledger *ledger);
} line;

static double kinetic(const carom_ledger *l)
{
    return l->kinetic;
}
static double potential(const carom_ledger *l)
{
    return l->potential;
}
static double total(const carom_ledger *l)
{
    return l->kinetic + l->potential;
}
static double momentum_x(const carom_ledger *l)
{
    return l->momentum[0];
}
static double momentum_y(const carom_ledger *l)
{
    return l->momentum[1];
}
static double momentum_z(const carom_ledger *l)
{
    return l->momentum[2];
}
static double deepest(const carom_ledger *l)
{
    return l->overlap;
}

static const struct {
    const char *title, *label, *unit;
    line lines[LINES_MAX];
} plots[] = {
    { "Energy",
      "energy",
      "J",
      { { "kinetic", kinetic }, { "potential", potential }, { "sum", total } } },
    { "Momentum",
      "momentum",
      "kg m/s",
      { { "x", momentum_x }, { "y", momentum_y }, { "z", momentum_z } } },
    { "Deepest overlap", "overlap", "m", { { NULL, deepest } } },
};

// Every so many frames; impacts are jumps, so the points are those of frames, never means.
static carom_status gather(carom_recording *recording, int which, carom_plot_series *series,
                           int *count, carom_error *err)
{
    int64_t frames = carom_recording_frame_count(recording), stride = (frames - 1) / POINTS_MAX + 1;
    size_t points = (size_t)((frames - 1) / stride + 1);
    double *time;
    TAKE(recording->scratch, time, points, err);
    for (*count = 0; *count < LINES_MAX && plots[which].lines[*count].value; ++*count) {
        const line *l = &plots[which].lines[*count];
        double *value;
        TAKE(recording->scratch, value, points, err);
        for (size_t k = 0; k < points; ++k) {
            carom_frame frame;
            TRY(carom_recording_frame(recording, (int64_t)k * stride, &frame, err));
            time[k] = frame.time;
            value[k] = l->value(&frame.ledger);
        }
        series[*count] =
            (carom_plot_series){ .name = l->name, .x = time, .y = value, .count = (int)points };
    }
    return CAROM_OK;
}

// What is round-off in a plot: a billionth of the energy at stake, of the momentum that energy can
// have, of the size of the smallest body.
static double fine_of(const carom_recording *recording, int which)
{
    double energy = 0, mass = 0, size = HUGE_VAL;
    int64_t frames = carom_recording_frame_count(recording);
    for (int64_t m = 0; m < frames; ++m) {
        carom_frame frame;
        if (carom_recording_frame(recording, m, &frame, NULL) == CAROM_OK)
            energy = fmax(energy, frame.ledger.peak_kinetic);
    }
    for (int i = 0; i < recording->count; ++i)
        if (recording->mass[i] > 0) {
            mass += recording->mass[i];
            size = fmin(size, carom_shape_radius(recording->forms[recording->form[i]].shape));
        }
    double scale = which == 0 ? energy : which == 1 ? sqrt(2 * energy * mass) : size;
    return scale < HUGE_VAL ? 1e-9 * scale : 0;
}

carom_status carom_export_plot_draw(carom_recording *recording, carom_svg *svg, int which,
                                    const double corner[2], const double size[2], carom_error *err)
{
    carom_plot_series series[LINES_MAX];
    carom_arena_mark mark = carom_arena_mark_here(recording->scratch);
    carom_plot plot = { .title = plots[which].title,
                        .x = { .label = "time", .unit = "s" },
                        .y = { .label = plots[which].label,
                               .unit = plots[which].unit,
                               .fine = fine_of(recording, which) },
                        .series = series };
    memcpy(plot.corner, corner, sizeof plot.corner);
    memcpy(plot.size, size, sizeof plot.size);
    carom_status status = gather(recording, which, series, &plot.count, err);
    if (status == CAROM_OK)
        carom_plot_draw(svg, &plot);
    carom_arena_rewind(recording->scratch, mark);
    return status;
}

carom_status carom_export_plot(carom_recording *recording, carom_export_graph graph, double width,
                               double height, FILE *file, carom_error *err)
{
    NEED(err, recording, file);
    if ((unsigned)graph > CAROM_EXPORT_GRAPH_ALL)
        return carom_error_set(err, CAROM_BAD_INPUT, "there is no plot number %d", (int)graph);
    carom_text text = { 0 };
    bool all = graph == CAROM_EXPORT_GRAPH_ALL;
    int count = all ? 3 : 1;
    carom_svg svg = carom_svg_begin(&text, width, height * count, carom_recording_title(recording));
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < count; ++k)
        status =
            carom_export_plot_draw(recording, &svg, all ? k : (int)graph,
                                   (double[2]){ 0, height * k }, (double[2]){ width, height }, err);
    carom_svg_end(&svg);
    if (status == CAROM_OK)
        status = carom_export_columns_flush(&text, file, true, err);
    carom_text_free(&text);
    return status;
}

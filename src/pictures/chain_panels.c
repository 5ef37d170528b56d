// The four-panel figure of a chain run, as figs 3 to 8 and 11 of [EC], and the sweep over gaps.
//
// Deviation: the paper derives contact forces by differentiating positions twice; here they are the
// forces that acted. "Compression" of two bodies in the last panel is how much nearer their centres
// are than at rest, as in the paper.
#include "pictures/chain_panels.h"
#include "draw/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1080, HEIGHT = 820, HEAD = 60, ROWS_MAX = 320, LINES_MAX = 10, NAMED_MAX = 8 };

// A growing set of series over common memory.
typedef struct sheet {
    const carom_chain_report *report;
    const carom_chain_history *history;
    carom_arena *scratch;
    carom_plot_series *series;
    int count, capacity;
    size_t rows, stride;
    double *time;
} sheet;

static carom_status sheet_begin(sheet *s, const carom_chain_report *report,
                                const carom_chain_result *result, carom_arena *scratch,
                                carom_error *err)
{
    const carom_chain_history *h = &result->history;
    *s = (sheet){ .report = report, .history = h, .scratch = scratch };
    s->stride = (h->samples + ROWS_MAX - 1) / ROWS_MAX;
    s->stride = s->stride ? s->stride : 1;
    s->rows = (h->samples + s->stride - 1) / s->stride;
    s->capacity = (int)(h->points + 4 * h->bodies + h->contacts);
    TAKE(scratch, s->series, s->capacity, err);
    TAKE(scratch, s->time, s->rows + 1, err);
    for (size_t r = 0; r < s->rows; r++)
        s->time[r] = h->time[r * s->stride];
    return CAROM_OK;
}

// Adds column `column` of a history array of width `width` as a line over time.
static carom_status add_line(sheet *s, const double *values, size_t width, size_t column,
                             carom_plot_series look, carom_error *err)
{
    double *y;
    TAKE(s->scratch, y, s->rows + 1, err);
    for (size_t r = 0; r < s->rows; r++)
        y[r] = values[r * s->stride * width + column];
    look.x = look.x ? look.x : s->time;
    look.y = y;
    look.count = look.count ? look.count : (int)s->rows;
    s->series[s->count++] = look;
    return CAROM_OK;
}

static void draw(carom_svg *svg, sheet *s, carom_plot plot, int panel)
{
    plot.series = s->series;
    plot.count = s->count;
    plot.size[0] = WIDTH / 2;
    plot.size[1] = (HEIGHT - HEAD) / 2;
    plot.corner[0] = panel % 2 * plot.size[0];
    plot.corner[1] = HEAD + panel / 2 * plot.size[1];
    carom_plot_draw(svg, &plot);
    s->count = 0;
}

// One row of coloured names in the middle of a half of the heading.
static void legend(carom_svg *svg, double left, size_t count, const char (*names)[64])
{
    double wide = 0;
    for (size_t i = 0; i < count; i++)
        wide += 38 + 7.0 * (double)strlen(names[i]);
    double x = left + fmax((WIDTH / 2.0 - wide) / 2, 8);
    for (size_t i = 0; i < count; i++) {
        carom_svg_line(svg, (double[]){ x, 42 }, (double[]){ x + 18, 42 },
                       (carom_svg_style){ .stroke = carom_svg_series((int)i), .width = 3 });
        carom_svg_text_at(svg, (double[]){ x + 23, 46 }, (carom_svg_text){ .size = 12 }, names[i]);
        x += 38 + 7.0 * (double)strlen(names[i]);
    }
}

// Bodies on the left, contacts on the right; left out where there are too many colours to tell.
static void legends(carom_svg *svg, const sheet *s)
{
    char names[NAMED_MAX][64];
    size_t bodies = s->history->bodies;
    if (!s->report->names || bodies > NAMED_MAX)
        return;
    for (size_t b = 0; b < bodies; b++)
        snprintf(names[b], sizeof *names, "%.40s", s->report->names[b]);
    legend(svg, 0, bodies, (const char(*)[64])names);
    for (size_t c = 0; c + 1 < bodies; c++)
        snprintf(names[c], sizeof *names, "%.28s | %.28s", s->report->names[c],
                 s->report->names[c + 1]);
    legend(svg, WIDTH / 2.0, bodies - 1, (const char(*)[64])names);
}

// Points of a body that get a thin line: all where they are few, else every so many.
static size_t line_step(const carom_chain_history *h, size_t body)
{
    size_t points = h->first_point[body + 1] - h->first_point[body];
    return points > LINES_MAX ? (points + LINES_MAX - 2) / (LINES_MAX - 1) : 1;
}

static carom_status positions(carom_svg *svg, sheet *s, carom_error *err)
{
    const carom_chain_history *h = s->history;
    for (size_t b = 0; b < h->bodies; b++) {
        size_t last = h->first_point[b + 1] - 1;
        size_t step = line_step(h, b);
        for (size_t p = h->first_point[b]; p <= last;
             p = p < last && p + step > last ? last : p + step)
            TRY(add_line(s, h->point_position, h->points, p,
                         (carom_plot_series){ .role = "mid", .width = 0.5 }, err));
    }
    for (size_t b = 0; b < h->bodies; b++)
        TRY(add_line(s, h->position, h->bodies, b,
                     (carom_plot_series){ .role = carom_svg_series((int)b), .width = 2.4 }, err));
    draw(svg, s,
         (carom_plot){ .title = "positions (thick: centres of mass)",
                       .x = { .label = "time", .unit = "s" },
                       .y = { .label = "position", .unit = "m" } },
         0);
    return CAROM_OK;
}

// How much shorter one slice is than at the start, averaged over the stretch between two thin
// lines.
static carom_status inner_compressions(sheet *s, size_t b, carom_error *err)
{
    const carom_chain_history *h = s->history;
    const carom_chain_body *body = &s->report->chain->bodies[b];
    size_t last = h->first_point[b + 1] - 1;
    size_t step = line_step(h, b);
    if (last - h->first_point[b] < 3 || body->slices < 1)
        return CAROM_OK;
    for (size_t p = h->first_point[b]; p < last;) {
        size_t next = p + step > last ? last : p + step;
        double rest = h->point_position[next] - h->point_position[p];
        double slice = carom_chain_body_length(body) / body->slices;
        double *y;
        TAKE(s->scratch, y, s->rows + 1, err);
        for (size_t r = 0; r < s->rows; r++) {
            const double *row = h->point_position + r * s->stride * h->points;
            y[r] = slice * (1 - (row[next] - row[p]) / rest);
        }
        s->series[s->count++] = (carom_plot_series){
            .x = s->time, .y = y, .count = (int)s->rows, .role = "mid", .width = 0.5
        };
        p = next;
    }
    return CAROM_OK;
}

// Leaves a line out from where it falls below the panel until it is above zero again.
static void cut_below(double *y, size_t count, double bottom)
{
    bool out = false;
    for (size_t r = 0; r < count; r++) {
        out = out ? y[r] <= 0 : y[r] < bottom;
        y[r] = out ? (double)NAN : y[r];
    }
}

// Contacts, without the long way of bodies that fly apart: the panel ends below at half of the
// largest compression.
static carom_status compressions(carom_svg *svg, sheet *s, carom_error *err)
{
    const carom_chain_history *h = s->history;
    double max = 0;
    double min = 0;
    for (size_t b = 0; b < h->bodies; b++)
        TRY(inner_compressions(s, b, err));
    for (int i = 0; i < s->count; i++)
        for (int r = 0; r < s->series[i].count; r++) {
            max = fmax(max, s->series[i].y[r]);
            min = fmin(min, s->series[i].y[r]);
        }
    for (size_t i = 0; i < h->samples * h->contacts; i++)
        max = fmax(max, h->compression[i]);
    bool inner = s->count > 0;
    double bottom = fmin(1.1 * min, -0.4 * max);
    for (size_t c = 0; c < h->contacts; c++) {
        TRY(add_line(s, h->compression, h->contacts, c,
                     (carom_plot_series){ .role = carom_svg_series((int)c), .width = 2 }, err));
        cut_below((double *)s->series[s->count - 1].y, s->rows, bottom);
    }
    carom_plot plot = {
        .title = inner ? "compressions (thin: inside the bodies)" : "compressions (below 0: gaps)",
        .x = { .label = "time", .unit = "s" },
        .y = { .label = "compression", .unit = "m", .min = bottom, .max = 1.1 * max }
    };
    draw(svg, s, plot, 1);
    return CAROM_OK;
}

static carom_status velocities(carom_svg *svg, sheet *s, carom_error *err)
{
    const carom_chain_history *h = s->history;
    for (size_t b = 0; b < h->bodies; b++) {
        bool inside = h->first_point[b + 1] - h->first_point[b] > 2;
        // Halves tell waves from rigid motion; five bodies or more would only tangle.
        for (size_t half = 0; inside && half < 2 && h->bodies <= 3; half++)
            TRY(add_line(s, h->half_velocity, 2 * h->bodies, 2 * b + half,
                         (carom_plot_series){ .role = carom_svg_series((int)b),
                                              .dash = half ? "5 3" : "2 2",
                                              .width = 1 },
                         err));
    }
    for (size_t b = 0; b < h->bodies; b++)
        TRY(add_line(s, h->velocity, h->bodies, b,
                     (carom_plot_series){ .role = carom_svg_series((int)b), .width = 2 }, err));
    bool halves = s->count > (int)h->bodies;
    draw(svg, s,
         (carom_plot){ .title = halves ? "velocities (dotted, dashed: left and right halves)"
                                       : "velocities",
                       .x = { .label = "time", .unit = "s" },
                       .y = { .label = "velocity", .unit = "m/s" } },
         2);
    return CAROM_OK;
}

// Force over approach of the centres, while the contact carries force (and one row on either side).
static carom_status forces(carom_svg *svg, sheet *s, carom_error *err)
{
    const carom_chain_history *h = s->history;
    for (size_t c = 0; c < h->contacts; c++) {
        double *x, *y;
        int count = 0;
        TAKE(s->scratch, x, h->samples + 1, err);
        TAKE(s->scratch, y, h->samples + 1, err);
        for (size_t r = 0; r < h->samples; r++) {
            bool now = h->force[r * h->contacts + c] > 0;
            bool soon = r + 1 < h->samples && h->force[(r + 1) * h->contacts + c] > 0;
            bool just = r > 0 && h->force[(r - 1) * h->contacts + c] > 0;
            if (!now && !soon && !just)
                continue;
            x[count] = h->approach[r * h->contacts + c];
            y[count++] = h->force[r * h->contacts + c];
        }
        s->series[s->count++] = (carom_plot_series){
            .x = x, .y = y, .count = count, .role = carom_svg_series((int)c), .width = 1.4
        };
    }
    draw(svg, s,
         (carom_plot){ .title = "force over compression of the centres",
                       .x = { .label = "compression", .unit = "m" },
                       .y = { .label = "force", .unit = "N" } },
         3);
    return CAROM_OK;
}

carom_status carom_chain_panels_draw(const carom_chain_report *report,
                                     const carom_chain_result *result, carom_arena *scratch,
                                     carom_text *text, carom_error *err)
{
    sheet s;
    const char *title = report->title ? report->title : "A chain";
    TRY(sheet_begin(&s, report, result, scratch, err));
    carom_svg svg = carom_svg_begin(text, WIDTH, HEIGHT, title);
    carom_svg_text_at(&svg, (double[]){ WIDTH / 2.0, 22 },
                      (carom_svg_text){ .size = 16, .anchor = "middle", .bold = 1 }, title);
    legends(&svg, &s);
    TRY(positions(&svg, &s, err));
    TRY(compressions(&svg, &s, err));
    TRY(velocities(&svg, &s, err));
    TRY(forces(&svg, &s, err));
    carom_svg_end(&svg);
    return CAROM_OK;
}

carom_status carom_chain_panels_sweep(const carom_chain_report *report, carom_arena *scratch,
                                      carom_text *text, carom_error *err)
{
    const carom_chain_sweep *sweep = report->sweep;
    const char *title = report->title ? report->title : "Gaps";
    carom_plot_series *series;
    size_t count = 0;
    bool named = report->names && sweep->bodies <= NAMED_MAX;
    TAKE(scratch, series, 2 * sweep->bodies, err);
    for (size_t b = 0; b < sweep->bodies; b++) {
        double *y;
        TAKE(scratch, y, sweep->count + 1, err);
        for (size_t k = 0; k < sweep->count; k++)
            y[k] = sweep->velocity[k * sweep->bodies + b];
        series[count++] = (carom_plot_series){ .name = named ? report->names[b] : NULL,
                                               .x = sweep->gap,
                                               .y = y,
                                               .count = (int)sweep->count,
                                               .role = carom_svg_series((int)b) };
        series[count++] = (carom_plot_series){ .x = sweep->gap,
                                               .y = y,
                                               .count = (int)sweep->count,
                                               .kind = CAROM_PLOT_DOTS,
                                               .role = carom_svg_series((int)b) };
    }
    double width = 760, height = 460;
    carom_svg svg = carom_svg_begin(text, width, height, title);
    carom_plot plot = { .title = title,
                        .x = { .label = "gap before the impact", .unit = "m", .log = true },
                        .y = { .label = "velocity after", .unit = "m/s" },
                        .series = series,
                        .count = (int)count,
                        .corner = { 0, 0 },
                        .size = { width, height } };
    carom_plot_draw(&svg, &plot);
    carom_svg_end(&svg);
    return CAROM_OK;
}

// Ranges, ticks, curves and legends of a plot, drawn with svg.c.
#include "draw/plot.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 62, RIGHT = 14, TOP = 30, BOTTOM = 46 };

// Data to pixels, and the inner box.
typedef struct frame {
    double x0, x1, y0, y1;           // data range, in decades where the axis is logarithmic
    double left, right, top, bottom; // px
    bool log_x, log_y;
} frame;

static frame fit(const carom_plot *plot);
static void draw_axes(carom_svg *svg, const carom_plot *plot, const frame *f);
static void draw_series(carom_svg *svg, const carom_plot_series *series, int index, const frame *f);
static bool measure_legend(const carom_plot *plot, double box[4]);
static bool place_legend(const carom_plot *plot, const frame *f, double box[4]);
static void draw_legend(carom_svg *svg, const carom_plot *plot, const double box[4]);

void carom_plot_draw(carom_svg *svg, const carom_plot *plot)
{
    if (!svg || !plot)
        return;
    frame f = fit(plot);
    double legend[4] = { 0 };
    bool names = measure_legend(plot, legend);
    if (names && !place_legend(plot, &f, legend)) { // beside the plot: never over the data
        f.right -= legend[2] + 4;
        legend[0] = f.right + 8;
        legend[1] = f.top - 4;
    }
    draw_axes(svg, plot, &f);
    for (int i = 0; i < plot->count; ++i)
        draw_series(svg, &plot->series[i], i, &f);
    if (names)
        draw_legend(svg, plot, legend);
}

double carom_plot_tick(double span, int wanted)
{
    double raw = span / wanted, power = pow(10, floor(log10(raw))), ratio = raw / power;
    return power * (ratio <= 1.5 ? 1 : ratio <= 3.5 ? 2 : ratio <= 7.5 ? 5 : 10);
}

double carom_plot_share(double value, double low, double high, bool log)
{
    return log ? log10(value / low) / log10(high / low) : (value - low) / (high - low);
}

static bool usable(double value, bool log)
{
    return isfinite(value) && (!log || value > 0);
}

static void range_of(const carom_plot *plot, bool vertical, double *low, double *high)
{
    const carom_plot_axis *axis = vertical ? &plot->y : &plot->x;
    double min = DBL_MAX, max = -DBL_MAX;
    for (int i = 0; i < plot->count; ++i) {
        const carom_plot_series *series = &plot->series[i];
        const double *values = vertical ? series->y : series->x;
        for (int k = 0; k < series->count; ++k)
            if (usable(values[k], axis->log)) {
                double value = axis->log ? log10(values[k]) : values[k];
                min = fmin(min, value);
                max = fmax(max, value);
            }
        if (vertical && series->kind == CAROM_PLOT_BARS && !axis->log) {
            min = fmin(min, 0);
            max = fmax(max, 0);
        }
    }
    if (min > max)
        min = 0, max = 1;
    if (axis->min < axis->max) {
        min = axis->log ? log10(axis->min) : axis->min;
        max = axis->log ? log10(axis->max) : axis->max;
    } else {
        double span = max - min, size = fmax(fabs(min), fabs(max));
        double margin = span > 1e-12 * size ? (vertical ? 0.06 : 0.0) * span
                        : size > 0          ? 0.1 * size
                                            : 0.5;
        min -= margin;
        max += margin;
        double missing = axis->log ? 0 : axis->fine - (max - min);
        if (missing > 0) {
            min -= 0.5 * missing;
            max += 0.5 * missing;
        }
    }
    *low = min;
    *high = max;
}

static frame fit(const carom_plot *plot)
{
    frame f = { .log_x = plot->x.log, .log_y = plot->y.log };
    range_of(plot, false, &f.x0, &f.x1);
    range_of(plot, true, &f.y0, &f.y1);
    f.left = plot->corner[0] + LEFT;
    f.right = plot->corner[0] + plot->size[0] - RIGHT;
    f.top = plot->corner[1] + TOP;
    f.bottom = plot->corner[1] + plot->size[1] - BOTTOM;
    return f;
}

static double to_x(const frame *f, double x)
{
    return f->left + ((f->log_x ? log10(x) : x) - f->x0) / (f->x1 - f->x0) * (f->right - f->left);
}

static double to_y(const frame *f, double y)
{
    return f->bottom - ((f->log_y ? log10(y) : y) - f->y0) / (f->y1 - f->y0) * (f->bottom - f->top);
}

static void tick_words(char *words, size_t size, double value, double step, bool log)
{
    if (log && fabs(value) > 4)
        snprintf(words, size, "%.1g", pow(10, value));
    else if (log)
        snprintf(words, size, "%.4g", pow(10, value));
    else
        snprintf(words, size, "%.6g", fabs(value) < 1e-9 * step ? 0.0 : value);
}

// A tick: a line across the box and its words, `share` of the way along the axis.
static void draw_tick(carom_svg *svg, const frame *f, bool vertical, double share,
                      const char *words)
{
    double x = vertical ? f->left : f->left + share * (f->right - f->left);
    double y = vertical ? f->bottom - share * (f->bottom - f->top) : f->bottom;
    double from[2] = { x, y }, to[2] = { vertical ? f->right : x, vertical ? y : f->top };
    carom_svg_line(svg, from, to, (carom_svg_style){ .stroke = "faint", .width = 0.7 });
    double at[2] = { vertical ? x - 6 : x, vertical ? y + 4 : y + 16 };
    carom_svg_text_at(
        svg, at,
        (carom_svg_text){ .size = 11, .anchor = vertical ? "end" : "middle", .role = "mid" },
        words);
}

// 1, 2 and 5 times powers of ten: where an axis spans few decades, these alone would be too few.
static void draw_fine_decades(carom_svg *svg, const frame *f, bool vertical)
{
    double low = vertical ? f->y0 : f->x0, high = vertical ? f->y1 : f->x1;
    static const double parts[] = { 1, 2, 5 };
    for (int decade = (int)floor(low); decade <= (int)ceil(high); ++decade)
        for (int k = 0; k < 3; ++k) {
            double value = decade + log10(parts[k]);
            char words[32];
            if (value < low - 1e-9 || value > high + 1e-9)
                continue;
            tick_words(words, sizeof words, value, 1, true);
            draw_tick(svg, f, vertical, (value - low) / (high - low), words);
        }
}

static void draw_names(carom_svg *svg, const frame *f, const char *const *names)
{
    for (int i = 0; names[i]; ++i)
        draw_tick(svg, f, false, (i + 1 - f->x0) / (f->x1 - f->x0), names[i]);
}

static void draw_ticks(carom_svg *svg, const frame *f, bool vertical)
{
    double low = vertical ? f->y0 : f->x0, high = vertical ? f->y1 : f->x1;
    bool log = vertical ? f->log_y : f->log_x;
    double pixels = vertical ? f->bottom - f->top : f->right - f->left;
    double step = carom_plot_tick(high - low, (int)fmax(2, pixels / (vertical ? 45 : 75)));
    if (log && high - low < 2.5) {
        draw_fine_decades(svg, f, vertical);
        return;
    }
    if (log)
        step = fmax(1, ceil(step));
    for (int i = 0; i < 100; ++i) {
        double value = (ceil(low / step - 1e-9) + i) * step;
        if (value > high + 1e-9 * step)
            break;
        char words[32];
        tick_words(words, sizeof words, value, step, log);
        draw_tick(svg, f, vertical, (value - low) / (high - low), words);
    }
}

static void axis_words(char *words, size_t size, const carom_plot_axis *axis)
{
    bool unit = axis->unit && axis->unit[0];
    snprintf(words, size, "%s (%s)", axis->label ? axis->label : "", unit ? axis->unit : "-");
}

static void draw_axes(carom_svg *svg, const carom_plot *plot, const frame *f)
{
    if (plot->names)
        draw_names(svg, f, plot->names);
    else
        draw_ticks(svg, f, false);
    draw_ticks(svg, f, true);
    double corner[2] = { f->left, f->top }, size[2] = { f->right - f->left, f->bottom - f->top };
    carom_svg_box(svg, corner, size, (carom_svg_style){ .stroke = "mid", .width = 0.8 });
    char words[160];
    axis_words(words, sizeof words, &plot->x);
    double below[2] = { (f->left + f->right) / 2, f->bottom + 34 };
    carom_svg_text_at(svg, below, (carom_svg_text){ .anchor = "middle" }, words);
    axis_words(words, sizeof words, &plot->y);
    double beside[2] = { plot->corner[0] + 14, (f->top + f->bottom) / 2 };
    carom_svg_text_at(svg, beside, (carom_svg_text){ .anchor = "middle", .angle = -90 }, words);
    double above[2] = { f->left, plot->corner[1] + 18 };
    if (plot->title)
        carom_svg_text_at(svg, above, (carom_svg_text){ .size = 13, .bold = 1 }, plot->title);
}

// Lines are clipped to the box by leaving out what lies outside a little around it.
static bool inside(const frame *f, double x, double y)
{
    return x >= f->left - 1 && x <= f->right + 1 && y >= f->top - 1 && y <= f->bottom + 1;
}

static void draw_line(carom_svg *svg, const carom_plot_series *series, carom_svg_style style,
                      const frame *f)
{
    enum { RUN = 512 };
    double run[2 * RUN];
    int filled = 0;
    for (int k = 0; k <= series->count; ++k) {
        bool good =
            k < series->count && usable(series->x[k], f->log_x) && usable(series->y[k], f->log_y);
        double x = good ? to_x(f, series->x[k]) : 0, y = good ? to_y(f, series->y[k]) : 0;
        good = good && inside(f, x, y);
        if (good) {
            run[2 * filled] = x;
            run[2 * filled++ + 1] = y;
        }
        if ((!good || filled == RUN) && filled > 0) {
            carom_svg_path(svg, run, filled, style);
            filled = 0;
            if (good) { // the next run starts where this one ended
                run[0] = x;
                run[1] = y;
                filled = 1;
            }
        }
    }
}

static carom_svg_style style_of_dots(const carom_plot_series *series, const char *role)
{
    return series->dash ? (carom_svg_style){ .stroke = role, .width = 1.4 }
                        : (carom_svg_style){ .fill = role };
}

static void draw_series(carom_svg *svg, const carom_plot_series *series, int index, const frame *f)
{
    const char *role = series->role ? series->role : carom_svg_series(index);
    carom_svg_style line = { .stroke = role,
                             .width = series->width > 0 ? series->width : 1.6,
                             .dash = series->dash };
    if (series->kind == CAROM_PLOT_LINE) {
        draw_line(svg, series, line, f);
        return;
    }
    for (int k = 0; k < series->count; ++k) {
        if (!usable(series->x[k], f->log_x) || !usable(series->y[k], f->log_y))
            continue;
        double at[2] = { to_x(f, series->x[k]), to_y(f, series->y[k]) };
        if (!inside(f, at[0], at[1]))
            continue;
        if (series->kind == CAROM_PLOT_DOTS) {
            carom_svg_circle(svg, at, series->width > 0 ? series->width : 2.5,
                             style_of_dots(series, role));
            continue;
        }
        double foot[2] = { at[0],
                           f->log_y ? f->bottom : fmin(fmax(to_y(f, 0), f->top), f->bottom) };
        double wide = series->width > 0 ? series->width : 6;
        double corner[2] = { at[0] - wide / 2, fmin(foot[1], at[1]) },
               size[2] = { wide, fabs(foot[1] - at[1]) };
        carom_svg_box(svg, corner, size, (carom_svg_style){ .fill = role });
    }
}

// How much of a series lies in a box (corner and size, px): points, and places along its lines.
static int points_in(const carom_plot_series *series, const frame *f, const double box[4])
{
    enum { BETWEEN = 8 };
    int count = 0;
    for (int k = 0; k < series->count; ++k) {
        int next = series->kind == CAROM_PLOT_LINE && k + 1 < series->count ? k + 1 : k;
        if (!usable(series->x[k], f->log_x) || !usable(series->y[k], f->log_y) ||
            !usable(series->x[next], f->log_x) || !usable(series->y[next], f->log_y))
            continue;
        double from[2] = { to_x(f, series->x[k]), to_y(f, series->y[k]) };
        double to[2] = { to_x(f, series->x[next]), to_y(f, series->y[next]) };
        for (int i = 0; i <= (next > k ? BETWEEN : 0); ++i) {
            double t = (double)i / BETWEEN, x = from[0] + t * (to[0] - from[0]),
                   y = from[1] + t * (to[1] - from[1]);
            count += x > box[0] && x < box[0] + box[2] && y > box[1] && y < box[1] + box[3];
        }
    }
    return count;
}

// Looks for a place inside the plot where the legend hides nothing, from the upper right one on.
static bool place_legend(const carom_plot *plot, const frame *f, double box[4])
{
    enum { PLACES = 5 };
    double wide = f->right - f->left - 8 - box[2], high = f->bottom - f->top - 8 - box[3];
    for (int k = 0; k < PLACES * PLACES && wide > 0 && high > 0; ++k) {
        box[0] = f->right - 4 - box[2] - k % PLACES * wide / (PLACES - 1);
        box[1] = f->top + 4 + k / PLACES * high / (PLACES - 1);
        int hidden = 0;
        for (int i = 0; i < plot->count; ++i)
            hidden += points_in(&plot->series[i], f, box);
        if (hidden == 0)
            return true;
    }
    return false;
}

// Room of the legend; none where no series has a name.
static bool measure_legend(const carom_plot *plot, double box[4])
{
    size_t longest = 0;
    int names = 0;
    for (int i = 0; i < plot->count; ++i)
        if (plot->series[i].name) {
            size_t length = strlen(plot->series[i].name);
            longest = length > longest ? length : longest;
            ++names;
        }
    box[2] = 6.4 * (double)longest + 36;
    box[3] = 15.0 * names + 5;
    return names > 0;
}

static void draw_legend(carom_svg *svg, const carom_plot *plot, const double box[4])
{
    double x = box[0] + 4, y = box[1] + 13;
    for (int i = 0; i < plot->count; ++i) {
        const carom_plot_series *series = &plot->series[i];
        if (!series->name)
            continue;
        const char *role = series->role ? series->role : carom_svg_series(i);
        double from[2] = { x, y - 4 }, to[2] = { x + 20, y - 4 }, at[2] = { x + 26, y };
        if (series->kind == CAROM_PLOT_DOTS) {
            double middle[2] = { x + 10, y - 4 };
            carom_svg_circle(svg, middle, 3, style_of_dots(series, role));
        } else
            carom_svg_line(svg, from, to,
                           (carom_svg_style){ .stroke = role, .width = 2.5, .dash = series->dash });
        carom_svg_text_at(svg, at, (carom_svg_text){ .size = 11 }, series->name);
        y += 15;
    }
}

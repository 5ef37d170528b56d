// A run as a column of snapshots: where the waves are, from first touch to separation [EC, figs 9,
// 10].
//
// Each row shows the bodies at one instant, every cell coloured by its strain (hot: compressed,
// cold: stretched, the stronger the denser). Bodies stand where they are when undeformed and
// touching: the picture is about the waves, not about the way the bodies travel.
#include "pictures/chain_panels.h"
#include "draw/svg.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 900, LEFT = 110, ROW = 46, HEAD = 44, SNAPSHOTS = 12 };

typedef struct view {
    const carom_chain_report *report;
    const carom_chain_history *history;
    double scale;  // px per m
    double strain; // the largest
} view;

static double strain_of(const carom_chain_history *h, size_t sample, size_t point)
{
    double rest = h->point_position[point + 1] - h->point_position[point];
    const double *row = h->point_position + sample * h->points;
    return rest > 0 ? 1 - (row[point + 1] - row[point]) / rest : 0;
}

static view measure(const carom_chain_report *report, const carom_chain_result *result)
{
    view v = { .report = report, .history = &result->history };
    double length = 0;
    for (size_t b = 0; b < result->bodies; b++) {
        length += carom_chain_body_length(&report->chain->bodies[b]);
        for (size_t r = 0; r < v.history->samples; r++)
            for (size_t p = v.history->first_point[b]; p + 1 < v.history->first_point[b + 1]; p++)
                v.strain = fmax(v.strain, fabs(strain_of(v.history, r, p)));
    }
    v.scale = length > 0 ? (WIDTH - LEFT - 20) / length : 0;
    return v;
}

static void draw_body(carom_svg *svg, const view *v, size_t b, size_t sample,
                      const double corner[2])
{
    const carom_chain_history *h = v->history;
    double length = carom_chain_body_length(&v->report->chain->bodies[b]) * v->scale;
    size_t first = h->first_point[b];
    double height = ROW - 22;
    if (v->report->chain->bodies[b].kind == CAROM_CHAIN_WALL) {
        double from[2] = { corner[0], corner[1] - 5 };
        double to[2] = { corner[0], corner[1] + height + 5 };
        carom_svg_line(svg, from, to, (carom_svg_style){ .stroke = "ink", .width = 5 });
        return;
    }
    size_t last = h->first_point[b + 1] - 1;
    for (size_t p = first, next; p < last && v->strain > 0; p = next) {
        double strain = strain_of(h, sample, p);
        double share = fabs(strain) / v->strain;
        next = p + 1; // cells that look alike are drawn as one
        while (next < last && fabs(strain_of(h, sample, next) - strain) < 0.01 * v->strain)
            next++;
        if (share < 0.02)
            continue; // empty
        double left = (h->point_position[p] - h->point_position[first]) * v->scale;
        double wide = (h->point_position[next] - h->point_position[p]) * v->scale;
        carom_svg_box(
            svg, (double[]){ corner[0] + left, corner[1] }, (double[]){ wide, height },
            (carom_svg_style){ .fill = strain > 0 ? "hot" : "cold", .opacity = fmin(share, 0.99) });
    }
    carom_svg_box(svg, corner, (double[]){ length, height },
                  (carom_svg_style){ .stroke = "ink", .width = 1 });
    char words[32];
    double velocity = h->velocity[sample * h->bodies + b];
    snprintf(words, sizeof words, "%.3f", fabs(velocity) < 5e-4 ? 0 : velocity); // no "-0.000"
    carom_svg_text_at(svg, (double[]){ corner[0] + length / 2, corner[1] + height + 13 },
                      (carom_svg_text){ .size = 10, .anchor = "middle", .role = "mid" }, words);
}

// The first row at or after the time.
static size_t sample_at(const carom_chain_history *h, double time)
{
    size_t sample = 0;
    while (sample + 1 < h->samples && h->time[sample] < time)
        sample++;
    return sample;
}

// From the first touch to a little after the last release.
static void span(const carom_chain_result *result, double out[2])
{
    out[0] = result->time;
    out[1] = 0;
    for (size_t c = 0; c < result->contacts; c++) {
        out[0] = fmin(out[0], result->touch[c].first_touch); // fmin and fmax pass over NaN
        out[1] = fmax(out[1], result->touch[c].last_release);
    }
    out[1] = out[1] > out[0] ? fmin(out[0] + 1.1 * (out[1] - out[0]), result->time) : result->time;
}

void carom_chain_snapshots_draw(const carom_chain_report *report, const carom_chain_result *result,
                                carom_text *text)
{
    const char *title = report->title ? report->title : "A chain";
    view v = measure(report, result);
    double times[2];
    span(result, times);
    double height = HEAD + SNAPSHOTS * ROW + 8;
    carom_svg svg = carom_svg_begin(text, WIDTH, height, title);
    carom_svg_text_at(&svg, (double[]){ 12, 20 }, (carom_svg_text){ .size = 14, .bold = 1 }, title);
    carom_svg_text_at(
        &svg, (double[]){ 12, 36 }, (carom_svg_text){ .size = 11, .role = "mid" },
        "red: compressed, blue: stretched; below each body the velocity of its centre (m/s)");
    for (int k = 0; k < SNAPSHOTS; k++) {
        size_t sample =
            sample_at(v.history, times[0] + (times[1] - times[0]) * k / (SNAPSHOTS - 1));
        double corner[2] = { LEFT, HEAD + k * ROW };
        char words[48];
        snprintf(words, sizeof words, "t = %.4g s", v.history->time[sample]);
        carom_svg_text_at(&svg, (double[]){ 12, corner[1] + 16 }, (carom_svg_text){ .size = 11 },
                          words);
        for (size_t b = 0; b < result->bodies; b++) {
            draw_body(&svg, &v, b, sample, corner);
            corner[0] += carom_chain_body_length(&report->chain->bodies[b]) * v.scale;
        }
    }
    carom_svg_end(&svg);
}

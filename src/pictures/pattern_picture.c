// A pattern as a picture: the height map (dark is low) and its spectrum (half of it: the other half
// is its mirror image).
#include "carom/pattern.h"

#include <math.h>
#include <stdio.h>
#include "base/error.h"
#include "base/text.h"
#include "draw/svg.h"
#include "math/trig.h"

enum { SIDE = 360, EDGE = 30, SHADES = 16 };

// One path for all cells of a shade: thousands of boxes would each repeat their style.
static void begin_shade(carom_svg *svg, const char *role, int shade)
{
    carom_text_add(svg->text,
                   "<path class=\"f-%s\" fill-opacity=\"%.3g\" shape-rendering=\"crispEdges\" d=\"",
                   role, (shade + 0.5) / SHADES);
}

static void end_shade(carom_svg *svg)
{
    carom_text_add(svg->text, "\"/>\n");
}

static int shade_of(double share)
{
    return (int)fmin(SHADES - 1, fmax(0, floor(SHADES * share)));
}

// Cells as boxes whose ink is the less, the higher they are.
static void draw_map(carom_svg *svg, const carom_pattern *p)
{
    int nx = p->cells[0], ny = p->cells[1];
    double reach = 2.5 * p->rms > 0 ? 2.5 * p->rms : 1;
    carom_text_add(svg->text, "<g transform=\"translate(%d %d) scale(%.6g %.6g)\">\n", EDGE,
                   EDGE + SIDE, (double)SIDE / nx, -(double)SIDE / ny);
    for (int shade = 0; shade < SHADES; ++shade) {
        begin_shade(svg, "s0", shade);
        for (int i = 0; i < nx * ny; ++i)
            if (shade_of(0.5 - 0.5 * (p->height[i] - p->mean) / reach) == shade)
                carom_text_add(svg->text, "M%d %dh1v1h-1z", i % nx, i / nx);
        end_shade(svg);
    }
    carom_text_add(svg->text, "</g>\n");
}

// The patch between two wave numbers and two directions.
static void add_patch(carom_svg *svg, const carom_pattern *p, int wave, int angle)
{
    double longest = p->wave[CAROM_PATTERN_WAVES - 1];
    for (int c = 0; c < 4; ++c) {
        double direction[2], r = p->wave[wave + (c == 1 || c == 2)] / longest * 0.5 * SIDE;
        carom_trig_degrees(180.0 * (angle + (c > 1 ? 0.5 : -0.5)) / CAROM_PATTERN_ANGLES,
                           direction);
        carom_text_add(svg->text, "%c%.1f %.1f", c ? 'L' : 'M',
                       2 * EDGE + 1.5 * SIDE + r * direction[1],
                       EDGE + 0.5 * SIDE - r * direction[0]);
    }
    carom_text_add(svg->text, "z");
}

static void draw_spectrum(carom_svg *svg, const carom_pattern *p)
{
    double top = 0, centre[2] = { 2 * EDGE + 1.5 * SIDE, EDGE + 0.5 * SIDE };
    double longest = p->wave[CAROM_PATTERN_WAVES - 1];
    for (int w = 0; w < CAROM_PATTERN_WAVES; ++w)
        for (int a = 0; a < CAROM_PATTERN_ANGLES; ++a)
            top = fmax(top, p->power[w][a]);
    for (int shade = 1; shade < SHADES && top > 0; ++shade) { // what is below is left out
        begin_shade(svg, "s1", shade);
        for (int w = 0; w + 1 < CAROM_PATTERN_WAVES; ++w)
            for (int a = 0; a < 2 * CAROM_PATTERN_ANGLES; ++a)
                if (shade_of(p->power[w][a % CAROM_PATTERN_ANGLES] / top) == shade)
                    add_patch(svg, p, w, a);
        end_shade(svg);
    }
    carom_svg_circle(svg, centre, 0.5 * SIDE, (carom_svg_style){ .stroke = "ink", .opacity = 0.4 });
    carom_svg_circle(svg, centre, 0.5 * SIDE / p->wavelength / longest,
                     (carom_svg_style){ .stroke = "ink", .opacity = 0.4, .dash = "3 3" });
}

carom_status carom_pattern_svg(const carom_pattern *pattern, const char *title, char **text,
                               carom_error *err)
{
    NEED(err, pattern, title, text);
    carom_text out = { 0 };
    char words[160];
    carom_svg svg = carom_svg_begin(&out, 3 * EDGE + 2 * SIDE, 2 * EDGE + SIDE + 24, title);
    draw_map(&svg, pattern);
    draw_spectrum(&svg, pattern);
    snprintf(words, sizeof words, "height, mean %.3g m, rms %.2g m", pattern->mean, pattern->rms);
    carom_svg_text_at(&svg, (double[]){ EDGE, EDGE + SIDE + 22 }, (carom_svg_text){ 0 }, words);
    snprintf(words, sizeof words, "spectrum: %s, %d peaks, wavelength %.3g m",
             carom_pattern_word(pattern->kind), pattern->peaks, pattern->wavelength);
    carom_svg_text_at(&svg, (double[]){ 2 * EDGE + SIDE, EDGE + SIDE + 22 }, (carom_svg_text){ 0 },
                      words);
    carom_svg_text_at(&svg, (double[]){ EDGE, 20 }, (carom_svg_text){ .bold = 1 }, title);
    carom_svg_end(&svg);
    carom_status status = carom_text_status(&out, err);
    if (status != CAROM_OK)
        carom_text_free(&out);
    *text = out.bytes;
    return status;
}

// Lines, circles, boxes, curves and words as SVG elements by role, with one style sheet per
// picture.
#include "draw/svg.h"

#include <math.h>

typedef struct role {
    const char *name, *light, *dark;
} role;

// Series colours follow Okabe and Ito: distinguishable without colour vision, lightened for dark
// pages.
static const role roles[] = {
    { "ink", "#1b1f24", "#e8eaed" },   { "mid", "#6b7480", "#9aa3ad" },
    { "faint", "#d5d9df", "#3a414a" }, { "paper", "#ffffff", "#15181c" },
    { "hot", "#c4352b", "#ff7a6b" },   { "cold", "#1f6fb2", "#6cb6f0" },
    { "s0", "#0072b2", "#56b4e9" },    { "s1", "#d55e00", "#ff8c42" },
    { "s2", "#009e73", "#3ddbab" },    { "s3", "#b24a8c", "#e69ac7" },
    { "s4", "#a07800", "#f0c745" },    { "s5", "#3d7fa6", "#9ad1f5" },
    { "s6", "#6a4fb0", "#b5a1f2" },    { "s7", "#5a6470", "#b8c0ca" },
};
enum { ROLES = sizeof roles / sizeof *roles };

static void write_style(carom_text *text);
static void write_rules(carom_text *text, bool dark);
static void look(carom_svg *svg, carom_svg_style style);

carom_svg carom_svg_begin(carom_text *text, double width, double height, const char *title)
{
    if (!text || !title)
        return (carom_svg){ .text = text };
    carom_text_add(text,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
                   "height=\"%g\" "
                   "role=\"img\" font-family=\"system-ui, Helvetica, Arial, sans-serif\">\n<title>",
                   width, height, width, height);
    carom_text_add_escaped(text, title);
    carom_text_add(text, "</title>\n");
    write_style(text);
    carom_text_add(text, "<rect width=\"%g\" height=\"%g\" class=\"f-paper\"/>\n", width, height);
    return (carom_svg){ text, width, height };
}

carom_svg carom_svg_begin_for_print(carom_text *text, const double size[2], const char *font,
                                    const char *title)
{
    if (!text || !size || !title)
        return (carom_svg){ .text = text };
    carom_text_add(text,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%gmm\" "
                   "height=\"%gmm\" role=\"img\" font-family=\"",
                   size[0], size[1], size[0] * 25.4 / 96, size[1] * 25.4 / 96);
    carom_text_add_escaped(text, font ? font : "system-ui, Helvetica, Arial, sans-serif");
    carom_text_add(text, "\">\n<title>");
    carom_text_add_escaped(text, title);
    carom_text_add(text, "</title>\n<style>");
    write_rules(text, false);
    carom_text_add(text, "</style>\n");
    return (carom_svg){ text, size[0], size[1] };
}

void carom_svg_end(carom_svg *svg)
{
    if (!svg)
        return;
    carom_text_add(svg->text, "</svg>\n");
}

// Light colours as plain rules, dark ones behind a media query: renderers that know no media
// queries (print, converters) show the light picture.
static void write_style(carom_text *text)
{
    carom_text_add(text, "<style>");
    write_rules(text, false);
    carom_text_add(text, "@media (prefers-color-scheme:dark){");
    write_rules(text, true);
    carom_text_add(text, "}</style>\n");
}

static void write_rules(carom_text *text, bool dark)
{
    for (int i = 0; i < ROLES; ++i) {
        const char *colour = dark ? roles[i].dark : roles[i].light;
        carom_text_add(text, ".l-%s{stroke:%s}.f-%s{fill:%s}", roles[i].name, colour, roles[i].name,
                       colour);
    }
}

static void look(carom_svg *svg, carom_svg_style style)
{
    carom_text *text = svg->text;
    carom_text_add(text, " class=\"");
    if (style.stroke)
        carom_text_add(text, "l-%s", style.stroke);
    bool value = style.fill && *style.fill == '#';
    if (style.fill && !value)
        carom_text_add(text, "%sf-%s", style.stroke ? " " : "", style.fill);
    carom_text_add(text, "\"");
    if (!style.fill || value)
        carom_text_add(text, " fill=\"%s\"", value ? style.fill : "none");
    if (style.stroke)
        carom_text_add(text, " stroke-width=\"%.3g\"", style.width > 0 ? style.width : 1.0);
    if (style.opacity > 0 && style.opacity < 1)
        carom_text_add(text, " opacity=\"%.3g\"", style.opacity);
    if (style.dash)
        carom_text_add(text, " stroke-dasharray=\"%s\"", style.dash);
    carom_text_add(text, "/>\n");
}

void carom_svg_line(carom_svg *svg, const double from[2], const double to[2], carom_svg_style style)
{
    if (!svg || !from || !to)
        return;
    carom_text_add(svg->text,
                   "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke-linecap=\"round\"",
                   from[0], from[1], to[0], to[1]);
    look(svg, style);
}

void carom_svg_circle(carom_svg *svg, const double centre[2], double radius, carom_svg_style style)
{
    if (!svg || !centre)
        return;
    carom_text_add(svg->text, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", centre[0], centre[1],
                   radius);
    look(svg, style);
}

void carom_svg_box(carom_svg *svg, const double corner[2], const double size[2],
                   carom_svg_style style)
{
    if (!svg || !corner || !size)
        return;
    carom_text_add(svg->text, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"",
                   corner[0], corner[1], size[0], size[1]);
    look(svg, style);
}

static void points_of(carom_svg *svg, const char *element, const double *points, int count)
{
    carom_text_add(svg->text, "<%s points=\"", element);
    for (int i = 0; i < count; ++i)
        carom_text_add(svg->text, "%s%.2f,%.2f", i ? " " : "", points[2 * i], points[2 * i + 1]);
    carom_text_add(svg->text, "\" stroke-linejoin=\"round\"");
}

void carom_svg_path(carom_svg *svg, const double *points, int count, carom_svg_style style)
{
    if (!svg || !points)
        return;
    points_of(svg, "polyline", points, count);
    look(svg, style);
}

void carom_svg_polygon(carom_svg *svg, const double *points, int count, carom_svg_style style)
{
    if (!svg || !points)
        return;
    points_of(svg, "polygon", points, count);
    look(svg, style);
}

void carom_svg_arrow(carom_svg *svg, const double from[2], const double to[2],
                     carom_svg_style style)
{
    if (!svg || !from || !to)
        return;
    double dx = to[0] - from[0], dy = to[1] - from[1], length = hypot(dx, dy);
    double width = style.width > 0 ? style.width : 1;
    carom_svg_style filled = { .fill = style.stroke, .opacity = style.opacity };
    if (!(length >= 1)) {
        carom_svg_circle(svg, from, width, filled);
        return;
    }
    double head = fmin(4 + 2 * width, 0.6 * length);
    double ux = dx / length, uy = dy / length, half = 0.45 * head;
    double neck[2] = { to[0] - head * ux, to[1] - head * uy };
    double tip[6] = { to[0],
                      to[1],
                      neck[0] - half * uy,
                      neck[1] + half * ux,
                      neck[0] + half * uy,
                      neck[1] - half * ux };
    carom_svg_line(svg, from, neck, style);
    carom_svg_polygon(svg, tip, 3, filled);
}

void carom_svg_text_at(carom_svg *svg, const double at[2], carom_svg_text words_look,
                       const char *words)
{
    if (!svg || !at || !words)
        return;
    carom_text *text = svg->text;
    carom_text_add(
        text, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.3g\" text-anchor=\"%s\" class=\"f-%s\"",
        at[0], at[1], words_look.size > 0 ? words_look.size : 12.0,
        words_look.anchor ? words_look.anchor : "start", words_look.role ? words_look.role : "ink");
    if (words_look.angle != 0)
        carom_text_add(text, " transform=\"rotate(%.4g %.2f %.2f)\"", words_look.angle, at[0],
                       at[1]);
    if (words_look.bold)
        carom_text_add(text, " font-weight=\"600\"");
    carom_text_add(text, ">");
    carom_text_add_escaped(text, words);
    carom_text_add(text, "</text>\n");
}

void carom_svg_group(carom_svg *svg, const double offset[2])
{
    if (!svg || !offset)
        return;
    carom_text_add(svg->text, "<g transform=\"translate(%.2f %.2f)\">\n", offset[0], offset[1]);
}

void carom_svg_group_end(carom_svg *svg)
{
    if (!svg)
        return;
    carom_text_add(svg->text, "</g>\n");
}

const char *carom_svg_series(int index)
{
    static const char *const names[CAROM_SVG_SERIES] = { "s0", "s1", "s2", "s3",
                                                         "s4", "s5", "s6", "s7" };
    return names[(unsigned)index % CAROM_SVG_SERIES];
}

unsigned carom_svg_ramp(double value)
{
    enum { STOPS = 11 };
    static const unsigned stops[STOPS] = { 0x440154, 0x482475, 0x414487, 0x355f8d,
                                           0x2a788e, 0x21918c, 0x22a884, 0x44bf70,
                                           0x7ad151, 0xbddf26, 0xfde725 };
    double at = fmin(1, fmax(0, value)) * (STOPS - 1);
    int low = (int)at < STOPS - 2 ? (int)at : STOPS - 2;
    unsigned a = stops[low], b = stops[low + 1], out = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double x = (a >> shift) & 255, y = (b >> shift) & 255;
        out |= (unsigned)(x + (at - low) * (y - x) + 0.5) << shift;
    }
    return out;
}

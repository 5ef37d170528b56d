// Pictures of towers: the force diagram, the first motion, frames of a collapse.
#include "pictures/tower_picture.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "math/trig.h"

static const double WIDTH = 960; // px of the whole picture
static const double MARGIN = 24;
enum { FRAMES_ACROSS = 3, FRAMES_DOWN = 2 };

tower_window carom_tower_picture_window(const carom_tower *t,
                                        const carom_tower_recording *recording)
{
    tower_window w = { DBL_MAX, -DBL_MAX, DBL_MAX, -DBL_MAX };
    int frames = recording && recording->frames ? recording->frames : 1;
    for (int n = 0; n < frames; ++n)
        for (int b = 0; b < t->public_body_count; ++b) {
            const double *p =
                recording && recording->frames
                    ? recording->place + 3 * ((size_t)n * (size_t)recording->bodies + (size_t)b)
                    : (double[]){ t->bodies[b].x, t->bodies[b].y, t->bodies[b].angle };
            double corner[2 * CAROM_TOWER_CORNERS_MAX];
            int count = carom_tower_picture_corners(t, b, p, corner);
            for (int v = 0; v < count; ++v) {
                w.low_x = fmin(w.low_x, corner[2 * v]);
                w.high_x = fmax(w.high_x, corner[2 * v]);
                w.low_y = fmin(w.low_y, corner[2 * v + 1]);
                w.high_y = fmax(w.high_y, corner[2 * v + 1]);
            }
        }
    for (int h = 0; h < t->plane_count; ++h)
        if (t->planes[h].ny > 0.5)
            w.low_y = fmin(w.low_y, t->planes[h].y);
    for (int n = 0; n < t->bar_count; ++n) { // ties to the world hang from points no body has
        const tower_anchor *a = &t->anchors[t->bars[n].b];
        if (a->body < t->public_body_count)
            continue;
        w.low_x = fmin(w.low_x, a->rx);
        w.high_x = fmax(w.high_x, a->rx);
        w.low_y = fmin(w.low_y, a->ry);
        w.high_y = fmax(w.high_y, a->ry);
    }
    double room = 0.06 * fmax(w.high_x - w.low_x, w.high_y - w.low_y) + 0.1 * t->size;
    w.low_x -= room;
    w.high_x += room;
    w.low_y -= room;
    w.high_y += room;
    return w;
}

int carom_tower_picture_corners(const carom_tower *t, int body, const double place[3], double *out)
{
    const tower_body *b = &t->bodies[body];
    double c = carom_trig_cos(place[2]), s = carom_trig_sin(place[2]);
    if (b->shape < 0) { // a point mass: its place
        out[0] = place[0];
        out[1] = place[1];
        return 1;
    }
    const tower_shape *shape = &t->shapes[b->shape];
    for (int v = 0; v < shape->count; ++v) {
        const tower_anchor *a = &t->anchors[tower_corner(t, shape, v)];
        out[2 * v] = place[0] + c * a->rx - s * a->ry;
        out[2 * v + 1] = place[1] + s * a->rx + c * a->ry;
    }
    return shape->count;
}

// -- drawing ------------------------------------------------------------------------------------

typedef struct view {
    carom_svg *svg;
    const carom_tower *tower;
    tower_window window;
    double left, top, scale; // px
} view;

static void to_px(const view *v, const double at[2], double out[2])
{
    out[0] = v->left + v->scale * (at[0] - v->window.low_x);
    out[1] = v->top + v->scale * (v->window.high_y - at[1]);
}

static void polygon(const view *v, double *corners, int count, carom_svg_style style)
{
    for (int k = 0; k < count; ++k)
        to_px(v, (double[]){ corners[2 * k], corners[2 * k + 1] }, corners + 2 * k);
    if (count == 1)
        carom_svg_circle(v->svg, corners, 5, style);
    else
        carom_svg_polygon(v->svg, corners, count, style);
}

static void draw_supports(const view *v)
{
    const carom_tower *t = v->tower;
    const carom_svg_style solid = { .stroke = "ink", .width = 1.5 },
                          earth = { .fill = "faint", .opacity = 0.5 };
    const tower_window *w = &v->window;
    for (int h = 0; h < t->plane_count; ++h) {
        const tower_plane *p = &t->planes[h];
        double from[2] = { w->low_x, p->y }, to[2] = { w->high_x, p->y };
        if (fabs(p->nx) > 0.5) {
            from[0] = to[0] = p->x;
            from[1] = w->low_y;
            to[1] = w->high_y;
        }
        to_px(v, from, from);
        to_px(v, to, to);
        carom_svg_line(v->svg, from, to, solid);
    }
    for (int s = 0; s < t->shape_count; ++s) {
        double corner[2 * CAROM_TOWER_CORNERS_MAX];
        if (t->shapes[s].owner >= 0)
            continue;
        for (int k = 0; k < t->shapes[s].count; ++k) { // tables reach far: cut to the window
            const tower_anchor *a = &t->anchors[tower_corner(t, &t->shapes[s], k)];
            const tower_body *b = &t->bodies[a->body];
            corner[2 * k] = fmin(fmax(b->x + a->rx, w->low_x), w->high_x);
            corner[2 * k + 1] = fmin(fmax(b->y + a->ry, w->low_y), w->high_y);
        }
        polygon(v, corner, t->shapes[s].count, earth);
    }
}

static void draw_bodies(const view *v, const double *places, bool numbers)
{
    const carom_tower *t = v->tower;
    for (int b = 0; b < t->public_body_count; ++b) {
        double corner[2 * CAROM_TOWER_CORNERS_MAX];
        const double at_rest[3] = { t->bodies[b].x, t->bodies[b].y, t->bodies[b].angle };
        const double *place = places ? places + 3 * (size_t)b : at_rest;
        int count = carom_tower_picture_corners(t, b, place, corner);
        polygon(v, corner, count,
                (carom_svg_style){ .stroke = "ink",
                                   .fill = t->bodies[b].fixed ? "faint" : "s0",
                                   .width = 1,
                                   .opacity = 0.28 });
        for (int k = 0; count > 2 && k < count; ++k) // the outline again, unfaded
            carom_svg_line(v->svg, corner + 2 * k, corner + 2 * ((k + 1) % count),
                           (carom_svg_style){ .stroke = "ink", .width = 0.8 });
        if (numbers && t->public_body_count <= 60) {
            char words[16];
            double at[2];
            to_px(v, place, at);
            at[1] += 3.5;
            snprintf(words, sizeof words, "%d", b);
            carom_svg_text_at(v->svg, at,
                              (carom_svg_text){ .size = 9, .anchor = "middle", .role = "mid" },
                              words);
        }
    }
    for (int n = 0; n < t->bar_count && !places; ++n) {
        double end[2][2];
        for (int k = 0; k < 2; ++k) {
            const tower_anchor *a = &t->anchors[k ? t->bars[n].b : t->bars[n].a];
            const tower_body *b = &t->bodies[a->body];
            const double at[2] = { b->x + b->ux * a->rx - b->uy * a->ry,
                                   b->y + b->uy * a->rx + b->ux * a->ry };
            to_px(v, at, end[k]);
        }
        carom_svg_line(v->svg, end[0], end[1], (carom_svg_style){ .stroke = "ink", .width = 2 });
        carom_svg_circle(v->svg, end[1], 3, (carom_svg_style){ .fill = "ink" });
    }
}

// Each force as a line along its normal through the contact: width = force.
static void draw_forces(const view *v, const carom_tower_instant *instant)
{
    double max = 0, half = 0.09 * v->tower->size;
    for (int n = 0; n < instant->force_count; ++n)
        max = fmax(max, instant->forces[n].force);
    for (int n = 0; n < instant->force_count && max > 0; ++n) {
        const carom_tower_force *f = &instant->forces[n];
        double from[2], to[2];
        for (int c = 0; c < 2; ++c) {
            from[c] = f->point[c] - half * f->normal[c];
            to[c] = f->point[c] + half * f->normal[c];
        }
        to_px(v, from, from);
        to_px(v, to, to);
        if (f->force > 1e-9 * max)
            carom_svg_line(v->svg, from, to,
                           (carom_svg_style){ .stroke = "s1",
                                              .width = 0.6 + 9 * f->force / max,
                                              .opacity = 0.85 });
        else if (f->opening > 1e-9) { // contacts that open: an empty ring
            double at[2];
            to_px(v, f->point, at);
            carom_svg_circle(v->svg, at, 2.5, (carom_svg_style){ .stroke = "hot", .width = 1 });
        }
    }
}

// The tower displaced along its accelerations, exaggerated, with arrows from the centres.
static void draw_start(const view *v, const carom_tower_instant *instant)
{
    const carom_tower *t = v->tower;
    double factor = instant->largest > 0 ? 0.18 * t->size / instant->largest : 0;
    for (int b = 0; b < instant->bodies && !instant->stable; ++b) {
        const double *a = instant->accelerations + 3 * (size_t)b;
        const double place[3] = { t->bodies[b].x + factor * a[0], t->bodies[b].y + factor * a[1],
                                  t->bodies[b].angle + factor * a[2] };
        double corner[2 * CAROM_TOWER_CORNERS_MAX], from[2], to[2];
        if (fabs(a[0]) + fabs(a[1]) + fabs(a[2]) < 1e-6 * instant->largest)
            continue;
        int count = carom_tower_picture_corners(t, b, place, corner);
        polygon(v, corner, count, (carom_svg_style){ .stroke = "hot", .width = 1, .dash = "4 3" });
        to_px(v, (double[]){ t->bodies[b].x, t->bodies[b].y }, from);
        to_px(v, place, to);
        carom_svg_arrow(v->svg, from, to,
                        (carom_svg_style){ .stroke = "hot", .fill = "hot", .width = 1.8 });
    }
}

static void caption(carom_svg *svg, const carom_tower *t, const carom_tower_instant *i, double y)
{
    char words[256];
    if (i->stable)
        snprintf(words, sizeof words,
                 "stable: the forces balance every body (line width = force, %d %s)",
                 i->force_count, carom_text_noun(i->force_count, "contact", "contacts"));
    else
        snprintf(words, sizeof words,
                 "unstable: sum m a\u00b2 = %.6g, support force %.6g; dashed: first motion, "
                 "exaggerated",
                 i->sum_m_a2, i->support_force);
    carom_svg_text_at(svg, (double[]){ MARGIN, y }, (carom_svg_text){ .size = 13 }, words);
    snprintf(words, sizeof words, "%d %s, %d %s, %s, residual %.1e", t->public_body_count,
             carom_text_noun(t->public_body_count, "body", "bodies"), i->rows,
             carom_text_noun(i->rows, "row", "rows"), i->method, i->kkt);
    carom_svg_text_at(svg, (double[]){ WIDTH - MARGIN, y },
                      (carom_svg_text){ .size = 11, .anchor = "end", .role = "mid" }, words);
}

static void draw_frames(carom_svg *svg, const carom_tower *t,
                        const carom_tower_recording *recording, double top, const view *cell)
{
    int count = FRAMES_ACROSS * FRAMES_DOWN;
    for (int n = 0; n < count; ++n) {
        int frame = (int)((long)n * (recording->frames - 1) / (count - 1));
        view v = *cell;
        char words[64];
        double wide = (WIDTH - 2 * MARGIN) / FRAMES_ACROSS;
        double high = v.scale * (v.window.high_y - v.window.low_y) + 26;
        v.svg = svg;
        v.left = MARGIN + wide * (n % FRAMES_ACROSS) + 6;
        v.top = top + high * (n / FRAMES_ACROSS) + 18;
        snprintf(words, sizeof words, "t = %.4g", recording->time[frame]);
        carom_svg_text_at(svg, (double[]){ v.left, v.top - 5 },
                          (carom_svg_text){ .size = 11, .role = "mid" }, words);
        draw_supports(&v);
        draw_bodies(&v, recording->place + 3 * (size_t)frame * (size_t)recording->bodies, false);
    }
    (void)t;
}

static double fit(const tower_window *w, double wide, double high)
{
    return fmin(wide / (w->high_x - w->low_x), high / (w->high_y - w->low_y));
}

// The whole picture as SVG.
static void draw_picture(carom_text *text, const carom_tower *t, const carom_tower_instant *instant,
                         const carom_tower_recording *recording, const char *title)
{
    view still = { .tower = t, .window = carom_tower_picture_window(t, 0) };
    view frames = { .tower = t };
    double inner = WIDTH - 2 * MARGIN;
    still.scale = fit(&still.window, inner, 560);
    double high = still.scale * (still.window.high_y - still.window.low_y), top = 44;
    bool recorded = recording && recording->frames > 1;
    double whole = top + high + 40;
    if (recorded) {
        frames.window = carom_tower_picture_window(t, recording);
        frames.scale = fit(&frames.window, inner / FRAMES_ACROSS - 12, 240);
        whole +=
            FRAMES_DOWN * (frames.scale * (frames.window.high_y - frames.window.low_y) + 26) + 12;
    }
    carom_svg svg = carom_svg_begin(text, WIDTH, whole, title ? title : "Tower");
    still.svg = &svg;
    still.left = MARGIN + (inner - still.scale * (still.window.high_x - still.window.low_x)) / 2;
    still.top = top;
    carom_svg_text_at(&svg, (double[]){ MARGIN, 28 }, (carom_svg_text){ .size = 17, .bold = 1 },
                      title ? title : "Tower");
    draw_supports(&still);
    draw_bodies(&still, 0, true);
    if (instant) {
        draw_forces(&still, instant);
        draw_start(&still, instant);
        caption(&svg, t, instant, top + high + 20);
    }
    if (recorded)
        draw_frames(&svg, t, recording, top + high + 34, &frames);
    carom_svg_end(&svg);
}

carom_status carom_tower_picture_svg(const carom_tower *t, const carom_tower_instant *instant,
                                     const carom_tower_recording *recording, const char *title,
                                     char **svg, carom_error *err)
{
    NEED(err, t, svg);
    carom_text text = { 0 };
    *svg = 0;
    draw_picture(&text, t, instant, recording, title);
    carom_status status = carom_text_status(&text, err);
    if (status == CAROM_OK)
        *svg = text.bytes;
    else
        carom_text_free(&text);
    return status;
}

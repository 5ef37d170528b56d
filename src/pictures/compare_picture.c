// The picture of a comparison: the instant before, and one panel per law.
//
// Bodies are drawn in the plane that shows most of the motion, circles for balls and outlines for
// boxes. Arrows are velocities (faint: before), all panels on one scale; the thickness of the line
// through a contact is its impulse. Below each panel stand energy, distance to the springs and the
// verdicts.
#include "carom/compare.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "draw/svg.h"
#include "math/vec.h"
#include "pictures/compare_view.h"

enum { PANELS_MAX = 24, LABELS_MAX = 8 };

static const double MARGIN = 16, CAPTION = 66, LEGEND = 30, THICKEST = 10;

static int by_x(const void *a, const void *b)
{
    const double *first = a, *second = b;
    if (first[0] != second[0])
        return first[0] < second[0] ? -1 : 1;
    return first[1] < second[1] ? -1 : first[1] > second[1];
}

// Convex hull by Andrew's monotone chain; returns the number of corners.
static int hull(double (*points)[2], int count, double (*out)[2])
{
    int size = 0;
    qsort(points, (size_t)count, sizeof *points, by_x);
    for (int pass = 0; pass < 2; ++pass) {
        int start = size;
        for (int i = 0; i < count; ++i) {
            const double *at = points[pass ? count - 1 - i : i];
            while (size >= start + 2) {
                const double *a = out[size - 2], *b = out[size - 1];
                if ((b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]) > 0)
                    break;
                --size;
            }
            out[size][0] = at[0];
            out[size++][1] = at[1];
        }
        --size; // the last point starts the other half
    }
    return size;
}

// -- drawing ------------------------------------------------------------------------------------

// The wall behind a contact with a body that has no look: a line along the surface with hatching.
static void draw_plate(carom_compare_painter *p, const carom_impact_contact *contact)
{
    double at[2], n[2];
    carom_compare_view_place(&p->view, contact->point, at);
    carom_compare_view_project(&p->view, contact->normal, n);
    double length = hypot(n[0], n[1]);
    if (length < 0.3)
        return; // seen from above
    double towards = carom_compare_view_is_plate(p, contact->b) ? 1 : -1;
    n[0] *= towards / length;
    n[1] *= -towards / length; // y down
    double half = 34, t[2] = { -n[1], n[0] };
    double from[2] = { at[0] - half * t[0], at[1] - half * t[1] };
    double to[2] = { at[0] + half * t[0], at[1] + half * t[1] };
    carom_svg_line(&p->svg, from, to, (carom_svg_style){ .stroke = "mid", .width = 2 });
    for (int i = 0; i <= 6; ++i) {
        double share = i / 6.0;
        double start[2] = { from[0] + share * (to[0] - from[0]),
                            from[1] + share * (to[1] - from[1]) };
        double end[2] = { start[0] + 7 * (n[0] - 0.6 * t[0]), start[1] + 7 * (n[1] - 0.6 * t[1]) };
        carom_svg_line(&p->svg, start, end, (carom_svg_style){ .stroke = "mid", .width = 1 });
    }
}

static void draw_body(carom_compare_painter *p, int body)
{
    double at[2], flat[CAROM_COMPARE_CORNERS][2], corners[CAROM_COMPARE_CORNERS][3],
        around[2 * CAROM_COMPARE_CORNERS][2];
    bool fixed = p->impact->bodies[body].inverse_mass == 0;
    carom_svg_style style = { .stroke = fixed ? "mid" : "ink",
                              .fill = fixed ? "faint" : "paper",
                              .width = 1.2 };
    if (carom_compare_view_is_plate(p, body))
        return;
    carom_compare_view_place(&p->view, p->impact->bodies[body].position, at);
    if (p->shape[body][0] > 0) {
        carom_svg_circle(&p->svg, at, p->shape[body][0] * p->view.scale, style);
        return;
    }
    int count = carom_compare_view_outline(p, body, corners);
    for (int i = 0; i < count; ++i)
        carom_compare_view_place(&p->view, corners[i], flat[i]);
    if (count < 2) {
        carom_svg_circle(&p->svg, at, 4, style);
        return;
    }
    int size = hull(flat, count, around);
    if (size >= 3)
        carom_svg_polygon(&p->svg, around[0], size, style);
    else
        carom_svg_line(&p->svg, flat[0], flat[count - 1],
                       (carom_svg_style){ .stroke = style.stroke, .width = 4 });
}

// Between two balls from centre to centre, else a short piece along the impulse.
static void draw_impulse(carom_compare_painter *p, const carom_compare_row *row, int index)
{
    const carom_impact_contact *contact = &p->impact->contacts[index];
    const double *impulse = row->outcome.impulses[index];
    double size = vec3_length(vec3_from(impulse)) / p->view.impulse;
    if (!(size > 1e-3))
        return;
    double from[3], to[3], t1[3], t2[3], start[2], end[2];
    carom_impact_tangents(contact->normal, t1, t2);
    vec3 push = vec3_scale(impulse[0], vec3_from(contact->normal));
    push = vec3_axpy(push, impulse[1], vec3_from(t1));
    push = vec3_unit(vec3_axpy(push, impulse[2], vec3_from(t2)));
    double reach = 14 / p->view.scale;
    for (int side = 0; side < 2; ++side) {
        int body = side ? contact->b : contact->a;
        double *out = side ? to : from;
        bool ball = p->shape[body][0] > 0 && contact->friction == 0;
        vec3 short_end = vec3_axpy(vec3_from(contact->point), side ? reach : -reach, push);
        vec3_store(ball ? vec3_from(p->impact->bodies[body].position) : short_end, out);
    }
    carom_compare_view_place(&p->view, from, start);
    carom_compare_view_place(&p->view, to, end);
    carom_svg_line(&p->svg, start, end,
                   (carom_svg_style){ .stroke = impulse[0] < 0 ? "hot" : "s4",
                                      .width = fmax(0.6, THICKEST * size),
                                      .opacity = 0.55 });
}

static void draw_arrow(carom_compare_painter *p, int body, const double velocity[3],
                       const char *role, double width)
{
    double from[2], to[2], flat[2];
    carom_compare_view_project(&p->view, velocity, flat);
    if (hypot(flat[0], flat[1]) * p->view.arrow < 0.7)
        return;
    carom_compare_view_place(&p->view, p->impact->bodies[body].position, from);
    to[0] = from[0] + flat[0] * p->view.arrow;
    to[1] = from[1] - flat[1] * p->view.arrow;
    carom_svg_arrow(&p->svg, from, to,
                    (carom_svg_style){ .stroke = role, .fill = role, .width = width });
}

// Few bodies: the figure itself stands below each; a spin is added.
static void draw_label(carom_compare_painter *p, int body, const double velocity[3],
                       const double spin[3])
{
    double at[2];
    char words[64];
    bool still = p->impact->bodies[body].inverse_mass == 0 && vec3_length(vec3_from(velocity)) == 0;
    if (p->impact->body_count > LABELS_MAX || carom_compare_view_is_plate(p, body) || still)
        return;
    carom_compare_view_place(&p->view, p->impact->bodies[body].position, at);
    double turning = vec3_length(vec3_from(spin));
    if (p->view.line) {
        at[1] += 0.62 * p->shape[body][0] * p->view.scale + 4;
        snprintf(words, sizeof words, "%.3g", vec3_dot(p->view.right, vec3_from(velocity)));
        carom_svg_text_at(&p->svg, at, (carom_svg_text){ .size = 11, .anchor = "middle" }, words);
    } else if (turning > 1e-9) {
        at[0] += 9;
        at[1] += 4;
        snprintf(words, sizeof words, "%.2f rad/s", turning);
        carom_svg_text_at(&p->svg, at, (carom_svg_text){ .size = 11 }, words);
    }
}

// Bodies from back to front.
typedef struct depth_entry {
    double depth;
    int body;
} depth_entry;

static int by_depth(const void *a, const void *b)
{
    const depth_entry *first = a, *second = b;
    if (first->depth != second->depth)
        return first->depth > second->depth ? -1 : 1;
    return first->body - second->body;
}

static void draw_bodies(carom_compare_painter *p)
{
    depth_entry *order = malloc(((size_t)p->impact->body_count + 1) * sizeof *order);
    if (!order) {
        p->svg.text->failed = true;
        return;
    }
    for (int i = 0; i < p->impact->body_count; ++i)
        order[i] =
            (depth_entry){ vec3_dot(p->view.depth, vec3_from(p->impact->bodies[i].position)), i };
    qsort(order, (size_t)p->impact->body_count, sizeof *order, by_depth);
    for (int i = 0; i < p->impact->contact_count; ++i) {
        const carom_impact_contact *contact = &p->impact->contacts[i];
        if (carom_compare_view_is_plate(p, contact->a) ||
            carom_compare_view_is_plate(p, contact->b))
            draw_plate(p, contact);
    }
    for (int i = 0; i < p->impact->body_count; ++i)
        draw_body(p, order[i].body);
    free(order);
}

static void draw_before(carom_compare_painter *p)
{
    draw_bodies(p);
    for (int i = 0; i < p->impact->body_count; ++i)
        draw_arrow(p, i, p->impact->bodies[i].velocity, "cold", 2.2);
    for (int i = 0; i < p->impact->body_count; ++i)
        draw_label(p, i, p->impact->bodies[i].velocity, p->impact->bodies[i].spin);
    double at[2] = { 0, p->view.panel[1] + 18 };
    carom_svg_text_at(&p->svg, at, (carom_svg_text){ .size = 15, .bold = 1 }, "before");
    at[1] += 17;
    char words[160];
    snprintf(words, sizeof words, "%d %s, %d %s", p->impact->body_count,
             carom_text_noun(p->impact->body_count, "body", "bodies"), p->impact->contact_count,
             carom_text_noun(p->impact->contact_count, "contact", "contacts"));
    carom_svg_text_at(&p->svg, at, (carom_svg_text){ .size = 12, .role = "mid" }, words);
}

static void caption(carom_compare_painter *p, const carom_compare_row *row)
{
    char words[256];
    double at[2] = { 0, p->view.panel[1] + 18 };
    carom_svg_text_at(&p->svg, at, (carom_svg_text){ .size = 15, .bold = 1 },
                      carom_law_name(row->law));
    at[1] += 17;
    if (row->status != CAROM_OK) {
        snprintf(words, sizeof words, "%s", carom_compare_end(row));
        carom_svg_text_at(&p->svg, at, (carom_svg_text){ .size = 12, .role = "hot" }, words);
        return;
    }
    const carom_impact_report *report = &row->outcome.report;
    size_t used =
        (size_t)snprintf(words, sizeof words, "energy %.1f %%", 100 * row->figures.energy_ratio);
    if (row->figures.distance >= 0)
        used += (size_t)snprintf(words + used, sizeof words - used, ", %.3f from springs",
                                 row->figures.distance);
    if (report->end != CAROM_IMPACT_SETTLED)
        used += (size_t)snprintf(words + used, sizeof words - used, ", %s", carom_compare_end(row));
    if (carom_compare_frictionless(p->compare, row))
        snprintf(words + used, sizeof words - used, ", no friction");
    carom_svg_text_at(&p->svg, at, (carom_svg_text){ .size = 12 }, words);
    at[1] += 17;
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i) {
        carom_verdict verdict = row->figures.of[i].verdict;
        snprintf(words, sizeof words, "%s%s", carom_law_promise_name(i),
                 verdict == CAROM_VERDICT_HOLDS    ? " \xE2\x9C\x93"
                 : verdict == CAROM_VERDICT_BROKEN ? " \xE2\x9C\x97"
                                                   : " \xC2\xB7");
        carom_svg_text_at(&p->svg, at,
                          (carom_svg_text){ .size = 10,
                                            .bold = verdict == CAROM_VERDICT_BROKEN,
                                            .role = verdict == CAROM_VERDICT_HOLDS    ? "s2"
                                                    : verdict == CAROM_VERDICT_BROKEN ? "hot"
                                                                                      : "mid" },
                          words);
        at[0] += 42;
    }
}

static void draw_after(carom_compare_painter *p, const carom_compare_row *row)
{
    draw_bodies(p);
    for (int i = 0; row->status == CAROM_OK && i < p->impact->contact_count; ++i)
        draw_impulse(p, row, i);
    for (int i = 0; row->status == CAROM_OK && i < p->impact->body_count; ++i) {
        draw_arrow(p, i, p->impact->bodies[i].velocity, "faint", 1.6);
        draw_arrow(p, i, row->outcome.velocities[i], "hot", 2.2);
    }
    for (int i = 0; row->status == CAROM_OK && i < p->impact->body_count; ++i)
        draw_label(p, i, row->outcome.velocities[i], row->outcome.spins[i]);
    caption(p, row);
}

static void draw_legend(carom_compare_painter *p, double height)
{
    double from[2] = { MARGIN, height - 14 }, to[2] = { MARGIN + 30, height - 14 };
    const struct {
        const char *role, *words;
    } items[] = { { "cold", "velocity before" }, { "hot", "velocity after" } };
    carom_svg_text look = { .size = 12, .role = "mid" };
    for (int i = 0; i < 2; ++i) {
        carom_svg_arrow(
            &p->svg, from, to,
            (carom_svg_style){ .stroke = items[i].role, .fill = items[i].role, .width = 2.2 });
        double at[2] = { to[0] + 6, to[1] + 4 };
        carom_svg_text_at(&p->svg, at, look, items[i].words);
        from[0] += 150;
        to[0] += 150;
    }
    carom_svg_line(&p->svg, from, to,
                   (carom_svg_style){ .stroke = "s4", .width = 8, .opacity = 0.55 });
    double at[2] = { to[0] + 6, to[1] + 4 };
    carom_svg_text_at(&p->svg, at, look, "impulse (thickness); all panels on one scale");
}

static void draw_panels(carom_compare_painter *p, carom_text *text)
{
    int rows = carom_compare_count(p->compare);
    int panels = 1 + (rows < PANELS_MAX ? rows : PANELS_MAX);
    double cell[2] = { p->view.panel[0] + 2 * MARGIN, p->view.panel[1] + CAPTION + 2 * MARGIN };
    int columns = (int)(1328 / cell[0]);
    if (columns > panels)
        columns = panels;
    int lines = (panels + columns - 1) / columns;
    double height = lines * cell[1] + LEGEND;
    p->svg = carom_svg_begin(text, fmax(columns * cell[0], 700), height,
                             carom_scene_impact_title(p->scene));
    for (int i = 0; i < panels; ++i) {
        double corner[2] = { (i % columns) * cell[0] + MARGIN, (i / columns) * cell[1] + MARGIN };
        carom_svg_group(&p->svg, corner);
        if (i == 0)
            draw_before(p);
        else
            draw_after(p, carom_compare_at(p->compare, i - 1));
        carom_svg_group_end(&p->svg);
    }
    draw_legend(p, height);
    carom_svg_end(&p->svg);
}

char *carom_compare_svg(const carom_compare *compare)
{
    if (!compare)
        return NULL;
    carom_compare_painter p = { .compare = compare, .scene = carom_compare_scene(compare) };
    carom_text text = { 0 };
    p.impact = carom_scene_impact_problem(p.scene);
    p.shape = calloc((size_t)p.impact->body_count + 1, sizeof *p.shape);
    if (!p.shape)
        return NULL;
    carom_compare_view_make(&p);
    draw_panels(&p, &text);
    free(p.shape);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

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

enum { MOST_PANELS = 24, MOST_LABELS = 8, CORNERS = 64 };

static const double MARGIN = 16, CAPTION = 66, LEGEND = 30, THICKEST = 10;

// How the world lies on the picture: right and up are unit vectors, depth decides what is in front.
typedef struct view {
    vec3 right, up, depth;
    bool line;                // everything moves along one axis
    double least[2], most[2]; // m, of everything drawn
    double scale;             // px per m
    double arrow;             // px per m/s
    double impulse;           // N s, largest
    double panel[2];          // px, size of the drawing area
} view;

typedef struct painter {
    const carom_compare *compare;
    const carom_scene_impact *scene;
    const carom_impact *impact;
    carom_svg svg;
    view view;
    double (*shape)[2]; // per body: radius of a ball (0: none), half size of its outline
} painter;

// -- the view -----------------------------------------------------------------------------------

static void widen(double extent[3], double least[3], double most[3], const double point[3])
{
    for (int k = 0; k < 3; ++k) {
        least[k] = fmin(least[k], point[k]);
        most[k] = fmax(most[k], point[k]);
        extent[k] = most[k] - least[k];
    }
}

// Extents of places (bodies and contacts), the largest velocity and the largest spin per axis.
static void measure(const painter *p, double places[3], double speeds[3], double spins[3])
{
    double least[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL },
           most[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (int k = 0; k < 3; ++k)
        places[k] = speeds[k] = spins[k] = 0;
    for (int i = 0; i < p->impact->body_count; ++i) {
        bool movable = p->impact->bodies[i].inverse_mass > 0;
        if (movable)
            widen(places, least, most, p->impact->bodies[i].position);
        for (int k = 0; k < 3; ++k)
            speeds[k] = fmax(speeds[k], fabs(p->impact->bodies[i].velocity[k]));
        for (int r = 0; r < carom_compare_count(p->compare); ++r) {
            const carom_compare_row *row = carom_compare_at(p->compare, r);
            for (int k = 0; row->status == CAROM_OK && k < 3; ++k) {
                speeds[k] = fmax(speeds[k], fabs(row->outcome.velocities[i][k]));
                spins[k] = fmax(spins[k], fabs(row->outcome.spins[i][k]));
            }
        }
    }
    for (int i = 0; i < p->impact->contact_count; ++i)
        widen(places, least, most, p->impact->contacts[i].point);
}

// How much there is to see along each axis: places, velocities, and turning about the others.
static void weigh(const painter *p, double weight[3], bool *line)
{
    double places[3], speeds[3], spins[3], fastest = 0, widest = 0, turning = 0;
    measure(p, places, speeds, spins);
    for (int k = 0; k < 3; ++k) {
        fastest = fmax(fastest, speeds[k]);
        widest = fmax(widest, places[k]);
        turning = fmax(turning, spins[k]);
    }
    int moving = 0;
    for (int k = 0; k < 3; ++k) {
        weight[k] = (fastest > 0 ? speeds[k] / fastest : 0) + (widest > 0 ? places[k] / widest : 0);
        weight[k] -= turning > 1e-9 ? 1.5 * spins[k] / turning : 0;
        moving += speeds[k] > 1e-9 * fastest || places[k] > 1e-9 * widest;
    }
    *line = moving <= 1;
}

static void choose_view(painter *p)
{
    view *v = &p->view;
    double weight[3];
    weigh(p, weight, &v->line);
    bool many = p->impact->body_count > 4;
    if (many && weight[0] > 0.6 && weight[1] > 0.6 && weight[2] > 0.6) {
        v->depth = vec3_unit(vec3_make(-0.4, 0.9, -0.55)); // from above, in front, to the right
        v->right = vec3_unit(vec3_cross(v->depth, vec3_make(0, 0, 1)));
        v->up = vec3_cross(v->right, v->depth);
    } else if (weight[2] >= weight[1] || weight[2] >= weight[0]) { // z up
        bool from_front = weight[0] >= weight[1] || (v->line && weight[0] > 0);
        v->right = from_front ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
        v->depth = from_front ? vec3_make(0, 1, 0) : vec3_make(-1, 0, 0);
        v->up = vec3_make(0, 0, 1);
    } else { // from above
        v->right = vec3_make(1, 0, 0);
        v->up = vec3_make(0, 1, 0);
        v->depth = vec3_make(0, 0, -1);
    }
}

static void project(const view *v, const double point[3], double out[2])
{
    out[0] = vec3_dot(v->right, vec3_from(point));
    out[1] = vec3_dot(v->up, vec3_from(point));
}

// Into the panel: y down.
static void place(const view *v, const double point[3], double out[2])
{
    double flat[2];
    project(v, point, flat);
    out[0] = (flat[0] - v->least[0]) * v->scale;
    out[1] = (v->most[1] - flat[1]) * v->scale;
}

// -- shapes -------------------------------------------------------------------------------------

// A body without a look: a ball where all its contacts lie at one distance along their normals.
static double guess_radius(const painter *p, int body)
{
    double radius = 0;
    for (int i = 0; i < p->impact->contact_count; ++i) {
        const carom_impact_contact *contact = &p->impact->contacts[i];
        if (contact->a != body && contact->b != body)
            continue;
        vec3 arm = vec3_sub(vec3_from(contact->point), vec3_from(p->impact->bodies[body].position));
        double length = vec3_length(arm);
        double along = fabs(vec3_dot(arm, vec3_from(contact->normal)));
        if (along < 0.999 * length || (radius > 0 && fabs(length - radius) > 0.05 * radius))
            return 0;
        radius = length;
    }
    return radius;
}

// Corners of a body's outline: the box of its look, or its contact points and their mirror images.
static int outline(const painter *p, int body, double (*corners)[3])
{
    carom_scene_look look = carom_scene_impact_look(p->scene, body);
    const double *centre = p->impact->bodies[body].position;
    int count = 0;
    if (look.size[0] > 0 || look.size[1] > 0 || look.size[2] > 0) {
        for (; count < 8; ++count)
            for (int k = 0; k < 3; ++k)
                corners[count][k] = centre[k] + (count >> k & 1 ? 0.5 : -0.5) * look.size[k];
        return count;
    }
    for (int i = 0; i < p->impact->contact_count && count + 2 <= CORNERS; ++i) {
        const carom_impact_contact *contact = &p->impact->contacts[i];
        if (contact->a != body && contact->b != body)
            continue;
        for (int k = 0; k < 3; ++k) {
            corners[count][k] = contact->point[k];
            corners[count + 1][k] = 2 * centre[k] - contact->point[k];
        }
        count += 2;
    }
    return count;
}

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

static bool is_plate(const painter *p, int body)
{
    carom_scene_look look = carom_scene_impact_look(p->scene, body);
    return p->impact->bodies[body].inverse_mass == 0 && look.radius == 0 && look.size[0] == 0 &&
           look.size[1] == 0 && look.size[2] == 0;
}

static void find_shapes(painter *p)
{
    for (int i = 0; i < p->impact->body_count; ++i) {
        carom_scene_look look = carom_scene_impact_look(p->scene, i);
        bool box = look.size[0] > 0 || look.size[1] > 0 || look.size[2] > 0;
        p->shape[i][0] = p->shape[i][1] = 0;
        if (is_plate(p, i))
            continue;
        p->shape[i][0] = look.radius > 0 ? look.radius : box ? 0 : guess_radius(p, i);
    }
}

// -- the frame ----------------------------------------------------------------------------------

static void include(view *v, const double at[2], double around)
{
    for (int k = 0; k < 2; ++k) {
        v->least[k] = fmin(v->least[k], at[k] - around);
        v->most[k] = fmax(v->most[k], at[k] + around);
    }
}

static void include_bodies(painter *p)
{
    view *v = &p->view;
    for (int i = 0; i < p->impact->body_count; ++i) {
        double at[2], corners[CORNERS][3];
        if (is_plate(p, i))
            continue;
        project(v, p->impact->bodies[i].position, at);
        include(v, at, p->shape[i][0]);
        int count = p->shape[i][0] > 0 ? 0 : outline(p, i, corners);
        for (int k = 0; k < count; ++k) {
            project(v, corners[k], at);
            include(v, at, 0);
        }
    }
    for (int i = 0; i < p->impact->contact_count; ++i) {
        double at[2];
        project(v, p->impact->contacts[i].point, at);
        include(v, at, 0);
    }
}

static void include_arrows(painter *p, double metres_per_speed)
{
    view *v = &p->view;
    for (int i = 0; i < p->impact->body_count; ++i)
        for (int r = -1; r < carom_compare_count(p->compare); ++r) {
            const carom_compare_row *row = r < 0 ? NULL : carom_compare_at(p->compare, r);
            if (row && row->status != CAROM_OK)
                continue;
            const double *speed = row ? row->outcome.velocities[i] : p->impact->bodies[i].velocity;
            double tip[3], at[2];
            for (int k = 0; k < 3; ++k)
                tip[k] = p->impact->bodies[i].position[k] + metres_per_speed * speed[k];
            if (is_plate(p, i))
                continue;
            project(v, tip, at);
            include(v, at, 0);
        }
}

static void largest(painter *p, double *speed, double *impulse)
{
    *speed = *impulse = 0;
    for (int i = 0; i < p->impact->body_count; ++i)
        *speed = fmax(*speed, vec3_length(vec3_from(p->impact->bodies[i].velocity)));
    for (int r = 0; r < carom_compare_count(p->compare); ++r) {
        const carom_compare_row *row = carom_compare_at(p->compare, r);
        if (row->status != CAROM_OK)
            continue;
        for (int i = 0; i < p->impact->body_count; ++i)
            *speed = fmax(*speed, vec3_length(vec3_from(row->outcome.velocities[i])));
        for (int i = 0; i < p->impact->contact_count; ++i)
            *impulse = fmax(*impulse, vec3_length(vec3_from(row->outcome.impulses[i])));
    }
}

// The typical size of a body decides how long arrows are.
static void frame(painter *p)
{
    view *v = &p->view;
    double speed, diameter = 0;
    v->least[0] = v->least[1] = HUGE_VAL;
    v->most[0] = v->most[1] = -HUGE_VAL;
    include_bodies(p);
    if (v->most[0] < v->least[0]) // nothing but walls that touch nothing
        include(v, (double[2]){ 0, 0 }, 1);
    double width = v->most[0] - v->least[0], height = v->most[1] - v->least[1];
    for (int i = 0; i < p->impact->body_count; ++i)
        diameter = fmax(diameter, 2 * p->shape[i][0]);
    if (diameter == 0)
        diameter = 0.5 * fmax(width, height);
    if (diameter == 0)
        diameter = 1;
    largest(p, &speed, &v->impulse);
    double longest = v->line ? 0.9 * diameter : 1.3 * diameter; // of an arrow
    double metres_per_speed = speed > 0 ? longest / speed : 0;
    include_arrows(p, metres_per_speed);
    for (int k = 0; k < 2; ++k) {
        v->least[k] -= 0.2 * diameter;
        v->most[k] += 0.2 * diameter;
    }
    width = v->most[0] - v->least[0];
    height = v->most[1] - v->least[1];
    v->panel[0] = width > 2.5 * height ? 440 : 300;
    v->scale = v->panel[0] / width;
    if (height * v->scale > 320)
        v->scale = 320 / height;
    double spare = 0.5 * (v->panel[0] / v->scale - width);
    v->least[0] -= spare;
    v->most[0] += spare;
    v->panel[1] = height * v->scale;
    v->arrow = metres_per_speed * v->scale;
}

// -- drawing ------------------------------------------------------------------------------------

// The wall behind a contact with a body that has no look: a line along the surface with hatching.
static void draw_plate(painter *p, const carom_impact_contact *contact)
{
    double at[2], n[2];
    place(&p->view, contact->point, at);
    project(&p->view, contact->normal, n);
    double length = hypot(n[0], n[1]);
    if (length < 0.3)
        return; // seen from above
    double towards = is_plate(p, contact->b) ? 1 : -1;
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

static void draw_body(painter *p, int body)
{
    double at[2], flat[CORNERS][2], corners[CORNERS][3], around[2 * CORNERS][2];
    bool fixed = p->impact->bodies[body].inverse_mass == 0;
    carom_svg_style style = { .stroke = fixed ? "mid" : "ink",
                              .fill = fixed ? "faint" : "paper",
                              .width = 1.2 };
    if (is_plate(p, body))
        return;
    place(&p->view, p->impact->bodies[body].position, at);
    if (p->shape[body][0] > 0) {
        carom_svg_circle(&p->svg, at, p->shape[body][0] * p->view.scale, style);
        return;
    }
    int count = outline(p, body, corners);
    for (int i = 0; i < count; ++i)
        place(&p->view, corners[i], flat[i]);
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
static void draw_impulse(painter *p, const carom_compare_row *row, int index)
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
    place(&p->view, from, start);
    place(&p->view, to, end);
    carom_svg_line(&p->svg, start, end,
                   (carom_svg_style){ .stroke = impulse[0] < 0 ? "hot" : "s4",
                                      .width = fmax(0.6, THICKEST * size),
                                      .opacity = 0.55 });
}

static void draw_arrow(painter *p, int body, const double velocity[3], const char *role,
                       double width)
{
    double from[2], to[2], flat[2];
    project(&p->view, velocity, flat);
    if (hypot(flat[0], flat[1]) * p->view.arrow < 0.7)
        return;
    place(&p->view, p->impact->bodies[body].position, from);
    to[0] = from[0] + flat[0] * p->view.arrow;
    to[1] = from[1] - flat[1] * p->view.arrow;
    carom_svg_arrow(&p->svg, from, to,
                    (carom_svg_style){ .stroke = role, .fill = role, .width = width });
}

// Few bodies: the figure itself stands below each; a spin is added.
static void draw_label(painter *p, int body, const double velocity[3], const double spin[3])
{
    double at[2];
    char words[64];
    bool still = p->impact->bodies[body].inverse_mass == 0 && vec3_length(vec3_from(velocity)) == 0;
    if (p->impact->body_count > MOST_LABELS || is_plate(p, body) || still)
        return;
    place(&p->view, p->impact->bodies[body].position, at);
    double turning = vec3_length(vec3_from(spin));
    if (p->view.line) {
        at[1] += 0.62 * p->shape[body][0] * p->view.scale + 4;
        snprintf(words, sizeof words, "%.3g", vec3_dot(p->view.right, vec3_from(velocity)));
        carom_svg_words_at(&p->svg, at, (carom_svg_words){ .size = 11, .anchor = "middle" }, words);
    } else if (turning > 1e-9) {
        at[0] += 9;
        at[1] += 4;
        snprintf(words, sizeof words, "%.2f rad/s", turning);
        carom_svg_words_at(&p->svg, at, (carom_svg_words){ .size = 11 }, words);
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

static void draw_bodies(painter *p)
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
        if (is_plate(p, contact->a) || is_plate(p, contact->b))
            draw_plate(p, contact);
    }
    for (int i = 0; i < p->impact->body_count; ++i)
        draw_body(p, order[i].body);
    free(order);
}

static void draw_before(painter *p)
{
    draw_bodies(p);
    for (int i = 0; i < p->impact->body_count; ++i)
        draw_arrow(p, i, p->impact->bodies[i].velocity, "cold", 2.2);
    for (int i = 0; i < p->impact->body_count; ++i)
        draw_label(p, i, p->impact->bodies[i].velocity, p->impact->bodies[i].spin);
    double at[2] = { 0, p->view.panel[1] + 18 };
    carom_svg_words_at(&p->svg, at, (carom_svg_words){ .size = 15, .bold = 1 }, "before");
    at[1] += 17;
    char words[160];
    snprintf(words, sizeof words, "%d bodies, %d contact%s", p->impact->body_count,
             p->impact->contact_count, p->impact->contact_count == 1 ? "" : "s");
    carom_svg_words_at(&p->svg, at, (carom_svg_words){ .size = 12, .role = "mid" }, words);
}

static void caption(painter *p, const carom_compare_row *row)
{
    char words[256];
    double at[2] = { 0, p->view.panel[1] + 18 };
    carom_svg_words_at(&p->svg, at, (carom_svg_words){ .size = 15, .bold = 1 },
                       carom_law_name(row->law));
    at[1] += 17;
    if (row->status != CAROM_OK) {
        snprintf(words, sizeof words, "%s", carom_compare_end(row));
        carom_svg_words_at(&p->svg, at, (carom_svg_words){ .size = 12, .role = "hot" }, words);
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
    carom_svg_words_at(&p->svg, at, (carom_svg_words){ .size = 12 }, words);
    at[1] += 17;
    for (int i = 0; i < CAROM_PROMISE_COUNT; ++i) {
        carom_verdict verdict = row->figures.of[i].verdict;
        snprintf(words, sizeof words, "%s%s", carom_law_promise_name(i),
                 verdict == CAROM_VERDICT_HOLDS    ? " \xE2\x9C\x93"
                 : verdict == CAROM_VERDICT_BROKEN ? " \xE2\x9C\x97"
                                                   : " \xC2\xB7");
        carom_svg_words_at(&p->svg, at,
                           (carom_svg_words){ .size = 10,
                                              .bold = verdict == CAROM_VERDICT_BROKEN,
                                              .role = verdict == CAROM_VERDICT_HOLDS    ? "s2"
                                                      : verdict == CAROM_VERDICT_BROKEN ? "hot"
                                                                                        : "mid" },
                           words);
        at[0] += 42;
    }
}

static void draw_after(painter *p, const carom_compare_row *row)
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

static void draw_legend(painter *p, double height)
{
    double from[2] = { MARGIN, height - 14 }, to[2] = { MARGIN + 30, height - 14 };
    const struct {
        const char *role, *words;
    } items[] = { { "cold", "velocity before" }, { "hot", "velocity after" } };
    carom_svg_words look = { .size = 12, .role = "mid" };
    for (int i = 0; i < 2; ++i) {
        carom_svg_arrow(
            &p->svg, from, to,
            (carom_svg_style){ .stroke = items[i].role, .fill = items[i].role, .width = 2.2 });
        double at[2] = { to[0] + 6, to[1] + 4 };
        carom_svg_words_at(&p->svg, at, look, items[i].words);
        from[0] += 150;
        to[0] += 150;
    }
    carom_svg_line(&p->svg, from, to,
                   (carom_svg_style){ .stroke = "s4", .width = 8, .opacity = 0.55 });
    double at[2] = { to[0] + 6, to[1] + 4 };
    carom_svg_words_at(&p->svg, at, look, "impulse (thickness); all panels on one scale");
}

static void draw_panels(painter *p, carom_text *text)
{
    int rows = carom_compare_count(p->compare);
    int panels = 1 + (rows < MOST_PANELS ? rows : MOST_PANELS);
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
    painter p = { .compare = compare, .scene = carom_compare_scene(compare) };
    carom_text text = { 0 };
    p.impact = carom_scene_impact_problem(p.scene);
    p.shape = calloc((size_t)p.impact->body_count + 1, sizeof *p.shape);
    if (!p.shape)
        return NULL;
    choose_view(&p);
    find_shapes(&p);
    frame(&p);
    draw_panels(&p, &text);
    free(p.shape);
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

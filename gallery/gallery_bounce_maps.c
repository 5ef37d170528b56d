// Maps over whole bodies of [Bounce]: figures 1, 4, 10, 12, 17, 19 and 20, and table 2.
//
// Shapes are those that can be made here; the sizes of the paper's are not printed. Restitution
// depends on ratios only, so that size does not matter, but proportions do.
#include "gallery/gallery_bounce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Mean of the samples whose normal points along a direction, and which lie in a range of one axis.
typedef struct choice {
    double along[3], cosine; // normals with at least this cosine
    int axis;
    double from, to; // of the coordinate along that axis, as a part of its range
} choice;

typedef struct summary {
    int count;
    double mean, min, max;
} summary;

static void range_of(const carom_bounce_map *map, int axis, double out[2])
{
    out[0] = HUGE_VAL;
    out[1] = -HUGE_VAL;
    for (int i = 0; i < carom_bounce_map_sample_count(map); ++i) {
        double p[3];
        carom_bounce_map_sample(map, i, p, NULL);
        out[0] = fmin(out[0], p[axis]);
        out[1] = fmax(out[1], p[axis]);
    }
}

static summary choose(const carom_bounce_map *map, const choice *c)
{
    summary s = { 0, 0, 1, 0 };
    double range[2];
    range_of(map, c->axis, range);
    for (int i = 0; i < carom_bounce_map_sample_count(map); ++i) {
        double p[3], n[3];
        carom_bounce_value value = carom_bounce_map_sample(map, i, p, n);
        double at = (p[c->axis] - range[0]) / (range[1] - range[0]);
        double cosine = n[0] * c->along[0] + n[1] * c->along[1] + n[2] * c->along[2];
        if (value.place != CAROM_BOUNCE_FACE || cosine < c->cosine || at < c->from || at > c->to)
            continue;
        ++s.count;
        s.mean += value.epsilon;
        s.min = fmin(s.min, value.epsilon);
        s.max = fmax(s.max, value.epsilon);
    }
    s.mean /= s.count ? s.count : 1;
    return s;
}

// Modes, map, and its picture; the map is the caller's.
static carom_status map_of(carom_gallery_result *result, const char *shape, carom_gallery_fine fine,
                           const char *caption, carom_bounce_map **out, carom_error *err)
{
    carom_gallery_solid solid;
    *out = NULL;
    carom_status status = carom_gallery_bounce_solid(result, shape, fine, &solid, err);
    if (status == CAROM_OK)
        status = carom_gallery_bounce_bake(result, &solid, out, err);
    if (status == CAROM_OK && caption)
        status = carom_gallery_bounce_draw(result, *out, shape, caption, err);
    carom_gallery_bounce_close(&solid);
    return status;
}

// Every value is below the bound of the first inelastic impulse, so below 1.
static void within(carom_gallery_result *result, const char *name, const carom_bounce_map *map)
{
    carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
    char what[100];
    snprintf(what, sizeof what, "%s: largest restitution, below 1", name);
    carom_gallery_result_at_most(result, what, "", s.max, 0.9999);
}

// -- figure 1 -----------------------------------------------------------------------------------

carom_status carom_gallery_bounce_letters(carom_gallery_result *result, carom_error *err)
{
    static const char letters[] = "BOUNCE";
    static const choice bottom = { { 0, -1, 0 }, 0.9, 1, 0, 0.1 };
    double low[8], all[8];
    int count = 0, max = result->quick ? 3 : 6;
    const char *names = result->quick ? "BUE" : letters;
    for (int k = 0; k < max; ++k) {
        char shape[40], what[80], caption[80];
        carom_bounce_map *map = NULL;
        snprintf(shape, sizeof shape, "letter-%c:100x25mm@%smm", names[k],
                 result->quick ? "7" : "3");
        snprintf(caption, sizeof caption, "The letter %c from two sides, and its values.",
                 names[k]);
        carom_status status = map_of(result, shape,
                                     result->quick ? (carom_gallery_fine){ 20, 1, 8000 }
                                                   : (carom_gallery_fine){ 45, 2, 30000 },
                                     caption, &map, err);
        if (status == CAROM_OK) {
            carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
            summary b = choose(map, &bottom);
            snprintf(what, sizeof what, "%c: range of restitution over the surface", names[k]);
            carom_gallery_result_at_least(result, what, "", s.max - s.min, 0.4);
            snprintf(what, sizeof what, "%c: mean over the bottom", names[k]);
            carom_gallery_result_number(result, what, "", NAN, b.mean);
            low[count] = b.mean;
            all[count++] = s.mean_area;
            within(result, (char[]){ names[k], 0 }, map);
        }
        carom_bounce_map_destroy(map);
        TRY(status);
    }
    if (result->quick)
        carom_gallery_result_smaller(result, "the letters B, U and E instead of all, with 20 modes "
                                             "instead of 45, coarsely meshed.");
    double min = 1, largest = 0;
    for (int k = 0; k < count; ++k) {
        min = fmin(min, all[k]);
        largest = fmax(largest, all[k]);
    }
    carom_gallery_result_number(result, "smallest mean of a letter", "", NAN, min);
    carom_gallery_result_number(result, "largest mean of a letter", "", NAN, largest);
    carom_gallery_result_holds(result, low[0] > all[0] - 0.2,
                               "B: the bottom (%.2f) is not dull against the whole (%.2f)", low[0],
                               all[0]);
    return CAROM_OK;
}

// -- figure 4 -----------------------------------------------------------------------------------

carom_status carom_gallery_bounce_spring(carom_gallery_result *result, carom_error *err)
{
    // the strip is folded along y: the end faces look along y at both ends, sides along z and x
    static const choice ends[2] = { { { 0, -1, 0 }, 0.9, 1, 0, 0.05 },
                                    { { 0, 1, 0 }, 0.9, 1, 0.95, 1 } };
    static const choice side = { { 0, 0, 1 }, 0.9, 1, 0, 1 };
    carom_bounce_map *map = NULL;
    TRY(map_of(result, result->quick ? "spring:100x60x30x6mm@8mm" : "spring:100x60x30x6mm@3mm",
               result->quick ? (carom_gallery_fine){ 20, 1, 12000 }
                             : (carom_gallery_fine){ 45, 1.5, 40000 },
               "The folded strip from two sides; the ends are the outer faces of the first and "
               "last fold.",
               &map, err));
    summary a = choose(map, &ends[0]), b = choose(map, &ends[1]), s = choose(map, &side);
    carom_bounce_statistics all = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
    carom_gallery_result_number(result, "mean over one end face", "", NAN, a.mean);
    carom_gallery_result_number(result, "mean over the other", "", NAN, b.mean);
    carom_gallery_result_number(result, "mean over the sides", "", NAN, s.mean);
    carom_gallery_result_holds(
        result, a.max > s.mean && b.max > s.mean,
        "the end faces hold bouncier places (%.2f, %.2f) than the sides have "
        "on the mean (%.2f)",
        a.max, b.max, s.mean);
    carom_gallery_result_holds(result, a.mean > s.mean && b.mean > s.mean,
                               "the end faces are bouncier than the sides on the mean");
    carom_gallery_result_at_least(result, "range of restitution over the whole spring", "",
                                  all.max - all.min, 0.7);
    within(result, "spring", map);
    carom_bounce_map_destroy(map);
    if (result->quick)
        carom_gallery_result_smaller(result, "20 modes instead of 45, one cell across the strip.");
    return CAROM_OK;
}

// -- figures 10 and 17 --------------------------------------------------------------------------

// The largest difference of restitution between faces that share an edge and whose normals differ
// by more than 20 degrees.
static carom_status across_edges(carom_gallery_result *result, const carom_bounce_map *map,
                                 double *max, carom_error *err)
{
    carom_mesh_source mesh = carom_mesh_surface(carom_bounce_map_mesh(map));
    int *owner; // a face of every vertex
    *max = 0;
    TAKE(result->memory, owner, mesh.vertex_count + 1, err);
    for (int i = 0; i < mesh.vertex_count; ++i)
        owner[i] = -1;
    for (int f = 0; f < mesh.triangle_count; ++f)
        for (int k = 0; k < 3; ++k) {
            int v = mesh.triangles[3 * f + k], other = owner[v];
            owner[v] = f;
            if (other < 0)
                continue;
            double a[3], b[3];
            double one = carom_bounce_map_sample(map, f, NULL, a).epsilon,
                   two = carom_bounce_map_sample(map, other, NULL, b).epsilon;
            if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < cos(20 * 3.14159265358979 / 180))
                *max = fmax(*max, fabs(one - two));
        }
    return CAROM_OK;
}

carom_status carom_gallery_bounce_smooth(carom_gallery_result *result, carom_error *err)
{
    static const struct {
        const char *name, *full, *quick, *caption;
    } bodies[2] = {
        { "bunny", "bunny", NULL, "Stanford's bunny, 20 cm high, from two sides." },
        { "pin", "pin:381mm@12mm", "pin:381mm@25mm",
          "A bowling pin: neighbouring places with other normals have other values." },
    };
    for (int k = result->quick; k < 2; ++k) {
        carom_bounce_map *map = NULL;
        double max = 0;
        char what[120];
        carom_status status =
            map_of(result, result->quick ? bodies[k].quick : bodies[k].full,
                   result->quick ? (carom_gallery_fine){ 20, 1, 10000 }
                                 : (carom_gallery_fine){ 45, k ? 2 : 1, k ? 40000 : 60000 },
                   bodies[k].caption, &map, err);
        if (status == CAROM_OK)
            status = across_edges(result, map, &max, err);
        snprintf(what, sizeof what,
                 "%s: largest difference of neighbours whose normals differ by 20 degrees",
                 bodies[k].name);
        if (status == CAROM_OK) {
            carom_gallery_result_at_least(result, what, "", max, 0.1);
            within(result, bodies[k].name, map);
        }
        carom_bounce_map_destroy(map);
        TRY(status);
    }
    carom_gallery_result_note(result,
                              "The paper's dragon and Buddha are not at hand as closed meshes; "
                              "the bunny and a bowling pin, smooth as they are, stand for them.");
    if (result->quick)
        carom_gallery_result_smaller(result,
                                     "the pin alone, coarsely meshed, with 20 modes instead "
                                     "of 45; in full the bunny, too.");
    return CAROM_OK;
}

carom_status carom_gallery_bounce_bats(carom_gallery_result *result, carom_error *err)
{
    carom_bounce_map *map = NULL;
    // the rod first: its middle, and the dead zones towards its ends
    TRY(map_of(result, result->quick ? "rod:200x10mm@4mm" : "rod:200x10mm@2mm",
               (carom_gallery_fine){ 46, result->quick ? 1 : 2, 40000 }, "A rod from two sides.",
               &map, err));
    static const choice middle = { { 1, 0, 0 }, -1, 2, 0.42, 0.58 },
                        zone = { { 1, 0, 0 }, -1, 2, 0.12, 0.3 },
                        cap = { { 0, 0, 1 }, 0.97, 2, 0.9, 1 },
                        edge = { { 0, 0, 1 }, -1, 2, 0.95, 1 };
    summary m = choose(map, &middle), z = choose(map, &zone), c = choose(map, &cap),
            e = choose(map, &edge);
    carom_bounce_map_destroy(map);
    carom_gallery_result_number(result, "rod: mean near its middle", "", NAN, m.mean);
    carom_gallery_result_number(result, "rod: least towards its end", "", NAN, z.min);
    carom_gallery_result_holds(result, m.mean > z.min + 0.2,
                               "rod: more bounce near the middle than in the dead zone");
    carom_gallery_result_holds(result, c.count > 0 && c.max > e.min + 0.3,
                               "rod: strong variation on the end cap, highest at its middle (%.2f; "
                               "least %.2f)",
                               c.max, e.min);
    TRY(map_of(result, result->quick ? "bat:860mm@20mm" : "bat:860mm@12mm",
               result->quick ? (carom_gallery_fine){ 45, 1, 14000 }
                             : (carom_gallery_fine){ 45, 2, 40000 },
               "A baseball bat from two sides.", &map, err));
    carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
    static const choice barrel = { { 1, 0, 0 }, -1, 2, 0.7, 0.97 },
                        ends[2] = { { { 0, 0, 1 }, 0.95, 2, 0.97, 1 },
                                    { { 0, 0, -1 }, 0.95, 2, 0, 0.03 } };
    summary sweet = choose(map, &barrel), far = choose(map, &ends[0]), knob = choose(map, &ends[1]);
    carom_bounce_map_destroy(map);
    carom_gallery_result_near(result, "bat: least restitution", "", 0.069281, s.min, 0.05);
    carom_gallery_result_number(result, "bat: largest restitution", "", 0.956061, s.max);
    carom_gallery_result_holds(result, sweet.min < s.min + 0.15,
                               "bat: a minimum lies in the barrel, where the sweet spot is (%.2f)",
                               sweet.min);
    carom_gallery_result_holds(result, fmax(far.max, knob.max) > s.mean_area + 0.1,
                               "bat: an end cap is bouncier (%.2f) than the bat on the mean (%.2f)",
                               fmax(far.max, knob.max), s.mean_area);
    if (result->quick)
        carom_gallery_result_smaller(result, "coarser meshes, one cell across.");
    return CAROM_OK;
}

// -- figure 12 ----------------------------------------------------------------------------------

// A point near the corner (5, 5, 5) cm of the cube as seen along (-1, -1, -1) from outside.
static void seen(const double p[3], const double middle[2], double out[2])
{
    const double scale = 1500; // px per m
    out[0] = middle[0] + scale * 0.7071 * (p[1] - p[0]);
    out[1] = middle[1] + scale * 0.4082 * ((p[0] - 0.05) + (p[1] - 0.05) - 2 * (p[2] - 0.05));
}

static void draw_cube(carom_svg *svg, const double middle[2])
{
    // the nine edges that are seen: three from the corner, six around
    static const double ends[9][2][3] = {
        { { 1, 1, 1 }, { -1, 1, 1 } },   { { 1, 1, 1 }, { 1, -1, 1 } },
        { { 1, 1, 1 }, { 1, 1, -1 } },   { { -1, 1, 1 }, { -1, -1, 1 } },
        { { -1, -1, 1 }, { 1, -1, 1 } }, { { 1, -1, 1 }, { 1, -1, -1 } },
        { { 1, -1, -1 }, { 1, 1, -1 } }, { { 1, 1, -1 }, { -1, 1, -1 } },
        { { -1, 1, -1 }, { -1, 1, 1 } },
    };
    for (int i = 0; i < 9; ++i) {
        double at[2][2];
        for (int end = 0; end < 2; ++end) {
            double p[3];
            for (int k = 0; k < 3; ++k)
                p[k] = 0.05 * ends[i][end][k];
            seen(p, middle, at[end]);
        }
        carom_svg_line(svg, at[0], at[1], (carom_svg_style){ .stroke = "mid", .width = 1 });
    }
}

// The samples of the three faces at one corner: dots where they are, strokes along their normals.
// Three panels as in the paper: faces, edges, vertices.
static carom_status draw_samples(carom_gallery_result *result, const carom_bounce_map *map,
                                 carom_error *err)
{
    enum { WIDE = 330 }; // px
    static const char *const names[3] = { "faces: one normal", "edges: every 9 degrees",
                                          "vertices: the cone" };
    carom_text *text = carom_gallery_result_svg(
        result,
        "Samples on a cube of 10 cm: where they are, and their normals. Of the vertices only "
        "the one in front is drawn.");
    if (!text)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for a picture");
    carom_svg svg = carom_svg_begin(text, 3 * WIDE, WIDE, "samples on faces, edges and vertices");
    int last = carom_bounce_map_sample_count(map);
    for (int place = 0; place < 3; ++place) {
        double middle[2] = { WIDE * (place + 0.5), 0.54 * WIDE };
        carom_svg_text_at(&svg, (double[2]){ middle[0], 20 },
                          (carom_svg_text){ .anchor = "middle", .bold = 1 }, names[place]);
        draw_cube(&svg, middle);
        for (int i = 0; i < last; ++i) {
            double p[3], n[3], tip[3], at[2][2];
            carom_bounce_value v = carom_bounce_map_sample(map, i, p, n);
            bool front = n[0] > -1e-9 && n[1] > -1e-9 && n[2] > -1e-9,
                 corner = p[0] + p[1] + p[2] > 0.1499;
            if ((int)v.place != place || !front || (place == CAROM_BOUNCE_VERTEX && !corner))
                continue;
            for (int k = 0; k < 3; ++k)
                tip[k] = p[k] + (corner ? 0.05 : 0.012) * n[k];
            seen(p, middle, at[0]);
            seen(tip, middle, at[1]);
            carom_svg_line(&svg, at[0], at[1], (carom_svg_style){ .stroke = "s1", .width = 0.7 });
            carom_svg_circle(&svg, at[0], 1.6, (carom_svg_style){ .fill = "s0" });
        }
    }
    carom_svg_end(&svg);
    return CAROM_OK;
}

carom_status carom_gallery_bounce_places(carom_gallery_result *result, carom_error *err)
{
    carom_gallery_solid solid;
    carom_bounce_map *map = NULL;
    carom_bounce_map_options options = carom_bounce_map_options_default();
    carom_status status = carom_gallery_bounce_solid(
        result, "cube:100mm@25mm", (carom_gallery_fine){ 20, 2, 12000 }, &solid, err);
    options.angle = 9; // as in the paper
    options.threads = 1;
    if (status == CAROM_OK)
        status =
            carom_bounce_map_bake(solid.shape, solid.modes, &options, result->progress, &map, err);
    if (status == CAROM_OK)
        status = draw_samples(result, map, err);
    if (status == CAROM_OK) {
        const carom_bounce_map_info *about = carom_bounce_map_about(map);
        int last = carom_bounce_map_sample_count(map) - 1, inside = 0, corners = 0, between = 0,
            edges = 0;
        for (int i = 0; i <= last; ++i) {
            double p[3], n[3];
            carom_bounce_value v = carom_bounce_map_sample(map, i, p, n);
            if (v.place == CAROM_BOUNCE_VERTEX) { // the cone of a corner: an octant
                ++corners;
                inside += n[0] * p[0] >= -1e-9 && n[1] * p[1] >= -1e-9 && n[2] * p[2] >= -1e-9;
            } else if (v.place == CAROM_BOUNCE_EDGE) { // between the two faces: two parts, no third
                ++edges;
                double min = fmin(fabs(n[0]), fmin(fabs(n[1]), fabs(n[2])));
                between += min < 1e-9;
            }
        }
        carom_gallery_result_near(result, "sharp edges of the cube's mesh per edge of the cube", "",
                                  100.0 / 25, about->sharp_edges / 12.0, 1.01);
        carom_gallery_result_near(
            result, "face samples per triangle", "", 1,
            (double)about->faces / carom_mesh_surface(solid.shape).triangle_count, 0);
        carom_gallery_result_holds(result, edges > 0 && between == edges,
                                   "all %d edge samples lie between the normals of their two faces",
                                   edges);
        carom_gallery_result_holds(result, corners > 0 && inside == corners,
                                   "all %d vertex samples lie in the cone of their corner",
                                   corners);
        carom_gallery_result_number(result, "degrees between the samples of an edge", "degrees", 9,
                                    about->angle);
    }
    carom_bounce_map_destroy(map);
    carom_gallery_bounce_close(&solid);
    return status;
}

// -- figure 19 ----------------------------------------------------------------------------------

carom_status carom_gallery_bounce_bowls(carom_gallery_result *result, carom_error *err)
{
    static const struct {
        const char *name, *quick, *full;
        double min, max, mean; // table 2
    } rows[] = {
        { "bowl", "bowl:200x20mm@16mm", "bowl:200x10mm@6mm", 0.185017, 1, 0.755548 },
        { "cup", "cup:100x80x10mm@10mm", "cup:100x80x6mm@4mm", 0.318098, 0.967689, 0.730247 },
        { "wrench", "wrench:250x12mm@12mm", "wrench:250x12mm@6mm", 0.039464, 0.920994, 0.613731 },
    };
    for (int k = 0; k < 3; ++k) {
        carom_bounce_map *map = NULL;
        char what[80], caption[80];
        snprintf(caption, sizeof caption, "%s from two sides.", rows[k].name);
        TRY(map_of(result, result->quick ? rows[k].quick : rows[k].full,
                   result->quick ? (carom_gallery_fine){ 20, 1, 14000 }
                                 : (carom_gallery_fine){ 45, 1.2, 60000 },
                   caption, &map, err));
        carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
        snprintf(what, sizeof what, "%s: range of restitution", rows[k].name);
        carom_gallery_result_at_least(result, what, "", s.max - s.min, 0.3);
        snprintf(what, sizeof what, "%s: mean restitution", rows[k].name);
        carom_gallery_result_number(result, what, "", rows[k].mean, s.mean_area);
        within(result, rows[k].name, map);
        carom_bounce_map_destroy(map);
    }
    carom_gallery_result_note(result,
                              "The paper's meshes are not at hand: bowl, cup and wrench are made "
                              "with proportions of ours, bone and hammer are left out (their "
                              "outlines are not given).");
    if (result->quick)
        carom_gallery_result_smaller(result,
                                     "thicker walls (20 and 10 mm), 20 modes instead of 45.");
    return CAROM_OK;
}

// -- figure 20 ----------------------------------------------------------------------------------

static double correlation(const double *x, const double *y, int count)
{
    double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < count; ++i) {
        mx += x[i] / count;
        my += y[i] / count;
    }
    for (int i = 0; i < count; ++i) {
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
        xy += (x[i] - mx) * (y[i] - my);
    }
    return xy / sqrt(xx * yy);
}

// Contacts on the side or the end of a bar: log10 of the contact time and restitution.
static carom_status durations(carom_gallery_result *result, const carom_gallery_solid *bar,
                              bool end, int count, double *tau, double *epsilon, carom_error *err)
{
    int wide = 4, along = count / wide;
    for (int k = 0; k < count; ++k) {
        double u = (k / wide + 0.5) / along, v = (k % wide + 0.5) / wide;
        double side[3] = { 0.1 * u, 0.005 * v, 0.005 }, cap[3] = { 0.1, 0.005 * u, 0.005 * v };
        double up[3] = { 0, 0, 1 }, out[3] = { 1, 0, 0 };
        carom_bounce_result r;
        TRY(carom_gallery_bounce_at(result, bar, end ? cap : side, end ? out : up, 0, NULL, &r,
                                    err));
        tau[k] = log10(r.tau);
        epsilon[k] = r.epsilon;
    }
    return CAROM_OK;
}

// What the paper says about a cloud of times (decimal logarithm of s) and restitutions.
static void judge_times(carom_gallery_result *result, const char *where, const double *tau,
                        const double *epsilon, int count)
{
    char what[120];
    double min = HUGE_VAL, max = -HUGE_VAL;
    for (int k = 0; k < count; ++k) {
        min = fmin(min, tau[k]);
        max = fmax(max, tau[k]);
    }
    snprintf(what, sizeof what, "%s: correlation of restitution and log of contact time", where);
    carom_gallery_result_at_least(result, what, "", correlation(tau, epsilon, count), 0.5);
    snprintf(what, sizeof what, "%s: shortest contact", where);
    carom_gallery_result_number(result, what, "us", 40, 1e6 * pow(10, min));
    snprintf(what, sizeof what, "%s: longest contact", where);
    carom_gallery_result_number(result, what, "us", 1400, 1e6 * pow(10, max));
    snprintf(what, sizeof what, "%s: longest over shortest contact (paper: 35)", where);
    carom_gallery_result_at_least(result, what, "", pow(10, max - min), 5);
    if (strcmp(where, "bunny") == 0)
        carom_gallery_result_holds(result, pow(10, min) > 20e-6 && pow(10, max) < 3e-3,
                                   "bunny: all contacts last between 20 us and 3 ms");
    carom_gallery_result_refutes(
        result, pow(10, max) > 40e-6,
        "section 7: contact times go from 40 us to 1.4 us; figure 20 itself "
        "says 1.4 ms, and %.0f us are found here",
        1e6 * pow(10, max));
}

static carom_status bunny_times(carom_gallery_result *result, carom_error *err)
{
    carom_bounce_map *map = NULL;
    double *tau = NULL, *epsilon = NULL;
    carom_status status = map_of(
        result, "bunny", (carom_gallery_fine){ 45, 1, 60000 },
        "Stanford's bunny, 20 cm high: restitution, and restitution over contact time.", &map, err);
    if (status == CAROM_OK) {
        int faces = carom_bounce_map_about(map)->faces;
        tau = carom_gallery_memory_take(result->memory, (size_t)faces, sizeof *tau);
        epsilon = carom_gallery_memory_take(result->memory, (size_t)faces, sizeof *epsilon);
        if (!tau || !epsilon)
            status = carom_error_set(err, CAROM_NO_MEMORY, "no memory for %d faces", faces);
        for (int f = 0; f < faces && status == CAROM_OK; ++f) {
            carom_bounce_value v = carom_bounce_map_sample(map, f, NULL, NULL);
            tau[f] = log10(v.tau);
            epsilon[f] = v.epsilon;
        }
        if (status == CAROM_OK)
            judge_times(result, "bunny", tau, epsilon, faces);
    }
    carom_bounce_map_destroy(map);
    return status;
}

carom_status carom_gallery_bounce_times(carom_gallery_result *result, carom_error *err)
{
    enum { COUNT = 400 };
    double tau[2][COUNT], epsilon[2][COUNT];
    carom_gallery_solid bar;
    if (!result->quick)
        TRY(bunny_times(result, err));
    carom_status status = carom_gallery_bounce_solid(
        result, "bar:200x10x10mm@4mm", (carom_gallery_fine){ 45, 1, 12000 }, &bar, err);
    for (int e = 0; e < 2 && status == CAROM_OK; ++e)
        status = durations(result, &bar, e, COUNT, tau[e], epsilon[e], err);
    carom_gallery_bounce_close(&bar);
    TRY(status);
    carom_plot_series series[2] = {
        { "side", tau[0], epsilon[0], COUNT, CAROM_PLOT_DOTS, "s0", NULL, 2 },
        { "end", tau[1], epsilon[1], COUNT, CAROM_PLOT_DOTS, "s1", NULL, 2 },
    };
    carom_plot plot = { .title = "Restitution over contact time, bar",
                        .x = { "contact time, decimal logarithm", "log10 s", 0, 0, false, 0 },
                        .y = { "restitution", "", 0, 1, false, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1, "A bar: 400 places each on a side and an end.");
    if (result->quick) {
        judge_times(result, "side of a bar", tau[0], epsilon[0], COUNT);
        carom_gallery_result_smaller(result, "a bar instead of the bunny, which is there in full.");
    }
    carom_gallery_result_number(result, "end of a bar: the same correlation", "", NAN,
                                correlation(tau[1], epsilon[1], COUNT));
    carom_gallery_result_note(result,
                              "The correlation that the paper sees is not a rule: on the end "
                              "face of a bar it has the other sign.");
    return CAROM_OK;
}

// -- table 2 ------------------------------------------------------------------------------------

carom_status carom_gallery_bounce_table(carom_gallery_result *result, carom_error *err)
{
    static const struct {
        const char *name, *quick, *full;
        double min, max, mean; // as printed
    } rows[] = {
        { "bar", "bar:200x10x10mm@4mm", "bar:200x10x10mm@2mm", 0.11027, 0.849087, 0.560266 },
        { "rod", "rod:200x10mm@4mm", "rod:200x10mm@2mm", 0.109042, 0.8551, 0.576428 },
        { "ruler", "ruler:300x30x6mm@8mm", "ruler:300x30x3mm@4mm", 0.124216, 0.912349, 0.553389 },
        { "bat", "bat:860mm@30mm", "bat:860mm@12mm", 0.069281, 0.956061, 0.636968 },
        { "pin", "pin:381mm@25mm", "pin:381mm@12mm", 0.176574, 0.911379, 0.62008 },
        { "spring", NULL, "spring:100x60x30x6mm@3mm", 0, 1, 0.671125 },
        { "bowl", NULL, "bowl:200x10mm@6mm", 0.185017, 1, 0.755548 },
        { "cup", NULL, "cup:100x80x6mm@4mm", 0.318098, 0.967689, 0.730247 },
        { "wrench", NULL, "wrench:250x12mm@6mm", 0.039464, 0.920994, 0.613731 },
        { "table", NULL, "table:1200x800x750x50mm@50mm", 0, 1, 0.559098 },
        { "hockey", NULL, "hockey:1300x20mm@20mm", 0.028524, 0.982618, 0.587974 },
        { "B", NULL, "letter-B:100x25mm@3mm", 0.352972, 0.944619, 0.745858 },
        { "O", NULL, "letter-O:100x25mm@3mm", 0.258659, 0.927492, 0.776712 },
        { "U", NULL, "letter-U:100x25mm@3mm", 0.093109, 0.909523, 0.579912 },
        { "N", NULL, "letter-N:100x25mm@3mm", 0.088812, 0.949161, 0.568093 },
        { "C", NULL, "letter-C:100x25mm@3mm", 0.107234, 0.940146, 0.567126 },
        { "E", NULL, "letter-E:100x25mm@3mm", 0.12469, 0.955651, 0.573654 },
        { "bunny", NULL, "bunny", 0.149891, 1, 0.650141 },
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    double x[ROWS], ours[ROWS], paper[ROWS], largest = 0;
    const char *ticks[ROWS + 1] = { NULL };
    int count = 0;
    for (int k = 0; k < ROWS; ++k) {
        const char *shape = result->quick ? rows[k].quick : rows[k].full;
        carom_bounce_map *map = NULL;
        if (!shape)
            continue;
        TRY(map_of(result, shape,
                   result->quick ? (carom_gallery_fine){ 45, 1, 12000 }
                                 : (carom_gallery_fine){ 45, k == ROWS - 1 ? 1 : 2, 60000 },
                   NULL, &map, err));
        carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
        carom_bounce_map_destroy(map);
        char what[80];
        snprintf(what, sizeof what, "%s: least", rows[k].name);
        bool known = k < 2 || k == ROWS - 1; // the only bodies whose proportions are known
        if (known)
            carom_gallery_result_near(result, what, "", rows[k].min, s.min, 0.03);
        else
            carom_gallery_result_number(result, what, "", rows[k].min, s.min);
        snprintf(what, sizeof what, "%s: largest", rows[k].name);
        carom_gallery_result_number(result, what, "", rows[k].max, s.max);
        snprintf(what, sizeof what, "%s: mean", rows[k].name);
        if (known)
            carom_gallery_result_near(result, what, "", rows[k].mean, s.mean_area, 0.03);
        else
            carom_gallery_result_number(result, what, "", rows[k].mean, s.mean_area);
        largest = fmax(largest, s.max);
        x[count] = count + 1;
        ticks[count] = rows[k].name;
        ours[count] = s.mean_area;
        paper[count++] = rows[k].mean;
    }
    carom_plot_series series[2] = {
        { "Carom", x, ours, count, CAROM_PLOT_BARS, "s0", NULL, 18 },
        { "paper", x, paper, count, CAROM_PLOT_DOTS, "ink", NULL, 5 },
    };
    carom_plot plot = { .title = "Mean restitution per body",
                        .names = ticks,
                        .x = { "body", "", 0.5, count + 0.5, false, 0 },
                        .y = { "mean restitution", "", 0, 1, false, 0 },
                        .series = series,
                        .count = 2 };
    carom_gallery_result_plots(result, &plot, 1, 1, "Means of the shapes that can be made here.");
    carom_gallery_result_holds(result, largest < 1, "no value reaches 1 (largest %.4f)", largest);
    if (result->quick)
        carom_gallery_result_smaller(result, "five bodies instead of eighteen, coarser meshes.");
    return CAROM_OK;
}

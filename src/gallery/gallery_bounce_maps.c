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
    double mean, least, most;
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
        s.least = fmin(s.least, value.epsilon);
        s.most = fmax(s.most, value.epsilon);
    }
    s.mean /= s.count ? s.count : 1;
    return s;
}

// Modes, map, and its picture; the map is the caller's.
static carom_status map_of(carom_gallery_hand *hand, const char *shape, carom_gallery_fine fine,
                           const char *caption, carom_bounce_map **out, carom_error *err)
{
    carom_gallery_solid solid;
    char *svg = NULL;
    *out = NULL;
    carom_status status = carom_gallery_bounce_solid(hand, shape, fine, &solid, err);
    if (status == CAROM_OK)
        status = carom_gallery_bounce_bake(hand, &solid, out, err);
    if (status == CAROM_OK && caption)
        status = carom_bounce_picture_svg(*out, shape, &svg, err);
    if (status == CAROM_OK && caption)
        status = carom_gallery_hand_take(hand, svg, caption, err);
    carom_gallery_bounce_close(&solid);
    return status;
}

// Every value is below the bound of the first inelastic impulse, so below 1.
static void within(carom_gallery_hand *hand, const char *name, const carom_bounce_map *map)
{
    carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
    char what[100];
    snprintf(what, sizeof what, "%s: largest restitution, below 1", name);
    carom_gallery_hand_most(hand, what, "", s.most, 0.9999);
}

// -- figure 1 -----------------------------------------------------------------------------------

carom_status carom_gallery_bounce_letters(carom_gallery_hand *hand, carom_error *err)
{
    static const char letters[] = "BOUNCE";
    static const choice bottom = { { 0, -1, 0 }, 0.9, 1, 0, 0.1 };
    double low[8], all[8];
    int count = 0, most = hand->quick ? 3 : 6;
    const char *names = hand->quick ? "BUE" : letters;
    for (int k = 0; k < most; ++k) {
        char shape[40], what[80], caption[80];
        carom_bounce_map *map = NULL;
        snprintf(shape, sizeof shape, "letter-%c:100x25mm@%smm", names[k], hand->quick ? "7" : "3");
        snprintf(caption, sizeof caption, "The letter %c from two sides, and its values.",
                 names[k]);
        carom_status status = map_of(hand, shape,
                                     hand->quick ? (carom_gallery_fine){ 20, 1, 8000 }
                                                 : (carom_gallery_fine){ 45, 2, 30000 },
                                     caption, &map, err);
        if (status == CAROM_OK) {
            carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
            summary b = choose(map, &bottom);
            snprintf(what, sizeof what, "%c: range of restitution over the surface", names[k]);
            carom_gallery_hand_least(hand, what, "", s.most - s.least, 0.4);
            snprintf(what, sizeof what, "%c: mean over the bottom", names[k]);
            carom_gallery_hand_number(hand, what, "", NAN, b.mean);
            low[count] = b.mean;
            all[count++] = s.mean_area;
            within(hand, "letter", map);
        }
        carom_bounce_map_destroy(map);
        TRY(status);
    }
    if (hand->quick)
        carom_gallery_hand_smaller(hand, "the letters B, U and E instead of all, with 20 modes "
                                         "instead of 45, coarsely meshed.");
    double least = 1, largest = 0;
    for (int k = 0; k < count; ++k) {
        least = fmin(least, all[k]);
        largest = fmax(largest, all[k]);
    }
    carom_gallery_hand_number(hand, "smallest mean of a letter", "", NAN, least);
    carom_gallery_hand_number(hand, "largest mean of a letter", "", NAN, largest);
    carom_gallery_hand_truth(hand, low[0] > all[0] - 0.2,
                             "B: the bottom (%.2f) is not dull against the whole (%.2f)", low[0],
                             all[0]);
    return CAROM_OK;
}

// -- figure 4 -----------------------------------------------------------------------------------

carom_status carom_gallery_bounce_spring(carom_gallery_hand *hand, carom_error *err)
{
    // the strip is folded along y: the end faces look along y at both ends, sides along z and x
    static const choice ends[2] = { { { 0, -1, 0 }, 0.9, 1, 0, 0.05 },
                                    { { 0, 1, 0 }, 0.9, 1, 0.95, 1 } };
    static const choice side = { { 0, 0, 1 }, 0.9, 1, 0, 1 };
    carom_bounce_map *map = NULL;
    TRY(map_of(hand, hand->quick ? "spring:100x60x30x6mm@8mm" : "spring:100x60x30x6mm@3mm",
               hand->quick ? (carom_gallery_fine){ 20, 1, 12000 }
                           : (carom_gallery_fine){ 45, 1.5, 40000 },
               "The folded strip from two sides; the ends are the outer faces of the first and "
               "last fold.",
               &map, err));
    summary a = choose(map, &ends[0]), b = choose(map, &ends[1]), s = choose(map, &side);
    carom_bounce_statistics all = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
    carom_gallery_hand_number(hand, "mean over one end face", "", NAN, a.mean);
    carom_gallery_hand_number(hand, "mean over the other", "", NAN, b.mean);
    carom_gallery_hand_number(hand, "mean over the sides", "", NAN, s.mean);
    carom_gallery_hand_truth(hand, a.most > s.mean && b.most > s.mean,
                             "the end faces hold bouncier places (%.2f, %.2f) than the sides have "
                             "on the mean (%.2f)",
                             a.most, b.most, s.mean);
    carom_gallery_hand_truth(hand, a.mean > s.mean && b.mean > s.mean,
                             "the end faces are bouncier than the sides on the mean");
    carom_gallery_hand_least(hand, "range of restitution over the whole spring", "",
                             all.most - all.least, 0.7);
    within(hand, "spring", map);
    carom_bounce_map_destroy(map);
    if (hand->quick)
        carom_gallery_hand_smaller(hand, "20 modes instead of 45, one cell across the strip.");
    return CAROM_OK;
}

// -- figures 10 and 17 --------------------------------------------------------------------------

carom_status carom_gallery_bounce_smooth(carom_gallery_hand *hand, carom_error *err)
{
    carom_bounce_map *map = NULL;
    TRY(map_of(
        hand, hand->quick ? "pin:381mm@25mm" : "pin:381mm@12mm",
        hand->quick ? (carom_gallery_fine){ 20, 1, 10000 } : (carom_gallery_fine){ 45, 2, 40000 },
        "A bowling pin: neighbouring places with other normals have other values.", &map, err));
    static const choice top = { { 0, 0, 1 }, -1, 2, 0.85, 1 };
    summary s = choose(map, &top);
    carom_gallery_hand_least(hand,
                             "range of restitution over the head, where normals turn by 90 "
                             "degrees",
                             "", s.most - s.least, 0.3);
    carom_gallery_hand_number(hand, "faces of the head", "", NAN, s.count);
    within(hand, "pin", map);
    carom_bounce_map_destroy(map);
    carom_gallery_hand_say(hand, "The paper's dragon and Buddha are not at hand; a bowling pin, "
                                 "smooth as they are, stands for them.");
    if (hand->quick)
        carom_gallery_hand_smaller(hand, "20 modes instead of 45, coarsely meshed.");
    return CAROM_OK;
}

carom_status carom_gallery_bounce_bats(carom_gallery_hand *hand, carom_error *err)
{
    carom_bounce_map *map = NULL;
    // the rod first: its middle, and the dead zones towards its ends
    TRY(map_of(hand, hand->quick ? "rod:200x10mm@4mm" : "rod:200x10mm@2mm",
               (carom_gallery_fine){ 46, hand->quick ? 1 : 2, 40000 }, "A rod from two sides.",
               &map, err));
    static const choice middle = { { 1, 0, 0 }, -1, 2, 0.42, 0.58 },
                        zone = { { 1, 0, 0 }, -1, 2, 0.12, 0.3 },
                        cap = { { 0, 0, 1 }, 0.97, 2, 0.9, 1 },
                        edge = { { 0, 0, 1 }, -1, 2, 0.95, 1 };
    summary m = choose(map, &middle), z = choose(map, &zone), c = choose(map, &cap),
            e = choose(map, &edge);
    carom_bounce_map_destroy(map);
    carom_gallery_hand_number(hand, "rod: mean near its middle", "", NAN, m.mean);
    carom_gallery_hand_number(hand, "rod: least towards its end", "", NAN, z.least);
    carom_gallery_hand_truth(hand, m.mean > z.least + 0.2,
                             "rod: more bounce near the middle than in the dead zone");
    carom_gallery_hand_truth(hand, c.count > 0 && c.most > e.least + 0.3,
                             "rod: strong variation on the end cap, highest at its middle (%.2f; "
                             "least %.2f)",
                             c.most, e.least);
    TRY(map_of(hand, hand->quick ? "bat:860mm@20mm" : "bat:860mm@12mm",
               hand->quick ? (carom_gallery_fine){ 45, 1, 14000 }
                           : (carom_gallery_fine){ 45, 2, 40000 },
               "A baseball bat from two sides.", &map, err));
    carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
    static const choice barrel = { { 1, 0, 0 }, -1, 2, 0.7, 0.97 },
                        ends[2] = { { { 0, 0, 1 }, 0.95, 2, 0.97, 1 },
                                    { { 0, 0, -1 }, 0.95, 2, 0, 0.03 } };
    summary sweet = choose(map, &barrel), far = choose(map, &ends[0]), knob = choose(map, &ends[1]);
    carom_bounce_map_destroy(map);
    carom_gallery_hand_near(hand, "bat: least restitution", "", 0.069281, s.least, 0.05);
    carom_gallery_hand_number(hand, "bat: largest restitution", "", 0.956061, s.most);
    carom_gallery_hand_truth(hand, sweet.least < s.least + 0.15,
                             "bat: a minimum lies in the barrel, where the sweet spot is (%.2f)",
                             sweet.least);
    carom_gallery_hand_truth(hand, fmax(far.most, knob.most) > s.mean_area + 0.1,
                             "bat: an end cap is bouncier (%.2f) than the bat on the mean (%.2f)",
                             fmax(far.most, knob.most), s.mean_area);
    if (hand->quick)
        carom_gallery_hand_smaller(hand, "coarser meshes, one cell across.");
    return CAROM_OK;
}

// -- figure 12 ----------------------------------------------------------------------------------

carom_status carom_gallery_bounce_places(carom_gallery_hand *hand, carom_error *err)
{
    carom_gallery_solid solid;
    carom_bounce_map *map = NULL;
    carom_bounce_map_options options = carom_bounce_map_options_default();
    carom_status status = carom_gallery_bounce_solid(
        hand, "cube:100mm@25mm", (carom_gallery_fine){ 20, 2, 12000 }, &solid, err);
    options.angle = 9; // as in the paper
    options.threads = 1;
    char *svg = NULL;
    if (status == CAROM_OK)
        status =
            carom_bounce_map_bake(solid.shape, solid.modes, &options, hand->progress, &map, err);
    if (status == CAROM_OK)
        status = carom_bounce_picture_svg(map, "cube of 10 cm", &svg, err);
    if (status == CAROM_OK)
        status = carom_gallery_hand_take(hand, svg,
                                         "A cube with samples on faces, along edges and "
                                         "at vertices.",
                                         err);
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
                double least = fmin(fabs(n[0]), fmin(fabs(n[1]), fabs(n[2])));
                between += least < 1e-9;
            }
        }
        carom_gallery_hand_near(hand, "sharp edges of the cube's mesh per edge of the cube", "",
                                100.0 / 25, about->sharp_edges / 12.0, 1.01);
        carom_gallery_hand_near(
            hand, "face samples per triangle", "", 1,
            (double)about->faces / carom_mesh_surface(solid.shape).triangle_count, 0);
        carom_gallery_hand_truth(hand, edges > 0 && between == edges,
                                 "all %d edge samples lie between the normals of their two faces",
                                 edges);
        carom_gallery_hand_truth(hand, corners > 0 && inside == corners,
                                 "all %d vertex samples lie in the cone of their corner", corners);
        carom_gallery_hand_number(hand, "degrees between the samples of an edge", "degrees", 9,
                                  about->angle);
    }
    carom_bounce_map_destroy(map);
    carom_gallery_bounce_close(&solid);
    return status;
}

// -- figure 19 ----------------------------------------------------------------------------------

carom_status carom_gallery_bounce_bowls(carom_gallery_hand *hand, carom_error *err)
{
    static const struct {
        const char *name, *quick, *full;
        double least, most, mean; // table 2
    } rows[] = {
        { "bowl", "bowl:200x20mm@16mm", "bowl:200x10mm@6mm", 0.185017, 1, 0.755548 },
        { "cup", "cup:100x80x10mm@10mm", "cup:100x80x6mm@4mm", 0.318098, 0.967689, 0.730247 },
        { "wrench", "wrench:250x12mm@12mm", "wrench:250x12mm@6mm", 0.039464, 0.920994, 0.613731 },
    };
    for (int k = 0; k < 3; ++k) {
        carom_bounce_map *map = NULL;
        char what[80], caption[80];
        snprintf(caption, sizeof caption, "%s from two sides.", rows[k].name);
        TRY(map_of(hand, hand->quick ? rows[k].quick : rows[k].full,
                   hand->quick ? (carom_gallery_fine){ 20, 1, 14000 }
                               : (carom_gallery_fine){ 45, 1.2, 60000 },
                   caption, &map, err));
        carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
        snprintf(what, sizeof what, "%s: range of restitution", rows[k].name);
        carom_gallery_hand_least(hand, what, "", s.most - s.least, 0.3);
        snprintf(what, sizeof what, "%s: mean restitution", rows[k].name);
        carom_gallery_hand_number(hand, what, "", rows[k].mean, s.mean_area);
        within(hand, rows[k].name, map);
        carom_bounce_map_destroy(map);
    }
    carom_gallery_hand_say(hand, "Bone and hammer are not at hand.");
    if (hand->quick)
        carom_gallery_hand_smaller(hand, "thicker walls (20 and 10 mm), 20 modes instead of 45.");
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
static carom_status durations(carom_gallery_hand *hand, const carom_gallery_solid *bar, bool end,
                              int count, double *tau, double *epsilon, carom_error *err)
{
    int wide = 4, along = count / wide;
    for (int k = 0; k < count; ++k) {
        double u = (k / wide + 0.5) / along, v = (k % wide + 0.5) / wide;
        double side[3] = { 0.1 * u, 0.005 * v, 0.005 }, cap[3] = { 0.1, 0.005 * u, 0.005 * v };
        double up[3] = { 0, 0, 1 }, out[3] = { 1, 0, 0 };
        carom_bounce_result r;
        TRY(carom_gallery_bounce_at(hand, bar, end ? cap : side, end ? out : up, 0, NULL, &r, err));
        tau[k] = log10(r.tau);
        epsilon[k] = r.epsilon;
    }
    return CAROM_OK;
}

carom_status carom_gallery_bounce_times(carom_gallery_hand *hand, carom_error *err)
{
    enum { COUNT = 400 };
    double tau[2][COUNT], epsilon[2][COUNT];
    carom_gallery_solid bar;
    carom_status status = carom_gallery_bounce_solid(
        hand, "bar:200x10x10mm@4mm", (carom_gallery_fine){ 45, 1, 12000 }, &bar, err);
    for (int e = 0; e < 2 && status == CAROM_OK; ++e)
        status = durations(hand, &bar, e, COUNT, tau[e], epsilon[e], err);
    carom_gallery_bounce_close(&bar);
    TRY(status);
    carom_plot_series series[2] = {
        { "side", tau[0], epsilon[0], COUNT, CAROM_PLOT_DOTS, "s0", NULL, 2 },
        { "end", tau[1], epsilon[1], COUNT, CAROM_PLOT_DOTS, "s1", NULL, 2 },
    };
    carom_plot plot = { .title = "Restitution over contact time, bar",
                        .x = { "contact time, decimal logarithm", "log10 s", 0, 0, false },
                        .y = { "restitution", "", 0, 1, false },
                        .series = series,
                        .count = 2 };
    carom_gallery_hand_plots(hand, &plot, 1, 1, "400 places each on the side and the end.");
    carom_gallery_hand_least(hand, "correlation of restitution and log of contact time, side", "",
                             correlation(tau[0], epsilon[0], COUNT), 0.5);
    carom_gallery_hand_number(hand, "the same on the end face: the other way round", "", NAN,
                              correlation(tau[1], epsilon[1], COUNT));
    double least = HUGE_VAL, most = 0;
    for (int k = 0; k < COUNT; ++k) {
        least = fmin(least, tau[0][k]);
        most = fmax(most, tau[0][k]);
    }
    carom_gallery_hand_least(hand, "range of contact times on the side, factor (paper: 35)", "",
                             pow(10, most - least), 5);
    carom_gallery_hand_refutes(hand, most > -3.9,
                               "section 7: contact times go from 40 us to 1.4 us; figure 20 itself "
                               "says 1.4 ms, and %.0f us are found here on a small bar",
                               1e6 * pow(10, most));
    carom_gallery_hand_say(hand, "On a bar instead of the bunny. The correlation that the paper "
                                 "sees is not a rule: on the end face it has the other sign.");
    return CAROM_OK;
}

// -- table 2 ------------------------------------------------------------------------------------

carom_status carom_gallery_bounce_table(carom_gallery_hand *hand, carom_error *err)
{
    static const struct {
        const char *name, *quick, *full;
        double least, most, mean; // as printed
    } rows[] = {
        { "bar", "bar:200x10x10mm@4mm", "bar:200x10x10mm@2mm", 0.11027, 0.849087, 0.560266 },
        { "rod", "rod:200x10mm@4mm", "rod:200x10mm@2mm", 0.109042, 0.8551, 0.576428 },
        { "ruler", "ruler:300x30x6mm@8mm", "ruler:300x30x3mm@4mm", 0.124216, 0.912349, 0.553389 },
        { "bat", "bat:860mm@30mm", "bat:860mm@12mm", 0.069281, 0.956061, 0.636968 },
        { "pin", "pin:381mm@25mm", "pin:381mm@12mm", 0.176574, 0.911379, 0.62008 },
        { "spring", NULL, "spring:100x60x30x6mm@3mm", 0, 1, 0.671125 },
        { "wrench", NULL, "wrench:250x12mm@6mm", 0.039464, 0.920994, 0.613731 },
        { "table", NULL, "table:1200x800x750x50mm@50mm", 0, 1, 0.559098 },
        { "hockey", NULL, "hockey:1300x20mm@20mm", 0.028524, 0.982618, 0.587974 },
        { "B", NULL, "letter-B:100x25mm@3mm", 0.352972, 0.944619, 0.745858 },
        { "U", NULL, "letter-U:100x25mm@3mm", 0.093109, 0.909523, 0.579912 },
        { "E", NULL, "letter-E:100x25mm@3mm", 0.12469, 0.955651, 0.573654 },
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    double x[ROWS], ours[ROWS], paper[ROWS], largest = 0;
    int count = 0;
    for (int k = 0; k < ROWS; ++k) {
        const char *shape = hand->quick ? rows[k].quick : rows[k].full;
        carom_bounce_map *map = NULL;
        if (!shape)
            continue;
        TRY(map_of(hand, shape,
                   hand->quick ? (carom_gallery_fine){ 45, 1, 12000 }
                               : (carom_gallery_fine){ 45, 2, 40000 },
                   NULL, &map, err));
        carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
        carom_bounce_map_destroy(map);
        char what[80];
        snprintf(what, sizeof what, "%s: least", rows[k].name);
        if (k < 2) // the only bodies whose proportions can be deduced
            carom_gallery_hand_near(hand, what, "", rows[k].least, s.least, 0.03);
        else
            carom_gallery_hand_number(hand, what, "", rows[k].least, s.least);
        snprintf(what, sizeof what, "%s: largest", rows[k].name);
        carom_gallery_hand_number(hand, what, "", rows[k].most, s.most);
        snprintf(what, sizeof what, "%s: mean", rows[k].name);
        if (k < 2)
            carom_gallery_hand_near(hand, what, "", rows[k].mean, s.mean_area, 0.03);
        else
            carom_gallery_hand_number(hand, what, "", rows[k].mean, s.mean_area);
        largest = fmax(largest, s.most);
        x[count] = count + 1;
        ours[count] = s.mean_area;
        paper[count++] = rows[k].mean;
    }
    carom_plot_series series[2] = {
        { "Carom", x, ours, count, CAROM_PLOT_BARS, "s0", NULL, 18 },
        { "paper", x, paper, count, CAROM_PLOT_DOTS, "ink", NULL, 5 },
    };
    carom_plot plot = { .title = "Mean restitution per body, in the order of the table below",
                        .x = { "body", "number", 0.5, count + 0.5, false },
                        .y = { "mean restitution", "", 0, 1, false },
                        .series = series,
                        .count = 2 };
    carom_gallery_hand_plots(hand, &plot, 1, 1, "Means of the shapes that can be made here.");
    carom_gallery_hand_truth(hand, largest < 1, "no value reaches 1 (largest %.4f)", largest);
    if (hand->quick)
        carom_gallery_hand_smaller(hand, "five bodies instead of twelve, coarser meshes.");
    return CAROM_OK;
}

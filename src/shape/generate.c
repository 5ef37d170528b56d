// Bodies by name: "bar:200x10x10mm", "rod", "letter-B:100x25mm@2mm".
//
// Every generator makes a closed mesh of the wanted fineness. Solids of revolution get a polygon of
// the circle's area, so that mass and bending stiffness are those of the round body.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/suggest.h"
#include "math/constants.h"
#include "math/trig.h"
#include "shape/blocks.h"
#include "shape/letter.h"
#include "shape/mesh.h"

enum { SIZES = 5, DEFAULT_FACES = 20000, PROFILE_MAX = 4000 };

typedef struct order {
    double size[SIZES]; // m
    double fineness;    // m, longest edge of the mesh
    char letter;
} order;

typedef struct maker {
    const char *name, *sizes, *doc;
    double initial[SIZES]; // m; the first 0 ends the list
    carom_status (*make)(const order *o, carom_shape **out, carom_error *err);
} maker;

// -- boxes ----------------------------------------------------------------------------------------

static carom_status make_bar(const order *o, carom_shape **out, carom_error *err)
{
    double level[3][2];
    carom_blocks b = { { 1, 1, 1 }, { level[0], level[1], level[2] }, "#", o->fineness };
    for (int k = 0; k < 3; ++k) {
        level[k][0] = -0.5 * o->size[k];
        level[k][1] = 0.5 * o->size[k];
    }
    return carom_blocks_create(&b, out, err);
}

static carom_status make_cube(const order *o, carom_shape **out, carom_error *err)
{
    order cube = *o;
    cube.size[1] = cube.size[2] = o->size[0];
    return make_bar(&cube, out, err);
}

// A plate on four legs: length, width, height, thickness of plate and legs.
static carom_status make_table(const order *o, carom_shape **out, carom_error *err)
{
    double t = o->size[3];
    double x[] = { 0, t, o->size[0] - t, o->size[0] }, y[] = { 0, t, o->size[1] - t, o->size[1] };
    double z[] = { 0, o->size[2] - t, o->size[2] };
    if (2 * t >= o->size[0] || 2 * t >= o->size[1] || t >= o->size[2]) {
        carom_error_set(err, CAROM_BAD_INPUT, "legs of %g m do not fit the table", t);
        return carom_error_fix(err, "use legs thinner than half the plate");
    }
    carom_blocks b = { { 3, 3, 2 }, { x, y, z }, "#.#...#.##########", o->fineness };
    return carom_blocks_create(&b, out, err);
}

// A strip folded to and fro: height along y, width along x, depth along z, thickness; 4 folds.
static carom_status make_spring(const order *o, carom_shape **out, carom_error *err)
{
    enum { STRIPS = 5, ROWS = 2 * STRIPS - 1 };
    double t = o->size[3], gap = (o->size[0] - STRIPS * t) / (STRIPS - 1), y[ROWS + 1] = { 0 };
    double x[] = { 0, t, o->size[1] - t, o->size[1] };
    double z[] = { -0.5 * o->size[2], 0.5 * o->size[2] };
    char mark[3 * ROWS + 1] = { 0 };
    if (!(gap > 0) || 2 * t >= o->size[1]) {
        carom_error_set(err, CAROM_BAD_INPUT, "a strip of %g m does not fold into the spring", t);
        return carom_error_fix(err, "use a thickness below height/%d and width/2", STRIPS);
    }
    for (int r = 0; r < ROWS; ++r) {
        y[r + 1] = y[r] + (r % 2 ? gap : t);
        memcpy(mark + 3 * r, r % 2 == 0 ? "###" : r % 4 == 1 ? "..#" : "#..", 3);
    }
    carom_blocks b = { { 3, ROWS, 1 }, { x, y, z }, mark, o->fineness };
    return carom_blocks_create(&b, out, err);
}

// -- revolution -----------------------------------------------------------------------------------

typedef struct profile {
    double point[PROFILE_MAX][2]; // radius, height
    int count;
    double fineness, last[2];
} profile;

// A straight piece, cut to the fineness.
static void line_to(profile *p, double radius, double height)
{
    double dr = radius - p->last[0], dz = height - p->last[1];
    int n = p->count ? (int)ceil(sqrt(dr * dr + dz * dz) / p->fineness - 1e-9) : 1;
    n = n < 1 ? 1 : n;
    for (int k = 1; k <= n && p->count < PROFILE_MAX; ++k) {
        p->point[p->count][0] = k == n ? radius : p->last[0] + dr * k / n;
        p->point[p->count][1] = k == n ? height : p->last[1] + dz * k / n;
        ++p->count;
    }
    p->last[0] = radius;
    p->last[1] = height;
}

// A quarter of a circle about (0, centre) from the axis to the equator or back, or a part of it.
static void arc_to(profile *p, double centre, double radius, const double quarter[2])
{
    int n = (int)ceil(fabs(quarter[1] - quarter[0]) * 0.25 * 2 * CAROM_PI * radius / p->fineness);
    n = n < 8 ? 8 : n;
    for (int k = 0; k <= n; ++k) { // quarter 0 is the lower pole, 1 the equator, 2 the upper pole
        double turns = quarter[0] + (quarter[1] - quarter[0]) * k / n, c, s;
        int fine = 1 << 20;
        carom_trig_circle((int)lround(turns * 0.25 * fine), fine, &c, &s);
        bool pole = (k == 0 && (quarter[0] == 0 || quarter[0] == 2)) ||
                    (k == n && (quarter[1] == 0 || quarter[1] == 2));
        double r = pole ? 0 : radius * s, z = centre - radius * c;
        if (p->count == 0 || k > 0) {
            p->point[p->count][0] = r;
            p->point[p->count++][1] = z;
        } else {
            line_to(p, r, z);
        }
        p->last[0] = r;
        p->last[1] = z;
    }
}

static carom_status turn(profile *p, const order *o, carom_shape **out, carom_error *err)
{
    double widest = 0, c, s;
    for (int k = 0; k < p->count; ++k)
        widest = fmax(widest, p->point[k][0]);
    int segments = 4 * (int)ceil(0.5 * CAROM_PI * widest / o->fineness);
    segments = segments < 24 ? 24 : segments > 1024 ? 1024 : segments;
    carom_trig_circle(1, segments, &c, &s);
    double angle = 2 * CAROM_PI / segments, even = sqrt(angle / s);
    for (int k = 0; k < p->count; ++k)
        p->point[k][0] *= even;
    carom_status status = carom_profile_revolve(p->point[0], p->count, segments, out, err);
    carom_memory_free(p);
    return status;
}

static carom_status begin(const order *o, profile **out, carom_error *err)
{
    *out = carom_memory_zeros(1, sizeof **out);
    if (!*out)
        return carom_error_no_memory(err, "a profile");
    double longest = 0;
    for (int k = 0; k < SIZES; ++k)
        longest = fmax(longest, o->size[k]);
    (*out)->fineness = fmax(o->fineness, 8 * longest / PROFILE_MAX);
    return CAROM_OK;
}

// A capsule: overall length, diameter.
static carom_status make_rod(const order *o, carom_shape **out, carom_error *err)
{
    profile *p;
    double r = 0.5 * o->size[1], half = 0.5 * o->size[0] - r;
    if (!(half > 0)) {
        carom_error_set(err, CAROM_BAD_INPUT, "a rod of length %g m and diameter %g m", o->size[0],
                        o->size[1]);
        return carom_error_fix(err, "make it longer than it is thick");
    }
    TRY(begin(o, &p, err));
    arc_to(p, -half, r, (double[2]){ 0, 1 });
    arc_to(p, half, r, (double[2]){ 1, 2 });
    return turn(p, o, out, err);
}

static carom_status check_wall(const order *o, double wall, double min, carom_error *err)
{
    (void)o;
    if (wall < min)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "a wall of %g m leaves no hollow", wall);
    return carom_error_fix(err, "use a wall below %g m", min);
}

// Height, diameter, wall.
static carom_status make_cup(const order *o, carom_shape **out, carom_error *err)
{
    profile *p;
    double h = o->size[0], r = 0.5 * o->size[1], wall = o->size[2];
    TRY(check_wall(o, wall, fmin(h, r), err));
    TRY(begin(o, &p, err));
    line_to(p, 0, 0);
    line_to(p, 0.8 * r, 0);
    line_to(p, r, h);
    line_to(p, r - wall, h);
    line_to(p, 0.8 * r - wall, wall);
    line_to(p, 0, wall);
    return turn(p, o, out, err);
}

// Diameter of the ball it is cut from, wall.
static carom_status make_bowl(const order *o, carom_shape **out, carom_error *err)
{
    profile *p;
    double r = 0.5 * o->size[0], wall = o->size[1];
    TRY(check_wall(o, wall, r, err));
    TRY(begin(o, &p, err));
    arc_to(p, r, r, (double[2]){ 0, 0.9 });
    arc_to(p, r, r - wall, (double[2]){ 0.9, 0 });
    return turn(p, o, out, err);
}

// A smooth line through given (height, radius) pairs: Catmull and Rom's cubics.
static void curve_through(profile *p, const double (*knot)[2], int count, double length)
{
    for (int k = 0; k + 1 < count; ++k) {
        const double *a = knot[k > 0 ? k - 1 : 0], *b = knot[k], *c = knot[k + 1],
                     *d = knot[k + 2 < count ? k + 2 : count - 1];
        int n = (int)ceil(length * (c[0] - b[0]) / p->fineness);
        n = n < 2 ? 2 : n;
        double rise_b = (c[1] - a[1]) / (c[0] - a[0]) * (c[0] - b[0]);
        double rise_c = (d[1] - b[1]) / (d[0] - b[0]) * (c[0] - b[0]);
        for (int i = k ? 1 : 0; i <= n; ++i) {
            double t = (double)i / n, t2 = t * t, t3 = t2 * t;
            double r = (2 * t3 - 3 * t2 + 1) * b[1] + (t3 - 2 * t2 + t) * rise_b +
                       (3 * t2 - 2 * t3) * c[1] + (t3 - t2) * rise_c;
            line_to(p, length * r, length * (b[0] + t * (c[0] - b[0])));
        }
    }
}

static carom_status make_bat(const order *o, carom_shape **out, carom_error *err)
{
    // height and radius in parts of the length: knob, handle, taper, barrel, round end
    static const double knot[][2] = {
        { 0.004, 0.0270 }, { 0.012, 0.0290 }, { 0.022, 0.0250 }, { 0.035, 0.0165 },
        { 0.080, 0.0142 }, { 0.200, 0.0140 }, { 0.350, 0.0155 }, { 0.500, 0.0205 },
        { 0.650, 0.0290 }, { 0.780, 0.0362 }, { 0.880, 0.0385 }, { 0.950, 0.0384 },
        { 0.978, 0.0350 }, { 0.993, 0.0240 },
    };
    profile *p;
    TRY(begin(o, &p, err));
    line_to(p, 0, 0);
    line_to(p, 0.024 * o->size[0], 0);
    curve_through(p, knot, sizeof knot / sizeof *knot, o->size[0]);
    line_to(p, 0.012 * o->size[0], 0.9985 * o->size[0]);
    line_to(p, 0, o->size[0]);
    return turn(p, o, out, err);
}

static carom_status make_pin(const order *o, carom_shape **out, carom_error *err)
{
    // radii of a tenpin at its standard heights, in parts of its height of 15 inches
    static const double knot[][2] = {
        { 0.0500, 0.09427 }, { 0.1500, 0.13020 }, { 0.2250, 0.15033 }, { 0.3000, 0.15887 },
        { 0.3917, 0.15210 }, { 0.4833, 0.12343 }, { 0.5750, 0.08240 }, { 0.6250, 0.06550 },
        { 0.6667, 0.05990 }, { 0.7250, 0.06233 }, { 0.7833, 0.06980 }, { 0.8417, 0.08020 },
        { 0.9000, 0.08490 }, { 0.9490, 0.07600 }, { 0.9830, 0.05000 },
    };
    profile *p;
    TRY(begin(o, &p, err));
    line_to(p, 0, 0);
    line_to(p, 0.06767 * o->size[0], 0);
    curve_through(p, knot, sizeof knot / sizeof *knot, o->size[0]);
    line_to(p, 0.026 * o->size[0], 0.9955 * o->size[0]);
    line_to(p, 0, o->size[0]);
    return turn(p, o, out, err);
}

// -- outlines -------------------------------------------------------------------------------------

static carom_status refine(carom_status status, carom_shape *coarse, const order *o,
                           carom_shape **out, carom_error *err)
{
    if (status == CAROM_OK)
        status = carom_refine_mesh(coarse, o->fineness, out, err);
    carom_shape_release(coarse);
    return status;
}

static carom_status prism(const carom_outline *outline, double depth, const order *o,
                          carom_shape **out, carom_error *err)
{
    carom_shape *coarse = NULL;
    carom_status status = carom_outline_extrude(outline, 0.5 * depth, &coarse, err);
    return refine(status, coarse, o, out, err);
}

// As many pieces of a half circle as its length asks for.
static int pieces_of(const order *o, double radius)
{
    int n = (int)ceil(CAROM_PI * radius / o->fineness);
    return n < 8 ? 8 : n > 40 ? 40 : n;
}

static carom_status make_letter(const order *o, carom_shape **out, carom_error *err)
{
    carom_outline outline;
    if (!carom_letter_outline(o->letter, o->size[0], pieces_of(o, 0.5 * o->size[0]), &outline)) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is no letter %c", o->letter);
        return carom_error_fix(err, "the letters are B O U N C E");
    }
    return prism(&outline, o->size[1], o, out, err);
}

static carom_status make_wrench(const order *o, carom_shape **out, carom_error *err)
{
    carom_outline outline;
    carom_letter_wrench(o->size[0], pieces_of(o, 0.12 * o->size[0]), &outline);
    return prism(&outline, o->size[1], o, out, err);
}

static carom_status make_hockey(const order *o, carom_shape **out, carom_error *err)
{
    carom_outline outline;
    carom_letter_hockey(o->size[0], &outline);
    return prism(&outline, o->size[1], o, out, err);
}

// -- the list -------------------------------------------------------------------------------------

#define LETTER(c)                                                                                  \
    {                                                                                              \
        "letter-" c, "height x depth", "the letter " c ", a prism over its outline",               \
            { 0.1, 0.025 }, make_letter                                                            \
    }

static const maker makers[] = {
    { "bar", "length x width x height", "a rectangular bar", { 0.2, 0.01, 0.01 }, make_bar },
    { "cube", "edge", "a cube", { 0.1 }, make_cube },
    { "ruler", "length x width x thickness", "a ruler", { 0.3, 0.03, 0.003 }, make_bar },
    { "rod",
      "length x diameter",
      "a rod with round ends along z (length over all)",
      { 0.2, 0.01 },
      make_rod },
    { "cup", "height x diameter x wall", "a cup", { 0.1, 0.08, 0.004 }, make_cup },
    { "bowl",
      "diameter x wall",
      "a bowl: nine tenths of a hemisphere's shell",
      { 0.2, 0.006 },
      make_bowl },
    { "bat", "length", "a baseball bat", { 0.86 }, make_bat },
    { "pin", "height", "a bowling pin", { 0.381 }, make_pin },
    { "spring",
      "height x width x depth x thickness",
      "a flat strip folded to and fro five times",
      { 0.1, 0.06, 0.03, 0.006 },
      make_spring },
    { "table",
      "length x width x height x thickness",
      "a plate on four legs",
      { 1.2, 0.8, 0.75, 0.05 },
      make_table },
    { "hockey", "shaft x thickness", "a hockey stick", { 1.3, 0.02 }, make_hockey },
    { "wrench",
      "length x thickness",
      "an open-ended wrench with a ring",
      { 0.25, 0.012 },
      make_wrench },
    LETTER("B"),
    LETTER("O"),
    LETTER("U"),
    LETTER("N"),
    LETTER("C"),
    LETTER("E"),
};
enum { MAKERS = sizeof makers / sizeof *makers };

const char *carom_generate_name(int index)
{
    return index >= 0 && index < MAKERS ? makers[index].name : NULL;
}

const char *carom_generate_sizes(int index, const char **doc, double initial[5])
{
    if (!doc || !initial)
        return NULL;
    if (index < 0 || index >= MAKERS)
        return NULL;
    *doc = makers[index].doc;
    memcpy(initial, makers[index].initial, sizeof makers[index].initial);
    return makers[index].sizes;
}

// -- reading "bar:200x10x10mm@1mm" ----------------------------------------------------------------

static carom_status bad_text(const char *text, carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT, "\"%.60s\" cannot be read as a shape", text);
    return carom_error_fix(err, "write NAME, NAME:200x10x10mm or NAME:200x10x10mm@1mm "
                                "(units m, cm, mm)");
}

// Numbers joined by x, and a unit; returns how many, 0 where they cannot be read.
static int read_sizes(const char *text, const char *end, double *sizes)
{
    int count = 0;
    while (count < SIZES && text < end) {
        char *stop;
        if (!isdigit((unsigned char)*text) && *text != '.')
            return 0;
        if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) // strtod would read hexadecimals
            return 0;
        sizes[count++] = strtod(text, &stop);
        text = stop;
        if (text >= end || *text != 'x')
            break;
        ++text;
    }
    double unit = 0;
    if (end - text == 1 && *text == 'm')
        unit = 1;
    else if (end - text == 2 && memcmp(text, "cm", 2) == 0)
        unit = 1e-2;
    else if (end - text == 2 && memcmp(text, "mm", 2) == 0)
        unit = 1e-3;
    for (int k = 0; k < count; ++k)
        sizes[k] = unit == 1e-3 ? sizes[k] / 1000 : unit == 1e-2 ? sizes[k] / 100 : sizes[k];
    return unit > 0 ? count : 0;
}

static const maker *find(const char *text, size_t length, carom_error *err)
{
    const char *names[MAKERS];
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (int k = 0; k < MAKERS; ++k) {
        names[k] = makers[k].name;
        if (strcmp(name, names[k]) == 0)
            return &makers[k];
    }
    const char *nearest = carom_suggest_nearest(name, names, MAKERS);
    carom_error_set(err, CAROM_BAD_INPUT, "there is no shape \"%s\"", name);
    if (nearest)
        carom_error_fix(err, "did you mean \"%s\"?", nearest);
    else
        carom_error_fix(err, "known are bar cube ruler rod cup bowl bat pin spring table hockey "
                             "wrench letter-B ...");
    return NULL;
}

static carom_status read_order(const char *text, const maker *m, order *o, carom_error *err)
{
    const char *colon = strchr(text, ':'), *at = strchr(text, '@');
    const char *end = at ? at : text + strlen(text);
    int wanted = 0, given = 0;
    double sizes[SIZES] = { 0 };
    while (wanted < SIZES && m->initial[wanted] > 0)
        ++wanted;
    memcpy(o->size, m->initial, sizeof o->size);
    o->letter = m->name[strlen(m->name) - 1];
    if (colon && colon < end) {
        given = read_sizes(colon + 1, end, sizes);
        if (given == 0)
            return bad_text(text, err);
        if (given != wanted) {
            carom_error_set(err, CAROM_BAD_INPUT, "a %s has %d sizes, %d are given", m->name,
                            wanted, given);
            return carom_error_fix(err, "give %s", m->sizes);
        }
        memcpy(o->size, sizes, sizeof o->size);
    }
    for (int k = 0; k < wanted; ++k)
        TRY(carom_shape_positive(o->size[k], m->sizes, err));
    if (at && read_sizes(at + 1, text + strlen(text), &o->fineness) != 1)
        return bad_text(text, err);
    return at ? carom_shape_positive(o->fineness, "the fineness", err) : CAROM_OK;
}

static double area_of(const carom_shape *shape)
{
    carom_mesh_source s = carom_mesh_surface(shape);
    double area = 0;
    for (int t = 0; t < s.triangle_count; ++t) {
        vec3 a = vec3_from(s.vertices + 3 * (size_t)s.triangles[3 * t]);
        vec3 b = vec3_from(s.vertices + 3 * (size_t)s.triangles[3 * t + 1]);
        vec3 c = vec3_from(s.vertices + 3 * (size_t)s.triangles[3 * t + 2]);
        area += 0.5 * vec3_length(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    }
    return area;
}

// As fine as about DEFAULT_FACES triangles are: halving edges may overshoot, then once more.
static carom_status make_default(const maker *m, order *o, carom_shape **out, carom_error *err)
{
    for (int k = 0; k < SIZES; ++k)
        o->fineness += o->size[k];
    TRY(m->make(o, out, err));
    o->fineness = sqrt(2 * area_of(*out) / DEFAULT_FACES);
    for (int k = 0; k < 4; ++k) {
        carom_shape_release(*out);
        TRY(m->make(o, out, err));
        double excess = (double)carom_mesh_surface(*out).triangle_count / DEFAULT_FACES;
        if (excess < 2)
            break;
        o->fineness *= sqrt(excess);
    }
    return CAROM_OK;
}

carom_status carom_generate_shape(const char *text, carom_shape **out, carom_error *err)
{
    NEED(err, text, out);
    *out = NULL;
    order o = { .fineness = 0 };
    const maker *m = find(text, strcspn(text, ":@"), err);
    if (!m)
        return CAROM_BAD_INPUT;
    TRY(read_order(text, m, &o, err));
    return o.fineness > 0 ? m->make(&o, out, err) : make_default(m, &o, out, err);
}

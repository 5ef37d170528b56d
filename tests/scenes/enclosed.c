// Seeded gases of all kinds of bodies in closed rooms: nothing leaves, whatever the step, the law,
// the restitution and the friction, however fast it flies and turns; and nothing gets deep into
// anything without the audit's notice (the promise GAP of `carom run`, exit code 1).
//
// The look from outside knows nothing of contacts: the room is a formula.
//
// enclosed N prints scene N, for `carom run -`; enclosed FROM TO tells about each from FROM to TO.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "carom/random.h"
#include "carom/scene.h"
#include "carom/text.h"
#include "math/vec.h"
#include "support/check.h"

enum { SEED = 14, STEPS = 40, MOST = 8 };
static const double PI = 3.14159265358979323846;
static const double BOUND = 0.25; // of the thinner one, as src/trajectory/runner_report.c

// Of planes, boxes, triangles (a box, an L, a ball), triangles and boxes together, and a moving box
// of triangles that holds all others.
enum { PLANES, BOXES, MESH, ELL, BALL, MIXED, CARRIED, ROOMS };
enum { HALF = 1 }; // m: of all rooms' inner width

typedef struct scene {
    int room, bodies;
    double step, speed, spin;
    double turn[4]; // of the room: axis, degrees
    carom_text text;
} scene;

// -- rooms ----------------------------------------------------------------------------------------

typedef struct surface {
    carom_text vertices, triangles;
    int count;
} surface;

static int add_vertex(surface *s, double x, double y, double z)
{
    carom_text_add(&s->vertices, "%s[%.17g, %.17g, %.17g]", s->count ? ", " : "", x, y, z);
    return s->count++;
}

static void add_triangle(surface *s, int a, int b, int c, bool inward)
{
    carom_text_add(&s->triangles, "%s[%d, %d, %d]", s->triangles.length ? ", " : "", a,
                   inward ? c : b, inward ? b : c);
}

static void add_prism(surface *s, const double (*outline)[2], int count, double half, bool inward)
{
    int first = s->count;
    for (int side = 0; side < 2; ++side)
        for (int i = 0; i < count; ++i)
            add_vertex(s, outline[i][0], outline[i][1], side ? half : -half);
    for (int i = 0; i < count; ++i) {
        int a = first + i, b = first + (i + 1) % count;
        add_triangle(s, a, b, b + count, inward);
        add_triangle(s, a, b + count, a + count, inward);
    }
    for (int i = 1; i + 1 < count; ++i) { // a fan from the first corner, which sees all
        add_triangle(s, first, first + i + 1, first + i, inward);
        add_triangle(s, first + count, first + count + i, first + count + i + 1, inward);
    }
}

static void add_ball(surface *s, double radius, bool inward)
{
    enum { RINGS = 8, SIDES = 12 };
    int low = add_vertex(s, 0, 0, -radius), first = s->count;
    for (int r = 1; r < RINGS; ++r)
        for (int k = 0; k < SIDES; ++k) {
            double u = PI * r / RINGS, p = 2 * PI * k / SIDES;
            add_vertex(s, radius * sin(u) * cos(p), radius * sin(u) * sin(p), -radius * cos(u));
        }
    int high = add_vertex(s, 0, 0, radius);
    for (int k = 0; k < SIDES; ++k) {
        int l = (k + 1) % SIDES, top = first + (RINGS - 2) * SIDES;
        add_triangle(s, low, first + l, first + k, inward);
        add_triangle(s, high, top + k, top + l, inward);
        for (int r = 0; r + 2 < RINGS; ++r) {
            int a = first + r * SIDES;
            add_triangle(s, a + k, a + l, a + SIDES + l, inward);
            add_triangle(s, a + k, a + SIDES + l, a + SIDES + k, inward);
        }
    }
}

static const double SQUARE[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
// Without the quarter x > 0, y > 0; its first corner sees all others.
static const double HOOK[6][2] = { { 0, 0 }, { 0, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 }, { 1, 0 } };

static void add_shell(carom_text *out, int room, double wall)
{
    surface s = { 0 };
    double outer[4][2];
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 2; ++k)
            outer[i][k] = (HALF + wall) * SQUARE[i][k];
    add_prism(&s, outer, 4, HALF + wall, false);
    if (room == ELL)
        add_prism(&s, HOOK, 6, HALF, true);
    else if (room == BALL)
        add_ball(&s, HALF, true);
    else
        add_prism(&s, SQUARE, 4, HALF, true);
    carom_text_add(out, "{ \"mesh\": { \"vertices\": [%s], \"triangles\": [%s] } }",
                   s.vertices.bytes, s.triangles.bytes);
    carom_text_free(&s.vertices);
    carom_text_free(&s.triangles);
}

// A U of triangles between boxes.
static void add_mixed(carom_text *out, double wall)
{
    double w = HALF, o = HALF + wall, c = HALF + wall / 2;
    carom_text_add(out,
                   "{ \"compound\": [ { \"shape\": { \"extrude\": { \"height\": %.17g, \"polygon\":"
                   " [[%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g],"
                   " [%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g]] } } }",
                   2 * w, -o, -o, o, -o, o, w, w, w, w, -w, -w, -w, -w, w, -o, w);
    for (int side = -1; side < 2; side += 2)
        carom_text_add(out,
                       ", { \"shape\": { \"box\": [%.17g, %.17g, %.17g] }, \"position\":"
                       " [0, 0, %.17g] }",
                       2 * o, 2 * o, wall, side * c);
    carom_text_add(out,
                   ", { \"shape\": { \"box\": [%.17g, %.17g, %.17g] }, \"position\":"
                   " [0, %.17g, 0] } ] }",
                   2 * o, wall, 2 * w, c);
}

static void add_room(scene *s, carom_random *r)
{
    double wall = pow(10, carom_random_between(r, -2.5, -0.7));
    if (s->room == PLANES) {
        for (int k = 0; k < 6; ++k) {
            double n[3] = { 0 };
            n[k / 2] = k % 2 ? -1 : 1;
            carom_text_add(
                &s->text,
                "  { \"name\": \"wall %d\", \"kind\": \"fixed\", \"material\": \"m\","
                " \"shape\": { \"plane\": [%g, %g, %g] }, \"position\": [%d, %d, %d] },\n",
                k, n[0], n[1], n[2], (int)-n[0] * HALF, (int)-n[1] * HALF, (int)-n[2] * HALF);
        }
        s->turn[3] = 0;
        return;
    }
    carom_text_add(&s->text,
                   "  { \"name\": \"room\", \"kind\": \"%s\", \"material\": \"m\","
                   " \"turn\": [%.17g, %.17g, %.17g, %.17g],\n    \"shape\": ",
                   s->room == CARRIED ? "moving" : "fixed", s->turn[0], s->turn[1], s->turn[2],
                   s->turn[3]);
    if (s->room == BOXES)
        carom_text_add(&s->text,
                       "{ \"container\": { \"inside\": [2, 2, 2], \"open\": \"\", \"thickness\":"
                       " %.17g } }",
                       wall);
    else if (s->room == MIXED)
        add_mixed(&s->text, wall);
    else
        add_shell(&s->text, s->room, wall);
    if (s->room == BOXES) // its origin is in the middle of the floor
        carom_text_add(&s->text, ", \"position\": [%.17g, %.17g, %.17g]", 0.0, 0.0, 0.0);
    carom_text_add(&s->text, " },\n");
}

// How far a point is behind the room's walls, in the room's frame.
static double behind(int room, vec3 x)
{
    double out = fmax(fmax(fabs(x.x), fabs(x.y)), fabs(x.z)) - HALF;
    if (room == BOXES)
        out = fmax(fmax(fabs(x.x), fabs(x.y)), fabs(x.z - HALF)) - HALF;
    if (room == ELL)
        out = fmax(out, fmin(x.x, x.y));
    if (room == BALL)
        out = vec3_length(x) - HALF;
    return out;
}

// -- bodies ---------------------------------------------------------------------------------------

static void add_shape(carom_text *out, carom_random *r, double size)
{
    int form = carom_random_below(r, 10);
    double a = size * carom_random_between(r, 0.2, 0.55),
           b = size * carom_random_between(r, 0.2, 0.55);
    double c = size * carom_random_between(r, 0.2, 0.55), t = 0.3 * fmin(a, b);
    switch (form) {
    case 0:
        carom_text_add(out, "{ \"sphere\": %.17g }", a);
        return;
    case 1:
        carom_text_add(out, "{ \"box\": [%.17g, %.17g, %.17g] }", a, b, c);
        return;
    case 2:
        carom_text_add(out, "{ \"capsule\": { \"radius\": %.17g, \"length\": %.17g } }", a / 4, b);
        return;
    case 3:
        carom_text_add(out, "{ \"cylinder\": { \"radius\": %.17g, \"length\": %.17g } }", a / 2, b);
        return;
    case 4:
        carom_text_add(out, "{ \"hull\": [");
        for (int i = 0; i < 9; ++i) {
            double d[3];
            carom_random_direction(r, d);
            carom_text_add(out, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", a * d[0], b * d[1],
                           c * d[2]);
        }
        carom_text_add(out, "] }");
        return;
    case 5:
        carom_text_add(out,
                       "{ \"compound\": [ { \"shape\": { \"box\": [%.17g, %.17g, %.17g] } },"
                       " { \"shape\": { \"box\": [%.17g, %.17g, %.17g] }, \"position\": [0, 0,"
                       " %.17g] } ] }",
                       a, t, t, t, b, t, t);
        return;
    case 6: { // a ball of triangles
        surface s = { 0 };
        add_ball(&s, a, false);
        carom_text_add(out, "{ \"mesh\": { \"vertices\": [%s], \"triangles\": [%s] } }",
                       s.vertices.bytes, s.triangles.bytes);
        carom_text_free(&s.vertices);
        carom_text_free(&s.triangles);
        return;
    }
    case 7: // a thin plate
        carom_text_add(out, "{ \"box\": [%.17g, %.17g, %.17g] }", a, b, 0.05 * c);
        return;
    default: // a U, an L
        carom_text_add(out, "{ \"extrude\": { \"height\": %.17g, \"polygon\": [[0, 0], [%.17g, 0],",
                       c, a);
        if (form == 8)
            carom_text_add(out,
                           " [%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g],"
                           " [%.17g, %.17g], [0, %.17g]] } }",
                           a, b, a - t, b, a - t, t, t, t, t, b, b);
        else
            carom_text_add(out, " [%.17g, %.17g], [%.17g, %.17g], [%.17g, %.17g], [0, %.17g]] } }",
                           a, t, t, t, t, b, b);
    }
}

static double power(carom_random *r, double from, double to)
{
    return pow(10, carom_random_between(r, from, to));
}

static scene write_scene(int number)
{
    static const char *const laws[] = { "wave", "qce", "gr", "newton", "poisson", "inelastic" };
    carom_random random = carom_random_make(SEED, (uint64_t)number), *r = &random;
    scene s = { .room = number % ROOMS, .bodies = 1 + carom_random_below(r, MOST) };
    bool falls = carom_random_below(r, 2);
    double axis[3];
    s.step = (double[]){ 1.0 / 30, 1.0 / 60, 1.0 / 240 }[carom_random_below(r, 3)];
    s.speed = power(r, -0.5, 1.6);
    s.spin = carom_random_between(r, 0, 30);
    carom_random_direction(r, axis);
    memcpy(s.turn, axis, sizeof axis);
    s.turn[3] = 360 * carom_random_unit(r);
    double restitution = (double[]){ 0, 0.3, 0.8, 1 }[carom_random_below(r, 4)];
    double friction = (double[]){ 0, 0.3, 1 }[carom_random_below(r, 3)];
    const char *law = laws[carom_random_below(r, 6)];
    bool smooth = strcmp(law, "gr") == 0;
    carom_text_add(&s.text,
                   "{ \"carom\": 1, \"kind\": \"world\", \"step\": %.17g, \"duration\": %.17g,\n"
                   " \"law\": \"%s\", \"gravity\": [0, 0, %g],\n \"materials\": { \"m\": {"
                   " \"restitution\": %g, \"friction\": %g } },\n \"bodies\": [\n",
                   s.step, STEPS * s.step, law, falls ? -9.81 : 0, restitution,
                   smooth ? 0 : friction);
    add_room(&s, r);
    double angle = s.turn[3] * PI / 180;
    vec3 u = vec3_scale(sin(angle / 2), vec3_from(s.turn));
    quat q = { cos(angle / 2), u.x, u.y, u.z };
    bool first = true;
    for (int i = 0; i < s.bodies; ++i) {
        double way[3], about[3], turn[3];
        carom_random_direction(r, way);
        carom_random_direction(r, about);
        carom_random_direction(r, turn);
        double v = s.speed * carom_random_unit(r), w = s.spin * carom_random_unit(r),
               degrees = 360 * carom_random_unit(r);
        double cell = s.room == BALL ? 0.4 : 0.5, size = 0.4;
        vec3 x = { (i % 2 ? 1 : -1) * cell, (i / 2 % 2 ? 1 : -1) * cell, (i / 4 ? 1 : -1) * cell };
        bool there = !(s.room == ELL && x.x > 0 && x.y > 0);
        if (s.room == BOXES)
            x.z += HALF;
        x = quat_rotate(q, x);
        carom_text shape = { 0 };
        add_shape(&shape, r, size);
        if (there)
            carom_text_add(
                &s.text,
                "%s  { \"name\": \"b%d\", \"material\": \"m\", \"shape\": %s,\n"
                "    \"position\": [%.17g, %.17g, %.17g], \"turn\": [%.17g, %.17g, %.17g,"
                " %.17g], \"velocity\": [%.17g, %.17g, %.17g],\n    \"spin\": [%.17g,"
                " %.17g, %.17g] }",
                first ? "" : ",\n", i, shape.bytes, x.x, x.y, x.z, about[0], about[1], about[2],
                degrees, v * way[0], v * way[1], v * way[2], w * turn[0], w * turn[1], w * turn[2]);
        first = first && !there;
        carom_text_free(&shape);
    }
    carom_text_add(&s.text, " ] }\n");
    return s;
}

// -- runs -----------------------------------------------------------------------------------------

typedef struct verdict {
    double out;   // m: how far a centre was behind a wall
    double noted; // overlap, of the thinner one
    int steps, at;
    bool read, finite;
    char words[600];
} verdict;

static void judge(const scene *s, carom_world *world, verdict *v)
{
    carom_states now = carom_world_states(world);
    int first = s->room == PLANES ? 6 : 1;
    double angle = s->turn[3] * PI / 180;
    vec3 u = vec3_scale(sin(angle / 2), vec3_from(s->turn)), origin = { 0, 0, 0 };
    quat q = { cos(angle / 2), u.x, u.y, u.z };
    if (s->room == CARRIED) {
        const double *p = now.rotation[0];
        q = (quat){ p[0], p[1], p[2], p[3] };
        origin = vec3_from(now.position[0]);
    }
    for (int i = first; i < carom_world_body_count(world); ++i) {
        vec3 x = vec3_from(now.position[i]);
        v->finite = v->finite && isfinite(x.x + x.y + x.z);
        double out = behind(s->room, quat_rotate(quat_conjugate(q), vec3_sub(x, origin)));
        if (out > v->out) {
            v->out = out;
            v->at = v->steps;
        }
    }
}

static verdict run(const scene *s)
{
    verdict v = { .finite = true };
    carom_error err = { 0 };
    carom_scene_world *opened = NULL;
    carom_world *world = NULL;
    v.read = carom_scene_world_parse("enclosed", s->text.bytes, s->text.length, &opened, &err) ==
                 CAROM_OK &&
             carom_scene_world_build(opened, NULL, &world, &err) == CAROM_OK;
    for (bool going = v.read; going && v.steps < STEPS; ++v.steps) {
        going = carom_world_step(world, s->step, &err) == CAROM_OK;
        judge(s, world, &v);
    }
    if (v.read)
        v.noted = carom_world_audit(world).overlap;
    if (err.what[0])
        snprintf(v.words, sizeof v.words, "%s %s", err.where, err.what);
    carom_world_destroy(world);
    carom_scene_world_close(opened);
    return v;
}

int main(int count, char **words)
{
    int from = 0, to = check_full() ? 500 : check_effort(21, 14), broken = 0;
    if (count == 2) {
        scene s = write_scene(atoi(words[1]));
        fputs(s.text.bytes, stdout);
        carom_text_free(&s.text);
        return 0;
    }
    if (count > 2) {
        from = atoi(words[1]);
        to = atoi(words[2]);
    }
    for (int i = from; i < to; ++i) {
        scene s = write_scene(i);
        verdict v = run(&s);
        CHECK(v.read, "scene %d is read: %s", i, v.words);
        CHECK(v.finite, "scene %d stays finite", i);
        CHECK(v.out <= 0 || v.noted > BOUND, "scene %d: out by %.3g m, and %.3g noted", i, v.out,
              v.noted);
        broken += v.noted > BOUND;
        if (count > 2 && (v.out > 0 || v.noted > 0.02 || v.words[0]))
            printf("%d room %d, %d bodies, step 1/%.0f, %.3g m/s, %.3g rad/s: %d steps, out %.3g "
                   "m (step %d), overlap %.3g %s\n",
                   i, s.room, s.bodies, 1 / s.step, s.speed, s.spin, v.steps, v.out, v.at, v.noted,
                   v.words);
        carom_text_free(&s.text);
    }
    printf("%d scenes: %d break GAP\n", to - from, broken);
    return check_report();
}

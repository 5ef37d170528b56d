// Two hundred seeded scenes that ask too much: mass ratios up to 1e8, bodies of a micrometre and of
// a hundred metres, 1e5 m/s, plates, wedges, steps that are far too long, gravity of 1e5 m/s^2, and
// all of it together. None may crash or hang; a step that fails says why; and what a look from
// outside finds inside each other by more than a quarter of the thinner body's thickness, or behind
// a floor, the audit must have found, too (the promise GAP of `carom run`, exit code 1).
//
// The look from outside knows nothing of contacts: points of one surface and their signed distance
// to the other body, which is at most the overlap.
//
// stress N prints scene N, for `carom run -`.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "carom/random.h"
#include "carom/scene.h"
#include "carom/text.h"
#include "math/vec.h"
#include "support/check.h"

enum { SCENES = 200, STEPS = 40, POINTS = 400, SEED = 22, SECONDS = 60 };
static const double BOUND = 0.25; // of the thinner one, as src/trajectory/runner_report.c

// -- scenes ---------------------------------------------------------------------------------------

// What a scene is hard by; the last one is hard by all.
enum { MASSES, TINY, HUGE_ONES, FAST, PLATES, LONG_STEPS, HEAVY, WEDGES, ALL, KINDS };

static double power(carom_random *r, double from, double to)
{
    return pow(10, carom_random_between(r, from, to));
}

static void add_shape(carom_text *out, carom_random *r, int kind, double size)
{
    int form = kind == PLATES ? 6 : kind == WEDGES ? 5 : carom_random_below(r, 7);
    double a = size * carom_random_between(r, 0.3, 1), b = size * carom_random_between(r, 0.3, 1);
    double c = size * carom_random_between(r, 0.3, 1);
    switch (form) {
    case 0:
        carom_text_add(out, "{ \"sphere\": %.17g }", size / 2);
        return;
    case 1:
        carom_text_add(out, "{ \"box\": [%.17g, %.17g, %.17g] }", a, b, c);
        return;
    case 2:
        carom_text_add(out, "{ \"capsule\": { \"radius\": %.17g, \"length\": %.17g } }", a / 4,
                       b / 2);
        return;
    case 3:
        carom_text_add(out, "{ \"cylinder\": { \"radius\": %.17g, \"length\": %.17g } }", a / 3,
                       b / 2);
        return;
    case 4:
        carom_text_add(out, "{ \"hull\": [");
        for (int i = 0; i < 9; ++i) {
            double d[3];
            carom_random_direction(r, d);
            carom_text_add(out, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", a / 2 * d[0],
                           b / 2 * d[1], c / 2 * d[2]);
        }
        carom_text_add(out, "] }");
        return;
    case 5:
        a /= 2, b /= 2, c /= 2;
        carom_text_add(out,
                       "{ \"hull\": [[%.17g, %.17g, 0], [%.17g, %.17g, 0], [%.17g, %.17g, 0],"
                       " [%.17g, %.17g, 0], [0, %.17g, %.17g], [0, %.17g, %.17g]] }",
                       -a, -b, a, -b, -a, b, a, b, -b, c, b, c);
        return;
    default:
        carom_text_add(out, "{ \"box\": [%.17g, %.17g, %.17g] }", a, b, c * power(r, -3, -1));
    }
}

// Bodies in a lattice of cells that hold them however they turn, over a floor that is a plane or a
// thin plate, between walls or not.
static void write_scene(carom_text *out, int number)
{
    carom_random random = carom_random_make(SEED, (uint64_t)number), *r = &random;
    int kind = number % KINDS, bodies = 2 + carom_random_below(r, 9);
    bool all = kind == ALL, walls = carom_random_below(r, 2) == 0, plate = !walls && kind != HEAVY;
    double size = kind == TINY        ? 1e-6
                  : kind == HUGE_ONES ? 100
                  : all               ? power(r, -6, 2)
                                      : power(r, -2, 0);
    double gravity = kind == HEAVY || all ? power(r, 1, 5) : 9.81;
    double speed = kind == FAST || all ? power(r, 2, 5) : power(r, -1, 1);
    double fall = sqrt(2 * size / gravity); // s, by its own size
    double step = kind == LONG_STEPS || all ? fall * power(r, -1, 0.7) : fall * power(r, -2, -1);
    double cell = 1.8 * size;
    double restitution = (double[]){ 0, 0.3, 0.5, 1 }[carom_random_below(r, 4)];
    double friction = (double[]){ 0, 0.3, 1 }[carom_random_below(r, 3)];
    carom_text_add(out,
                   "{ \"carom\": 1, \"kind\": \"world\", \"step\": %.17g, \"duration\": %.17g,\n"
                   " \"gravity\": [0, 0, %.17g],\n \"materials\": { \"m\": { \"restitution\": %g, "
                   "\"friction\": %g } },\n \"bodies\": [\n",
                   step, STEPS * step, -gravity, restitution, friction);
    if (plate)
        carom_text_add(
            out,
            "  { \"name\": \"plate\", \"kind\": \"fixed\", \"material\": \"m\", \"shape\":"
            " { \"box\": [%.17g, %.17g, %.17g] }, \"position\": [0, 0, %.17g] }",
            1e4 * size, 1e4 * size, 0.1 * size, -0.05 * size);
    else
        carom_text_add(out, "  { \"name\": \"floor\", \"kind\": \"fixed\", \"material\": \"m\", "
                            "\"shape\": { \"plane\": [0, 0, 1] } }");
    for (int k = 0; k < 4 && walls; ++k)
        carom_text_add(out,
                       ",\n  { \"name\": \"wall %d\", \"kind\": \"fixed\", \"material\": \"m\", "
                       "\"shape\": { \"plane\": [%d, %d, 0] }, \"position\": [%.17g, %.17g, 0] }",
                       k, (int[]){ 1, -1, 0, 0 }[k], (int[]){ 0, 0, 1, -1 }[k],
                       (double[]){ -1.5, 1.5, 0, 0 }[k] * cell,
                       (double[]){ 0, 0, -1.5, 1.5 }[k] * cell);
    for (int i = 0; i < bodies; ++i) {
        double way[3], axis[3], turn[3]; // every draw is a statement: arguments have no order
        carom_random_direction(r, way);
        carom_random_direction(r, axis);
        carom_random_direction(r, turn);
        double v = speed * carom_random_unit(r),
               w = carom_random_unit(r) * fmin(v / size, 0.5 / step);
        double angle = 360 * carom_random_unit(r);
        double own = kind == MASSES ? size * carom_random_between(r, 0.2, 1) : size;
        double density = kind == MASSES || all ? power(r, 0, 8) : 1000;
        carom_text_add(out, ",\n  { \"name\": \"b%d\", \"material\": \"m\", \"shape\": ", i);
        add_shape(out, r, kind, own);
        carom_text_add(
            out,
            ",\n    \"position\": [%.17g, %.17g, %.17g], \"turn\": [%.17g, %.17g, %.17g, "
            "%.17g],\n    \"velocity\": [%.17g, %.17g, %.17g], \"spin\": [%.17g, %.17g, "
            "%.17g], \"density\": %.17g }",
            (i % 2 - 0.5) * cell, (i / 2 % 2 - 0.5) * cell, (i / 4 + 0.6) * cell, axis[0], axis[1],
            axis[2], angle, v * way[0], v * way[1], v * way[2], w * turn[0], w * turn[1],
            w * turn[2], density);
    }
    carom_text_add(out, " ] }\n");
}

// -- the look from outside ------------------------------------------------------------------------

typedef struct look {
    const carom_shape *shape;
    bool moves;
    int count;
    double points[POINTS][3]; // of the surface, shape frame
    double thickness;         // m, at most
    double inside;            // m, of a fixed one: what is nearer to its middle is not beside it
} look;

static void take_points(void *context, const double corners[9])
{
    look *l = context;
    for (int k = 0; k < 3 && l->count < POINTS; ++k)
        memcpy(l->points[l->count++], corners + 3 * k, sizeof l->points[0]);
}

// The least extent along its own axes is at least what the audit takes for its thickness.
static void look_at(look *l, const carom_world *world, int i)
{
    carom_body_id id = carom_world_body_at(world, i);
    *l = (look){ .shape = carom_world_shape(world, id),
                 .moves = carom_world_kind(world, id) == CAROM_BODY_MOVING,
                 .thickness = HUGE_VAL };
    l->inside = 0.5 * carom_shape_radius(l->shape);
    if (!l->moves)
        return;
    carom_shape_triangles(l->shape, 8, 1, take_points, l);
    for (int k = 0; k < 3; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int p = 0; p < l->count; ++p) {
            low = fmin(low, l->points[p][k]);
            high = fmax(high, l->points[p][k]);
        }
        l->thickness = fmin(l->thickness, high - low);
    }
}

static quat turned(const double q[4])
{
    return (quat){ q[0], q[1], q[2], q[3] };
}

// How deep points of a are in b, m; 0: they are not.
static double depth(const look *a, const look *b, const carom_states *now, int i, int k)
{
    quat qa = turned(now->rotation[i]), qb = quat_conjugate(turned(now->rotation[k]));
    vec3 apart = vec3_sub(vec3_from(now->position[i]), vec3_from(now->position[k]));
    double deepest = 0;
    for (int p = 0; p < a->count; ++p) {
        vec3 place = quat_rotate(qb, vec3_add(apart, quat_rotate(qa, vec3_from(a->points[p]))));
        double at[3] = { place.x, place.y, place.z };
        deepest = fmax(deepest, -carom_shape_distance(b->shape, at));
    }
    return deepest;
}

// The deepest of all, of the thickness of the thinner one. What is behind a plate has gone through.
static double judge(const look *looks, const carom_states *now)
{
    double worst = 0;
    for (int i = 0; i < now->count; ++i)
        for (int k = 0; k < now->count; ++k) {
            if (i == k || !looks[i].moves)
                continue;
            double thickness = fmin(looks[i].thickness, looks[k].thickness);
            bool plate = !looks[k].moves && carom_shape_kind_of(looks[k].shape) == CAROM_SHAPE_BOX;
            bool above =
                fmax(fabs(now->position[i][0]), fabs(now->position[i][1])) < looks[k].inside;
            bool behind = plate && above && now->position[i][2] < 2 * now->position[k][2];
            double found = behind ? HUGE_VAL : depth(&looks[i], &looks[k], now, i, k) / thickness;
            worst = fmax(worst, found);
        }
    return worst;
}

// -- one scene ------------------------------------------------------------------------------------

// What a scene came to, shared with the process that ran it.
typedef struct verdict {
    int steps;            // done
    bool refused, finite; // refused: a step said why it cannot be done
    double seen, noted;   // overlap: by the look from outside, by the audit
    char words[200];
} verdict;

static bool is_number(const carom_states *now)
{
    double sum = 0;
    for (int i = 0; i < now->count; ++i)
        for (int k = 0; k < 3; ++k)
            sum += fabs(now->position[i][k]) + fabs(now->velocity[i][k]) + fabs(now->spin[i][k]);
    return isfinite(sum);
}

static void say(verdict *v, const carom_error *err)
{
    v->refused = true;
    snprintf(v->words, sizeof v->words, "%.199s", err->what);
}

static void run(const carom_scene_world *scene, verdict *v)
{
    static look looks[32];
    carom_world *world = NULL;
    carom_error err = { 0 };
    if (carom_scene_world_build(scene, NULL, &world, &err) != CAROM_OK) {
        say(v, &err);
        return;
    }
    for (int i = 0; i < carom_world_body_count(world); ++i)
        look_at(&looks[i], world, i);
    v->finite = true;
    for (; v->steps < STEPS && v->finite && !v->refused; ++v->steps) {
        if (carom_world_step(world, carom_scene_world_step(scene), &err) != CAROM_OK)
            say(v, &err);
        carom_states now = carom_world_states(world);
        v->finite = is_number(&now);
        v->seen = fmax(v->seen, judge(looks, &now));
    }
    v->noted = carom_world_audit(world).overlap;
    carom_world_destroy(world);
}

// In a process of its own, with so many seconds of processor time: returns how that ended.
static int play(const carom_text *text, verdict *v)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit most = { SECONDS, SECONDS };
        carom_scene_world *scene = NULL;
        carom_error err = { 0 };
        setrlimit(RLIMIT_CPU, &most);
        if (carom_scene_world_parse("stress", text->bytes, text->length, &scene, &err) == CAROM_OK)
            run(scene, v);
        else
            say(v, &err);
        carom_scene_world_close(scene);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

int main(int count, char **words)
{
    carom_text text = { 0 };
    if (count > 1) {
        write_scene(&text, atoi(words[1]));
        fputs(text.bytes, stdout);
        carom_text_free(&text);
        return 0;
    }
    verdict *v = mmap(NULL, sizeof *v, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int scenes = check_full() ? SCENES : check_effort(2 * KINDS, KINDS), refused = 0, broken = 0;
    for (int i = 0; i < scenes && CHECK(v != MAP_FAILED, "memory"); ++i) {
        *v = (verdict){ 0 };
        write_scene(&text, i);
        int status = play(&text, v);
        CHECK(WIFEXITED(status), "scene %d ends by itself, not by signal %d", i, WTERMSIG(status));
        CHECK(v->finite || v->refused, "scene %d stays finite", i);
        CHECK(!v->refused || *v->words, "scene %d: a failure says why", i);
        CHECK(v->refused || v->seen <= BOUND || v->noted > BOUND,
              "scene %d: overlap of %.3g is noted, not %.3g", i, v->seen, v->noted);
        refused += v->refused;
        broken += !v->refused && v->noted > BOUND;
        if (getenv("STRESS"))
            printf("%d kind %d: %d steps, seen %.3g, noted %.3g %s\n", i, i % KINDS, v->steps,
                   v->seen, v->noted, v->words);
        carom_text_free(&text);
    }
    printf("%d scenes: %d end with a reason, %d break GAP\n", scenes, refused, broken);
    return check_report();
}

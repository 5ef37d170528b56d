// Times of impact in the hollows of meshes: mirrors, the same hollow made of boxes, and bodies that
// bounce while they turn fast.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/random.h"
#include "support/check.h"
#include "support/play.h"
#include "support/small_world.h"

// m: bodies of 0.2 m that turn by less than 0.1 rad in an interval are taken to turn about one
// axis; by Euler's equations that is off by up to half of 0.1 x 0.1 x 0.2 m, the asymmetry of their
// inertia and the cosine of the direction apart.
static const double ONE_AXIS = 1e-4;
static const double STEPS[] = { 1.0 / 30, 1.0 / 60, 1.0 / 240 };

// A U of triangles, one metre wide inside, two high and open above, along z from -2 to 2.
static const char *const U = "{ \"extrude\": { \"height\": 4, \"polygon\": [[-0.55, -0.05], [0.55, "
                             "-0.05], [0.55, 2], [0.5, 2], [0.5, 0], [-0.5, 0], [-0.5, 2], "
                             "[-0.55, 2]] } }";
// A closed box of triangles about a hollow of 1.2 m.
static const char *const ROOM =
    "{ \"mesh\": { \"vertices\": [[-0.7, -0.7, -0.7], [0.7, -0.7, -0.7], [0.7, 0.7, -0.7],"
    " [-0.7, 0.7, -0.7], [-0.7, -0.7, 0.7], [0.7, -0.7, 0.7], [0.7, 0.7, 0.7], [-0.7, 0.7, 0.7],"
    " [-0.6, -0.6, -0.6], [0.6, -0.6, -0.6], [0.6, 0.6, -0.6], [-0.6, 0.6, -0.6],"
    " [-0.6, -0.6, 0.6], [0.6, -0.6, 0.6], [0.6, 0.6, 0.6], [-0.6, 0.6, 0.6]],"
    " \"triangles\": [[0, 2, 1], [0, 3, 2], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4], [1, 2, 6],"
    " [1, 6, 5], [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7], [8, 9, 10], [8, 10, 11],"
    " [12, 14, 13], [12, 15, 14], [8, 13, 9], [8, 12, 13], [9, 14, 10], [9, 13, 14], [10, 15, 11],"
    " [10, 14, 15], [11, 12, 8], [11, 15, 12]] } }";
static const char *const BOXES =
    "{ \"container\": { \"inside\": [1.2, 1.2, 1.2], \"open\": \"\", \"thickness\": 0.1 } }";

typedef struct setting {
    double axis[3], degrees; // of the hollow
    quat turn;
} setting;

static setting random_setting(carom_random *r)
{
    setting s;
    carom_random_direction(r, s.axis);
    s.degrees = carom_random_between(r, 0, 360);
    double half = s.degrees * 3.14159265358979323846 / 360;
    vec3 u = vec3_scale(sin(half), vec3_from(s.axis));
    s.turn = (quat){ cos(half), u.x, u.y, u.z };
    return s;
}

// A body in a hollow, nothing else: no loss, no friction, no weight.
static play enclose(const setting *s, const char *hollow, vec3 origin, const char *body, vec3 x,
                    vec3 v, vec3 spin, double dt)
{
    char text[4000];
    vec3 o = quat_rotate(s->turn, origin);
    x = quat_rotate(s->turn, x);
    v = quat_rotate(s->turn, v);
    spin = quat_rotate(s->turn, spin);
    snprintf(text, sizeof text,
             "{ \"carom\": 1, \"kind\": \"world\", \"step\": %.17g, \"duration\": 10, \"law\":"
             " \"newton\", \"gravity\": [0, 0, 0], \"materials\": { \"m\": { \"restitution\": 1,"
             " \"friction\": 0 } }, \"bodies\": [ { \"name\": \"hollow\", \"kind\": \"fixed\","
             " \"material\": \"m\", \"shape\": %s, \"position\": [%.17g, %.17g, %.17g],"
             " \"turn\": [%.17g, %.17g, %.17g, %.17g] },"
             " { \"name\": \"body\", \"shape\": %s, \"material\": \"m\", \"position\": [%.17g,"
             " %.17g, %.17g], \"velocity\": [%.17g, %.17g, %.17g], \"spin\": [%.17g, %.17g, %.17g],"
             " \"turn\": [%.17g, %.17g, %.17g, %.17g] } ] }",
             dt, hollow, o.x, o.y, o.z, s->axis[0], s->axis[1], s->axis[2], s->degrees, body, x.x,
             x.y, x.z, v.x, v.y, v.z, spin.x, spin.y, spin.z, s->axis[0], s->axis[1], s->axis[2],
             s->degrees);
    return play_parse("hollow", text);
}

// Where a ball is that bounces between two walls without loss.
static double folded(double start, double way, double low, double high)
{
    double width = high - low, x = fmod(start - low + way, 2 * width);
    x = x < 0 ? x + 2 * width : x;
    return low + (x > width ? 2 * width - x : x);
}

// The reported case: 0.3 m above the floor, 0.4 m from the wall, 20 m/s; and just above the floor.
static void check_u(void)
{
    static const double height[] = { 0.4, 0.1001, 0.4, 0.2, 0.4 }, speed[] = { 20, 8, 45, 13, 6 };
    double worst = 0, deepest = 0;
    carom_random random = carom_random_make(14, 1);
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 3; ++k)
            for (int trial = 0; trial < check_effort(4, 2); ++trial) {
                setting s = random_setting(&random);
                double back = trial % 2 ? -1 : 1;
                vec3 x = { 0, height[i], 0 }, v = { back * speed[i], 0, 0.1 };
                play p = enclose(&s, U, vec3_make(0, 0, 0), "{ \"sphere\": 0.1 }", x, v,
                                 vec3_make(0, 0, 0), STEPS[k]);
                int ball = play_find(&p, "body");
                while (!p.broken && (double)p.step * STEPS[k] < 0.4) {
                    play_steps(&p, 1);
                    vec3 at = quat_rotate(quat_conjugate(s.turn), play_position(&p, ball));
                    double way = v.x * (double)p.step * STEPS[k];
                    worst = fmax(worst, fabs(at.x - folded(0, way, -0.4, 0.4)));
                }
                deepest = fmax(deepest, play_ledger(&p).peak_overlap);
                play_close(&p);
            }
    // each of some 20 impacts is up to half of `touch` early
    CHECK_MOST(worst, 1e-6, "m: a ball between the walls of a U is where mirrors put it");
    CHECK_MOST(deepest, 1e-9, "m: and never inside of a wall");
}

static void check_room(void)
{
    const double radius = 0.1, half = 0.6;
    carom_random random = carom_random_make(14, 2);
    double worst = 0, deepest = 0;
    for (int i = 0; i < check_effort(40, 12); ++i) {
        setting s = random_setting(&random);
        double x[3], v[3], dt = STEPS[i % 3];
        for (int k = 0; k < 3; ++k) {
            x[k] = carom_random_between(&random, radius - half, half - radius);
            v[k] = carom_random_between(&random, -20, 20);
        }
        play p = enclose(&s, ROOM, vec3_make(0, 0, 0), "{ \"sphere\": 0.1 }", vec3_from(x),
                         vec3_from(v), vec3_make(0, 0, 0), dt);
        int ball = play_find(&p, "body");
        while (!p.broken && (double)p.step * dt < 0.5) {
            play_steps(&p, 1);
            double at[3];
            vec3_store(quat_rotate(quat_conjugate(s.turn), play_position(&p, ball)), at);
            for (int k = 0; k < 3; ++k)
                worst = fmax(worst, fabs(at[k] - folded(x[k], v[k] * (double)p.step * dt,
                                                        radius - half, half - radius)));
        }
        deepest = fmax(deepest, play_ledger(&p).peak_overlap);
        play_close(&p);
    }
    CHECK_MOST(worst, 1e-6, "m: a ball in a room of triangles is where mirrors put it");
    CHECK_MOST(deepest, 1e-9, "m: and never inside of a wall");
}

static const char *const BODIES[] = {
    "{ \"sphere\": 0.1 }",
    "{ \"capsule\": { \"radius\": 0.05, \"length\": 0.2 } }",
    "{ \"box\": [0.3, 0.2, 0.1] }",
    "{ \"cylinder\": { \"radius\": 0.1, \"length\": 0.2 } }",
    "{ \"hull\": [[0.15, 0, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0], [0, 0, 0.2]] }",
    "{ \"compound\": [ { \"shape\": { \"box\": [0.3, 0.05, 0.05] } }, { \"shape\": { \"box\":"
    " [0.05, 0.3, 0.05] } } ] }",
    "{ \"extrude\": { \"height\": 0.1, \"polygon\": [[0, 0], [0.2, 0], [0.2, 0.2], [0.15, 0.2],"
    " [0.15, 0.05], [0.05, 0.05], [0.05, 0.2], [0, 0.2]] } }",
};
enum { KINDS = sizeof BODIES / sizeof *BODIES };

// The time of the first impact, and what the ledger says of overlap then.
static double first_impact(play *p, double *deepest)
{
    double time = -1;
    play_build(p);
    if (!p->broken)
        carom_world_record_contacts(p->world, 1);
    while (!p->broken && time < 0 && p->step < 60) {
        int count = 0;
        play_steps(p, 1);
        const carom_world_contact *list = carom_world_contacts(p->world, &count);
        time = count > 0 && list[0].impact ? list[0].time : -1;
    }
    *deepest = fmax(*deepest, play_ledger(p).peak_overlap);
    return time;
}

// The same room of triangles and of boxes: every kind of body meets both at the same moment.
static void check_kinds(void)
{
    carom_random random = carom_random_make(14, 3);
    double worst = 0, deepest = 0;
    int met = 0, trials = check_effort(18, 6);
    for (int i = 0; i < KINDS * trials; ++i) {
        setting s = random_setting(&random);
        double way[3], about[3], dt = STEPS[i % 3];
        carom_random_direction(&random, way);
        carom_random_direction(&random, about);
        vec3 v = vec3_scale(carom_random_between(&random, 1, 40), vec3_from(way));
        vec3 w = vec3_scale(carom_random_between(&random, 0, 30), vec3_from(about));
        vec3 none = { 0, 0, 0 };
        play of_mesh = enclose(&s, ROOM, none, BODIES[i % KINDS], none, v, w, dt);
        play of_boxes =
            enclose(&s, BOXES, vec3_make(0, 0, -0.6), BODIES[i % KINDS], none, v, w, dt);
        double found = first_impact(&of_mesh, &deepest);
        double wanted = first_impact(&of_boxes, &(double){ 0 });
        met += wanted > 0;
        worst = fmax(worst, fabs(found - wanted) * (1 + vec3_length(v)));
        play_close(&of_mesh);
        play_close(&of_boxes);
    }
    CHECK(met == KINDS * trials, "all meet a wall (%d of %d)", met, KINDS * trials);
    CHECK_MOST(worst, 1e-8, "m: a room of triangles is met when one of boxes is");
    CHECK_MOST(deepest, ONE_AXIS, "m: and nothing is in its walls then");
}

// What has just bounced off the floor and turns at 20 to 30 rad/s comes down with its other end:
// that, too, is located, at steps in which it turns by a radian.
static void check_turning(void)
{
    static const char angle[] =
        "{ \"extrude\": { \"height\": 0.1, \"polygon\": [[0, 0], [0.4, 0], [0.4, 0.05], [0.05,"
        " 0.05], [0.05, 0.3], [0, 0.3]] } }";
    static const char *const shapes[] = {
        "{ \"box\": [0.4, 0.1, 0.1] }", "{ \"capsule\": { \"radius\": 0.03, \"length\": 0.4 } }",
        "{ \"box\": [0.4, 0.3, 0.02] }", angle,
        "{ \"cylinder\": { \"radius\": 0.15, \"length\": 0.06 } }"
    };
    static const char *const floors[] = {
        "{ \"plane\": [0, 0, 1] }", "{ \"box\": [4, 4, 0.0002] }",
        "{ \"extrude\": { \"height\": 0.0002, \"polygon\": [[-2, -2], [2, -2], [2, 2], [-2, 2]] } }"
    };
    carom_random random = carom_random_make(14, 4);
    double deepest = 0;
    char pebble[1200];
    int at = snprintf(pebble, sizeof pebble, "{ \"hull\": [");
    for (int i = 0; i < 24; ++i) {
        double d[3];
        carom_random_direction(&random, d);
        at += snprintf(pebble + at, sizeof pebble - (size_t)at, "%s[%.9g, %.9g, %.9g]",
                       i ? ", " : "", 0.2 * d[0], 0.15 * d[1], 0.1 * d[2]);
    }
    snprintf(pebble + at, sizeof pebble - (size_t)at, "] }");
    for (int i = 0; i < check_effort(180, 54); ++i) {
        double about[3], v = carom_random_between(&random, 1, 6);
        double w = carom_random_between(&random, 20, 30), high = i % 3 ? 0.0001 : 0;
        char text[3000];
        carom_random_direction(&random, about);
        snprintf(text, sizeof text,
                 "{ \"carom\": 1, \"kind\": \"world\", \"step\": %.17g, \"duration\": 10, \"law\":"
                 " \"newton\", \"gravity\": [0, 0, -9.81], \"materials\": { \"m\": {"
                 " \"restitution\": 1, \"friction\": 0 } }, \"bodies\": [ { \"name\": \"floor\","
                 " \"kind\": \"fixed\", \"material\": \"m\", \"shape\": %s, \"position\": [0, 0,"
                 " %.17g] }, { \"name\": \"body\", \"shape\": %s, \"material\": \"m\","
                 " \"position\": [0, 0, 0.5], \"velocity\": [0, 0, %.17g], \"spin\": [%.17g, %.17g,"
                 " %.17g] } ] }",
                 STEPS[i % 2], floors[i % 3], -high, i / 3 % 6 < 5 ? shapes[i / 3 % 6] : pebble, -v,
                 w * about[0], w * about[1], w * about[2]);
        play p = play_parse("turning", text);
        play_steps(&p, 30);
        deepest = fmax(deepest, play_ledger(&p).peak_overlap);
        play_close(&p);
    }
    CHECK_MOST(deepest, ONE_AXIS, "m: what bounces and turns is not let into the floor");
}

int main(void)
{
    check_u();
    check_room();
    check_kinds();
    check_turning();
    return check_report();
}

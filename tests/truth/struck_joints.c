// Blows on bodies with joints against solutions by hand: the joint answers in the same instant.
//
// Everything touches at the start, nothing weighs, and one step of 1 us passes: what is seen is the
// instant alone. Every scene is laid out in the plane x, z and turned by one odd rotation, so that
// no axis is special; not so where bodies stay in contact, since the resting phase would take out
// the round-off of their gap (1e-14 m) within the step. W is the answer of the relative speed to a
// unit impulse; the law of one contact says p = (1 + e) u / W.
#include <math.h>
#include <string.h>
#include "math/vec.h"
#include "support/check.h"
#include "support/play.h"
#include "support/small_world.h"

static const char *const laws[] = { "wave",   "qce", "springs", "gr",          "poisson",
                                    "newton", "smm", "sqm",     "fixed-point", "etm" };
enum { LAWS = sizeof laws / sizeof *laws };
static const double restitutions[] = { 1, 0.5, 0 };

// Stand-ins keep 1e-13 of an inverse mass, joint speeds are solved to 1e-13; what counts is that
// the resting phase takes out the round-off of anchors (1e-16 m) within the step of 1e-6 s.
#define EXACT 1e-9

typedef struct scene {
    small_world s;
    quat turn;
} scene;

static scene begin(const char *law, double restitution, double friction)
{
    scene one = { .s = small_world_make(law), .turn = quat_unit((quat){ 0.8, 0.3, -0.4, 0.2 }) };
    if (restitution == 0)
        one.turn = quat_identity();
    const double turn[4] = { one.turn.w, one.turn.x, one.turn.y, one.turn.z };
    memset(one.s.options.gravity, 0, sizeof one.s.options.gravity);
    memcpy(one.s.rotation, turn, sizeof turn);
    one.s.options.rest_sweeps = 30; // nothing but round-off is left to do
    one.s.material.restitution = restitution;
    one.s.material.friction = friction;
    return one;
}

static void lay(const scene *one, vec3 v, double out[3])
{
    vec3_store(quat_rotate(one->turn, v), out);
}

static int ball(scene *one, double radius, double mass, vec3 at, vec3 v)
{
    double position[3], velocity[3];
    lay(one, at, position);
    lay(one, v, velocity);
    return small_world_ball(&one->s, radius, mass, position, velocity);
}

static int box(scene *one, vec3 half, double mass, vec3 at)
{
    double position[3];
    lay(one, at, position);
    return small_world_box(&one->s, (double[]){ half.x, half.y, half.z }, mass, position, NULL);
}

// Hinges turn about y.
static void join(scene *one, carom_joint_kind kind, int a, int b, vec3 at)
{
    carom_joint joint = { .kind = kind,
                          .a = carom_world_body_at(one->s.world, a),
                          .b = carom_world_body_at(one->s.world, b) };
    lay(one, at, joint.anchor_a);
    lay(one, at, joint.anchor_b);
    lay(one, vec3_make(0, 1, 0), joint.axis);
    small_world_join(&one->s, &joint);
}

static void tie(scene *one, int body, vec3 from, vec3 to)
{
    carom_joint joint = { .kind = CAROM_JOINT_STRING,
                          .b = carom_world_body_at(one->s.world, body) };
    lay(one, from, joint.anchor_a);
    lay(one, to, joint.anchor_b);
    small_world_join(&one->s, &joint);
}

static void strike(scene *one)
{
    small_world_steps(&one->s, 1e-6, 1);
}

static vec3 velocity(const scene *one, int body)
{
    double v[3];
    carom_world_body(one->s.world, carom_world_body_at(one->s.world, body), NULL, NULL, v, NULL);
    return quat_rotate(quat_conjugate(one->turn), vec3_from(v));
}

static vec3 spin(const scene *one, int body)
{
    double w[3];
    carom_world_body(one->s.world, carom_world_body_at(one->s.world, body), NULL, NULL, NULL, w);
    return quat_rotate(quat_conjugate(one->turn), vec3_from(w));
}

static double energy_left(const scene *one)
{
    carom_ledger l = carom_world_ledger(one->s.world);
    return l.kinetic / l.start;
}

static vec3 along_x(double x)
{
    return vec3_make(x, 0, 0);
}

// Inertia of a box about y through its centre; half sizes.
static double about_y(double mass, vec3 half)
{
    return mass * (half.x * half.x + half.z * half.z) / 3;
}

// A rod that hangs from a hinge (or a ball joint) is hit by a ball at the depth r:
// W = 1/m + r^2 / I, I about the hinge.
static void hinged_rod(const char *law, double e, carom_joint_kind kind)
{
    const vec3 half = { 0.05, 0.08, 0.6 };
    const double m = 0.7, big = 2.3, r = 0.9, v = 3, radius = 0.1;
    double inertia = about_y(big, half) + big * half.z * half.z;
    scene one = begin(law, e, 0);
    int rod = box(&one, half, big, vec3_make(0, 0, -half.z));
    int hit = ball(&one, radius, m, vec3_make(-half.x - radius, 0, -r), along_x(v));
    join(&one, kind, -1, rod, vec3_make(0, 0, 0));
    strike(&one);
    double p = (1 + e) * v / (1 / m + r * r / inertia);
    CHECK_NEAR(spin(&one, rod).y, -p * r / inertia, EXACT, "spin of a struck rod, %s, e %g", law,
               e);
    CHECK_NEAR(velocity(&one, rod).x, p * r / inertia * half.z, EXACT, "speed of its middle");
    CHECK_NEAR(velocity(&one, hit).x, v - p / m, EXACT, "speed of the ball, %s, e %g", law, e);
    if (e == 1)
        CHECK_NEAR(energy_left(&one), 1, 1e-12, "an elastic blow keeps the energy, %s", law);
    small_world_end(&one.s);
}

// Two rods hang one from the other; a ball hits the lower one at the depth r below its hinge. With
// the angles as coordinates, M = ((J1 + m2 l^2, m2 l s), (m2 l s, J2)), l the length of the upper
// rod, s the depth of the lower one's middle, J about the rods' own hinges; the blow at depth (l,
// r) is answered by W = 1/m + (l, r) M^-1 (l, r).
static void double_pendulum(const char *law, double e)
{
    const vec3 upper = { 0.04, 0.05, 0.5 }, lower = { 0.04, 0.06, 0.4 };
    const double m = 0.5, m1 = 1.1, m2 = 0.8, r = 0.7, v = 2, radius = 0.05, l = 1, s = 0.4;
    double a = about_y(m1, upper) + m1 * upper.z * upper.z + m2 * l * l, b = m2 * l * s;
    double c = about_y(m2, lower) + m2 * s * s, det = a * c - b * b;
    double first = (c * l - b * r) / det, second = (a * r - b * l) / det;
    double p = (1 + e) * v / (1 / m + l * first + r * second);
    scene one = begin(law, e, 0);
    int top = box(&one, upper, m1, vec3_make(0, 0, -upper.z));
    int low = box(&one, lower, m2, vec3_make(0, 0, -l - lower.z));
    int hit = ball(&one, radius, m, vec3_make(-lower.x - radius, 0, -l - r), along_x(v));
    join(&one, CAROM_JOINT_HINGE, -1, top, vec3_make(0, 0, 0));
    join(&one, CAROM_JOINT_HINGE, top, low, vec3_make(0, 0, -l));
    strike(&one);
    CHECK_NEAR(velocity(&one, hit).x, v - p / m, EXACT, "ball at a double pendulum, %s, e %g", law,
               e);
    CHECK_NEAR(spin(&one, top).y, -p * first, EXACT, "spin of the upper rod, %s, e %g", law, e);
    CHECK_NEAR(spin(&one, low).y, -p * second, EXACT, "spin of the lower rod, %s, e %g", law, e);
    if (e == 1)
        CHECK_NEAR(energy_left(&one), 1, 1e-12, "an elastic blow keeps the energy, %s", law);
    small_world_end(&one.s);
}

// The ballistic pendulum on a string that leans by the angle a: hit along x the ball can only move
// across the string, 1/M becomes cos^2 a / M. Hit from the other side the string goes slack and
// answers nothing.
static void ballistic(const char *law, double e, double a)
{
    const double m = 0.2, big = 1.5, v = 4, radius = 0.1, length = 1;
    bool slack = a < 0;
    double c = slack ? 1 : cos(a), p = (1 + e) * v / (1 / m + c * c / big);
    scene one = begin(law, e, 0);
    int bob = ball(&one, radius, big, vec3_make(length * sin(a), 0, -length * cos(a)), along_x(0));
    int hit = ball(&one, radius, m, vec3_make(length * sin(a) - 2 * radius, 0, -length * cos(a)),
                   along_x(v));
    tie(&one, bob, vec3_make(0, 0, 0), vec3_make(length * sin(a), 0, -length * cos(a)));
    strike(&one);
    // after an inelastic blow both stay together, and the string bends their way: v^2 / length
    double allow = e == 0 && a > 0 ? 2e-7 : EXACT;
    CHECK_NEAR(velocity(&one, hit).x, v - p / m, allow, "ball at a pendulum, %s, e %g, %g rad", law,
               e, a);
    CHECK_NEAR(vec3_length(velocity(&one, bob)), p / big * c, allow, "its bob, %s, e %g, %g rad",
               law, e, a);
    // within the step it turns by v / length times 1 us
    CHECK_NEAR(velocity(&one, bob).z, slack ? 0 : p / big * c * sin(a), 2e-6,
               "its bob rises, %s, e %g", law, e);
    if (e == 1)
        CHECK_NEAR(energy_left(&one), 1, 1e-12, "an elastic blow keeps the energy, %s", law);
    small_world_end(&one.s);
}

// A plank on a hinge, a ball at rest on one end, another falls on the other end, e = 0. With enough
// friction both stick where they touch: the tangential mass of a ball that rolls is 2/7 of its own,
//     w = -sum(x m v_z) / (I + sum(m (x^2 + 2/7 z^2))),  (x, z) the contacts seen from the hinge.
static void seesaw(const char *law, double friction)
{
    const vec3 half = { 1, 0.15, 0.025 };
    const double x[2] = { -0.85, 0.9 }, m[2] = { 10, 1 }, radius[2] = { 0.12, 0.1 };
    const double v[2] = { -4.43, 0 };
    double inertia = about_y(4, half), push = 0;
    scene one = begin(law, 0, friction);
    int plank = box(&one, half, 4, vec3_make(0, 0, 0)), balls[2];
    for (int i = 0; i < 2; ++i) {
        balls[i] = ball(&one, radius[i], m[i], vec3_make(x[i], 0, half.z + radius[i]),
                        vec3_make(0, 0, v[i]));
        inertia += m[i] * (x[i] * x[i] + (friction > 0 ? 2. / 7 : 0) * half.z * half.z);
        push += x[i] * m[i] * v[i];
    }
    join(&one, CAROM_JOINT_HINGE, -1, plank, vec3_make(0, 0, 0));
    strike(&one);
    double w = -push / inertia;
    CHECK_NEAR(spin(&one, plank).y, w, EXACT, "spin of a seesaw, %s, friction %g", law, friction);
    for (int i = 0; i < 2; ++i)
        CHECK_NEAR(velocity(&one, balls[i]).z, -w * x[i], EXACT, "ball %d moves with it, %s", i,
                   law);
    small_world_end(&one.s);
}

// A block that can only slide along d = (c, 0, s), or a ball on a taut string across d, is hit
// along x by a ball with friction: in the plane of the normal and z the speeds answer
//     W = ((1/m + c^2/M, c s/M), (c s/M, 7/(2 m) + s^2/M)),
// with 5/(2 M) more for what spins on the string. Without slip before it sticks throughout, p_t =
// -W_nt/W_tt p_n; a ball that comes fast from the side slides throughout, p_t = mu p_n.
static void rough_blow(const char *law, double e, bool slides, bool hangs)
{
    const vec3 half = { 0.2, 0.25, 0.3 };
    const double m = 0.6, big = 1.9, v = 2, radius = 0.1, c = cos(0.7), s = sin(0.7);
    const double friction = slides ? 0.2 : 0.9, across = slides ? 9 : 0;
    const double tangent = 3.5 / m + s * s / big + (hangs ? 2.5 / big : 0), between = c * s / big;
    const double share = slides ? friction : -between / tangent;
    const double p = (1 + e) * v / (1 / m + c * c / big + between * share), q = share * p;
    scene one = begin(law, e, friction);
    int block = hangs ? ball(&one, half.x, big, vec3_make(0, 0, 0), along_x(0))
                      : box(&one, half, big, vec3_make(0, 0, 0));
    int hit = ball(&one, radius, m, along_x(-half.x - radius), vec3_make(v, 0, across));
    carom_joint joint = { .kind = CAROM_JOINT_SLIDER,
                          .b = carom_world_body_at(one.s.world, block) };
    lay(&one, vec3_make(c, 0, s), joint.axis);
    if (hangs)
        tie(&one, block, vec3_make(-s, 0, c), vec3_make(0, 0, 0));
    else
        small_world_join(&one.s, &joint);
    strike(&one);
    // the string bends the way of the ball: v^2 / length times 1 us
    double along = (c * p + s * q) / big, allow = hangs ? 1e-5 : EXACT;
    const char *how = slides ? "slides" : "sticks", *what = hangs ? "string" : "slider";
    CHECK_NEAR(velocity(&one, block).x, c * along, allow, "on a %s: x, %s, e %g, %s", what, law, e,
               how);
    CHECK_NEAR(velocity(&one, block).z, s * along, allow, "on a %s: z, %s, e %g, %s", what, law, e,
               how);
    CHECK_NEAR(velocity(&one, hit).x, v - p / m, allow, "ball: x, %s, e %g, %s", law, e, how);
    CHECK_NEAR(velocity(&one, hit).z, across - q / m, allow, "ball: z, %s, e %g, %s", law, e, how);
    CHECK_NEAR(spin(&one, hit).y, q / (0.4 * m * radius), 20 * allow, "its spin, %s, e %g, %s", law,
               e, how);
    small_world_end(&one.s);
}

// Two balls welded together, hit beside the middle: as one body of both.
static void welded(const char *law, double e)
{
    const double m = 0.4, big = 1, radius = 0.2, v = 1, apart = 0.6;
    double inertia = 2 * (0.4 * big * radius * radius + big * apart * apart / 4);
    double w = 1 / m + 1 / (2 * big) + apart * apart / 4 / inertia, p = (1 + e) * v / w;
    scene one = begin(law, e, 0);
    int top = ball(&one, radius, big, vec3_make(0, 0, apart / 2), along_x(0));
    int low = ball(&one, radius, big, vec3_make(0, 0, -apart / 2), along_x(0));
    int hit = ball(&one, 0.1, m, vec3_make(-radius - 0.1, 0, apart / 2), along_x(v));
    join(&one, CAROM_JOINT_FIXED, top, low, vec3_make(0, 0, 0));
    strike(&one);
    double turn = p * apart / 2 / inertia;
    CHECK_NEAR(velocity(&one, hit).x, v - p / m, EXACT, "ball at a dumbbell, %s, e %g", law, e);
    CHECK_NEAR(spin(&one, top).y, turn, EXACT, "its spin");
    CHECK_NEAR(spin(&one, low).y, turn, EXACT, "is that of both");
    CHECK_NEAR(velocity(&one, low).x, p / (2 * big) - turn * apart / 2, EXACT, "the far ball");
    small_world_end(&one.s);
}

// Three balls in a row and a rod on a hinge that answers like a fourth one, I = m r^2: the wave
// goes through, and the rod leaves alone with all of it.
static void row_and_rod(const char *law)
{
    const vec3 half = { 0.05, 0.05, 0.6 };
    const double m = 1, r = 0.8, radius = 0.1, v = 2;
    double big = m * r * r / (about_y(1, half) + half.z * half.z);
    scene one = begin(law, 1, 0);
    int rod = box(&one, half, big, vec3_make(0, 0, -half.z)), balls[3];
    for (int i = 0; i < 3; ++i)
        balls[i] = ball(&one, radius, m, vec3_make(-half.x - (5 - 2 * i) * radius, 0, -r),
                        along_x(i == 0 ? v : 0));
    join(&one, CAROM_JOINT_HINGE, -1, rod, vec3_make(0, 0, 0));
    strike(&one);
    CHECK_NEAR(spin(&one, rod).y, -v / r, EXACT, "the rod takes all, %s", law);
    for (int i = 0; i < 3; ++i)
        CHECK_NEAR(velocity(&one, balls[i]).x, 0, EXACT, "ball %d stays, %s", i, law);
    small_world_end(&one.s);
}

// A chain of five bricks on hinges, free, hit at three of them at once: momentum, energy and the
// hinges hold, whatever the law.
static void chain(const char *law, double e)
{
    enum { BRICKS = 5, HITS = 3 };
    const vec3 half = { 0.2, 0.1, 0.05 };
    const double m = 0.6, v[HITS] = { 1, 2.5, 1.7 };
    const int where[HITS] = { 0, 1, 4 };
    scene one = begin(law, e, 0);
    int bricks[BRICKS];
    for (int i = 0; i < BRICKS; ++i)
        bricks[i] = box(&one, half, 1, vec3_make(2 * half.x * i, 0, 0));
    for (int i = 0; i < HITS; ++i)
        ball(&one, 0.1, m, vec3_make(2 * half.x * where[i] + 0.05 * (i - 1), 0, half.z + 0.1),
             vec3_make(0, 0, -v[i]));
    for (int i = 0; i + 1 < BRICKS; ++i)
        join(&one, CAROM_JOINT_HINGE, bricks[i], bricks[i + 1],
             vec3_make((2 * i + 1) * half.x, 0, 0));
    carom_ledger before = carom_world_ledger(one.s.world);
    strike(&one);
    carom_ledger after = carom_world_ledger(one.s.world);
    vec3 momentum = vec3_sub(vec3_from(after.momentum), vec3_from(before.momentum));
    vec3 angular = vec3_sub(vec3_from(after.angular), vec3_from(before.angular));
    CHECK_MOST(vec3_length(momentum), 1e-12, "momentum of a struck chain, %s, e %g", law, e);
    CHECK_MOST(vec3_length(angular), 1e-12, "and its angular momentum");
    for (int i = 0; i + 1 < BRICKS; ++i) {
        double wa = spin(&one, bricks[i]).y, wb = spin(&one, bricks[i + 1]).y;
        double left = velocity(&one, bricks[i]).z - wa * half.x;
        double right = velocity(&one, bricks[i + 1]).z + wb * half.x;
        CHECK_NEAR(left, right, EXACT, "hinge %d holds, %s, e %g", i, law, e);
    }
    if (e == 1)
        CHECK_NEAR(energy_left(&one), 1, 1e-12, "elastic blows keep the energy, %s", law);
    else
        CHECK_MOST(energy_left(&one), 1, "nothing is gained, %s, e %g", law, e);
    small_world_end(&one.s);
}

// A seesaw and a double pendulum for a second and more, e = 0.5 and with friction: impacts cut
// steps into intervals of any length, and nothing may come out of nothing in the short ones.
static void in_motion(const char *law)
{
    static const char text[] =
        "{ 'carom': 1, 'kind': 'world', 'duration': 1, 'step': 0.001,"
        "'materials': { 'wood': { 'restitution': 0.5, 'friction': 0.3 } }, 'bodies': ["
        "{ 'name': 'floor', 'shape': { 'plane': [0, 0, 1] }, 'kind': 'fixed', 'material': 'wood' },"
        "{ 'name': 'plank', 'shape': { 'box': [2, 0.3, 0.05] }, 'material': 'wood',"
        "  'position': [0, 0, 0.3], 'mass': 4 },"
        "{ 'name': 'up', 'shape': { 'box': [0.05, 0.05, 0.8] }, 'material': 'wood',"
        "  'position': [3, 0, 2.1], 'mass': 1 },"
        "{ 'name': 'low', 'shape': { 'box': [0.05, 0.05, 0.8] }, 'material': 'wood',"
        "  'position': [3, 0, 1.3], 'mass': 1 },"
        "{ 'name': 'shot', 'shape': { 'sphere': 0.1 }, 'material': 'wood', 'position': [2, 0, 1.1],"
        "  'velocity': [5, 0, 1], 'mass': 0.5 },"
        "{ 'name': 'light', 'shape': { 'sphere': 0.1 }, 'material': 'wood',"
        "  'position': [0.9, 0, 0.425], 'mass': 1 },"
        "{ 'name': 'heavy', 'shape': { 'sphere': 0.1 }, 'material': 'wood',"
        "  'position': [-0.9, 0, 1.425], 'mass': 10 } ], 'joints': ["
        "{ 'kind': 'hinge', 'a': 'plank', 'anchor': [0, 0, 0.3], 'axis': [0, 1, 0] },"
        "{ 'kind': 'hinge', 'a': 'up', 'anchor': [3, 0, 2.5], 'axis': [0, 1, 0] },"
        "{ 'kind': 'hinge', 'a': 'up', 'b': 'low', 'anchor': [3, 0, 1.7], 'axis': [0, 1, 0] } ] }";
    char json[sizeof text];
    for (size_t i = 0; i < sizeof text; ++i)
        json[i] = text[i] == '\'' ? '"' : text[i];
    play p = play_parse("in motion", json);
    play_set(&p, "law", law);
    if (!play_until(&p, 0.7))
        return;
    carom_ledger l = play_ledger(&p);
    carom_audit audit = carom_world_audit(p.world);
    CHECK(l.impacts > 5, "%s: there are impacts (%d)", law, (int)l.impacts);
    // hinges are taken at the end of each step, an error of first order in it; measured 4e-4
    CHECK_MOST(fabs(l.integrator) / l.start, 1e-3, "%s: what time stepping brings in", law);
    CHECK_MOST(audit.gain, 1e-12, "%s: no impact gains", law);
    CHECK_MOST(audit.penetration, 1e-8, "%s: and none leaves an approach", law);
    play_close(&p);
}

int main(void)
{
    for (int i = 0; i < LAWS; ++i)
        for (int k = 0; k < 3; ++k) {
            double e = restitutions[k];
            hinged_rod(laws[i], e, CAROM_JOINT_HINGE);
            hinged_rod(laws[i], e, CAROM_JOINT_BALL);
            double_pendulum(laws[i], e);
            ballistic(laws[i], e, 0);
            ballistic(laws[i], e, 0.5);
            ballistic(laws[i], e, -0.5);
            welded(laws[i], e);
        }
    const char *const rough[] = { "wave", "qce", "newton", "poisson", "sqm" };
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 3; ++k)
            for (int kind = 0; kind < 4; ++kind)
                rough_blow(rough[i], restitutions[k], kind & 1, kind & 2);
    const char *const some[] = { "wave", "qce", "gr", "sqm" };
    for (int i = 0; i < 4; ++i) {
        chain(some[i], 1);
        chain(some[i], 0.5);
    }
    for (int i = 0; i < 4; ++i)
        in_motion(some[i]);
    in_motion("inelastic");
    row_and_rod("qce");
    row_and_rod("gr");
    // laws that solve all contacts at once, and those with friction
    seesaw("qce", 0);
    seesaw("gr", 0);
    seesaw("inelastic", 0);
    seesaw("qce", 0.8);
    seesaw("inelastic", 0.8);
    return check_report();
}

// Jointed bodies that touch something, and strings that catch: joints hold, energy does not grow,
// and what is lost is booked.
#include <math.h>
#include <string.h>
#include "support/check.h"
#include "support/linkages.h"

static const vec3 zero = { 0, 0, 0 }, y = { 0, 1, 0 };

static linkages over_floor(double restitution, double friction, double floor)
{
    linkages l = linkages_begin(9.81);
    l.s.group = 0;
    l.s.material.restitution = restitution;
    l.s.material.friction = friction;
    small_world_floor(&l.s, (double[]){ 0, 0, 1 }, floor);
    return l;
}

// Runs; the energy never exceeds the start by more than `allowed` of it, the books are closed but
// for 1e-6 of it, and anchors stay together.
static void holds(const char *name, linkages *l, double dt, int steps, double allowed)
{
    double start = carom_world_ledger(l->s.world).start, max = start, stake = 0, low = start;
    double apart = 0;
    for (int k = 0; k < steps; ++k) {
        apart = fmax(apart, linkages_run(l, dt, 1).apart);
        carom_ledger now = carom_world_ledger(l->s.world);
        max = fmax(max, now.kinetic + now.potential);
        low = fmin(low, now.potential);
        stake = fmax(stake, fmax(now.kinetic, start - low));
    }
    carom_ledger end = carom_world_ledger(l->s.world);
    CHECK_MOST((max - start) / stake, allowed, "%s: energy above the start", name);
    CHECK_MOST(fabs(end.integrator) / stake, 1e-6, "%s: what the books do not explain", name);
    CHECK_MOST(apart, 1e-12, "%s: anchors (m)", name);
    CHECK_MOST(carom_world_energy_gain(l->s.world, NULL, NULL), 1e-4, "%s: added in all", name);
}

// Boxes on hinges and ball joints fall, land and come to rest.
static void chain_lands(double dt, double restitution, double heavy)
{
    linkages l = over_floor(restitution, 0.5, 0);
    for (int i = 0, last = -1; i < 5; ++i) {
        vec3 at = { 0.3 * i + 0.15, 0, 0.3 + 0.1 * i }, joint = { 0.3 * i, 0, 0.25 + 0.1 * i };
        int body = linkages_box(&l, vec3_make(0.12, 0.06, 0.05), i == 4 ? heavy : 1, at,
                                quat_identity(), vec3_make(1, 0, 0), zero);
        if (last >= 0)
            linkages_join(&l, i % 2 ? CAROM_JOINT_HINGE : CAROM_JOINT_BALL, last, body, joint, y);
        last = body;
    }
    holds("a chain that lands", &l, dt, check_effort((int)(1.2 / dt), (int)(0.2 / dt)), 1e-9);
    linkages_end(&l);
}

// A crank drives a slider over a floor.
static void crank_turns(double friction)
{
    const double w = 10, r = 0.2, rod = 0.8;
    linkages l = over_floor(0, friction, -0.1);
    int crank = linkages_box(&l, vec3_make(0.1, 0.02, 0.02), 1, vec3_make(0.1, 1, 0),
                             quat_identity(), vec3_make(0, 0, -0.1 * w), vec3_make(0, w, 0));
    int middle =
        linkages_box(&l, vec3_make(0.4, 0.02, 0.02), 1, vec3_make(0.6, 1, 0), quat_identity(),
                     vec3_make(0, 0, -0.1 * w), vec3_make(0, -w * r / rod, 0));
    int slider = linkages_box(&l, vec3_make(0.1, 0.1, 0.1), 2, vec3_make(1, 1, 0), quat_identity(),
                              zero, zero);
    linkages_join(&l, CAROM_JOINT_HINGE, crank, -1, vec3_make(0, 1, 0), y);
    linkages_join(&l, CAROM_JOINT_HINGE, crank, middle, vec3_make(0.2, 1, 0), y);
    linkages_join(&l, CAROM_JOINT_HINGE, middle, slider, vec3_make(1, 1, 0), y);
    holds("crank and slider", &l, 1e-3, check_effort(1000, 100), 1e-5);
    linkages_end(&l);
}

// A bar lies with its free end on the floor, its hinge damped: the damper resists what the contact
// does within a step, too, and the bar stays where it is. (A solve that does not know of it leaves
// h c / 2I of what gravity does in a step, here a tenth.)
static void damped_bar_rests(void)
{
    linkages l = over_floor(0, 0.5, 0);
    carom_joint joint = { .kind = CAROM_JOINT_HINGE,
                          .anchor_a = { 0, 0, 0.05 },
                          .anchor_b = { 0, 0, 0.05 },
                          .axis = { 0, 1, 0 },
                          .damping = 70 };
    int bar = linkages_box(&l, vec3_make(0.5, 0.05, 0.05), 1, vec3_make(0.5, 0, 0.05),
                           quat_identity(), zero, zero);
    joint.a = carom_world_body_at(l.s.world, bar);
    small_world_join(&l.s, &joint);
    small_world_steps(&l.s, 1e-3, 20);
    // of 0.015 rad/s that gravity gives it in a step
    CHECK_MOST(vec3_length(linkages_spin(&l, bar)), 1e-5, "a damped bar stays still (rad/s)");
    linkages_end(&l);
}

// Two boxes on a hinge slide down a slope together: a (sin - mu cos) t^2 / 2, to second order.
static void couple_slides(void)
{
    const double g = 9.81, slope = 0.4, friction = 0.1, t = 0.5;
    linkages l = linkages_begin(0);
    l.s.group = 0;
    l.s.options.gravity[0] = g * sin(slope);
    l.s.options.gravity[2] = -g * cos(slope);
    l.s.material.restitution = 0;
    l.s.material.friction = friction;
    small_world_floor(&l.s, (double[]){ 0, 0, 1 }, 0);
    vec3 half = { 0.1, 0.1, 0.1 };
    int a = linkages_box(&l, half, 1, vec3_make(0, 0, 0.1), quat_identity(), zero, zero);
    int b = linkages_box(&l, half, 1, vec3_make(0.25, 0, 0.1), quat_identity(), zero, zero);
    linkages_join(&l, CAROM_JOINT_HINGE, a, b, vec3_make(0.125, 0, 0.1), y);
    linkages_run(&l, 1e-3, (int)lround(t / 1e-3));
    double wanted = 0.5 * g * (sin(slope) - friction * cos(slope)) * t * t;
    CHECK_NEAR(linkages_position(&l, a).x / wanted, 1, 1e-6, "way of two boxes on a slope");
    linkages_end(&l);
}

// -- strings --------------------------------------------------------------------------------------

static int hang(small_world *s, vec3 at, double length, double restitution)
{
    double x[3];
    vec3_store(at, x);
    carom_joint joint = { .kind = CAROM_JOINT_STRING, .length = length };
    joint.restitution = restitution;
    int ball = small_world_ball(s, 0.05, 2, x, NULL);
    joint.a = carom_world_body_at(s->world, ball);
    vec3_store(at, joint.anchor_a);
    small_world_join(s, &joint);
    return ball;
}

// A ball falls from 0.2 m below its anchor on a string of 1 m: after sqrt(2 0.8 / g) s it is caught
// at sqrt(2 g 0.8), and comes back with a share e of that.
static void string_catches(double e, double dt)
{
    const double g = 9.81, drop = 0.8, fall = sqrt(2 * drop / g);
    small_world s = small_world_make("wave");
    int ball = hang(&s, vec3_make(0, 0, -0.2), 1, e);
    int steps = (int)ceil((fall + 0.1) / dt);
    small_world_steps(&s, dt, steps);
    double left = steps * dt - fall, up = e * sqrt(2 * g * drop), x[3], v[3];
    double z = e > 0 ? -1 + up * left - 0.5 * g * left * left : -1;
    carom_world_body(s.world, carom_world_body_at(s.world, ball), x, NULL, v, NULL);
    // the moment is located to round-off
    CHECK_NEAR(x[2], z, 1e-9, "height after a string with restitution %g caught", e);
    CHECK_NEAR(v[2], e > 0 ? up - g * left : 0, 1e-9, "and speed");
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(l.law, 2 * g * drop * (1 - e * e), 1e-9, "what the catch takes is booked (J)");
    CHECK_NEAR(l.integrator, 0, 1e-10, "and nothing else");
    small_world_end(&s);
}

// Thrown level, slowly, at the top of its circle a ball leaves the circle at once: a string does
// not push. v^2 < g r: it falls on a parabola until the string is taut.
static void string_slackens(void)
{
    small_world s = small_world_make("wave");
    const double v = 1.5, t = 0.2;
    double at[3] = { 0, 0, 1 };
    carom_joint joint = { .kind = CAROM_JOINT_STRING, .anchor_a = { 0, 0, 1 } };
    int ball = small_world_ball(&s, 0.05, 2, at, (double[]){ v, 0, 0 });
    joint.a = carom_world_body_at(s.world, ball);
    small_world_join(&s, &joint);
    small_world_steps(&s, 1e-3, (int)lround(t / 1e-3));
    double x[3];
    carom_world_body(s.world, joint.a, x, NULL, NULL, NULL);
    CHECK_NEAR(x[0], v * t, 1e-12, "along the parabola");
    CHECK_NEAR(x[2], 1 - 0.5 * 9.81 * t * t, 1e-12, "and down");
    small_world_end(&s);
}

// -- divergence -----------------------------------------------------------------------------------

// At every step a pendulum at its turning point has next to no kinetic energy: no false alarm.
static void turning_is_no_alarm(void)
{
    for (int k = 0; k < 5; ++k) {
        linkages l =
            linkages_pendulum(9.81, (const double[]){ 0.0873, 0.1745, 0.5, 1.05, 1.57 }[k], 0);
        linkages_kept kept = linkages_run(&l, 2e-3, check_effort(1000, 100));
        CHECK_MOST(kept.energy, 1e-9, "a pendulum turns and turns");
        linkages_end(&l);
    }
}

int main(void)
{
    chain_lands(1e-3, 0, 1);
    chain_lands(4e-3, 0.5, 1);
    chain_lands(2e-3, 0, 100);
    crank_turns(0);
    crank_turns(0.1);
    damped_bar_rests();
    couple_slides();
    string_catches(0, 1e-3);
    string_catches(0.5, 1e-3);
    string_catches(1, 4e-3);
    string_slackens();
    turning_is_no_alarm();
    return check_report();
}

// Jointed bodies in motion against what is known: energy, angular momentum in free flight, anchors
// that stay together, periods by elliptic integrals, and the order of convergence.
//
// The same scenes for 10^5 steps each are in tests/slow/joints_for_long.c.
#include <math.h>
#include <string.h>
#include "support/check.h"
#include "support/linkages.h"

// Shares of the energy at stake that an integrator of fourth order leaves at 1 ms; measured: below
// 6e-10, wanted: 1e-6 after 10^5 steps. Round-off of momentum: a few 1e-16 per step, by chance.
#define ENERGY 1e-8
#define MOMENTUM 1e-12
#define APART 1e-12 // m; measured: 1e-14

static void holds(const char *name, linkages l, double dt, int steps, bool free)
{
    linkages_kept kept = linkages_run(&l, dt, steps);
    CHECK_MOST(kept.energy, ENERGY, "%s, steps of %g s: energy", name, dt);
    CHECK_MOST(kept.apart, APART, "%s, steps of %g s: anchors (m)", name, dt);
    if (free)
        CHECK_MOST(kept.angular, MOMENTUM, "%s, steps of %g s: angular momentum", name, dt);
    linkages_end(&l);
}

static void all_hold(double dt, int steps)
{
    holds("pendulum from 10 degrees", linkages_pendulum(9.81, 0.1745, 0), dt, steps, false);
    holds("pendulum from 170 degrees", linkages_pendulum(9.81, 2.967, 0), dt, steps, false);
    holds("whirling bar", linkages_pendulum(0, 0, 12), dt, steps, false);
    holds("double pendulum", linkages_double_pendulum(1.57, 0), dt, steps, false);
    holds("free linkage", linkages_free(), dt, steps, true);
    holds("four-bar loop", linkages_four_bar(0, 6), dt, steps, false);
    holds("four-bar loop with weight", linkages_four_bar(9.81, 8), dt, steps, false);
    holds("chain of five", linkages_chain(5, 1), dt, steps, false);
    holds("chain with a mass of 100", linkages_chain(5, 100), dt, steps, false);
    holds("two boxes, fixed", linkages_two(CAROM_JOINT_FIXED), dt, steps, true);
    holds("two boxes, hinge", linkages_two(CAROM_JOINT_HINGE), dt, steps, true);
    holds("two boxes, ball", linkages_two(CAROM_JOINT_BALL), dt, steps, true);
}

// -- periods --------------------------------------------------------------------------------------

// Of a pendulum with small period 2 pi / rate from its amplitude: 2 pi / (rate M(1, cos(a/2))), M
// the arithmetic-geometric mean [Gauss; Abramowitz and Stegun 17.6].
static double period(double rate, double amplitude)
{
    double a = 1, b = cos(0.5 * amplitude);
    for (int k = 0; k < 12; ++k) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * acos(-1) / (rate * a);
}

static double angle_of(const linkages *l)
{
    vec3 x = linkages_position(l, 0);
    return atan2(-x.x, -x.z);
}

// The time between the first and the last downward passage through the plumb line, by the cubic
// through angle and speed before and after.
static double measured_period(linkages *l, double dt, int periods)
{
    carom_error err = { 0 };
    double first = -1, last = 0;
    int seen = 0;
    for (int k = 0; seen <= periods && k < 1000000; ++k) {
        double before = angle_of(l), rate = linkages_spin(l, 0).y;
        if (!CHECK(carom_world_step(l->s.world, dt, &err) == CAROM_OK, "%s", err.what))
            return 0;
        double after = angle_of(l), rate_after = linkages_spin(l, 0).y;
        if (!(before < 0 && after >= 0 && after - before < 1))
            continue;
        double low = 0, high = 1;
        for (int i = 0; i < 60; ++i) {
            double s = 0.5 * (low + high), r = 1 - s;
            double f = before * r * r * (1 + 2 * s) + after * s * s * (1 + 2 * r) +
                       dt * (rate * s * r * r - rate_after * s * s * r);
            if (f < 0)
                low = s;
            else
                high = s;
        }
        last = (k + low) * dt;
        first = seen++ ? first : last;
    }
    return (last - first) / periods;
}

// A bar of length 1 about its end: I = m (4 hz^2 + 4 hx^2)/12 + m hz^2 with half sides h.
static void right_period(double amplitude, double dt, double allowed)
{
    double inertia = (4 * 0.5 * 0.5 + 4 * 0.03 * 0.03) / 12 + 0.25;
    linkages l = linkages_pendulum(9.81, amplitude, 0);
    double wanted = period(sqrt(9.81 * 0.5 / inertia), amplitude);
    CHECK_NEAR(measured_period(&l, dt, 1) / wanted, 1, allowed,
               "period of a pendulum from %g rad with steps of %g s", amplitude, dt);
    linkages_end(&l);
}

static void right_periods(void)
{
    // 1e-9 where 1e-6 is wanted: what is left is the cubic between two steps
    for (int k = 0; k < 4; ++k)
        right_period((const double[]){ 0.05, 0.1745, 1.0472, 2.9 }[k], 1e-3, 1e-9);
    right_period(1.0472, 4e-3, 1e-7);
}

// -- spinning top ---------------------------------------------------------------------------------

// A disc of half thickness 0.02 on a ball joint 0.3 m below its centre, spinning at s about its
// axis, which is level: it precesses steadily about the vertical at m g d / (I3 s). For a level
// axis that is exact if it starts with just that precession.
static void top_precesses(void)
{
    const double mass = 2, d = 0.3, s = 60, g = 9.81;
    linkages l = linkages_begin(g);
    vec3 half = { 0.02, 0.2, 0.2 };
    double along = mass * (4 * 0.2 * 0.2 + 4 * 0.2 * 0.2) / 12; // about x, its axis
    double rate = mass * g * d / (along * s);
    vec3 spin = { s, 0, rate }, zero = { 0, 0, 0 };
    int body = linkages_box(&l, half, mass, vec3_make(d, 0, 0), quat_identity(),
                            vec3_make(0, rate * d, 0), spin);
    linkages_join(&l, CAROM_JOINT_BALL, body, -1, zero, zero);
    linkages_kept kept = linkages_run(&l, 1e-3, 1000);
    vec3 x = linkages_position(&l, body);
    CHECK_MOST(kept.energy, ENERGY, "top: energy");
    // a square plate: its two equal moments across the axis make it a symmetric top
    CHECK_NEAR(x.z, 0, 1e-7, "a top that started level stays level (m)");
    CHECK_NEAR(atan2(x.y, x.x), remainder(rate * 1, 2 * acos(-1)), 1e-6,
               "and has precessed by m g d t / (I3 s) after 1 s (rad)");
    linkages_end(&l);
}

// -- free fall ------------------------------------------------------------------------------------

// Two boxes on a hinge, falling: the common centre of mass moves on a parabola, and turning about
// it is that of the same boxes without weight.
static void falls_freely(void)
{
    linkages l = linkages_two(CAROM_JOINT_HINGE), weightless = linkages_two(CAROM_JOINT_HINGE);
    linkages_end(&l);
    l = linkages_free();
    double start[3] = { 0 }, masses[4], all = 0;
    for (int i = 0; i < 4; ++i) {
        masses[i] = carom_world_mass(l.s.world, carom_world_body_at(l.s.world, i));
        all += masses[i];
        vec3 x = linkages_position(&l, i);
        start[0] += masses[i] * x.x, start[1] += masses[i] * x.y, start[2] += masses[i] * x.z;
    }
    vec3 momentum = vec3_from(carom_world_ledger(l.s.world).momentum);
    linkages_run(&l, 1e-3, 1000);
    vec3 centre = { 0, 0, 0 };
    for (int i = 0; i < 4; ++i)
        centre = vec3_axpy(centre, masses[i] / all, linkages_position(&l, i));
    vec3 wanted = vec3_scale(1 / all, vec3_add(vec3_from(start), momentum));
    CHECK_MOST(vec3_length(vec3_sub(centre, wanted)), 1e-12, "the centre of mass goes straight on");
    linkages_end(&l);
    linkages_end(&weightless);
}

// -- order ----------------------------------------------------------------------------------------

// Where the end of a double pendulum is after 0.8 s, against steps of 0.25 ms.
static double error_of(double dt, vec3 wanted)
{
    linkages l = linkages_double_pendulum(1.2, 2);
    linkages_run(&l, dt, (int)lround(0.8 / dt));
    double error = vec3_length(vec3_sub(linkages_position(&l, 1), wanted));
    linkages_end(&l);
    return error;
}

static void converges(void)
{
    linkages l = linkages_double_pendulum(1.2, 2);
    linkages_run(&l, 2.5e-4, 3200);
    vec3 wanted = linkages_position(&l, 1);
    linkages_end(&l);
    double coarse = error_of(4e-3, wanted), fine = error_of(2e-3, wanted);
    // pieces are cut where energy would change too much, so that it is better than fourth order or
    // as small as that
    CHECK(coarse < 1e-8 || log2(coarse / fine) > 3, "fourth order: %.2e at 4 ms, %.2e at 2 ms",
          coarse, fine);
    CHECK_MOST(fine, 1e-8, "the double pendulum after .8 s at 2 ms (m)");
}

// -- bits -----------------------------------------------------------------------------------------

static uint64_t hash_with(int threads)
{
    linkages l = linkages_begin(9.81);
    l.s.options.threads = threads;
    for (int k = 0; k < 4; ++k) {
        vec3 at = { 0, 2.0 * k, 0 }, end = { 0.6, 2.0 * k, 0 }, axis = { 0, 1, 0 };
        int a = linkages_box(&l, vec3_make(0.3, 0.05, 0.04), 1, vec3_make(0.3, 2.0 * k, 0),
                             quat_identity(), vec3_make(0, 0, 0), vec3_make(0, 0, 0));
        int b = linkages_box(&l, vec3_make(0.2, 0.03, 0.05), 2, vec3_make(0.8, 2.0 * k, 0),
                             quat_identity(), vec3_make(0, 0, 0), vec3_make(0, 0, 0));
        linkages_join(&l, CAROM_JOINT_HINGE, -1, a, at, axis);
        linkages_join(&l, CAROM_JOINT_BALL, a, b, end, axis);
    }
    linkages_run(&l, 1e-3, 200);
    uint64_t hash = carom_world_hash(l.s.world);
    linkages_end(&l);
    return hash;
}

int main(void)
{
    all_hold(1e-3, check_effort(600, 60));
    all_hold(4e-3, check_effort(100, 10));
    all_hold(2.5e-4, check_effort(200, 20));
    right_periods();
    top_precesses();
    falls_freely();
    converges();
    CHECK(hash_with(1) == hash_with(2), "one thread and two give the same bits");
    return check_report();
}

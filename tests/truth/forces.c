// Forces, impulses and changes from outside against closed forms, and their work in the ledger.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "carom/world_change.h"
#include "support/check.h"
#include "support/small_world.h"

#define G 9.81
enum { X, Y, Z };

static carom_error err;

static void must(carom_status status)
{
    CHECK(status == CAROM_OK, "done: %s %s", err.what, err.fix);
}

// A force F on a mass m: v = F t / m, x = F t^2 / 2 m, work F x. Its way is a parabola, which the
// world moves on exactly: round-off is left.
static void constant_force(void)
{
    small_world s = small_world_weightless();
    const double f = 3, m = 2, t = 1.5;
    int ball = small_world_ball(&s, 0.1, m, (double[3]){ 0 }, NULL);
    must(carom_world_set_force(s.world, small_world_id(&s, ball), (double[]){ 0, f, 0 }, NULL,
                               &err));
    small_world_steps(&s, 0.01, 150);
    double x[3], v[3];
    carom_world_body(s.world, small_world_id(&s, ball), x, NULL, v, NULL);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(v[Y], f * t / m, 1e-13, "speed");
    CHECK_NEAR(x[Y], f * t * t / (2 * m), 1e-13, "way");
    CHECK_NEAR(l.driven, f * x[Y], 1e-12, "work is force times way");
    CHECK_NEAR(l.kinetic, l.driven, 1e-12, "and all that moves");
    must(carom_world_set_force(s.world, small_world_id(&s, ball), (double[3]){ 0 }, NULL, &err));
    small_world_steps(&s, 0.01, 10);
    CHECK_NEAR(carom_world_ledger(s.world).driven, l.driven, 0, "no force, no work");
    small_world_end(&s);
}

// A torque about a principal axis: w = torque t / I, work I w^2 / 2.
static void torque(void)
{
    small_world s = small_world_weightless();
    const double half[] = { 0.1, 0.2, 0.3 }, m = 2, t = 0.5;
    int box = small_world_box(&s, half, m, (double[3]){ 0 }, NULL);
    double inertia = m / 3 * (half[0] * half[0] + half[1] * half[1]), w[3];
    for (int k = 0; k < 50; ++k) {
        must(carom_world_apply_torque(s.world, small_world_id(&s, box), (double[]){ 0, 0, 0.3 },
                                      &err));
        small_world_steps(&s, 0.01, 1);
    }
    carom_world_body(s.world, small_world_id(&s, box), NULL, NULL, NULL, w);
    CHECK_NEAR(w[Z], 0.3 * t / inertia, 1e-12, "spin");
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(l.driven, 0.5 * inertia * w[Z] * w[Z], 1e-12, "work");
    CHECK_NEAR(l.integrator, 0, 1e-12, "nothing else");
    small_world_steps(&s, 0.01, 1);
    carom_world_body(s.world, small_world_id(&s, box), NULL, NULL, NULL, w);
    CHECK_NEAR(w[Z], 0.3 * t / inertia, 1e-12, "a push lasts for one step");
    small_world_end(&s);
}

// p at r from the centre: v = p / m, w = I^-1 (r x p).
static void impulse_at_a_point(void)
{
    small_world s = small_world_weightless();
    const double half[] = { 0.1, 0.2, 0.3 }, m = 2;
    int box = small_world_box(&s, half, m, (double[]){ 1, 0, 0 }, NULL);
    must(carom_world_apply_impulse(s.world, small_world_id(&s, box), (double[]){ 0, 0, 0.5 },
                                   (double[]){ 1, 0.2, 0 }, &err));
    double v[3], w[3], about_x = m / 3 * (half[1] * half[1] + half[2] * half[2]);
    carom_world_body(s.world, small_world_id(&s, box), NULL, NULL, v, w);
    CHECK_NEAR(v[Z], 0.5 / m, 1e-15, "speed");
    CHECK_NEAR(w[X], 0.2 * 0.5 / about_x, 1e-14, "spin");
    CHECK(w[Y] == 0 && w[Z] == 0 && v[X] == 0, "nothing else");
    small_world_end(&s);
}

// w = I^-1 L, work L.w / 2; the centre stays.
static void angular_impulse(void)
{
    small_world s = small_world_weightless();
    const double half[] = { 0.1, 0.2, 0.3 }, m = 2, l[] = { 0.03, -0.02, 0.01 };
    int box = small_world_box(&s, half, m, (double[]){ 1, 0, 0 }, NULL);
    small_world_steps(&s, 0.01, 1); // before the first step the books would begin anew
    must(carom_world_apply_angular_impulse(s.world, small_world_id(&s, box), l, &err));
    double v[3], w[3], work = 0;
    carom_world_body(s.world, small_world_id(&s, box), NULL, NULL, v, w);
    for (int k = 0; k < 3; ++k) {
        double a = half[(k + 1) % 3], b = half[(k + 2) % 3];
        double expected = l[k] / (m / 3 * (a * a + b * b));
        CHECK_NEAR(w[k], expected, 1e-14, "spin about %c", "xyz"[k]);
        work += l[k] * expected / 2;
    }
    CHECK(v[X] == 0 && v[Y] == 0 && v[Z] == 0, "the centre stays");
    CHECK_NEAR(carom_world_ledger(s.world).driven, work, 1e-15, "work");
    small_world_end(&s);
}

// v0 exp(-c t) alone, and with gravity g / c (1 - exp(-c t)), whatever the step.
static void damping(double dt)
{
    small_world s = small_world_make("qce");
    const double c = 0.7, t = 2;
    int ball = small_world_ball(&s, 0.1, 1, (double[3]){ 0 }, (double[]){ 3, 0, 0 });
    must(carom_world_set_damping(s.world, small_world_id(&s, ball), c, 2 * c, &err));
    must(carom_world_set_velocity(s.world, small_world_id(&s, ball), NULL, (double[]){ 0, 5, 0 },
                                  &err));
    small_world_steps(&s, dt, (int)lround(t / dt));
    double v[3], w[3];
    carom_world_body(s.world, small_world_id(&s, ball), NULL, NULL, v, w);
    CHECK_NEAR(v[X], 3 * exp(-c * t), 1e-12, "speed by damping, step %g", dt);
    CHECK_NEAR(v[Z], -G / c * (1 - exp(-c * t)), 1e-12, "fall");
    CHECK_NEAR(w[Y], 5 * exp(-2 * c * t), 1e-12, "spin");
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(l.integrator, 0, 1e-11, "all of it is booked");
    CHECK(l.driven < 0, "as taken");
    small_world_end(&s);
}

static void gravity_scale(void)
{
    small_world s = small_world_make("qce");
    int up = small_world_ball(&s, 0.1, 1, (double[]){ 0, 0, 1 }, NULL);
    int still = small_world_ball(&s, 0.1, 1, (double[]){ 1, 0, 1 }, NULL);
    must(carom_world_set_gravity_scale(s.world, small_world_id(&s, up), -0.5, &err));
    must(carom_world_set_gravity_scale(s.world, small_world_id(&s, still), 0, &err));
    small_world_steps(&s, 0.01, 100);
    double x[3], y[3];
    carom_world_body(s.world, small_world_id(&s, up), x, NULL, NULL, NULL);
    carom_world_body(s.world, small_world_id(&s, still), y, NULL, NULL, NULL);
    CHECK_NEAR(x[Z], 1 + 0.25 * G, 1e-12, "rises");
    CHECK(y[Z] == 1, "floats");
    CHECK_NEAR(carom_world_ledger(s.world).integrator, 0, 1e-12, "energy");
    small_world_end(&s);
}

// A block on a floor, friction mu: a pull F <= mu m g does nothing and no work; a larger one
// accelerates it by F / m - mu g, and friction takes mu m g times the way. Held bodies move with
// the velocity at the end of a step: way and losses are off by a h / 2 per unit of time.
static void pulled_block(double share)
{
    small_world s = small_world_make("qce");
    const double m = 3, mu = 0.4, h = 1e-3;
    s.material.friction = mu;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    int block =
        small_world_box(&s, (double[]){ 0.2, 0.2, 0.05 }, m, (double[]){ 0, 0, 0.05 }, NULL);
    double f = share * mu * m * G, a = fmax(0, f / m - mu * G), x[3], v[3];
    must(carom_world_set_force(s.world, small_world_id(&s, block), (double[]){ f, 0, 0 }, NULL,
                               &err));
    small_world_steps(&s, h, 500);
    carom_world_body(s.world, small_world_id(&s, block), x, NULL, v, NULL);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(v[X], a * 0.5, 1e-6, "speed under %g of the friction", share);
    CHECK_NEAR(l.driven, f * x[X], 1e-9, "work is force times way");
    CHECK_NEAR(l.rest, mu * m * G * x[X], 0.5 * m * a * a * h * 0.5 + 1e-6, "friction's share");
    CHECK_NEAR(l.integrator, 0, 1e-9, "nothing is left over");
    small_world_end(&s);
}

// A bar on a hinge, in a wind: it swings about the direction of weight and wind together.
static void wind_on_a_pendulum(void)
{
    small_world s = small_world_make("qce");
    const double m = 1.2, wind = 4;
    int bar = small_world_box(&s, (double[]){ 0.02, 0.02, 0.5 }, m, (double[]){ 0, 0, -0.5 }, NULL);
    carom_joint hinge = { .kind = CAROM_JOINT_HINGE,
                          .a = small_world_id(&s, bar),
                          .axis = { 0, 1, 0 } };
    small_world_join(&s, &hinge);
    must(carom_world_set_force(s.world, small_world_id(&s, bar), (double[]){ wind, 0, 0 },
                               (double[]){ 0, -0.05, 0 }, &err));
    double most = 0, x[3], worst = 0;
    for (int k = 0; k < 3000; ++k) {
        small_world_steps(&s, 1e-3, 1);
        carom_world_body(s.world, small_world_id(&s, bar), x, NULL, NULL, NULL);
        most = fmax(most, atan2(x[X], -x[Z]));
        worst = fmax(worst, fabs(carom_world_ledger(s.world).integrator));
    }
    // from rest it turns until the work is zero: wind l sin a - m g l (1 - cos a) + 0.05 a = 0 (a
    // positive rotation about -y is towards +x)
    double low = 0.1, high = 3;
    for (int k = 0; k < 100; ++k) {
        double a = 0.5 * (low + high);
        double work = wind * 0.5 * sin(a) - m * G * 0.5 * (1 - cos(a)) + 0.05 * a;
        *(work > 0 ? &low : &high) = a;
    }
    CHECK_NEAR(most, low, 2e-6, "the highest point; between two steps it turns by 1e-6 rad");
    CHECK_MOST(worst, 1e-9, "energy of the linkage (J)");
    small_world_end(&s);
}

// -- by a function, again and resumed -------------------------------------------------------------

typedef struct pull {
    int body;
    double most;
} pull;

// A spring to the origin, and a stick that somebody moves.
static carom_status spring(void *context, carom_world *world, double dt, carom_error *error)
{
    pull *p = context;
    double x[3], f[3], time = carom_world_ledger(world).time;
    carom_body_id id = carom_world_body_at(world, p->body);
    carom_world_body(world, id, x, NULL, NULL, NULL);
    for (int k = 0; k < 3; ++k)
        f[k] = -40 * x[k];
    f[X] += sin(3 * time);
    p->most = fmax(p->most, dt);
    return carom_world_apply_force(world, id, f, (double[]){ x[0], x[1] + 0.01, x[2] }, error);
}

static small_world playground(int *ball)
{
    small_world s = small_world_make("qce");
    s.material.restitution = 0.7;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, -0.3);
    *ball = small_world_ball(&s, 0.1, 1, (double[]){ 0.2, 0, 0 }, NULL);
    small_world_box(&s, (double[]){ 0.1, 0.1, 0.1 }, 1, (double[]){ 0.5, 0, -0.2 }, NULL);
    return s;
}

static void halfway(small_world *s, int ball)
{
    must(carom_world_set_damping(s->world, small_world_id(s, ball), 0.3, 0.1, &err));
    must(carom_world_set_gravity(s->world, (double[]){ 0.5, 0, -5 }, &err));
    must(carom_world_set_law(s->world, carom_law_find("newton", NULL), NULL, &err));
    must(carom_world_set_option(s->world, "slop", 2e-5, &err));
    must(carom_world_set_mass(s->world, small_world_id(s, 2), 2, NULL, &err));
    must(carom_world_set_material(s->world, small_world_id(s, 2), 0, &err));
    must(carom_world_set_force(s->world, small_world_id(s, 2), (double[]){ -1, 0.2, 0 }, NULL,
                               &err));
    must(carom_world_apply_impulse(s->world, small_world_id(s, 2), (double[]){ 0, 0.3, 0.5 },
                                   (double[]){ 0.5, 0, 0 }, &err));
    must(carom_world_set_kind(s->world, small_world_id(s, 2), CAROM_BODY_MOVING, &err));
}

static void again_and_resumed(void)
{
    int ball;
    small_world s = playground(&ball), other = playground(&ball), third = playground(&ball);
    pull p = { ball, 0 };
    carom_world_record_changes(s.world, 1);
    carom_world_set_force_function(s.world, spring, &p);
    small_world_steps(&s, 0.01, 60);
    halfway(&s, ball);
    small_world_steps(&s, 0.01, 60);
    CHECK(p.most == 0.01, "the function hears of the step");
    // a force waits in the snapshot
    must(carom_world_apply_force(s.world, small_world_id(&s, 2), (double[]){ 0, 0, 20 }, NULL,
                                 &err));
    size_t size = carom_world_snapshot_size(s.world);
    void *bytes = malloc(size);
    carom_world_snapshot(s.world, bytes);
    small_world_steps(&s, 0.01, 80);
    // all of it again from what was recorded
    int count = 0, next = 0;
    const carom_change *list = carom_world_changes(s.world, &count);
    CHECK(count > 200, "%d changes", count);
    for (int k = 0; k < 200; ++k) {
        for (; next < count && list[next].step == k; ++next)
            must(carom_world_change(other.world, &list[next], &err));
        small_world_steps(&other, 0.01, 1);
    }
    CHECK(carom_world_hash(s.world) == carom_world_hash(other.world), "a replay has the same bits");
    CHECK_NEAR(carom_world_ledger(s.world).driven, carom_world_ledger(other.world).driven, 0,
               "and the same books");
    // and the second half from the snapshot
    must(carom_world_restore(third.world, bytes, size, &err));
    carom_world_set_force_function(third.world, spring, &p);
    small_world_steps(&third, 0.01, 80);
    CHECK(carom_world_hash(s.world) == carom_world_hash(third.world), "so has a run that goes on");
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_MOST(fabs(l.integrator), 1e-3 * l.peak_kinetic, "the books balance");
    free(bytes);
    small_world_end(&s);
    small_world_end(&other);
    small_world_end(&third);
}

// -- set while it runs -----------------------------------------------------------------------

static void kinds_and_places(void)
{
    small_world s = small_world_make("qce");
    int ball = small_world_ball(&s, 0.1, 2, (double[]){ 0, 0, 1 }, (double[]){ 1, 0, 0 });
    carom_body_id id = small_world_id(&s, ball);
    small_world_steps(&s, 0.01, 10);
    double start = carom_world_ledger(s.world).start;
    must(carom_world_set_kind(s.world, id, CAROM_BODY_FIXED, &err));
    small_world_steps(&s, 0.01, 10);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK(l.kinetic == 0 && carom_world_mass(s.world, id) == 0, "a fixed body");
    CHECK_NEAR(l.driven, -start, 1e-12, "what it had went out");
    CHECK(carom_world_set_force(s.world, id, (double[]){ 1, 0, 0 }, NULL, &err) == CAROM_BAD_INPUT,
          "obeys no force");
    must(carom_world_set_pose(s.world, id, (double[]){ 0, 0, 5 }, (double[]){ 0, 1, 0, 0 }, &err));
    must(carom_world_set_kind(s.world, id, CAROM_BODY_DRIVEN, &err));
    must(carom_world_set_velocity(s.world, id, (double[]){ 0, 2, 0 }, NULL, &err));
    small_world_steps(&s, 0.01, 50);
    double x[3], v[3];
    carom_world_body(s.world, id, x, NULL, v, NULL);
    CHECK_NEAR(x[Y], 1, 1e-12, "a driven one goes as it is told");
    CHECK_NEAR(x[Z], 5, 0, "from where it is");
    must(carom_world_set_kind(s.world, id, CAROM_BODY_MOVING, &err));
    CHECK_NEAR(carom_world_mass(s.world, id), 2, 0, "its mass comes back");
    small_world_steps(&s, 0.01, 10);
    carom_world_body(s.world, id, x, NULL, v, NULL);
    CHECK_NEAR(v[Z], -0.1 * G, 1e-12, "it falls");
    CHECK_NEAR(v[Y], 2, 1e-14, "and keeps its speed, which a driven body has as way by time");
    CHECK_NEAR(carom_world_ledger(s.world).integrator, 0, 1e-11, "every change is booked");
    CHECK(carom_world_set_mass(s.world, id, -1, NULL, &err) == CAROM_BAD_INPUT, "no mass");
    CHECK(carom_world_set_option(s.world, "threads", 2, &err) == CAROM_BAD_INPUT, "not that");
    CHECK(carom_world_set_option(s.world, "slop", -1, &err) == CAROM_BAD_INPUT, "out of range");
    CHECK(carom_world_set_velocity(s.world, id, (double[]){ NAN, 0, 0 }, NULL, &err) ==
              CAROM_BAD_INPUT,
          "no number");
    small_world_end(&s);
}

// A ball of radius R with its centre of mass d below the middle stands up again: rolling through a
// small angle it swings with w^2 = m g d / (I + m (R - d)^2).
static void tumbler(void)
{
    small_world s = small_world_make("qce");
    const double r = 0.1, d = 0.04, m = 1, inertia = 2e-3, h = 1e-4, tilt = 0.02;
    s.material.friction = 2;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    carom_shape *ball;
    carom_body weighted = carom_world_body_default();
    carom_body_id id;
    must(carom_sphere_create(r, &ball, &err));
    weighted.shape = ball;
    weighted.mass = m;
    weighted.material = 1;
    weighted.centre[Z] = -d;
    CHECK(carom_world_add_body(s.world, &weighted, &id, &err) == CAROM_BAD_INPUT,
          "how the mass is spread must be said");
    for (int k = 0; k < 3; ++k)
        weighted.inertia[k] = inertia;
    weighted.rotation[0] = cos(tilt / 2);
    weighted.rotation[2] = sin(tilt / 2); // about y: the centre of mass, below, goes to -x
    weighted.position[X] = -d * sin(tilt);
    weighted.position[Z] = r - d * cos(tilt);
    must(carom_world_add_body(s.world, &weighted, &id, &err));
    carom_shape_release(ball);
    double period = 2 * 3.14159265358979 * sqrt((inertia + m * (r - d) * (r - d)) / (m * G * d));
    double last = 1, w[3], crossed = 0;
    int crossings = 0;
    for (int k = 0; k < (int)(2.2 * period / h) && crossings < 4; ++k) {
        small_world_steps(&s, h, 1);
        carom_world_body(s.world, id, NULL, NULL, NULL, w);
        if (k > 0 && last * w[Y] < 0) {
            crossed = h * (k + 1) - h * fabs(w[Y]) / fabs(w[Y] - last);
            ++crossings;
        }
        last = w[Y];
    }
    // it comes to rest at the far side after every half period; amplitude^2 / 16 = 2.5e-5, and the
    // first-order scheme of held bodies
    CHECK(crossings == 4, "it swings: %d", crossings);
    CHECK_NEAR(crossed / (2 * period), 1, 5e-4, "its period");
    small_world_end(&s);
}

int main(void)
{
    constant_force();
    torque();
    impulse_at_a_point();
    angular_impulse();
    damping(0.01);
    damping(0.1);
    gravity_scale();
    pulled_block(0.9);
    pulled_block(1.5);
    wind_on_a_pendulum();
    again_and_resumed();
    kinds_and_places();
    tumbler();
    return check_report();
}

// Bodies that spin freely, against closed forms: uniform rotation of a ball and about a principal
// axis, regular precession of a symmetric top, Euler's equations of a body with three moments of
// inertia (period by the arithmetic-geometric mean), and an integration of the latter in small
// steps.
#include <math.h>
#include "math/constants.h"
#include "math/vec.h"
#include "support/check.h"
#include "support/small_world.h"
#include "world/motion.h"

// The angle between two rotations.
static double apart(quat p, quat q)
{
    quat d = quat_mul(quat_conjugate(p), q);
    return 2 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

static quat about(vec3 w, double t)
{
    double speed = vec3_length(w), along = sin(0.5 * speed * t) / speed;
    return (quat){ cos(0.5 * speed * t), along * w.x, along * w.y, along * w.z };
}

// The world's own step: a ball, a cube and a brick about its axes turn by w t, whatever the step.
static void uniform(void)
{
    const double halves[3][3] = { { 0.1, 0.1, 0.1 }, { 0.3, 0.2, 0.1 }, { 0.05, 0.2, 0.2 } };
    const double step[] = { 0.1, 1.0 / 60, 1e-3 };
    for (int k = 0; k < 9; ++k) {
        small_world s = small_world_make("wave");
        s.options.gravity[2] = 0;
        double h = step[k / 3], w[3] = { 0 }, q[4] = { 1, 0, 0, 0 };
        w[k % 3] = 7;
        vec3 spin = vec3_from(w);
        for (int i = 0; i < 4; ++i) {
            int body = i < 3 ? small_world_box(&s, halves[i], 1, (double[3]){ 3.0 * i, 0, 0 }, NULL)
                             : small_world_ball(&s, 0.2, 1, (double[3]){ 9, 0, 0 }, NULL);
            carom_world_set_velocity(s.world, carom_world_body_at(s.world, body), (double[3]){ 0 },
                                     w, NULL);
        }
        int count = (int)lround(2 / h);
        small_world_steps(&s, h, count);
        for (int i = 0; i < 4; ++i) {
            carom_world_body(s.world, carom_world_body_at(s.world, i), NULL, q, NULL, NULL);
            quat found = { q[0], q[1], q[2], q[3] };
            // each step rounds its quaternion to some 1e-16
            CHECK_MOST(apart(found, about(spin, count * h)), 2e-15 * sqrt(count) + 1e-14,
                       "body %d turns about axis %d by w t at h = %g s (rad)", i, k % 3, h);
        }
        small_world_end(&s);
    }
}

// About its own axis e3 a symmetric top turns in its precession about the angular momentum L:
// R(t) = exp(t L / I1) R(0) exp(t (1 - I3 / I1) w3 e3).
static double precession_error(double h, double third)
{
    const sym3 inertia = { 0.3, 0.3, third, 0, 0, 0 };
    const double w3 = 4;
    vec3 body = { 1.5, -0.7, w3 }, spin = body;
    quat q = quat_identity();
    int count = (int)lround(10 / h);
    for (int k = 0; k < count; ++k)
        CHECK(carom_motion_turn(inertia, h, &q, &spin), "the top is followed");
    vec3 momentum = sym3_mul(inertia, body);
    quat wanted = quat_mul(about(vec3_scale(1 / 0.3, momentum), count * h),
                           about(vec3_make(0, 0, (1 - third / 0.3) * w3), count * h));
    vec3 kept = quat_rotate(q, sym3_mul(inertia, quat_rotate(quat_conjugate(q), spin)));
    CHECK_MOST(vec3_length(vec3_sub(kept, momentum)), 1e-12, "angular momentum (kg m^2/s)");
    return apart(q, wanted);
}

static void symmetric(void)
{
    const double thirds[] = { 0.1, 0.5 };
    for (int k = 0; k < 2; ++k) {
        double coarse = precession_error(1.0 / 60, thirds[k]),
               fine = precession_error(1.0 / 120, thirds[k]);
        // found 1.4e-7 and 2.9e-8, of 40 rad; half the step leaves a sixteenth
        CHECK_MOST(coarse, 3e-7, "a symmetric top after 10 s at 1/60 s (rad)");
        CHECK_MOST(fine, coarse / 12, "and of fourth order");
    }
}

// Euler's equations, by the classical Runge-Kutta scheme.
typedef struct top {
    quat q;
    vec3 w; // in the frame of the body
} top;

static top rate(sym3 inertia, const top *t)
{
    vec3 torque = vec3_cross(sym3_mul(inertia, t->w), t->w);
    return (top){ quat_mul(t->q, (quat){ 0, 0.5 * t->w.x, 0.5 * t->w.y, 0.5 * t->w.z }),
                  sym3_mul(sym3_inverse(inertia), torque) };
}

static top ahead(const top *t, double h, const top *d)
{
    quat q = t->q;
    return (top){ { q.w + h * d->q.w, q.x + h * d->q.x, q.y + h * d->q.y, q.z + h * d->q.z },
                  vec3_axpy(t->w, h, d->w) };
}

static top integrate(sym3 inertia, vec3 w, double time, int count)
{
    top t = { quat_identity(), w };
    double h = time / count;
    for (int k = 0; k < count; ++k) {
        top k1 = rate(inertia, &t), at = ahead(&t, h / 2, &k1), k2 = rate(inertia, &at);
        at = ahead(&t, h / 2, &k2);
        top k3 = rate(inertia, &at);
        at = ahead(&t, h, &k3);
        top k4 = rate(inertia, &at);
        t = ahead(&t, h / 6, &k1);
        t = ahead(&t, h / 3, &k2);
        t = ahead(&t, h / 3, &k3);
        t = ahead(&t, h / 6, &k4);
    }
    t.q = quat_unit(t.q);
    return t;
}

static double complete_integral(double m) // K(m) = pi / (2 agm(1, sqrt(1 - m)))
{
    double a = 1, b = sqrt(1 - m);
    for (int k = 0; k < 40; ++k) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return CAROM_PI / (2 * a);
}

// A body that tumbles about its middle axis [Landau and Lifshitz, Mechanics, section 37, for
// moments I1 < I2 < I3 and M^2 > 2 E I2]: its spin comes back after
// 4 K sqrt(I1 I2 I3 / ((I3 - I2) (M^2 - 2 E I1))).
static void tumbling(void)
{
    const sym3 inertia = { 0.1, 0.2, 0.27, 0, 0, 0 };
    const vec3 start = { 0.02, 5, 0.3 };
    vec3 momentum = sym3_mul(inertia, start);
    double e2 = vec3_dot(momentum, start), m2 = vec3_dot(momentum, momentum);
    double modulus = (0.2 - 0.1) * (e2 * 0.27 - m2) / ((0.27 - 0.2) * (m2 - e2 * 0.1)),
           period = 4 * complete_integral(modulus) *
                    sqrt(0.1 * 0.2 * 0.27 / ((0.27 - 0.2) * (m2 - e2 * 0.1)));
    double error[2];
    CHECK(m2 > e2 * 0.2, "the polhode goes about the axis of the largest moment");
    top wanted = integrate(inertia, start, period, 200000);
    CHECK_MOST(vec3_length(vec3_sub(wanted.w, start)), 1e-9, "both references agree (rad/s)");
    for (int k = 0; k < 2; ++k) {
        int count = 300 << k; // wh = 1/13 rad, and half of it
        quat q = quat_identity();
        vec3 spin = start;
        for (int i = 0; i < count; ++i)
            carom_motion_turn(inertia, period / count, &q, &spin);
        error[k] = apart(q, wanted.q);
        vec3 back = quat_rotate(quat_conjugate(q), spin);
        CHECK_MOST(vec3_length(vec3_sub(back, start)), 1e-6 / (k ? 12 : 1),
                   "the spin of %d steps after a period (rad/s)", count);
    }
    CHECK_MOST(error[0], 1e-6, "a tumbling body after a period (rad)");
    CHECK_MOST(error[1], error[0] / 12, "and of fourth order");
}

int main(void)
{
    uniform();
    symmetric();
    tumbling();
    return check_report();
}

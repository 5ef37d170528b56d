// Sliders, rods, springs, dampers, stops, motors, servos and breaking joints against closed forms.
#include <math.h>
#include <string.h>
#include "carom/world_change.h"
#include "support/check.h"
#include "support/small_world.h"

#define STEP 1e-3

// The integrator is of fourth order, and refines its steps until the balance of energy is 1e-11.
#define POSITION 1e-9
#define ENERGY 1e-9

static double pi(void)
{
    return acos(-1);
}

static carom_joint_state state_of(const small_world *s, int joint)
{
    carom_joint_state state = { 0 };
    carom_error err = { 0 };
    CHECK(carom_world_joint_state(s->world, carom_world_joint_at(s->world, joint), &state, &err) ==
              CAROM_OK,
          "%s", err.what);
    return state;
}

static double place(const small_world *s, int body, int axis)
{
    double x[3];
    carom_world_body(s->world, small_world_id(s, body), x, NULL, NULL, NULL);
    return x[axis];
}

static void balance(const small_world *s, double stake, const char *name)
{
    carom_ledger l = carom_world_ledger(s->world);
    CHECK_MOST(fabs(l.integrator), ENERGY * stake, "%s: the books balance (J)", name);
}

// -- slider and rod -------------------------------------------------------------------------------

// Down an incline of 30 degrees without friction: x = g sin(30) t^2 / 2 along it.
static void slides_down(void)
{
    small_world s = small_world_make("qce");
    int body = small_world_small_box(&s, 2, 0, 0, 0);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_SLIDER, body, 0.05, 0.02, -0.1);
    small_world_axis(&joint, -cos(pi() / 6), 0, -sin(pi() / 6));
    small_world_join(&s, &joint);
    small_world_steps(&s, STEP, 1000);
    carom_joint_state now = state_of(&s, 0);
    double way = 0.5 * 9.81 * 0.5, x = place(&s, body, 0), z = place(&s, body, 2);
    CHECK_NEAR(now.position, way, POSITION,
               "way of a slider on an incline of 30 degrees after 1 s");
    CHECK_NEAR(now.speed, 9.81 * 0.5, POSITION, "its speed");
    CHECK_NEAR(x, -way * cos(pi() / 6), POSITION, "level way");
    CHECK_NEAR(z, -way * sin(pi() / 6), POSITION, "fall");
    CHECK_NEAR(now.force, 2 * 9.81 * cos(pi() / 6), 1e-6, "it presses with m g cos(30) (N)");
    balance(&s, 2 * 9.81, "slider");
    small_world_end(&s);
}

// Two bodies on a slider in free flight: angular momentum stays, and the slider's own line.
static void slides_in_flight(void)
{
    small_world s = small_world_weightless();
    int a = small_world_small_box(&s, 1, 0.4, 0, 0), b = small_world_small_box(&s, 3, 0, 0, 0);
    const double spin[3] = { 0.3, 1, 2 }, va[3] = { 0.5, 0.8, -0.4 }, vb[3] = { 0, 0, 0 };
    carom_world_set_velocity(s.world, small_world_id(&s, a), va, spin,
                             NULL); // v = w x r and a way along x of 0.5 m/s
    carom_world_set_velocity(s.world, small_world_id(&s, b), vb, spin, NULL);
    carom_joint joint = { .kind = CAROM_JOINT_SLIDER,
                          .a = small_world_id(&s, a),
                          .b = small_world_id(&s, b),
                          .axis = { 1, 0, 0 } };
    small_world_join(&s, &joint);
    carom_ledger start = carom_world_ledger(s.world);
    small_world_steps(&s, STEP, 500);
    carom_ledger end = carom_world_ledger(s.world);
    for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(end.angular[k], start.angular[k], 1e-12, "angular momentum %d of a slider", k);
        CHECK_NEAR(end.momentum[k], start.momentum[k], 1e-12, "momentum %d of a slider", k);
    }
    CHECK_NEAR(end.kinetic, start.kinetic, ENERGY * start.kinetic, "energy of a slider in flight");
    small_world_end(&s);
}

// A point on a rod from 1 rad: period 2 pi / (w M(1, cos(a/2))); the ball turns with nothing.
static void rod_swings(void)
{
    const double length = 1.3, angle = 1;
    small_world s = small_world_make("qce");
    int body = small_world_ball(
        &s, 0.05, 1, (const double[]){ length * sin(angle), 0, -length * cos(angle) }, NULL);
    carom_joint joint =
        small_world_joint(&s, CAROM_JOINT_ROD, body, length * sin(angle), 0, -length * cos(angle));
    memset(joint.anchor_b, 0, sizeof joint.anchor_b);
    small_world_join(&s, &joint);
    double a = 1, b = cos(0.5 * angle);
    for (int k = 0; k < 12; ++k) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    double period = 2 * pi() / (sqrt(9.81 / length) * a);
    small_world_steps(&s, period / 2000, 2000);
    // at the turning point the angle is of second order in time: compare at a quarter instead
    CHECK_NEAR(place(&s, body, 0), length * sin(angle), POSITION, "a rod is back after a period");
    small_world_steps(&s, period / 2000, 500);
    CHECK_NEAR(place(&s, body, 0), 0, POSITION, "and hangs straight after a quarter");
    CHECK_NEAR(state_of(&s, 0).force, 9.81 * (3 - 2 * cos(angle)), 1e-3,
               "where it pulls with m g (3 - 2 cos a) (N)");
    balance(&s, 9.81, "rod");
    small_world_end(&s);
}

// A rod pushes as well: upside down it carries the weight.
static void rod_pushes(void)
{
    small_world s = small_world_make("qce");
    int body = small_world_ball(&s, 0.05, 1, (const double[]){ 0, 0, 1 }, NULL);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_ROD, body, 0, 0, 1);
    memset(joint.anchor_b, 0, sizeof joint.anchor_b);
    small_world_join(&s, &joint);
    small_world_steps(&s, STEP, 500);
    CHECK_NEAR(place(&s, body, 2), 1, POSITION, "a ball stands on a rod");
    CHECK_NEAR(state_of(&s, 0).force, 9.81, 1e-9, "which holds its weight (N)");
    small_world_end(&s);
}

// -- springs and dampers --------------------------------------------------------------------------

// Two masses on a spring: w^2 = k (1/m1 + 1/m2); one period, and the energy after many.
static void spring_swings(double stiffness, double step, double allowed)
{
    small_world s = small_world_weightless();
    int a = small_world_ball(&s, 0.05, 1, (const double[]){ 0, 0, 0 }, NULL);
    int b = small_world_ball(&s, 0.05, 3, (const double[]){ 1.2, 0, 0 }, NULL);
    carom_joint joint = { .kind = CAROM_JOINT_SPRING,
                          .a = small_world_id(&s, a),
                          .b = small_world_id(&s, b),
                          .length = 1,
                          .anchor_b = { 1.2, 0, 0 },
                          .stiffness = stiffness };
    small_world_join(&s, &joint);
    double rate = sqrt(stiffness * (1 + 1 / 3.0)), period = 2 * pi() / rate;
    int steps = (int)ceil(period / step);
    double stake = 0.5 * stiffness * 0.04;
    CHECK_NEAR(carom_world_ledger(s.world).start, stake, 1e-12 * stake, "a stretched spring (J)");
    small_world_steps(&s, period / steps, steps);
    CHECK_NEAR(state_of(&s, 0).position, 1.2, allowed, "spring of %g N/m: back after a period",
               stiffness);
    CHECK_NEAR(state_of(&s, 0).speed, 0, 1e-7 * rate, "at rest");
    small_world_steps(&s, 0.25 * period / steps, steps);
    CHECK_NEAR(state_of(&s, 0).position, 1, allowed, "and slack after a quarter");
    small_world_steps(&s, step, 2000);
    balance(&s, stake, "spring");
    CHECK_NEAR(carom_world_ledger(s.world).momentum[0], 0, 1e-12 * rate, "nothing moves on");
    small_world_end(&s);
}

// Below, at and above critical damping, on a slider: m x'' = -k x - c x'.
static void damped(double damping)
{
    const double mass = 2, stiffness = 50, first = 0.3, time = 0.8;
    small_world s = small_world_weightless();
    int body = small_world_small_box(&s, mass, 0, 0, 0);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_SLIDER, body, 0, 0, 0);
    small_world_axis(&joint, 0, 1, 0);
    joint.stiffness = stiffness;
    joint.damping = damping;
    joint.target = -first;
    small_world_join(&s, &joint);
    small_world_steps(&s, STEP, 800);
    double g = damping / (2 * mass), square = stiffness / mass - g * g, w = sqrt(fabs(square)), x;
    if (w < 1e-9)
        x = first * exp(-g * time) * (1 + g * time);
    else if (square > 0)
        x = first * exp(-g * time) * (cos(w * time) + g / w * sin(w * time));
    else
        x = first * exp(-g * time) * (cosh(w * time) + g / w * sinh(w * time));
    CHECK_NEAR(state_of(&s, 0).position + first, x, POSITION, "damping of %g N s/m", damping);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(l.start - l.kinetic - l.potential, l.dampers, ENERGY * l.start,
               "what is gone is what the damper took (J)");
    balance(&s, 0.5 * stiffness * first * first, "damper");
    small_world_end(&s);
}

// So strong a damper that no step could follow it: it creeps, and does not blow up.
static void creeps(void)
{
    small_world s = small_world_weightless();
    int body = small_world_small_box(&s, 1, 0, 0, 0);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_SLIDER, body, 0, 0, 0);
    small_world_axis(&joint, 1, 0, 0);
    joint.stiffness = 100;
    joint.damping = 1e7;
    joint.target = 1;
    small_world_join(&s, &joint);
    small_world_steps(&s, STEP, 1000);
    // k/c = 1e-5 per second: the first-order end of each flight is exact to its square
    CHECK_NEAR(state_of(&s, 0).position, 1 - exp(-1e-5), 1e-9, "a strong damper creeps by k t / c");
    small_world_end(&s);
}

static void too_stiff(void)
{
    small_world s = small_world_weightless();
    carom_error err = { 0 };
    int body = small_world_ball(&s, 0.05, 1e-3, (const double[]){ 1, 0, 0 }, NULL);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_SPRING, body, 1, 0, 0);
    memset(joint.anchor_b, 0, sizeof joint.anchor_b);
    joint.stiffness = 1e12;
    small_world_join(&s, &joint);
    CHECK(carom_world_step(s.world, STEP, &err) == CAROM_BAD_INPUT, "a spring of 1e12 N/m at 1 g");
    CHECK(strstr(err.what, "swings in 1.99e-07 s") && strstr(err.fix, "smaller step"), "%s %s",
          err.what, err.fix);
    small_world_end(&s);
}

// -- stops ----------------------------------------------------------------------------------------

// A bar on a hinge along y, closing at 2 rad/s from 0.5 rad before its stop, without weight: it
// bounces with e of its speed, at the time 0.25 s.
static void door_bounces(const char *law, double e)
{
    small_world s = small_world_weightless();
    s.options.law = carom_law_find(law, NULL);
    int body = small_world_box(&s, (const double[]){ 0.5, 0.02, 0.3 }, 4,
                               (const double[]){ 0.5, 0, 0 }, NULL);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_HINGE, body, 0, 0, 0);
    small_world_axis(&joint, 0, 0, 1);
    joint.upper = 0.5;
    joint.lower = -HUGE_VAL;
    joint.restitution = e;
    carom_world_set_velocity(s.world, small_world_id(&s, body), (const double[]){ 0, 1, 0 },
                             (const double[]){ 0, 0, 2 }, NULL);
    small_world_join(&s, &joint);
    carom_ledger start = carom_world_ledger(s.world);
    small_world_steps(&s, STEP, 400);
    CHECK_NEAR(state_of(&s, 0).position, 0.5 - 2 * e * (0.4 - 0.25), POSITION,
               "%s: a door that hits its stop with e = %g", law, e);
    CHECK_NEAR(state_of(&s, 0).speed, -2 * e, 1e-9, "%s: speed after", law);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(l.stops, (1 - e * e) * start.kinetic, 1e-9 * start.kinetic, "loss at the stop (J)");
    CHECK(l.impacts == 1, "one impact, not %lld", (long long)l.impacts);
    balance(&s, start.kinetic, "door");
    small_world_end(&s);
}

// A block on a level slider between two stops, 1 m apart, e = 0.5: after n hits its speed is 0.5^n,
// and the hits are at 0.5, then 2 more, then 4 more ... seconds.
static void between_stops(void)
{
    small_world s = small_world_weightless();
    int body = small_world_small_box(&s, 1, 0, 0, 0);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_SLIDER, body, 0, 0, 0);
    small_world_axis(&joint, 1, 0, 0);
    joint.lower = -0.5;
    joint.upper = 0.5;
    joint.restitution = 0.5;
    carom_world_set_velocity(s.world, small_world_id(&s, body), (const double[]){ 1, 0, 0 },
                             (const double[]){ 0, 0, 0 }, NULL);
    small_world_join(&s, &joint);
    small_world_steps(&s, 7e-3, 1000); // 7 s: three hits, at 0.5, 2.5 and 6.5 s
    CHECK_NEAR(state_of(&s, 0).speed, -0.125, 1e-9, "speed after three hits");
    CHECK_NEAR(state_of(&s, 0).position, 0.5 - 0.125 * 0.5, 1e-8, "place after 7 s");
    small_world_end(&s);
}

// A block falls on a stop: hits at t0 = sqrt(2 h/g), then after 2 e^n v/g each, and comes to rest.
static void falls_on_stop(void)
{
    const double e = 0.6, fall = 0.5, v = sqrt(2 * 9.81 * fall), t0 = v / 9.81;
    small_world s = small_world_make("qce");
    int body = small_world_small_box(&s, 1, 0, 0, 0);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_SLIDER, body, 0, 0, 0);
    small_world_axis(&joint, 0, 0, 1);
    joint.lower = -fall;
    joint.upper = HUGE_VAL;
    joint.restitution = e;
    small_world_join(&s, &joint);
    double t = t0 + 2 * e * v / 9.81 + 2 * e * e * v / 9.81, late = 0.1 * v / 9.81,
           up = e * e * e * v;
    small_world_steps(&s, (t + late) / 1000, 1000);
    CHECK_NEAR(state_of(&s, 0).position, -fall + up * late - 0.5 * 9.81 * late * late, 1e-8,
               "on the way up after the third hit of a stop");
    small_world_steps(&s, STEP, 2000);
    CHECK_NEAR(state_of(&s, 0).position, -fall, 1e-8, "at rest on the stop");
    CHECK_NEAR(state_of(&s, 0).force, 9.81, 1e-6, "which holds the weight (N)");
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(l.stops + l.rest, 9.81 * fall, 1e-6, "all energy is booked at the stop (J)");
    small_world_end(&s);
}

// Two doors that hit their stops and a ball at once are the law's business; here: a ball hits a
// door that stands at its stop. With e = 1 at both, the ball comes back with all its speed.
static void struck_at_stop(void)
{
    small_world s = small_world_weightless();
    s.material.restitution = 1;
    s.material.friction = 0;
    int door = small_world_box(&s, (const double[]){ 0.5, 0.02, 0.3 }, 4,
                               (const double[]){ 0.5, 0, 0 }, NULL);
    int ball =
        small_world_ball(&s, 0.1, 1, (const double[]){ 0.8, -0.5, 0 }, (const double[]){ 0, 1, 0 });
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_HINGE, door, 0, 0, 0);
    small_world_axis(&joint, 0, 0, 1);
    joint.lower = -1;
    joint.restitution = 1; // upper: where it stands
    small_world_join(&s, &joint);
    carom_ledger start = carom_world_ledger(s.world);
    small_world_steps(&s, STEP, 1000);
    double v[3];
    carom_world_body(s.world, small_world_id(&s, ball), NULL, NULL, v, NULL);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(l.kinetic, start.kinetic, 1e-9, "nothing is lost where all is elastic (J)");
    CHECK(v[1] < 0, "the ball comes back: %g m/s", v[1]);
    CHECK_MOST(state_of(&s, 0).position, 1e-8, "the door stays on its side of the stop (rad)");
    small_world_end(&s);
}

// -- motors ---------------------------------------------------------------------------------------

// 5 N on 2 kg up to 3 m/s: reached after 1.2 s and 1.8 m, then kept against 1.5 N of a pull that
// the motor is stronger than; work = force times way.
static void motor_ramps(double gravity)
{
    small_world s = small_world_weightless();
    s.options.gravity[0] = -gravity;
    int body = small_world_small_box(&s, 2, 0, 0, 0);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_SLIDER, body, 0, 0, 0);
    small_world_axis(&joint, 1, 0, 0);
    joint.motor = CAROM_MOTOR_SPEED;
    joint.speed = 3;
    joint.force = 5;
    small_world_join(&s, &joint);
    double a = 5 / 2.0 - gravity, ramp = 3 / a, way = 0.5 * a * ramp * ramp;
    small_world_steps(&s, STEP, 1000);
    CHECK_NEAR(state_of(&s, 0).position, 0.5 * a, POSITION, "way on the ramp after 1 s");
    CHECK_NEAR(state_of(&s, 0).force, 5, 1e-9, "with all its force");
    int left = (int)ceil((ramp - 1) / STEP) + 500;
    small_world_steps(&s, STEP, left);
    double after = 1 + left * STEP - ramp;
    CHECK_NEAR(state_of(&s, 0).speed, 3, 1e-9, "then it keeps its speed");
    CHECK_NEAR(state_of(&s, 0).position, way + 3 * after, 1e-8, "way of ramp and travel");
    CHECK_NEAR(state_of(&s, 0).force, 2 * gravity, 1e-6, "with the force that it takes");
    CHECK_NEAR(carom_world_ledger(s.world).motors, 5 * way + 2 * gravity * 3 * after, 1e-7,
               "work of the motor (J)");
    balance(&s, 9 + 5 * way, "motor");
    small_world_end(&s);
}

// A brake of 4 N m on a wheel: I w' = -4, stands still from then on; too weak a one lets the
// weight down with the difference.
static void brakes(void)
{
    small_world s = small_world_weightless();
    int wheel = small_world_cylinder(&s, 0.5, 0.1, 8, (const double[]){ 0, 0, 0 });
    double inertia = 0.5 * 8 * 0.25;
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_HINGE, wheel, 0, 0, 0);
    small_world_axis(&joint, 0, 0, 1);
    joint.motor = CAROM_MOTOR_SPEED;
    joint.force = 4;
    carom_world_set_velocity(s.world, small_world_id(&s, wheel), (const double[]){ 0, 0, 0 },
                             (const double[]){ 0, 0, 2 }, NULL);
    small_world_join(&s, &joint);
    double stop = 2 * inertia / 4;
    small_world_steps(&s, STEP, (int)(stop / STEP) + 300);
    CHECK_NEAR(state_of(&s, 0).speed, 0, 1e-12, "the wheel stands");
    CHECK_NEAR(state_of(&s, 0).position, stop, 1e-8, "after w^2 I / (2 M) radians");
    CHECK_NEAR(carom_world_ledger(s.world).motors, -0.5 * inertia * 4, 1e-8, "work of a brake (J)");
    small_world_end(&s);
    s = small_world_make("qce");
    int body = small_world_small_box(&s, 1, 0, 0, 0);
    joint = small_world_joint(&s, CAROM_JOINT_SLIDER, body, 0, 0, 0);
    small_world_axis(&joint, 0, 0, 1);
    joint.motor = CAROM_MOTOR_SPEED;
    joint.force = 9;
    small_world_join(&s, &joint);
    small_world_steps(&s, STEP, 1000);
    CHECK_NEAR(state_of(&s, 0).position, -0.5 * (9.81 - 9), POSITION,
               "a brake too weak for a weight");
    small_world_end(&s);
}

// Step response of a servo on a wheel: I q'' = k (1 - q) - c q'.
static void servo_steps(void)
{
    const double k = 60, c = 3, time = 0.7;
    small_world s = small_world_weightless();
    int wheel = small_world_cylinder(&s, 0.5, 0.1, 8, (const double[]){ 0, 0, 0 });
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_HINGE, wheel, 0, 0, 0);
    small_world_axis(&joint, 0, 0, 1);
    joint.motor = CAROM_MOTOR_POSITION;
    joint.target = 1;
    joint.stiffness = k;
    joint.damping = c;
    small_world_join(&s, &joint);
    small_world_steps(&s, STEP, 700);
    double g = c / 2, w = sqrt(k - g * g); // inertia 1
    double q = 1 - exp(-g * time) * (cos(w * time) + g / w * sin(w * time));
    CHECK_NEAR(state_of(&s, 0).position, q, POSITION, "step response of a servo after 0.7 s");
    balance(&s, k, "servo");
    small_world_steps(&s, STEP, 20000);
    CHECK_NEAR(state_of(&s, 0).position, 1, 1e-9, "it gets there");
    CHECK_NEAR(carom_world_ledger(s.world).motors, 0, 1e-7 * k,
               "from rest to rest: no work in all (J)");
    carom_error err = { 0 };
    CHECK(carom_world_joint_aim(s.world, carom_world_joint_at(s.world, 0), -0.5, &err) == CAROM_OK,
          "%s", err.what);
    small_world_steps(&s, STEP, 20000);
    CHECK_NEAR(state_of(&s, 0).position, -0.5, 1e-9, "and to another place");
    small_world_end(&s);
}

// A servo at its bound is a constant force: 2 N m on inertia 1 until k (1 - q) - c q' is less.
static void servo_bounded(void)
{
    small_world s = small_world_weightless();
    int wheel = small_world_cylinder(&s, 0.5, 0.1, 8, (const double[]){ 0, 0, 0 });
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_HINGE, wheel, 0, 0, 0);
    small_world_axis(&joint, 0, 0, 1);
    joint.motor = CAROM_MOTOR_POSITION;
    joint.target = 1;
    joint.stiffness = 60;
    joint.damping = 16;
    joint.force = 2;
    small_world_join(&s, &joint);
    small_world_steps(&s, STEP, 600);
    CHECK_NEAR(state_of(&s, 0).position, 0.36, POSITION, "a servo at its bound goes t^2 M / (2 I)");
    CHECK_NEAR(state_of(&s, 0).torque, 2, 1e-9, "with all its moment");
    small_world_steps(&s, STEP, 9400);
    CHECK_NEAR(state_of(&s, 0).position, 1, 1e-6, "and gets there");
    small_world_end(&s);
}

// -- breaking -------------------------------------------------------------------------------------

// A weight on a rod, from level: it pulls with 3 m g cos(a), a from the plumb line, and breaks at
// 2 m g where cos(a) = 2/3; then it flies on a parabola.
static void rod_breaks(void)
{
    small_world s = small_world_make("qce");
    int body = small_world_ball(&s, 0.05, 1, (const double[]){ 1, 0, 0 }, NULL);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_ROD, body, 1, 0, 0);
    memset(joint.anchor_b, 0, sizeof joint.anchor_b);
    joint.break_force = 2 * 9.81;
    small_world_join(&s, &joint);
    double before = 0;
    int steps = 0;
    for (; steps < 2000 && !state_of(&s, 0).broken; ++steps) {
        before = place(&s, body, 2);
        small_world_steps(&s, STEP, 1);
    }
    double z = place(&s, body, 2);
    CHECK(before > -2 / 3.0 - 0.002 && z < -2 / 3.0 + 1e-9 && before > z,
          "a rod breaks at 2 m g, 2/3 below its hold: at %g m", z);
    double v[3], w[3];
    carom_world_body(s.world, small_world_id(&s, body), NULL, NULL, v, NULL);
    small_world_steps(&s, STEP, 100);
    carom_world_body(s.world, small_world_id(&s, body), NULL, NULL, w, NULL);
    CHECK_NEAR(w[0], v[0], 1e-12, "then it flies");
    CHECK_NEAR(w[2], v[2] - 0.981, 1e-9, "and falls");
    balance(&s, 9.81, "broken rod");
    small_world_end(&s);
}

// A spring that is pulled until it breaks loses what it stored; its bodies collide again.
static void spring_breaks(void)
{
    small_world s = small_world_weightless();
    int body =
        small_world_ball(&s, 0.05, 1, (const double[]){ 1, 0, 0 }, (const double[]){ 2, 0, 0 });
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_SPRING, body, 1, 0, 0);
    memset(joint.anchor_b, 0, sizeof joint.anchor_b);
    joint.stiffness = 100;
    joint.break_force = 15;
    small_world_join(&s, &joint);
    small_world_steps(&s, STEP, 300);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK(state_of(&s, 0).broken == 1, "broken");
    // at 0.15 m, within a step at 1.3 m/s and its mean
    CHECK_NEAR(l.breakage, 0.5 * 15 * 15 / 100, 0.04, "what the spring had (J)");
    CHECK_NEAR(l.kinetic, 2 - l.breakage, 1e-9, "is gone (J)");
    balance(&s, 2, "broken spring");
    small_world_end(&s);
}

int main(void)
{
    slides_down();
    slides_in_flight();
    rod_swings();
    rod_pushes();
    spring_swings(40, STEP, 1e-9);
    spring_swings(1e6, STEP, 2e-7); // a radian per step: its phase is right to 1e-6
    damped(0);
    damped(4);
    damped(20);
    damped(60);
    creeps();
    too_stiff();
    for (int k = check_effort(0, 1); k < check_effort(3, 2); ++k) {
        door_bounces("qce", 0.5 * k);
        door_bounces("wave", 0.5 * k);
        door_bounces("gr", 0.5 * k);
    }
    between_stops();
    falls_on_stop();
    struck_at_stop();
    motor_ramps(0);
    motor_ramps(0.5);
    brakes();
    servo_steps();
    servo_bounded();
    rod_breaks();
    spring_breaks();
    return check_report();
}

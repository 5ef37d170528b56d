// Closed forms of motion: what a schoolbook says must come out of the scene files, by whatever law
// they name.
#include <math.h>
#include <stdlib.h>
#include "support/check.h"
#include "support/play.h"

static const double g = 9.81;

// A dropped ball reaches e^2n of its height, whatever the step. Between bounces the energy is
// constant, so the height a flight reaches is known at any moment of it.
static void dropped_ball(const char *step)
{
    play p = play_open("dropped-ball");
    play_set(&p, "step", step);
    int ball = play_find(&p, "ball"), seen = 0;
    double wanted = 1, from = 0, until = sqrt(2 / g);
    for (int bounce = 0; bounce <= 10 && !p.broken; ++bounce) {
        double middle = ceil(0.5 * (from + until) / p.dt) * p.dt;
        play_until(&p, middle);
        if (middle < until && !p.broken) {
            double v = play_velocity(&p, ball).z;
            double height = play_position(&p, ball).z - 0.1 + v * v / (2 * g);
            CHECK_NEAR(height / wanted, 1, 1e-6, "step %s: height after %d bounces", step, bounce);
            ++seen;
        }
        wanted *= 0.81;
        from = until;
        until += 2 * sqrt(2 * wanted / g);
    }
    CHECK(seen == 11, "step %s: every flight was seen (%d)", step, seen);
    play_close(&p);
}

// A block sticks above the friction threshold and slides below it with g (sin - mu cos).
static void incline(void)
{
    play p = play_open("incline");
    double slope = acos(-1) / 9, held = 0;
    vec3 down = { cos(slope), 0, -sin(slope) };
    int holds = play_find(&p, "holds");
    vec3 start = vec3_make(0, -0.8, 0);
    for (int k = 1; k <= 4 && play_until(&p, 0.5 * k); ++k)
        held = fmax(held, vec3_length(vec3_sub(play_position(&p, holds), start)));
    // 1e-6 m: what it moves until the first steps have found the impulses that hold it
    CHECK_MOST(held, 1e-6, "1.001 of the threshold: the block has not moved after 2 s");
    static const struct {
        const char *name;
        double ratio;
    } sliding[] = { { "barely", 0.999 }, { "slides", 0.9 } };
    for (int i = 0; i < 2 && !p.broken; ++i) {
        int body = play_find(&p, sliding[i].name);
        double wanted = g * (1 - sliding[i].ratio) * sin(slope) * 2;
        // 1e-5 of gravity's pull: likewise
        CHECK_NEAR(vec3_dot(play_velocity(&p, body), down), wanted, 1e-5 * g * sin(slope) * 2,
                   "%g of the threshold: speed after 2 s", sliding[i].ratio);
        CHECK_MOST(vec3_length(play_spin(&p, body)), 1e-5, "%s does not turn", sliding[i].name);
    }
    play_close(&p);
}

// A sphere thrown along a rough floor slips, then rolls at 5/7 of its speed after 2 v / (7 mu g).
static void thrown_sphere(void)
{
    play p = play_open("thrown-sphere");
    int ball = play_find(&p, "ball");
    double when = 2 / (7 * 0.2 * g);
    int64_t last = 1000;
    while (play_steps(&p, 1) && p.step < last)
        if (play_velocity(&p, ball).x - 0.1 * play_spin(&p, ball).y < 1e-9)
            break;
    if (p.broken)
        return;
    CHECK_NEAR((double)p.step * p.dt, when, 2 * p.dt,
               "time until the sphere rolls, to a step or two");
    CHECK_NEAR(play_velocity(&p, ball).x, 5.0 / 7, 1e-6, "and its speed then");
    play_until(&p, 0.5);
    CHECK_NEAR(play_velocity(&p, ball).x, 5.0 / 7, 1e-6, "it rolls on");
    play_close(&p);
}

// An elastic box that lands flat keeps its spin at zero.
static void flat_box(void)
{
    play p = play_open("flat-box");
    int box = play_find(&p, "box");
    if (!play_until(&p, 1.5)) // two landings; round-off grows tenfold with each
        return;
    CHECK(play_ledger(&p).impacts == 2, "two landings (%lld)", (long long)play_ledger(&p).impacts);
    CHECK_MOST(vec3_length(play_spin(&p, box)), 1e-9, "a box that lands flat does not turn");
    CHECK_NEAR(play_velocity(&p, box).x, 0.3, 1e-12, "and keeps its horizontal speed");
    CHECK_MOST(fabs(play_energy_error(&p, g * 0.5)), 1e-12, "and its energy");
    play_close(&p);
}

// A ball between two walls keeps its energy for 10^5 bounces.
static void two_walls(void)
{
    play p = play_open("two-walls");
    int steps = check_effort(10000, 1000);
    if (!play_steps(&p, steps))
        return;
    carom_ledger ledger = play_ledger(&p);
    CHECK(llabs(ledger.impacts - 10 * steps) <= 1, "ten bounces a step (%lld in %d)",
          (long long)ledger.impacts, steps);
    CHECK_MOST(fabs(play_energy_error(&p, 32)), 1e-12, "energy after them");
    play_close(&p);
}

// Free rotation keeps energy and angular momentum; a body spun about its middle axis turns over.
static void t_handle(void)
{
    play p = play_open("t-handle");
    int handle = play_find(&p, "handle"), turns = 0;
    play_steps(&p, 1); // the ledger's momenta are those of the last step
    carom_ledger first = play_ledger(&p);
    double sign = 1;
    while (p.step < 10000 && play_steps(&p, 1)) {
        double along = quat_rotate(play_rotation(&p, handle), vec3_make(1, 0, 0)).x;
        if (along * sign < -0.9) { // the stem points the other way
            ++turns;
            sign = -sign;
        }
    }
    carom_ledger last = play_ledger(&p);
    vec3 before = vec3_from(first.angular), after = vec3_from(last.angular);
    CHECK_NEAR(last.kinetic / first.kinetic, 1, 1e-9,
               "free rotation keeps its energy over 10^4 steps");
    CHECK_MOST(vec3_length(vec3_sub(after, before)) / vec3_length(before), 1e-9,
               "and its angular momentum");
    CHECK(turns >= 5, "the handle turns over again and again (%d times)", turns);
    play_close(&p);
}

// A pendulum on a string keeps its energy and the length of its string.
static void pendulum(void)
{
    play p = play_open("pendulum");
    int ball = play_find(&p, "ball");
    if (!play_until(&p, 20))
        return;
    CHECK_MOST(fabs(play_energy_error(&p, g * (1 - sqrt(0.75)))), 1e-9,
               "energy of a pendulum after 20 s");
    CHECK_NEAR(vec3_length(play_position(&p, ball)), 1, 1e-9, "length of its string");
    play_close(&p);
}

int main(void)
{
    dropped_ball("0.016666666666666666");
    dropped_ball("0.004");
    dropped_ball("0.001");
    dropped_ball("0.00016666666666666666");
    incline();
    thrown_sphere();
    flat_box();
    two_walls();
    t_handle();
    pendulum();
    return check_report();
}

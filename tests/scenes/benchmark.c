// The tests of Kang and Hwangbo (SimBenchmark, for RaiSim) as scenes, each against its closed form.
#include <math.h>
#include <stdio.h>
#include "support/check.h"
#include "support/play.h"

static const double g = 9.81;

// A sphere of inertia c m r^2 slips with -mu g, spins up with mu g / (c r), and rolls from
// t = v c / (mu g (1 + c)) on, at v / (1 + c), straight on.
static void rolling_ball(const play *p, const char *name, double c, vec3 start, vec3 along)
{
    const double mu = 0.2, radius = 0.1, end = 2;
    int ball = play_find(p, name);
    double slips = c / (mu * g * (1 + c)), speed = 1 / (1 + c);
    double way = slips - 0.5 * mu * g * slips * slips + speed * (end - slips);
    vec3 v = play_velocity(p, ball), x = vec3_sub(play_position(p, ball), start);
    CHECK_NEAR(vec3_dot(v, along), speed, 1e-6, "%s: rolls at v / (1 + c)", name);
    CHECK_MOST(vec3_length(vec3_cross(v, along)), 1e-9, "%s: straight on", name);
    CHECK_NEAR(vec3_length(play_spin(p, ball)) * radius, speed, 1e-6, "%s: without slip", name);
    // one step of the transition, at the acceleration of slip
    CHECK_NEAR(vec3_dot(x, along), way, 2 * mu * g * p->dt * p->dt + 2e-3 * way, "%s: way", name);
}

static void rolling(void)
{
    play p = play_open("../benchmark/rolling");
    if (!play_until(&p, 2))
        return;
    for (int i = 0; i < 8; ++i) {
        char name[16];
        double angle = acos(-1) / 8 * i;
        snprintf(name, sizeof name, "ball%d", i);
        rolling_ball(&p, name, 0.4, vec3_make(0, 0.5 * i, 0.1),
                     vec3_make(cos(angle), sin(angle), 0));
    }
    rolling_ball(&p, "hollow", 2.0 / 3, vec3_make(0, -0.5, 0.1), vec3_make(1, 0, 0));
    play_close(&p);
}

// Between bounces n and n + 1, at times t(1) = sqrt(2 h / g) and t(n + 1) - t(n) = 2 e^n t(1), the
// ball has the energy m g h e^2n.
static void bouncing(void)
{
    static const struct {
        const char *name;
        double e;
    } balls[] = { { "ball25", 0.25 }, { "ball50", 0.5 }, { "ball75", 0.75 }, { "ball100", 1 } };
    play p = play_open("../benchmark/bouncing");
    double first = sqrt(2 / g);
    for (double time = 0.5; time <= 5 && play_until(&p, time); time += 0.5)
        for (int i = 0; i < 4; ++i) {
            int ball = play_find(&p, balls[i].name), bounces = 0;
            double e = balls[i].e, hit = first, share = 1;
            for (; hit <= time && share > 1e-4; ++bounces) {
                share *= e * e;
                hit += 2 * sqrt(share) * first;
            }
            double v = play_velocity(&p, ball).z;
            double height = play_position(&p, ball).z - 0.1 + v * v / (2 * g);
            if (share > 1e-4)
                CHECK_NEAR(height / share, 1, 1e-6, "%s: height after %d bounces", balls[i].name,
                           bounces);
        }
    // a ball that does not bounce lies on the floor
    CHECK_NEAR(play_position(&p, play_find(&p, "ball0")).z, 0.1, 1e-6, "ball0: rests");
    play_close(&p);
}

static void elastic_666(void)
{
    play p = play_open("../benchmark/elastic-666");
    double duration = check_effort(10, 1);
    if (!play_until(&p, duration))
        return;
    carom_ledger ledger = play_ledger(&p);
    CHECK(ledger.impacts > check_effort(1000, 100), "the balls bounce (%lld times)",
          (long long)ledger.impacts);
    CHECK_MOST(fabs(play_energy_error(&p, ledger.peak_kinetic)), 1e-12,
               "energy of 216 balls after %g s", duration);
    CHECK_MOST(ledger.peak_overlap, 1e-9, "none is inside of another (m)");
    play_close(&p);
}

static void hard_contact(void)
{
    play p = play_open("../benchmark/hard-contact");
    if (!play_until(&p, 2))
        return;
    static const char *const names[] = { "light", "heavy" };
    for (int i = 0; i < 2; ++i) {
        vec3 wanted = vec3_make(0, 0, 0.25 + 0.5 * i);
        vec3 off = vec3_sub(play_position(&p, play_find(&p, names[i])), wanted);
        // the slop that position correction leaves alone, 1e-5 m, for each contact below
        CHECK_MOST(vec3_length(off), 1e-5 * (i + 1), "%s: is where it was", names[i]);
    }
    CHECK_MOST(play_ledger(&p).peak_overlap, 1e-5, "nothing sinks in (m)");
    play_close(&p);
}

// Links of 0.5 kg with I = m (a^2 + b^2) / 12 about z: momentum, angular momentum about the origin
// and energy from the velocities in the file.
static void articulated_chain(void)
{
    static const double spins[8] = { 3, -2, 4, -3, 2, 5, -4, 1 };
    const double m = 0.5, inertia = m * (0.18 * 0.18 + 0.04 * 0.04) / 12;
    double v = 0, momentum = 0, angular = 0, energy = 0;
    for (int i = 0; i < 8; ++i) {
        v += i ? 0.1 * (spins[i - 1] + spins[i]) : 0;
        momentum += m * v;
        angular += m * 0.2 * i * v + inertia * spins[i];
        energy += 0.5 * (m * v * v + inertia * spins[i] * spins[i]);
    }
    play p = play_open("../benchmark/articulated-chain");
    if (!play_until(&p, check_effort(2, 1)))
        return;
    carom_ledger ledger = play_ledger(&p);
    CHECK_NEAR(ledger.momentum[1], momentum, 1e-12, "momentum of a chain (kg m/s)");
    CHECK_MOST(hypot(ledger.momentum[0], ledger.momentum[2]), 1e-12, "and across");
    CHECK_NEAR(ledger.angular[2], angular, 1e-12, "its angular momentum (kg m^2/s)");
    // second order in the step of 1 ms
    CHECK_NEAR(ledger.kinetic / energy, 1, 1e-8, "its energy");
    play_close(&p);
}

int main(void)
{
    rolling();
    bouncing();
    elastic_666();
    hard_contact();
    articulated_chain();
    return check_report();
}

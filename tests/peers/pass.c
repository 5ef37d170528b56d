// Impacts of another engine with Carom's pass before its solver: a cradle hands its speed on, a
// break of pool keeps its energy and its mirror symmetry, at steps of 1/60 and 1/600 s; and after
// the step of the impact everything is where it would be without steps.
#include "carom/carom.h"
#include "peers/pass_peer.h"
#include "support/check.h"

#include <math.h>

enum { CRADLE = 5, ROWS = 5, RACK = ROWS * (ROWS + 1) / 2 + 1 };
// Neighbours overlap by this, less than what the drivers allow their engines to leave as it is: ODE
// and Bullet find no contact of balls that are apart by a hair. m
static const double OVERLAP = 1e-8;

static void run(const pass_ball *start, int count, double radius, double dt, double time,
                pass_ball *end)
{
    void *world = pass_peer_create(start, count, radius, dt);
    for (int i = 0; i < (int)lround(time / dt); ++i)
        pass_peer_step(world, dt);
    for (int i = 0; i < count; ++i)
        pass_peer_state(world, i, &end[i]);
    pass_peer_destroy(world);
}

static void cradle(double dt)
{
    const double radius = 0.05, gap = 0.0512, time = 0.2, spacing = 2 * radius - OVERLAP;
    pass_ball start[CRADLE] = { 0 }, end[CRADLE];
    for (int i = 0; i < CRADLE; ++i)
        start[i].position[0] = spacing * i;
    start[0].position[0] -= gap;
    start[0].velocity[0] = 1;
    run(start, CRADLE, radius, dt, time, end);
    for (int i = 0; i < CRADLE; ++i) {
        double flown = i == CRADLE - 1 ? time - gap : 0; // from the impact on, at 1 m/s
        CHECK_NEAR(end[i].velocity[0], i == CRADLE - 1, 1e-6, "%s, 1/%.0f s: speed of ball %d",
                   pass_peer_name, 1 / dt, i);
        CHECK_NEAR(end[i].position[0], spacing * i + flown, 1e-6, "%s, 1/%.0f s: place of ball %d",
                   pass_peer_name, 1 / dt, i);
    }
}

// The ball of the rack that mirrors another: same row, counted from the other side. The cue ball is
// number 0.
static int mirror(int ball)
{
    int first = 1;
    for (int row = 0; row < ROWS; first += ++row)
        if (ball >= first && ball <= first + row)
            return first + row - (ball - first);
    return ball;
}

static void rack(double dt)
{
    const double radius = 0.0286, time = 0.3, spacing = 2 * radius - OVERLAP;
    pass_ball start[RACK] = { 0 }, end[RACK];
    double energy = 0, asymmetry = 0, momentum = 0;
    int ball = 1, moved = 0;
    for (int row = 0; row < ROWS; ++row)
        for (int k = 0; k <= row; ++k, ++ball) {
            start[ball].position[0] = spacing * sqrt(0.75) * row;
            start[ball].position[1] = spacing * (k - 0.5 * row);
        }
    start[0].position[0] = -0.1;
    start[0].velocity[0] = 1;
    run(start, RACK, radius, dt, time, end);
    for (int i = 0; i < RACK; ++i) {
        const double *v = end[i].velocity, *w = end[mirror(i)].velocity;
        const double *x = end[i].position, *y = end[mirror(i)].position;
        energy += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        momentum += v[0];
        asymmetry = fmax(asymmetry, fmax(fabs(v[0] - w[0]), fabs(v[1] + w[1])));
        asymmetry = fmax(asymmetry, fmax(fabs(x[0] - y[0]), fabs(x[1] + y[1])));
        moved += hypot(v[0], v[1]) > 0.01;
    }
    CHECK(moved > 4, "%s: the rack breaks, %d balls move", pass_peer_name, moved);
    CHECK_NEAR(energy, 1, 1e-6, "%s, 1/%.0f s: energy of the break", pass_peer_name, 1 / dt);
    CHECK_NEAR(momentum, 1, 1e-6, "%s, 1/%.0f s: momentum of the break", pass_peer_name, 1 / dt);
    CHECK_MOST(asymmetry, 1e-9, "%s, 1/%.0f s: mirror symmetry of the break", pass_peer_name,
               1 / dt);
}

int main(void)
{
    const double steps[] = { 1.0 / 60, 1.0 / 600 };
    for (int i = 0; i < 2; ++i) {
        cradle(steps[i]);
        rack(steps[i]);
    }
    return check_report();
}

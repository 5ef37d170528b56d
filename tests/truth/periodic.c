// Periodic boundaries: closed forms in a ring, a box against the row of its copies, and the same
// scene with its ends elsewhere.
//
// Where the ends of a periodic box are, and in which copy of it a body was put, means nothing: all
// bodies moved by one vector, and each of them by whole boxes, move in the same way. Then other
// pairs touch across the ends, so that every arm, image and path through the laws and the resting
// solver is held to one that has none.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "carom/world_change.h"
#include "support/check.h"
#include "support/small_world.h"

enum { MOST = 400 };
static carom_error err;

static void must(carom_status status)
{
    CHECK(status == CAROM_OK, "done: %s %s %s", err.where, err.what, err.fix);
}

static void state(const small_world *s, int i, double x[3], double v[3], double w[3])
{
    carom_world_body(s->world, carom_world_body_at(s->world, i), x, NULL, v, w);
}

// -- a ring ---------------------------------------------------------------------------------------

// Two equal elastic balls of radius r in a ring of length L: at each impact they exchange their
// velocities, so that they meet every (L - 4 r) / |u| for ever. First after `gap` / u.
static void two_balls(double step)
{
    const double length = 1, r = 0.05, u = 1, gap = 0.45;
    small_world s = small_world_make("wave");
    s.options.gravity[2] = 0;
    s.options.periodic[0][1] = length;
    s.material.restitution = 1;
    s.material.friction = 0;
    small_world_ball(&s, r, 1, (double[]){ 0.95, 0.3, 0 }, (double[]){ u, 0, 0 });
    small_world_ball(&s, r, 1, (double[]){ 0.5, 0.3, 0 }, NULL);
    int steps = (int)(20 / step + 0.5);
    small_world_steps(&s, step, steps);
    double time = 20, period = (length - 4 * r) / u, x[2][3], v[2][3], w[3];
    int impacts = 1 + (int)((time - gap / u) / period);
    double since = time - gap / u - (impacts - 1) * period; // after an odd number the second moves
    carom_ledger l = carom_world_ledger(s.world);
    CHECK((int)l.impacts == impacts, "%d impacts, %d by hand", (int)l.impacts, impacts);
    for (int i = 0; i < 2; ++i)
        state(&s, i, x[i], v[i], w);
    // the first goes gap, then a period at every second one
    double first = 0.95 + gap + (impacts - 1) / 2 * period * u, second = 0.5 + impacts / 2 * period;
    *(impacts % 2 ? &second : &first) += since * u;
    // each moment of an impact is found to half the touching gap, 5e-10 m, always too early
    CHECK_NEAR(x[0][0], first, impacts * 1e-9, "the first ball after %d rounds, step %g", impacts,
               step);
    CHECK_NEAR(x[1][0], second, impacts * 1e-9, "the second one");
    CHECK_NEAR(v[0][0] + v[1][0], u, 1e-15 * impacts, "momentum");
    CHECK_NEAR(l.kinetic, 0.5 * u * u, 1e-15 * impacts, "energy");
    small_world_end(&s);
}

// Ten unequal elastic balls in a ring: momentum and energy to round-off, order kept, no overlap.
static void crowded_ring(const char *law)
{
    enum { BALLS = 10 };
    small_world s = small_world_make(law);
    carom_random random = carom_random_make(3, 1);
    s.options.gravity[2] = 0;
    s.options.periodic[0][1] = 1;
    s.material.restitution = 1;
    s.material.friction = 0;
    for (int i = 0; i < BALLS; ++i)
        small_world_ball(&s, carom_random_between(&random, 0.01, 0.04),
                         carom_random_between(&random, 1, 3), (double[]){ 0.05 + 0.1 * i, 0, 0 },
                         (double[]){ carom_random_between(&random, -1, 1), 0, 0 });
    carom_ledger before = carom_world_ledger(s.world);
    small_world_steps(&s, 0.01, 500);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK(l.impacts > 50, "%d impacts", (int)l.impacts);
    CHECK_NEAR(l.momentum[0], before.momentum[0], 1e-13, "%s: momentum in a ring", law);
    CHECK_NEAR(l.kinetic, before.kinetic, 1e-12 * before.kinetic, "%s: energy in a ring", law);
    double x[BALLS + 1][3], v[3], w[3];
    for (int i = 0; i < BALLS; ++i)
        state(&s, i, x[i], v, w);
    x[BALLS][0] = x[0][0] + 1;
    for (int i = 0; i < BALLS; ++i)
        CHECK(x[i + 1][0] - x[i][0] > 0.02, "%s: ball %d is behind the next one", law, i);
    small_world_end(&s);
}

// -- the row of copies ----------------------------------------------------------------------------

// A rough ball and a tumbling box meet across the end, on a floor; and the same in seven copies of
// the box laid out, whose middle one the outer ones do not reach in time.
static void against_row(const char *law)
{
    enum { COPIES = 7 };
    double x[2][2][3], v[2][2][3], w[2][2][3];
    for (int periodic = 0; periodic < 2; ++periodic) {
        small_world s = small_world_make(law);
        int copies = periodic ? 1 : COPIES;
        if (periodic)
            s.options.periodic[0][1] = 0.5;
        s.material.restitution = 0.6;
        s.material.friction = 0.3;
        small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
        for (int c = 0; c < copies; ++c) {
            double off = 0.5 * (c - copies / 2);
            int ball = small_world_ball(&s, 0.05, 1, (double[]){ 0.45 + off, 0, 0.1 },
                                        (double[]){ 2, 0, 0 });
            int box =
                small_world_box(&s, (double[]){ 0.04, 0.03, 0.05 }, 1,
                                (double[]){ 0.06 + off, 0.01, 0.12 }, (double[]){ -0.5, 0, 0 });
            carom_world_set_velocity(s.world, carom_world_body_at(s.world, ball), NULL,
                                     (double[]){ 3, 5, -2 }, &err);
            carom_world_set_velocity(s.world, carom_world_body_at(s.world, box), NULL,
                                     (double[]){ -1, 2, 4 }, &err);
        }
        small_world_steps(&s, 0.001, 120);
        int first = periodic ? 1 : 1 + 2 * (COPIES / 2);
        for (int i = 0; i < 2; ++i)
            state(&s, first + i, x[periodic][i], v[periodic][i], w[periodic][i]);
        if (periodic)
            CHECK(carom_world_ledger(s.world).impacts > 1, "%s: they meet", law);
        small_world_end(&s);
    }
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(x[1][i][k], x[0][i][k], 1e-9, "%s: body %d as in the row, x%d", law, i, k);
            CHECK_NEAR(v[1][i][k], v[0][i][k], 1e-7, "%s: body %d as in the row, v%d", law, i, k);
            CHECK_NEAR(w[1][i][k], w[0][i][k], 1e-6, "%s: body %d as in the row, w%d", law, i, k);
        }
}

// -- ends elsewhere -------------------------------------------------------------------------------

// How a scene is moved: by one vector, and each body by whole boxes.
typedef struct move {
    double by[3];
    uint64_t seed; // 0: no body is moved by itself
} move;

static void put(small_world *s, const move *m, int number, double at[3])
{
    carom_random random = carom_random_make(m->seed + (uint64_t)number, 1);
    for (int k = 0; k < 3; ++k) {
        double length = s->options.periodic[k][1] - s->options.periodic[k][0];
        int boxes = m->seed && length > 0 ? (int)carom_random_below(&random, 5) - 2 : 0;
        at[k] += m->by[k] + boxes * length;
    }
}

static void add(small_world *s, const move *m, int i, double at[3], const double velocity[3])
{
    put(s, m, i, at);
    if (i % 3 == 0)
        small_world_ball(s, 0.09, 1.5, at, velocity);
    else if (i % 3 == 1)
        small_world_box(s, (double[]){ 0.1, 0.07, 0.06 }, 1, at, velocity);
    else
        small_world_cylinder(s, 0.07, 0.08, 1.2, at);
}

// A gas of balls, boxes and cylinders in a box without walls.
static small_world gas(const char *law, const move *m)
{
    enum { SIDE = 3 };
    carom_random random = carom_random_make(11, 1);
    small_world s = small_world_make(law);
    s.options.gravity[2] = 0;
    for (int k = 0; k < 3; ++k)
        s.options.periodic[k][1] = 1;
    s.material.restitution = 0.7;
    s.material.friction = 0.3;
    for (int i = 0; i < SIDE * SIDE * SIDE; ++i) {
        double at[3] = { (i % SIDE + 0.5) / SIDE, (i / SIDE % SIDE + 0.5) / SIDE,
                         (i / SIDE / SIDE + 0.5) / SIDE };
        double velocity[3], spin[3];
        for (int k = 0; k < 3; ++k) {
            velocity[k] = carom_random_between(&random, -2, 2);
            spin[k] = carom_random_between(&random, -5, 5);
        }
        add(&s, m, i, at, velocity);
        must(carom_world_set_velocity(s.world, carom_world_body_at(s.world, i), velocity, spin,
                                      &err));
    }
    return s;
}

// Rings of touching balls (their contacts close around the box), on which others fall.
static small_world rings(const char *law, const move *m)
{
    enum { BALLS = 8 };
    small_world s = small_world_make(law);
    for (int k = 0; k < 2; ++k)
        s.options.periodic[k][1] = 1;
    s.material.restitution = 0.5;
    s.material.friction = 0.4;
    for (int i = 0; i < 2 * BALLS; ++i) {
        double at[3] = { (i % BALLS + 0.5) / BALLS, i < BALLS ? 0.3 : 0.7, 0.0625 };
        put(&s, m, i, at);
        at[2] = 0.0625;
        small_world_ball(&s, 0.0625, 1, at, NULL);
    }
    for (int i = 0; i < BALLS / 2; ++i) {
        double at[3] = { (2 * i + 0.37) / BALLS, 0.5 - 0.2 * (i % 2), 0.3 + 0.02 * i };
        put(&s, m, 100 + i, at);
        at[2] = 0.3 + 0.02 * i;
        small_world_ball(&s, 0.08, 2, at, (double[]){ 0.1, 0.2, -2 });
    }
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    return s;
}

// A wall of bricks in running bond that closes around the box, and a heavy one that falls on it.
static small_world bond(const char *law, const move *m)
{
    enum { BRICKS = 4, COURSES = 5 };
    small_world s = small_world_make(law);
    s.options.periodic[0][1] = 1;
    s.material.restitution = 0.2;
    s.material.friction = 0.5;
    for (int i = 0; i < BRICKS * COURSES; ++i) {
        double at[3] = { (i % BRICKS + 0.5 * (i / BRICKS % 2)) / BRICKS, 0,
                         0.04 + 0.08 * (i / BRICKS) };
        put(&s, m, i, at);
        small_world_box(&s, (double[]){ 0.12, 0.06, 0.04 }, 1, at, NULL);
    }
    double at[3] = { 0.98, 0.01, 0.08 * COURSES + 0.06 };
    put(&s, m, 99, at);
    small_world_box(&s, (double[]){ 0.05, 0.06, 0.05 }, 3, at, (double[]){ 0, 0, -1 });
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    return s;
}

typedef small_world maker(const char *law, const move *m);

// How far two runs are apart: of velocities, and of positions less the move, up to whole boxes.
static double apart(const small_world *one, const small_world *other, const move *m, int count)
{
    double most = 0;
    for (int i = 0; i < count; ++i) {
        double x[2][3], v[2][3], w[2][3];
        state(one, i, x[0], v[0], w[0]);
        state(other, i, x[1], v[1], w[1]);
        for (int k = 0; k < 3; ++k) {
            double length = one->options.periodic[k][1], off = x[1][k] - x[0][k] - m->by[k];
            off -= length > 0 ? length * round(off / length) : 0;
            most = fmax(most, fmax(fabs(off), fabs(v[1][k] - v[0][k])));
            most = fmax(most, 0.1 * fabs(w[1][k] - w[0][k]));
        }
    }
    return most;
}

// `most`: round-off of 1e-15 grows with the impacts of a body, each by some ten times.
static void moved(maker *make, const char *name, const char *law, int steps, double most)
{
    const move none = { { 0, 0, 0 }, 0 },
               there = { { 0.4137, make == bond ? 0 : 0.71, make == gas ? -0.39 : 0 }, 5 };
    small_world one = make(law, &none), other = make(law, &there);
    int count = carom_world_body_count(one.world);
    small_world_steps(&one, 0.001, steps);
    small_world_steps(&other, 0.001, steps);
    carom_ledger l = carom_world_ledger(one.world);
    CHECK(l.impacts > 0, "%s, %s: there are impacts", name, law);
    double bodies = make == gas ? count : count - 1; // but the floor
    CHECK_MOST(apart(&one, &other, &there, (int)bodies), most, "%s, %s: ends elsewhere", name, law);
    if (make == gas)
        for (int k = 0; k < 3; ++k) {
            carom_ledger from = carom_world_ledger(other.world);
            CHECK_NEAR(from.momentum[k], l.momentum[k], 1e-12, "%s, %s: momentum", name, law);
        }
    const carom_audit audit = carom_world_audit(other.world);
    CHECK_MOST(audit.momentum, 1e-9, "%s, %s: momenta of every impact", name, law);
    small_world_end(&one);
    small_world_end(&other);
}

static void all_laws(void)
{
    for (int i = 0; carom_law_at(i); ++i) {
        const char *law = carom_law_name(carom_law_at(i));
        moved(gas, "gas", law, 60, 1e-7);
        if (i < check_effort(100, 4))
            moved(rings, "rings", law, 120, 1e-6);
    }
}

int main(void)
{
    two_balls(0.01);
    two_balls(1. / 3); // which is cut where a ball would be too far
    crowded_ring("wave");
    crowded_ring("qce");
    against_row("wave");
    against_row("newton");
    against_row("impulses");
    all_laws();
    // a little beyond the impact: how the bricks share a load afterwards is not determined, neither
    // here nor without a box, and the solver's choice goes by round-off
    moved(bond, "wall", "qce", 12, 1e-10);
    moved(bond, "wall", "newton", 12, 1e-10);
    return check_report();
}

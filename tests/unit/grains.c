// Grains without a host: closed forms of one and two spheres, a row of them, books that close, and
// messages.
#include "support/check.h"
#include "support/grain_box.h"

#include <math.h>
#include <string.h>

static grain_box box;

static carom_grains *make(double restitution, double friction, double gravity)
{
    carom_grains_options options = carom_grains_options_default();
    carom_grains *grains = NULL;
    carom_error err = { 0 };
    options.surface.restitution = restitution;
    options.surface.friction = friction;
    options.gravity[2] = gravity;
    options.skin = 0.005;
    options.slop = 1e-6;
    carom_status status = carom_grains_create(&options, NULL, &grains, &err);
    CHECK(status == CAROM_OK, "made: %s", err.what);
    memset(&box, 0, sizeof box);
    return grains;
}

static void add_floor(carom_grains *grains, double restitution, double friction, double rolling)
{
    carom_grains_wall floor = {
        .normal = { 0, 0, 2 },
        .surface = { .restitution = restitution, .friction = friction, .rolling = rolling }
    };
    carom_error err = { 0 };
    CHECK(carom_grains_add_wall(grains, &floor, &err) == CAROM_OK, "a floor: %s", err.what);
}

static void run(carom_grains *grains, int from, int steps, double dt)
{
    carom_error err = { 0 };
    for (int n = from; n < from + steps; ++n) {
        carom_grains_part part = grain_box_part(&box);
        if (carom_grains_step(grains, &part, n, dt, &err) != CAROM_OK) {
            CHECK(false, "step %d: %s", n, err.what);
            return;
        }
    }
}

static carom_grains_books books_of(carom_grains *grains)
{
    carom_grains_books books = { 0 };
    carom_error err = { 0 };
    carom_grains_part part = grain_box_part(&box);
    CHECK(carom_grains_books_now(grains, &part, &books, &err) == CAROM_OK, "books: %s", err.what);
    return books;
}

// Two spheres of unequal mass, head on: u+ = -e u-, momentum kept.
static void two_spheres(void)
{
    carom_grains *grains = make(0.7, 0.5, 0);
    grain_box_add(&box, (double[3]){ 0, 0, 0 }, 0.002);
    grain_box_add(&box, (double[3]){ 0.0046, 0, 0 }, 0.0025);
    box.v[0][0] = 0.5;
    box.v[1][0] = -0.1;
    run(grains, 0, 10, 1e-3);
    double m0 = box.mass[0], m1 = box.mass[1], mean = (m0 * 0.5 - m1 * 0.1) / (m0 + m1);
    CHECK_NEAR(box.v[0][0], mean - 0.7 * 0.6 * m1 / (m0 + m1), 1e-15, "the lighter one");
    CHECK_NEAR(box.v[1][0], mean + 0.7 * 0.6 * m0 / (m0 + m1), 1e-15, "the heavier one");
    carom_grains_books books = books_of(grains);
    CHECK_NEAR(books.momentum[0], m0 * 0.5 - m1 * 0.1, 1e-19, "momentum (kg m/s)");
    CHECK_NEAR(books.law, 0.5 * m0 * m1 / (m0 + m1) * 0.36 * 0.51, 1e-18, "loss (J)");
    CHECK(books.impacts == 1, "%lld impacts", (long long)books.impacts);
    carom_grains_destroy(grains);
}

// Equal spheres in a row, the first strikes: the last one leaves with its speed.
static void cradle(void)
{
    carom_grains *grains = make(1, 0, 0);
    for (int i = 0; i < 7; ++i)
        grain_box_add(&box, (double[3]){ 0.004 * i + (i ? 0.0003 : 0), 0, 0 }, 0.002);
    box.v[0][0] = 0.5;
    run(grains, 0, 5, 1e-3);
    for (int i = 0; i < 7; ++i)
        CHECK_NEAR(box.v[i][0], i == 6 ? 0.5 : 0, 1e-15, "ball %d", i);
    carom_grains_destroy(grains);
}

// A sphere thrown along a floor slides, then rolls with 5/7 of its speed; rolling resistance rho
// stops it with 5/7 g rho/r at a time.
static void rolls(void)
{
    const double dt = 1e-4, g = 9.81;
    carom_grains *grains = make(0, 0.3, -g);
    add_floor(grains, 0, 0.3, 0);
    grain_box_add(&box, (double[3]){ 0, 0, 0.0025 }, 0.0025);
    box.v[0][0] = 0.5;
    run(grains, 0, 100, dt); // it slides for 2/7 v / (mu g) = 0.0485 s
    CHECK_NEAR(box.v[0][0], 0.5 - 0.3 * g * 0.01, 1e-12, "it slides with mu g");
    run(grains, 100, 500, dt);
    CHECK_NEAR(box.v[0][0], 0.5 * 5 / 7, 1e-9, "5/7 of its speed");
    CHECK_NEAR(box.w[0][1] * 0.0025, box.v[0][0], 1e-9, "it rolls");
    CHECK_NEAR(box.x[0][2], 0.0025, 1e-6, "on the floor, within the slop");
    carom_grains_destroy(grains);
    grains = make(0, 0.3, -g);
    add_floor(grains, 0, 0.3, 1e-5);
    grain_box_add(&box, (double[3]){ 0, 0, 0.0025 }, 0.0025);
    box.v[0][0] = 0.1;
    box.w[0][1] = 0.1 / 0.0025;
    run(grains, 0, 1000, dt);
    CHECK_NEAR(box.v[0][0], 0.1 - 5.0 / 7 * g * 1e-5 / 0.0025 * 0.1, 2e-6,
               "rolling resistance slows it down");
    carom_grains_destroy(grains);
}

// Dropped from h it comes back to e^2 h; flight is exact.
static void bounces(void)
{
    carom_grains *grains = make(0.8, 0, -9.81);
    const double dt = 1e-5, radius = 0.0025, height = 0.01;
    double top = 0;
    add_floor(grains, 0.8, 0, 0);
    grain_box_add(&box, (double[3]){ 0, 0, radius + height }, radius);
    int fall = (int)(sqrt(2 * height / 9.81) / dt);
    run(grains, 0, fall - 10, dt);
    double time = (fall - 10) * dt;
    CHECK_NEAR(box.x[0][2], radius + height - 0.5 * 9.81 * time * time, 1e-15, "free fall");
    for (int n = fall - 10; n < 3 * fall; ++n) {
        run(grains, n, 1, dt);
        top = n > 2 * fall - fall / 2 ? fmax(top, box.x[0][2]) : top;
    }
    // the moment of impact is known to a step: v dt = 4.4e-6 m
    CHECK_NEAR(top, radius + 0.64 * height, 1e-5, "it rises to e^2 h");
    carom_grains_destroy(grains);
}

// A driven floor throws a grain: what it has afterwards is what the wall brought less the loss.
static void driven(void)
{
    carom_grains *grains = make(0.5, 0.3, -9.81);
    carom_grains_wall floor = { .normal = { 0, 0, 1 },
                                .amplitude = { 0, 0, 0.002 },
                                .frequency = 20,
                                .surface = { .restitution = 0.5, .friction = 0.3 } };
    carom_error err = { 0 };
    carom_grains_add_wall(grains, &floor, &err);
    for (int i = 0; i < 5; ++i)
        grain_box_add(&box, (double[3]){ 1e-4 * (i % 2), 0, 0.0026 + 0.0052 * i }, 0.0025);
    run(grains, 0, 2000, 1e-4);
    carom_grains_books books = books_of(grains);
    CHECK(books.driven > 1e-5, "the wall brings energy: %g J", books.driven);
    CHECK_MOST(fabs(books.integrator), 1e-12 * books.driven, "the books close");
    CHECK_MOST(books.peak_overlap, 5e-5, "no deep overlap (m)");
    carom_grains_destroy(grains);
}

// A box of grains comes to rest; contact takes energy only, and nothing is inside anything.
static void settles(void)
{
    carom_grains *grains = make(0.5, 0.5, -9.81);
    carom_grains_wall walls[5] = { { .normal = { 0, 0, 1 } },
                                   { .normal = { 1, 0, 0 } },
                                   { .normal = { 0, 1, 0 } },
                                   { .normal = { -1, 0, 0 }, .point = { 0.0275, 0, 0 } },
                                   { .normal = { 0, -1, 0 }, .point = { 0, 0.0275, 0 } } };
    carom_error err = { 0 };
    for (int k = 0; k < 5; ++k) {
        walls[k].surface = (carom_grains_surface){ .restitution = 0.5, .friction = 0.5 };
        carom_grains_add_wall(grains, &walls[k], &err);
    }
    grain_box_fill(&box, 5, 6);
    double last = 0;
    for (int n = 0; n < 40; ++n) {
        run(grains, 10 * n, 10, 1e-3);
        carom_grains_books books = books_of(grains);
        // sweeps that end at their cap may give back a little
        CHECK(books.law + books.rest >= last * (1 - 1e-6), "loss at step %d: %.15g after %.15g J",
              10 * n, books.law + books.rest, last);
        CHECK(books.correction <= books.rest, "correction spends what rest has taken");
        last = books.law + books.rest;
    }
    carom_grains_books books = books_of(grains);
    CHECK_MOST(fabs(books.integrator), 1e-13 * books.start, "the books close");
    CHECK_MOST(books.kinetic, 2e-4 * books.start, "it has come to rest nearly");
    CHECK_MOST(books.overlap, 2e-5, "overlap (m)");
    CHECK(books.contacts > 300, "%lld contacts carry", (long long)books.contacts);
    carom_grains_destroy(grains);
}

static void messages(void)
{
    carom_grains *grains = make(0.5, 0.5, 0);
    carom_error err = { 0 };
    grain_box_add(&box, (double[3]){ 0, 0, 0 }, 0.002);
    grain_box_add(&box, (double[3]){ 0.01, 0, 0 }, 0.002);
    box.v[1][0] = 30;
    carom_grains_part part = grain_box_part(&box);
    CHECK(carom_grains_step(grains, &part, 0, 1e-3, &err) == CAROM_BROKE_PROMISE, "too fast");
    CHECK_TEXT(err.what, "grain 2 goes 0.03 m in a step, more than half of the skin of 0.005 m",
               "what");
    box.v[1][0] = 0;
    box.x[1][0] = 0;
    CHECK(carom_grains_step(grains, &part, 0, 1e-3, &err) == CAROM_BAD_INPUT, "one place");
    box.x[1][0] = (double)NAN;
    CHECK(carom_grains_step(grains, &part, 0, 1e-3, &err) == CAROM_BROKE_PROMISE, "no number");
    CHECK(carom_grains_step(grains, &part, 0, -1, &err) == CAROM_BAD_INPUT, "a negative step");
    carom_grains_wall wall = { .surface = { .restitution = 0.5 } };
    CHECK(carom_grains_add_wall(grains, &wall, &err) == CAROM_BAD_INPUT, "a wall without a normal");
    carom_grains_options options = carom_grains_options_default();
    carom_grains *none;
    CHECK(carom_grains_create(&options, NULL, &none, &err) == CAROM_BAD_INPUT, "no skin");
    carom_grains_destroy(grains);
}

int main(void)
{
    two_spheres();
    cradle();
    rolls();
    bounces();
    driven();
    settles();
    messages();
    return check_report();
}

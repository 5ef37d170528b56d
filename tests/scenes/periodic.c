// Grains without walls: a gas that cools in a periodic box, and a bed that settles in one.
//
// The gas is that of scenes/haff.c without its walls: Haff's time is that of Enskog's theory for
// the number density N / L^3 as it stands, without the correction for grains that keep away from
// walls.
//
// The bed: balls that fall on a floor between ends that are one. All of its weight is on the floor,
// and it is as dense at the ends as in the middle; between walls of the same kind grains lie in
// layers, with a gap at each.
#include <math.h>
#include "carom/measure.h"
#include "carom/random.h"
#include "support/check.h"
#include "support/play.h"
#include "support/small_world.h"

#define PI 3.14159265358979323846

static double theory(double temperature)
{
    const double e = 0.8, d = 0.01, side = 0.2, count = 1000, m = 2500 * PI / 6 * d * d * d;
    double n = count / (side * side * side), phi = n * PI / 6 * d * d * d;
    double chi = (1 - phi / 2) / ((1 - phi) * (1 - phi) * (1 - phi));
    return 2 / (4.0 / 3 * (1 - e * e) * n * d * d * chi * sqrt(PI * temperature / m));
}

static void cool(void)
{
    play p = play_open("haff-periodic");
    carom_error err = { 0 };
    carom_measure *measure = NULL;
    const carom_measure_table *table = NULL;
    int full = check_effort(1, 0), steps = check_effort(100, 5), looks = check_effort(50, 20);
    carom_measure_options options = { .of = CAROM_MEASURE_TEMPERATURE, .from = full ? 0.2 : 0 };
    play_set(&p, "step", "0.0004");
    CHECK(carom_measure_create(p.scene, &options, &measure, &err) == CAROM_OK, "%s", err.what);
    play_steps(&p, 1);
    carom_ledger start = play_ledger(&p);
    for (int i = 0; i < looks && play_steps(&p, steps); ++i)
        CHECK(carom_measure_look(measure, p.world, p.dt, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_measure_finish(measure, &table, &err) == CAROM_OK, "%s", err.what);
    double wanted = theory(carom_measure_value(table, "temperature at the start"));
    double ratio = carom_measure_value(table, "Haff time") / wanted;
    if (full) {
        // as in scenes/haff.c: a thousand grains scatter by some percent; the step adds up to 2 %
        CHECK_NEAR(ratio, 1, 0.08, "Haff's time is that of kinetic theory");
        CHECK(carom_measure_value(table, "Haff times seen") > 3, "the gas has cooled");
    }
    carom_ledger l = play_ledger(&p);
    for (int k = 0; k < 3; ++k) // 1e5 impulses of at most 1e-3 N s
        CHECK_NEAR(l.momentum[k], start.momentum[k], 1e-14, "momentum along %d", k);
    CHECK_NEAR(l.start - l.kinetic - l.law - l.rest, 0, 1e-9 * l.start, "the books close");
    carom_measure_destroy(measure);
    play_close(&p);
}

// -- a bed ----------------------------------------------------------------------------------------

enum { SIDE = 8, LAYERS = 6, BINS = 32 };
static const double R = 0.005, LENGTH = 2 * 0.005 * 1.05 * SIDE;

// Volume of the balls per bin along x, over that of all bins.
static void profile(const small_world *s, double out[BINS])
{
    for (int b = 0; b < BINS; ++b)
        out[b] = 0;
    for (int i = 1; i <= SIDE * SIDE * LAYERS; ++i) {
        double x[3], home[3];
        carom_world_body(s->world, carom_world_body_at(s->world, i), x, NULL, NULL, NULL);
        carom_world_periodic_home(&s->options, x, home);
        for (int n = -1; n <= 1; ++n) // images, as far as they are in the box
            for (int b = 0; b < BINS; ++b) {
                double from = (b * LENGTH / BINS - home[0] - n * LENGTH) / R,
                       to = ((b + 1) * LENGTH / BINS - home[0] - n * LENGTH) / R;
                from = fmax(-1, fmin(1, from)), to = fmax(-1, fmin(1, to));
                out[b] +=
                    0.25 * (to * (3 - to * to) - from * (3 - from * from)) / (SIDE * SIDE * LAYERS);
            }
    }
}

static small_world bed(int periodic)
{
    small_world s = small_world_make("wave");
    s.options.events = 0;
    s.options.resting_speed = 100;
    s.material.friction = 0.3;
    s.material.restitution = 0;
    for (int k = 0; k < 2 && periodic; ++k)
        s.options.periodic[k][1] = LENGTH;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    carom_random random = carom_random_make(5, 1);
    for (int i = 0; i < SIDE * SIDE * LAYERS; ++i) {
        double at[3] = { (i % SIDE + 0.5) / SIDE * LENGTH, (i / SIDE % SIDE + 0.5) / SIDE * LENGTH,
                         2.4 * R * (i / SIDE / SIDE) + 1.5 * R };
        for (int k = 0; k < 2; ++k)
            at[k] += carom_random_between(&random, -0.02, 0.02) * R;
        small_world_ball(&s, R, 1e-3, at,
                         (double[]){ carom_random_between(&random, -0.2, 0.2),
                                     carom_random_between(&random, -0.2, 0.2), 0 });
    }
    for (int k = 0; k < 4 && !periodic; ++k) {
        double n[3] = { 0, 0, 0 };
        n[k / 2] = k % 2 ? -1 : 1;
        small_world_floor(&s, n, k % 2 ? -LENGTH : 0);
    }
    return s;
}

// Of the two outermost bins, which are a quarter of a grain wide, against the mean of all.
static double at_the_ends(const double bins[BINS])
{
    return 0.5 * (bins[0] + bins[BINS - 1]) * BINS;
}

static void settle(void)
{
    const double weight = SIDE * SIDE * LAYERS * 1e-3 * 9.81;
    double flat[BINS], walled[BINS], floor = 0, sides = 0;
    small_world box = bed(1), walls = bed(0);
    small_world_steps(&box, 0.001, 400);
    small_world_steps(&walls, 0.001, 400);
    profile(&box, flat);
    profile(&walls, walled);
    carom_world_record_contacts(box.world, 1);
    double before = carom_world_ledger(box.world).momentum[2];
    small_world_steps(&box, 0.001, 1);
    int count;
    const carom_world_contact *contacts = carom_world_contacts(box.world, &count);
    for (int i = 0; i < count; ++i)
        if (contacts[i].a == 0) {
            floor += contacts[i].impulse[2];
            sides += contacts[i].impulse[0];
        }
    carom_ledger l = carom_world_ledger(box.world);
    CHECK_NEAR(floor - (l.momentum[2] - before), 1e-3 * weight, 1e-9 * weight,
               "the floor carries the weight, but for what still moves");
    CHECK_NEAR(floor, 1e-3 * weight, 2e-5 * weight, "which is little");
    CHECK_MOST(fabs(sides), 1e-5 * weight, "and nothing pushes it along");
    CHECK_MOST(l.kinetic, 1e-4 * weight * R * LAYERS, "it is at rest");
    // a ball at a wall has 5/32 of its volume within half its radius of the wall, 0.31 of an even
    // spread; without walls a layer of grains lies anywhere
    CHECK_MOST(at_the_ends(walled), 0.75, "between walls the ends are loose");
    CHECK(at_the_ends(flat) > 0.85, "without walls they are not: %g of the mean",
          at_the_ends(flat));
    small_world_end(&box);
    small_world_end(&walls);
}

// The generator `fill` from end to end of the box: no two overlap at any image, and the ends are
// filled as the middle is. Balls used to stay inside, as between walls, and left a gap at the ends.
static void filled(void)
{
    enum { COUNT = 400 };
    const double r = 0.04;
    play p = play_parse("filled", "{ \"carom\": 1, \"kind\": \"world\", \"gravity\": [0, 0, 0], "
                                  "\"periodic\": { \"x\": [0, 1], \"y\": [-0.5, 0.5] }, "
                                  "\"generators\": [ { \"fill\": { \"count\": 400, "
                                  "\"from\": [0, -0.5, 0], \"to\": [1, 0.5, 1], "
                                  "\"bodies\": [ { \"shape\": { \"sphere\": 0.04 } } ] } } ] }");
    double nearest = HUGE_VAL;
    int across = 0;
    play_build(&p);
    for (int i = 0; i < COUNT && !p.broken; ++i) {
        vec3 a = play_position(&p, i);
        across += a.x < r || a.x > 1 - r;
        for (int k = 0; k < i; ++k) {
            vec3 d = vec3_sub(a, play_position(&p, k));
            d.x -= round(d.x);
            d.y -= round(d.y);
            nearest = fmin(nearest, vec3_length(d));
        }
    }
    CHECK(nearest >= 2 * r, "nobody is nearer than two radii at any image: %g", nearest);
    // 2 r of the length: 32 of 400 on average, 5.4 the standard deviation of as many at random
    CHECK_NEAR(across, 32, 4 * 5.4, "balls across the ends of x");
    play_close(&p);
}

int main(void)
{
    cool();
    settle();
    filled();
    return check_report();
}

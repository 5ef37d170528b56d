// Sleeping islands: who falls asleep and who wakes, that no energy comes or goes by it, and that
// the bits depend neither on threads nor on a break in between.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "carom/world_change.h"
#include "carom/world_event.h"
#include "support/check.h"
#include "support/small_world.h"

#define DT 0.01

static carom_error err;

static void must(carom_status status)
{
    CHECK(status == CAROM_OK, "done: %s %s", err.what, err.fix);
}

static bool asleep(const small_world *s, int slot)
{
    return carom_world_asleep(s->world, small_world_id(s, slot));
}

// Two towers of three boxes, 4 m apart: slots 1 to 3 and 4 to 6.
static small_world towers(int threads)
{
    small_world s = small_world_make("qce");
    s.options.sleep_after = 0.5;
    s.options.threads = threads;
    s.material.restitution = 0.2;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    for (int k = 0; k < 6; ++k)
        small_world_box(&s, (double[]){ 0.2, 0.2, 0.1 }, 1,
                        (double[]){ k < 3 ? 0 : 4, 0, 0.1 + 0.2 * (k % 3) }, NULL);
    return s;
}

static double energy(const small_world *s)
{
    carom_ledger l = carom_world_ledger(s->world);
    return l.kinetic + l.potential;
}

// After half a second both sleep; from then on nothing moves and nothing costs.
static void towers_sleep(void)
{
    small_world s = towers(1);
    int steps = 0;
    double before = 0;
    for (; steps < 200 && carom_world_asleep_count(s.world) == 0; ++steps) {
        before = energy(&s);
        small_world_steps(&s, DT, 1);
    }
    CHECK(carom_world_asleep_count(s.world) == 6, "all six sleep after %d steps", steps);
    CHECK(steps >= 50, "not before half a second: %d", steps);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK_NEAR(energy(&s), before - (l.rest - l.position_correction), 1e-6,
               "what they have lost, contacts took");
    uint64_t hash = carom_world_hash(s.world);
    double now = energy(&s), time = l.time;
    small_world_steps(&s, DT, 1000);
    l = carom_world_ledger(s.world);
    CHECK(carom_world_hash(s.world) == hash, "nothing moves");
    CHECK_NEAR(energy(&s), now, 0, "no energy comes or goes");
    CHECK_NEAR(l.time, time + 10, 1e-9, "time does");
    CHECK(l.contacts == 0 && l.rest_sweeps == 0, "nothing is looked at");
    // waking gives back what they had, to the bit
    must(carom_world_wake(s.world, small_world_id(&s, 2), &err));
    CHECK(carom_world_asleep_count(s.world) == 3 && !asleep(&s, 1) && asleep(&s, 5), "one tower");
    must(carom_world_wake(s.world, small_world_id(&s, 5), &err));
    must(carom_world_set_gravity(s.world, (double[]){ 0, 0, -9.81 }, &err)); // sums up anew
    CHECK_NEAR(energy(&s), now, 0, "energy awake");
    small_world_end(&s);
}

// A ball that drifts more slowly than `sleep_speed` stops where it is, and keeps what it has.
static void a_drifting_ball(void)
{
    small_world s = small_world_make("qce");
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    s.options.sleep_after = 0.5;
    int ball = small_world_ball(&s, 0.1, 2, (double[3]){ 0 }, (double[]){ 5e-4, 0, 0 });
    must(carom_world_set_velocity(s.world, small_world_id(&s, ball), NULL, (double[]){ 0, 1e-3, 0 },
                                  &err));
    double had = energy(&s), x[3], v[3], w[3];
    small_world_steps(&s, DT, 100);
    carom_world_body(s.world, small_world_id(&s, ball), x, NULL, v, NULL);
    CHECK(asleep(&s, ball) && v[0] == 0, "asleep");
    CHECK_NEAR(x[0], 0.5 * 5e-4, 1.5 * DT * 5e-4, "after half a second it goes no farther");
    CHECK_NEAR(energy(&s), had, 1e-12 * had, "its energy stays");
    CHECK_NEAR(carom_world_ledger(s.world).momentum[0], 1e-3, 1e-15, "and its momentum");
    must(carom_world_wake(s.world, small_world_id(&s, ball), &err));
    carom_world_body(s.world, small_world_id(&s, ball), NULL, NULL, v, w);
    CHECK(v[0] == 5e-4 && w[1] == 1e-3, "it goes on as it was");
    small_world_end(&s);
}

// A ball falls on the first tower: that wakes, the other does not.
static void a_ball_wakes(void)
{
    small_world s = towers(1);
    small_world_steps(&s, DT, 100);
    CHECK(carom_world_asleep_count(s.world) == 6, "asleep");
    int ball = small_world_ball(&s, 0.1, 3, (double[]){ 0.05, 0, 1.7 }, NULL);
    int steps = 0;
    for (; steps < 100 && asleep(&s, 3); ++steps)
        small_world_steps(&s, DT, 1);
    double fall = 1.7 - 0.1 - 0.6; // m
    CHECK_NEAR(steps * DT, sqrt(2 * fall / 9.81), 2 * DT, "it wakes when the ball comes");
    CHECK(!asleep(&s, 1) && !asleep(&s, 2) && asleep(&s, 4) && asleep(&s, 6), "one tower");
    small_world_steps(&s, DT, 20);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK(l.law > 1, "the blow went through the law: %g J", l.law);
    CHECK_MOST(l.integrator, 1e-6, "nothing was added");
    must(carom_world_remove(s.world, small_world_id(&s, ball), &err)); // which would roll for ever
    for (int k = 0; k < 400 && carom_world_asleep_count(s.world) < 6; ++k)
        small_world_steps(&s, DT, 1);
    CHECK(carom_world_asleep_count(s.world) >= 6, "the tower sleeps again: %d",
          carom_world_asleep_count(s.world));
    small_world_end(&s);
}

static int woken_by(void (*act)(small_world *s))
{
    small_world s = towers(1);
    small_world_steps(&s, DT, 100);
    CHECK(carom_world_asleep_count(s.world) == 6, "asleep");
    act(&s);
    int woken = 6 - carom_world_asleep_count(s.world);
    small_world_end(&s);
    return woken;
}

static void by_impulse(small_world *s)
{
    must(carom_world_apply_impulse(s->world, small_world_id(s, 5), (double[]){ 1, 0, 0 }, NULL,
                                   &err));
}

static void by_gravity(small_world *s)
{
    must(carom_world_set_gravity(s->world, (double[]){ 0, 0, -5 }, &err));
}

static void by_floor(small_world *s)
{
    must(carom_world_remove(s->world, small_world_id(s, 0), &err));
}

static void by_removal(small_world *s)
{
    must(carom_world_remove(s->world, small_world_id(s, 1), &err));
    small_world_steps(s, DT, 10);
    double v[3];
    carom_world_body(s->world, small_world_id(s, 3), NULL, NULL, v, NULL);
    CHECK_NEAR(v[2], -0.1 * 9.81, 1e-9, "what stood on it falls");
}

// A driven plate comes down on the second tower at 1 m/s.
static void by_driven(small_world *s)
{
    carom_shape *shape;
    carom_body plate = carom_world_body_default();
    must(carom_box_create((double[]){ 0.5, 0.5, 0.1 }, &shape, &err));
    plate.kind = CAROM_BODY_DRIVEN;
    plate.shape = shape;
    plate.position[0] = 4;
    plate.position[2] = 1.2;
    must(carom_world_add_body(s->world, &plate, NULL, &err)); // wakes all
    carom_shape_release(shape);
    small_world_steps(s, DT, 100);
    CHECK(carom_world_asleep_count(s->world) == 6, "asleep again");
    must(carom_world_set_velocity(s->world, small_world_id(s, 7), (double[]){ 0, 0, -1 }, NULL,
                                  &err));
    CHECK(carom_world_asleep_count(s->world) == 6, "still");
    small_world_steps(s, DT, 30);
    CHECK(carom_world_asleep_count(s->world) == 6, "it has half a metre to go");
    small_world_steps(s, DT, 25);
}

static void rules(void)
{
    CHECK(woken_by(by_impulse) == 3, "an impulse wakes the island");
    CHECK(woken_by(by_gravity) == 6, "gravity wakes all");
    CHECK(woken_by(by_floor) == 6, "what cannot move wakes all");
    CHECK(woken_by(by_removal) == 3, "a body that goes wakes its island; it does not sleep itself");
    CHECK(woken_by(by_driven) == 3, "a driven body wakes what it meets");
}

// Sleep, a ball, sleep again, with other numbers of threads and a break at every stage.
static void same_bits(void)
{
    small_world s[3] = { towers(1), towers(2), towers(1) };
    void *bytes = NULL;
    for (int k = 0; k < 40; ++k) {
        for (int i = 0; i < 3; ++i) {
            if (k == 10)
                small_world_ball(&s[i], 0.1, 3, (double[]){ 0.05, 0.02, 1.2 }, NULL);
            small_world_steps(&s[i], DT, 10);
            CHECK(carom_world_hash(s[i].world) == carom_world_hash(s[0].world), "world %d at %d", i,
                  k);
            CHECK(carom_world_asleep_count(s[i].world) == carom_world_asleep_count(s[0].world),
                  "sleepers of world %d at %d", i, k);
        }
        // the third is put back from a snapshot of the first every time
        size_t size = carom_world_snapshot_size(s[0].world);
        bytes = realloc(bytes, size);
        carom_world_snapshot(s[0].world, bytes);
        must(carom_world_restore(s[2].world, bytes, size, &err));
        CHECK_NEAR(energy(&s[2]), energy(&s[0]), 0, "energy at %d", k);
    }
    CHECK(carom_world_asleep_count(s[0].world) > 0, "they sleep in the end");
    free(bytes);
    for (int i = 0; i < 3; ++i)
        small_world_end(&s[i]);
}

// Sleepers go on touching: no event tells of their falling asleep.
static void events_stay(void)
{
    small_world s = towers(1);
    carom_world_record_events(s.world, 1);
    int ended = 0, begun = 0;
    for (int k = 0; k < 120; ++k) {
        small_world_steps(&s, DT, 1);
        int count;
        const carom_contact_event *list = carom_world_events(s.world, &count);
        for (int i = 0; i < count; ++i) {
            ended += list[i].kind == CAROM_EVENT_END;
            begun += list[i].kind == CAROM_EVENT_BEGIN;
        }
    }
    CHECK(carom_world_asleep_count(s.world) == 6 && begun == 6 && ended == 0, "%d begun, %d ended",
          begun, ended);
    must(carom_world_wake(s.world, small_world_id(&s, 1), &err));
    small_world_steps(&s, DT, 1);
    int count;
    carom_world_events(s.world, &count);
    CHECK(count == 0, "nor of their waking: %d", count);
    small_world_end(&s);
}

// A ball rolls through a field of sleepers on both sides of the origin: it meets who is in its way,
// whichever sleepers a step looks at, and the others sleep on.
static void a_field(void)
{
    enum { SIDE = 21 };
    small_world s = small_world_make("wave");
    s.options.sleep_after = 0.1;
    s.material.restitution = 1;
    s.material.friction = 0;
    small_world_floor(&s, (double[3]){ 0, 0, 1 }, 0);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        double at[3] = { 0.3 * (i % SIDE - SIDE / 2), 0.3 * (i / SIDE - SIDE / 2), 0.05 };
        small_world_ball(&s, 0.05, 1, at, NULL);
    }
    small_world_steps(&s, DT, 30);
    CHECK(carom_world_asleep_count(s.world) == SIDE * SIDE, "all sleep");
    int ball = small_world_ball(&s, 0.08, 1, (double[3]){ -3.6, -3.1, 0.08 }, NULL);
    carom_world_set_velocity(s.world, small_world_id(&s, ball), (double[3]){ 6, 4, 0 }, NULL, NULL);
    int most = 0;
    for (int k = 0; k < 90; ++k) {
        int count;
        carom_overlap worst;
        small_world_steps(&s, DT, 1);
        must(carom_world_overlaps(s.world, &worst, &count, &err));
        CHECK(count == 0, "nobody is inside another: %g m", worst.depth);
        int awake = SIDE * SIDE + 1 - carom_world_asleep_count(s.world);
        most = awake > most ? awake : most;
    }
    CHECK(most > 5 && most < SIDE * SIDE / 2, "some wake: %d", most);
    carom_ledger l = carom_world_ledger(s.world);
    double all = l.kinetic + l.potential + l.law + l.rest - l.position_correction;
    CHECK_NEAR(all, l.start + l.driven, 1e-9, "and no energy comes or goes");
    CHECK_MOST(l.law + l.rest, 0.1, "nearly all of it is still there");
    small_world_end(&s);
}

int main(void)
{
    towers_sleep();
    a_drifting_ball();
    a_ball_wakes();
    rules();
    same_bits();
    events_stay();
    a_field();
    return check_report();
}

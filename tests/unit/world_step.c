// A step that goes wrong says so, and leaves the world as it was: energy out of nothing, a spin
// that cannot be followed, a caller who wants to stop.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/clock.h"
#include "support/check.h"
#include "support/small_world.h"

static const double up[3] = { 0, 0, 1 };

// Balls that fall onto a floor and each other, at rest after a while.
static small_world heap(void)
{
    small_world s = small_world_make("qce");
    s.options.resting_speed = 0.1;
    small_world_floor(&s, up, 0);
    for (int i = 0; i < 8; ++i)
        small_world_ball(&s, 0.1, 1,
                         (double[]){ 0.19 * (i % 2), 0.19 * (i / 2 % 2), 0.15 + 0.21 * (i / 4) },
                         NULL);
    small_world_steps(&s, 1.0 / 240, 100);
    return s;
}

typedef struct patience {
    int intervals, left;
} patience;

static int ask(void *context, double done, double total, const char *what)
{
    (void)done, (void)total;
    patience *p = context;
    p->intervals += strcmp(what, "collide") == 0;
    return p->left-- <= 0;
}

// Given up after any number of questions, the step leaves no trace: what follows has the same bits.
static void interrupted(void)
{
    small_world s = heap(), t = heap();
    carom_error err = { 0 };
    int given_up = 0;
    for (int left = 0; left < 40; ++left) {
        patience p = { 0, left };
        carom_progress progress = { ask, &p };
        uint64_t before = carom_world_hash(s.world);
        carom_ledger ledger = carom_world_ledger(s.world);
        carom_world_set_progress(s.world, &progress);
        carom_status status = carom_world_step(s.world, 1.0 / 240, &err);
        carom_world_set_progress(s.world, NULL);
        if (status == CAROM_OK)
            break;
        ++given_up;
        CHECK(status == CAROM_INTERRUPTED, "a step that is given up says so, found %d", status);
        CHECK(carom_world_hash(s.world) == before, "and leaves the world as it was");
        carom_ledger now = carom_world_ledger(s.world);
        CHECK(memcmp(&now, &ledger, sizeof now) == 0, "and the books");
    }
    CHECK(given_up >= 2, "a step asks several times, found %d", given_up);
    small_world_steps(&s, 1.0 / 240, 1);
    carom_world_step(t.world, 1.0 / 240, &err);
    carom_world_step(t.world, 1.0 / 240, &err);
    CHECK(carom_world_hash(s.world) == carom_world_hash(t.world),
          "the steps that follow have the bits of a world that was never interrupted");
    small_world_end(&s);
    small_world_end(&t);
}

// A body that is not round cannot turn a thousand times in one interval; a ball can.
static void spun(void)
{
    small_world s = small_world_make("qce");
    carom_error err = { 0 };
    double spin[3] = { 1e6, 2e6, -1e6 }, after[3], still[3] = { 0, 0, 0 };
    int ball = small_world_ball(&s, 0.1, 1, (double[]){ 0, 0, 5 }, NULL);
    int box = small_world_box(&s, (double[]){ 0.1, 0.2, 0.3 }, 1, (double[]){ 2, 0, 5 }, NULL);
    carom_world_set_velocity(s.world, carom_world_body_at(s.world, ball), still, spin, NULL);
    CHECK(carom_world_step(s.world, 1.0 / 60, &err) == CAROM_OK, "a ball may spin at any speed: %s",
          err.what);
    carom_world_body(s.world, carom_world_body_at(s.world, ball), NULL, NULL, NULL, after);
    CHECK(memcmp(spin, after, sizeof spin) == 0, "and keeps its spin to the last bit");
    carom_world_set_velocity(s.world, carom_world_body_at(s.world, box), still, spin, NULL);
    carom_status status = carom_world_step(s.world, 1.0 / 60, &err);
    CHECK(status == CAROM_BROKE_PROMISE && strstr(err.what, "turns by") && err.body == box,
          "a box that turns thousands of times in a step is named: %s, %s", err.what, err.where);
    small_world_end(&s);
}

// The time at which energy appears is the time at which the run ends. The books are told that
// the energy at the start was less than it was, which is what a gain looks like.
static void gained(void)
{
    small_world s = small_world_make("qce");
    carom_error err = { 0 };
    small_world_floor(&s, up, 0);
    small_world_ball(&s, 0.1, 1, (double[]){ 0, 0, 5 }, NULL);
    small_world_steps(&s, 1.0 / 240, 10);
    size_t size = carom_world_snapshot_size(s.world);
    unsigned char bytes[4096];
    CHECK(size < sizeof bytes, "a small world, %zu bytes", size);
    carom_world_snapshot(s.world, bytes);
    carom_ledger ledger = carom_world_ledger(s.world);
    for (size_t at = 0; at + sizeof ledger <= size; ++at)
        if (memcmp(bytes + at, &ledger, sizeof ledger) == 0) {
            ledger.start -= 100;
            memcpy(bytes + at, &ledger, sizeof ledger);
            break;
        }
    CHECK(carom_world_restore(s.world, bytes, size, &err) == CAROM_OK, "restored: %s", err.what);
    uint64_t before = carom_world_hash(s.world);
    carom_status status = carom_world_step(s.world, 1.0 / 240, &err);
    CHECK(status == CAROM_BROKE_PROMISE && strstr(err.what, "out of nothing"),
          "energy out of nothing is named: %s", err.what);
    CHECK(carom_world_hash(s.world) == before, "and the world is as it was before that step");
    small_world_end(&s);
}

// A checkpoint whose numbers would overflow inside a step is refused before the world takes it.
static void foreign(void)
{
    small_world s = small_world_make("wave");
    carom_error err = { 0 };
    small_world_floor(&s, up, 0);
    int ball = small_world_ball(&s, 0.1, 3, (double[]){ 0, 0, 5 }, NULL);
    carom_world_set_velocity(s.world, carom_world_body_at(s.world, ball), (double[]){ 1.25, 0, 0 },
                             (double[]){ 0, 0, 0 }, NULL);
    size_t size = carom_world_snapshot_size(s.world);
    unsigned char bytes[4096];
    CHECK(size < sizeof bytes, "a small world, %zu bytes", size);
    carom_world_snapshot(s.world, bytes);
    uint64_t before = carom_world_hash(s.world);
    const double speed = 1.25, place = 5, bad[] = { 1e200, INFINITY, NAN };
    for (size_t at = 0; at + sizeof speed <= size; at += sizeof speed)
        for (int k = 0; k < 3; ++k)
            if (memcmp(bytes + at, &speed, sizeof speed) == 0 ||
                memcmp(bytes + at, &place, sizeof place) == 0) {
                unsigned char changed[4096];
                memcpy(changed, bytes, size);
                memcpy(changed + at, &bad[k], sizeof bad[k]);
                CHECK(carom_world_restore(s.world, changed, size, &err) == CAROM_BAD_INPUT &&
                          strstr(err.what, "of a body") && *err.fix,
                      "%g in a checkpoint is refused: %s", bad[k], err.what);
                CHECK(carom_world_hash(s.world) == before, "and the world is as it was");
            }
    carom_ledger ledger = carom_world_ledger(s.world);
    for (size_t at = 0; at + sizeof ledger <= size; ++at)
        if (memcmp(bytes + at, &ledger, sizeof ledger) == 0) {
            unsigned char changed[4096];
            memcpy(changed, bytes, size);
            ledger.steps = INT64_MIN;
            memcpy(changed + at, &ledger, sizeof ledger);
            CHECK(carom_world_restore(s.world, changed, size, &err) == CAROM_BAD_INPUT &&
                      strstr(err.what, "a count of the run"),
                  "a negative number of steps is refused: %s", err.what);
            ledger = carom_world_ledger(s.world);
        }
    CHECK(carom_world_restore(s.world, bytes, size, &err) == CAROM_OK, "the right one is taken");
    small_world_end(&s);
}

// Every phase of a step with contacts takes some time, and all together no more than the step did.
static void timed(void)
{
    small_world s = heap();
    double start = carom_clock_seconds();
    small_world_steps(&s, 1.0 / 240, 1);
    double spent = carom_clock_seconds() - start;
    carom_times t = carom_world_times(s.world);
    CHECK(t.collide > 0 && t.impact > 0 && t.rest > 0 && t.move > 0,
          "collide %g, impact %g, rest %g, move %g s", t.collide, t.impact, t.rest, t.move);
    CHECK_MOST(t.collide + t.impact + t.rest + t.move, spent + 1e-9, // resolution of the clock
               "the phases are within the step");
    small_world_end(&s);
}

typedef struct phases {
    char names[200];
} phases;

static int note_phase(void *context, double done, double total, const char *what)
{
    (void)done, (void)total;
    phases *p = context;
    size_t used = strlen(p->names);
    snprintf(p->names + used, sizeof p->names - used, " %s", what);
    return 0;
}

// Whoever listens hears the phases of a step in their order, as docs/world.md has them.
static void in_order(void)
{
    small_world s = small_world_make("wave");
    small_world_ball(&s, 0.1, 1, (double[]){ 0, 0, 1 }, NULL);
    phases p = { "" };
    carom_progress progress = { note_phase, &p };
    carom_world_set_progress(s.world, &progress);
    small_world_steps(&s, 0.01, 1);
    CHECK(strcmp(p.names, " collide impact locate rest move correct audit") == 0,
          "the phases of a step:%s", p.names);
    small_world_end(&s);
}

// A brick that tumbles to rest on its corners: intervals end at impacts, or there are none.
// (Each asks before its phases. Once, a pair that had just bounced was found again at once, a
// thousand times a step.)
static void intervals(void)
{
    enum { STEPS = 500 };
    small_world s = small_world_make("wave");
    s.material.restitution = 0.6;
    s.material.friction = 0.4;
    small_world_floor(&s, up, 0);
    int brick =
        small_world_box(&s, (double[]){ 0.15, 0.1, 0.08 }, 9, (double[]){ 0, 0, 0.3 }, NULL);
    carom_world_set_velocity(s.world, carom_world_body_at(s.world, brick),
                             (double[]){ 0.3, 0.1, -1 }, (double[]){ 2, 5, -3 }, NULL);
    patience p = { 0, 1 << 30 };
    carom_progress progress = { ask, &p };
    carom_world_set_progress(s.world, &progress);
    small_world_steps(&s, 0.002, STEPS);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK(l.impacts > 5, "it bounces, %lld times", (long long)l.impacts);
    // a near miss may end one, too
    CHECK_MOST(p.intervals, STEPS + 2. * (double)l.impacts, "intervals of %d steps", STEPS);
    CHECK_MOST(l.peak_overlap, 1e-4, "nothing sinks in");
    small_world_end(&s);
}

int main(void)
{
    interrupted();
    in_order();
    intervals();
    timed();
    spun();
    gained();
    foreign();
    return check_report();
}

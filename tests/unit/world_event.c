// Contact events and sensors: when pairs begin and cease to touch, with which speed and impulse
// they hit, and that a run that goes on from a snapshot tells the same.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "carom/world_change.h"
#include "carom/world_event.h"
#include "support/check.h"
#include "support/small_world.h"

static int count_of(const small_world *s, carom_event_kind kind, carom_contact_event *last)
{
    int count = 0, found = 0;
    const carom_contact_event *list = carom_world_events(s->world, &count);
    for (int i = 0; i < count; ++i)
        if (list[i].kind == kind) {
            ++found;
            *last = list[i];
        }
    return found;
}

// A ball falls 1 m with e = 0.5: it hits the floor at sqrt(2 g) with m (1 + e) of that, at
// sqrt(2 / g) s.
static void a_ball_bounces(void)
{
    small_world s = small_world_make("qce");
    const double g = 9.81, e = 0.5, m = 2, dt = 0.01;
    s.material.restitution = e;
    int floor = small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    int ball = small_world_ball(&s, 0.1, m, (double[]){ 0.3, 0, 1.1 }, NULL);
    carom_contact_event event;
    carom_world_record_events(s.world, 1);
    int begun = 0, hits = 0, ended = 0;
    for (int k = 0; k < 80; ++k) {
        small_world_steps(&s, dt, 1);
        double now = carom_world_ledger(s.world).time;
        if (count_of(&s, CAROM_EVENT_BEGIN, &event)) {
            ++begun;
            CHECK(event.a.slot == floor && event.b.slot == ball && !event.sensor, "who touches");
        }
        if (count_of(&s, CAROM_EVENT_HIT, &event)) {
            ++hits;
            CHECK_NEAR(event.time, sqrt(2 / g), 1e-9, "when");
            CHECK_NEAR(event.speed, sqrt(2 * g), 1e-8, "how fast");
            CHECK_NEAR(event.impulse, m * (1 + e) * sqrt(2 * g), 1e-8, "how hard");
            CHECK_NEAR(event.point[0], 0.3, 1e-12, "where");
            CHECK_NEAR(event.normal[2], 1, 1e-12, "from the floor to the ball");
            CHECK(now > event.time, "within the step");
        }
        ended += count_of(&s, CAROM_EVENT_END, &event);
    }
    CHECK(begun == 1 && hits == 1 && ended == 1, "once each: %d %d %d", begun, hits, ended);
    small_world_end(&s);
}

// Who rests has begun once; who is taken away ends; a body in its slot begins anew.
static void rest_and_removal(void)
{
    small_world s = small_world_make("qce");
    carom_contact_event event;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    int box = small_world_box(&s, (double[]){ 0.1, 0.1, 0.1 }, 1, (double[]){ 0, 0, 0.1 }, NULL);
    carom_world_record_events(s.world, 1);
    int begun = 0, ended = 0;
    for (int k = 0; k < 20; ++k) {
        small_world_steps(&s, 0.01, 1);
        begun += count_of(&s, CAROM_EVENT_BEGIN, &event);
        ended += count_of(&s, CAROM_EVENT_END, &event);
    }
    CHECK(begun == 1 && ended == 0, "a box at rest: %d %d", begun, ended);
    carom_body_id gone = carom_world_body_at(s.world, box);
    CHECK(carom_world_remove(s.world, gone, NULL) == CAROM_OK, "taken away");
    int next = small_world_box(&s, (double[]){ 0.1, 0.1, 0.1 }, 1, (double[]){ 0, 0, 0.1 }, NULL);
    CHECK(next == box, "another in its slot");
    small_world_steps(&s, 0.01, 1);
    CHECK(count_of(&s, CAROM_EVENT_END, &event) == 1 && event.b.generation == gone.generation,
          "the former has parted");
    CHECK(count_of(&s, CAROM_EVENT_BEGIN, &event) == 1 && event.b.generation == gone.generation + 1,
          "the new one touches");
    small_world_end(&s);
}

// A ball flies through a sensor at 1 m/s as if nothing were there.
static void sensors(void)
{
    small_world s = small_world_make("qce");
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    int ball = small_world_ball(&s, 0.1, 1, (double[]){ 0, 0, 0 }, (double[]){ 1, 0, 0 });
    carom_shape *shape;
    carom_error err = { 0 };
    carom_body gate = carom_world_body_default();
    CHECK(carom_box_create((double[]){ 0.2, 1, 1 }, &shape, &err) == CAROM_OK, "%s", err.what);
    gate.kind = CAROM_BODY_FIXED;
    gate.shape = shape;
    gate.sensor = 1;
    gate.position[0] = 1;
    CHECK(carom_world_add_body(s.world, &gate, NULL, &err) == CAROM_OK, "%s", err.what);
    carom_shape_release(shape);
    carom_world_record_events(s.world, 1);
    carom_contact_event event;
    double begin = 0, end = 0, x[3];
    for (int k = 0; k < 200; ++k) {
        small_world_steps(&s, 0.01, 1);
        begin = count_of(&s, CAROM_EVENT_BEGIN, &event) ? event.time : begin;
        end = count_of(&s, CAROM_EVENT_END, &event) ? event.time : end;
        CHECK(count_of(&s, CAROM_EVENT_HIT, &event) == 0, "no hit");
    }
    carom_world_body(s.world, carom_world_body_at(s.world, ball), x, NULL, NULL, NULL);
    CHECK_NEAR(x[0], 2, 1e-12, "nothing has held it");
    // from 0.7 to 1.3 s; it is looked at when a step begins, told when it ends
    CHECK_NEAR(begin, 0.7, 0.0201, "it came in");
    CHECK_NEAR(end, 1.3, 0.0201, "and went out");
    small_world_end(&s);
}

// Bodies touch only if each is in a layer that the other looks at.
static void layers(uint32_t layers, uint32_t mask, bool touch)
{
    small_world s = small_world_make("qce");
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    carom_shape *shape;
    carom_error err = { 0 };
    carom_body ball = carom_world_body_default();
    carom_body_id id;
    CHECK(carom_sphere_create(0.1, &shape, &err) == CAROM_OK, "%s", err.what);
    ball.shape = shape;
    ball.position[2] = 0.2;
    ball.layers = layers;
    ball.mask = mask;
    CHECK(carom_world_add_body(s.world, &ball, &id, &err) == CAROM_OK, "%s", err.what);
    carom_shape_release(shape);
    small_world_steps(&s, 0.01, 100);
    double x[3];
    carom_world_body(s.world, id, x, NULL, NULL, NULL);
    CHECK((x[2] > 0) == touch, "layers %u, mask %u", layers, mask);
    small_world_end(&s);
}

static void snapshots(void)
{
    small_world s[2];
    carom_contact_event event;
    for (int k = 0; k < 2; ++k) {
        s[k] = small_world_make("qce");
        small_world_floor(&s[k], (double[]){ 0, 0, 1 }, 0);
        small_world_box(&s[k], (double[]){ 0.1, 0.1, 0.1 }, 1, (double[]){ 0, 0, 0.1 }, NULL);
        small_world_ball(&s[k], 0.1, 1, (double[]){ 1, 0, 0.7 }, NULL);
        carom_world_record_events(s[k].world, 1);
    }
    small_world_steps(&s[0], 0.01, 20);
    size_t size = carom_world_snapshot_size(s[0].world);
    void *bytes = malloc(size);
    carom_world_snapshot(s[0].world, bytes);
    carom_error err = { 0 };
    CHECK(carom_world_restore(s[1].world, bytes, size, &err) == CAROM_OK, "%s", err.what);
    free(bytes);
    for (int k = 0; k < 30; ++k) {
        int count[2];
        for (int i = 0; i < 2; ++i) {
            small_world_steps(&s[i], 0.01, 1);
            carom_world_events(s[i].world, &count[i]);
        }
        CHECK(count[0] == count[1], "step %d: %d and %d events", k, count[0], count[1]);
        CHECK(k > 0 || count_of(&s[1], CAROM_EVENT_BEGIN, &event) == 0, "the box does not begin");
    }
    small_world_end(&s[0]);
    small_world_end(&s[1]);
}

int main(void)
{
    a_ball_bounces();
    rest_and_removal();
    sensors();
    layers(1, UINT32_MAX, true);
    layers(2, UINT32_MAX, true);
    layers(2, 2, false);
    layers(0, UINT32_MAX, false);
    snapshots();
    return check_report();
}

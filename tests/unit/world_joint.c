// Joints as a program handles them: what is refused, the same bits by any number of threads and
// after a snapshot, aims that are recorded and done again, springs that come and go under load.
#include <math.h>
#include <string.h>
#include "carom/world_change.h"
#include "support/check.h"
#include "support/small_world.h"

#define STEP 1e-3

static void refused(carom_joint joint, const char *what)
{
    small_world s = small_world_weightless();
    carom_error err = { 0 };
    joint.a = small_world_id(&s, small_world_small_box(&s, 1, 0, 0, 0));
    CHECK(carom_world_add_joint(s.world, &joint, NULL, &err) == CAROM_BAD_INPUT, "refuses: %s",
          what);
    CHECK(strstr(err.what, what) && err.fix[0], "says \"%s\" (%s)", err.what, err.fix);
    small_world_end(&s);
}

// Both ends the world's, or both of one body.
static void at_one_end(void)
{
    small_world s = small_world_weightless();
    carom_error err = { 0 };
    carom_joint joint = { .kind = CAROM_JOINT_BALL };
    int box = small_world_small_box(&s, 1, 0, 0, 0);
    CHECK(carom_world_add_joint(s.world, &joint, NULL, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "the world with itself"),
          "says \"%s\"", err.what);
    joint.a = joint.b = small_world_id(&s, box);
    CHECK(carom_world_add_joint(s.world, &joint, NULL, &err) == CAROM_BAD_INPUT &&
              strstr(err.what, "body 0 with itself"),
          "says \"%s\"", err.what);
    small_world_end(&s);
}

static void all_refused(void)
{
    const double axis[3] = { 0, 0, 1 };
    carom_joint hinge = { .kind = CAROM_JOINT_HINGE }, slider = { .kind = CAROM_JOINT_SLIDER };
    refused(slider, "the slider has no axis");
    memcpy(hinge.axis, axis, sizeof axis);
    memcpy(slider.axis, axis, sizeof axis);
    carom_joint one = hinge;
    one.upper = 4;
    refused(one, "the stops of the hinge are 0 and 4 rad");
    one = slider;
    one.lower = 1, one.upper = 2;
    refused(one, "the stops are 1 and 2, the joint begins at 0");
    one = hinge;
    one.motor = CAROM_MOTOR_SPEED;
    refused(one, "the motor has no force");
    one.motor = CAROM_MOTOR_POSITION;
    refused(one, "the servo has no stiffness");
    one = hinge;
    one.stiffness = -1;
    refused(one, "stiffness of the joint is -1");
    refused((carom_joint){ .kind = CAROM_JOINT_BALL, .upper = 1 }, "has a stop, but no position");
    refused((carom_joint){ .kind = CAROM_JOINT_BALL, .damping = 1 }, "has a spring or damper, but");
    refused((carom_joint){ .kind = CAROM_JOINT_SPRING, .anchor_b = { 1, 0, 0 } },
            "neither stiffness");
    refused((carom_joint){ .kind = CAROM_JOINT_ROD }, "the rod is 0 m long");
    refused((carom_joint){ .kind = CAROM_JOINT_BALL, .anchor_a = { NAN, 0, 0 } }, "anchor_a");
    refused((carom_joint){ .kind = CAROM_JOINT_FIXED,
                           .anchor_a = { HUGE_VAL, 0, 0 },
                           .anchor_b = { HUGE_VAL, 0, 0 } },
            "anchor_a of the joint is inf");
    refused((carom_joint){ .kind = CAROM_JOINT_SPRING, .anchor_b = { 0, NAN, 0 }, .stiffness = 1 },
            "anchor_b");
    refused((carom_joint){ .kind = CAROM_JOINT_HINGE, .axis = { 0, 0, HUGE_VAL } }, "axis");
    at_one_end();
    small_world s = small_world_weightless();
    carom_error err = { 0 };
    carom_joint_state state;
    CHECK(carom_world_joint_state(s.world, (carom_joint_id){ 0, 1 }, &state, &err) ==
              CAROM_BAD_INPUT,
          "no joint 0");
    CHECK(carom_world_joint_aim(s.world, (carom_joint_id){ -1, 1 }, 1, &err) == CAROM_BAD_INPUT,
          "no joint -1");
    int wheel = small_world_small_box(&s, 1, 0, 0, 0);
    hinge.a = small_world_id(&s, wheel);
    hinge.motor = CAROM_MOTOR_SPEED, hinge.force = 1;
    small_world_join(&s, &hinge);
    carom_joint_id stale = carom_world_joint_at(s.world, 0);
    CHECK(carom_world_remove_joint(s.world, stale, &err) == CAROM_OK, "%s", err.what);
    small_world_join(&s, &hinge);
    CHECK(carom_world_joint_state(s.world, stale, &state, &err) == CAROM_BAD_INPUT &&
              carom_world_joint_aim(s.world, stale, 1, &err) == CAROM_BAD_INPUT,
          "a joint that was removed, though its slot is in use");
    small_world_end(&s);
}

// Everything at once: a motor, a servo, a spring that breaks, a door with stops.
static small_world many(int threads)
{
    small_world s = small_world_make("qce");
    s.options.threads = threads;
    for (int k = 0; k < 3; ++k) {
        double y = 2.0 * k;
        int arm = small_world_box(&s, (const double[]){ 0.5, 0.05, 0.05 }, 1,
                                  (const double[]){ 0.5, y, 0 }, NULL);
        int tip = small_world_ball(&s, 0.1, 0.5, (const double[]){ 1.5, y, 0 }, NULL);
        carom_joint hinge = small_world_joint(&s, CAROM_JOINT_HINGE, arm, 0, y, 0);
        small_world_axis(&hinge, 0, 1, 0);
        hinge.lower = -0.5, hinge.upper = 0.6, hinge.restitution = 0.7;
        small_world_join(&s, &hinge);
        carom_joint spring = { .kind = CAROM_JOINT_SPRING,
                               .a = small_world_id(&s, arm),
                               .b = small_world_id(&s, tip),
                               .stiffness = 200,
                               .damping = 0.4,
                               .break_force = 20 + 30 * k,
                               .anchor_a = { 1, y, 0 },
                               .anchor_b = { 1.5, y, 0 } };
        small_world_join(&s, &spring);
        int sled = small_world_small_box(&s, 1, 3, y, 0);
        carom_joint slider = small_world_joint(&s, CAROM_JOINT_SLIDER, sled, 3, y, 0);
        small_world_axis(&slider, 0, 0, 1);
        slider.motor = k == 1 ? CAROM_MOTOR_SPEED : CAROM_MOTOR_POSITION;
        slider.force = 15;
        slider.speed = 0.4;
        slider.target = 0.3;
        slider.stiffness = k == 1 ? 0 : 80;
        slider.damping = k == 1 ? 0 : 8;
        small_world_join(&s, &slider);
    }
    return s;
}

static void same_bits(void)
{
    static unsigned char bytes[1 << 16];
    carom_error err = { 0 };
    small_world one = many(1), two = many(2), three = many(1);
    small_world_steps(&one, STEP, 700);
    size_t size = carom_world_snapshot_size(one.world);
    if (!CHECK(size <= sizeof bytes, "%zu bytes", size))
        return;
    carom_world_snapshot(one.world, bytes);
    small_world_steps(&one, STEP, 700);
    small_world_steps(&two, STEP, 1400);
    CHECK(carom_world_restore(three.world, bytes, size, &err) == CAROM_OK, "%s", err.what);
    small_world_steps(&three, STEP, 700);
    uint64_t hash = carom_world_hash(one.world);
    CHECK(hash == carom_world_hash(two.world), "one thread and two give the same bits");
    CHECK(hash == carom_world_hash(three.world), "a run that continues gives the same bits");
    carom_ledger a = carom_world_ledger(one.world), b = carom_world_ledger(three.world);
    CHECK(a.motors == b.motors && a.dampers == b.dampers && a.stops == b.stops &&
              a.breakage == b.breakage,
          "and the same books");
    CHECK(a.breakage > 0 && a.stops > 0 && a.dampers > 0 && a.motors != 0, "in which all happened");
    CHECK_MOST(fabs(a.integrator), 1e-7 * a.peak_kinetic, "balance of everything at once (J)");
    small_world_end(&one);
    small_world_end(&two);
    small_world_end(&three);
}

// An aim is one of the changes that can be recorded and done again.
static void aims_again(void)
{
    carom_error err = { 0 };
    small_world one = many(1), two = many(1);
    int count = 0;
    carom_world_record_changes(one.world, 1);
    small_world_steps(&one, STEP, 100);
    uint64_t still = carom_world_hash(one.world);
    CHECK(carom_world_joint_aim(one.world, carom_world_joint_at(one.world, 2), -0.2, &err) ==
              CAROM_OK,
          "%s", err.what);
    CHECK(carom_world_joint_aim(one.world, carom_world_joint_at(one.world, 1), 1, &err) ==
              CAROM_BAD_INPUT,
          "a spring between anchors has no aim");
    const carom_change *changes = carom_world_changes(one.world, &count);
    if (!CHECK(count == 1 && changes[0].step == 100, "one aim is recorded, not what was refused"))
        return;
    small_world_steps(&two, STEP, 100);
    CHECK(carom_world_hash(two.world) == still, "the two are alike before it");
    CHECK(carom_world_change(two.world, &changes[0], &err) == CAROM_OK, "%s", err.what);
    small_world_steps(&one, STEP, 200);
    uint64_t aimed = carom_world_hash(one.world);
    small_world_steps(&two, STEP, 200);
    CHECK(aimed == carom_world_hash(two.world), "the aim done again gives the same bits");
    small_world_end(&one);
    small_world_end(&two);
}

// What a spring holds when it is taken away or put in, in the middle of a run, comes from outside.
static void springs_come_and_go(void)
{
    carom_error err = { 0 };
    small_world s = small_world_weightless();
    int body = small_world_small_box(&s, 1, 1, 0, 0);
    carom_joint joint = small_world_joint(&s, CAROM_JOINT_SPRING, body, 1, 0, 0);
    memset(joint.anchor_b, 0, sizeof joint.anchor_b);
    joint.length = 0.9;
    joint.stiffness = 100; // 0.5 J
    small_world_steps(&s, STEP, 1);
    small_world_join(&s, &joint);
    CHECK_NEAR(carom_world_ledger(s.world).driven, 0.5, 1e-12, "a spring under load is put in (J)");
    small_world_steps(&s, STEP, 20);
    carom_ledger l = carom_world_ledger(s.world);
    CHECK(carom_world_remove_joint(s.world, carom_world_joint_at(s.world, 0), &err) == CAROM_OK,
          "%s", err.what);
    CHECK_NEAR(carom_world_ledger(s.world).driven, l.driven - l.potential, 1e-12,
               "and taken away (J)");
    small_world_steps(&s, STEP, 1);
    CHECK_MOST(fabs(carom_world_ledger(s.world).integrator), 1e-9 * 0.5,
               "springs that come and go: the books balance (J)"); // as in truth/joints_driven
    small_world_end(&s);
}

int main(void)
{
    all_refused();
    same_bits();
    aims_again();
    springs_come_and_go();
    return check_report();
}

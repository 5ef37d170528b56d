// Joints in one instant with many contacts: nothing approaches afterwards, and what is elastic
// keeps its energy.
//
// The joints are met around the law, which is asked until they are. Laws that end at a residual or
// jump leave that search without an end; the projection that met the joints then moved contacts,
// and bodies went on approaching each other at up to a tenth of the impact's speed; in elastic
// instants of `wave` it took a fraction of the energy without a word.
#include <math.h>
#include <string.h>
#include "carom/random.h"
#include "support/check.h"
#include "support/small_world.h"

enum { SIDE = 4 };
#define RADIUS 0.03 // m
#define REACH (SIDE * RADIUS)

// A cube of grains that touch, thrown against each other.
static void grains(small_world *s, carom_random *random)
{
    for (int i = 0; i < SIDE * SIDE * SIDE; ++i) {
        int place[3] = { i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE };
        double position[3], velocity[3];
        for (int k = 0; k < 3; ++k) {
            position[k] = (2 * place[k] + 1 - SIDE) * RADIUS;
            velocity[k] = carom_random_between(random, -1, 1) - 5 * position[k];
        }
        small_world_ball(s, RADIUS, 0.3, position, velocity);
    }
}

// A plate on a slider along an axis, pressed against that side of the cube.
static int plate(small_world *s, int axis, double sign, double speed)
{
    double half[3] = { 2 * REACH, 2 * REACH, 2 * REACH }, position[3] = { 0 }, velocity[3] = { 0 };
    half[axis] = 0.02;
    position[axis] = sign * (REACH + 0.02);
    velocity[axis] = -sign * speed;
    s->group = 1;
    int body = small_world_box(s, half, 2, position, velocity);
    s->group = 0;
    return body;
}

static void slide(small_world *s, int body, int axis)
{
    carom_joint joint = { .kind = CAROM_JOINT_SLIDER, .a = carom_world_body_at(s->world, body) };
    joint.axis[axis] = 1;
    carom_world_body(s->world, joint.a, joint.anchor_a, NULL, NULL, NULL);
    memcpy(joint.anchor_b, joint.anchor_a, sizeof joint.anchor_a);
    small_world_join(s, &joint);
}

// Two plates become one linkage: a ball joint at an edge of both.
static void link_plates(small_world *s, int first, int second)
{
    carom_joint joint = { .kind = CAROM_JOINT_BALL,
                          .a = carom_world_body_at(s->world, first),
                          .b = carom_world_body_at(s->world, second) };
    double a[3], b[3];
    carom_world_body(s->world, joint.a, a, NULL, NULL, NULL);
    carom_world_body(s->world, joint.b, b, NULL, NULL, NULL);
    for (int k = 0; k < 3; ++k)
        joint.anchor_a[k] = joint.anchor_b[k] = a[k] + b[k];
    small_world_join(s, &joint);
}

static void pile(const char *law, double restitution, bool linked)
{
    small_world s = small_world_make(law);
    carom_random random = carom_random_make(1, 0);
    int plates[3];
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    s.material.restitution = restitution;
    s.material.friction = restitution < 1 ? 0.4 : 0;
    grains(&s, &random);
    for (int k = 0; k < 3; ++k) {
        plates[k] = plate(&s, k, k == 1 ? -1 : 1, linked ? 0 : 1);
        if (!linked)
            slide(&s, plates[k], k);
        else if (k > 0)
            link_plates(&s, plates[k - 1], plates[k]);
    }
    small_world_steps(&s, 1e-4, 2);
    carom_audit audit = carom_world_audit(s.world);
    carom_ledger ledger = carom_world_ledger(s.world);
    CHECK(ledger.impacts > 0, "%s: there is an impact", law);
    CHECK(audit.penetration <= 1e-8, "%s, e %g%s: approach of %.1e of the fastest is left", law,
          restitution, linked ? ", linked" : "", audit.penetration);
    CHECK(audit.gain <= 1e-12 && audit.pull <= 0, "%s, e %g: gains %.1e, pulls %.1e", law,
          restitution, audit.gain, audit.pull);
    if (restitution == 1) // round-off of some hundred bodies and contacts
        CHECK(fabs(ledger.law) <= 1e-12 * ledger.kinetic, "%s%s: %.1e of %.1e J are lost", law,
              linked ? ", linked" : "", ledger.law, ledger.kinetic);
    small_world_end(&s);
}

int main(void)
{
    static const char *const laws[] = { "wave", "qce" };
    static const double restitution[] = { 0.1, 0.6, 1 };
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k)
            for (int linked = 0; linked < 2; ++linked)
                pile(laws[i], restitution[k], linked);
    return check_report();
}

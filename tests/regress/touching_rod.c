// Balls that touch, with rods between their centres, whirling: no impulse can move such a contact,
// as the rod holds it. The resting solve divided by what was left of its response, 1e-8 of it, and
// 2e11 J came out of nothing in the first step.
#include "support/check.h"
#include "support/small_world.h"

#include <math.h>
#include <stddef.h>

enum { MOST = 3, STEPS = 400 };

// A ring of balls, each touching the next, turning about the centre of the ring.
static void whirl(int count, double friction)
{
    small_world s = small_world_make("wave");
    const double pi = 3.14159265358979323846, r = 0.05, speed = 1, out = r / sin(pi / count);
    double at[MOST][3];
    carom_error err = { 0 };
    s.options.gravity[2] = 0;
    s.material.friction = friction;
    for (int i = 0; i < count; ++i) {
        double angle = 2 * pi * i / count;
        at[i][0] = out * cos(angle), at[i][1] = out * sin(angle), at[i][2] = 0;
        small_world_ball(&s, r, 1, at[i], (double[]){ -speed * sin(angle), speed * cos(angle), 0 });
    }
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < i; ++k) {
            carom_joint rod = { .kind = CAROM_JOINT_ROD,
                                .a = carom_world_body_at(s.world, i),
                                .b = carom_world_body_at(s.world, k) };
            for (int axis = 0; axis < 3; ++axis) {
                rod.anchor_a[axis] = at[i][axis];
                rod.anchor_b[axis] = at[k][axis];
            }
            rod.length = 2 * r;
            small_world_join(&s, &rod);
        }
    double before = carom_world_ledger(s.world).kinetic;
    for (int k = 0; k < STEPS; ++k)
        if (!CHECK(carom_world_step(s.world, 1e-3, &err) == CAROM_OK, "%d balls, step %d: %s",
                   count, k, err.what))
            break;
    // nothing rubs, as nothing presses; 400 steps of linkages, each to 1e-12
    CHECK_NEAR(carom_world_ledger(s.world).kinetic / before, 1, 1e-9,
               "energy of %d balls, friction %g", count, friction);
    small_world_end(&s);
}

int main(void)
{
    for (int count = 2; count <= MOST; ++count) {
        whirl(count, 0);
        whirl(count, 0.5);
    }
    return check_report();
}

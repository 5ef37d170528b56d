// Linkages that an impact reaches: all of their bodies are booked, and each answers by itself.
//
// A linkage that is touched by what is struck, and not struck itself, had only the body that is
// touched in the list of those whose energy is booked: what the others got was the integrator's.
// And all linkages struck in one instant were solved as one, so that the answer of each depended on
// the others, and all were asked as often as the worst.
#include <math.h>
#include <string.h>
#include "support/check.h"
#include "support/small_world.h"

#define RADIUS 0.1 // m

static small_world without_gravity(const char *law)
{
    small_world s = small_world_make(law);
    memset(s.options.gravity, 0, sizeof s.options.gravity);
    s.material.restitution = 0.5;
    s.material.friction = 0.3;
    return s;
}

// Two balls on a ball joint beside the line of the impact; returns the far one.
static int linkage(small_world *s, double x, double y)
{
    int near = small_world_ball(s, RADIUS, 1, (double[]){ x, y, 0 }, NULL);
    int far = small_world_ball(s, RADIUS, 2, (double[]){ x + 0.15, y + 0.3, 0 }, NULL);
    carom_joint joint = { .kind = CAROM_JOINT_BALL,
                          .a = carom_world_body_at(s->world, near),
                          .b = carom_world_body_at(s->world, far),
                          .anchor_a = { x + 0.08, y + 0.2, 0 },
                          .anchor_b = { x + 0.08, y + 0.2, 0 } };
    small_world_join(s, &joint);
    return far;
}

// A ball strikes another, which touches a linkage.
static void touched(const char *law)
{
    small_world s = without_gravity(law);
    small_world_ball(&s, RADIUS, 1, (double[]){ -4 * RADIUS, 0, 0 }, (double[]){ 1, 0, 0 });
    small_world_ball(&s, RADIUS, 1, (double[]){ -2 * RADIUS, 0, 0 }, NULL);
    int far = linkage(&s, 0, 0);
    small_world_steps(&s, 1e-6, 1);
    carom_ledger ledger = carom_world_ledger(s.world);
    double v[3];
    carom_world_body(s.world, carom_world_body_at(s.world, far), NULL, NULL, v, NULL);
    CHECK(sqrt(v[0] * v[0] + v[1] * v[1]) > 1e-3, "%s: the far ball moves", law);
    CHECK(fabs(ledger.start - ledger.kinetic - ledger.law) <= 1e-13 * ledger.start,
          "%s: the law took %.6g of %.6g J that are gone", law, ledger.law,
          ledger.start - ledger.kinetic);
    CHECK(fabs(ledger.integrator) <= 1e-13 * ledger.start, "%s: %.3g J are the integrator's", law,
          ledger.integrator);
    small_world_end(&s);
}

// A row of linkages, each struck by a ball from its own side in the same instant; the velocity of
// the far ball of the first.
static void strike(const char *law, int count, double velocity[3])
{
    small_world s = without_gravity(law);
    int first = 0;
    for (int i = 0; i < count; ++i) {
        double y = 2 * i, turn = 0.3 * i, c = cos(turn), w = sin(turn);
        int far = linkage(&s, 0, y);
        first = i == 0 ? far : first;
        small_world_ball(&s, RADIUS, 1 + i, (double[]){ -2 * RADIUS * c, y - 2 * RADIUS * w, 0 },
                         (double[]){ c, w, 0 });
    }
    small_world_steps(&s, 1e-6, 1);
    CHECK(carom_world_profile(s.world).calls == count, "%s: %d linkages are asked about %lld times",
          law, count, (long long)carom_world_profile(s.world).calls);
    carom_world_body(s.world, carom_world_body_at(s.world, first), NULL, NULL, velocity, NULL);
    small_world_end(&s);
}

static void each_by_itself(const char *law)
{
    double alone[3], among[3];
    strike(law, 1, alone);
    strike(law, 4, among);
    CHECK(memcmp(alone, among, sizeof alone) == 0,
          "%s: (%.17g, %.17g) alone and (%.17g, %.17g) among others", law, alone[0], alone[1],
          among[0], among[1]);
}

int main(void)
{
    static const char *const laws[] = { "wave", "qce", "gr" };
    for (int i = 0; i < 3; ++i) {
        touched(laws[i]);
        each_by_itself(laws[i]);
    }
    return check_report();
}

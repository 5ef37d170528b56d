// What contacts say about themselves: gap, slip, duration, and the energy that each takes out.
//
// Impulses p at an instant change the kinetic energy by the sum over contacts of p.(u + u')/2, u
// and u' the relative velocities before and after: exactly, for any number of contacts at once. The
// losses of all contacts thus add up to what the ledger books for the law.
#include <math.h>
#include "carom/random.h"
#include "support/check.h"
#include "support/small_world.h"

static double sum_losses(const carom_world *world, int *impacts)
{
    int count;
    double sum = 0;
    const carom_world_contact *list = carom_world_contacts(world, &count);
    *impacts = 0;
    for (int i = 0; i < count; ++i) {
        sum += list[i].impact ? list[i].loss : 0;
        *impacts += list[i].impact;
        CHECK(list[i].impact ? list[i].duration == 0 : list[i].duration > 0,
              "rest lasts, impacts do not");
        CHECK_NEAR(list[i].slip[0] * list[i].normal[0] + list[i].slip[1] * list[i].normal[1] +
                       list[i].slip[2] * list[i].normal[2],
                   0, 1e-12, "slip is tangential");
    }
    return sum;
}

// A ball of 2 kg at 3 m/s against a wall, restitution 0.5: 2 * 9 / 2 * (1 - 0.25) J.
static void check_one(void)
{
    small_world s = small_world_make("newton");
    s.options.gravity[2] = 0;
    s.material.restitution = 0.5;
    s.material.friction = 0;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    small_world_ball(&s, 0.1, 2, (double[]){ 0, 0, 0.2 }, (double[]){ 1, 0, -3 });
    carom_world_record_contacts(s.world, 1);
    small_world_steps(&s, 0.05, 1);
    int impacts;
    CHECK_NEAR(sum_losses(s.world, &impacts), 6.75, 1e-12, "its loss");
    CHECK(impacts == 1, "one impact");
    int count;
    const carom_world_contact *list = carom_world_contacts(s.world, &count);
    CHECK_NEAR(list[0].slip[0], 1, 1e-12, "it slides on at 1 m/s");
    small_world_end(&s);
}

// Balls with friction in a heap of impacts: contact by contact what the ledger says as a whole.
static void check_many(const char *law)
{
    small_world s = small_world_make(law);
    s.material.restitution = 0.7;
    s.material.friction = 0.3;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    carom_random random = carom_random_make(5, 1);
    for (int i = 0; i < 27; ++i) {
        double at[] = { i % 3 * 0.21, i / 3 % 3 * 0.21, 0.11 + i / 9 * 0.21 }, v[3];
        for (int k = 0; k < 3; ++k)
            v[k] = carom_random_between(&random, -2, 2);
        small_world_ball(&s, 0.1, 1, at, v);
    }
    carom_world_record_contacts(s.world, 1);
    small_world_steps(&s, 1e-3, 300);
    int impacts;
    double sum = sum_losses(s.world, &impacts), law_loss = carom_world_ledger(s.world).law;
    CHECK(impacts > 60, "%s: %d impacts", law, impacts);
    CHECK_NEAR(sum, law_loss, 1e-9 * law_loss, "%s: the losses add up", law); // round-off of sums
    small_world_end(&s);
}

// A box that slides down an incline at Coulomb's limit: force m g cos, power of friction.
static void check_sliding(void)
{
    const double angle = 0.6, g = 9.81, friction = 0.2;
    small_world s = small_world_make("newton");
    s.options.gravity[0] = g * sin(angle);
    s.options.gravity[2] = -g * cos(angle);
    s.material.friction = friction;
    s.material.restitution = 0;
    small_world_floor(&s, (double[]){ 0, 0, 1 }, 0);
    small_world_ball(&s, 0.1, 1, (double[]){ 50, 50, 0.1 }, (double[3]){ 0 });
    int box = small_world_box(&s, (double[]){ 0.2, 0.2, 0.05 }, 3, (double[]){ 0, 0, 0.05 },
                              (double[3]){ 0 });
    carom_world_record_contacts(s.world, 1);
    small_world_steps(&s, 1e-3, 200);
    int count;
    double normal = 0, power = 0, v[3];
    const carom_world_contact *list = carom_world_contacts(s.world, &count);
    carom_world_body(s.world, carom_world_body_at(s.world, box), NULL, NULL, v, NULL);
    for (int i = 0; i < count; ++i) {
        if (list[i].impact || (list[i].a != box && list[i].b != box))
            continue;
        double sign = list[i].b == box ? 1 : -1;
        normal += sign * list[i].impulse[2] / list[i].duration;
        power += list[i].loss / list[i].duration;
        CHECK_NEAR(sign * list[i].slip[0], v[0], 1e-9, "slip is the speed of the box");
    }
    CHECK_NEAR(normal, 3 * g * cos(angle), 1e-6, "force of the floor");
    CHECK_NEAR(power, friction * 3 * g * cos(angle) * v[0], 1e-5, "friction times slip");
    small_world_end(&s);
}

int main(void)
{
    check_one();
    check_many("newton");
    check_many("qce");
    check_sliding();
    return check_report();
}

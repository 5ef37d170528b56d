// Friction: a brick on an incline, sticking and sliding, against Coulomb's law.
#include "carom/tower.h"
#include "support/check.h"
#include <math.h>

static carom_error err;

// Speed along the incline after n steps from rest.
static double slide(double slope, double mu, int steps, double *off)
{
    carom_tower *tower = carom_tower_create(1);
    carom_tower_body brick = { .width = 1, .height = 0.25, .angle = -slope };
    carom_tower_motion *motion = 0;
    double c = cos(slope), s = sin(slope), place[3], v[3];
    brick.x = s * 0.125;
    brick.y = c * 0.125;
    CHECK(carom_tower_add_body(tower, &brick, 0, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_tower_add_ground(tower, (double[]){ 0, 0 }, (double[]){ s, c }, &err) == CAROM_OK,
          "incline");
    CHECK(carom_tower_set_friction(tower, mu, &err) == CAROM_OK, "friction");
    carom_tower_motion_options o = carom_tower_motion_default();
    CHECK(carom_tower_motion_create(tower, &o, &motion, &err) == CAROM_OK, "%s", err.what);
    for (int n = 0; n < steps; ++n)
        if (!CHECK(carom_tower_motion_step(motion, 0, &err) == CAROM_OK, "step %d: %s", n,
                   err.what))
            break;
    carom_tower_motion_place(motion, 0, place);
    carom_tower_motion_velocity(motion, 0, v);
    *off = s * place[0] + c * place[1] - 0.125;
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
    return c * v[0] - s * v[1];
}

int main(void)
{
    double off, dt = 1.0 / 128;
    // tan(0.4) = 0.4228: sticks above, slides below with sin - mu cos.
    CHECK_NEAR(slide(0.4, 0.5, 128, &off), 0, 1e-9, "a steep enough coefficient holds the brick");
    CHECK_NEAR(slide(0.4, 0.2, 128, &off), (sin(0.4) - 0.2 * cos(0.4)) * 128 * dt, 1e-6,
               "sliding acceleration sin - mu cos");
    // Without the fixed point the brick would float at mu |v| dt = 6e-4.
    CHECK_NEAR(off, 0, 1e-7, "the sliding brick stays on the incline");
    CHECK_NEAR(slide(0.4, 0, 128, &off), sin(0.4) * (128 - 0.5) * dt, 1e-6,
               "smooth incline, half start");
    return check_report();
}

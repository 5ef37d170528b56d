// Restitution that falls with speed and slip in a world: a ball without friction meets a floor and
// leaves with e(u) times its approach, e = max(e0, 1 - fade (u / u0)^p), u^2 = u_n^2 + (s u_t)^2.
#include <math.h>
#include <string.h>
#include "carom/carom.h"
#include "support/check.h"

// Approach (down) and slip (along) in, the speed away from the floor out.
static double bounce(const carom_material *material, double down, double along)
{
    carom_error err = { 0 };
    carom_world_options options = carom_world_options_default();
    carom_world *world = NULL;
    carom_shape *plane = NULL, *sphere = NULL;
    carom_body floor = carom_world_body_default(), ball = carom_world_body_default();
    double x[3], q[4], v[3], w[3];
    memset(options.gravity, 0, sizeof options.gravity);
    CHECK(carom_world_create(&options, &world, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_world_add_material(world, material, NULL, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_plane_create(&plane, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_sphere_create(0.1, &sphere, &err) == CAROM_OK, "%s", err.what);
    floor.shape = plane;
    floor.kind = CAROM_BODY_FIXED;
    ball.shape = sphere;
    ball.mass = 1;
    floor.material = ball.material = 1;
    ball.position[2] = 0.11;
    ball.velocity[0] = along;
    ball.velocity[2] = -down;
    CHECK(carom_world_add_body(world, &floor, NULL, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_world_add_body(world, &ball, NULL, &err) == CAROM_OK, "%s", err.what);
    for (int i = 0; i < 100; ++i)
        CHECK(carom_world_step(world, 0.001, &err) == CAROM_OK, "%s", err.what);
    carom_world_body(world, carom_world_body_at(world, 1), x, q, v, w);
    carom_shape_release(plane);
    carom_shape_release(sphere);
    carom_world_destroy(world);
    CHECK_NEAR(v[0], along, 1e-15, "nothing slows it along the floor");
    return v[2];
}

int main(void)
{
    carom_material material = carom_world_material_default();
    material.friction = 0;
    material.restitution = 0.1;
    material.fade = 0.3;
    material.fade_speed = 2.5;
    material.fade_power = 0.8;
    for (int slip = 0; slip <= 2; ++slip)
        for (double down = 0.5; down < 4; down += 1)
            for (double along = 0; along < 5; along += 1.5) {
                material.fade_slip = slip;
                double u = sqrt(down * down + slip * slip * along * along);
                double e = fmax(0.1, 1 - 0.3 * pow(u / 2.5, 0.8));
                // round-off of our own power and of C's
                CHECK_NEAR(bounce(&material, down, along), e * down, 1e-12,
                           "slip counts %d times, down %g, along %g", slip, down, along);
            }
    material.fade_slip = -1;
    carom_error err = { 0 };
    carom_world_options options = carom_world_options_default();
    carom_world *world = NULL;
    CHECK(carom_world_create(&options, &world, &err) == CAROM_OK, "%s", err.what);
    CHECK(carom_world_add_material(world, &material, NULL, &err) == CAROM_BAD_INPUT,
          "slip that counts less than nothing is refused");
    carom_world_destroy(world);
    return check_report();
}

// What a body weighs, and how: its own inertia and centre of mass, damping, gravity scale.
#include <math.h>
#include <stdio.h>
#include "carom/world.h"

static carom_body_id add(carom_world *world, const carom_body *body)
{
    carom_body_id id = { 0 };
    carom_error err = { 0 };
    if (carom_world_add_body(world, body, &id, &err) != CAROM_OK)
        printf("%s. Fix: %s\n", err.what, err.fix);
    return id;
}

int main(void)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *box;
    double velocity[3], spin[3], g = -options.gravity[2];
    if (carom_world_create(&options, &world, NULL) != CAROM_OK ||
        carom_box_create((double[3]){ 0.1, 0.2, 0.3 }, &box, NULL) != CAROM_OK)
        return 1;
    carom_body body = carom_world_body_default();
    body.shape = box;
    body.mass = 2;

    body.damping = 0.5; // 1/s: falls towards g / 0.5
    carom_body_id damped = add(world, &body);

    body.damping = 0;
    body.gravity_scale = -0.5; // rises
    body.position[0] = 1;
    carom_body_id light = add(world, &body);

    body.gravity_scale = 0;
    body.position[0] = 2;
    body.centre[0] = 0.05; // m, shape frame: heavier on one side
    body.inertia[0] = 0.06, body.inertia[1] = 0.06, body.inertia[2] = 0.02; // kg m^2
    body.spin[2] = 3; // about a principal axis: it goes on
    carom_body_id wheel = add(world, &body);

    for (int i = 0; i < 100; ++i)
        if (carom_world_step(world, 0.01, NULL) != CAROM_OK)
            return 1;
    int wrong = 0;
    carom_world_body(world, damped, NULL, NULL, velocity, NULL);
    wrong += fabs(velocity[2] + g / 0.5 * (1 - exp(-0.5))) > 1e-9;
    printf("damped: %.4f m/s\n", velocity[2]);
    carom_world_body(world, light, NULL, NULL, velocity, NULL);
    wrong += fabs(velocity[2] - 0.5 * g) > 1e-9;
    printf("lighter than air: %.4f m/s\n", velocity[2]);
    carom_world_body(world, wheel, NULL, NULL, NULL, spin);
    wrong += fabs(spin[2] - 3) > 1e-9 || fabs(spin[0]) + fabs(spin[1]) > 1e-9;
    printf("wheel: %.4f rad/s\n", spin[2]);
    carom_shape_release(box);
    carom_world_destroy(world);
    return wrong;
}

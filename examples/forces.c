// A controller: a force from a function of the program holds a ball at one metre.
#include <stdio.h>
#include <stdlib.h>
#include "carom/world_change.h"

static carom_error err;

static void must(carom_status status)
{
    if (status == CAROM_OK)
        return;
    fprintf(stderr, "%s\n  Fix: %s\n", err.what, err.fix);
    exit(1);
}

// A spring and a damper to a height of 1 m, and the weight.
static carom_status hold(void *context, carom_world *world, double dt, carom_error *error)
{
    carom_body_id ball = *(carom_body_id *)context;
    double x[3], v[3];
    (void)dt;
    carom_world_body(world, ball, x, NULL, v, NULL);
    double force[3] = { 0, 0, 9.81 + 20 * (1 - x[2]) - 8 * v[2] }; // of 1 kg
    return carom_world_apply_force(world, ball, force, NULL, error);
}

int main(void)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *shape;
    must(carom_world_create(&options, &world, &err));
    must(carom_sphere_create(0.1, &shape, &err));
    carom_body body = carom_world_body_default();
    carom_body_id ball;
    body.shape = shape;
    body.mass = 1;
    must(carom_world_add_body(world, &body, &ball, &err));
    carom_shape_release(shape);
    carom_world_set_force_function(world, hold, &ball);
    for (int i = 0; i < 500; ++i)
        must(carom_world_step(world, 0.01, &err));
    double x[3];
    carom_world_body(world, ball, x, NULL, NULL, NULL);
    carom_ledger ledger = carom_world_ledger(world);
    printf("height %.3f m, work of the force %.3f J\n", x[2], ledger.driven);
    carom_world_destroy(world);
    return x[2] < 0.999 || x[2] > 1.001; // m g h = 9.81 J
}

// A door on a hinge with a stop and a motor, and what its hinge holds.
#include <math.h>
#include <stdio.h>
#include "carom/joint.h"
#include "carom/world.h"

int main(void)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *panel;
    carom_error err = { 0 };
    if (carom_world_create(&options, &world, &err) != CAROM_OK ||
        carom_box_create((double[3]){ 0.4, 0.02, 1 }, &panel, &err) != CAROM_OK)
        return printf("%s\n", err.what), 1;
    carom_body body = carom_world_body_default();
    body.shape = panel;
    body.mass = 10;
    body.position[0] = 0.4; // hinged at x = 0
    carom_joint hinge = { .kind = CAROM_JOINT_HINGE,
                          .axis = { 0, 0, 1 },
                          .lower = 0,
                          .upper = 1, // rad
                          .motor = CAROM_MOTOR_SPEED,
                          .speed = 2,  // rad/s ...
                          .force = 50, // ... with at most 50 N m
                          .name = "hinge" };
    carom_joint_id id;
    if (carom_world_add_body(world, &body, &hinge.b, &err) != CAROM_OK ||
        carom_world_add_joint(world, &hinge, &id, &err) != CAROM_OK)
        return printf("%s. Fix: %s\n", err.what, err.fix), 1;
    carom_joint_state state;
    for (int i = 0; i < 200; ++i)
        if (carom_world_step(world, 0.005, &err) != CAROM_OK)
            return printf("%s. Fix: %s\n", err.what, err.fix), 1;
    carom_world_joint_state(world, id, &state, NULL);
    printf("%s: %.4f rad, %.4f rad/s, it holds %.3f N\n", carom_world_joint_name(world, id),
           state.position, state.speed, state.force);
    double weight = 10 * 9.81;
    int wrong = fabs(state.position - 1) > 1e-9 || fabs(state.force - weight) > 1e-6 * weight;
    carom_shape_release(panel);
    carom_world_destroy(world);
    return wrong;
}

// A pile falls asleep and costs nothing until something touches it.
#include <stdio.h>
#include <stdlib.h>
#include "carom/world.h"

static carom_error err;

static void must(carom_status status)
{
    if (status == CAROM_OK)
        return;
    fprintf(stderr, "%s\n  Fix: %s\n", err.what, err.fix);
    exit(1);
}

static carom_body_id add(carom_world *world, carom_shape *shape, carom_body_kind kind, double z)
{
    carom_body body = carom_world_body_default();
    carom_body_id id;
    body.shape = shape;
    body.kind = kind;
    body.position[2] = z;
    must(carom_world_add_body(world, &body, &id, &err));
    carom_shape_release(shape);
    return id;
}

int main(void)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *floor, *brick, *ball;
    options.sleep_after = 0.5; // s
    must(carom_world_create(&options, &world, &err));
    must(carom_plane_create(&floor, &err));
    add(world, floor, CAROM_BODY_FIXED, 0);
    for (int i = 0; i < 5; ++i) {
        must(carom_box_create((double[]){ 0.2, 0.1, 0.05 }, &brick, &err));
        add(world, brick, CAROM_BODY_MOVING, 0.05 + 0.1 * i);
    }
    for (int i = 0; i < 100; ++i)
        must(carom_world_step(world, 0.01, &err));
    int asleep = carom_world_asleep_count(world);
    printf("after 1 s %d of 5 bricks sleep\n", asleep);
    must(carom_sphere_create(0.1, &ball, &err));
    add(world, ball, CAROM_BODY_MOVING, 1);
    for (int i = 0; i < 50; ++i)
        must(carom_world_step(world, 0.01, &err));
    printf("a ball has fallen on them: %d sleep\n", carom_world_asleep_count(world));
    int failed = asleep != 5 || carom_world_asleep_count(world) != 0;
    carom_world_destroy(world);
    return failed;
}

// Questions to a world: a ray down, a ball on its way, what is near.
#include <stdio.h>
#include <stdlib.h>
#include "carom/world_query.h"

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
    carom_shape *floor, *crate, *probe;
    must(carom_world_create(&options, &world, &err));
    must(carom_plane_create(&floor, &err));
    must(carom_box_create((double[]){ 0.5, 0.5, 0.5 }, &crate, &err));
    must(carom_sphere_create(0.25, &probe, &err));
    add(world, floor, CAROM_BODY_FIXED, 0);
    carom_body_id box = add(world, crate, CAROM_BODY_MOVING, 0.5);

    carom_hit hit;
    must(carom_world_cast_ray(world, (double[]){ 0, 0, 5 }, (double[]){ 0, 0, -10 }, NULL, &hit,
                              &err));
    printf("ray: body %d after %g m\n", hit.body.slot, hit.distance);
    int wrong = hit.body.slot != box.slot;

    carom_placed ball = carom_world_placed_default(probe);
    ball.position[0] = -3;
    ball.position[2] = 0.5;
    must(carom_world_cast_shape(world, &ball, (double[]){ 10, 0, 0 }, NULL, &hit, &err));
    printf("ball: body %d after %.6g m\n", hit.body.slot, hit.distance);
    must(carom_world_nearest(world, (double[]){ 0, 0, 1.2 }, 10, NULL, &hit, &err));
    printf("nearest: body %d, %.6g m away\n", hit.body.slot, hit.distance);
    carom_shape_release(probe);
    carom_world_destroy(world);
    return wrong;
}

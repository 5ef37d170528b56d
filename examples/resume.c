// A run that goes on from a snapshot, in another world.
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

static carom_world *make(carom_body_id *ball)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *plane, *sphere;
    must(carom_world_create(&options, &world, &err));
    must(carom_plane_create(&plane, &err));
    must(carom_sphere_create(0.1, &sphere, &err));
    carom_body body = carom_world_body_default();
    body.shape = plane;
    body.kind = CAROM_BODY_FIXED;
    must(carom_world_add_body(world, &body, NULL, &err));
    body.shape = sphere;
    body.kind = CAROM_BODY_MOVING;
    body.position[2] = 1;
    must(carom_world_add_body(world, &body, ball, &err));
    carom_shape_release(plane);
    carom_shape_release(sphere);
    return world;
}

int main(void)
{
    carom_body_id ball;
    carom_world *first = make(&ball), *second = make(&ball);
    for (int i = 0; i < 100; ++i)
        must(carom_world_step(first, 0.01, &err));
    size_t size = carom_world_snapshot_size(first);
    void *bytes = malloc(size);
    carom_world_snapshot(first, bytes);
    must(carom_world_restore(second, bytes, size, &err));
    free(bytes);
    for (int i = 0; i < 100; ++i) {
        must(carom_world_step(first, 0.01, &err));
        must(carom_world_step(second, 0.01, &err));
    }
    int same = carom_world_hash(first) == carom_world_hash(second);
    printf("%zu bytes, %s bits\n", size, same ? "the same" : "other");
    carom_world_destroy(first);
    carom_world_destroy(second);
    return !same;
}

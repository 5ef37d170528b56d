// Who begins to touch, hits and parts: a ball on a floor.
#include <stdio.h>
#include <stdlib.h>
#include "carom/world_event.h"

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
    const char *names[] = { "begins to touch", "hits", "parts" };
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *floor, *ball;
    int hits = 0;
    must(carom_world_create(&options, &world, &err));
    must(carom_plane_create(&floor, &err));
    must(carom_sphere_create(0.1, &ball, &err));
    add(world, floor, CAROM_BODY_FIXED, 0);
    add(world, ball, CAROM_BODY_MOVING, 1.1);
    carom_world_record_events(world, 1);
    for (int i = 0; i < 150; ++i) {
        must(carom_world_step(world, 0.01, &err));
        int count;
        const carom_contact_event *list = carom_world_events(world, &count);
        for (int k = 0; k < count; ++k) {
            printf("%.3f s: body %d %s", list[k].time, list[k].b.slot, names[list[k].kind]);
            printf(list[k].kind == CAROM_EVENT_HIT ? " at %.2f m/s, %.1f N s\n" : "\n",
                   list[k].speed, list[k].impulse);
            hits += list[k].kind == CAROM_EVENT_HIT;
        }
    }
    carom_world_destroy(world);
    return hits < 2;
}

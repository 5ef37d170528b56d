// What was done from outside, done again: the same bits.
#include <stdio.h>
#include <stdlib.h>
#include "carom/hash.h"
#include "carom/world_change.h"

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
    carom_shape *shape;
    must(carom_world_create(&options, &world, &err));
    must(carom_sphere_create(0.1, &shape, &err));
    carom_body body = carom_world_body_default();
    body.shape = shape;
    must(carom_world_add_body(world, &body, ball, &err));
    carom_shape_release(shape);
    return world;
}

int main(void)
{
    carom_body_id ball;
    carom_world *live = make(&ball), *again = make(&ball);
    carom_world_record_changes(live, 1);
    for (int i = 0; i < 100; ++i) { // somebody plays
        if (i % 17 == 3)
            must(carom_world_apply_impulse(live, ball, (double[]){ i * 0.1, 1, 4 }, NULL, &err));
        if (i == 50)
            must(carom_world_set_gravity(live, (double[]){ 0, 0, -1.62 }, &err));
        must(carom_world_step(live, 0.01, &err));
    }
    int count, next = 0;
    const carom_change *list = carom_world_changes(live, &count);
    for (int i = 0; i < 100; ++i) {
        for (; next < count && list[next].step == i; ++next)
            must(carom_world_change(again, &list[next], &err));
        must(carom_world_step(again, 0.01, &err));
    }
    int same = carom_world_hash(live) == carom_world_hash(again);
    printf("%d changes, %s bits\n", count, same ? "the same" : "other");
    carom_world_destroy(live);
    carom_world_destroy(again);
    return !same;
}

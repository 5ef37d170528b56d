// Bodies come and go: handles, names, the caller's own pointer.
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

int main(void)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *ball;
    must(carom_world_create(&options, &world, &err));
    must(carom_sphere_create(0.1, &ball, &err));

    int score = 7; // whatever belongs to the body in this program
    carom_body body = carom_world_body_default();
    carom_body_id first, second;
    body.shape = ball; // the world holds on to it, too
    body.name = "cue";
    body.user = &score;
    must(carom_world_add_body(world, &body, &first, &err));
    carom_shape_release(ball);

    carom_body_id found = carom_world_find_body(world, "cue");
    printf("%s in slot %d, score %d\n", carom_world_name(world, found), found.slot,
           *(int *)carom_world_user(world, found));

    must(carom_world_step(world, 0.01, &err));
    must(carom_world_remove(world, first, &err)); // its slot is free again
    carom_shape *box;
    must(carom_box_create((double[]){ 0.1, 0.1, 0.1 }, &box, &err));
    body.shape = box;
    must(carom_world_add_body(world, &body, &second, &err));
    carom_shape_release(box);
    printf("slot %d again, generation %u\n", second.slot, second.generation);

    double position[3];
    if (carom_world_body(world, first, position, NULL, NULL, NULL) != CAROM_BAD_INPUT)
        return 1; // a handle that was kept too long is refused
    printf("the old handle names nobody\n");
    carom_world_destroy(world);
    return 0;
}

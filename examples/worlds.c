// Two worlds in two threads at the same time; they share a shape, and nothing else.
#include <pthread.h>
#include <stdio.h>
#include "carom/world.h"

typedef struct run {
    const carom_shape *ball; // shapes never change: any number of worlds may use one
    double height;           // m, where it starts
    double end;              // m, where it is after a second
} run;

static void *fall(void *given)
{
    run *r = given;
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_body body = carom_world_body_default();
    carom_body_id id;
    double position[3];
    if (carom_world_create(&options, &world, NULL) != CAROM_OK)
        return NULL;
    body.shape = r->ball;
    body.position[2] = r->height;
    if (carom_world_add_body(world, &body, &id, NULL) == CAROM_OK) {
        for (int i = 0; i < 100; ++i)
            if (carom_world_step(world, 0.01, NULL) != CAROM_OK)
                break;
        carom_world_body(world, id, position, NULL, NULL, NULL);
        r->end = position[2];
    }
    carom_world_destroy(world);
    return NULL;
}

int main(void)
{
    carom_shape *ball;
    pthread_t threads[2];
    run runs[2] = { { .height = 10 }, { .height = 20 } };
    if (carom_sphere_create(0.1, &ball, NULL) != CAROM_OK)
        return 1;
    for (int k = 0; k < 2; ++k) {
        runs[k].ball = ball;
        if (pthread_create(&threads[k], NULL, fall, &runs[k]) != 0)
            return 1;
    }
    for (int k = 0; k < 2; ++k)
        pthread_join(threads[k], NULL);
    carom_shape_release(ball);
    printf("after 1 s: %.4f m and %.4f m\n", runs[0].end, runs[1].end);
    double difference = runs[1].end - runs[0].end - 10;
    return difference > 1e-12 || difference < -1e-12;
}

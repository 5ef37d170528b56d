// A world on the threads of the program: here one for every task.
#include <pthread.h>
#include <stdio.h>
#include "carom/world.h"

typedef struct task {
    carom_task_function run;
    void *data;
    int number;
} task;

static void *work(void *given)
{
    const task *t = given;
    t->run(t->data, t->number);
    return NULL;
}

static void pool(void *context, carom_task_function run, void *data, int count)
{
    pthread_t threads[16];
    task tasks[16];
    ++*(int *)context;
    for (int i = 0; i < count; ++i) {
        tasks[i] = (task){ run, data, i };
        pthread_create(&threads[i], NULL, work, &tasks[i]);
    }
    for (int i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    carom_world_options options = carom_world_options_default();
    carom_world *world;
    carom_shape *ball;
    carom_body body = carom_world_body_default();
    int jobs = 0;
    options.threads = 4; // tasks; any number gives the same bits
    if (carom_world_create(&options, &world, NULL) != CAROM_OK ||
        carom_sphere_create(0.04, &ball, NULL) != CAROM_OK)
        return 1;
    body.shape = ball;
    for (int i = 0; i < 8000; ++i) {
        body.position[0] = 0.1 * i;
        if (carom_world_add_body(world, &body, NULL, NULL) != CAROM_OK)
            return 1;
    }
    carom_shape_release(ball);
    carom_world_set_tasks(world, pool, &jobs);
    if (carom_world_step(world, 0.01, NULL) != CAROM_OK)
        return 1;
    printf("%d jobs ran on this program's threads\n", jobs);
    carom_world_destroy(world);
    return jobs == 0;
}

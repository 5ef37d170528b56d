// Two worlds in two threads at the same time, and worlds that run on the caller's threads: the same
// bits as alone. Under the thread sanitizer (preset tsan) also: no race.
#include <inttypes.h>
#include <pthread.h>
#include "carom/world_change.h"
#include "carom/world_event.h"
#include "carom/world_query.h"
#include "support/check.h"

enum { TASKS_MAX = 16 };

static int side, steps;                 // of the heap, and of time
static carom_shape *ball, *box, *plane; // shared by all worlds

static void must(carom_status status, const carom_error *err)
{
    CHECK(status == CAROM_OK, "done: %s %s", err->what, err->fix);
}

// Checks count in one place: in a thread failures are noted and judged by main.
typedef struct run {
    int failed;
    int threads;
    carom_tasks_function tasks;
    void *context;
    uint64_t hash;
    int64_t events, hits, contacts;
} run;

static void note(run *r, carom_status status)
{
    r->failed += status != CAROM_OK;
}

static void add(run *r, carom_world *world, const carom_shape *shape, const double at[3])
{
    carom_error err = { 0 };
    carom_body body = carom_world_body_default();
    body.shape = shape;
    body.kind = shape == plane ? CAROM_BODY_FIXED : CAROM_BODY_MOVING;
    for (int k = 0; k < 3; ++k)
        body.position[k] = at[k];
    note(r, carom_world_add_body(world, &body, NULL, &err));
}

// A heap of balls and boxes that falls on itself, with events and a question in every step.
static void *play(void *given)
{
    run *r = given;
    carom_error err = { 0 };
    carom_world_options options = carom_world_options_default();
    carom_world *world = NULL;
    options.threads = r->threads;
    options.events = 0;
    note(r, carom_world_create(&options, &world, &err));
    add(r, world, plane, (double[3]){ 0 });
    for (int i = 0; i < side * side * side; ++i)
        add(r, world, i % 5 ? ball : box,
            (double[]){ 0.1 * (i % side) + 0.01 * (i / (side * side)),
                        0.1 * (i / side % side) + 0.004 * (i % 3),
                        0.051 + 0.1 * (i / (side * side)) });
    carom_world_set_tasks(world, r->tasks, r->context);
    carom_world_record_events(world, 1);
    r->events = r->hits = 0;
    for (int k = 0; k < steps; ++k) {
        note(r, carom_world_step(world, 1.0 / 200, &err));
        int count;
        carom_hit hit;
        carom_world_events(world, &count);
        r->events += count;
        note(r, carom_world_cast_ray(world, (double[]){ 0.8, 0.8, 9 }, (double[]){ 0, 0, -9 }, NULL,
                                     &hit, &err));
        r->hits += hit.body.generation != 0;
    }
    r->hash = carom_world_hash(world);
    r->contacts = carom_world_ledger(world).contacts;
    carom_world_destroy(world);
    return NULL;
}

static void same(const run *one, const run *other, const char *what)
{
    CHECK(other->failed == 0 && one->hash == other->hash && one->events == other->events &&
              one->hits == other->hits,
          "%s: 0x%016" PRIx64 ", alone 0x%016" PRIx64, what, other->hash, one->hash);
}

// -- the caller's threads --------------------------------------------------------------------

typedef struct task {
    carom_task_function run;
    void *data;
    int number;
} task;

static void *do_task(void *given)
{
    const task *t = given;
    t->run(t->data, t->number);
    return NULL;
}

// A thread for every task.
static void at_once(void *context, carom_task_function function, void *data, int count)
{
    pthread_t threads[TASKS_MAX];
    task tasks[TASKS_MAX];
    for (int k = 0; k < count; ++k) {
        tasks[k] = (task){ function, data, k };
        *(int *)context += pthread_create(&threads[k], NULL, do_task, &tasks[k]) == 0;
    }
    for (int k = 0; k < count; ++k)
        pthread_join(threads[k], NULL);
}

// One after the other, the last first.
static void backwards(void *context, carom_task_function function, void *data, int count)
{
    ++*(int *)context;
    while (count-- > 0)
        function(data, count);
}

int main(void)
{
    carom_error err = { 0 };
    side = check_effort(17, 14); // 6000 contacts and more: enough for several threads everywhere
    steps = check_effort(6, 3);
    must(carom_sphere_create(0.05, &ball, &err), &err);
    must(carom_box_create((double[]){ 0.04, 0.04, 0.04 }, &box, &err), &err);
    must(carom_plane_create(&plane, &err), &err);
    run alone = { .threads = 1 };
    play(&alone);
    CHECK(alone.failed == 0 && alone.events > 0 && alone.hits == steps, "something happens: %lld",
          (long long)alone.events);
    CHECK(alone.contacts > 4096, "enough contacts for several threads: %lld",
          (long long)alone.contacts);
    run pair[2] = { { .threads = 2 }, { .threads = 3 } };
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k)
        CHECK(pthread_create(&threads[k], NULL, play, &pair[k]) == 0, "a thread");
    for (int k = 0; k < 2; ++k)
        pthread_join(threads[k], NULL);
    same(&alone, &pair[0], "one of two worlds");
    same(&alone, &pair[1], "the other");
    int jobs = 0, others = 0;
    run lent = { .threads = 3, .tasks = at_once, .context = &jobs };
    play(&lent);
    same(&alone, &lent, "threads of the caller");
    run serial = { .threads = 4, .tasks = backwards, .context = &others };
    play(&serial);
    same(&alone, &serial, "one after the other");
    CHECK(jobs > 10 && others > 10, "the caller was asked: %d and %d times", jobs, others);
    carom_shape_release(ball);
    carom_shape_release(box);
    carom_shape_release(plane);
    return check_report();
}

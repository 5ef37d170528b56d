// Shaken layers [QCE, table 2]: sweeps and time per step by qce, and by gr from the same states.
// CSV on standard output.
//
// Usage: bench_granular [SCENE [SKIP [STEPS]]], default scenes/world/patterns-stripes.json 216 108:
// after SKIP steps by qce, STEPS steps are taken by both laws, each from qce's state. Times are
// processor times of whole steps (collision, impact, rest, motion), one thread. `gr` has no
// friction of its own.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "carom/scene.h"
#include "carom/world.h"

typedef struct column {
    double sum, least, most;
} column;

typedef struct table {
    column sweeps, ms;
    int count;
} table;

static void fail(const char *what)
{
    fprintf(stderr, "bench_granular: %s\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static carom_world *build(const carom_scene_world *scene, const char *law)
{
    carom_error err = { 0 };
    carom_world *world;
    carom_world_options options = carom_scene_world_options(scene);
    options.law = carom_law_find(law, &err);
    options.law_options = carom_law_defaults(options.law);
    if (carom_scene_world_build(scene, &options, &world, &err) != CAROM_OK)
        fail(err.what);
    return world;
}

static void note(column *c, double value, bool first)
{
    c->sum += value;
    c->least = first || value < c->least ? value : c->least;
    c->most = first || value > c->most ? value : c->most;
}

static void step(carom_world *world, double dt, table *t)
{
    carom_error err = { 0 };
    double start = now();
    if (carom_world_step(world, dt, &err) != CAROM_OK)
        fail(err.what);
    if (!t)
        return;
    note(&t->ms, now() - start, t->count == 0);
    note(&t->sweeps, (double)carom_world_ledger(world).sweeps, t->count == 0);
    ++t->count;
}

static void row(const char *law, int bodies, const table *t)
{
    printf("%s,%d,%d,%.1f,%.0f,%.0f,%.2f,%.2f,%.2f\n", law, bodies, t->count,
           t->sweeps.sum / t->count, t->sweeps.most, t->sweeps.least, t->ms.sum / t->count,
           t->ms.most, t->ms.least);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "scenes/world/patterns-stripes.json";
    int skip = argc > 2 ? atoi(argv[2]) : 216, steps = argc > 3 ? atoi(argv[3]) : 108;
    carom_error err = { 0 };
    carom_scene_world *scene;
    if (carom_scene_world_open(path, &scene, &err) != CAROM_OK)
        fail(err.what);
    carom_world *qce = build(scene, "qce"), *gr = build(scene, "gr");
    double dt = carom_scene_world_step(scene);
    table tables[2] = { 0 };
    for (int i = 0; i < skip; ++i)
        step(qce, dt, NULL);
    for (int i = 0; i < steps; ++i) {
        size_t size = carom_world_snapshot_size(qce);
        void *bytes = malloc(size);
        if (!bytes)
            fail("no memory for a snapshot");
        carom_world_snapshot(qce, bytes);
        if (carom_world_restore(gr, bytes, size, &err) != CAROM_OK)
            fail(err.what);
        free(bytes);
        step(gr, dt, &tables[1]);
        step(qce, dt, &tables[0]);
    }
    printf("law,bodies,steps,sweeps avg,max,min,ms per step avg,max,min\n");
    row("qce", carom_world_body_count(qce), &tables[0]);
    row("gr", carom_world_body_count(qce), &tables[1]);
    carom_world_destroy(qce);
    carom_world_destroy(gr);
    carom_scene_world_close(scene);
    return 0;
}

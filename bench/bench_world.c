// The world beside Bullet and ODE: spheres, boxes and hulls at rest, and stacks that must stand.
// CSV on standard output; at the end the times as a table on standard error.
//
// Usage: bench_world [quick] [alone] [settled] [SCENE ...]. `quick` takes a tenth of the bodies,
// `alone` leaves the peers out, names choose scenes. Every engine starts from the same bodies and
// settles them itself, which in full size takes the peers an hour; with `settled` they start from
// where ours came to rest and get 30 steps to find their contacts. `ms` is the mean processor time
// per step over the last part of the run. Overlaps of all engines are measured by Carom's collision
// on the final positions, and so is the kinetic energy, relative to the potential energy the drop
// set free. `worst` is the longest step of the whole run. One thread, nothing asleep. Carom's
// options are its defaults in scenes at 1/60 and 1/240 s (`plain`); piles at 1/600 s take every
// contact of a step at once, as the peers do. The last columns are the goal that a scene's time was
// set and the processor time of a simulated second.
#include "peers.h"
#include "world_engine.h"
#include "world_scenes.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef BENCH_PEERS
const peer *const peers[] = { NULL };
const int peer_count = 0;
#endif

enum { FIND_STEPS = 30, PEERS_MAX = 8, SCENES_MAX = 32 };

typedef struct figures {
    double ms, worst_ms, total_s, kinetic, deepest, drift;
    int64_t contacts;
    uint64_t hash;
} figures;

static const double gravity = 9.81;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double kinetic(const world_scene *s, const peer_state *states)
{
    double energy = 0;
    for (int i = 0; i < s->count; ++i) {
        const peer_body *b = &s->bodies[i];
        if (b->kind == PEER_PLANE)
            continue;
        double q[4], w[3];
        memcpy(q, states[i].rotation, sizeof q);
        memcpy(w, states[i].spin, sizeof w);
        // spin in the shape frame, where the inertia is diagonal
        double r[3][3] = { { 1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                             2 * (q[1] * q[3] + q[0] * q[2]) },
                           { 2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                             2 * (q[2] * q[3] - q[0] * q[1]) },
                           { 2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                             1 - 2 * (q[1] * q[1] + q[2] * q[2]) } };
        for (int k = 0; k < 3; ++k) {
            double inner = r[0][k] * w[0] + r[1][k] * w[1] + r[2][k] * w[2];
            energy += 0.5 * b->mass * states[i].velocity[k] * states[i].velocity[k] +
                      0.5 * b->inertia[k] * inner * inner;
        }
    }
    return energy;
}

static double fallen(const world_scene *s, const peer_state *states)
{
    double energy = 0;
    for (int i = 0; i < s->count; ++i)
        if (s->bodies[i].kind != PEER_PLANE)
            energy +=
                s->bodies[i].mass * gravity * (s->bodies[i].position[2] - states[i].position[2]);
    return energy;
}

static void read_states(const peer *engine, void *world, const world_scene *s, peer_state *states)
{
    for (int i = 0; i < s->count; ++i)
        engine->state(world, i, &states[i]);
}

static double farthest(const world_scene *s, const peer_state *from, const peer_state *to)
{
    double max = 0;
    for (int i = 0; i < s->count; ++i) {
        double square = 0;
        for (int k = 0; k < 3 && s->bodies[i].kind != PEER_PLANE; ++k) {
            double d = to[i].position[k] - from[i].position[k];
            square += d * d;
        }
        max = fmax(max, sqrt(square));
    }
    return max;
}

// The bodies of a scene where they have come to rest.
static peer_body *moved(const world_scene *s, const peer_state *states)
{
    peer_body *bodies = malloc((size_t)s->count * sizeof *bodies);
    if (!bodies)
        world_scene_fail("no memory");
    memcpy(bodies, s->bodies, (size_t)s->count * sizeof *bodies);
    for (int i = 0; i < s->count; ++i)
        if (bodies[i].kind != PEER_PLANE) {
            memcpy(bodies[i].position, states[i].position, sizeof bodies[i].position);
            memcpy(bodies[i].rotation, states[i].rotation, sizeof bodies[i].rotation);
        }
    return bodies;
}

// Takes steps. Returns the processor time of the longest, s.
static double take_steps(const peer *engine, void *world, const world_scene *s, int count)
{
    double worst = 0;
    for (int i = 0; i < count; ++i) {
        double start = now();
        engine->step(world, s->dt);
        worst = fmax(worst, now() - start);
    }
    return worst;
}

// `rest`: where the bodies came to rest, for a peer that starts from there, or null; our own leaves
// them there.
static figures run(const peer *engine, const world_scene *s, peer_state *rest)
{
    figures f = { 0 };
    bool from_rest = rest && engine != &world_engine && !s->stack;
    peer_state *first = calloc((size_t)s->count, sizeof *first);
    peer_state *last = calloc((size_t)s->count, sizeof *last);
    peer_body *bodies = from_rest ? moved(s, rest) : s->bodies;
    world_engine_choose(s);
    void *world = engine->create(bodies, s->count, s->friction, s->restitution);
    engine->join(world, s->joints, s->joint_count);
    double start = now();
    f.worst_ms = 1e3 * take_steps(engine, world, s, from_rest ? FIND_STEPS : s->settle);
    read_states(engine, world, s, first);
    double middle = now();
    f.worst_ms = fmax(f.worst_ms, 1e3 * take_steps(engine, world, s, s->measure));
    double end = now();
    read_states(engine, world, s, last);
    f.ms = 1e3 * (end - middle) / s->measure;
    f.total_s = end - start;
    f.contacts = engine->contacts(world);
    f.drift = farthest(s, first, last);
    double drop = fallen(s, last);
    f.kinetic = kinetic(s, last) / (s->stack || drop <= 0 ? 1 : drop);
    if (engine == &world_engine)
        f.hash = carom_world_hash(world);
    engine->destroy(world);
    carom_world *judge = world_engine_world(s, last);
    world_engine.step(judge, 1e-9);
    f.deepest = carom_world_ledger(judge).overlap;
    carom_world_destroy(judge);
    if (engine == &world_engine && rest)
        memcpy(rest, last, (size_t)s->count * sizeof *last);
    if (from_rest)
        free(bodies);
    free(first);
    free(last);
    return f;
}

static void row(const world_scene *s, const peer *engine, const figures *f, const figures *ours)
{
    double diameter = 2 * s->bodies[s->count - 1].size[0];
    printf(
        "%s,%s,%d,%" PRId64 ",%0.3f,%0.1f,%0.1f,%0.2e,%0.2e,%0.2e,%0.2f,%016" PRIx64 ",%g,%0.3f\n",
        s->name, engine->name, s->count, f->contacts, f->ms, f->worst_ms, f->total_s, f->kinetic,
        f->deepest / diameter, f->drift, f->ms / ours->ms, f->hash, s->goal, 0.001 * f->ms / s->dt);
    fflush(stdout);
}

// What a scene's table row says of each engine: times per step, ours first; 0: did not run.
typedef struct times_of {
    const char *scene;
    double goal, ms[1 + PEERS_MAX];
} times_of;

static void print_table(const times_of *rows, int count)
{
    fprintf(stderr, "\n| scene, ms per step (how many times ours) | goal | %s |",
            world_engine.name);
    for (int p = 0; p < peer_count; ++p)
        fprintf(stderr, " %s |", peers[p]->name);
    fprintf(stderr, "\n|---|---|---|");
    for (int p = 0; p < peer_count; ++p)
        fprintf(stderr, "---|");
    for (int k = 0; k < count; ++k) {
        fprintf(stderr, "\n| %s |", rows[k].scene);
        if (rows[k].goal > 0)
            fprintf(stderr, " %g", rows[k].goal);
        fprintf(stderr, " | %0.3g |", rows[k].ms[0]);
        for (int p = 1; p <= peer_count; ++p)
            if (rows[k].ms[p] > 0)
                fprintf(stderr, " %0.3g (%0.1f) |", rows[k].ms[p], rows[k].ms[p] / rows[k].ms[0]);
            else
                fprintf(stderr, " |");
    }
    fprintf(stderr, "\n");
}

// One scene in all engines, ours first; `settled`: the peers start from where ours came to rest.
static times_of run_all(const world_scene *s, bool settled, bool alone)
{
    peer_state *rest = settled ? calloc((size_t)s->count, sizeof *rest) : NULL;
    figures ours = run(&world_engine, s, rest);
    times_of times = { s->name, s->goal, { ours.ms } };
    row(s, &world_engine, &ours, &ours);
    for (int p = 0; p < (alone ? 0 : peer_count); ++p) {
        if (s->bodies[s->count - 1].kind == PEER_HULL && !strcmp(peers[p]->name, "ODE"))
            continue; // it has no hulls of points
        figures f = run(peers[p], s, rest);
        row(s, peers[p], &f, &ours);
        times.ms[1 + p] = f.ms;
    }
    free(rest);
    return times;
}

static bool is_one_of(const char *name, char **list, int count)
{
    for (int i = 0; i < count; ++i)
        if (!strcmp(name, list[i]))
            return true;
    return false;
}

static bool is_scene(const char *name)
{
    for (const world_scene_maker *one = world_scene_list; one->name; ++one)
        if (!strcmp(name, one->name))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    bool quick = false, alone = false, settled = false;
    char *chosen[SCENES_MAX];
    int chosen_count = 0, row_count = 0;
    times_of rows[SCENES_MAX];
    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], "quick"))
            quick = true;
        else if (!strcmp(argv[i], "alone"))
            alone = true;
        else if (!strcmp(argv[i], "settled"))
            settled = true;
        else if (is_scene(argv[i]) && chosen_count < SCENES_MAX)
            chosen[chosen_count++] = argv[i];
        else
            return fprintf(stderr, "bench_world: no scene is called \"%s\"\n", argv[i]), 2;
    }
    world_scene s = world_scene_create();
    printf("scene,engine,bodies,contacts,ms/step,worst ms,total s,kinetic energy (share of the "
           "drop; J for stacks),deepest overlap/diameter,drift m,time/ours,hash,goal ms,"
           "s/simulated s\n");
    for (const world_scene_maker *one = world_scene_list; one->name; ++one) {
        if (chosen_count > 0 && !is_one_of(one->name, chosen, chosen_count))
            continue;
        one->make(&s, quick);
        rows[row_count++] = run_all(&s, settled, alone);
    }
    print_table(rows, row_count);
    world_scene_destroy(&s);
    return 0;
}

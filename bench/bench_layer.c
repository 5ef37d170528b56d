// A shaken layer of grains in Carom, Bullet, ODE and LAMMPS, in one run: time of a step at the same
// moment of the same motion. CSV on standard output.
//
// Usage: bench_layer [SCENE [CYCLES [PART]]], default scenes/world/patterns.json 2 1. Carom shakes
// the layer for CYCLES cycles of the floor; from there every engine takes PART of a cycle in the
// scene's steps: Carom with one thread and with two, the peers in the frame of the container (which
// stands still in a gravity that swings, the same motion), in units in which a grain is
// as large as a ball, so that their thresholds, made for metres, do no harm. LAMMPS has soft
// grains: as stiff as needed for an overlap of 1 % of a diameter at twice the floor's speed, with
// steps of a twentieth of a contact, and softer. Overlaps of all are measured by Carom, on the
// positions at eight instants; the peers have constant restitution. Times are the processor's; the
// clock's are for two threads.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "carom/scene.h"
#include "carom/world.h"
#include "lammps.h"
#include "peers.h"

#ifndef BENCH_PEERS
const peer *const peers[] = { NULL };
const int peer_count = 0;
#endif

#define RESTITUTION 0.7
#define FRICTION 0.5
enum { FIND_STEPS = 3, PARTS = 8 }; // steps not timed, for peers to find their contacts; instants
#define UNIT 1e3                    // peers' lengths in a metre

typedef struct layer {
    carom_scene_world *scene;
    carom_world_options options;
    carom_drive drive;
    double dt, diameter, density, side;
    void *state; // snapshot at the start of the measurement
    size_t size;
    double time;
    int count, grains, steps;
    peer_body *bodies; // in the frame of the container, m
} layer;

typedef struct clocks {
    double processor, wall; // s
} clocks;

static void fail(const char *what)
{
    fprintf(stderr, "bench_layer: %s\n", what);
    exit(1);
}

static clocks now(void)
{
    struct timespec p, w;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &p);
    clock_gettime(CLOCK_MONOTONIC, &w);
    return (clocks){ (double)p.tv_sec + 1e-9 * (double)p.tv_nsec,
                     (double)w.tv_sec + 1e-9 * (double)w.tv_nsec };
}

static clocks since(clocks start)
{
    clocks end = now();
    return (clocks){ end.processor - start.processor, end.wall - start.wall };
}

static carom_world *build(const layer *l, int threads)
{
    carom_error err = { 0 };
    carom_world *world;
    carom_world_options options = l->options;
    options.threads = threads;
    if (carom_scene_world_build(l->scene, &options, &world, &err) != CAROM_OK)
        fail(err.what);
    return world;
}

static void step(carom_world *world, double dt)
{
    carom_error err = { 0 };
    if (carom_world_step(world, dt, &err) != CAROM_OK)
        fail(err.what);
}

// Where the container is and how fast, at a time.
static double lift(const carom_drive *drive, double time, double *speed, double *acceleration)
{
    double omega = 2 * 3.14159265358979323846 * drive->frequency;
    double angle = omega * (time - drive->start) + drive->phase;
    *speed = drive->amplitude[2] * omega * cos(angle);
    *acceleration = -drive->amplitude[2] * omega * omega * sin(angle);
    return drive->amplitude[2] * sin(angle);
}

// The bodies as they are now, in the frame of the container.
static void take_bodies(layer *l, carom_world *world)
{
    double speed, acceleration, height = lift(&l->drive, l->time, &speed, &acceleration);
    for (int i = 0; i < l->count; ++i) {
        peer_body *b = &l->bodies[i];
        const carom_shape *shape = carom_world_shape(world, carom_world_body_at(world, i));
        carom_body body = carom_scene_world_body(l->scene, i);
        carom_world_body(world, carom_world_body_at(world, i), b->position, b->rotation,
                         b->velocity, b->spin);
        if (carom_shape_kind_of(shape) == CAROM_SHAPE_SPHERE) {
            double r = carom_shape_radius(shape);
            b->kind = PEER_SPHERE;
            b->mass = carom_world_mass(world, carom_world_body_at(world, i));
            b->position[2] -= height;
            b->velocity[2] -= speed;
            for (int k = 0; k < 3; ++k) {
                b->size[k] = r;
                b->inertia[k] = 0.4 * b->mass * r * r;
            }
            l->diameter = 2 * r;
            l->density = body.density;
            ++l->grains;
            continue;
        }
        const double *q = body.rotation; // a plane's normal is its z axis
        b->kind = PEER_PLANE;
        b->normal[0] = 2 * (q[1] * q[3] + q[0] * q[2]);
        b->normal[1] = 2 * (q[2] * q[3] - q[0] * q[1]);
        b->normal[2] = 1 - 2 * (q[1] * q[1] + q[2] * q[2]);
        memcpy(b->position, body.position, sizeof b->position);
        l->side = fmax(l->side, 2 * fabs(b->position[0]));
    }
}

// Shakes the layer until it moves with the floor.
static void prepare(layer *l, const char *path, int cycles, double part)
{
    carom_error err = { 0 };
    if (carom_scene_world_open(path, &l->scene, &err) != CAROM_OK)
        fail(err.what);
    l->options = carom_scene_world_options(l->scene);
    l->dt = carom_scene_world_step(l->scene);
    l->drive = carom_scene_world_body(l->scene, 0).drive;
    if (!(l->drive.frequency > 0))
        fail("the first body of the scene is no shaken floor");
    carom_world *world = build(l, 1);
    int per_cycle = (int)lround(1 / (l->drive.frequency * l->dt));
    for (int i = 0; i < cycles * per_cycle; ++i)
        step(world, l->dt);
    l->steps = (int)lround(part * per_cycle);
    l->time = carom_world_ledger(world).time;
    l->count = carom_world_body_count(world);
    l->size = carom_world_snapshot_size(world);
    l->state = malloc(l->size);
    l->bodies = calloc((size_t)l->count, sizeof *l->bodies);
    if (!l->state || !l->bodies)
        fail("no memory");
    carom_world_snapshot(world, l->state);
    take_bodies(l, world);
    carom_world_destroy(world);
}

// The deepest overlap of grains at given places, in diameters.
static double deepest(const layer *l, double (*places)[3])
{
    carom_error err = { 0 };
    carom_world *world;
    carom_shape *ball, *plane;
    carom_overlap worst;
    carom_world_options options = carom_world_options_default();
    int count;
    options.slop = l->options.slop;
    if (carom_world_create(&options, &world, &err) != CAROM_OK ||
        carom_sphere_create(l->diameter / 2, &ball, &err) != CAROM_OK ||
        carom_plane_create(&plane, &err) != CAROM_OK)
        fail(err.what);
    for (int i = 0; i < l->count; ++i) {
        carom_body body = carom_world_body_default();
        bool fixed = l->bodies[i].kind == PEER_PLANE;
        body.shape = fixed ? plane : ball;
        body.kind = fixed ? CAROM_BODY_FIXED : CAROM_BODY_MOVING;
        memcpy(body.position, fixed ? l->bodies[i].position : places[i], sizeof body.position);
        if (fixed)
            memcpy(body.rotation, carom_scene_world_body(l->scene, i).rotation,
                   sizeof body.rotation);
        if (carom_world_add_body(world, &body, NULL, &err) != CAROM_OK)
            fail(err.what);
    }
    if (carom_world_overlaps(world, &worst, &count, &err) != CAROM_OK)
        fail(err.what);
    carom_world_destroy(world);
    carom_shape_release(ball);
    carom_shape_release(plane);
    return count > 0 ? worst.depth / l->diameter : 0;
}

// What one engine did.
typedef struct figures {
    double step; // s
    clocks spent;
    double simulated; // s, in that time
    double overlap;   // diameters
    carom_times of;   // s by the clock; ours only
} figures;

static void row(const layer *l, const char *engine, const figures *f, double ours)
{
    double per_step = 1e3 * l->dt / f->simulated, ms = f->spent.processor * per_step;
    printf("%s,%d,%g,%.2f,%.2f,%.3g,%.2f", engine, l->grains, f->step, ms, f->spent.wall * per_step,
           f->overlap, ours > 0 ? ms / ours : 1);
    if (f->of.collide > 0)
        printf(",%.2f,%.2f,%.2f,%.2f", f->of.collide * per_step, f->of.impact * per_step,
               f->of.rest * per_step, f->of.move * per_step);
    printf("\n");
    fflush(stdout);
}

static void add(clocks *sum, clocks part)
{
    sum->processor += part.processor;
    sum->wall += part.wall;
}

// Whether positions are looked at after this step.
static bool instant(const layer *l, int step)
{
    return (step + 1) * PARTS / l->steps > step * PARTS / l->steps;
}

static double (*places_of(const layer *l))[3]
{
    double(*places)[3] = calloc((size_t)l->count, sizeof *places);
    if (!places)
        fail("no memory");
    return places;
}

// Returns the processor time of a step, ms.
static double run_own(const layer *l, int threads, double ours, uint64_t *hash)
{
    carom_error err = { 0 };
    carom_world *world = build(l, threads);
    if (carom_world_restore(world, l->state, l->size, &err) != CAROM_OK)
        fail(err.what);
    double(*places)[3] = places_of(l);
    figures f = { .step = l->dt, .simulated = l->steps * l->dt };
    for (int i = 0; i < l->steps; ++i) {
        clocks start = now();
        step(world, l->dt);
        add(&f.spent, since(start));
        carom_times times = carom_world_times(world);
        f.of.collide += times.collide;
        f.of.impact += times.impact;
        f.of.rest += times.rest;
        f.of.move += times.move;
        if (!instant(l, i))
            continue;
        double speed, acceleration;
        double height = lift(&l->drive, carom_world_ledger(world).time, &speed, &acceleration);
        for (int k = 0; k < l->count; ++k) {
            double rotation[4], velocity[3], spin[3];
            carom_world_body(world, carom_world_body_at(world, k), places[k], rotation, velocity,
                             spin);
            places[k][2] -= height;
        }
        f.overlap = fmax(f.overlap, deepest(l, places));
    }
    char name[40];
    snprintf(name, sizeof name, "Carom (%d thread%s)", threads, threads > 1 ? "s" : "");
    row(l, name, &f, ours);
    *hash = carom_world_hash(world);
    free(places);
    carom_world_destroy(world);
    return 1e3 * f.spent.processor / l->steps;
}

static void run_peer(const layer *l, const peer *engine, double ours)
{
    peer_body *bodies = malloc((size_t)l->count * sizeof *bodies);
    double(*places)[3] = places_of(l), speed, acceleration;
    if (!bodies)
        fail("no memory");
    for (int i = 0; i < l->count; ++i) {
        peer_body *b = &bodies[i];
        *b = l->bodies[i];
        for (int k = 0; k < 3; ++k) {
            b->size[k] *= UNIT;
            b->position[k] *= UNIT;
            b->velocity[k] *= UNIT;
            b->inertia[k] *= UNIT * UNIT;
        }
    }
    void *world = engine->create(bodies, l->count, FRICTION, RESTITUTION);
    figures f = { .step = l->dt, .simulated = (l->steps - FIND_STEPS) * l->dt };
    for (int i = 0; i < l->steps; ++i) {
        lift(&l->drive, l->time + i * l->dt, &speed, &acceleration);
        engine->gravity(world, -UNIT * (9.81 + acceleration));
        clocks start = now();
        engine->step(world, l->dt);
        if (i >= FIND_STEPS)
            add(&f.spent, since(start));
        if (!instant(l, i))
            continue;
        for (int k = 0; k < l->count; ++k) {
            peer_state state;
            engine->state(world, k, &state);
            for (int x = 0; x < 3; ++x)
                places[k][x] = state.position[x] / UNIT;
        }
        f.overlap = fmax(f.overlap, deepest(l, places));
    }
    engine->destroy(world);
    row(l, engine->name, &f, ours);
    free(places);
    free(bodies);
}

static void run_lammps(const layer *l, double overlap, double step_s, double ours)
{
    double omega = 2 * 3.14159265358979323846 * l->drive.frequency;
    lammps_layer soft = { .bodies = l->bodies,
                          .count = l->count,
                          .side = l->side,
                          .diameter = l->diameter,
                          .density = l->density,
                          .friction = FRICTION,
                          .restitution = RESTITUTION,
                          .amplitude = l->drive.amplitude[2],
                          .frequency = l->drive.frequency,
                          .phase = l->drive.phase,
                          .time = l->time,
                          .duration = l->steps * l->dt,
                          .speed = 2 * l->drive.amplitude[2] * omega,
                          .parts = PARTS,
                          .overlap = overlap,
                          .step = step_s };
    lammps_run run;
    char name[40];
    if (!lammps(&soft, &run))
        return;
    figures f = { .step = run.step,
                  .spent = { run.seconds, run.seconds },
                  .simulated = soft.duration };
    for (int i = 0; i < PARTS; ++i)
        f.overlap = fmax(f.overlap, deepest(l, run.places + i * l->count));
    snprintf(name, sizeof name, "LAMMPS (%g %% soft)", 100 * overlap);
    row(l, name, &f, ours);
    free(run.places);
}

int main(int argc, char **argv)
{
    layer l = { 0 };
    double part = argc > 3 ? atof(argv[3]) : 1;
    prepare(&l, argc > 1 ? argv[1] : "scenes/world/patterns.json", argc > 2 ? atoi(argv[2]) : 2,
            part);
    printf("engine,grains,step s,processor ms per %g s,wall ms,deepest overlap (diameters),"
           "time/ours,of it collide wall ms,impact,rest,move\n",
           l.dt);
    uint64_t one, two;
    double ours = run_own(&l, 1, 0, &one);
    run_own(&l, 2, ours, &two);
    if (one != two)
        fail("two threads gave other bits than one");
    for (int p = 0; p < peer_count; ++p)
        run_peer(&l, peers[p], ours);
    run_lammps(&l, 0.1, 0, ours);
    run_lammps(&l, 0.01, 0, ours);
    free(l.state);
    free(l.bodies);
    carom_scene_world_close(l.scene);
    return 0;
}

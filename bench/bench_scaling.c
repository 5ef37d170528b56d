// How a step grows from a thousand grains to a million.
//
// Usage: bench_scaling [quick | bed THREADS]. A layer of settled spheres ten deep, one thread;
// `bed`: 60,000 of them alone with so many threads, for a profile of what each thread does. A
// thousand grains fall; larger layers are mirror images of them side by side. A grain that pressed
// on a (smooth) wall then presses on its own image in the same point with the same force, so the
// larger layer could rest as it is. But it starts without the impulses that hold it, and what it
// lacks of them in its first steps stirs it up: it is damped for CALM steps, then left to itself
// until it rests, at RESTING joules of kinetic energy a grain, and only then measured. A row says
// after how many steps that was; one that has not come to rest by then says so by its kinetic
// energy. The bytes are those
// of steps at rest, and beside them the most that the process has ever had. CSV on standard output.
#include "carom/world.h"
#include "carom/world_change.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EDGE = 10, TILE = EDGE * EDGE * EDGE, SETTLE = 1500, MEASURE = 6, WALLS = 5 };
// Steps with damping; between two looks at the kinetic energy, and in all.
enum { CALM = 60, LOOK = 20, STEPS_MAX = 800 };
static const double DAMPING = 60; // 1/s
static const double RESTING = 5e-7;
enum { ROUGH = 1, SMOOTH }; // materials: walls are smooth, for between images nothing rubs

static int threads = 1;
static const double radius = 0.05, spacing = 0.106, dt = 1.0 / 600;

// What one step of one layer cost.
typedef struct figures {
    int grains;
    double seconds, kinetic;  // per step; J per grain
    double contacts, sweeps;  // per grain; per step, of the resting solver
    double bytes, peak_bytes; // per grain
    int settled_in;           // steps
} figures;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The most that this process has had.
static double peak_memory(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return 1024.0 * (double)use.ru_maxrss;
}

// What it has now; 0 where nobody says it.
static double memory(void)
{
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    int read = fscanf(file, "%ld %ld", &all, &resident);
    fclose(file);
    return read == 2 ? (double)resident * (double)sysconf(_SC_PAGESIZE) : 0;
}

static void must(carom_status status, const carom_error *err)
{
    if (status == CAROM_OK)
        return;
    fprintf(stderr, "bench_scaling: %s: %s\n", err->where, err->what);
    exit(1);
}

static void add_wall(carom_world *world, const double normal[3], double offset, int material)
{
    carom_error err = { 0 };
    carom_body body = carom_world_body_default();
    carom_shape *shape;
    must(carom_plane_create(&shape, &err), &err);
    double q[4] = { 1 + normal[2], -normal[1], normal[0], 0 };
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    body.kind = CAROM_BODY_FIXED;
    body.shape = shape;
    body.material = material;
    for (int k = 0; k < 4; ++k)
        body.rotation[k] = q[k] / length;
    for (int k = 0; k < 3; ++k)
        body.position[k] = offset * normal[k];
    must(carom_world_add_body(world, &body, NULL, &err), &err);
    carom_shape_release(shape);
}

// Grains in a container from (0, 0) to (wide, long), the floor at zero.
static carom_world *layer(int count, const double (*centres)[3], double wide, double length)
{
    carom_error err = { 0 };
    carom_world *world;
    carom_world_options options = carom_world_options_default();
    options.events = 0;
    options.threads = threads;
    options.resting_speed = 0.2;
    carom_material material = carom_world_material_default();
    material.friction = 0.5;
    material.restitution = 0.3;
    must(carom_world_create(&options, &world, &err), &err);
    must(carom_world_add_material(world, &material, NULL, &err), &err);
    material.friction = 0;
    must(carom_world_add_material(world, &material, NULL, &err), &err);
    add_wall(world, (double[3]){ 0, 0, 1 }, 0, ROUGH);
    add_wall(world, (double[3]){ 1, 0, 0 }, 0, SMOOTH);
    add_wall(world, (double[3]){ -1, 0, 0 }, -wide, SMOOTH);
    add_wall(world, (double[3]){ 0, 1, 0 }, 0, SMOOTH);
    add_wall(world, (double[3]){ 0, -1, 0 }, -length, SMOOTH);
    carom_shape *shape;
    must(carom_sphere_create(radius, &shape, &err), &err);
    carom_body body = carom_world_body_default();
    body.shape = shape;
    body.material = ROUGH;
    for (int i = 0; i < count; ++i) {
        memcpy(body.position, centres[i], sizeof body.position);
        must(carom_world_add_body(world, &body, NULL, &err), &err);
    }
    carom_shape_release(shape);
    return world;
}

static void steps(carom_world *world, int count)
{
    carom_error err = { 0 };
    for (int i = 0; i < count; ++i)
        must(carom_world_step(world, dt, &err), &err);
}

static void damp(carom_world *world, int grains, double rate)
{
    carom_error err = { 0 };
    for (int i = WALLS; i < WALLS + grains; ++i)
        must(carom_world_set_damping(world, carom_world_body_at(world, i), rate, rate, &err), &err);
}

static void settle_tile(double (*centres)[3])
{
    for (int i = 0; i < TILE; ++i) {
        int place[3] = { i % EDGE, i / EDGE % EDGE, i / (EDGE * EDGE) };
        for (int k = 0; k < 3; ++k) // a jitter that repeats nowhere, 2 % of the spacing
            centres[i][k] = spacing * (place[k] + 0.5 + 0.02 * sin(12.9898 * (3 * i + k)));
    }
    carom_world *world = layer(TILE, (const double(*)[3])centres, EDGE * spacing, EDGE * spacing);
    steps(world, SETTLE);
    double rotation[4], velocity[3], spin[3];
    for (int i = 0; i < TILE; ++i)
        carom_world_body(world, carom_world_body_at(world, WALLS + i), centres[i], rotation,
                         velocity, spin);
    carom_world_destroy(world);
}

// The tile and its mirror images, `across` by `along` of them.
static double (*mirror(const double (*tile)[3], int across, int along))[3]
{
    double(*centres)[3] = malloc(sizeof *centres * (size_t)across * (size_t)along * TILE);
    if (!centres) {
        fprintf(stderr, "bench_scaling: no memory for %d tiles\n", across * along);
        exit(1);
    }
    double wide = EDGE * spacing;
    for (int t = 0; t < across * along; ++t) {
        int place[2] = { t % across, t / across };
        for (int i = 0; i < TILE; ++i) {
            double *c = centres[t * TILE + i];
            memcpy(c, tile[i], sizeof centres[0]);
            for (int k = 0; k < 2; ++k)
                c[k] = wide * place[k] + (place[k] % 2 ? wide - c[k] : c[k]);
        }
    }
    return centres;
}

static figures measure(const double (*tile)[3], int across, int along)
{
    figures f = { .grains = across * along * TILE };
    double before = memory();
    double(*centres)[3] = mirror(tile, across, along);
    carom_world *world = layer(f.grains, (const double(*)[3])centres, across * EDGE * spacing,
                               along * EDGE * spacing);
    free(centres);
    damp(world, f.grains, DAMPING);
    steps(world, f.settled_in = CALM);
    damp(world, f.grains, 0);
    do
        steps(world, LOOK);
    while ((f.settled_in += LOOK) < STEPS_MAX &&
           carom_world_ledger(world).kinetic > RESTING * f.grains);
    double start = now();
    for (int i = 0; i < MEASURE; ++i) {
        steps(world, 1);
        f.sweeps += (double)carom_world_ledger(world).rest_sweeps / MEASURE;
    }
    f.seconds = (now() - start) / MEASURE;
    carom_ledger ledger = carom_world_ledger(world);
    f.contacts = (double)ledger.contacts / f.grains;
    f.kinetic = ledger.kinetic / f.grains;
    f.bytes = (memory() - before) / f.grains;
    f.peak_bytes = (peak_memory() - before) / f.grains;
    carom_world_destroy(world);
    return f;
}

// In a process of its own: the most memory that one has had does not fall when a layer goes, and
// the next would seem to need only what it needs more.
static figures measure_apart(const double (*tile)[3], int across, int along)
{
    figures f = { 0 };
    int ends[2];
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child == 0) {
        f = measure(tile, across, along);
        _exit(write(ends[1], &f, sizeof f) != (ssize_t)sizeof f);
    }
    if (child < 0 || close(ends[1]) != 0 || read(ends[0], &f, sizeof f) != (ssize_t)sizeof f) {
        fprintf(stderr, "bench_scaling: no process for %d tiles\n", across * along);
        exit(1);
    }
    close(ends[0]);
    waitpid(child, NULL, 0);
    return f;
}

int main(int argc, char **argv)
{
    bool quick = argc == 2 && strcmp(argv[1], "quick") == 0;
    bool bed = argc == 3 && strcmp(argv[1], "bed") == 0 && (threads = atoi(argv[2])) > 0;
    if (argc > 1 && !quick && !bed) {
        fprintf(stderr, "usage: bench_scaling [quick | bed THREADS]\n");
        return 2;
    }
    static double tile[TILE][3];
    settle_tile(tile);
    const int sides[][2] = { { 1, 1 },   { 3, 1 },   { 5, 2 },   { 6, 5 },
                             { 10, 10 }, { 20, 15 }, { 32, 32 }, { 10, 6 } };
    int all = (int)(sizeof sides / sizeof sides[0]);
    int first = bed ? all - 1 : 0, end = bed ? all : quick ? 3 : all - 1;
    printf("grains,ms_per_step,us_per_grain,contacts_per_grain,rest_sweeps,bytes_per_grain,"
           "peak_bytes_per_grain,kinetic_J_per_grain,steps_to_rest\n");
    figures last = { 0 };
    for (int i = first; i < end; ++i) {
        last = measure_apart((const double(*)[3])tile, sides[i][0], sides[i][1]);
        printf("%d,%.3f,%.3f,%.2f,%.1f,%.0f,%.0f,%.2g,%d\n", last.grains, 1e3 * last.seconds,
               1e6 * last.seconds / last.grains, last.contacts, last.sweeps, last.bytes,
               last.peak_bytes, last.kinetic, last.settled_in);
        fflush(stdout);
    }
    return 0;
}

// Restitution: kernels (samples per second of one core, and their error), whole maps, lookups. CSV
// on standard output.
//
// Usage: bench_bounce [MESH [UNIT_IN_M]]: also bakes a map of a mesh file (the bunny of Debian's
// glmark2-data). Kernel samples are contacts on the side of a 200 x 10 x 10 mm bar seen by 45
// modes; `error` is the mean distance of epsilon to the event solver over a part of them. Times are
// processor seconds, the least of three runs; `hash` covers the results: a quicker run with another
// hash is not a quicker run.
#include "carom/bounce_map.h"
#include "carom/import.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 3000, JUDGED = 500, RUNS = 3, LOOKUPS = 200000, ASKED = 1000 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t hash_of(const carom_bounce_result *results, int count)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int s = 0; s < count; ++s) {
        unsigned char bytes[sizeof(double)];
        memcpy(bytes, &results[s].epsilon, sizeof bytes);
        for (size_t i = 0; i < sizeof bytes; ++i)
            hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static double measure(const carom_bounce_batch *batch, const carom_bounce_options *options,
                      carom_bounce_result *results)
{
    double best = INFINITY;
    for (int run = 0; run < RUNS; ++run) {
        double start = now();
        carom_error err = { 0 };
        if (carom_bounce_many(batch, options, results, &err) != CAROM_OK) {
            fprintf(stderr, "%s\n", err.what);
            exit(1);
        }
        best = fmin(best, now() - start);
    }
    return best;
}

static void row(const char *name, const carom_bounce_batch *batch, carom_bounce_options options,
                const carom_bounce_result *judge)
{
    static carom_bounce_result results[SAMPLES];
    double seconds = measure(batch, &options, results), error = 0, steps = 0;
    for (int s = 0; s < JUDGED; ++s)
        error += fabs(results[s].epsilon - judge[s].epsilon) / JUDGED;
    for (int s = 0; s < batch->sample_count; ++s)
        steps += (double)results[s].steps / batch->sample_count;
    printf("%s,%d,%.3f,%.0f,%.0f,%.2e,%016" PRIx64 "\n", name, batch->sample_count, options.turn,
           batch->sample_count / seconds, steps, error, hash_of(results, batch->sample_count));
}

static const carom_modal_material material = { 7e10, 0.3, 2000 };

static void stop(const carom_error *err)
{
    fprintf(stderr, "%s: %s; %s\n", err->where, err->what, err->fix);
    exit(1);
}

static carom_modes *modes_of(const carom_shape *shape, double *seconds)
{
    carom_modal_options options = carom_modal_options_default();
    carom_mesh_source surface = carom_mesh_surface(shape);
    carom_modes *modes = NULL;
    carom_error err = { 0 };
    options.threads = 1;
    double start = now();
    if (carom_modal_from_surface(&surface, &material, &options, NULL, &modes, &err) != CAROM_OK)
        stop(&err);
    *seconds = now() - start;
    return modes;
}

static void kernels(const carom_modes *modes)
{
    const carom_modal_info *about = carom_modal_about(modes);
    static carom_bounce_result judge[SAMPLES];
    static double w[SAMPLES];
    int m = about->mode_count;
    double *a = malloc((size_t)SAMPLES * (size_t)m * sizeof *a);
    for (int s = 0; s < SAMPLES; ++s) {
        double p[3] = { 0.1 * (s / 20 + 0.5) / 150, 0.005 * (s % 20 + 0.5) / 20, 0.005 };
        carom_modal_participation(modes, p, (double[3]){ 0, 0, 1 }, a + (size_t)s * (size_t)m,
                                  &w[s], NULL);
    }
    carom_bounce_batch batch = { m, SAMPLES, about->omega, w, a, 1 };
    carom_bounce_batch part = { m, JUDGED, about->omega, w, a, 1 };
    carom_bounce_options options = carom_bounce_options_default();
    printf("kernel,samples,turn,samples/s,steps,error,hash\n");
    options.solver = CAROM_BOUNCE_EVENT;
    options.turn = 0.1;
    measure(&part, &options, judge);
    row("event", &part, options, judge);
    options.solver = CAROM_BOUNCE_PRODUCTION;
    options.turn = 0.15;
    row("production", &batch, options, judge);
    options.turn = 0.29;
    row("production (default)", &batch, options, judge);
    options.turn = 0.58;
    row("production", &batch, options, judge);
    options.solver = CAROM_BOUNCE_LITERAL;
    options.turn = 0.058;
    row("literal", &batch, options, judge);
    free(a);
}

// Nanoseconds per lookup at face samples.
static double lookup_ns(const carom_bounce_map *map, double *sum)
{
    static double asked[ASKED][6];
    int faces = carom_bounce_map_about(map)->faces;
    for (int k = 0; k < ASKED; ++k)
        carom_bounce_map_sample(map, (int)((long long)k * 7919 % faces), asked[k], asked[k] + 3);
    double start = now();
    for (int k = 0; k < LOOKUPS; ++k)
        *sum += carom_bounce_map_lookup(map, asked[k % ASKED], asked[k % ASKED] + 3).epsilon;
    return 1e9 * (now() - start) / LOOKUPS;
}

static void map_row(const char *name, const carom_shape *shape, carom_bounce_symmetry_choice choice,
                    carom_bounce_reading reading)
{
    carom_bounce_map_options options = carom_bounce_map_options_default();
    carom_bounce_map *map = NULL;
    carom_error err = { 0 };
    double modal, sum = 0;
    carom_modes *modes = modes_of(shape, &modal);
    options.threads = 1;
    options.symmetry = choice;
    options.reading = reading;
    options.edges = options.vertices = 0;
    double start = now();
    if (carom_bounce_map_bake(shape, modes, &options, NULL, &map, &err) != CAROM_OK)
        stop(&err);
    double baked = now() - start;
    carom_bounce_statistics s = carom_bounce_map_statistics(map, CAROM_BOUNCE_FACE);
    double ns = lookup_ns(map, &sum);
    printf("%s,%d,%d,%.2f,%.2f,%.0f,%.4f,%.4f,%.4f\n", name, s.count,
           carom_bounce_map_about(map)->computed, modal, baked, ns, s.min, s.max, s.mean_area);
    carom_bounce_map_destroy(map);
    carom_modal_destroy(modes);
}

int main(int argc, char **argv)
{
    carom_shape *bar = NULL;
    carom_error err = { 0 };
    double seconds;
    if (carom_generate_shape("bar:200x10x10mm@0.5mm", &bar, &err) != CAROM_OK)
        stop(&err);
    carom_modes *modes = modes_of(bar, &seconds);
    kernels(modes);
    carom_modal_destroy(modes);
    printf("\nmap,faces,contacts,modes s,contacts s,lookup ns,least,largest,mean\n");
    map_row("bar", bar, CAROM_BOUNCE_SYMMETRY_FIND, CAROM_BOUNCE_NEAREST);
    map_row("bar; linear reading", bar, CAROM_BOUNCE_SYMMETRY_FIND, CAROM_BOUNCE_LINEAR);
    map_row("bar; without symmetry", bar, CAROM_BOUNCE_SYMMETRY_NONE, CAROM_BOUNCE_NEAREST);
    carom_shape_release(bar);
    if (argc > 1) {
        carom_shape *mesh = NULL;
        double unit = argc > 2 ? strtod(argv[2], NULL) : 1;
        if (carom_import_mesh(argv[1], unit, CAROM_MESH_REPAIR, NULL, &mesh, &err) != CAROM_OK)
            stop(&err);
        map_row(argv[1], mesh, CAROM_BOUNCE_SYMMETRY_FIND, CAROM_BOUNCE_NEAREST);
        carom_shape_release(mesh);
    }
    return 0;
}

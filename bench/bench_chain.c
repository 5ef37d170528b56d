// Chains: the figures of [EC] and bars of growing fineness. CSV on standard output.
//
// Usage: bench_chain [SCENES] (default scenes/chain). Times are the least of three runs after a
// warm-up; `hash` covers the velocities and vibrations after: a quicker run with another hash is
// not a quicker run.
#include "carom/chain.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { RUNS = 3 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t hash_of(const carom_chain_result *r)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t b = 0; b < r->bodies; b++) {
        double values[2] = { r->velocity[b] + 0.0, r->vibration[b] + 0.0 };
        unsigned char bytes[sizeof values];
        memcpy(bytes, values, sizeof values);
        for (size_t i = 0; i < sizeof bytes; i++)
            hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

// Prints one row and returns the seconds of the quickest run; negative on failure.
static double measure(const char *name, const carom_chain *chain, bool exact)
{
    double best = -1;
    carom_chain_result *result = NULL;
    for (int run = 0; run <= RUNS; run++) {
        carom_error err = { 0 };
        carom_chain_result_destroy(result);
        double start = now();
        if ((exact ? carom_chain_waves : carom_chain_run)(chain, &result, &err) != CAROM_OK) {
            fprintf(stderr, "%s: %s\n", name, err.what);
            return -1;
        }
        double seconds = now() - start;
        if (run > 0 && (best < 0 || seconds < best))
            best = seconds;
    }
    double steps = (double)result->steps;
    printf("%s%s,%zu,%zu,%zu,%zu,%.3f,%.0f,%.2f,%.1e,%s,%016" PRIx64 "\n", name,
           exact ? " (waves)" : "", result->nodes, result->steps, result->attempts, result->events,
           1e3 * best, steps / best,
           result->nodes ? 1e9 * best / (steps * (double)result->nodes) : 0, result->energy_error,
           carom_chain_exit_word(result->exit), hash_of(result));
    carom_chain_result_destroy(result);
    return best;
}

static int figures(const char *folder)
{
    static const char *const names[] = { "fig3_hooke",     "fig4_sliced_spheres",
                                         "fig5_hertz",     "fig6_fifth_power",
                                         "fig7_cylinders", "fig8_cylinder_cradle",
                                         "fig11_unequal" };
    double total = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[1024];
        carom_error err = { 0 };
        carom_chain_file *file;
        snprintf(path, sizeof path, "%s/%s.json", folder, names[i]);
        if (carom_chain_file_open(path, &file, &err) != CAROM_OK) {
            fprintf(stderr, "%s: %s\n", err.where, err.what);
            return 1;
        }
        const carom_chain *chain = carom_chain_file_chain(file);
        double seconds = measure(names[i], chain, false);
        if (chain->bodies[0].kind == CAROM_CHAIN_CYLINDER)
            measure(names[i], chain, true);
        carom_chain_file_close(file);
        if (seconds < 0)
            return 1;
        total += seconds;
    }
    printf("figures 3-8 and 11 together,,,,,%.3f,,,,,\n", 1e3 * total);
    return 0;
}

// A short piece of an impact (300 slices' worth of travel) of two bars: the cost of a step is
// linear in slices.
static void bars(void)
{
    for (int slices = 100; slices <= 100000; slices *= 10) {
        carom_chain_body bodies[2];
        carom_chain_contact contact = { .stiffness = 0 };
        for (int b = 0; b < 2; b++)
            bodies[b] = (carom_chain_body){ .kind = CAROM_CHAIN_CYLINDER,
                                            .velocity = b ? 0 : 1,
                                            .radius = 0.05,
                                            .length = 1,
                                            .young = 2e11,
                                            .density = 7800,
                                            .slices = slices };
        carom_chain chain = { .bodies = bodies,
                              .body_count = 2,
                              .contacts = &contact,
                              .duration = 300.0 / slices / carom_chain_body_sound(&bodies[0]) };
        char name[64];
        snprintf(name, sizeof name, "two bars of %d slices", slices);
        measure(name, &chain, false);
    }
}

int main(int argc, char **argv)
{
    printf("scene,nodes,steps,attempts,events,ms,steps/s,ns/(step node),energy error,ended,hash\n");
    if (figures(argc > 1 ? argv[1] : "scenes/chain"))
        return 1;
    bars();
    return 0;
}

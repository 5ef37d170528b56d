// Restitution kernels: samples per second of one core, and their error. CSV on standard output.
//
// Samples are contacts of a 200 x 10 x 10 mm bar seen by 45 modes. `error` is the mean distance of
// epsilon to the event solver over a part of them. Times are the least of three runs; `hash` covers
// the results: a quicker run with another hash is not a quicker run.
#include "carom/bounce.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../tests/truth/bounce_cases.h"

enum { SAMPLES = 3000, JUDGED = 300, RUNS = 3 };

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

int main(void)
{
    static double w[SAMPLES], a[SAMPLES][BAR_MODES];
    static carom_bounce_result judge[SAMPLES];
    srand(1);
    for (int s = 0; s < SAMPLES; ++s) {
        const bar_case *c = &bar_cases[s % BAR_CASES];
        w[s] = c->w;
        for (int k = 0; k < BAR_MODES; ++k)
            a[s][k] = c->a[k] * (0.8 + 0.4 * rand() / RAND_MAX);
    }
    carom_bounce_batch batch = { BAR_MODES, SAMPLES, bar_omega, w, a[0], 1 };
    carom_bounce_batch part = { BAR_MODES, JUDGED, bar_omega, w, a[0], 1 };
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
    row("production", &batch, options, judge);
    options.damping = 1e-8;
    row("production damped", &batch, options, judge);
    options.damping = 0;
    options.turn = 0.58;
    row("production", &batch, options, judge);
    options.solver = CAROM_BOUNCE_LITERAL;
    options.turn = 0.058;
    row("literal", &batch, options, judge);
    return 0;
}

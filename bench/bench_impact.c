// Impact laws on packings of touching spheres: time, work, memory, energy error and state hash,
// beside a plain reference implementation in the same run.
//
// Usage: bench_impact [FILE.csv] [quick]  (default file bench_impact.csv)
//
// Every figure is the least of several rounds; a round runs all entries one after the other, so
// that a noisy minute hurts all of them and ratios stay fair. On a busy machine trust processor
// time for one thread; wall clock is what threads are for. A row with another hash is another
// result, not a quicker one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "carom/carom.h"
#include "reference_qce.h"
#include "scenes.h"

// What is timed. Adding a law to all tables is one line here; unknown laws are left out.
typedef struct entry {
    const char *label, *law; // null law: the plain reference
    const char *options[4][2];
    int threads;
    int grows; // also in the table of growth
} entry;

#define UNCAPPED                                                                                   \
    {                                                                                              \
        "sweeps", "100000"                                                                         \
    }

static const entry entries[] = {
    { "reference", NULL, { { NULL } }, 1, 0 },
    { "qce, theta 0", "qce", { { "theta", "0" }, UNCAPPED }, 1, 0 },
    { "qce", "qce", { UNCAPPED }, 1, 1 },
    { "qce, 2 threads", "qce", { UNCAPPED }, 2, 0 },
    { "wave", "wave", { { NULL } }, 1, 1 },
    { "wave, 2 threads", "wave", { { NULL } }, 2, 0 },
};

enum { ENTRIES = sizeof entries / sizeof *entries };

typedef struct result {
    int known;
    double seconds, cpu;           // wall clock and processor time, each the least of all rounds
    double energy_error, distance; // relative; largest |v - v of the reference|
    carom_impact_report report;
} result;

typedef struct desk {
    carom_workspace *workspaces[ENTRIES]; // one each: warm after a round, memory told apart
    double (*v)[3], (*w)[3], (*p)[3];
    double (*reference_v)[3], *reference_p;
    FILE *csv;
} desk;

static int desk_open(desk *d, int bodies, int contacts);
static void desk_close(desk *d);
static int table_of_laws(desk *d, int rounds);
static int table_of_growth(desk *d, int max);
static int measure(desk *d, const scene *s, int index, result *r);

int main(int argc, char **argv)
{
    int quick = argc > 1 && strcmp(argv[argc - 1], "quick") == 0;
    const char *path = argc > 1 + quick ? argv[1] : "bench_impact.csv";
    desk d = { .csv = fopen(path, "w") };
    if (!d.csv) {
        perror(path);
        return 2;
    }
    fprintf(d.csv, "scene,contacts,spheres,entry,threads,milliseconds,cpu_milliseconds,sweeps,"
                   "events,bytes_per_contact,"
                   "energy_error,distance_to_reference,hash,end\n");
    int ok = table_of_laws(&d, quick ? 2 : 5) && table_of_growth(&d, quick ? 100000 : 1000000);
    fclose(d.csv);
    printf("\nAll rows: %s\n", path);
    return ok ? 0 : 1;
}

typedef struct watch {
    double wall, cpu; // s
} watch;

static double clock_seconds(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static watch watch_start(void)
{
    return (watch){ clock_seconds(CLOCK_MONOTONIC), clock_seconds(CLOCK_PROCESS_CPUTIME_ID) };
}

static void watch_stop(watch start, result *r)
{
    r->seconds = fmin(r->seconds, clock_seconds(CLOCK_MONOTONIC) - start.wall);
    r->cpu = fmin(r->cpu, clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - start.cpu);
}

static int desk_open(desk *d, int bodies, int contacts)
{
    int ok = 1;
    for (int i = 0; i < ENTRIES; ++i) {
        d->workspaces[i] = carom_workspace_create();
        if (d->workspaces[i])
            carom_workspace_set_threads(d->workspaces[i], entries[i].threads);
        ok = ok && d->workspaces[i];
    }
    d->v = malloc((size_t)bodies * sizeof *d->v);
    d->w = malloc((size_t)bodies * sizeof *d->w);
    d->p = malloc((size_t)contacts * sizeof *d->p);
    d->reference_v = malloc((size_t)bodies * sizeof *d->reference_v);
    d->reference_p = malloc((size_t)contacts * sizeof *d->reference_p);
    if (ok && d->v && d->w && d->p && d->reference_v && d->reference_p)
        return 1;
    fprintf(stderr, "bench_impact: no memory for %d contacts\n", contacts);
    return 0;
}

static void desk_close(desk *d)
{
    for (int i = 0; i < ENTRIES; ++i)
        carom_workspace_destroy(d->workspaces[i]);
    free(d->v);
    free(d->w);
    free(d->p);
    free(d->reference_v);
    free(d->reference_p);
}

// -- one measurement -----------------------------------------------------------------------------

static double kinetic(const scene *s, double (*v)[3])
{
    double sum = 0;
    for (int i = 0; i < s->impact.body_count; ++i) {
        const double *u = v ? v[i] : s->bodies[i].velocity;
        sum += 0.5 / s->bodies[i].inverse_mass * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    return sum;
}

static double distance(const scene *s, double (*v)[3], double (*w)[3])
{
    double max = 0;
    for (int i = 0; i < s->impact.body_count; ++i)
        for (int k = 0; k < 3; ++k)
            max = fmax(max, fabs(v[i][k] - w[i][k]));
    return max;
}

static int measure_reference(desk *d, const scene *s, result *r)
{
    reference_report report;
    watch start = watch_start();
    if (!reference_qce(&s->impact, 1e-9, 100000, d->reference_v, d->reference_p, &report))
        return 0;
    watch_stop(start, r);
    r->energy_error = fabs(kinetic(s, d->reference_v) / kinetic(s, NULL) - 1);
    r->report = (carom_impact_report){ .sweeps = report.sweeps,
                                       .events = report.events,
                                       .scratch_bytes = report.bytes };
    return 1;
}

static int measure(desk *d, const scene *s, int index, result *r)
{
    const entry *e = &entries[index];
    if (!e->law)
        return measure_reference(d, s, r);
    carom_error err = { 0 };
    const carom_law *law = carom_law_find(e->law, &err);
    carom_law_options options = carom_law_defaults(law);
    for (int i = 0; i < 4 && e->options[i][0]; ++i)
        if (carom_law_set(law, &options, e->options[i][0], e->options[i][1], &err) != CAROM_OK) {
            fprintf(stderr, "bench_impact: %s: %s\n", e->label, err.what);
            return 0;
        }
    carom_impact_outcome out = { d->v, d->w, d->p, { 0 } };
    watch start = watch_start();
    if (carom_impact_resolve(d->workspaces[index], &s->impact, law, &options, &out, &err) !=
        CAROM_OK) {
        fprintf(stderr, "bench_impact: %s: %s\n", e->label, err.what);
        return 0;
    }
    watch_stop(start, r);
    r->energy_error = fabs(out.report.energy_after / out.report.energy_before - 1);
    r->distance = distance(s, d->v, d->reference_v);
    r->report = out.report;
    return 1;
}

static void write_row(desk *d, const char *name, const scene *s, const entry *e, const result *r)
{
    fprintf(d->csv, "%s,%d,%d,\"%s\",%d,%.4f,%.4f,%d,%lld,%.1f,%.3g,%.3g,%016llx,%s\n", name,
            s->impact.contact_count, s->impact.body_count, e->label, e->threads, 1e3 * r->seconds,
            1e3 * r->cpu, r->report.sweeps, (long long)r->report.events,
            (double)r->report.scratch_bytes / s->impact.contact_count, r->energy_error, r->distance,
            (unsigned long long)r->report.hash, carom_impact_end_word(r->report.end));
}

// -- tables --------------------------------------------------------------------------------------

static void print_laws(desk *d, const char *name, const scene *s, const result *results)
{
    printf("\n%s velocities: %d spheres, %d contacts\n", name, s->impact.body_count,
           s->impact.contact_count);
    printf("  %-16s %8s %8s %8s %8s %7s %9s %8s %9s %9s  %-16s %s\n", "", "ms", "x faster",
           "cpu ms", "x less", "sweeps", "events", "B/cont.", "energy", "|v-v_ref|", "hash", "end");
    for (int i = 0; i < ENTRIES; ++i) {
        const result *r = &results[i];
        if (!r->known)
            continue;
        printf("  %-16s %8.1f %8.2f %8.1f %8.2f %7d %9lld %8.0f %9.1e %9.1e  %016llx %s\n",
               entries[i].label, 1e3 * r->seconds, results[0].seconds / r->seconds, 1e3 * r->cpu,
               results[0].cpu / r->cpu, r->report.sweeps, (long long)r->report.events,
               (double)r->report.scratch_bytes / s->impact.contact_count, r->energy_error,
               r->distance, (unsigned long long)r->report.hash,
               carom_impact_end_word(r->report.end));
        write_row(d, name, s, &entries[i], r);
    }
}

static int table_of_laws(desk *d, int rounds)
{
    enum { ENOUGH = 5 }; // s: slower entries run once
    scene s;
    int ok = scene_packing(&s, 25, 50, 50, 201606);
    if (!ok || !desk_open(d, s.impact.body_count, s.impact.contact_count))
        return 0;
    for (int kind = 0; kind < 2 && ok; ++kind) {
        result results[ENTRIES];
        (kind ? scene_set_shock : scene_set_random)(&s);
        for (int i = 0; i < ENTRIES; ++i)
            results[i] = (result){ .known = !entries[i].law || carom_law_find(entries[i].law, NULL),
                                   .seconds = HUGE_VAL,
                                   .cpu = HUGE_VAL };
        for (int round = 0; round < rounds && ok; ++round)
            for (int i = 0; i < ENTRIES && ok; ++i)
                if (results[i].known && (round == 0 || results[i].seconds < ENOUGH))
                    ok = measure(d, &s, i, &results[i]);
        if (ok)
            print_laws(d, kind ? "shock" : "random", &s, results);
    }
    desk_close(d);
    scene_free(&s);
    return ok;
}

// Cost per contact and per event from 1,000 contacts up, default options, one thread.
static int table_of_growth(desk *d, int max)
{
    for (int law = 0; law < ENTRIES; ++law) {
        const entry *e = &entries[law];
        if (!e->grows || !carom_law_find(e->law, NULL))
            continue;
        printf("\n%s, random velocities, from 1,000 contacts up\n", e->label);
        printf("  %9s %9s %9s %7s %9s %12s %10s %9s  %s\n", "contacts", "spheres", "cpu ms",
               "sweeps", "events", "ns/contact", "ns/event", "energy", "hash");
        for (int contacts = 1000; contacts <= max; contacts *= 10) {
            scene s;
            result r = { .seconds = HUGE_VAL, .cpu = HUGE_VAL };
            if (!scene_cube(&s, contacts) || !desk_open(d, s.impact.body_count, contacts))
                return 0;
            scene_set_random(&s);
            memset(d->reference_v, 0, (size_t)s.impact.body_count * sizeof *d->reference_v);
            for (int i = 0; i < (contacts < 1000000 ? 5 : 2); ++i)
                if (!measure(d, &s, law, &r))
                    return 0;
            r.distance = (double)NAN;
            printf("  %9d %9d %9.2f %7d %9lld %12.0f %10.0f %9.1e  %016llx\n", contacts,
                   s.impact.body_count, 1e3 * r.cpu, r.report.sweeps, (long long)r.report.events,
                   1e9 * r.cpu / contacts, 1e9 * r.cpu / (double)r.report.events, r.energy_error,
                   (unsigned long long)r.report.hash);
            write_row(d, "growth", &s, e, &r);
            desk_close(d);
            scene_free(&s);
        }
    }
    return 1;
}

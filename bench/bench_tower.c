// Towers: time of a collapse and growth with n.
//
// One row per tower: bricks, variables and most rows of the quadratic program, mean and slowest
// milliseconds per step (solver alone, and the whole step), factorisations per step, worst
// residual, and a hash of the last state. A quicker run with another hash is not a quicker run. Run
// with OMP_NUM_THREADS=1; everything here is serial anyway.
#include "carom/tower.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); // other programs on the machine do not count
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

typedef struct result {
    double mean, max, solver, kkt, gain, overlap;
    long factorisations, interior;
    int rows;
    unsigned long long hash;
    bool good;
} result;

static result run(const char *spec, int steps, int *bricks)
{
    carom_error err = { 0 };
    carom_tower *tower;
    carom_tower_motion *motion;
    result r = { .good = false };
    carom_tower_motion_options o = carom_tower_motion_default();
    if (carom_tower_build(spec, &tower, &err) != CAROM_OK ||
        carom_tower_motion_create(tower, &o, &motion, &err) != CAROM_OK) {
        fprintf(stderr, "%s: %s\n", spec, err.what);
        return r;
    }
    *bricks = carom_tower_bodies(tower);
    r.good = true;
    double start = now();
    for (int n = 0; n < steps && r.good; ++n) {
        carom_tower_step step;
        double before = now();
        r.good = carom_tower_motion_step(motion, &step, &err) == CAROM_OK;
        double spent = now() - before;
        r.max = spent > r.max ? spent : r.max;
        r.factorisations += step.factorisations;
    }
    r.mean = (now() - start) / steps;
    carom_tower_audit audit = carom_tower_motion_audit(motion);
    r.solver = audit.qp_ms / steps;
    r.kkt = audit.kkt;
    r.gain = audit.energy_gain_total;
    r.overlap = audit.penetration;
    r.rows = audit.rows;
    r.interior = audit.interior_calls;
    r.hash = carom_tower_motion_hash(motion);
    if (!r.good)
        fprintf(stderr, "%s: %s\n", spec, err.what);
    carom_tower_motion_destroy(motion);
    carom_tower_destroy(tower);
    return r;
}

static void proof_row(const char *spec)
{
    carom_error err = { 0 };
    carom_tower *tower;
    carom_tower_proof proof;
    if (carom_tower_build(spec, &tower, &err) != CAROM_OK)
        return;
    double start = now();
    bool good = carom_tower_prove(tower, &proof, &err) == CAROM_OK;
    printf("prove,%s,%d,%s,%d,%.1f\n", spec, carom_tower_bodies(tower),
           good ? (proof.stable ? "stable" : "unstable") : err.what, good ? proof.bits : 0,
           now() - start);
    carom_tower_prove_free(&proof);
    carom_tower_destroy(tower);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *spec;
        int steps;
    } rows[] = { { "diamond:2", 100 },  { "diamond:3", 100 },   { "diamond:4", 100 },
                 { "diamond:5", 1000 }, { "diamond:6", 400 },   { "diamond:8", 400 },
                 { "diamond:10", 400 }, { "diamond:12", 400 },  { "diamond:15", 400 },
                 { "diamond:20", 400 }, { "triangle:12", 400 }, { "wall:20,20", 100 } };
    const char *only = argc > 1 ? argv[1] : 0;
    printf("scene,bricks,variables,rows,steps,step_ms,step_ms_max,solver_ms_wall,factorisations,"
           "interior,kkt,"
           "energy_gain,overlap,hash\n");
    bool good = true;
    for (size_t n = 0; n < sizeof rows / sizeof *rows; ++n) {
        int bricks = 0;
        if (only && strcmp(only, rows[n].spec) != 0)
            continue;
        result r = run(rows[n].spec, rows[n].steps, &bricks);
        good = good && r.good;
        printf("%s,%d,%d,%d,%d,%.4f,%.3f,%.4f,%.2f,%ld,%.1e,%.1e,%.1e,%016llx\n", rows[n].spec,
               bricks, 3 * bricks, r.rows, rows[n].steps, r.mean, r.max, r.solver,
               (double)r.factorisations / rows[n].steps, r.interior, r.kkt, r.gain, r.overlap,
               r.hash);
        fflush(stdout);
    }
    if (!only) {
        printf("\nproof,scene,bricks,verdict,bits,ms\n");
        proof_row("diamond:5");
        proof_row("diamond:10");
        proof_row("diamond:20");
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

// The law `wave` with and without friction on the same instants: processor time, and their ratio.
//
// Usage: bench_friction [rounds]  (default 9)
//
// Cubic lattices of touching spheres with random velocities, one thread. Times are the least of all
// rounds; a round runs both one after the other. Restitution 1 without friction has loops of its
// own in the law (no rotation, no velocities read), so that row compares two programs.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "carom/carom.h"

typedef struct lattice {
    carom_impact impact;
    carom_impact_body *bodies;
    carom_impact_contact *contacts;
    double (*v)[3], (*w)[3], (*p)[3];
} lattice;

// Uniform in [-1, 1].
static double any(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static void join(lattice *l, int a, int b, int axis)
{
    carom_impact_contact *c = &l->contacts[l->impact.contact_count++];
    *c = carom_impact_contact_default();
    c->a = a;
    c->b = b;
    c->exponent = 1.5;
    for (int k = 0; k < 3; ++k) {
        c->normal[k] = k == axis;
        c->point[k] = l->bodies[a].position[k] + 0.5 * c->normal[k];
    }
}

static int make(lattice *l, int side)
{
    int bodies = side * side * side, step[3] = { side * side, side, 1 };
    uint64_t state = 14;
    *l = (lattice){ .bodies = calloc((size_t)bodies, sizeof *l->bodies),
                    .contacts = calloc(3 * (size_t)bodies, sizeof *l->contacts),
                    .v = calloc((size_t)bodies, sizeof *l->v),
                    .w = calloc((size_t)bodies, sizeof *l->w),
                    .p = calloc(3 * (size_t)bodies, sizeof *l->p) };
    if (!l->bodies || !l->contacts || !l->v || !l->w || !l->p)
        return 0;
    for (int i = 0; i < bodies; ++i) {
        l->bodies[i] = carom_impact_body_default();
        for (int k = 0; k < 3; ++k) {
            l->bodies[i].position[k] = i / step[k] % side;
            l->bodies[i].velocity[k] = any(&state);
        }
    }
    for (int i = 0; i < bodies; ++i)
        for (int k = 0; k < 3; ++k)
            if (i / step[k] % side < side - 1)
                join(l, i, i + step[k], k);
    l->impact.body_count = bodies;
    l->impact.bodies = l->bodies;
    l->impact.contacts = l->contacts;
    return 1;
}

static void release(lattice *l)
{
    free(l->bodies);
    free(l->contacts);
    free(l->v);
    free(l->w);
    free(l->p);
}

// Processor time of one resolve, ms; negative where it fails.
static double resolve(lattice *l, carom_workspace *workspace, double e, double mu)
{
    carom_error err = { 0 };
    struct timespec a, b;
    carom_impact_outcome out = { l->v, l->w, l->p, { 0 } };
    const carom_law *law = carom_law_find("wave", &err);
    for (int i = 0; i < l->impact.contact_count; ++i) {
        l->contacts[i].restitution = e;
        l->contacts[i].friction = mu;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
    if (carom_impact_resolve(workspace, &l->impact, law, NULL, &out, &err) != CAROM_OK) {
        fprintf(stderr, "bench_friction: %s\n", err.what);
        return -1;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
    return 1e3 * (double)(b.tv_sec - a.tv_sec) + 1e-6 * (double)(b.tv_nsec - a.tv_nsec);
}

int main(int argc, char **argv)
{
    const int sides[] = { 4, 15 }, rounds = argc > 1 ? atoi(argv[1]) : 9;
    const double es[] = { 1, 0.5, 0 };
    carom_workspace *workspace = carom_workspace_create();
    printf("contacts  restitution  without friction  friction 0.3   ratio\n");
    for (int s = 0; s < 2; ++s) {
        lattice l;
        if (!workspace || !make(&l, sides[s]))
            return 2;
        for (int k = 0; k < 3; ++k) {
            double min[2] = { HUGE_VAL, HUGE_VAL };
            for (int r = 0; r < 2 * rounds; ++r) {
                double time = resolve(&l, workspace, es[k], r % 2 ? 0.3 : 0);
                if (time < 0)
                    return 1;
                min[r % 2] = fmin(min[r % 2], time);
            }
            printf("%8d  %11g  %13.3f ms  %9.3f ms  %6.2f\n", l.impact.contact_count, es[k], min[0],
                   min[1], min[1] / min[0]);
        }
        release(&l);
    }
    carom_workspace_destroy(workspace);
    return 0;
}

// A plain QCE for comparison: one indexed binary heap over all contacts, structure of arrays, every
// contact looked at in every sweep. Spheres without friction only (impulses through the centres).
#ifndef CAROM_BENCH_REFERENCE_QCE_H
#define CAROM_BENCH_REFERENCE_QCE_H

#include "carom/impact.h"

typedef struct reference_report {
    int sweeps;
    int64_t events;
    size_t bytes; // working memory
} reference_report;

// Elastic sweeps (theta = 0) until no contact approaches faster than tolerance * max |u|, at most
// `cap` sweeps. Velocities and normal impulses go to the caller's arrays. Returns 0 where memory
// runs out.
int reference_qce(const carom_impact *impact, double tolerance, int cap, double (*velocities)[3],
                  double *impulses, reference_report *report);

#endif

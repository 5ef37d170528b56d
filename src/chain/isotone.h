// The inelastic complementarity problem of a row of bodies, solved exactly.
//
//     0 <= lambda _|_ (J v')_i - b_i >= 0,   v' = v + M^-1 J^T lambda,   (J v)_i = v[i+1] - v[i]
//
// is the projection of v, weighted with the masses, on rows whose neighbours separate at least with
// b. Subtracting the running sum of b turns it into isotonic regression, which pooling adjacent
// violators solves in one sweep. No general complementarity solver is needed, or used.
#ifndef CAROM_CHAIN_ISOTONE_H
#define CAROM_CHAIN_ISOTONE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct carom_isotone {
    size_t count;
    const double *mass;  // kg; infinite: immovable (only the first or the last)
    const double *bound; // m/s: b of every contact; -infinity where there is none
    bool frame;          // the last body meets the first again: one contact more
} carom_isotone;

// One block of bodies that move as one; scratch for carom_isotone_project.
typedef struct carom_isotone_block {
    size_t from;   // first body
    double mass;   // infinite with a wall
    double moment; // sum of m y; for a wall its y
} carom_isotone_block;

// v -> v' in `after` and the impulses (count - 1 contacts, or count in a frame). `block` has count
// entries and `moved` count numbers. False if the bounds contradict each other (only a frame can).
bool carom_isotone_project(const carom_isotone *row, const double *v, double *after,
                           double *impulse, carom_isotone_block *block, double *moved);

#endif

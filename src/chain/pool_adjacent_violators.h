// The inelastic complementarity problem of a row of bodies, solved exactly.
//
//     0 <= lambda _|_ (J v')_i - b_i >= 0,   v' = v + M^-1 J^T lambda,   (J v)_i = v[i+1] - v[i]
//
// is the projection of v, weighted with the masses, on rows whose neighbours separate at least with
// b. Subtracting the running sum of b turns it into isotonic regression, which pooling adjacent
// violators solves in one sweep. No general complementarity solver is needed, or used.
#ifndef CAROM_CHAIN_POOL_ADJACENT_VIOLATORS_H
#define CAROM_CHAIN_POOL_ADJACENT_VIOLATORS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct carom_pool_adjacent_violators {
    size_t count;
    const double *mass;  // kg; infinite: immovable (only the first or the last)
    const double *bound; // m/s: b of every contact; -infinity where there is none
    bool frame;          // the last body meets the first again: one contact more
} carom_pool_adjacent_violators;

// One block of bodies that move as one; scratch of a projection.
typedef struct carom_pool_adjacent_violators_block {
    size_t from;   // first body
    double mass;   // infinite with a wall
    double moment; // sum of m y; for a wall its y
} carom_pool_adjacent_violators_block;

// Results and scratch of a projection, all owned by the caller.
typedef struct carom_pool_adjacent_violators_work {
    double *after;                              // count: v'
    double *impulse;                            // contacts: count - 1, or count in a frame
    carom_pool_adjacent_violators_block *block; // count: scratch
    double *moved;                              // count: scratch
} carom_pool_adjacent_violators_work;

// v -> work->after and the impulses; `v` may not be one of the arrays of `work`. False if the
// bounds contradict each other (only a frame can).
bool carom_pool_adjacent_violators_project(const carom_pool_adjacent_violators *row,
                                           const double *v,
                                           const carom_pool_adjacent_violators_work *work);

#endif

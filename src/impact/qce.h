// Quadratic contact energy [QCE]: sweeps that other laws may use too.
//
// Symbols: u = J v normal speeds (negative: approaching), F = max(-u, 0), s = P / F the impulse
// measure that plays the part of time within a sweep [QCE, eq 18].
#ifndef CAROM_IMPACT_QCE_H
#define CAROM_IMPACT_QCE_H

#include "impact/inelastic.h"
#include "impact/problem.h"

typedef struct carom_qce_settings {
    double tolerance; // m/s: a contact takes part where u < -tolerance
    double theta;     // a contact waits for the next sweep where F < theta max F of its island
    int sweeps;       // cap
} carom_qce_settings;

// What the sweeps did. Calls add to `events` and take the larger of `sweeps`.
typedef struct carom_qce_tally {
    int sweeps;
    int64_t events;
    int open;  // contacts that still approached when the sweeps ended; 0: settled
    bool stuck; // some island had no end within one sweep: driven bodies squeeze it
} carom_qce_tally;

// Elastic frictionless QCE sweeps from the current velocities until nothing in `set` approaches
// faster than the tolerance, or until the cap. Null `set` means all contacts; contacts outside the
// set never act. Adds to motion->v and motion->p[.][0]. Uses problem->threads and thread_scratch,
// so call it from outside parallel regions; costs O(bodies + contacts of the set) plus the work of
// the sweeps. Kinetic energy (in the frame of the driven bodies) is kept to round-off at whatever
// sweep it ends.
carom_status carom_qce_sweep(const carom_problem *problem, const carom_contact_set *set,
                             const carom_qce_settings *settings, carom_arena *scratch,
                             carom_motion *motion, carom_qce_tally *tally, carom_error *err);

#endif

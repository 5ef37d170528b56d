// Quadratic contact energy [QCE]: the parts that other laws may use too.
//
// Symbols: u = J v normal speeds (negative: approaching), F = max(-u, 0), s = P / F the impulse
// measure that plays the part of time within a sweep [QCE, eq 18].
#ifndef CAROM_IMPACT_QCE_H
#define CAROM_IMPACT_QCE_H

#include "impact/inelastic.h"
#include "impact/problem.h"

typedef struct carom_qce_settings {
    double tolerance; // m/s: a contact takes part where u < -tolerance
    double theta;     // a contact waits for the next sweep where F < theta max F of its group
    int sweeps;       // cap
    bool extended;    // carom_qce_settle: elastic islands that have an end go on beyond the cap
} carom_qce_settings;

// What one call of carom_qce_sweep did.
typedef struct carom_qce_tally {
    int sweeps;
    int64_t events;
    int open;   // contacts that still approached when the sweeps ended; 0: settled
    bool stuck; // some group had no end within one sweep: driven bodies squeeze it
} carom_qce_tally;

// Elastic frictionless QCE sweeps from the current velocities until nothing in `set` approaches
// faster than the tolerance, or until the cap. Null `set` means all contacts; contacts outside the
// set never act. Adds to motion->v and motion->p[.][0]. Uses problem->threads and thread_scratch,
// so call it from outside parallel regions; costs O(bodies + contacts) plus the work of the sweeps.
// Kinetic energy (in the frame of the driven bodies) is kept to round-off at whatever sweep it
// ends.
carom_status carom_qce_sweep(const carom_problem *problem, const carom_contact_set *set,
                             const carom_qce_settings *settings, carom_arena *scratch,
                             carom_motion *motion, carom_qce_tally *tally, carom_error *err);

// The same to the very end: islands that still approach at the cap are finished on all their
// contacts by Poisson's rule with restitution 1 (twice the inelastic impulses, and once more the
// inelastic ones that are still needed), which never adds energy and leaves no approach. Raises
// report->sweeps, adds to report->events, and sets report->end to CAPPED or ENDLESS then. The set
// must consist of whole islands (null: all).
carom_status carom_qce_settle(const carom_problem *problem, const carom_contact_set *set,
                              const carom_qce_settings *settings, carom_arena *scratch,
                              carom_motion *motion, carom_impact_report *report, carom_error *err);

// Whether no velocity opens all contacts of the set at once: then sweeps may never end, as between
// two walls. False where some velocity does, or where a bounded search could not tell.
carom_status carom_qce_endless(const carom_problem *problem, const carom_contact_set *set,
                               carom_arena *scratch, bool *endless, carom_error *err);

#endif

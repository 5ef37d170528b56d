// The impact as a process (Darboux 1880, Keller 1986): while the bodies stay where they are, every
// contact pushes by the energy it holds, all at once, until nothing is held and nothing approaches.
// Shared by `lzb` and `routh`, which differ in how energy is given back and in friction.
//
// The impulses of two contacts grow in the ratio dp_i/dp_j = F_i/F_j of the forces that their
// energies stand for, F = k^(1/(eta+1)) ((eta+1) E)^(eta/(eta+1)) [LZB, eq 3.13]. With the depth d
// of a spring that holds E = k d^(eta+1) / (eta+1) this is F = k d^eta, and the common measure of
// all contacts is a time t with dp_i = F_i dt, dd_i = -u_i dt while the contact compresses. No time
// passes and no gap opens: a contact that let go and approaches again begins anew at once.
//
// The depths are advanced by leapfrog in steps of a fraction of the shortest contact time. The work
// of every kick is booked as it is, sum 1/2 (u + u') dp, so that the energy that must be left over
// is known exactly; one factor for all impulses of the island makes it so.
#ifndef CAROM_IMPACT_DARBOUX_H
#define CAROM_IMPACT_DARBOUX_H

#include "impact/problem.h"

// How a contact gives back e^2 of the energy that it absorbed.
typedef enum carom_darboux_release {
    CAROM_DARBOUX_BI_STIFFNESS,   // the force begins where compression ended and falls faster
    CAROM_DARBOUX_MONO_STIFFNESS, // the same spring, cut off where 1 - e^2 of the energy is left
    CAROM_DARBOUX_SUDDEN          // the energy falls to e^2 at the end of compression
} carom_darboux_release;

typedef struct carom_darboux {
    carom_darboux_release release;
    double exponent;   // of all contacts; 0: each its own
    double tangential; // stiffness across the normal over that along it; 0: no friction
    int steps;         // per contact time of the stiffest contact
    int cap;           // such contact times before the island is finished
    double tolerance;  // approach below this fraction of the island's fastest counts as none
} carom_darboux;

// Options that the laws share, as table entries.
#define CAROM_DARBOUX_STEPS_OPTION                                                                 \
    {                                                                                              \
        "steps", "steps in half a contact time of the stiffest contact", CAROM_OPTION_INTEGER, 50, \
            4, 1e6, NULL                                                                           \
    }
#define CAROM_DARBOUX_CAP_OPTION                                                                   \
    {                                                                                              \
        "cap", "half contact times before the rest is finished", CAROM_OPTION_INTEGER, 200, 1,     \
            1e6, NULL                                                                              \
    }
#define CAROM_DARBOUX_TOLERANCE_OPTION                                                             \
    {                                                                                              \
        "tolerance", "approach speeds below this fraction of the island's fastest count as none",  \
            CAROM_OPTION_NUMBER, 1e-9, 1e-14, 1e-2, NULL                                           \
    }

// Resolves all islands from the velocities before. An island that did not end at the cap is
// finished by elastic QCE sweeps where all its contacts are elastic, else by the inelastic solve.
carom_status carom_darboux_resolve(const carom_problem *problem, const carom_darboux *how,
                                   carom_arena *scratch, carom_motion *motion,
                                   carom_impact_report *report, carom_error *err);

#endif

// One group of approaching contacts within a QCE sweep, and the arrays that groups share.
#ifndef CAROM_IMPACT_QCE_ISLAND_H
#define CAROM_IMPACT_QCE_ISLAND_H

#include "impact/problem.h"

// A body in half a cache line: the linear part of its twist lives here during the sweeps. Immovable
// bodies are shared between groups and never written.
typedef struct carom_qce_mover {
    vec3 v;
    double inverse_mass; // 0: immovable
} carom_qce_mover;

// A body's active contacts while its group is solved: a range in the group's list of neighbours.
typedef struct carom_qce_hub {
    int first, end;
} carom_qce_hub;

// An approaching contact. It carries what grouping needs, so that grouping streams.
typedef struct carom_qce_approach {
    int contact, group;
    int a, b; // bodies, -1 where immovable
    double u; // < 0
} carom_qce_approach;

// Per contact and per body of the whole problem. A group reads and writes its own bodies only.
typedef struct carom_qce_field {
    const carom_problem *problem;
    carom_motion *motion; // its linear velocities are in movers
    const carom_problem_link *links;
    carom_qce_mover *movers;
    carom_qce_hub *hubs;
    vec3 *push, *swing; // linear and angular part of M^-1 J^T F; swing null: nothing turns
} carom_qce_field;

// Runs the contacts of one group from the first to the last end and applies their impulses. A group
// in which some contact never ends is `stuck` and left as it was.
carom_status carom_qce_island_solve(const carom_qce_field *field, const carom_qce_approach *list,
                                    int count, carom_arena *arena, bool *stuck, carom_error *err);

#endif

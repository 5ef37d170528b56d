// The quadratic program of the first instant, for the files of this room.
#ifndef CAROM_TOWER_INITIAL_H
#define CAROM_TOWER_INITIAL_H

#include "tower/tower_rows.h"

// Gaps up to this, in units of the tower's size, count as touching when a scene is at rest: scene
// files are written in decimals.
#define TOWER_TOUCHING 1e-9

typedef struct tower_problem {
    tower_contacts contacts;
    tower_frame frame;
    carom_qp qp; // y = a - g; rows of contacts, then of ties
} tower_problem;

// Everything lives in the arena.
carom_status carom_tower_initial_problem(const carom_tower *tower, carom_arena *arena,
                                         tower_problem *out, carom_error *err);
// Solves a program by the solver that is asked for; AUTO: the active set up to 60 blocks where it
// reaches round-off, the interior point else. lambda and y hold nothing beforehand.
carom_status carom_tower_initial_solve(const carom_qp *qp, carom_tower_solver solver,
                                       carom_arena *arena, double *lambda, double *y,
                                       carom_qp_report *report, carom_error *err);
// The answer with soft bars: M as in [Collapse, 8.4]; 0: bars are equations.
carom_status carom_tower_initial_soft(const carom_tower *tower, carom_tower_solver solver,
                                      double penalty, carom_tower_instant *out, carom_error *err);

#endif

// The state of one friction solve, shared by friction.c (passes) and friction_newton.c.
//
// Per contact i three rows 3 i (normal), 3 i + 1, 3 i + 2 (tangents).
#ifndef CAROM_IMPACT_FRICTION_STATE_H
#define CAROM_IMPACT_FRICTION_STATE_H

#include "impact/friction.h"
#include "impact/jacobian.h"

typedef struct carom_friction_state {
    const carom_problem *problem;
    bool pyramid, bilateral;
    int n; // contacts
    carom_jacobian jacobian;
    double *speed;              // m/s per row, before
    double *target, *base, *mu; // per contact
    double *dn, *dt;            // majorisers of W per contact, normal and tangential
    double *p;                  // N s per row
    double *y;                  // per column: v = v- + C y. Kept up by increments, not recomputed
                                // from p: a light body between heavy ones gets large impulses
                                // that nearly cancel, and their sum would be noise
    double size;                // largest scaled speed, for relative residuals
} carom_friction_state;

// The speed of a row with the impulses that y stands for.
static inline double carom_friction_state_speed(const carom_friction_state *r, int row,
                                                const double *y)
{
    return r->speed[row] + carom_lcp_row_dot(&r->jacobian.rows, row, y) / r->jacobian.scale[row];
}

// Newton's method on the same fixed point, dense; for up to CAROM_FRICTION_SMALL contacts.
// Improves p and y, or leaves them; returns the number of steps taken. The result may miss the
// friction bounds by the residual: end with one pass.
carom_status carom_friction_newton_run(carom_friction_state *r, double tolerance,
                                       carom_arena *scratch, int *steps, carom_error *err);

#endif

// What all contacts of one body share in the batched kernel: how a mode moves over one step.
#ifndef CAROM_BOUNCE_BOUNCE_PLAN_H
#define CAROM_BOUNCE_BOUNCE_PLAN_H

#include <stdbool.h>
#include "bounce/bounce.h"

typedef struct carom_bounce_plan {
    int m;
    bool literal, damped;
    double dt, closed, recoil;  // literal: gaps up to `closed` touch; recoil 1 or 2 (elastic)
    double *turn, *damp, *rise; // C, D and h(dt) of y+ = C y - D y- + a^2 h(dt) L
    // The bound of |y|: with s = speed_now y - speed_past past it is room sqrt(y^2 + s^2 - bend y
    // s)
    double *speed_now, *speed_past, *bend, *room;
    double *pull;   // (rad/s)^2: omega^2
    double *rate;   // 1/s, decay of a damped mode
    double *square; // (rad/s)^2: omega^2 - rate^2, negative where overdamped
} carom_bounce_plan;

// Doubles that a plan of so many modes needs.
size_t carom_bounce_plan_room(int count);
// Fills a plan in memory of that room, which the caller keeps.
carom_status carom_bounce_plan_make(const double *omega, int count,
                                    const carom_bounce_options *options, double *room,
                                    carom_bounce_plan *plan, carom_error *err);
// h(t): where each mode is at the time t (s, at most a step, may be negative) after a unit impulse.
void carom_bounce_plan_arcs(const carom_bounce_plan *plan, double t, double *h);

#endif

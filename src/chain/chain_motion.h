// The motion of a lattice through its impacts: one attempt with a given step.
#ifndef CAROM_CHAIN_CHAIN_MOTION_H
#define CAROM_CHAIN_CHAIN_MOTION_H

#include "chain/chain_trace.h"

typedef struct carom_chain_motion_limits {
    double phase;    // largest step times highest frequency
    double duration; // s; 0: until the bodies have separated for good
    size_t max_steps;
    double work;   // that is left, see carom_chain_motion_cost
    size_t points; // most drawn points per body
} carom_chain_motion_limits;

typedef struct carom_chain_motion_report {
    double step; // s: the largest
    double time, energy_before, energy_after, dissipated, energy_error;
    size_t steps, events;
    double work; // of all steps, also those that were taken again
    carom_chain_exit exit;
} carom_chain_motion_report;

// Where a run is written down.
typedef struct carom_chain_motion_log {
    carom_chain_trace *trace;
    carom_chain_touch *touch; // one per contact; impulse and restitution are left to the caller
    carom_chain_motion_report report;
} carom_chain_motion_log;

// Moves `state` in place.
carom_status carom_chain_motion_run(const carom_lattice *lattice,
                                    const carom_chain_motion_limits *limits,
                                    carom_lattice_state *state, carom_chain_motion_log *log,
                                    carom_arena *scratch, carom_error *err);
// What a step costs: its nodes, and what it does once, in nodes.
double carom_chain_motion_cost(const carom_lattice *lattice);
// How many points of body b a history shows: its faces and at most `max` - 2 of its nodes.
size_t carom_chain_motion_points(const carom_lattice *lattice, size_t body, size_t max);

#endif

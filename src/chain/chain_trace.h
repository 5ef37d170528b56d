// The history of a run in bounded memory: rows at least `interval` apart; when the buffer is full,
// rows are thinned and the interval grows, so a run of unknown length still gets an even history.
#ifndef CAROM_CHAIN_CHAIN_TRACE_H
#define CAROM_CHAIN_CHAIN_TRACE_H

#include "chain/lattice.h"

// Where the groups of numbers begin inside a row; column 0 is the time.
typedef struct carom_chain_trace_layout {
    size_t position, velocity, half, force, compression, approach, point, width;
} carom_chain_trace_layout;

typedef struct carom_chain_trace {
    size_t bodies, contacts, points;
    size_t *first_point; // bodies + 1
    carom_chain_trace_layout at;
    size_t rows, capacity;
    double interval;
    double *row;
} carom_chain_trace;

// `point_count[b]` points are drawn for body b. All memory comes from `arena`.
carom_status carom_chain_trace_create(size_t bodies, const size_t *point_count, size_t samples,
                                      carom_arena *arena, carom_chain_trace *out, carom_error *err);
void carom_chain_trace_clear(carom_chain_trace *trace);
bool carom_chain_trace_due(const carom_chain_trace *trace, double time);
// A new row for `time`, to be filled by the caller (the time is set).
double *carom_chain_trace_add(carom_chain_trace *trace, double time);
// A row with the state of a lattice.
void carom_chain_trace_record(carom_chain_trace *trace, const carom_lattice *lattice,
                              const carom_lattice_state *state, double time);
// Copies the rows into the arrays of a public history, owned by `arena`.
carom_status carom_chain_trace_history(const carom_chain_trace *trace, carom_arena *arena,
                                       carom_chain_history *out, carom_error *err);

#endif

// Bounded histories. See chain_trace.h.
#include "chain/chain_trace.h"

#include <string.h>

static void thin(carom_chain_trace *trace);

carom_status carom_chain_trace_create(size_t bodies, const size_t *point_count, size_t samples,
                                      carom_arena *arena, carom_chain_trace *out, carom_error *err)
{
    *out = (carom_chain_trace){ .bodies = bodies, .contacts = bodies - 1, .capacity = samples };
    TAKE(arena, out->first_point, bodies + 1, err);
    out->first_point[0] = 0;
    for (size_t b = 0; b < bodies; b++)
        out->first_point[b + 1] = out->first_point[b] + point_count[b];
    out->points = out->first_point[bodies];
    size_t end = 1;
    out->at.position = end;
    out->at.velocity = end += bodies;
    out->at.half = end += bodies;
    out->at.force = end += 2 * bodies;
    out->at.compression = end += out->contacts;
    out->at.approach = end += out->contacts;
    out->at.point = end += out->contacts;
    out->at.width = end + out->points;
    TAKE(arena, out->row, samples * out->at.width, err);
    return CAROM_OK;
}

void carom_chain_trace_clear(carom_chain_trace *trace)
{
    trace->rows = 0;
    trace->interval = 0;
}

static double time_of(const carom_chain_trace *trace, size_t row)
{
    return trace->row[row * trace->at.width];
}

bool carom_chain_trace_due(const carom_chain_trace *trace, double time)
{
    return trace->rows == 0 || time >= time_of(trace, trace->rows - 1) + trace->interval;
}

double *carom_chain_trace_add(carom_chain_trace *trace, double time)
{
    if (trace->rows == trace->capacity)
        thin(trace);
    double *row = trace->row + trace->rows++ * trace->at.width;
    row[0] = time;
    return row;
}

// Doubles the spacing: afterwards at most about half of the rows remain, and always room for one.
static void thin(carom_chain_trace *trace)
{
    double span = time_of(trace, trace->rows - 1) - time_of(trace, 0);
    trace->interval = 2 * span / (double)trace->capacity;
    size_t kept = 1;
    for (size_t r = 1; r < trace->rows; r++) {
        if (time_of(trace, r) < time_of(trace, kept - 1) + trace->interval)
            continue;
        if (kept != r)
            memcpy(trace->row + kept * trace->at.width, trace->row + r * trace->at.width,
                   trace->at.width * sizeof *trace->row);
        kept++;
    }
    trace->rows = kept < trace->capacity ? kept : trace->capacity - 1;
}

// Positions of the drawn points of body b: its faces and evenly chosen nodes between.
static void record_points(carom_chain_trace *trace, const carom_lattice *lattice,
                          const carom_lattice_state *state, size_t b, double start, double *row)
{
    const double *force = row + trace->at.force;
    double *point = row + trace->at.point + trace->first_point[b];
    size_t inner = trace->first_point[b + 1] - trace->first_point[b] - 2;
    size_t from = lattice->first[b];
    size_t nodes = lattice->first[b + 1] - from;
    double left = b > 0 ? force[b - 1] : 0;
    double right = b < lattice->contacts ? force[b] : 0;
    double x = start;
    size_t next = 0;
    point[0] = x - lattice->inset[b] + left * lattice->half[b];
    for (size_t i = 0; i < nodes; i++) {
        size_t wanted = inner > 1 ? next * (nodes - 1) / (inner - 1) : 0;
        if (next < inner && i == wanted)
            point[1 + next++] = x;
        if (i + 1 < nodes)
            x += lattice->spacing[from + i] - state->d[from + i];
    }
    point[inner + 1] = x + lattice->inset[b] - right * lattice->half[b];
}

void carom_chain_trace_record(carom_chain_trace *trace, const carom_lattice *lattice,
                              const carom_lattice_state *state, double time)
{
    double *row = carom_chain_trace_add(trace, time);
    double x = state->base;
    for (size_t c = 0; c < lattice->contacts; c++) {
        double d = state->d[carom_lattice_link(lattice, c)];
        double force = d > 0 ? carom_contact_spring_force(&lattice->touch[c], d) : 0;
        row[trace->at.force + c] = force;
        row[trace->at.compression + c] = d;
    }
    for (size_t b = 0; b < lattice->bodies; b++) {
        size_t from = lattice->first[b];
        record_points(trace, lattice, state, b, x, row);
        double moment = 0;
        double first = x;
        for (size_t i = from; i < lattice->first[b + 1]; i++) {
            moment += lattice->mass[i] * (x - first);
            if (i + 1 < lattice->nodes)
                x += lattice->spacing[i] - state->d[i];
        }
        row[trace->at.position + b] =
            first + (lattice->mass[from] > 0 ? moment / lattice->body_mass[b] : 0);
        row[trace->at.velocity + b] = carom_lattice_body_velocity(lattice, state, b);
        row[trace->at.half + 2 * b] = carom_lattice_half_velocity(lattice, state, b, 0);
        row[trace->at.half + 2 * b + 1] = carom_lattice_half_velocity(lattice, state, b, 1);
    }
    for (size_t c = 0; c < lattice->contacts; c++)
        row[trace->at.approach + c] =
            (lattice->body_length[c] + lattice->body_length[c + 1]) / 2 -
            (row[trace->at.position + c + 1] - row[trace->at.position + c]);
}

// Copies `count` columns from `start` of every row.
static carom_status columns(const carom_chain_trace *trace, size_t start, size_t count,
                            carom_arena *arena, const double **out, carom_error *err)
{
    double *values;
    TAKE(arena, values, trace->rows * count + 1, err);
    for (size_t r = 0; r < trace->rows; r++)
        memcpy(values + r * count, trace->row + r * trace->at.width + start,
               count * sizeof *values);
    *out = values;
    return CAROM_OK;
}

carom_status carom_chain_trace_history(const carom_chain_trace *trace, carom_arena *arena,
                                       carom_chain_history *out, carom_error *err)
{
    const carom_chain_trace_layout *at = &trace->at;
    *out = (carom_chain_history){ .samples = trace->rows,
                                  .bodies = trace->bodies,
                                  .contacts = trace->contacts,
                                  .points = trace->points };
    TRY(columns(trace, 0, 1, arena, &out->time, err));
    TRY(columns(trace, at->position, trace->bodies, arena, &out->position, err));
    TRY(columns(trace, at->velocity, trace->bodies, arena, &out->velocity, err));
    TRY(columns(trace, at->half, 2 * trace->bodies, arena, &out->half_velocity, err));
    TRY(columns(trace, at->force, trace->contacts, arena, &out->force, err));
    TRY(columns(trace, at->compression, trace->contacts, arena, &out->compression, err));
    TRY(columns(trace, at->approach, trace->contacts, arena, &out->approach, err));
    TRY(columns(trace, at->point, trace->points, arena, &out->point_position, err));
    size_t *first;
    TAKE(arena, first, trace->bodies + 1, err);
    memcpy(first, trace->first_point, (trace->bodies + 1) * sizeof *first);
    out->first_point = first;
    return CAROM_OK;
}

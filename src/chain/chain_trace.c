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

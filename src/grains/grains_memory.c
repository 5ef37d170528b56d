// What is remembered of a contact from step to step, by the grains that it belongs to. Both owners
// of a contact across ranks remember the same numbers; whichever is asked, the answer is the same.
#include "grains/grains.h"

#include <string.h>
#include "base/memory.h"

enum { TRACE = 7, FIRST_WIDTH = 12 }; // doubles of a trace
enum { GRAINS = 1 << 28 };            // of one rank, at most

static carom_grains_trace *row(const carom_grains *g, int grain)
{
    return g->memory + (size_t)grain * (size_t)g->memory_width;
}

static carom_status resize(carom_grains *g, int room, int width, carom_error *err)
{
    size_t all = (size_t)room * (size_t)width;
    carom_grains_trace *memory = carom_memory_get((all + 1) * sizeof *memory);
    int *count = carom_memory_zeros((size_t)room + 1, sizeof *count);
    if (!memory || !count) {
        carom_memory_free(memory);
        carom_memory_free(count);
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for the contacts of %d grains",
                               room);
    }
    for (int i = 0; i < g->memory_room; ++i) {
        count[i] = g->memory_count[i];
        memcpy(memory + (size_t)i * (size_t)width, row(g, i), (size_t)count[i] * sizeof *memory);
    }
    carom_memory_free(g->memory);
    carom_memory_free(g->memory_count);
    g->memory = memory;
    g->memory_count = count;
    g->memory_room = room;
    g->memory_width = width;
    return CAROM_OK;
}

carom_status carom_grains_memory_grow(carom_grains *grains, int count, carom_error *err)
{
    NEED(err, grains);
    if (count <= grains->memory_room)
        return CAROM_OK;
    if (count > GRAINS)
        return carom_error_set(err, CAROM_BAD_INPUT, "%d grains on one rank", count);
    int width = grains->memory_width ? grains->memory_width : FIRST_WIDTH;
    return resize(grains, count, width, err);
}

static bool there(const carom_grains *g, int grain)
{
    return g && grain >= 0 && grain < g->memory_room;
}

void carom_grains_memory_copy(carom_grains *grains, int from, int to)
{
    if (!there(grains, from) || !there(grains, to) || from == to)
        return;
    grains->memory_count[to] = grains->memory_count[from];
    memcpy(row(grains, to), row(grains, from),
           (size_t)grains->memory_count[from] * sizeof(carom_grains_trace));
}

void carom_grains_memory_clear(carom_grains *grains, int grain)
{
    if (there(grains, grain))
        grains->memory_count[grain] = 0;
}

int carom_grains_memory_size(const carom_grains *grains, int grain)
{
    return there(grains, grain) ? 1 + TRACE * grains->memory_count[grain] : 1;
}

int carom_grains_memory_max(const carom_grains *grains)
{
    int most = 0;
    for (int i = 0; grains && i < grains->memory_room; ++i)
        most = grains->memory_count[i] > most ? grains->memory_count[i] : most;
    return 1 + TRACE * most;
}

int carom_grains_memory_pack(const carom_grains *grains, int grain, double *out)
{
    if (!out)
        return 0;
    int count = there(grains, grain) ? grains->memory_count[grain] : 0;
    *out++ = count;
    for (int k = 0; k < count; ++k) {
        const carom_grains_trace *trace = &row(grains, grain)[k];
        *out++ = (double)trace->partner;
        vec3_store(trace->impulse, out);
        vec3_store(trace->rolling, out + 3);
        out += 6;
    }
    return 1 + TRACE * count;
}

int carom_grains_memory_unpack(carom_grains *grains, int grain, const double *in)
{
    carom_error ignored;
    if (!grains || !in || grain < 0 || grain > GRAINS || !(in[0] >= 0 && in[0] <= 1e6))
        return -1;
    int count = (int)*in++, width = grains->memory_width ? grains->memory_width : FIRST_WIDTH;
    if (grain >= grains->memory_room || count > grains->memory_width) {
        int room = grain < grains->memory_room ? grains->memory_room : 2 * grain + 16;
        if (resize(grains, room, count > width ? count : width, &ignored) != CAROM_OK)
            return -1;
    }
    grains->memory_count[grain] = count;
    for (int k = 0; k < count; ++k, in += TRACE)
        row(grains, grain)[k] = (carom_grains_trace){ .partner = (int64_t)in[0],
                                                      .impulse = vec3_from(in + 1),
                                                      .rolling = vec3_from(in + 4) };
    return 1 + TRACE * count;
}

// -- in the step ----------------------------------------------------------------------------------

const carom_grains_trace *carom_grains_memory_find(const carom_grains *g, int a, int b)
{
    int grain = a < g->part->owned ? a : b;
    int64_t partner = carom_grains_name(g, grain == a ? b : a);
    const carom_grains_trace *traces = row(g, grain);
    for (int k = 0; k < g->memory_count[grain]; ++k)
        if (traces[k].partner == partner)
            return &traces[k];
    return NULL;
}

void carom_grains_memory_begin(carom_grains *g)
{
    for (int i = 0; i < g->part->owned; ++i)
        g->memory_count[i] = 0;
}

// In the order of names: what is packed does not depend on the order in which contacts were found.
static carom_status add_to(carom_grains *g, int grain, carom_grains_trace trace, carom_error *err)
{
    if (grain >= g->part->owned)
        return CAROM_OK; // a ghost, or a wall
    if (g->memory_count[grain] == g->memory_width)
        TRY(resize(g, g->memory_room, 2 * g->memory_width, err));
    carom_grains_trace *traces = row(g, grain);
    int k = g->memory_count[grain]++;
    for (; k > 0 && traces[k - 1].partner > trace.partner; --k)
        traces[k] = traces[k - 1];
    traces[k] = trace;
    return CAROM_OK;
}

carom_status carom_grains_memory_add(carom_grains *g, int a, int b, vec3 impulse, vec3 rolling,
                                     carom_error *err)
{
    carom_grains_trace trace = { carom_grains_name(g, b), impulse, rolling };
    TRY(add_to(g, a, trace, err));
    trace.partner = carom_grains_name(g, a);
    return add_to(g, b, trace, err);
}

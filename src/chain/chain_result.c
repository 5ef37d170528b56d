// Results of chain runs. See chain_result.h.
#include "chain/chain_result.h"

#include <math.h>
#include <stdlib.h>

// The public struct comes first, so a pointer to it is a pointer to the whole.
typedef struct whole {
    carom_chain_result result;
    carom_arena *arena, *scratch;
    double *velocity, *vibration;
    carom_chain_touch *touch;
} whole;

static carom_status fill(whole *all, const carom_chain *chain, carom_error *err);
static void derive(whole *all);

carom_status carom_chain_result_create(const carom_chain *chain, carom_chain_result **out,
                                       carom_error *err)
{
    whole *all = calloc(1, sizeof *all);
    if (!all)
        return carom_error_no_memory(err, "the result of a chain");
    all->arena = carom_arena_create(0);
    all->scratch = carom_arena_create(0);
    carom_status status =
        all->arena && all->scratch ? fill(all, chain, err) : carom_error_no_memory(err, "a chain");
    if (status != CAROM_OK) {
        carom_chain_result_destroy(&all->result);
        return status;
    }
    *out = &all->result;
    return CAROM_OK;
}

void carom_chain_result_destroy(carom_chain_result *result)
{
    whole *all = (whole *)result;
    if (!all)
        return;
    if (all->scratch)
        carom_arena_destroy(all->scratch);
    if (all->arena)
        carom_arena_destroy(all->arena);
    free(all);
}

carom_arena *carom_chain_result_arena(carom_chain_result *result)
{
    return ((whole *)result)->arena;
}

carom_arena *carom_chain_result_scratch(carom_chain_result *result)
{
    return ((whole *)result)->scratch;
}

carom_chain_touch *carom_chain_result_touch(carom_chain_result *result)
{
    return ((whole *)result)->touch;
}

void carom_chain_result_set_body(carom_chain_result *result, size_t body, double velocity,
                                 double vibration)
{
    whole *all = (whole *)result;
    all->velocity[body] = velocity;
    all->vibration[body] = vibration;
}

carom_status carom_chain_result_finish(carom_chain_result *result, carom_status status,
                                       carom_chain_result **out)
{
    whole *all = (whole *)result;
    if (status != CAROM_OK) {
        carom_chain_result_destroy(result);
        return status;
    }
    derive(all);
    carom_arena_destroy(all->scratch);
    all->scratch = NULL;
    *out = result;
    return CAROM_OK;
}

static carom_status fill(whole *all, const carom_chain *chain, carom_error *err)
{
    carom_chain_result *result = &all->result;
    result->bodies = chain->body_count;
    result->contacts = chain->body_count - 1;
    double *mass;
    double *before;
    TAKE(all->arena, mass, result->bodies, err);
    TAKE(all->arena, before, result->bodies, err);
    TAKE_ZEROS(all->arena, all->velocity, result->bodies, err);
    TAKE_ZEROS(all->arena, all->vibration, result->bodies, err);
    TAKE_ZEROS(all->arena, all->touch, result->contacts, err);
    for (size_t b = 0; b < result->bodies; b++) {
        mass[b] = carom_chain_body_mass(&chain->bodies[b]);
        before[b] = chain->bodies[b].velocity;
    }
    result->mass = mass;
    result->before = before;
    result->velocity = all->velocity;
    result->vibration = all->vibration;
    result->touch = all->touch;
    return CAROM_OK;
}

// Momentum that went through a contact: what the bodies on one side without a wall have lost or
// won.
static void derive_impulses(whole *all)
{
    const carom_chain_result *result = &all->result;
    bool from_right = isinf(result->mass[0]);
    double sum = 0;
    for (size_t i = 0; i < result->contacts; i++) {
        size_t b = from_right ? result->bodies - 1 - i : i;
        size_t contact = from_right ? b - 1 : b;
        double change = result->mass[b] * (result->velocity[b] - result->before[b]);
        sum += from_right ? change : -change;
        all->touch[contact].impulse = sum;
    }
}

static void derive(whole *all)
{
    carom_chain_result *result = &all->result;
    double before = 0;
    double after = 0;
    double scale = 0;
    for (size_t b = 0; b < result->bodies; b++) {
        before += result->mass[b] * result->before[b];
        after += result->mass[b] * result->velocity[b];
        scale += result->mass[b] * fabs(result->before[b]);
    }
    bool walls = isinf(result->mass[0]) || isinf(result->mass[result->bodies - 1]);
    result->momentum_error = walls ? (double)NAN : scale > 0 ? fabs(after - before) / scale : 0;
    for (size_t c = 0; c < result->contacts; c++) {
        double approach = result->before[c] - result->before[c + 1];
        double separation = result->velocity[c + 1] - result->velocity[c];
        all->touch[c].restitution = approach > 0 ? separation / approach : (double)NAN;
    }
    if (!(isinf(result->mass[0]) && isinf(result->mass[result->bodies - 1])))
        derive_impulses(all);
    else
        for (size_t c = 0; c < result->contacts; c++)
            all->touch[c].impulse = (double)NAN;
}

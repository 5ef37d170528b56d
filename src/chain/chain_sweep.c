// The same row with different gaps: how the cradle becomes ideal [EC, section 2].
//
// Wide gaps let the collisions come one after another, which is what the fixed point of eqs 16, 17
// computes from the velocities alone; `distance` measures how far each run is from it.
#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "carom/chain.h"

typedef struct whole {
    carom_chain_sweep sweep; // first: a pointer to it is a pointer to the whole
    carom_arena *arena;
} whole;

static carom_status run_all(whole *all, const carom_chain *chain, const double *gaps,
                            carom_error *err);

carom_status carom_chain_sweep_run(const carom_chain *chain, const double *gaps, size_t count,
                                   carom_chain_sweep **out, carom_error *err)
{
    NEED(err, chain, out);
    *out = NULL;
    TRY(carom_chain_check(chain, err));
    whole *all = calloc(1, sizeof *all);
    if (!all)
        return carom_error_no_memory(err, "a sweep");
    all->sweep.count = count;
    all->arena = carom_arena_create(0);
    carom_status status =
        all->arena ? run_all(all, chain, gaps, err) : carom_error_no_memory(err, "a sweep");
    if (status != CAROM_OK) {
        carom_chain_sweep_destroy(&all->sweep);
        return status;
    }
    *out = &all->sweep;
    return CAROM_OK;
}

void carom_chain_sweep_destroy(carom_chain_sweep *sweep)
{
    whole *all = (whole *)sweep;
    if (!all)
        return;
    if (all->arena)
        carom_arena_destroy(all->arena);
    free(all);
}

// Velocities of pair collisions one after another; NaN where they never end (between two walls).
static carom_status successive(const carom_chain *chain, carom_arena *arena, double *velocity,
                               carom_error *err)
{
    size_t n = chain->body_count;
    carom_chain_contact *touching;
    TAKE_ZEROS(arena, touching, n, err);
    carom_chain row = *chain;
    row.contacts = touching;
    carom_chain_plan plan = { .step = 1, .steps = 1, .restitution = 1 };
    carom_chain_courses *courses;
    TRY(carom_chain_plan_run(&row, &plan, &courses, err));
    const carom_chain_course *course = &courses->course[CAROM_CHAIN_RULE_FIXED_POINT];
    for (size_t b = 0; b < n; b++)
        velocity[b] = course->unconverged ? (double)NAN : course->velocity[b];
    carom_chain_plan_destroy(courses);
    return CAROM_OK;
}

static carom_status run_all(whole *all, const carom_chain *chain, const double *gaps,
                            carom_error *err)
{
    size_t n = chain->body_count;
    size_t count = all->sweep.count;
    double *gap, *velocity, *distance, *ideal;
    carom_chain_contact *contacts;
    TAKE(all->arena, gap, count + 1, err);
    TAKE(all->arena, velocity, count * n + 1, err);
    TAKE_ZEROS(all->arena, distance, count + 1, err);
    TAKE(all->arena, ideal, n, err);
    TAKE(all->arena, contacts, n, err);
    TRY(successive(chain, all->arena, ideal, err));
    memcpy(contacts, chain->contacts, (n - 1) * sizeof *contacts);
    all->sweep.complete = true;
    for (size_t k = 0; k < count; k++) {
        carom_chain each = *chain;
        each.contacts = contacts;
        for (size_t c = 0; c + 1 < n; c++)
            contacts[c].gap = gaps[k];
        carom_chain_result *result;
        if (chain->work_max > 0)
            each.work_max = fmax(chain->work_max - all->sweep.work, 1);
        TRY(carom_chain_run(&each, &result, err));
        all->sweep.work += result->work;
        gap[k] = gaps[k];
        memcpy(velocity + k * n, result->velocity, n * sizeof *velocity);
        for (size_t b = 0; b < n; b++)
            distance[k] = fmax(distance[k], fabs(result->velocity[b] - ideal[b]));
        all->sweep.complete &= result->accurate && result->exit == CAROM_CHAIN_EXIT_SEPARATED;
        carom_chain_result_destroy(result);
    }
    all->sweep.bodies = n;
    all->sweep.gap = gap;
    all->sweep.velocity = velocity;
    all->sweep.distance = distance;
    return CAROM_OK;
}

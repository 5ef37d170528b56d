// Every time-stepping rule on the row of a chain, from the first step to the last.
#include "base/arena.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "carom/chain.h"

typedef struct whole {
    carom_chain_courses courses; // first: a pointer to it is a pointer to the whole
    carom_arena *arena;
    double work_max; // of one rule
} whole;

static carom_status run_all(whole *all, const carom_chain *chain, const carom_chain_plan *plan,
                            carom_error *err);

carom_status carom_chain_plan_run(const carom_chain *chain, const carom_chain_plan *plan,
                                  carom_chain_courses **out, carom_error *err)
{
    NEED(err, chain, plan, out);
    *out = NULL;
    whole *all = calloc(1, sizeof *all);
    if (!all)
        return carom_error_no_memory(err, "time stepping");
    all->arena = carom_arena_create(0);
    carom_status status =
        all->arena ? run_all(all, chain, plan, err) : carom_error_no_memory(err, "stepping");
    if (status != CAROM_OK) {
        carom_chain_plan_destroy(&all->courses);
        return status;
    }
    *out = &all->courses;
    return CAROM_OK;
}

void carom_chain_plan_destroy(carom_chain_courses *courses)
{
    whole *all = (whole *)courses;
    if (!all)
        return;
    if (all->arena)
        carom_arena_destroy(all->arena);
    free(all);
}

// One rule on one stepper; sums[0] collects impulses, sums[1] takes the inelastic ones of the first
// hit.
typedef struct journey {
    carom_chain_stepper *stepper;
    carom_chain_rule rule;
    size_t contacts;
    double work_max; // contacts times passes; 0: no bound
    double *sums[2];
} journey;

static carom_status too_much(const carom_chain_plan *plan, double work, double max,
                             carom_error *err)
{
    carom_error_set(err, CAROM_BAD_INPUT,
                    "%zu steps of the time stepping look at %.2g bodies and contacts, beyond the "
                    "limit of %.3g",
                    plan->steps, work, max);
    carom_error_where(err, "stepping");
    return carom_error_fix(err, "use fewer steps, or --limit %.2g to go on", 2 * work);
}

static carom_status follow(const journey *j, const carom_chain_plan *plan,
                           carom_chain_course *course, carom_error *err)
{
    bool hit = false;
    double work = 0;
    for (course->steps = 0; course->steps < plan->steps; course->steps++) {
        carom_chain_step_report report;
        TRY(carom_chain_stepper_step(j->stepper, plan->step, plan->restitution, j->rule, &report,
                                     err));
        if (course->steps == 0)
            course->energy_before = report.energy_before;
        work += (double)(j->contacts * (report.passes + 1));
        if (j->work_max > 0 && work > j->work_max)
            return too_much(plan, work, j->work_max, err);
        course->energy_after = report.energy_after;
        course->passes += report.passes;
        course->pair_collisions += report.pair_collisions;
        course->unconverged += !report.converged;
        for (size_t c = 0; c < j->contacts; c++)
            j->sums[0][c] += carom_chain_stepper_impulse(j->stepper)[c];
        if (report.active && !hit)
            memcpy(j->sums[1], carom_chain_stepper_inelastic_impulse(j->stepper),
                   j->contacts * sizeof(double));
        hit |= report.active > 0;
    }
    return CAROM_OK;
}

static carom_status run_rule(whole *all, const carom_chain_row *row, const carom_chain_plan *plan,
                             carom_chain_rule rule, carom_error *err)
{
    carom_chain_course *course = &all->courses.course[rule];
    double *velocity, *shift;
    journey j = { .rule = rule, .contacts = all->courses.contacts, .work_max = all->work_max };
    TAKE_ZEROS(all->arena, j.sums[0], j.contacts, err);
    TAKE_ZEROS(all->arena, j.sums[1], j.contacts, err);
    TAKE(all->arena, velocity, row->count, err);
    TAKE(all->arena, shift, row->count, err);
    TRY(carom_chain_stepper_create(row, &j.stepper, err));
    carom_status status = follow(&j, plan, course, err);
    memcpy(velocity, carom_chain_stepper_velocity(j.stepper), row->count * sizeof *velocity);
    memcpy(shift, carom_chain_stepper_shift(j.stepper), row->count * sizeof *shift);
    carom_chain_stepper_destroy(j.stepper);
    course->velocity = velocity;
    course->shift = shift;
    course->impulse = j.sums[0];
    course->first_inelastic = j.sums[1];
    return status;
}

static carom_status run_all(whole *all, const carom_chain *chain, const carom_chain_plan *plan,
                            carom_error *err)
{
    double *mass, *velocity, *gap;
    size_t n = chain->body_count;
    TAKE(all->arena, mass, n, err);
    TAKE(all->arena, velocity, n, err);
    TAKE(all->arena, gap, n, err);
    for (size_t b = 0; b < n; b++) {
        mass[b] = carom_chain_body_mass(&chain->bodies[b]);
        velocity[b] = chain->bodies[b].velocity;
        gap[b] = b + 1 < n ? chain->contacts[b].gap : plan->frame_gap;
    }
    all->courses.bodies = n;
    all->courses.contacts = plan->frame ? n : n - 1;
    carom_chain_row row = { n, mass, velocity, gap, plan->frame };
    double min = (double)n * (double)plan->steps;
    all->work_max = chain->work_max;
    if (chain->work_max > 0 && min > chain->work_max)
        return too_much(plan, min, chain->work_max, err);
    for (int rule = 0; rule < CAROM_CHAIN_RULE_COUNT; rule++)
        TRY(run_rule(all, &row, plan, (carom_chain_rule)rule, err));
    return CAROM_OK;
}

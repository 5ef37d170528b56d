// Fremond's law [Fremond, chapter 3]: percussions derive from a pseudo-potential of dissipation in
// the mean of the velocities before and after. With the quadratic one, and contacts that push only,
//
//     p = -k (u+ + u-) / 2 where p > 0,   that is   0 <= p  _|_  (W + 2/k) p + 2 u- >= 0,
//
// a dashpot of k (kg) at every contact. k = 2 (1 + e) / ((1 - e) W_ii) gives a single contact the
// restitution e; e = 1 is no resistance at all. Energy changes by -p.p / k exactly. What still
// approaches is stopped by a reaction, as the theory has it for the constraint u+ >= 0.
//
// Percussions at a distance, between bodies that do not touch, are left out: an instant knows
// contacts only. From memory of the book; checked by the balance of energy and by closed forms of
// one and two contacts.
#include "impact/complementarity.h"
#include "impact/law.h"
#include "impact/regular.h"

static carom_status resolve_island(const carom_problem *problem, const carom_contact_set *set,
                                   carom_arena *scratch, carom_motion *motion,
                                   carom_impact_report *report, carom_error *err)
{
    double *target, *resistance;
    TAKE(scratch, target, set->count, err);
    TAKE(scratch, resistance, set->count, err);
    for (int i = 0; i < set->count; ++i) {
        double e = problem->contacts[set->index[i]].restitution;
        target[i] = -problem->u[set->index[i]];
        resistance[i] = problem->normal[set->index[i]].diagonal * (1 - e) / (1 + e);
    }
    return carom_regular_solve(problem, set, target, resistance, scratch, motion, report, err);
}

static carom_status resolve_fremond(const carom_problem *problem, const carom_law_options *options,
                                    carom_arena *scratch, carom_motion *motion,
                                    carom_impact_report *report, carom_error *err)
{
    (void)options; // it has none
    for (int island = 0; island < problem->island_count; ++island) {
        carom_arena_mark mark = carom_arena_mark_here(scratch);
        carom_contact_set set = carom_inelastic_island(problem, island);
        TRY(resolve_island(problem, &set, scratch, motion, report, err));
        carom_arena_rewind(scratch, mark);
    }
    carom_complementarity reaction = { .friction = CAROM_FRICTION_NONE };
    TRY(carom_complementarity_solve(problem, &reaction, scratch, motion, report, err));
    if (report->solver_residual > CAROM_INELASTIC_STALLED)
        report->end = CAROM_IMPACT_STALLED;
    return carom_complementarity_stop_approach(problem, scratch, motion, report, err);
}

const carom_law carom_fremond_law = {
    .name = "fremond",
    .summary = "Percussions by a dashpot at every contact, in the mean of before and after.",
    .reference = "Fremond",
    .paper = "Fremond 2007, Collisions",
    .number = "ball struck from both sides: closed form for any e, energy lost p.p / k",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP,
    .resolve = resolve_fremond,
};

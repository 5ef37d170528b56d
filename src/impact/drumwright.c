// Maximum dissipation without complementarity, after Drumwright and Shell [DS]: the impulses of
// compression are those that leave the least kinetic energy, over Coulomb's cones (cone.h with
// R = 0). Nothing is asked of a contact's impulse and speed together, so a sliding one lifts off:
// with u_n and slip u_t before, p_n = (|u_n| + mu |u_t|) / (W_nn + mu^2 W_tt) for a single contact
// without coupling. Restitution is Poisson's, along the normals alone: p_n (1 + e); what approaches
// then is solved once more without it.
//
// As the planar impacts of Fazeli et al. were predicted with it, with a round cone instead of their
// two directions; the bound on the sum of normal impulses that the paper has for three dimensions
// is left out. Checked by the closed form, and by the conditions of the minimum in dual cones.
// Without friction it is `poisson`.
#include "impact/complementarity.h"
#include "impact/cone.h"
#include "impact/law.h"

enum { OPTION_ITERATIONS };

// What is left to do from the velocities of `motion`: the minimum over the cones of all impulses
// from there on, added to those there are.
static carom_status minimise(const carom_problem *problem, int most, carom_arena *scratch,
                             carom_motion *motion, carom_impact_report *report, carom_error *err)
{
    double(*so_far)[3];
    TAKE(scratch, so_far, problem->contact_count, err);
    for (int i = 0; i < problem->contact_count; ++i)
        for (int k = 0; k < 3; ++k) {
            so_far[i][k] = motion->p[i][k];
            motion->p[i][k] = 0;
        }
    for (int island = 0; island < problem->island_count; ++island) {
        carom_arena_mark mark = carom_arena_mark_here(scratch);
        carom_contact_set set = carom_inelastic_island(problem, island);
        carom_cone_block *blocks;
        TAKE(scratch, blocks, set.count, err);
        for (int i = 0; i < set.count; ++i)
            blocks[i] = carom_cone_make(problem, set.index[i], 0);
        if (carom_friction_needed(problem, &set))
            TRY(carom_cone_minimise(problem, &set, blocks, most, motion, report, err));
        else
            TRY(carom_inelastic_stop_approach(problem, &set, 0, scratch, motion, NULL,
                                              &report->solver_residual, err));
        carom_arena_rewind(scratch, mark);
    }
    for (int i = 0; i < problem->contact_count; ++i)
        for (int k = 0; k < 3; ++k)
            motion->p[i][k] += so_far[i][k];
    return CAROM_OK;
}

// p_n (1 + e); says whether anything approaches then.
static bool expand(const carom_problem *problem, carom_motion *motion)
{
    const double none = 1e-12; // of the fastest speed
    bool approaches = false;
    for (int i = 0; i < problem->contact_count; ++i) {
        double more = problem->contacts[i].restitution * motion->p[i][0];
        carom_row_apply(&problem->normal[i], more, motion->v);
        motion->p[i][0] += more;
    }
    for (int i = 0; i < problem->contact_count; ++i)
        approaches =
            approaches || carom_problem_speed(problem, i, motion->v) < -none * problem->fastest;
    return approaches;
}

static carom_status resolve_drumwright(const carom_problem *problem,
                                       const carom_law_options *options, carom_arena *scratch,
                                       carom_motion *motion, carom_impact_report *report,
                                       carom_error *err)
{
    int most = (int)options->value[OPTION_ITERATIONS];
    carom_motion compressed;
    TRY(minimise(problem, most, scratch, motion, report, err));
    TRY(carom_problem_begin_motion(problem, scratch, &compressed, err));
    carom_problem_copy_motion(problem, motion, &compressed);
    if (expand(problem, motion))
        TRY(minimise(problem, most, scratch, motion, report, err));
    if (report->solver_residual > CAROM_INELASTIC_STALLED)
        report->end = CAROM_IMPACT_STALLED;
    return carom_complementarity_limit_to(problem, &compressed, scratch, motion, report, err);
}

static const carom_option options[] = {
    [OPTION_ITERATIONS] = { "iterations", "most passes of Gauss-Seidel where there is friction",
                            CAROM_OPTION_INTEGER, 10000, 1, 1e7, NULL },
    { 0 },
};

const carom_law carom_drumwright_law = {
    .name = "drumwright",
    .summary = "Least kinetic energy over Coulomb's cones, without complementarity; Poisson.",
    .reference = "DS",
    .paper = "Drumwright, Shell 2010, Algorithmic Foundations of Robotics IX",
    .number = "sliding ball: p_n = (|u_n| + mu |u_t|) / (W_nn + mu^2 W_tt); frictionless: poisson",
    .promises = CAROM_KIN | CAROM_MOM | CAROM_ONE,
    .friction = true,
    .options = options,
    .resolve = resolve_drumwright,
};

// Convex regularised contact, as in MuJoCo [Todorov] and Drake [Castro]: the impulses minimise
//
//     1/2 p^T (W + R) p + p.(1 + e) u-   over Coulomb's cones,   R_i = (1 - d) / d W_ii,
//
// d the impedance. Nothing is asked of speeds and impulses together: a sliding contact lifts off a
// little (friction is associated), and a contact that is pressed gives way by R p. Along the
// normals R p + u+ = -e u-, so that a single contact leaves with (d (1 + e) - 1) |u-|, not with e
// |u-|. In MuJoCo's terms it is one step h with damping b h = 1 + e and no stiffness. Where
// restitution is one for all, energy falls by p.W p (1 - e) / (2 (1 + e)) + p.R p / (1 + e); where
// it differs it could grow: the limiter.
//
// Without friction this is a complementarity problem with resistance, solved exactly (regular.h);
// with friction by projected Gauss-Seidel (cone.h), which converges as R > 0. From
// memory of the papers; checked against MuJoCo itself and by the closed form of one contact.
#include "impact/complementarity.h"
#include "impact/cone.h"
#include "impact/law.h"
#include "impact/regular.h"
#include "impact/two_body.h"

enum { OPTION_IMPEDANCE, OPTION_ITERATIONS };

static carom_status solve_rough(const carom_problem *problem, const carom_contact_set *set,
                                const carom_law_options *options, carom_arena *scratch,
                                carom_motion *motion, carom_impact_report *report, carom_error *err)
{
    double impedance = options->value[OPTION_IMPEDANCE];
    carom_cone_block *blocks;
    TAKE(scratch, blocks, set->count, err);
    for (int i = 0; i < set->count; ++i) {
        carom_two_body pair = carom_two_body_make(problem, set->index[i]);
        vec3 u = carom_two_body_relative_velocity(problem, &pair, motion->v);
        double e = problem->contacts[set->index[i]].restitution;
        blocks[i] = carom_cone_make(problem, set->index[i], (1 - impedance) / impedance);
        blocks[i].target = vec3_scale(-e, u);
    }
    return carom_cone_minimise(problem, set, blocks, (int)options->value[OPTION_ITERATIONS], motion,
                               report, err);
}

static carom_status solve_smooth(const carom_problem *problem, const carom_contact_set *set,
                                 double impedance, carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    double *target, *resistance;
    TAKE(scratch, target, set->count, err);
    TAKE(scratch, resistance, set->count, err);
    for (int i = 0; i < set->count; ++i) {
        int contact = set->index[i];
        target[i] = -problem->contacts[contact].restitution * problem->u[contact];
        resistance[i] = (1 - impedance) / impedance * problem->normal[contact].diagonal;
    }
    report->sweeps = report->sweeps > 1 ? report->sweeps : 1;
    return carom_regular_solve(problem, set, target, resistance, scratch, motion, report, err);
}

static carom_status resolve_soft(const carom_problem *problem, const carom_law_options *options,
                                 carom_arena *scratch, carom_motion *motion,
                                 carom_impact_report *report, carom_error *err)
{
    for (int island = 0; island < problem->island_count; ++island) {
        carom_arena_mark mark = carom_arena_mark_here(scratch);
        carom_contact_set set = carom_inelastic_island(problem, island);
        bool rough = false;
        for (int i = 0; i < set.count; ++i)
            rough = rough || problem->contacts[set.index[i]].friction > 0;
        if (rough)
            TRY(solve_rough(problem, &set, options, scratch, motion, report, err));
        else
            TRY(solve_smooth(problem, &set, options->value[OPTION_IMPEDANCE], scratch, motion,
                             report, err));
        carom_arena_rewind(scratch, mark);
    }
    if (report->solver_residual > CAROM_INELASTIC_STALLED)
        report->end = CAROM_IMPACT_STALLED;
    carom_complementarity rigid = { .friction = CAROM_FRICTION_CONE };
    return carom_complementarity_limit(problem, &rigid, scratch, motion, report, err);
}

static const carom_option options[] = {
    [OPTION_IMPEDANCE] = { "impedance", "how much of its task a contact fulfils: 1 would be rigid",
                           CAROM_OPTION_NUMBER, 0.9, 0.01, 0.9999, NULL },
    [OPTION_ITERATIONS] = { "iterations", "most passes of Gauss-Seidel where there is friction",
                            CAROM_OPTION_INTEGER, 1000, 1, 1e7, NULL },
    { 0 },
};

const carom_law carom_soft_law = {
    .name = "soft",
    .summary = "Convex regularised contact of MuJoCo and Drake: contacts give way a little.",
    .reference = "Todorov",
    .paper = "Todorov 2011, ICRA (MuJoCo); Castro et al. 2023 (Drake)",
    .number = "cradle and rack: 1e-6 of MuJoCo 2.2; one contact: d (1 + e) - 1",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE,
    .friction = true,
    .options = options,
    .resolve = resolve_soft,
};

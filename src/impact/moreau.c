// Moreau's law of collisions [Moreau, section 9]: one index e for the whole collision, and the laws
// of contact (no approach, Coulomb's cone) hold for the weighted mean of the velocities before and
// after, (v+ + e v-) / (1 + e). The mean is then the inelastic result with friction, so that
//
//     p = (1 + e) p_inelastic   along the normals and across them,   v+ = v_i + e (v_i - v-).
//
// Energy never grows: p.(u+ + u-) / 2 is (1 + e)/2 p.u_i + (1 - e)/2 p.u-, neither of which is
// positive. Without friction it is Newton's restitution (`newton`); with it a contact that sticks
// leaves with -e times its tangential velocity too. Where the contacts of an island differ, e is
// the least of them. From memory of the paper; checked by the identity above and by the rocking
// block.
#include "impact/complementarity.h"
#include "impact/law.h"

enum { OPTION_FRICTION };

static double least_restitution(const carom_problem *problem, int island)
{
    double e = 1;
    carom_contact_set set = carom_inelastic_island(problem, island);
    for (int i = 0; i < set.count; ++i)
        e = fmin(e, problem->contacts[set.index[i]].restitution);
    return e;
}

static carom_status resolve_moreau(const carom_problem *problem, const carom_law_options *options,
                                   carom_arena *scratch, carom_motion *motion,
                                   carom_impact_report *report, carom_error *err)
{
    carom_complementarity mean = { .friction = (int)options->value[OPTION_FRICTION] };
    TRY(carom_complementarity_solve(problem, &mean, scratch, motion, report, err));
    for (int island = 0; island < problem->island_count; ++island) {
        double e = least_restitution(problem, island);
        carom_contact_set set = carom_inelastic_island(problem, island);
        for (int i = 0; i < set.count; ++i)
            carom_problem_add_share(problem, set.index[i], e, motion);
    }
    // For means that were not solved exactly (masses from 1e-6 to 1e6 with friction).
    return carom_complementarity_limit(problem, &mean, scratch, motion, report, err);
}

static const carom_option options[] = { CAROM_COMPLEMENTARITY_FRICTION_OPTION, { 0 } };

const carom_law carom_moreau_law = {
    .name = "moreau",
    .summary = "One index for the collision: the mean of before and after obeys the contacts.",
    .reference = "Moreau",
    .paper = "Moreau 1988, CISM Courses and Lectures 302",
    .number = "v+ = v_i + e (v_i - v-), friction too; cradle of 3: -1/3, 2/3, 2/3",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE,
    .friction = true,
    .options = options,
    .resolve = resolve_moreau,
};

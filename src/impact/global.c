// One energetic coefficient for the whole event (global energetic restitution, as Rodriguez and
// Bowling, and Yilmaz and Hurmuzlu, have it for several contacts): all contacts of an island
// compress together to the inelastic result p_c with friction, absorbing the normal work C = -sum
// 1/2 p_cn (u- + u_c), and expand together along the same impulses, p = (1 + r) p_c, until the
// normal work given back is e^2 C. Per island that is one quadratic equation for r:
//
//     r sum p_cn u_c + 1/2 r^2 sum p_cn (W p_c)_n = e^2 C,
//
// with e^2 the mean of the contacts' e^2, weighted by the work that each absorbed. Without friction
// u_c = 0 where p_c > 0, and r = e. From memory of the papers; checked by the closed form for two
// contacts and by the balance of energy. Approach that is left at contacts that were not pressed
// is stopped inelastically.
#include "impact/complementarity.h"
#include "impact/law.h"

enum { OPTION_FRICTION };

// r of an island from what its contacts absorbed.
static double expansion(const carom_problem *problem, const carom_contact_set *set,
                        const carom_motion *compressed)
{
    double absorbed = 0, back = 0, slope = 0, curve = 0;
    for (int i = 0; i < set->count; ++i) {
        int contact = set->index[i];
        double p = compressed->p[contact][0], e = problem->contacts[contact].restitution;
        double u = carom_row_speed(&problem->normal[contact], compressed->v);
        double work = -0.5 * p * (problem->u[contact] + u);
        absorbed += work;
        back += e * e * work;
        slope += p * u;
        curve += 0.5 * p * (u - problem->u[contact]);
    }
    if (!(absorbed > 0) || !(back > 0) || !(curve > 0))
        return 0;
    return 2 * back / (slope + sqrt(slope * slope + 4 * curve * back));
}

static carom_status resolve_global(const carom_problem *problem, const carom_law_options *options,
                                   carom_arena *scratch, carom_motion *motion,
                                   carom_impact_report *report, carom_error *err)
{
    carom_complementarity compression = { .friction = (int)options->value[OPTION_FRICTION] };
    carom_motion compressed;
    TRY(carom_problem_begin_motion(problem, scratch, &compressed, err));
    TRY(carom_complementarity_solve(problem, &compression, scratch, &compressed, report, err));
    TRY(carom_complementarity_limit(problem, &compression, scratch, &compressed, report, err));
    carom_problem_report(problem, 1, (const double(*)[3])compressed.p);
    carom_problem_copy_motion(problem, &compressed, motion);
    for (int island = 0; island < problem->island_count; ++island) {
        carom_contact_set set = carom_inelastic_island(problem, island);
        double r = expansion(problem, &set, &compressed);
        for (int i = 0; i < set.count; ++i)
            carom_problem_add_share(problem, set.index[i], r, motion);
    }
    TRY(carom_complementarity_limit_to(problem, &compressed, scratch, motion, report, err));
    carom_complementarity rest = { .friction = CAROM_FRICTION_NONE };
    TRY(carom_complementarity_solve(problem, &rest, scratch, motion, report, err));
    return carom_complementarity_stop_approach(problem, scratch, motion, report, err);
}

static const carom_option options[] = { CAROM_COMPLEMENTARITY_FRICTION_OPTION, { 0 } };

const carom_law carom_global_law = {
    .name = "global",
    .summary = "One energetic coefficient: all contacts give back together what they absorbed.",
    .reference = "Bowling",
    .paper = "Rodriguez, Bowling 2012, Multibody System Dynamics 28; after Stronge",
    .number = "bar on two supports, e1 and e2: leaves with sqrt((e1^2 + e2^2) / 2)",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP,
    .friction = true,
    .options = options,
    .resolve = resolve_global,
};

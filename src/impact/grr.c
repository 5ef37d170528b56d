// Generalized reflections with restitution [GRR, section 5], as SCISim has them: the impulses of
// the elastic reflections (`gr`) and of the inelastic solve are mixed,
//
//     p = (1 - c) p_inelastic + c p_elastic,
//
// where `gr` takes the elastic result for a prediction of speeds [QCE, eq 19]. For one c it keeps
// what both keep, as the results that do not approach are convex; with different c_i every contact
// mixes by its own, the limiter takes out what energy that adds, and the inelastic solve what
// approach. Frictionless, as SCISim's impact map is.
#include "impact/complementarity.h"
#include "impact/gr.h"
#include "impact/law.h"

// The elastic impulses of `motion` become the mixed ones, on top of the velocities before.
static carom_status mix(const carom_problem *problem, const carom_motion *inelastic,
                        carom_arena *scratch, carom_motion *motion, carom_error *err)
{
    carom_motion mixed;
    TRY(carom_problem_begin_motion(problem, scratch, &mixed, err));
    for (int i = 0; i < problem->contact_count; ++i) {
        double c = problem->contacts[i].restitution;
        mixed.p[i][0] = (1 - c) * inelastic->p[i][0] + c * motion->p[i][0];
        carom_row_apply(&problem->normal[i], mixed.p[i][0], mixed.v);
    }
    carom_problem_copy_motion(problem, &mixed, motion);
    return CAROM_OK;
}

static carom_status resolve_grr(const carom_problem *problem, const carom_law_options *options,
                                carom_arena *scratch, carom_motion *motion,
                                carom_impact_report *report, carom_error *err)
{
    carom_gr_settings settings = CAROM_GR_SETTINGS(options);
    carom_complementarity rest = { .friction = CAROM_FRICTION_NONE };
    carom_motion inelastic;
    bool lossy = false;
    for (int i = 0; i < problem->contact_count; ++i)
        lossy = lossy || problem->contacts[i].restitution < 1;
    TRY(carom_gr_reflect(problem, &settings, scratch, motion, report, err));
    if (!lossy)
        return CAROM_OK;
    int sweeps = report->sweeps;
    TRY(carom_problem_begin_motion(problem, scratch, &inelastic, err));
    TRY(carom_complementarity_solve(problem, &rest, scratch, &inelastic, report, err));
    TRY(mix(problem, &inelastic, scratch, motion, err));
    TRY(carom_complementarity_limit_to(problem, &inelastic, scratch, motion, report, err));
    TRY(carom_complementarity_solve(problem, &rest, scratch, motion, report, err));
    TRY(carom_complementarity_stop_approach(problem, scratch, motion, report, err));
    report->sweeps = sweeps;
    return CAROM_OK;
}

static const carom_option options[] = { CAROM_GR_OPTIONS, { 0 } };

const carom_law carom_grr_law = {
    .name = "grr",
    .summary = "Generalized reflections, mixed with the inelastic impulses by the restitution.",
    .reference = "GRR",
    .paper = "Smith, Kaufman, Vouga, Tamstorf, Grinspun 2012; SCISim",
    .number = "cradle of 3 with c = 1/2: 1/6, 1/6, 2/3",
    .promises = CAROM_BRK | CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP | CAROM_RES,
    .options = options,
    .resolve = resolve_grr,
};

// Newton's restitution as one complementarity problem ("LCP"): every contact shall leave with
// -c times its own approach speed, 0 <= lam _|_ W lam + (1 + c) u >= 0. With one c for all this is
// exactly (1 + c) times the inelastic impulse. It is the baseline of the literature, with its known
// fault: a contact that was separating and gets hit may be left approaching (masses 1, velocities
// 1, 0, 0.5 give 0, 1, 0.5). With different c, energy could grow and the wanted speeds may
// contradict each other; the limiter and report.end = STALLED cover these.
#include "impact/law.h"
#include "impact/complementarity.h"

enum { OPTION_FRICTION };

static carom_status resolve_newton(const carom_problem *problem, const carom_law_options *options,
                                   carom_arena *scratch, carom_motion *motion,
                                   carom_impact_report *report, carom_error *err)
{
    carom_friction_bound friction = (int)options->value[OPTION_FRICTION];
    double *target;
    TAKE(scratch, target, problem->contact_count, err);
    for (int i = 0; i < problem->contact_count; ++i)
        target[i] = -problem->contacts[i].restitution * problem->u[i];
    carom_complementarity bounce = { .friction = friction, .tangential = true, .target = target };
    carom_complementarity inelastic = { .friction = friction };
    TRY(carom_complementarity_solve(problem, &bounce, scratch, motion, report, err));
    return carom_complementarity_limit(problem, &inelastic, scratch, motion, report, err);
}

static const carom_option options[] = { CAROM_COMPLEMENTARITY_FRICTION_OPTION, { 0 } };

const carom_law carom_newton_law = {
    .name = "newton",
    .summary = "Newton's restitution at all contacts at once, as one complementarity problem.",
    .reference = "QCE",
    .paper = "Newton 1687; as one complementarity problem in Zhang et al. 2015",
    .number = "cradle of 3: -1/3, 2/3, 2/3",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE,
    .friction = true,
    .tangential = true,
    .options = options,
    .usual = true,
    .resolve = resolve_newton,
};

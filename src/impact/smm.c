// The simultaneous method [ETM, appendix B]: every listed contact leaves with -e times its approach
// speed, as linear equations W lam = -(1 + e) u, by the pseudo-inverse. Impulses may pull. The
// paper's eq 87 couples friction by a fixed direction; here the friction of eq 21 of [QCE] acts
// with mu max(lam, 0), since a pulling contact has no friction. With different e the equations may
// contradict each other (least squares) and energy could grow (limiter).
#include "impact/law.h"
#include "impact/complementarity.h"

enum { OPTION_CONTACTS, OPTION_FRICTION };

static carom_status resolve_smm(const carom_problem *problem, const carom_law_options *options,
                                carom_arena *scratch, carom_motion *motion,
                                carom_impact_report *report, carom_error *err)
{
    int n = problem->contact_count;
    carom_friction_bound friction = (int)options->value[OPTION_FRICTION];
    bool colliding = options->value[OPTION_CONTACTS] == 1, *member;
    double *target;
    TAKE(scratch, target, n, err);
    TAKE(scratch, member, n, err);
    for (int i = 0; i < n; ++i) {
        target[i] = -problem->contacts[i].restitution * problem->u[i];
        member[i] = !colliding || problem->u[i] < -1e-12 * problem->fastest;
    }
    carom_complementarity bounce = {
        .kind = CAROM_FRICTION_BILATERAL, .friction = friction, .target = target, .member = member
    };
    carom_complementarity inelastic = bounce;
    inelastic.target = NULL;
    TRY(carom_complementarity_solve(problem, &bounce, scratch, motion, report, err));
    return carom_complementarity_limit(problem, &inelastic, scratch, motion, report, err);
}

static const carom_option options[] = {
    { "contacts", "all: every touching contact is listed; colliding: only those that approach",
      CAROM_OPTION_CHOICE, 0, 0, 1, "all colliding" },
    CAROM_COMPLEMENTARITY_FRICTION_OPTION,
    { 0 },
};

const carom_law carom_smm_law = {
    .name = "smm",
    .summary = "Every contact leaves with -e times its speed, by linear equations; may pull.",
    .reference = "ETM",
    .paper = "Tang, Paluszny, Zimmerman 2014, appendix B",
    .number = "box flat on a floor at 1, 1, -10: 1, 1, 10, no spin",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM,
    .friction = true,
    .options = options,
    .usual = true,
    .resolve = resolve_smm,
};

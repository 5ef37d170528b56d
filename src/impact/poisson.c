// Poisson's restitution [EC, section 5]: compression is the inelastic solve with impulses lam_l;
// expansion gives c lam_l back at every contact and whatever more is needed so that nothing
// approaches: lam = (1 + c) lam_l + lam_x. With friction both halves have it, the second bounded by
// mu (c lam_l + lam_x). The result of the compression is the reference of the limiter.
#include "impact/law.h"
#include "impact/complementarity.h"

enum { OPTION_FRICTION };

static carom_status resolve_poisson(const carom_problem *problem, const carom_law_options *options,
                                    carom_arena *scratch, carom_motion *motion,
                                    carom_impact_report *report, carom_error *err)
{
    int n = problem->contact_count;
    carom_friction_bound friction = (int)options->value[OPTION_FRICTION];
    carom_motion compressed;
    double *base;
    TAKE(scratch, base, n, err);
    TRY(carom_problem_begin_motion(problem, scratch, &compressed, err));
    carom_complementarity compression = { .friction = friction };
    TRY(carom_complementarity_solve(problem, &compression, scratch, &compressed, report, err));
    for (int i = 0; i < n; ++i)
        base[i] = problem->contacts[i].restitution * compressed.p[i][0];
    carom_problem_report(problem, 1, (const double(*)[3])compressed.p); // all approach stopped
    carom_problem_copy_motion(problem, &compressed, motion);
    carom_complementarity expansion = { .friction = friction, .base = base };
    TRY(carom_complementarity_solve(problem, &expansion, scratch, motion, report, err));
    TRY(carom_complementarity_limit_to(problem, &compressed, scratch, motion, report, err));
    return carom_complementarity_stop_approach(problem, scratch, motion, report, err);
}

static const carom_option options[] = { CAROM_COMPLEMENTARITY_FRICTION_OPTION, { 0 } };

const carom_law carom_poisson_law = {
    .name = "poisson",
    .summary =
        "Poisson's restitution: the impulses of compression, c times again, and no approach.",
    .reference = "EC",
    .paper = "Preclik, Ruede 2010, section 5",
    .number = "cradle of 3: impulses 4/3, 2/3",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP,
    .friction = true,
    .options = options,
    .usual = true,
    .resolve = resolve_poisson,
};

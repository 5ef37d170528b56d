// Poisson's restitution [EC, section 5]: compression is the inelastic solve with impulses lam_l;
// expansion gives c lam_l back at every contact and whatever more is needed so that nothing
// approaches: lam = (1 + c) lam_l + lam_x. With friction both halves have it, the second bounded by
// mu (c lam_l + lam_x). The result of the compression is the calm end of the limiter.
#include "impact/law.h"
#include "impact/stage.h"

#include <string.h>

enum { OPTION_FRICTION };

static carom_status resolve(const carom_problem *problem, const carom_law_options *options,
                            carom_arena *scratch, carom_motion *motion, carom_impact_report *report,
                            carom_error *err)
{
    int n = problem->contact_count;
    bool pyramid = options->value[OPTION_FRICTION] == 1;
    carom_limiter_end compressed, end = { motion->v, motion->p };
    double *base;
    TAKE(scratch, base, n, err);
    TRY(carom_stage_begin(problem, scratch, &compressed, err));
    carom_stage compression = { .pyramid = pyramid };
    TRY(carom_stage_run(problem, &compression, scratch, &compressed, report, err));
    for (int i = 0; i < n; ++i)
        base[i] = problem->contacts[i].restitution * compressed.p[i][0];
    carom_problem_tell(problem, 1, (const double(*)[3])compressed.p); // all approach stopped
    memcpy(end.v, compressed.v, (size_t)problem->body_count * sizeof *end.v);
    memcpy(end.p, compressed.p, (size_t)n * sizeof *end.p);
    carom_stage expansion = { .base = base, .pyramid = pyramid };
    TRY(carom_stage_run(problem, &expansion, scratch, &end, report, err));
    TRY(carom_stage_limit_by(problem, &compressed, scratch, &end, report, err));
    return carom_stage_close(problem, scratch, &end, report, err);
}

static const carom_option options[] = { CAROM_STAGE_FRICTION_OPTION, { 0 } };

const carom_law carom_poisson_law = {
    .name = "poisson",
    .summary =
        "Poisson's restitution: the impulses of compression, c times again, and no approach.",
    .reference = "EC",
    .promises = CAROM_SYM | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP,
    .friction = true,
    .options = options,
    .resolve = resolve,
};

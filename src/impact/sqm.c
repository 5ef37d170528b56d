// Sequential impulses, most violated contact first [ETM, appendix A].
#include "impact/law.h"

static carom_status resolve(const carom_problem *problem, const carom_law_options *options,
                            carom_arena *scratch, carom_motion *motion, carom_impact_report *report,
                            carom_error *err)
{
    (void)scratch;
    (void)err;
    double tolerance = options->value[0] * problem->fastest;
    for (report->events = 0; report->events < 1000L * problem->contact_count; ++report->events) {
        int worst = -1;
        double least = -tolerance;
        for (int i = 0; i < problem->contact_count; ++i) {
            double u = carom_row_speed(&problem->normal[i], motion->v);
            if (u < least) {
                least = u;
                worst = i;
            }
        }
        if (worst < 0)
            return CAROM_OK;
        const carom_row *row = &problem->normal[worst];
        double p = -(1 + problem->contacts[worst].restitution) * least / row->diagonal;
        carom_row_apply(row, p, motion->v);
        motion->p[worst][0] += p;
    }
    report->end = CAROM_IMPACT_CAPPED;
    return CAROM_OK;
}

static const carom_option options[] = {
    { "tolerance", "approach speeds below this fraction of the fastest count as none",
      CAROM_OPTION_NUMBER, 1e-9, 0, 1e-2, NULL },
    { 0 },
};

const carom_law carom_sqm_law = {
    .name = "sqm",
    .summary = "Sequential impulses: the fastest approaching contact first, one at a time.",
    .reference = "ETM",
    .promises = CAROM_BRK | CAROM_KIN | CAROM_MOM | CAROM_ONE | CAROM_NOP | CAROM_WAV,
    .options = options,
    .resolve = resolve,
};
